#!/usr/bin/python3
"""noctule compare and noctule explore: are series compared over the same packets, or is it said why not; is each design
shown with what it takes and what it carries?"""
import csv
import json
import signal
import unittest

from cli_support import TIMEOUT, CommandLineTest


class Comparison(CommandLineTest):
    def test_paired_differences_over_the_same_worms(self):
        document = self.json_of("compare", "small.yaml", "--axis", "node.model=star_channels,four_classes", "--set",
                                "topology={kind: torus, radix: [5, 5]}")
        self.assertEqual([p["label"] for p in document["points"]], ["star_channels", "four_classes"])
        generated = {p["packets"]["generated"] for p in document["points"]}
        self.assertEqual(len(generated), 1, "common random numbers: the same worms")
        text = json.dumps(document["comparison"])
        for word in ("star_channels", "four_classes", "ci95"):
            self.assertIn(word, text)
        self.assertIn("four_classes", (self.folder / "out/small/comparison.txt").read_text())

    def test_the_load_is_no_series_where_there_is_another_axis(self):
        lanes = "node.lanes=1,2"
        for axes in (("--axis", "traffic.offered_load=0.05,0.1", "--axis", lanes),
                     ("--axis", lanes, "--axis", "traffic.offered_load=0.05,0.1"),
                     ("--axis", "seed=1,2", "--axis", lanes)):
            compared = self.json_of("compare", "small.yaml", *axes, "--out", "r")["comparison"]
            self.assertEqual({c["label"] for c in compared}, {"node.lanes=2"}, axes)
            self.assertEqual({c["baseline"] for c in compared}, {"node.lanes=1"}, axes)
            self.assertEqual(len(compared), 2, axes)
        self.write("swept.yaml", (self.folder / "small.yaml").read_text() + "sweep: {node.lanes: [1, 2]}\n")
        compared = self.json_of("compare", "swept.yaml", "--axis", "traffic.offered_load=0.05,0.1")["comparison"]
        self.assertEqual([c["label"] for c in compared], ["node.lanes=2"] * 2)
        alone = self.json_of("compare", "small.yaml", "--axis", "traffic.offered_load=0.05,0.1")["comparison"]
        self.assertEqual([c["label"] for c in alone], ["traffic.offered_load=0.1"])

    def test_short_names_of_axes_are_those_of_their_parts(self):
        for command in ("compare", "sweep", "run"):
            for short, key, values in (("routing", "routing.algorithm", ["dimension_order", "north_last"]),
                                       ("node", "node.model", ["generic", "input_queued"]),
                                       ("topology", "topology.kind", ["mesh", "torus"]),
                                       ("traffic.pattern", "traffic.pattern.kind", ["uniform", "neighbor"])):
                with self.subTest(command=command, axis=short):
                    points = self.json_of(command, "small.yaml", "--fresh", "--axis", f"{short}={','.join(values)}")["points"]
                    self.assertEqual([p["set"] for p in points], [{key: value} for value in values])
        (compared,) = self.json_of("compare", "small.yaml", "--axis", "routing=dimension_order,north_last")["comparison"]
        self.assertEqual((compared["label"], compared["baseline"]),
                         ("routing.algorithm=north_last", "routing.algorithm=dimension_order"))
        self.refused("compare", "small.yaml", "--axis", "routing=north_last", says=["routing.algorithm", "one value"])
        self.refused("sweep", "small.yaml", "--axis", "node=generic,input_queued", "--set", "node=generic",
                     says=["--set node=generic", "has no effect: the sweep varies this key", "=[VALUE]' leaves one"])

    def test_a_point_is_held_to_what_is_expected_of_it(self):
        series = "compare=[{label: a, set: {expect: %s}}, {label: b, set: {expect: %s}}]"
        cycles = ("--set", "measurement.cycles=4000", "--fresh")
        status = self.json_of("run", "small.yaml", *cycles)["points"][0]["status"]
        other = "saturated" if status != "saturated" else "stable"
        for words, code in (((status, status), 0), ((status, other), 1), ((other, status), 1)):
            with self.subTest(words):
                _, err = self.noctule("run", "small.yaml", *cycles, "--set", series % words, code=code)
                self.assertEqual(err.count(f"expected was {other}"), code, err)
                _, err = self.noctule("sweep", "small.yaml", *cycles, "--axis", f"expect={','.join(sorted({status, words[1]}))}",
                                      code=1 if words[1] == other else 0)
                self.assertEqual(f"expected was {other}" in err, words[1] == other, err)

    def test_node_models_of_a_sweep_are_compared(self):
        models = "--axis", "node.model=generic,input_queued"
        for command in ("run", "sweep", "compare"):
            out, _ = self.noctule(command, "small.yaml", *models, "--axis", "traffic.offered_load=0.05,0.1", "--out", command)
            self.assertEqual(out.count("input_queued - generic"), 2, out)
            self.assertIn("traffic.offered_load=0.05 ", out)
            self.assertEqual(self.results(command)["comparison"], self.results("run")["comparison"])
        # No table where it would have no row.
        self.write("apart.yaml", (self.folder / "small.yaml").read_text() +
                   "sweep: {node.model: [generic, input_queued]}\ncompare: [{label: a}, {label: b, set: {seed: 2}}]\n")
        self.assertIn("b - a", self.noctule("run", "apart.yaml")[0])

    def test_series_that_are_the_same_twice_are_named(self):
        out, _ = self.noctule("compare", "small.yaml", "--axis", "node.crossbar_per=[],[lane]")
        self.assertIn("node.crossbar_per=[\"lane\"] and node.crossbar_per=[] are the same twice", out)
        out, _ = self.noctule("compare", "small.yaml", "--axis", "node.lanes=1,2")
        self.assertNotIn("the same twice", out)

    def test_networks_of_unequal_size_are_not_paired_and_it_is_said_why(self):
        document = self.json_of("compare", self.write("sizes.yaml", (self.folder / "small.yaml").read_text() + """\
compare:
  - {label: nine, set: {topology.radix: [3, 3]}}
  - {label: sixteen, set: {topology.radix: [4, 4]}}
  - {label: other, set: {node.lanes: 2}}
"""))
        sixteen, other = document["comparison"]
        self.assertFalse(sixteen["paired"])
        self.assertEqual(sixteen["unpaired"], "16 terminals inject in sixteen, 9 in nine: not the same packets")
        self.assertTrue(other["paired"])
        self.assertNotIn("unpaired", other)
        text = (self.folder / "out/sizes/comparison.txt").read_text()
        self.assertIn("sixteen - nine (unpaired)", text)
        self.assertIn("because\n  16 terminals inject in sixteen, 9 in nine", text)


