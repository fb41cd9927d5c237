#!/usr/bin/python3
"""noctule cost, and comparisons in nanoseconds and per area."""
import csv
import unittest

from cli_support import CommandLineTest

COLUMNS = ("kind,name,parameters,tied,model,set,tuning,library,corner,recipe,area_um2,flops,gates,depth,reg_reg_ns,"
           "link_ns,cycle_ns,tools,source").split(",")
# The generic router of the tests costs 1 mm2 and 2 to 4 ns; with two lanes 4 mm2 and 2 ns.
ROWS = [
    {"set": "topology.kind=torus", "recipe": "one", "area_um2": 1e6, "cycle_ns": 2},
    {"set": "topology.kind=torus", "recipe": "two", "area_um2": 1e6, "cycle_ns": 4},
    {"set": "topology.kind=torus node.lanes=2", "recipe": "one", "area_um2": 4e6, "cycle_ns": 2},
]
PAIR = """\
topology: {kind: torus, radix: [5, 5]}
routing: dimension_order
traffic: {packet_length: 4, offered_load: 0.1}
measurement: {warm_up: 300, cycles: 3000}
cost: {table: mine.csv, library: mylib, tuning: mine}
compare:
  - {label: one, set: {}}
  - {label: two, set: {node.lanes: 2}}
"""


