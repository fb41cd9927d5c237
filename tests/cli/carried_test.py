#!/usr/bin/python3
"""Is what a fabric does not carry refused before anything runs, at the key or the line that asks for it? And what of the
memory that waits at the sources?"""
import json
import unittest

from cli_support import CommandLineTest

STORES = "topology: {kind: mesh, radix: [4, 4]}\nnode: {model: input_queued, forwarding: store_and_forward, input_depth: 8}\n"
TO_HOST = "topology: {kind: mesh, radix: [4, 4]}\nrouting: {algorithm: host_paths, pairs: host}\n"
PLAIN = "topology: {kind: mesh, radix: [4, 4]}\nnode: {model: input_queued}\n"
# The fabric, the traffic, what lines the file has, what the message names.
WRONG = {
    "a trace, too long": (STORES, "{source: {kind: trace_file, file: t}}", "0 0 5 4\n3 1 2 9\n",
                          ["t:2: ", "hold 8 flits of a packet"]),
    "a table, too long": (STORES, "{source: {kind: trace_file, file: t}}",
                          "cycle,source,destination,flits\n3,1,2,9\n", ["t:2: ", "column 'flits': packet of 9 flits"]),
    "a task, too long": (STORES, "{source: {kind: workload, file: t}}", "0 5 8\n1 2 9\n", ["t:2: ", "packet of 9 flits"]),
    "a flow, too long": (STORES, "{source: {kind: flows, file: t}}", "0 5 0.1\n1 2 0.1 length=9\n",
                         ["t:2: ", "packet of 9 flits"]),
    "an answer, too long": (STORES, "{source: {kind: host_slave, answer_flits: 9, message_flits: 8}}", "",
                            ["f.yaml:3:", "traffic.source.answer_flits: packet of 9 flits"]),
    "a step, too long": (STORES, "{source: {kind: request_reply, lengths: [1, 9]}}", "",
                         ["f.yaml:3:", "traffic.source.lengths: packet of 9 flits"]),
    "a step as the traffic": (STORES, "{packet_length: 9, source: request_reply}", "",
                              ["f.yaml:3:", "traffic.packet_length: packet of 9 flits"]),
    "one of several": (STORES, "{packet_lengths: [{length: 4, weight: 1}, {length: 9, weight: 1}]}", "",
                       ["f.yaml:3:", "traffic.packet_lengths: packet of 9 flits"]),
    "a trace, other pairs": (TO_HOST, "{source: {kind: trace_file, file: t}}", "0 0 5 4\n3 1 2 9\n",
                             ["t:2: ", "from terminal 1 to terminal 2, a pair that the routing relation is not for"]),
    "a task, other pairs": (TO_HOST, "{source: {kind: workload, file: t}}", "0 5 4\n1 2 9\n", ["t:2: ", "terminal 1 to terminal 2"]),
    "a flow, other pairs": (TO_HOST, "{source: {kind: flows, file: t}}", "* 0 0.1\n0 * 0.1\n3 * 0.1\n",
                            ["t:3: ", "terminal 3 to terminal 1"]),
    "another host": (TO_HOST, "{source: {kind: host_slave, host: 3}}", "", ["traffic.source", "terminal 3 to terminal 1"]),
    "drawn pairs": (TO_HOST, "{offered_load: 0.1}", "", ["traffic: ", "terminal 1 to terminal 2"]),
    "a trace, several": (PLAIN, "{source: {kind: trace_file, file: t}}", "0 0 5 4\n3 1 2,6 9\n",
                         ["t:2: ", "several destinations; that needs a multicast.planner"]),
    "a task, several": (PLAIN, "{source: {kind: workload, file: t}}", "0 5 4\n1 2,6 9\n", ["t:2: ", "multicast.planner"]),
    "too much at once": (PLAIN, "{source: {kind: static, messages: 4194305}}", "", ["traffic.source.messages", "4194304"]),
}
CARRIED = {
    "a trace": (STORES, "{source: {kind: trace_file, file: t}}", "0 0 5 8\n"),
    "a task": (STORES, "{source: {kind: workload, file: t, packet_flits: 8}}", "1 2 9\n"),
    "a flow": (TO_HOST, "{source: {kind: flows, file: t}}", "* 0 0.01\n0 * 0.01\n"),
    "a host": (TO_HOST, "{source: {kind: host_slave}}", ""),
    "to the host": (TO_HOST, "{pattern: {kind: hotspot, nodes: [0], fraction: 1.0}, offered_load: 0.01}", ""),
    "steps": (STORES, "{source: {kind: request_reply, lengths: [1, 8]}}", ""),
}
OVERLOAD = PLAIN.replace("4, 4", "8, 8") + "traffic: {offered_load: 1.0, packet_length: 1}\nmeasurement: {warm_up: 0, cycles: 400000}\n"


class Carried(CommandLineTest):
    def test_what_the_fabric_does_not_carry_is_refused_before_a_run(self):
        for name, (fabric, traffic, lines, says) in WRONG.items():
            self.write("f.yaml", f"{fabric}traffic: {traffic}\n")
            self.write("t", lines)
            for command in ("check", "run"):
                with self.subTest(name, command=command):
                    self.refused(command, "f.yaml", says=says)

    def test_what_it_carries_is_not(self):
        for name, (fabric, traffic, lines) in CARRIED.items():
            with self.subTest(name):
                self.write("f.yaml", f"{fabric}traffic: {traffic}\n")
                self.write("t", lines)
                self.noctule("check", "f.yaml")
                self.noctule("run", "f.yaml", "--out", "out")

    def test_a_run_ends_where_its_source_queues_would_pass_the_limit(self):
        self.write("f.yaml", OVERLOAD)
        (estimate,) = self.json_of("check", "f.yaml")["points"]
        self.assertGreater(estimate["memory_bytes"], 3e8)
        limited = ("--set", "limits.memory_mb=8")
        (point,) = self.json_of("run", "f.yaml", *limited)["points"]
        self.assertEqual(point["status"], "saturated")
        self.assertRegex(point["status_rule"], "packets wait in the mean source queue, and more would not keep limits.memory_mb")
        queued = point["packets"]["generated"] - point["packets"]["injected"]
        self.assertLess(queued * 152, 9 << 20)
        self.assertGreater(queued * 152, 7 << 20)
        self.assertGreater(point["accepted"]["flits_per_node_cycle"]["mean"], 0.3)
        (again,) = self.json_of("run", "f.yaml", *limited, "--fresh")["points"]
        self.assertEqual(json.dumps(again["digest"]), json.dumps(point["digest"]))
        # Where the limit is another one, the point is simulated again.
        for limit, taken_over, longer in (("8", False, False), ("8", True, False), ("16", False, True),
                                          ("16", True, True)):
            with self.subTest(limit, taken_over=taken_over):
                out, err = self.noctule("run", "f.yaml", "--axis", "seed=1,2", "--set", f"limits.memory_mb={limit}", "--out", "s")
                self.assertEqual("2 taken over" in out + err, taken_over, out + err)
                generated = [p["packets"]["generated"] for p in self.results("s")["points"]]
                self.assertEqual(min(generated) > 1.5 * point["packets"]["generated"], longer, generated)
        # A finite workload says nothing of saturation.
        self.write("s.yaml", PLAIN + "traffic: {source: {kind: static, messages: 20000}}\n")
        self.refused("run", "s.yaml", *limited, says=["limits.memory_mb", "about 47 MB"])
        self.refused("run", "s.yaml", "--set", "traffic.source={kind: request_reply, outstanding: 20000}", *limited,
                     says=["limits.memory_mb"])


if __name__ == "__main__":
    unittest.main()
