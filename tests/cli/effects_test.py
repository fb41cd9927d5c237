#!/usr/bin/python3
"""Is what has no effect refused where the user wrote it, and warned of where a base did; and does it say so before
anything runs? What `check` says of sizes and of many points."""
import subprocess
import unittest

from cli_support import PROGRAM, SMALL, CommandLineTest, own_memory

TRACED = """\
topology: {kind: mesh, radix: [3, 3]}
traffic: {source: {kind: trace_file, file: some.trace}}
"""


class WithoutEffect(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("some.trace", "0 0 1 3\n5 4 2 3\n")
        self.write("traced.yaml", TRACED)

    def test_in_the_file_it_is_an_error(self):
        self.write("bad.yaml", SMALL + "node:\n  arbiter: matrix\n")
        for command in ("run", "check", "verify"):
            self.refused(command, "bad.yaml", says=["bad.yaml:12:3: node.arbiter: has no effect here",
                                                    "counts only where"])

    def test_on_the_command_line_it_is_an_error(self):
        self.refused("run", "small.yaml", "--set", "node.lookahead=true",
                     says=["--set node.lookahead=true: node.lookahead: has no effect here", "routing_delay"])
        self.refused("run", "small.yaml", "--axis", "node.arbiter=matrix,round_robin", says=["has no effect here"])
        self.refused("run", "traced.yaml", "--set", "traffic.pattern=tornado", says=["traffic.pattern", "trace_file"])
        self.refused("run", "small.yaml", "--events", "e.csv", "--set", "trace.from=5000",
                     says=["trace.from", "the run ends at cycle 2200; begin earlier", "measurement.warm_up"])
        self.noctule("run", "small.yaml", "--events", "e.csv", "--set", "trace.from=500")

    def test_what_another_command_heeds_is_an_error(self):
        for key in ("mode=plain", "cycles=5", "resets=1", "coverage=true", "draws=1", "record=router_0_0"):
            for command in "run", "compare":
                self.refused(command, "small.yaml", "--set", f"cosim.{key}", "--axis", "node.lanes=1,2",
                             says=[f"cosim.{key.partition('=')[0]}: has no effect here: `noctule cosim` heeds it"])
        for mode in "swapped", "plain":
            _, err = self.noctule("cosim", "small.yaml", "--set", f"cosim.mode={mode}", "--set", "traffic.packet_length=3", code=2)
            self.assertEqual("traffic.packet_length: has no effect here" in err, mode == "plain", err)

    def test_of_some_routers_it_is_an_error_too(self):
        some = "nodes:\n  - routers: [router_0_*]\n    set: {%s}\n"
        self.write("bad.yaml", SMALL + some % "arbiter: matrix")
        self.refused("check", "bad.yaml", says=["bad.yaml:13:", "nodes[0].set.arbiter: has no effect here"])
        self.write("also.yaml", SMALL + "node: {model: input_queued}\n" + some % "model: generic, lookahead: true")
        self.refused("check", "also.yaml", says=["nodes[0].set.lookahead: has no effect here"])
        self.write("bad.yaml", SMALL + "node: {output_depth: 0, switch_allocator: wavefront, arbiter: matrix}\n")
        self.refused("check", "bad.yaml", says=["bad.yaml:11:54: node.arbiter: has no effect here"])
        for good in (some % "model: input_queued, arbiter: matrix",
                     some % "output_depth: 0, switch_allocator: islip" + "  - {routers: ['*_2'], set: {arbiter: round_robin}}\n",
                     "node: {arbiter: round_robin, output_depth: 0}\n" + some % "switch_allocator: islip"):
            self.write("good.yaml", SMALL + good)
            self.assertEqual(self.noctule("check", "good.yaml")[1], "", good)
        self.write("taken.yaml", SMALL + "node: {arbiter: matrix}\n" + some % "model: input_queued")
        self.refused("check", "taken.yaml", says=["node.arbiter: has no effect here"])

    def test_in_a_base_it_is_a_warning(self):
        self.write("base.yaml", SMALL)
        self.write("top.yaml", "base: base.yaml\ntraffic: {source: {kind: trace_file, file: some.trace}}\n")
        _, err = self.noctule("check", "top.yaml")
        for key in ("traffic.packet_length", "traffic.offered_load"):
            self.assertRegex(err, f"noctule: warning: base.yaml:[0-9:]+: {key}: has no effect here")
        self.assertEqual(self.noctule("check", "top.yaml", "--quiet")[1], "")

    def test_what_the_command_line_takes_the_effect_from_is_a_warning(self):
        _, err = self.noctule("check", "small.yaml", "--set", "traffic.source=static")
        self.assertRegex(err, "noctule: warning: small.yaml:[0-9:]+: traffic.offered_load: has no effect here")
        self.write("bad.yaml", SMALL + "node: {arbiter: matrix}\n")
        self.refused("check", "bad.yaml", "--set", "traffic.source=static", says=["bad.yaml:11:8: node.arbiter"])

    def test_what_the_command_line_leaves_no_key_for_is_a_warning(self):
        self.write("torus.yaml", SMALL.replace("kind: mesh", "kind: torus") + "routing: {algorithm: dimension_order, vc_rule: dateline}\n")
        for file, sets, key, says in (
                ("small.yaml", ["topology.kind=ring"], "topology.radix", "topology.kind is ring here"),
                ("torus.yaml", ["routing.algorithm=oblivious"], "routing.vc_rule", "routing.algorithm is oblivious here")):
            with self.subTest(file=file):
                _, err = self.noctule("check", file, *(word for each in sets for word in ("--set", each)))
                self.assertRegex(err, f"noctule: warning: {file}:[0-9:]+: {key}: goes: {says}, which has no such key")
        self.assertEqual(self.noctule("check", "small.yaml", "--axis", "topology.kind=mesh,torus")[1], "")
        done = subprocess.run(["bash", "-c", '"$0" check <(cat small.yaml) --set seed=2', PROGRAM], cwd=self.folder, timeout=60,
                              capture_output=True, text=True, check=False)  # is read once
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.noctule("check", "small.yaml", "--set", "traffic.packet_lengths=[{length: 1, weight: 1}]")[1], "")

    def test_a_resolved_configuration_runs_without_a_word(self):
        self.noctule("run", "traced.yaml", "--out", "first")
        _, err = self.noctule("run", "first/config.json", "--out", "second")
        self.assertEqual(err, "")
        self.write("top.yaml", "base: first/config.json\nseed: 2\n")
        self.assertEqual(self.noctule("check", "top.yaml")[1], "")

    def test_check_says_nothing_of_a_pattern_that_nobody_uses(self):
        self.assertNotIn("mean distance of the pattern", self.noctule("check", "traced.yaml")[0])
        self.assertIn("mean distance of the pattern", self.noctule("check", "small.yaml")[0])
        self.assertNotIn("load under", self.noctule("verify", "traced.yaml")[0])

    def test_an_empty_section_over_a_base(self):
        self.write("base.yaml", SMALL + "sweep: {seed: [1, 2]}\n")
        self.write("top.yaml", "base: base.yaml\nsweep: {}\n")
        self.refused("check", "top.yaml", says=["top.yaml:2:1: sweep: has no effect", "base.yaml"])
        self.write("deep.yaml", SMALL.replace("traffic:\n", "traffic:\n  pattern: tornado\n") + "message_classes: {b: {weight: 3}}\n")
        for text, key in (("traffic: {pattern: }", "traffic.pattern"), ("message_classes: {b: {}}", "message_classes.b")):
            self.write("top.yaml", f"base: deep.yaml\n{text}\n")
            self.refused("check", "top.yaml", says=[f": {key}: has no effect: without a key in it", "deep.yaml"])
        self.write("top.yaml", "base: small.yaml\nname: ''\n")  # no section
        self.noctule("check", "top.yaml")
        self.refused("check", "base.yaml", "--set", "sweep={}", says=["--set sweep={}", "changes nothing"])

    def test_options_that_the_command_does_not_take(self):
        for command, option in (("check", ["--events", "e"]), ("verify", ["--events", "e"]), ("cost", ["--events", "e"]),
                                ("verify", ["--fresh"]), ("run", ["--saturation"]),
                                ("run", ["--pins"]), ("cosim", ["--events", "e"])):
            with self.subTest(command=command, option=option):
                self.refused(command, "small.yaml", *option, says=[option[0], f"`{command}` does not take it"])
                self.refused(*option, command, "small.yaml", says=[option[0], f"`{command}` does not take it"])
        self.refused("list", "--set", "seed=1", says=["--set", "`list` does not take it"])

    def test_help_of_a_command_shows_its_options(self):
        for command in ("run", "sweep", "compare", "explore", "check", "verify", "cosim", "cost"):
            out, _ = self.noctule(command, "--help")
            for option in ("--set", "--axis", "--seed", "--out", "--json", "--quiet", "--threads", "--load"):
                self.assertIn(option, out, command)
            self.assertEqual("--events" in out, command in ("run", "sweep", "compare", "explore"), command)
        out, _ = self.noctule("list", "--help")
        self.assertIn("--reference", out)
        self.assertNotIn("--set", out)


