#!/usr/bin/python3
"""Networks as their users meet them: have they the terminals, the pictures and the routing that were asked for?"""
import csv
import unittest
import xml.etree.ElementTree as xml

from cli_support import CommandLineTest


class Terminals(CommandLineTest):
    def test_memory_controllers_beside_other_terminals(self):
        config = """\
topology: {kind: mesh, radix: [3, 2], more_terminals: [{routers: ['router_0_*', router_2_1]}, {routers: router_1_0, count: 2}]}
node: {model: input_queued, lanes: 2}
traffic: {pattern: {kind: hotspot, nodes: [6, 8, 10], fraction: 1}, offered_load: 0.1, packet_length: 2}
measurement: {warm_up: 100, cycles: 3000}
"""
        self.write("edge.yaml", config)
        (point,) = self.json_of("run", "edge.yaml", "--events", "events.csv", "--out", "edge")["points"]
        self.assertEqual(point["terminals"]["all"], 11)
        with open(self.folder / "edge/terminals.csv", encoding="utf-8", newline="") as file:
            taken = {row["terminal"]: int(row["delivered_flits"]) for row in csv.DictReader(file)}
        self.assertGreater(min(taken[hot] for hot in ("6", "8", "10")), max(taken[cold] for cold in "01234579"))
        with open(self.folder / "events.csv", encoding="utf-8", newline="") as file:
            at = {int(row["destination"]): row["router"] for row in csv.DictReader(file) if row["event"] == "consume"}
        self.assertEqual([at[terminal] for terminal in range(11)],
                         ["router_0_0", "router_1_0", "router_2_0", "router_0_1", "router_1_1", "router_2_1",
                          "router_0_0", "router_0_1", "router_2_1", "router_1_0", "router_1_0"])
        # By name: the second terminal at that router, and the third.
        self.write("p.csv", "cycle,source,destination,flits\n0,router_0_0.terminal_1,router_1_0.terminal_2,1\n"
                            "9,router_1_1,router_2_1.terminal_1,1\n")
        self.noctule("run", "edge.yaml", "--set", "traffic={source: {kind: trace_file, file: p.csv}}", "--events", "named.csv",
                     "--set", "measurement={limit: 100}", "--out", "named")
        with open(self.folder / "named.csv", encoding="utf-8", newline="") as file:
            ends = {(row["source"], row["destination"]) for row in csv.DictReader(file) if row["event"] == "consume"}
        self.assertEqual(ends, {("6", "10"), ("4", "8")})
        self.noctule("verify", "edge.yaml")
        for change, says in (("[{routers: [router_9_9]}]", ["topology.more_terminals[0].routers", "no router is called 'router_9_9'",
                                                            "router_0_0 to router_2_1"]),
                             ("[{count: 2}]", ["topology.more_terminals[0].routers", "is missing; give text, or a list of texts"]),
                             ("[{routers: []}]", ["topology.more_terminals[0].routers", "0 elements are given"]),
                             ("[{routers: router_0_0, count: 0}]", ["topology.more_terminals[0].count", "out of range"])):
            with self.subTest(change):
                self.refused("check", "edge.yaml", "--set", f"topology.more_terminals={change}", says=says)
        self.refused("check", "edge.yaml", "--set", "topology.terminals_at=[router_0_0, router_7_0]",
                     says=["topology.terminals_at", "no router is called 'router_7_0'"])


