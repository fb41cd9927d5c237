#!/usr/bin/python3
"""Which objects of SystemC a fabric has: chosen, printed by check, without effect on results."""
import re
import unittest

from cli_support import SMALL, CommandLineTest, own_memory, without_speed

TRACE = "trace: {vcd: true, events: true, scope: [router_1_1, router_0_2.link_*]}\n"


def results_of(document):
    """All but what says how it was computed."""
    (point,) = without_speed(document)["points"]
    del point["files"]
    return point


class Hierarchy(CommandLineTest):
    def per_router(self, *arguments):
        (point,) = self.json_of("check", "small.yaml", *arguments)["points"]
        return point["hierarchy"], point["record_bytes_per_router"], point["memory_bytes_per_router"]

    def test_check_says_it_with_the_bytes_of_a_router(self):
        out, _ = self.noctule("check", "small.yaml", "--set", "hierarchy=routers")
        found = re.search(r"(?m)^  hierarchy: routers; about ([0-9.]+) KB per router, of which ([0-9]+) bytes are its "
                          r"state record$", out)
        self.assertTrue(found, out)
        hierarchy, record, memory = self.per_router("--set", "hierarchy=routers")
        self.assertEqual(hierarchy, "routers")
        self.assertAlmostEqual(float(found[1]), memory / 1024, delta=0.06)
        self.assertAlmostEqual(float(found[2]), record, delta=0.5)
        self.assertLess(record, memory)
        with_blocks = self.per_router()
        self.assertEqual(with_blocks[:2], ("blocks", record), "a small fabric has blocks")
        self.assertGreater(with_blocks[2], memory + 4000)

    def test_the_default_changes_above_4096_routers(self):
        for radix, expected in ("[64, 64]", "blocks"), ("[17, 241]", "routers"):
            radix = f"topology.radix={radix}"
            self.assertEqual(self.per_router("--set", radix)[0], expected)
            for chosen in "blocks", "routers":
                self.assertEqual(self.per_router("--set", radix, "--set", f"hierarchy={chosen}")[0], chosen)

    def test_records_are_small(self):
        """Of a network that has hardly any edges: flits and what is remembered of 4 VCs of 8 flits, and little else."""
        for node, most in (("input_queued", 2000), ("generic", 800), ("{model: generic, lanes: 8}", 1200)):
            with self.subTest(node=node):
                self.assertLessEqual(self.per_router("--set", "topology.radix=[64, 64]", "--set", f"node={node}")[1],
                                     most)

    @own_memory
    def test_the_estimate_is_what_a_run_takes(self):
        for node in "generic", "input_queued", "{model: generic, lanes: 8, output_depth: 4, input_depth: 4}":
            for hierarchy in "blocks", "routers":
                with self.subTest(node=node, hierarchy=hierarchy):
                    set_ = ("--set", f"node={node}", "--set", f"hierarchy={hierarchy}",
                            "--set", "topology.radix=[20, 20]", "--set", "traffic.offered_load=0.01")
                    estimate = self.per_router(*set_)[2] / 1024
                    (point,) = self.json_of("run", "small.yaml", *set_)["points"]
                    measured = point["speed"]["memory_kb_per_router"]
                    self.assertGreater(estimate, 0.85 * measured)
                    self.assertLess(estimate, 1.3 * measured)

    def test_results_waveforms_and_events_do_not_depend_on_it(self):
        self.write("traced.yaml", SMALL + TRACE)
        for more in ([], ["--set", "node=input_queued"],
                     ["--set", "nodes=[{routers: ['router_1_*'], set: {lanes: 3, input_depth: 4, output_depth: 2}}]"],
                     ["--set", "multicast.planner=dual_path", "--set", "node.output_depth=0",
                      "--set", "node.consumption_channels=2", "--set", "traffic.multicast={fraction: 0.5, least: 2, most: 4}"]):
            with self.subTest(more):
                found = {}
                for hierarchy in "blocks", "routers":
                    document = self.json_of("run", "traced.yaml", "--out", hierarchy, *more, "--set",
                                            f"hierarchy={hierarchy}")
                    found[hierarchy] = [results_of(document)]
                    for kind in "vcd", "events":
                        text = (self.folder / document["points"][0]["files"][kind]).read_text(encoding="utf-8")
                        found[hierarchy].append(text[text.find("$timescale"):] if kind == "vcd" else text)
                self.assertEqual(found["blocks"], found["routers"])
                self.assertGreater(found["blocks"][0]["packets"]["delivered"], 100)

    def test_another_word_is_refused(self):
        self.write("bad.yaml", SMALL + "hierarchy: block\n")
        self.refused("check", "bad.yaml", says=["bad.yaml:11:12: hierarchy", "'block'", "blocks", "routers", "auto"])
        self.refused("run", "small.yaml", "--set", "hierarchy=3", says=["hierarchy"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
