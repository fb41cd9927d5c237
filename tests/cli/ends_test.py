#!/usr/bin/python3
"""Ends that talk: which message classes may share virtual channels, interfaces and buffers, proved and run.

A wrong assignment is refused with its circle, locks up when it is run, and is mended by each remedy that verify proposes. A
right one is proved, and runs against terminals that refuse at random. NOCTULE_FULL (cli.ends.all): all of them, and
ENDS_FLIT_HOPS flit-hops in sum through the right ones.
"""
import csv
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

    def test_a_deadlock_that_no_search_has_seen_is_found_at_the_end(self):
        config = fabric("mesh", WRONG[0])
        config["measurement"] = {"warm_up": 1000, "cycles": 20000, "deadlock_interval": 10**6}
        point = self.run_point(config, "--set", "allow_deadlock=true", code=1)
        self.assertEqual(point["status"], "deadlocked")
        self.assertEqual(point["cycles"], {"warm_up": 1000, "measured": 20000})

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


class Sinks(CommandLineTest):
    """Terminals with a buffer and a server, behind every kind of router."""

    MODELS = {"generic": "mesh", "input_queued": "mesh", "fixed_slot": "mesh", "star_channels": "torus",
              "four_classes": "torus", "linder_harden": "torus", "oblivious": "torus"}

    def run_json(self, config, *arguments):
        return self.json_of("run", self.write("sink.yaml", json.dumps(config)), "--quiet", *arguments)

    def point(self, model, sink, load, cycles=3000):
        config = {"topology": {"kind": self.MODELS[model], "radix": [4, 4]}, "node": model,
                  "traffic": {"offered_load": load, "packet_length": 4, "sink": sink},
                  "measurement": {"warm_up": 1000, "cycles": cycles}}
        (point,) = self.run_json(config)["points"]
        return point

    def test_a_consumption_channel_gives_a_flit_in_a_cycle_at_most(self):
        for vcs, stall in itertools.product((1, 2, 4), (0.1, 0.5, 0.9)):
            config = {"topology": {"kind": "mesh", "radix": [4, 4]},
                      "node": {"model": "input_queued", "consumption_vcs": vcs},
                      "traffic": {"pattern": {"kind": "hotspot", "nodes": [0], "fraction": 1}, "offered_load": 0.3,
                                  "packet_length": 2, "source_queue": "discard", "stall": stall},
                      "measurement": {"warm_up": 500, "cycles": 4000}}
            self.run_json(config, "--out", "r")
            with open(self.folder / "r/terminals.csv", newline="", encoding="utf-8") as file:
                (taken,) = [int(row["delivered_flits"]) for row in csv.DictReader(file) if row["terminal"] == "0"]
            with self.subTest(vcs=vcs, stall=stall):
                self.assertLess(taken / 4000, 1 - stall + 0.03)
                self.assertGreater(taken / 4000, (0.65 if vcs == 1 else 0.85) * (1 - stall) - 0.02)

    def test_a_server_that_is_never_full_changes_nothing(self):
        for model in self.MODELS:
            with self.subTest(model):
                free = self.point(model, "open", 0.2)
                self.assertEqual(self.point(model, {"kind": "server", "buffer": 64}, 0.2)["digest"], free["digest"])

    def test_a_slow_server_is_what_limits(self):
        for model in self.MODELS:
            for service in ("fixed", "geometric"):
                with self.subTest(model=model, service=service):
                    sink = {"kind": "server", "buffer": 2, "service_time": 8, "service": service}
                    point = self.point(model, sink, 0.5, 8000)
                    accepted = point["accepted"]["flits_per_node_cycle"]["mean"]
                    self.assertLessEqual(accepted, 1 / 8 * (1 if service == "fixed" else 1.1))
                    self.assertGreater(accepted, 0.06)
                    self.assertEqual(point["status"], "saturated")
                    self.assertEqual(point["flits"]["injected"], point["flits"]["delivered"] + point["flits"]["in_flight"])

    def test_the_bound_is_that_of_the_server(self):
        self.write("hot.yaml", json.dumps({
            "topology": {"kind": "mesh", "radix": [4, 4]}, "node": "generic",
            "traffic": {"pattern": {"kind": "hotspot", "nodes": [5], "fraction": 1}, "packet_length": 4,
                        "offered_load": 0.2, "sink": {"kind": "server", "service_time": 10}},
            "measurement": {"warm_up": 2000, "cycles": 20000}}))
        self.assertIn("the sink of terminal 5 full", self.noctule("check", "hot.yaml")[0])
        self.noctule("run", "hot.yaml", "--quiet", "--out", "hot")
        with open(self.folder / "hot/terminals.csv", encoding="utf-8", newline="") as stream:
            (flits,) = [int(row["delivered_flits"]) for row in csv.DictReader(stream) if row["terminal"] == "5"]
        self.assertAlmostEqual(flits, 2000, delta=1)

    def test_the_bound_is_that_of_the_server_of_each_class(self):
        self.write("flows.txt", "0 3 0.05 length=3 class=urgent\n1-2 3 0.35 length=4 class=bulk\n")
        self.write("two.yaml", json.dumps({
            "topology": {"kind": "mesh", "radix": [4]}, "node": {"model": "input_queued", "lanes": 2},
            "message_classes": {"urgent": {"vcs": {"lane": [0]}, "priority": 1}, "bulk": {"vcs": {"lane": [1]}}},
            "traffic": {"source": {"kind": "flows", "file": "flows.txt"},
                        "sink": {"kind": "server", "buffer": 8, "service_time": 2}},
            "measurement": {"warm_up": 1000, "cycles": 5000}}))
        # Bulk sends 0.7 flits/cycle, of 0.75 in all, and its server takes 0.5.
        (fabric,) = self.json_of("explain", "two.yaml")["fabrics"]
        bound = min(fabric["ceiling"]["bounds"], key=lambda one: one["flits_per_node_cycle"])
        self.assertAlmostEqual(bound["flits_per_node_cycle"], 0.25 * 0.5 / 0.7, places=4)
        self.assertEqual((bound["by"], bound["where"]), ("sink", "terminal 3 for bulk"))

    def test_a_sink_besides_the_source_s_own_is_refused(self):
        self.write("both.yaml", json.dumps({
            "topology": {"kind": "mesh", "radix": [3, 3]}, "node": {"model": "input_queued"},
            "message_classes": {"request": {"vcs": {"lane": [0, 1]}, "interface": "a", "buffer": 1},
                                "response": {"vcs": {"lane": [2, 3]}, "interface": "b"}},
            "depends": {"request": ["response"]},
            "traffic": {"source": {"kind": "request_reply"}, "sink": "server"}}))
        self.refused("run", "both.yaml", says=["traffic.sink", "request_reply", "leave out"])


if __name__ == "__main__":
    unittest.main()