class Sizes(CommandLineTest):
    @own_memory
    def test_the_memory_limit_is_looked_at_before_anything_is_built(self):
        """With so little memory nothing of the network could be built."""
        for command in ("check", "run"):
            process = subprocess.run(
                ["/bin/bash", "-c", f"ulimit -v 500000; exec '{PROGRAM}' {command} small.yaml --set "
                 "'topology.radix=[4096, 4096]'"], cwd=self.folder, capture_output=True, text=True, check=False)
            self.assertEqual(process.returncode, 2, process.stderr)
            self.assertIn("limits.memory_mb", process.stderr)
            self.assertIn("at least", process.stderr)

    def test_a_trace_is_no_device_and_has_a_size(self):
        self.write("zero.yaml", TRACED.replace("some.trace", "/dev/zero"))
        self.refused("check", "zero.yaml", says=["zero.yaml:2:", "'/dev/zero' is a device"])
        self.write("long.trace", "".join(f"{n} {n % 9} {(n + 1) % 9} 3\n" for n in range(300000)))
        self.write("long.yaml", TRACED.replace("some.trace", "long.trace"))
        (point,) = self.json_of("check", "long.yaml")["points"]
        self.write("short.trace", "0 0 1 3\n")
        self.write("short.yaml", TRACED.replace("some.trace", "short.trace"))
        (short,) = self.json_of("check", "short.yaml")["points"]
        grown = point["memory_bytes"] - short["memory_bytes"]
        self.assertGreater(grown, 300000 * 16)
        self.assertLess(grown, 300000 * 64)
        self.refused("check", "long.yaml", "--set", "limits.memory_mb=5", says=["limits.memory_mb"])

    def test_many_points_are_described_in_few_lines(self):
        depths = ",".join(map(str, range(1, 201)))
        out, _ = self.noctule("check", "small.yaml", "--axis", f"node.input_depth={depths}")
        self.assertLess(len(out.splitlines()), 60, out)
        self.assertIn("192 other descriptions", out)
        self.assertIn("200 points", out)


