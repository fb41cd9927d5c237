#!/usr/bin/python3
"""noctule explain --try: what ends the throughput below its bound, by simulation. Are the numbers those of a run, is the
cause the one that the fabric was made for, and is nothing tried that must not run?"""
import unittest

from cli_support import CommandLineTest

MESH = """\
topology: {kind: mesh, radix: [4, 4]}
node: {model: input_queued, lanes: 1, input_depth: 4}
traffic: {packet_length: 6, offered_load: 0.05}
"""
LOOP = """\
topology: {kind: mesh, radix: [4, 4]}
node: {model: input_queued, lanes: 2, input_depth: 8}
message_classes:
  request: {vcs: {lane: 0}}
  response: {vcs: {lane: 1}}
depends: {request: [response]}
traffic: {source: {kind: request_reply, outstanding: 8, lengths: [1, 5]}}
"""


class Trials(CommandLineTest):
    def trials(self, text, *sets, code=0):
        self.write("try.yaml", text)
        (fabric,) = self.json_of("explain", "try.yaml", "--try", *(word for change in sets for word in ("--set", change)),
                                 code=code)["fabrics"]
        return fabric["trials"]

    @staticmethod
    def changes(trials):
        return {key: change for change in trials["changes"] for key in change["set"]}

    def test_numbers_are_those_of_a_run(self):
        trials = self.trials(MESH)
        load = trials["offered_flits_per_node_cycle"]
        for change in [{"set": {}, **trials["as_it_is"]}, *trials["changes"]]:
            with self.subTest(change["set"]):
                sets = [word for key, value in change["set"].items() for word in ("--set", f"{key}={value}")]
                if "traffic.packet_length" in change["set"]:
                    continue  # the load in packets is another one
                point = self.point("run", "try.yaml", "--set", f"traffic.offered_load={load!r}", "--set",
                                   f"measurement={{warm_up: {trials['warm_up_cycles']}, cycles: {trials['measured_cycles']}}}", *sets)
                self.assertEqual(point["accepted"]["flits_per_node_cycle"], change["accepted_flits_per_node_cycle"])
        parts = self.point("run", "try.yaml", "--set", f"traffic.offered_load={load!r}", "--set",
                           f"measurement={{warm_up: {trials['warm_up_cycles']}, cycles: {trials['measured_cycles']}}}")["latency_cycles"]["parts"]
        self.assertEqual((parts["header_wait"], parts["stalls"]),
                         (trials["as_it_is"]["header_wait_cycles"], trials["as_it_is"]["stalls_cycles"]))

    def test_trials_and_proofs_leave_no_traces(self):
        self.write("try.yaml", MESH + "trace: {vcd: true, events: true}\n")
        before = self.files()
        self.noctule("explain", "try.yaml", "--try", "--prove", "--out", "o")
        self.assertEqual({name for name in self.files() if not name.startswith("o/")}, before)

    def test_a_source_that_cannot_offer_the_load_is_said_to_be_one(self):
        text = MESH.replace("packet_length: 6, offered_load: 0.05", "source: {kind: on_off, on_share: 0.03}, offered_load: 0.1")
        self.write("bursts.yaml", text)
        out, _ = self.noctule("explain", "bursts.yaml", "--prove")
        self.assertRegex(out, r"no run above the bound: the source cannot offer [0-9.]+ flits.*\bon_share is 0\.03")
        out, _ = self.noctule("explore", "bursts.yaml", "--axis", "node.lanes=1,2", "--saturation",
                              "--set", "measurement={warm_up: 200, cycles: 1000}")
        self.assertRegex(out, r"input_queued +2 ")

    def point(self, *arguments):
        (point,) = self.json_of(*arguments, "--fresh")["points"]
        return point

    def test_worms_that_wait_are_found(self):
        trials = self.trials(MESH)
        self.assertEqual(trials["cause"], "waiting worms")
        lanes = self.changes(trials)["node.lanes"]
        self.assertEqual(lanes["set"], {"node.lanes": 2})
        self.assertTrue(lanes["significant"])
        self.assertGreater(lanes["relative"], 0.05)

    def test_allocators_are_found(self):
        # Single flits and many lanes: a flit waits for the switch and nothing else.
        trials = self.trials(MESH, "topology.radix=[8, 8]", "traffic.packet_length=1", "node.lanes=4", "node.input_depth=8")
        self.assertEqual(trials["cause"], "allocators")
        changes = self.changes(trials)
        self.assertGreater(changes["node.switch_allocator"]["relative"], changes["node.lanes"]["relative"] + 0.03)
        # Twice the wires gain more, and are not what to change first.
        self.assertGreater(changes["node.parallel_links"]["relative"], changes["node.switch_allocator"]["relative"])

    def test_where_the_bound_ends_it_its_cause_is_named(self):
        self.write("try.yaml", MESH)
        out, _ = self.noctule("explain", "try.yaml", "--try", "--set", "traffic.pattern={kind: hotspot, nodes: [0], fraction: 1}",
                              "--set", "node.lanes=4")
        self.assertIn("cause: consumption: the throughput ends at the highest load", out)

    def test_near_the_bound_what_is_full_there_is_named(self):
        # Four controllers that send all the data: more lanes bring the loop near what they can inject.
        trials = self.trials("""\
topology: {kind: mesh, radix: [6, 10], more_terminals: [{routers: ['router_[05]_2', 'router_[05]_7']}]}
node: {model: input_queued, lanes: 4, input_depth: 8}
message_classes: {request: {vcs: {lane: [0, 2]}, buffer: 16}, response: {vcs: {lane: [1, 3]}}}
depends: {request: [response]}
traffic:
  pattern: {kind: hotspot, nodes: [60, 61, 62, 63], fraction: 1}
  source: {kind: request_reply, requesting: 0-59, lengths: [1, 5], service_time: 20, outstanding: 4}
""")
        self.assertEqual(trials["cause"], "injection")

    def test_a_closed_loop_is_tried_as_it_is(self):
        trials = self.trials(LOOP)
        self.assertNotIn("offered_flits_per_node_cycle", trials)
        # Both classes get a lane more each.
        lanes = self.changes(trials)["node.lanes"]
        self.assertEqual(lanes["set"], {"node.lanes": 4, "message_classes.request.vcs": {"lane": ["0", "2"]},
                                        "message_classes.response.vcs": {"lane": ["1", "3"]}})
        # The source has lengths of its own.
        self.assertNotIn("traffic.packet_length", self.changes(trials))
        point = self.point("run", "try.yaml", "--set", "node.lanes=4", "--set",
                           "message_classes={request: {vcs: {lane: [0, 2]}}, response: {vcs: {lane: [1, 3]}}}", "--set",
                           f"measurement={{warm_up: {trials['warm_up_cycles']}, cycles: {trials['measured_cycles']}}}")
        self.assertEqual(point["accepted"]["flits_per_node_cycle"], lanes["accepted_flits_per_node_cycle"])

    def test_what_cannot_be_built_is_not_tried(self):
        (refused,) = [one for one in self.trials(MESH)["not_tried"] if "node.parallel_links" in one["set"]]
        self.assertIn("needs a lane of its own", refused["why"])

    def test_traffic_that_ends_has_no_throughput(self):
        trials = self.trials(MESH, "traffic.source=static")
        self.assertEqual(trials, {"skipped": "the traffic ends, and so has no throughput"})

    def test_a_fabric_that_may_deadlock_is_refused(self):
        self.write("try.yaml", MESH.replace("mesh", "torus"))
        _, err = self.noctule("explain", "try.yaml", "--try", "--set", "routing={algorithm: dimension_order, vc_rule: none}", code=2)
        self.assertIn("routing", err)


if __name__ == "__main__":
    unittest.main(verbosity=2)
