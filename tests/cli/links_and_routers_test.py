#!/usr/bin/python3
"""Links and routers that differ from the others, or are taken away: does the network do what the file says of them, and
is what is wrong with an entry named?"""
import csv
import unittest

from cli_support import CommandLineTest


class Links(CommandLineTest):
    LONE = """\
topology: {kind: graph, file: net.txt}
routing: up_down
node: {input_depth: 8, output_depth: 2, consumption_depth: 2}
traffic: {source: {kind: trace_file, file: lone.txt}}
measurement: {limit: 1000}
"""

    def latencies(self, *options):
        """Of a lone packet of one flit each way between the routers at the ends, in cycles."""
        self.write("links.yaml", self.LONE)
        found = []
        for source, destination in ((0, 1), (1, 0)):
            self.write("lone.txt", f"3 {source} {destination} 1\n")
            self.noctule("run", "links.yaml", "--out", "run", *options)
            found.append(self.results("run")["points"][0]["latency_cycles"]["total"]["mean"])
        return found

    def test_graph_files_say_what_their_links_are_like(self):
        self.write("net.txt", "routers: [a, b]\nlinks: [[a, b]]\n")
        alike, back = self.latencies()
        self.assertEqual(alike, back)
        self.write("net.txt", "routers: [a, b]\nlinks: [{from: a, to: b, flit_delay: 7}, {from: b, to: a, "
                              "cycles_per_flit: 4}]\n")
        self.assertEqual(self.latencies(), [alike + 6, alike + 3])
        self.write("net.txt", "router 0 node 0 router 1 9\nrouter 1 node 1\n")
        self.assertEqual(self.latencies(), [alike + 8, alike])
        self.write("net.txt", "# two routers\n#\nrouter 0 node 0 router 1 9\nrouter 1 node 1 router 0 2 # back\n")
        self.assertEqual(self.latencies(), [alike + 8, alike + 1])
        self.assertEqual(self.latencies("--set", "link.flit_delay=3"), [alike + 8, alike + 1])

    def test_the_section_links_has_the_last_word(self):
        self.write("net.txt", "router 0 node 0 router 1 9\nrouter 1 node 1\n")
        alike = self.latencies("--set", "links=[{set: {flit_delay: 1}}]")[0]
        self.LONE += "links:\n- {set: {flit_delay: 1}}\n- {links: [router_1.*], set: {flit_delay: 5}}\n" \
                     "- {links: [router_1.port_0], set: {cycles_per_flit: 3}}\n"
        self.assertEqual(self.latencies(), [alike, alike + 4 + 2])

    def test_a_serialiser_is_busy_and_is_what_is_full(self):
        self.write("dies.yaml", """\
topology: {kind: mesh, radix: [4, 2]}
node: {model: input_queued}
links: [{links: [router_1_*.x_plus, router_2_*.x_minus], set: {cycles_per_flit: 4}}]
traffic: {offered_load: 1.0, packet_length: 4}
measurement: {warm_up: 1000, cycles: 4000}
""")
        self.noctule("run", "dies.yaml", "--out", "run")
        with open(self.folder / "run" / "links.csv", encoding="utf-8") as table:
            busy = {row["from"] + "." + row["port"]: float(row["utilization"]) for row in csv.DictReader(table)}
        self.assertGreater(busy["router_1_0.x_plus"], 0.95)
        self.assertLess(busy["router_0_0.x_plus"], 0.8)
        point = self.results("run")["points"][0]
        self.assertGreater(point["link_utilization"]["max"], 0.95)
        _, err = self.noctule("check", "dies.yaml", "--set", "links=[{links: [nobody.*], set: {flit_delay: 2}}]", code=2)
        self.assertIn("no link is called 'nobody.*'", err)
        _, err = self.noctule("check", "dies.yaml", "--set", "links=[{set: {credit_delay: 0}}]", code=2)
        self.assertIn("fixed_slot", err)

    def test_links_have_lanes_wires_and_sharing_of_their_own(self):
        self.write("wide.yaml", """\
topology: {kind: mesh, radix: [4, 2]}
node: {model: input_queued, lanes: 2}
links:
- {links: [router_1_*.x_plus], set: {lanes: 6, parallel_links: 2}}
- {links: [router_2_0.x_minus], set: {lanes: 1}}
traffic: {offered_load: 0.1, packet_length: 4}
measurement: {warm_up: 500, cycles: 3000}
""")
        out, _ = self.noctule("check", "wide.yaml")
        self.assertIn("1 to 6 lanes", out)
        self.noctule("run", "wide.yaml", "--out", "run")
        with open(self.folder / "run" / "links.csv", encoding="utf-8") as table:
            rows = [row["from"] + "." + row["port"] for row in csv.DictReader(table)]
        self.assertEqual(rows.count("router_1_0.x_plus"), 2)
        self.assertEqual(rows.count("router_1_0.x_minus"), 1)
        (fabric,) = self.json_of("verify", "wide.yaml")
        self.assertEqual(fabric["verdict"], "proved")
        for entry, word in (("{parallel_links: 3}", "lanes of these links"), ("{sharing: fixed_slot}", "sharing: demand"),
                            ("{lanes: 0}", "out of range"), ("{sharing: often}", "often")):
            _, err = self.noctule("check", "wide.yaml", "--set", f"links=[{{set: {entry}}}]", code=2)
            self.assertIn(word, err)

    def test_multicasts_need_links_that_are_shared_on_demand(self):
        self.write("copies.yaml", """\
topology: {kind: mesh, radix: [4, 4]}
node: {output_depth: 0, input_depth: 2, consumption_channels: 4}
traffic: {multicast: {fraction: 0.3, most: 4}, offered_load: 0.02, packet_length: 5}
measurement: {warm_up: 500, cycles: 3000}
""")
        for planner in ("dual_path", "individual"):
            options = ("--set", f"multicast={planner}", "--set", "links=[{links: [router_1_*.x_plus], set: {sharing: %s}}]")
            self.noctule("check", "copies.yaml", *options[:3], options[3] % "demand")
            _, err = self.noctule("check", "copies.yaml", *options[:3], options[3] % "fixed_slot", code=2)
            self.assertIn("link router_1_0.x_plus: multicasts need links that are shared on demand", err)

    def test_immediate_credits_may_not_go_round_in_a_circle(self):
        self.write("tree.yaml", """\
topology: {kind: butterfly_fat_tree, levels: 3}
routing: nearest_common_ancestor
node: {input_depth: 1, output_depth: 0, traversal_delay: 0}
links: [{links: ["*.parent_*"], set: {credit_delay: 0}}]
traffic: {offered_load: 0.1, packet_length: 4}
measurement: {warm_up: 500, cycles: 3000}
""")
        self.noctule("run", "tree.yaml", "--out", "run")
        fast = self.results("run")["points"][0]
        self.noctule("run", "tree.yaml", "--out", "slow", "--set", "links=[]")
        slow = self.results("slow")["points"][0]
        self.assertLess(fast["latency_cycles"]["total"]["mean"], slow["latency_cycles"]["total"]["mean"])
        _, err = self.noctule("check", "tree.yaml", "--set", "link.credit_delay=0", code=2)
        self.assertIn("switch_1_0, switch_2_", err)

    def test_a_network_without_links_has_none_to_name(self):
        self.write("net.txt", "routers: [a]\nterminals: [{router: a, count: 2}]\nlinks: []\n")
        self.write("links.yaml", "topology: {kind: graph, file: net.txt}\nrouting: up_down\n")
        self.noctule("check", "links.yaml")
        _, err = self.noctule("check", "links.yaml", "--set", "links=[{links: [a.*], set: {flit_delay: 2}}]", code=2)
        self.assertIn("no link is called 'a.*'; there are none in this network: leave the entry out", err)


