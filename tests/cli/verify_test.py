#!/usr/bin/python3
"""noctule verify, and the gate before every run."""
import json
import resource
import unittest
import xml.etree.ElementTree as xml

from cli_support import LOCKS, CommandLineTest

RING = """\
topology: {kind: torus, radix: [6, 4]}
routing: {algorithm: turn_table}
traffic: {offered_load: 0.1}
measurement: {warm_up: 100, cycles: 1000}
"""
FIELDS = ["label", "verdict", "method", "channels", "dependencies", "virtual_channels_used", "fully_adaptive",
          "minimal", "longest_path", "witness"]


class Verify(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("ring.yaml", RING)
        self.write("locks.yaml", LOCKS)

    def test_a_proof(self):
        (fabric,) = self.json_of("verify", "small.yaml")
        self.assertTrue(all(field in fabric for field in FIELDS), fabric)
        self.assertEqual((fabric["verdict"], fabric["method"]), ("proved", "acyclic"))
        self.assertEqual(fabric["witness"], [])
        out, err = self.noctule("verify", "small.yaml")
        self.assertEqual(err, "")
        self.assertRegex(out, "^generic: proved free of deadlock")
        certificate = json.loads((self.folder / "out/small/certificate-generic.json").read_text())
        number = certificate["numbering"]["number"]
        self.assertLess(number["router_0_0.x_plus.class0"], number["router_1_0.x_plus.class0"])

    def test_latency_is_bounded_where_bursts_are_stated(self):
        self.write("flows.txt", "0,1,2 3 0.05 length=8 burst=2\n")
        self.write("flows.yaml", "topology: {kind: mesh, radix: [4]}\n"
                   "traffic: {source: {kind: flows, file: flows.txt}}\n"
                   "measurement: {warm_up: 0, cycles: 4000}\n")
        (fabric,) = self.json_of("verify", "flows.yaml")
        flows = fabric["latency_bounds"]["flows"]
        self.assertEqual([(f["source"], f["period_cycles"], f["burst_packets"]) for f in flows],
                         [(0, 160, 2), (1, 160, 2), (2, 160, 2)])
        (bound,) = {f["bound_cycles"] for f in flows}
        self.noctule("run", "flows.yaml", "--out", "out")
        worst = self.results("out")["points"][0]["latency_cycles"]["total"]["max"]
        self.assertLessEqual(worst, bound)
        self.assertLessEqual(bound, 3 * worst)
        out, _ = self.noctule("verify", "flows.yaml", "--set", "traffic.source.scale=8")
        self.assertIn("no bound: load above capacity", out)
        out, _ = self.noctule("verify", "flows.yaml", "--set", "traffic.stall=0.1")
        self.assertIn("no bound: terminals refuse flits", out)

    def test_a_deadlock_is_shown_and_happens(self):
        (fabric,) = self.json_of("verify", "ring.yaml", code=1)
        self.assertEqual(fabric["verdict"], "deadlock_possible")
        arcs = fabric["witness"]
        self.assertEqual(len(arcs), 4)
        for arc, following in zip(arcs, arcs[1:] + arcs[:1]):
            self.assertEqual(arc["to"], following["from"])
            self.assertEqual(arc["path"][-2:], [arc["from"], arc["to"]])
        self.assertTrue(fabric["simulation"]["deadlocked"])
        xml.parse(self.folder / fabric["files"]["drawing"])
        # The configuration that was written does the same for whoever runs it.
        # It finds its worms wherever it is run from, and so does its echo.
        self.noctule("run", fabric["files"]["configuration"], "--out", "again")
        self.noctule("run", "again/config.json", "--out", "once_more")
        self.assertEqual(self.results("once_more")["points"][0]["status"], "deadlocked")
        self.assertEqual(self.results("again")["points"][0]["status"], "deadlocked")
        text, _ = self.noctule("verify", "ring.yaml", code=1)
        self.assertIn("deadlocks, found at cycle", text)
        self.assertEqual(len(fabric["simulation"]["deadlock"]["circle"]), len(fabric["worms"]))

    def test_no_worms_are_shown_that_do_not_deadlock(self):
        """The worms that were constructed here do not: another workload does, or the verdict is unknown."""
        self.write("escape.yaml", """\
topology: {kind: torus, radix: [3, 3]}
node: {release: next_buffer_empty}
routing: {algorithm: turn_table, classes: 2, forbid: ['injection -> x_minus.1'], escape: ['*.0']}
traffic: {offered_load: 0.1}
""")
        (fabric,) = self.json_of("verify", "escape.yaml", code=1)
        text, _ = self.noctule("verify", "escape.yaml", code=1)
        if fabric["verdict"] == "unknown":
            self.assertTrue(fabric["missing"])
            self.assertNotIn("worms that deadlock", text)
        else:
            self.assertTrue(fabric["simulation"]["deadlocked"])
        if "the worms of the witness" not in text:
            self.assertEqual(fabric["worms"], [])
        self.assertNotIn("does not deadlock", text)

    def test_multicasts_that_cannot_block_each_other_are_not_said_to_deadlock(self):
        """The graph has a cycle, but no header waits for a channel that a blocked worm holds."""
        rules = ", ".join(f"{{class: {c}, incoming: {port}}}"
                          for c, port in enumerate(("x_plus", "x_minus", "y_plus", "y_minus")))
        self.write("e_mcast.yaml", f"""\
topology: {{kind: mesh, radix: [4, 4]}}
node: {{output_depth: 0, consumption_channels: 4, acquisition: output_first, consumption_access: own,
       consumption_classes: [{rules}, {{class: 0}}]}}
multicast: {{planner: e_mcast}}
traffic: {{offered_load: 0.1}}
limits: {{verify_router_cycles: 2000000}}
""")
        (fabric,) = self.json_of("verify", "e_mcast.yaml", code=1)
        self.assertEqual(fabric["verdict"], "unknown", fabric["reason"])
        self.assertIn("did not deadlock", fabric["reason"])
        self.assertTrue(fabric["missing"])

    def test_a_choice_of_consumption_channels_is_searched_by_simulation(self):
        self.write("shared.yaml", """\
topology: {kind: mesh, radix: [8, 8]}
node: {output_depth: 0, consumption_channels: 2, consumption_classes: [{class: 0}]}
multicast: {planner: dual_path}
traffic: {offered_load: 0.1}
""")
        (fabric,) = self.json_of("verify", "shared.yaml", code=1)
        self.assertEqual(fabric["verdict"], "deadlock_possible", fabric["reason"])
        self.noctule("run", fabric["files"]["configuration"], "--out", "again")
        self.assertEqual(self.results("again")["points"][0]["status"], "deadlocked")

    def test_a_search_that_ended_names_no_limit(self):
        (fabric,) = self.json_of("verify", "locks.yaml", "--set", "node.release=tail_left", "--set",
                                 "node.input_depth=1", code=1)
        if fabric["verdict"] == "unknown" and "verify_worms" not in fabric["reason"]:
            self.assertNotEqual(fabric.get("limit"), "limits.verify_worms")
        text, _ = self.noctule("verify", "locks.yaml", "--set", "node.release=tail_left", "--set",
                               "node.input_depth=1", code=1)
        self.assertNotIn("limits.verify_worms reached", text)

    def test_a_relation_whose_rule_the_node_breaks(self):
        (fabric,) = self.json_of("verify", "locks.yaml", code=1)
        self.assertIn("node.release: next_buffer_empty", fabric["reason"])
        self.assertTrue(fabric["simulation"]["deadlocked"])
        (fabric,) = self.json_of("verify", "locks.yaml", "--set", "node.release=next_buffer_empty")
        self.assertEqual((fabric["verdict"], fabric["method"]), ("proved", "escape_network"))
        self.assertTrue(all(condition["holds"] for condition in fabric["conditions"]))

    def test_what_a_proof_takes_for_granted_is_said(self):
        (fabric,) = self.json_of("verify", "small.yaml")
        self.assertNotIn("assumptions", fabric)
        source = "traffic.source={kind: request_reply, outstanding: 2}"
        text, _ = self.noctule("verify", "small.yaml", "--set", source)
        self.assertRegex(text, "assumed +terminals take every packet.*depends")
        self.assertIn("assumed: terminals take every packet", self.noctule("check", "small.yaml", "--set", source)[0])
        said = ["--set", source, "--set", "message_classes={request: {buffer: unlimited}, response: {}}", "--set",
                "depends={request: [response]}"]
        self.assertNotIn("assumptions", self.json_of("verify", "small.yaml", *said)[0])
        self.write("mine.sv", "module mine; endmodule\n")
        rtl = "nodes=[{routers: [router_1_*], rtl: {top: mine, files: [mine.sv]}}]"
        hardware = "node={model: input_queued, routing_delay: 0, switch_allocation_delay: 0}"
        (assumption,) = self.json_of("verify", "small.yaml", "--set", hardware, "--set", rtl)[0]["assumptions"]
        self.assertIn("router_1_0 and 2 more in RTL do what the node model does", assumption)
        self.assertIn("not looked at; noctule cosim", assumption)

    def test_other_traffic_on_a_fabric_is_told(self):
        said = "other loads  of {} more kind(s) of traffic"
        for axes, others in ((["traffic.pattern=uniform,transpose,tornado"], 2), (["traffic.offered_load=0.1,0.2"], 0),
                             (["traffic.pattern=uniform,tornado", "traffic.offered_load=0.1,0.2"], 1)):
            out, _ = self.noctule("verify", "small.yaml", *(word for axis in axes for word in ("--axis", axis)))
            self.assertEqual(out.count("other loads"), min(others, 1), out)
            self.assertEqual(said.format(others) in out, others > 0, out)

    def test_one_object_per_distinct_fabric(self):
        fabrics = self.json_of("verify", "small.yaml", "--axis", "topology.radix=[3,3],[4,4]", "--axis", "seed=1,2")
        self.assertEqual(len(fabrics), 2)
        self.assertEqual(len({fabric["label"] for fabric in fabrics}), 2)
        self.assertEqual(len({fabric["files"]["certificate"] for fabric in fabrics}), 2)

    def test_a_bound_says_what_it_promises(self):
        (fabric,) = self.json_of("verify", "small.yaml")
        load = fabric["load"]
        self.assertEqual(load["throughput_bound_flits_per_node_cycle"], min(b["flits_per_node_cycle"] for b in load["bounds"]))
        self.assertNotIn("estimate_if_headers_divide_evenly_flits_per_node_cycle", load)
        out, _ = self.noctule("verify", "small.yaml")
        self.assertIn("can be served in full to every flow", out)
        self.assertIn("the mean may still rise above it", out)
        out, _ = self.noctule("check", "small.yaml")
        self.assertIn("can be served in full to every flow", out)

    def test_an_adaptive_relation_has_an_estimate(self):
        (fabric,) = self.json_of("verify", "small.yaml", "--set", "routing.algorithm=turn_table", "--set",
                                 "node.lanes=2", "--set", "allow_deadlock=true", code=1)
        load = fabric["load"]
        self.assertNotIn("links", [bound["by"] for bound in load["bounds"]])
        self.assertIn("estimate_if_headers_divide_evenly_flits_per_node_cycle", load)

    def test_multicasts_have_no_bound_of_unicasts(self):
        several = ["--set", "multicast.planner=column_path", "--set", "node.output_depth=0", "--set",
                   "node.consumption_channels=4", "--set", "traffic.multicast={fraction: 1, least: 4, most: 4}"]
        (fabric,) = self.json_of("verify", "small.yaml", *several)
        load = fabric["load"]
        self.assertNotIn("links", [bound["by"] for bound in load["bounds"]])
        self.assertIn("estimate_from_sampled_messages_flits_per_node_cycle", load)

    def test_a_limit_that_is_reached_is_named(self):
        # Free of deadlock, which takes more header states to see.
        limited = ["--set", "routing={algorithm: turn_table, forbid: ['y_* -> x_*']}",
                   "--set", "limits.verify_states=10", "--set", "limits.verify_router_cycles=100000"]
        (fabric,) = self.json_of("verify", "small.yaml", *limited, code=1)
        self.assertEqual((fabric["verdict"], fabric["limit"]), ("unknown", "limits.verify_states"))
        self.assertIn("did not deadlock (limits.verify_router_cycles = 100000 ended the search)", fabric["reason"])
        self.refused("run", "small.yaml", *limited,
                     says=["unknown", "raise limits.verify_states", "allow_deadlock: true"])
        # Where worms do deadlock, a simulation shows it all the same.
        (fabric,) = self.json_of("verify", "small.yaml", "--set", "routing.algorithm=turn_table", "--set",
                                 "limits.verify_states=10", code=1)
        self.assertEqual((fabric["verdict"], fabric.get("limit")), ("deadlock_possible", None))
        # What a survey that was cut off has not seen is not told.
        out, _ = self.noctule("verify", "small.yaml", "--set", "routing.algorithm=turn_table", "--set",
                              "limits.verify_states=10", code=1)
        self.assertNotIn("longest path", out)
        for key in "longest_path", "fully_adaptive", "virtual_channels_used", "false_claims":
            self.assertNotIn(key, fabric)

    def test_bad_input(self):
        self.refused("verify", "nothing.yaml", says=["nothing.yaml"])
        self.refused("verify", "small.yaml", "--set", "routing.algorithm=xy", says=["routing.algorithm"])
        self.refused("verify", "small.yaml", "--out", "small.yaml/x", says=["--out"])
        self.refused("verify", "small.yaml", "--set", "node.crossbar_per=[direction]", says=["node.crossbars", "crossbar"])


class Scale(CommandLineTest):
    """A network of thousands of routers is verified in seconds, by one process on one core."""

    def verified(self, *settings):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        (fabric,) = self.json_of("verify", "small.yaml", *(word for s in settings for word in ("--set", s)))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(fabric["verdict"], "proved")
        self.assertLess(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 60, "seconds")
        self.assertLess(after.ru_maxrss, 2 << 20, "KB")
        return fabric

    def test_star_channels(self):
        fabric = self.verified("node.model=star_channels", "topology.kind=torus", "topology.radix=[31,31]")
        self.assertEqual(fabric["method"], "escape_network")
        self.assertEqual(fabric["escape"]["channels_in_cycles"], 0)

    def test_three_dimensions(self):
        fabric = self.verified("topology.kind=torus", "topology.radix=[16,16,16]")
        self.assertEqual(fabric["longest_path"], 24)

    def test_65536_routers(self):
        fabric = self.verified("topology.kind=torus", "topology.radix=[256,256]")
        self.assertEqual(fabric["routers"], 65536)


class Gate(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("ring.yaml", RING)

    def test_what_is_not_proved_does_not_run(self):
        for command in ("run", "check"):
            self.refused(command, "ring.yaml", says=["ring.yaml:2:", "routing.algorithm", "can deadlock",
                                                     r"(?s)A cycle: router_\d_\d\.\w+\.0 -> router", "allow_deadlock: true"])
        self.assertFalse((self.folder / "out/ring").exists())
        self.refused("sweep", "ring.yaml", "--axis", "traffic.offered_load=0.1,0.2", says=["can deadlock"])

    def test_where_only_a_simulation_shows_the_deadlock_no_cycle_is_told(self):
        self.write("short.yaml", """\
topology: {kind: mesh, radix: [4, 4]}
routing: turn_table
limits: {verify_states: 300}
measurement: {warm_up: 100, cycles: 1000}
""")
        for command in ("run", "check"):
            said = self.refused(command, "short.yaml", says=["can deadlock, as a simulation of it does",
                                                             "limits.verify_states", "allow_deadlock: true"])
            self.assertNotIn("A cycle", said)
        out, _ = self.noctule("verify", "short.yaml", "--set", "limits.verify_states=1", code=1)
        self.assertIn("deadlock possible", out)
        self.assertIn("no cycle up to there", out)

    def test_unless_it_is_allowed(self):
        self.noctule("run", "ring.yaml", "--set", "allow_deadlock=true")
        self.assertEqual(self.results("out/ring")["points"][0]["status"], "stable")

    def test_one_bad_fabric_stops_a_comparison(self):
        self.refused("compare", "ring.yaml", "--axis", "routing.algorithm=dimension_order,turn_table",
                     says=["can deadlock"])

    def test_proofs_are_remembered_unless_fresh(self):
        cache = self.folder / "cache/noctule/proofs"
        star = ["--set", "node.model=star_channels", "--set", "topology.kind=torus"]
        self.noctule("run", "small.yaml", *star)
        self.assertEqual(len(list(cache.iterdir())), 1)
        self.noctule("run", "small.yaml", *star, "--set", "topology.radix=[4,3]")
        self.assertEqual(len(list(cache.iterdir())), 2)
        self.noctule("run", "small.yaml", *star, "--set", "traffic.offered_load=0.2")
        self.assertEqual(len(list(cache.iterdir())), 2)  # the same fabric
        self.noctule("run", "small.yaml", *star, "--set", "link.flit_delay=2")
        self.assertEqual(len(list(cache.iterdir())), 3)  # another one
        self.refused("run", "ring.yaml")
        self.assertEqual(len(list(cache.iterdir())), 3)  # what is not proved is not remembered
        self.noctule("run", "small.yaml")
        self.assertEqual(len(list(cache.iterdir())), 3)  # nor what is proved faster than a proof is read

    def test_what_one_point_allows_another_does_not(self):
        self.refused("run", "ring.yaml", "--axis", "allow_deadlock=true,false", says=["can deadlock"])

    def test_a_cache_that_cannot_be_written_does_no_harm(self):
        self.write("cache", "a file, not a folder")
        self.noctule("run", "small.yaml")


if __name__ == "__main__":
    unittest.main(verbosity=2)