class Comparisons(CommandLineTest):
    def test_the_planner_may_come_from_every_series(self):
        self.write("planned.yaml", SMALL + "node: {output_depth: 0, consumption_channels: 2}\n"
                   "compare:\n  - {label: a, set: {multicast.planner: dual_path}}\n"
                   "  - {label: b, set: {multicast.planner: multipath}}\n")
        text = (self.folder / "planned.yaml").read_text()
        self.write("planned.yaml", text.replace("  offered_load: 0.1\n", "  offered_load: 0.02\n"
                                                "  multicast: {fraction: 0.1, least: 2, most: 3}\n"))
        self.noctule("check", "planned.yaml")
        self.write("axis.yaml", (self.folder / "planned.yaml").read_text().split("compare:")[0])
        self.noctule("check", "axis.yaml", "--axis", "multicast.planner=dual_path,multipath")
        self.refused("check", "axis.yaml", says=["traffic.multicast.fraction", "multicast.planner"])

    def test_errors_name_the_series(self):
        self.write("bad.yaml", SMALL + "compare:\n  - {label: good, set: {node.lanes: 1}}\n"
                   "  - {label: 'the bad one', set: {node.lanes: 99}}\n")
        self.refused("check", "bad.yaml", says=["series 'the bad one'"])
        self.write("bad.yaml", SMALL + "compare:\n  - {label: good, set: {node.lanes: 1}}\n"
                   "  - {label: worse, set: {routing.algorithm: four_classes}}\n")
        message = self.refused("check", "bad.yaml", says=["series 'worse'", "torus"])
        self.assertNotIn("good", message)

    def test_errors_name_the_point_of_a_sweep(self):
        self.refused("check", "small.yaml", "--axis", "routing.algorithm=dimension_order,four_classes",
                     says=["(routing.algorithm=\"four_classes\")"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