class Nodes(CommandLineTest):
    CONFIG = """\
topology: {kind: mesh, radix: [4, 4]}
node: {model: input_queued, lanes: 2, input_depth: 4}
traffic: {offered_load: 0.1, packet_length: 4}
measurement: {warm_up: 500, cycles: 3000}
nodes:
- {routers: [router_1_*], set: {lanes: 4, input_depth: 16}}
- {routers: [router_1_1, router_2_*], set: {input_depth: 8}}
- {routers: [router_3_3], set: {model: generic, output_depth: 2}}
"""

    def test_routers_differ_key_by_key(self):
        self.write("nodes.yaml", self.CONFIG)
        out, _ = self.noctule("check", "nodes.yaml")
        self.assertIn("input buffers have 1 to 16 places", out)
        self.assertIn("1 to 4 lanes", out)
        self.noctule("run", "nodes.yaml", "--out", "run", "--set", "trace.vcd=true", "--set", "trace.cycles=200")
        result = self.results("run")
        self.assertEqual(result["points"][0]["status"], "stable")
        with open(self.folder / "run" / "links.csv", encoding="utf-8") as table:
            self.assertEqual(len(list(csv.DictReader(table))), 48)
        self.noctule("run", "run/config.json", "--out", "again")
        self.assertEqual(self.results("again")["points"][0]["digest"], result["points"][0]["digest"])
        (fabric,) = self.json_of("verify", "nodes.yaml")
        self.assertEqual(fabric["verdict"], "proved")

    def test_what_links_need_is_asked_of_the_routers_as_they_are(self):
        self.write("slots.yaml", "topology: {kind: mesh, radix: [3, 3]}\nlink: {credit_delay: 0}\n")
        _, err = self.noctule("check", "slots.yaml", code=2)
        self.assertIn("fixed_slot", err)
        self.noctule("check", "slots.yaml", "--set", "nodes=[{set: {model: fixed_slot}}]")

    def test_what_is_wrong_is_said_with_its_entry(self):
        def fault(entry, *words):
            self.write("nodes.yaml", self.CONFIG + entry)
            _, err = self.noctule("check", "nodes.yaml", code=2)
            for word in words:
                self.assertIn(word, err)
        fault("- {routers: [nobody], set: {lanes: 1}}\n", "no router is called 'nobody'")
        fault("- {routers: [router_0_0], set: {input_dept: 1}}\n", "nodes.yaml:9", "did you mean 'input_depth'?")
        fault("- {routers: [router_0_0], set: {input_depth: 0}}\n", "nodes.yaml:9", "out of range")
        fault("- {routers: [router_0_0], set: {model: systolic}}\n", "nodes.yaml:9", "systolic")
        fault("- {routers: [router_0_0], set: {speculative: true, vc_allocation_delay: 0}}\n", "nodes[3].set")
        fault("- {routers: [router_0_0]}\n", "nodes[3]", "rtl: {}")
        fault("- {routers: [router_0_0], set: {consumption_channels: 3}}\nmulticast: {planner: individual}\n",
              "router_0_0 has a node.consumption_channels", "it is the same at all routers")

    def test_multicasts_pass_routers_that_differ(self):
        self.write("path.yaml", """\
topology: {kind: mesh, radix: [4, 4]}
multicast: {planner: column_path}
node: {output_depth: 0, consumption_channels: 2, lanes: 2, input_depth: 4}
nodes: [{routers: [router_1_*], set: {lanes: 1, input_depth: 9, routing_delay: 2}}]
links: [{links: ["router_2_*"], set: {flit_delay: 3, cycles_per_flit: 2}}]
traffic: {offered_load: 0.01, packet_length: 8, multicast: {fraction: 0.5, least: 2, most: 9}}
measurement: {warm_up: 500, cycles: 3000}
""")
        self.noctule("verify", "path.yaml")
        self.noctule("run", "path.yaml", "--out", "run")
        self.assertEqual(self.results("run")["points"][0]["status"], "stable")


