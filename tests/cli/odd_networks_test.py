#!/usr/bin/python3
"""Networks at the edge of what is one: without links, with all terminals in one place, with ways that go round, or with
parts taken away. Are they treated as what they are, and is what cannot be served said?"""
import unittest

from cli_support import CommandLineTest

TRAFFIC = "traffic: {pattern: uniform, offered_load: 0.1, packet_length: 3}\nmeasurement: {warm_up: 200, cycles: 2000}\n"
GRAPH = "topology: {kind: graph, file: net.txt}\nnode: {model: input_queued}\n"
WITHOUT_LINKS = {
    "leaf": "topology: {kind: butterfly_fat_tree, levels: 1}\nrouting: nearest_common_ancestor\n",
    "stage": "topology: {kind: butterfly, stages: 1, arity: 2}\nrouting: destination_tag\n",
    "lone": "topology: {kind: graph, file: net.txt}\nrouting: up_down\n",
    "rest": "topology: {kind: mesh, radix: [2], terminals_per_router: 2}\nwithout: {routers: [router_1]}\n"
            "routing: up_down\n",
}
LONE = "routers: [only]\nterminals: [{router: only, count: 4}]\nlinks: []\n"
# Worms that go round a ring and come by again.
ROUND = """\
routers: [a, b, c, d]
links: [{from: a, to: b}, {from: b, to: c}, {from: c, to: a}, {between: [c, d]}]
"""
ONE_WAY_RING = """\
routers: [a, b, c, d]
links: [{from: a, to: b}, {from: b, to: c}, {from: c, to: d}, {from: d, to: a}]
"""
RING = "routers: [a, b, c, d]\nlinks: [[a, b], [b, c], [c, d], [d, a]]\n"
# What is for c goes to and fro between a and b.
FOR_C_NEVER = """\
b * port_0
a b port_0
a c port_0
a d port_1
c * port_0
c d port_1
d * port_0
d a port_1
"""