class Cost(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("pair.yaml", PAIR)
        with (self.folder / "mine.csv").open("w", newline="", encoding="utf-8") as stream:
            stream.write("# by hand\n")
            table = csv.DictWriter(stream, COLUMNS, restval="")
            table.writeheader()
            for row in ROWS:
                table.writerow({"kind": "node", "name": "hand_made", "model": "generic", "tuning": "mine",
                                "parameters": "A=1", "tied": "last_x_i=4", "library": "mylib", "corner": "typical",
                                "flops": 7, "gates": 50, "depth": 9, "reg_reg_ns": row["cycle_ns"], "tools": "pencil 1",
                                "source": "0", **row})

    def test_says_area_and_clock_and_what_they_assume(self):
        out, err = self.noctule("cost", "pair.yaml")
        self.assertEqual(err, "")
        for text in (r"one +1\.000 +2\.00-4\.00 ", r"two +4\.000 +2\.00 ",
                     "library mylib \\(typical\\), tuning mine, pencil 1, 2 mappings",
                     "one: hand_made with A=1", "no wires", "lone packet: 4 flits"):
            self.assertRegex(out, text)
        self.assertFalse((self.folder / "out").exists(), "cost writes nothing")

    def test_routers_that_the_table_does_not_have(self):
        for option, says in [("topology.terminals_per_router=2", "topology.terminals_per_router is 2; routers in hardware have "
                                                                  "one terminal"),
                             ("topology.more_terminals=[{routers: 'router_0_*', count: 1}]", "topology.more_terminals"),
                             ("message_classes={a: {vcs: {lane: 0}}, b: {vcs: {lane: 0}}}", "message_classes is")]:
            with self.subTest(option):
                out, _ = self.noctule("cost", "pair.yaml", "--set", option, "--set", "compare=[]", code=1)
                self.assertIn("no figures: ", out)
                self.assertIn(says, out)

    def test_every_value_of_an_axis_has_a_row(self):
        for axis, rows in [("link.flit_delay=1,2", 4), ("traffic.packet_length=1,50", 4), ("traffic.offered_load=0.1,0.2", 2)]:
            with self.subTest(axis):
                nodes = self.json_of("cost", "pair.yaml", "--axis", axis)["nodes"]
                self.assertEqual(len(nodes), rows)
                self.assertEqual(len({(node["label"], str(node["set"])) for node in nodes}), rows)
                names = [line.split("  ")[0] for line in self.noctule("cost", "pair.yaml", "--axis", axis)[0].splitlines()[2:2 + rows]]
                self.assertEqual(len(set(names)), rows, names)

    def test_as_json(self):
        document = self.json_of("cost", "pair.yaml")
        self.assertEqual(document["command"], "cost")
        one, two = document["nodes"]
        self.assertEqual((one["label"], two["label"], two["set"]), ("one", "two", {"node.lanes": 2}))
        self.assertEqual(one["cost"]["cycle_ns"], {"low": 2, "high": 4})
        self.assertEqual(one["cost"]["area_um2"], {"low": 1e6, "high": 1e6})
        self.assertEqual([m["recipe"] for m in one["cost"]["mappings"]], ["one", "two"])
        packet = one["lone_packet"]
        self.assertAlmostEqual(packet["ns"]["high"], 4 * packet["cycles"])
        self.assertEqual(document["nodes"][0]["table"], str(self.folder / "mine.csv"))

    def test_each_router_once(self):
        document = self.json_of("cost", "pair.yaml", "--axis", "traffic.offered_load=0.1,0.2")
        self.assertEqual(len(document["nodes"]), 2)

    def test_of_routers_that_differ_is_the_sum(self):
        """24 routers of 1 mm2 at 2 ns, one of 4 mm2; the mapping 'two' is not known of both."""
        self.write("mixed.yaml", PAIR.replace("compare:", "nodes: [{routers: [router_2_2], set: {lanes: 2}}]\ncompare:")
                   .replace("  - {label: two, set: {node.lanes: 2}}\n", ""))
        (node,) = self.json_of("cost", "mixed.yaml")["nodes"]
        self.assertNotIn("cost", node)
        self.assertEqual([(kind["routers"], kind["set"]) for kind in node["kinds"]],
                         [(20, {}), (4, {}), (1, {"node.lanes": 2})])
        self.assertEqual([kind["cost"]["area_um2"]["low"] for kind in node["kinds"]], [1e6, 1e6, 4e6])
        fabric = node["fabric"]
        self.assertEqual((fabric["routers"], fabric["cost"]["area_um2"]), (25, {"low": 28e6, "high": 28e6}))
        self.assertEqual(fabric["cost"]["cycle_ns"], {"low": 2, "high": 2})
        self.assertEqual(fabric["cost"]["flops"], 25 * 7)
        self.assertNotIn("lone_packet", node, "the way decides")
        out, _ = self.noctule("cost", "mixed.yaml")
        for text in (r"one: 20 routers +1\.000 +2\.00-4\.00 ", r"one: 4 routers, links that differ +1\.000 ",
                     r"one: 1 router, lanes=2, links that differ +4\.000 +2\.00 ", r"one: all 25 routers +28\.000 +2\.00 ",
                     "one: all 25 routers: hand_made; the sum of the routers, and the clock of the slowest"):
            self.assertRegex(out, text)
        # Its parts are told one by one; of one without figures there is no sum.
        out, _ = self.noctule("cost", "mixed.yaml", "--set", "nodes=[{routers: [router_0_*], set: {input_depth: 3}}]", code=1)
        self.assertIn("one: 5 routers, input_depth=3: no figures: node.input_depth is 3, of the router in the table 1", out)
        self.assertRegex(out, r"one: 20 routers +1\.000 ")
        self.assertNotIn("all 25 routers", out)

    def test_of_routers_that_differ_in_comparisons_is_the_mean(self):
        self.write("mixed.yaml", PAIR.replace("{node.lanes: 2}", "{nodes: [{routers: [router_*_2], set: {lanes: 2}}]}"))
        self.noctule("compare", "mixed.yaml", "--set", "plots=[throughput_area]", "--out", "r")
        costs = {point["label"]: point["cost"] for point in self.results("r")["points"]}
        self.assertEqual(costs["two"]["area_um2"], {"low": (20 * 1e6 + 5 * 4e6) / 25, "high": (20 * 1e6 + 5 * 4e6) / 25})
        self.assertEqual(sum(kind["routers"] for kind in costs["two"]["kinds"]), 25)
        self.assertNotIn("kinds", costs["one"])
        self.refused("compare", "mixed.yaml", "--set", "plots=[throughput_area]", "--set",
                     "nodes=[{routers: [router_0_0], set: {input_depth: 3}}]",
                     says=["one has none: 1 router, input_depth=3: node.input_depth is 3"])

    def test_the_routers_of_the_papers_have_figures(self):
        self.write("papers.yaml", "topology: {kind: torus, radix: [31, 31]}\n")
        models = "star_channels,four_classes,linder_harden,oblivious"
        nodes = self.json_of("cost", "papers.yaml", "--axis", f"node.model={models}")["nodes"]
        self.assertEqual(len(nodes), 4)
        for node, hops in zip(nodes, (15.5, 15.5, 15.5, 30)):
            self.assertAlmostEqual(node["lone_packet"]["hops"], hops, delta=0.1, msg="Oblivious goes one way round only")
            self.assertGreater(node["cost"]["area_um2"]["low"], 1e5)
            self.assertGreaterEqual(len(node["cost"]["mappings"]), 3)
            self.assertIn("yosys", node["cost"]["tools"])

    def test_a_router_without_figures(self):
        out, err = self.noctule("cost", "pair.yaml", "--set", "node.input_depth=3", code=1)
        self.assertEqual(err, "")
        self.assertIn("no figures: node.input_depth is 3, of the router in the table 1", out)
        self.assertIn("scripts/synthesize FILE.sv --model generic --set node.input_depth=3 --append mine.csv", out)
        document = self.json_of("cost", "pair.yaml", "--set", "node.input_depth=3", code=1)
        self.assertTrue(all("obstacle" in node and "cost" not in node for node in document["nodes"]))

    def test_no_table(self):
        self.refused("cost", "pair.yaml", "--set", "cost.table=nowhere.csv",
                     says=["--set cost.table=nowhere.csv: cost.table: ", "cannot be read", "scripts/synthesize --all"])
        self.write("mine.csv", "a,b\n1,2\n")
        self.refused("cost", "pair.yaml", says=["pair.yaml:5:8: cost.table", "is no cost table: it has no column kind"])
        self.refused("cost", "nowhere.yaml", says=["nowhere.yaml"])

    def test_comparison_in_nanoseconds(self):
        self.noctule("compare", "pair.yaml", "--axis", "traffic.offered_load=0.05,0.1,0.2,0.3",
                     "--set", "plots=[latency_ns, throughput_area]", "--out", "r")
        results = self.results("r")
        self.assertEqual({p["cost"]["router"] for p in results["points"]}, {"hand_made"})
        (part,) = results["cost_comparison"]
        self.assertEqual(part["situation"], "")
        # At one clock both take the same; one may be half as fast, and two is four times as large.
        light = part["equal_time"]["latency_ns"][0]
        self.assertEqual(set(light["ahead"]), {"one", "two"})
        self.assertGreater(light["series"]["one"]["high"], 1.8 * light["series"]["one"]["low"])
        self.assertEqual(part["equal_area"]["highest_throughput"]["ahead"], ["one"])
        highest = part["equal_area"]["highest_throughput"]["series"]
        for label, fast, slow in (("one", 2, 4), ("two", 2 * 4, 2 * 4)):
            accepted = max((p["accepted"]["flits_per_node_cycle"] for p in results["points"] if p["label"] == label),
                           key=lambda a: a["mean"])
            self.assertAlmostEqual(highest[label]["low"], (accepted["mean"] - accepted["ci95"]) / slow)
            self.assertAlmostEqual(highest[label]["high"], (accepted["mean"] + accepted["ci95"]) / fast)
        # At half the clock one does not reach what it reaches at the other.
        reached = [row["series"].get("one") for row in part["equal_time"]["latency_ns"]]
        self.assertIn(None, [one["high"] for one in reached if one])
        self.assertIsNone(reached[-1])
        text = (self.folder / "r/comparison.txt").read_text(encoding="utf-8")
        for expected in ("flits per ns and mm2 of router", "from ", "one or two"):
            self.assertIn(expected, text)
        for name in ("latency-ns", "throughput-area"):
            drawn = (self.folder / f"r/plots/{name}.svg").read_text(encoding="utf-8")
            self.assertIn("library mylib (typical), tuning mine", drawn)

    def test_a_plot_without_figures_is_refused(self):
        for command in ("compare", "check"):
            self.refused(command, "pair.yaml", "--set", "plots=[latency_ns]", "--set", "node.input_depth=3",
                         says=["plots", "one has none: node.input_depth is 3", "two has none",
                               "scripts/synthesize FILE.sv --model generic"])
        rows = (self.folder / "mine.csv").read_text(encoding="utf-8").replace(",2,pencil", ",,pencil")
        self.write("mine.csv", rows)
        self.refused("run", "pair.yaml", "--set", "plots=[throughput_area]", says=["made without OpenSTA"])
        self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