class Missing(CommandLineTest):
    def test_links_and_routers_are_taken_away(self):
        self.write("rest.yaml", """\
topology: {kind: torus, radix: [5, 5]}
without: {links: [router_0_0.x_plus, router_1_0.x_minus], routers: [router_3_3], random_links: {count: 5, seed: 7}}
routing: up_down
traffic: {packet_length: 3, offered_load: 0.02}
measurement: {warm_up: 200, cycles: 2000}
""")
        (fabric,) = self.json_of("verify", "rest.yaml")
        self.assertEqual((fabric["verdict"], fabric["routers"]), ("proved", 24))
        self.noctule("run", "rest.yaml", "--out", "run")
        self.assertEqual(self.results("run")["points"][0]["status"], "stable")
        self.noctule("run", "run/config.json", "--out", "again")
        self.assertEqual(self.results("run")["points"][0]["digest"], self.results("again")["points"][0]["digest"])

    def test_detours_replace_what_a_turn_model_lost(self):
        """West-first on a mesh without a link: some worms have no shortest path left that it allows."""
        self.write("rest.yaml", """\
topology: {kind: mesh, radix: [8, 8]}
without: {links: [router_3_3.y_plus, router_3_4.y_minus]}
routing: {algorithm: turn_table, forbid: [y_* -> x_minus], detour: 2}
traffic: {packet_length: 3, offered_load: 0.02}
measurement: {warm_up: 200, cycles: 2000}
""")
        (fabric,) = self.json_of("verify", "rest.yaml")
        self.assertEqual((fabric["verdict"], fabric["method"], fabric["minimal"]), ("proved", "acyclic", False))
        self.noctule("run", "rest.yaml", "--out", "run")
        self.assertEqual(self.results("run")["points"][0]["status"], "stable")
        _, err = self.noctule("check", "rest.yaml", "--set", "routing.detour=0", code=2)
        self.assertIn("have no shortest path without a forbidden turn", err)
        _, err = self.noctule("check", "rest.yaml", "--set", "routing.detour=1", code=2)
        self.assertIn("have no path of at most distance + 1 hops without a forbidden turn", err)
        for wrong in ("-1", "256", "1.5"):
            _, err = self.noctule("check", "rest.yaml", "--set", f"routing.detour={wrong}", code=2)
            self.assertIn("routing.detour", err)

    def test_a_deadlock_on_what_is_left_is_replayed(self):
        self.write("rest.yaml", """\
topology: {kind: torus, radix: [4, 4]}
without: {routers: [router_1_1]}
routing: turn_table
traffic: {packet_length: 3, offered_load: 0.02}
measurement: {warm_up: 200, cycles: 2000}
""")
        (fabric,) = self.json_of("verify", "rest.yaml", code=1)
        self.assertEqual(fabric["verdict"], "deadlock_possible")
        self.noctule("run", fabric["files"]["configuration"], "--out", "again")
        self.assertEqual(self.results("again")["points"][0]["status"], "deadlocked")

    def test_what_cannot_be_served_any_more_is_said(self):
        def fault(setting, *words):
            _, err = self.noctule("check", "small.yaml", *[w for s in setting for w in ("--set", s)], code=2)
            for word in words:
                self.assertIn(word, err)
        fault(["without.links=[router_0_0.*]"], "without", "terminal 0 at router_0_0")
        fault(["without.links=[router_9_9.*]"], "without.links", "router_9_9")
        fault(["without.links=[router_0_0.x_plus]"], "from router_0_0 to ", "no candidate at router_0_0")
        fault(["without.random_links.count=5", "routing.algorithm=up_down"], "without.random_links.count", "4 links")


if __name__ == "__main__":
    unittest.main()
