#!/usr/bin/python3
"""Ends that talk: which message classes may share virtual channels, interfaces and buffers, proved and run.

A wrong assignment is refused with its circle, locks up when it is run, and is mended by each remedy that verify proposes. A
right one is proved, and runs against terminals that refuse at random. NOCTULE_FULL (cli.ends.all): all of them, and
ENDS_FLIT_HOPS flit-hops in sum through the right ones.
"""
import itertools
import json
import os
import unittest

from cli_support import CommandLineTest

FULL = os.environ.get("NOCTULE_FULL") == "1"
FLIT_HOPS = float(os.environ.get("ENDS_FLIT_HOPS", "2e5"))
EVERY = 1 if FULL else 7  # of the assignments

NETWORKS = {
    "mesh": {"topology": {"kind": "mesh", "radix": [3, 3]}, "node": {"model": "input_queued", "input_depth": 2}},
    "torus": {"topology": {"kind": "torus", "radix": [4, 4]}, "node": {"model": "input_queued", "input_depth": 2}},
    "ring": {"topology": {"kind": "ring", "nodes": 5},
             "node": {"model": "generic", "input_depth": 2, "output_depth": 1}},
    "hypercube": {"topology": {"kind": "hypercube", "dimensions": 3}, "node": {"model": "input_queued", "input_depth": 3}},
    "west first": {"topology": {"kind": "mesh", "radix": [4, 3]},
                   "routing": {"algorithm": "turn_table", "forbid": ["y_* -> x_minus"]},
                   "node": {"model": "generic", "input_depth": 1}},
    "tree": {"topology": {"kind": "butterfly_fat_tree", "levels": 2},
             "routing": {"algorithm": "nearest_common_ancestor"}, "node": {"model": "generic", "input_depth": 2}},
}
TWO = ("request", "response")
THREE = ("request", "forward", "response")
SHARED_INTERFACE = {"interface": "one"}
UNLIMITED = {"buffer": "unlimited"}
# Classes, lanes of each, keys of each.
WRONG = [
    (TWO, [[0, 1], [0, 1]], {}),
    (TWO, [[0], [0]], {}),
    (TWO, [[0, 1], [1]], {}),
    (TWO, [[0], [1]], SHARED_INTERFACE),
    (THREE, [[0], [1], [1]], {}),
    (THREE, [[0], [0], [1]], {}),
    (THREE, [[0], [1], [0]], {}),
    (THREE, [[0, 1, 2], [0, 1, 2], [0, 1, 2]], {}),
    (THREE, [[0, 1], [1], [2]], {}),
    (THREE, [[0], [1], [2]], SHARED_INTERFACE),
]
RIGHT = [
    (TWO, [[0], [1]], {}),
    (TWO, [[1], [0]], {}),
    (TWO, [[0], [1]], {"buffer": 5}),
    (TWO, [[0, 1], [2, 3]], {}),
    (TWO, [[0, 1], [0, 1]], UNLIMITED),
    (TWO, [[0], [0]], UNLIMITED),
    (TWO, [[0, 1], [1]], UNLIMITED),
    (TWO, [[0], [1]], SHARED_INTERFACE | UNLIMITED),
    (THREE, [[0], [1], [2]], {}),
    (THREE, [[2], [0], [1]], {"buffer": 3}),
    (THREE, [[0], [0], [0]], UNLIMITED),
]
REFUSALS = [0.0, 0.3, 0.6, 0.9]


def assignments(kinds):
    return list(itertools.product(NETWORKS, kinds))[::EVERY]


def fabric(network, kind):
    names, lanes, keys = kind
    config = json.loads(json.dumps(NETWORKS[network]))
    config["node"]["lanes"] = 1 + max(map(max, lanes))
    config["message_classes"] = {
        name: {"vcs": {"lane": of}} | {key: value for key, value in keys.items() if key != "buffer" or name != names[-1]}
        for name, of in zip(names, lanes)}
    config["depends"] = {name: [then] for name, then in zip(names, names[1:])}
    config["traffic"] = {"source": {"kind": "request_reply", "outstanding": 64, "service_time": 3,
                                    "lengths": [6] * len(names)}}
    config["measurement"] = {"warm_up": 0, "cycles": 20000, "deadlock_interval": 500}
    return config


class Ends(CommandLineTest):
    def verdict(self, config, code):
        self.write("ends.yaml", json.dumps(config))
        return self.json_of("verify", "ends.yaml", code=code)[0]

    def run_point(self, config, *arguments, code=0):
        self.write("ends.yaml", json.dumps(config))
        return self.json_of("run", "ends.yaml", "--fresh", "--quiet", *arguments, code=code)["points"][0]

    def apply(self, config, remedy):
        changed = json.loads(json.dumps(config))
        for key, value in remedy.items():
            *path, last = key.split(".")
            section = changed
            for name in path:
                section = section.setdefault(name, {})
            section[last] = value
        return changed

    def test_wrong_assignments_are_refused_lock_up_and_can_be_mended(self):
        remedies = 0
        cases = assignments(WRONG)
        for network, kind in cases:
            with self.subTest(network=network, kind=kind):
                config = fabric(network, kind)
                fabric_report = self.verdict(config, 1)
                self.assertEqual(fabric_report["verdict"], "deadlock_possible")
                causes = [arc["cause"] for arc in fabric_report["witness"]]
                self.assertTrue(any("takes no more until" in cause for cause in causes), causes)
                _, err = self.noctule("run", "ends.yaml", code=2)
                self.assertIn("depends: this fabric can deadlock", err)
                self.assertEqual(self.run_point(config, "--set", "allow_deadlock=true", code=1)["status"], "deadlocked")
                self.assertGreaterEqual(len(fabric_report["remedies"]), 1)
                for remedy in fabric_report["remedies"]:
                    mended = self.apply(config, remedy)
                    self.assertEqual(self.verdict(mended, 0)["verdict"], "proved", remedy)
                    point = self.run_point(mended)
                    self.assertIn(point["status"], ("stable", "not_converged"), remedy)
                    self.assertGreater(point["flits"]["delivered"], 1000, remedy)
                    remedies += 1
        print(f"{len(cases)} wrong assignments: refused, deadlocked, mended by {remedies} remedies")

    def test_right_assignments_are_proved_and_run_against_terminals_that_refuse(self):
        cases = assignments(RIGHT)
        hops = 0
        for number, (network, kind) in enumerate(cases):
            config = fabric(network, kind)
            config["traffic"]["stall"] = REFUSALS[number % len(REFUSALS)]
            config["seed"] = number + 1
            with self.subTest(network=network, kind=kind, stall=config["traffic"]["stall"]):
                self.assertEqual(self.verdict(config, 0)["verdict"], "proved")
                hops += self.overload(config, FLIT_HOPS / len(cases))
        print(f"{len(cases)} right assignments: proved, {hops:.4g} flit-hops against terminals that refuse")
        self.assertGreaterEqual(hops, FLIT_HOPS)

    def overload(self, config, least):
        """Runs until so many flit-hops are done."""
        config["measurement"]["cycles"] = 2000
        done = self.flit_hops(config)
        if done < least:
            config["measurement"]["cycles"] = int(2000 * least / done * 1.1) + 1
            done = self.flit_hops(config)
        return done

    def flit_hops(self, config):
        point = self.run_point(config)
        self.assertIn(point["status"], ("stable", "not_converged"))
        return point["flits"]["delivered"] * point["hops"]["mean"]


if __name__ == "__main__":
    unittest.main()