class Explore(CommandLineTest):
    def explore(self, *arguments):
        self.noctule("explore", "small.yaml", "--axis", "node.lanes=1,2", *arguments)
        rows = json.loads((self.folder / "out/small/exploration.json").read_text())
        with open(self.folder / "out/small/exploration.csv", encoding="utf-8", newline="") as file:
            table = list(csv.DictReader(file))
        return rows, table, (self.folder / "out/small/exploration.txt").read_text()

    def test_where_nothing_is_proved_nothing_is_simulated_and_said(self):
        self.explore("--saturation", "--set", "routing={algorithm: turn_table}")
        text = (self.folder / "out/small/exploration.txt").read_text()
        self.assertIn("nothing was simulated, as no fabric is proved", text)
        self.assertNotIn("--saturation searches", text)

    def test_what_one_load_shows_is_no_throughput(self):
        rows, table, text = self.explore()
        for row in rows:
            self.assertNotIn("throughput", row)
            self.assertAlmostEqual(row["accepted"]["flits_per_node_cycle"]["mean"], 0.1, delta=0.02)
        # Two lanes take more buffers, and accept the same load.
        self.assertIn("--saturation", text)
        self.assertTrue(rows[0]["best"])
        self.assertEqual(table[0]["saturation_load_flits_per_node_cycle"], "")

    def test_routers_that_differ_count_each_for_itself(self):
        rows, table, text = self.explore()
        self.assertTrue(all("router_kinds" not in row for row in rows))
        self.assertNotIn("buffers and VCs are the mean of", text)
        deep = [*("--set", "nodes=[{routers: [router_1_1], set: {input_depth: 4, output_depth: 2, "
                           "consumption_channels: 4}}]"), "--out", "out/small"]
        mixed, _, text = self.explore(*deep)
        for row, before in zip(mixed, rows):
            usual, hub = row["router_kinds"]
            self.assertEqual((usual["routers"], hub["routers"]), (8, 1))
            self.assertEqual(hub["set"], {"node.input_depth": 4, "node.output_depth": 2, "node.consumption_channels": 4})
            self.assertAlmostEqual(row["flit_buffers_per_router"],
                                   (8 * usual["flit_buffers_per_router"] + hub["flit_buffers_per_router"]) / 9)
            self.assertGreater(row["flit_buffers_per_router"], before["flit_buffers_per_router"])
            self.assertEqual(row["virtual_channels_per_router"], before["virtual_channels_per_router"])
            self.assertAlmostEqual(row["consumption_channels_per_terminal"], (8 * 1 + 4) / 9)
        self.assertRegex(text, r"with node\.lanes=2: buffers and VCs are the mean of\n  8 routers: \S+ flits/router, "
                               r"\S+ VCs/router\n  1 router, consumption_channels=4, input_depth=4, output_depth=2: ")

    def test_saturation_is_searched_where_it_is_asked_for(self):
        rows, table, text = self.explore("--saturation")
        for row, line in zip(rows, table):
            found = row["saturation"]
            load, above = found["load_flits_per_node_cycle"], found["not_served_at_flits_per_node_cycle"]
            self.assertLess(load, above)
            self.assertLessEqual(above - load, found["searched_up_to_flits_per_node_cycle"] / 64 + 1e-9)
            self.assertGreaterEqual(found["maximum_accepted"]["accepted_flits_per_node_cycle"]["mean"],
                                    max(found["accepted"]["mean"], row["accepted"]["flits_per_node_cycle"]["mean"]))
            self.assertEqual(float(line["saturation_load_flits_per_node_cycle"]), load)
            self.assertIn("0.97", found["rule"])
            tried = [point["offered_flits_per_node_cycle"] for point in found["points"]]
            self.assertIn(load, tried)
            self.assertEqual(tried[0], found["searched_up_to_flits_per_node_cycle"])
            # What was not decided was measured again, twice at most.
            for other in set(tried):
                seen = [p["status"] for p in found["points"] if p["offered_flits_per_node_cycle"] == other]
                self.assertTrue(all(status == "not_converged" for status in seen[:-1]), seen)
                self.assertTrue(seen[-1] != "not_converged" or len(seen) == 3, seen)
                if other == above:
                    self.assertEqual(line["undecided_up_to_flits_per_node_cycle"] != "", seen[-1] == "not_converged")
        self.assertGreater(rows[1]["saturation"]["load_flits_per_node_cycle"],
                           rows[0]["saturation"]["load_flits_per_node_cycle"] / 2)
        self.assertIn("saturates", text)
        journal = self.folder / "out/small/points.jsonl"
        lines = journal.read_text()
        self.assertEqual(len(lines.splitlines()), 2 + sum(len(row["saturation"]["points"]) for row in rows))
        self.assertEqual(self.explore("--saturation")[0], rows)
        self.assertEqual(journal.read_text(), lines, "no load was simulated again")
        again, _, _ = self.explore("--saturation", "--fresh")
        self.assertEqual([row["saturation"] for row in again], [row["saturation"] for row in rows])

    def test_a_search_that_is_interrupted_says_so_and_goes_on(self):
        arguments = ["explore", "small.yaml", "--saturation", "--axis", "node.lanes=1,2", "--set", "measurement.cycles=100000",
                     "--out", "part"]
        process = self.start(*arguments, "--threads", "1")
        self.wait_for_points(process, "part", 6)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 130)
        before = self.finished_lines("part")
        for row in json.loads((self.folder / "part/exploration.json").read_text()):
            found = row["saturation"]
            self.assertTrue(found["unfinished"])
            self.assertEqual(found["undecided_up_to_flits_per_node_cycle"],
                             found.get("not_served_at_flits_per_node_cycle", found["searched_up_to_flits_per_node_cycle"]))
        self.assertRegex((self.folder / "part/exploration.txt").read_text(), r"\S+ to \S+")
        rows = self.json_of(*arguments)["exploration"]
        self.assertEqual(self.finished_lines("part")[:len(before)], before, "what was measured is taken over")
        self.assertTrue(all("unfinished" not in row["saturation"] for row in rows))
        whole = self.json_of(*arguments[:-1], "whole")["exploration"]
        self.assertEqual([row["saturation"] for row in rows], [row["saturation"] for row in whole])

    def test_saturation_of_one_design_and_of_each_seed(self):
        alone = self.json_of("explore", "small.yaml", "--saturation")["exploration"]
        self.assertEqual(len(alone), 1)
        seeds = self.json_of("explore", "small.yaml", "--saturation", "--axis", "seed=1,2")["exploration"]
        self.assertEqual([row["set"] for row in seeds], [{"seed": 1}, {"seed": 2}])
        self.assertEqual(seeds[0]["saturation"], alone[0]["saturation"])
        self.assertNotEqual(seeds[0]["saturation"]["points"], seeds[1]["saturation"]["points"])
        self.refused("explore", "small.yaml", says=["nothing to explore", "--saturation"])

    def test_saturation_needs_a_load(self):
        self.refused("explore", "small.yaml", "--axis", "node.lanes=1,2", "--saturation", "--set",
                     "traffic.source={kind: static, messages: 2}", says=["--saturation", "bernoulli"])
        self.refused("run", "small.yaml", "--saturation", says=["saturation"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