class OddNetworks(CommandLineTest):
    def fabric(self, text):
        self.write("f.yaml", text)
        (fabric,) = self.json_of("explain", "f.yaml")["fabrics"]
        return fabric

    def capacity(self, text):
        return self.fabric(text + TRAFFIC)["bisection"]["uniform_flits_per_node_cycle"]

    def fault(self, *words):
        return self.refused("check", "f.yaml", says=words)

    def test_without_links_every_command_goes_on(self):
        self.write("net.txt", LONE)
        for name, text in WITHOUT_LINKS.items():
            with self.subTest(name):
                self.write("f.yaml", text + "node: {model: input_queued}\n" + TRAFFIC)
                for command in (("verify",), ("explain",), ("explain", "--prove"), ("check",), ("run", "--out", name)):
                    out, _ = self.noctule(command[0], "f.yaml", *command[1:])
                    if command == ("verify",):
                        self.assertIn("no packet takes a link", out)
                (fabric,) = self.json_of("verify", "f.yaml")
                self.assertEqual(fabric["load"]["link_load"]["max"], 0)
                self.assertNotIn("busiest", fabric["load"]["link_load"])
                (point,) = self.results(name)["points"]
                self.assertEqual(point["status"], "stable")

    def test_capacity_counts_who_sends_across(self):
        graph = GRAPH + "routing: up_down\n"
        for text, capacity in (
                (LONE, 1),
                ("routers: [a, b, c]\nterminals: [{router: a, count: 4}]\nlinks: [[a, b], [b, c]]\n", 1),
                # Half of the flits of 4 terminals cross each link: 4 / 2 * load = 1.
                ("routers: [a, b]\nterminals: [{router: a, count: 4}, {router: b, count: 4}]\nlinks: [[a, b]]\n", 0.5),
                # 1 of 4 at one side: 3/4 of its flits go out, as many come in: 3/4 * load = 1.
                ("routers: [a, b]\nterminals: [a, {router: b, count: 3}]\nlinks: [[a, b]]\n", 4 / 3)):
            self.write("net.txt", text)
            with self.subTest(text=text):
                self.assertAlmostEqual(self.capacity(graph), capacity)
        # As a kind and as a file.
        self.write("net.txt", "routers: 8\nlinks: [" + ", ".join(f"[router_{i}, router_{(i + 1) % 8}]" for i in range(8))
                   + "]\n")
        self.assertAlmostEqual(self.capacity(graph), 1)
        self.assertAlmostEqual(self.capacity("topology: {kind: ring, nodes: 8}\nrouting: dimension_order\n"), 1)
        # One way from two terminals to their ends: all flits take the one link.
        self.write("net.txt", "routers: [a, b]\nlinks: [{from: a, to: b}]\n"
                   "terminals: [{injection: a, consumption: b}, {injection: a, consumption: b}]\n")
        self.write("t", "a b port_0\n")
        self.assertAlmostEqual(self.capacity(GRAPH + "routing: {algorithm: table, file: t}\n"), 0.5)

    def test_capacity_of_slow_links_knows_directions(self):
        slow = "links: [{links: [%s], set: {cycles_per_flit: 2}}]\nrouting: dimension_order\nnode: {model: input_queued}\n"
        ring = "topology: {kind: ring, nodes: 16, directions: plus}\n"
        mesh = "topology: {kind: mesh, radix: [8, 8]}\n"
        # Of each terminal's flits 7.5/16 pass by any one link.
        self.assertAlmostEqual(self.capacity(ring + slow % "router_3.x_plus"), 0.5 / 7.5)
        for links in ("'router_3_*.x_plus'", "'router_3_*.x_plus', 'router_4_*.x_minus'"):
            self.assertAlmostEqual(self.capacity(mesh + slow % links), 0.25)

    def test_worms_that_come_by_again_are_left_out_of_the_comparison(self):
        self.write("net.txt", ROUND)
        self.write("f.yaml", "topology: {kind: graph, file: net.txt}\n"
                   "routing: {algorithm: turn_table, classes: 2, detour: 3}\nnode: {lanes: 2}\n"
                   "traffic: {packet_length: 8}\nallow_deadlock: true\n")
        (fabric,) = self.json_of("explain", "f.yaml", "--prove")["fabrics"]
        worms = fabric["proof"]["lone_worms"]
        self.assertEqual(worms["differences"], 0)
        self.assertGreater(worms["left_out"], 0)
        self.assertLess(worms["left_out"], worms["worms"] / 2)
        out, _ = self.noctule("explain", "f.yaml")
        self.assertIn("crosses no link twice", out)

    def test_a_deadlock_before_anything_is_measured_is_no_error(self):
        self.write("net.txt", ONE_WAY_RING)
        self.write("f.yaml", "topology: {kind: graph, file: net.txt}\nrouting: turn_table\n"
                   "measurement: {warm_up: 100, cycles: 1500, deadlock_interval: 400}\n")
        out, err = self.noctule("explain", "f.yaml", "--prove")
        self.assertIn("nothing measured, deadlocked", out)
        self.assertNotIn("internal", err)
        self.write("f.yaml", (self.folder / "f.yaml").read_text() + "allow_deadlock: true\n")
        out, _ = self.noctule("explain", "f.yaml", "--try")
        self.assertIn("as it is: deadlocked, nothing measured", out)

    def test_a_table_that_leads_round_is_refused(self):
        self.write("net.txt", RING)
        self.write("t", FOR_C_NEVER)
        self.write("f.yaml", GRAPH.replace("node: {model: input_queued}", "node: {input_depth: 64, lanes: 4}")
                   + "routing: {algorithm: table, file: t}\nallow_deadlock: true\n" + TRAFFIC)
        self.fault("t:1", "a worm at b never comes to c", "b -> a -> b")
        # Where one of several outputs leads on, it comes there.
        self.write("t", FOR_C_NEVER.replace("a c port_0", "a c port_0 port_1"))
        self.noctule("check", "f.yaml")

    def test_what_a_relation_misses_is_the_hop(self):
        mesh = "topology: {kind: mesh, radix: [4, 4]}\nrouting: %s\nwithout: {%s}\n" + TRAFFIC
        self.write("f.yaml", mesh % ("dimension_order", "links: [router_0_0.x_plus]"))
        self.fault("a packet from router_0_0 to router_", "no candidate at router_0_0, where it takes "
                     "router_0_0.x_plus", "up_down")
        self.write("f.yaml", mesh % ("dimension_order", "routers: ['router_3_*']"))
        self.fault("the regular shape", "without", "up_down")
        self.write("f.yaml", mesh % ("up_down", "links: [router_0_0.x_plus, router_1_0.x_minus]"))
        self.noctule("check", "f.yaml")
        # Not for what is left: it is not for the whole either.
        self.write("f.yaml", mesh % ("nearest_common_ancestor", "links: [router_0_0.x_plus, router_1_0.x_minus]"))
        self.assertNotIn("without", self.fault("nearest_common_ancestor needs"))

    def test_other_terminals_are_no_matter_of_cycles(self):
        self.write("f.yaml", "topology: {kind: mesh, radix: [3, 3]}\nrouting: up_down\n" + TRAFFIC +
                   "compare:\n- {label: one, set: {}}\n- {label: two, set: {topology.terminals_per_router: 2}}\n")
        out, _ = self.noctule("compare", "f.yaml", "--out", "c")
        self.assertIn("not the same packets", out)
        self.assertNotIn("Pairs need", out)


class OddFiles(CommandLineTest):
    def fault(self, graph, *words):
        self.write("net.txt", graph)
        self.write("f.yaml", GRAPH + "routing: up_down\n")
        self.refused("check", "f.yaml", says=words)

    def test_names_of_parts_of_a_fabric_are_taken(self):
        for name in ("injection", "consumption", "clk_i", "rst_ni", "tick"):
            self.fault(f"routers: [{name}, b]\nlinks: [[{name}, b]]\n", "net.txt:1", name, "give it another one")

    def test_an_empty_file_is_named(self):
        for text in ("", "# nothing\n"):
            self.fault(text, "net.txt", "is not a map")

    def test_a_link_has_one_latency(self):
        self.fault("router 0 node 0 router 1 5\nrouter 0 router 1 7\nrouter 1 node 1\n", "net.txt:2", "latency 7",
                     "latency 5 at", "net.txt:1")
        self.write("net.txt", "router 0 node 0 router 1 5\nrouter 0 router 1 5\nrouter 1 node 1 router 0 7\n")
        self.noctule("check", "f.yaml")

    def test_lines_end_with_a_line_feed(self):
        self.fault("router 0 node 0 router 1\rrouter 1 node 1\r", "net.txt:1", "carriage return")
        self.write("net.txt", "router 0 node 0 router 1\r\nrouter 1 node 1\r\n")
        self.noctule("check", "f.yaml")

    def test_links_that_nothing_is_said_of(self):
        self.write("f.yaml", "topology: {kind: mesh, radix: [3, 3]}\nlinks: [{links: ['*']}]\n")
        self.refused("check", "f.yaml", says=("links[0]", "says nothing of its links"))


if __name__ == "__main__":
    unittest.main()