class Pictures(CommandLineTest):
    def picture(self, name, topology, *more):
        self.write(f"{name}.yaml", f"topology: {topology}\nrouting: up_down\ntraffic: {{offered_load: 0.05}}\n"
                                   "measurement: {warm_up: 100, cycles: 500}\nplots: [link_heat_map]\n" + "".join(more))
        out, _ = self.noctule("check", f"{name}.yaml", "--draw", "--out", name)
        self.assertIn("network.svg", out)
        return xml.parse(self.folder / name / "network.svg").getroot()

    def test_any_network_is_drawn_with_all_of_its_routers(self):
        self.write("net.txt", "routers: [hub, left, right]\nlinks: [[hub, left], {between: [hub, right], flit_delay: 9}]\n")
        for name, topology, routers in (("mesh", "{kind: mesh, radix: [9, 4]}", 36),
                                        ("cube", "{kind: mesh, radix: [3, 3, 2]}", 18),
                                        ("tree", "{kind: butterfly_fat_tree, levels: 3}", 28),
                                        ("graph", "{kind: graph, file: net.txt}", 3)):
            root = self.picture(name, topology)
            rects = root.findall(".//{*}rect[@rx]")
            self.assertEqual(len(rects), routers, name)
            centres = [(float(r.get("x")), float(r.get("y"))) for r in rects]
            side = float(rects[0].get("width"))
            for i, (x, y) in enumerate(centres):
                for u, v in centres[:i]:
                    self.assertTrue(abs(x - u) > side or abs(y - v) > side, f"{name}: two routers on each other")
        texts = [text.text for text in root.findall(".//{*}text")]
        self.assertIn("hub", texts)
        self.assertTrue(any("2 links that differ" in text for text in texts), texts)

    def test_links_of_a_tree_are_mapped_where_its_routers_are(self):
        self.picture("tree", "{kind: butterfly_fat_tree, levels: 2}")
        self.noctule("run", "tree.yaml", "--out", "run")
        with open(self.folder / "run" / "links.csv", encoding="utf-8") as table:
            rows = list(csv.DictReader(table))
        self.assertEqual({row["from_y"] for row in rows}, {"0", "1"})
        self.assertTrue((self.folder / "run" / "plots").is_dir())
        self.assertTrue(list((self.folder / "run" / "plots").glob("links-*")))

    def test_links_in_a_grid_are_mapped_as_one_whatever_the_names(self):
        """What is left of a mesh, a cube in planes, and a graph whose file places its routers in a row and a column."""
        self.write("ell.txt", """\
routers: [{name: hub, position: [0, 0]}, {name: right, position: [1, 0]}, {name: above, position: [0, 1]}]
links: [[hub, right], [hub, above]]
""")
        for name, topology, more, words in (
                ("rest", "{kind: mesh, radix: [4, 3]}", "without: {links: [router_0_0.x_plus, router_1_0.x_minus]}\n",
                 ["each side of a square"]),
                ("planes", "{kind: mesh, radix: [3, 3, 2]}",
                 "without: {links: [router_0_0_0.x_plus, router_1_0_0.x_minus]}\n",
                 ["each side of a square", "z = 0", "z = 1", "z_plus, z_minus"]),
                ("ell", "{kind: graph, file: ell.txt}", "", ["each side of a square"])):
            root = self.picture(name, topology, more)
            captions = {text.text for text in root.findall(".//{*}text")}
            self.assertEqual({"z = 0", "z = 1"} & captions, {"z = 0", "z = 1"} & set(words))
            self.noctule("run", f"{name}.yaml", "--out", name)
            (file,) = (self.folder / name / "plots").glob("links-*.svg")
            drawn = file.read_text(encoding="utf-8")
            for word in words:
                self.assertIn(word, drawn, name)

    def test_a_network_too_large_for_a_picture_is_named(self):
        self.write("large.yaml", "topology: {kind: mesh, radix: [40, 40]}\n")
        _, err = self.noctule("check", "large.yaml", "--draw", code=2)
        self.assertIn("1024", err)


class Datelines(CommandLineTest):
    def test_balanced_classes_carry_more(self):
        """Worms that do not cross the wrap use both classes: 4 VCs of 8 flits on an 8x8 torus."""
        self.write("torus.yaml", """\
topology: {kind: torus, radix: [8, 8]}
node: {model: input_queued, lanes: 2}
routing: {algorithm: dimension_order, vc_rule: dateline_balanced}
traffic: {packet_length: 4, offered_load: 0.7}
measurement: {warm_up: 2000, cycles: 6000}
""")
        accepted = {}
        for rule in ("dateline", "dateline_balanced"):
            self.noctule("run", "torus.yaml", "--set", f"routing.vc_rule={rule}", "--out", rule)
            accepted[rule] = self.results(rule)["points"][0]["accepted"]["flits_per_node_cycle"]["mean"]
        self.assertGreater(accepted["dateline_balanced"], 0.57)
        self.assertLess(accepted["dateline"], 0.52)
        (fabric,) = self.json_of("verify", "torus.yaml")
        self.assertEqual(fabric["verdict"], "proved")


class Trees(CommandLineTest):
    def test_multicasts_go_to_others_where_a_terminal_is_on_both_sides(self):
        self.write("fly.yaml", "topology: {kind: butterfly, arity: 4, stages: 2}\nrouting: destination_tag\n"
                   "multicast: {planner: individual}\nmeasurement: {warm_up: 300, cycles: 2000}\n"
                   "traffic: {offered_load: 0.2, multicast: {fraction: 0.3, least: 2, most: 15}}\n")
        self.noctule("run", "fly.yaml")
        self.refused("check", "fly.yaml", "--set", "traffic.multicast.most=16", says=["there are 15 terminals"])

    def test_relations_say_what_they_need(self):
        for routing, needs in (("nearest_common_ancestor", "needs a tree"), ("destination_tag", "needs a butterfly"),
                               ("oblivious", "needs a torus")):
            _, err = self.noctule("check", "small.yaml", "--set", f"routing.algorithm={routing}", code=2)
            self.assertIn(needs, err)
            self.assertIn("topology.kind", err)
        self.write("tree.yaml", "topology: butterfly_fat_tree\nrouting: dimension_order\n")
        _, err = self.noctule("check", "tree.yaml", code=2)
        self.assertIn("needs a k-ary n-cube", err)

    def test_a_fat_tree_is_proved(self):
        self.write("tree.yaml", "topology: {kind: butterfly_fat_tree, levels: 2}\nrouting: nearest_common_ancestor\n"
                   "traffic: {offered_load: 0.05}\nmeasurement: {warm_up: 100, cycles: 1000}\n")
        (fabric,) = self.json_of("verify", "tree.yaml")
        self.assertEqual(fabric["verdict"], "proved")


if __name__ == "__main__":
    unittest.main()
