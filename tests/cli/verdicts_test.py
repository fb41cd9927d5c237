#!/usr/bin/python3
"""Random fabrics: what `noctule verify` says of each is true, or it says what is missing.

A deadlock comes with a configuration that deadlocks; what is proved survives overload; what is unknown has a
reason. Set NOCTULE_VERDICTS to the number of fabrics, NOCTULE_SEED to the first seed."""
import collections
import concurrent.futures
import json
import os
import random
import unittest

from cli_support import CommandLineTest

FABRICS = int(os.environ.get("NOCTULE_VERDICTS", "100"))
SEED = int(os.environ.get("NOCTULE_SEED", "20260101"))
# Router-cycles that the search for a deadlock may simulate here.
SEARCH = 4_000_000


def turns(rng, directions, classes):
    """A rule of a turn table: no worm goes from the one to the other."""
    before = rng.choice(["injection", "any", rng.choice(directions), rng.choice(directions)])
    if before in directions and rng.random() < 0.5:
        before += f".{rng.randrange(classes)}"
    after = rng.choice(directions)
    if classes > 1 or rng.random() < 0.3:
        after += f".{rng.randrange(classes)}"
    return f"{before} -> {after}" + rng.choice(["", "", "", " on wrap", " on inner"])


def turn_table(rng, radix, wraps):
    axes = "xyz"[:len(radix)]
    directions = [f"{axis}_{sign}" for axis in axes for sign in ("plus", "minus")]
    classes = rng.choice([1, 1, 2, 2, 3])
    forbid = [turns(rng, directions, classes) for _ in range(rng.choice([0, 1, 2, 4, 6, 8]))]
    if not wraps:
        forbid = [turn.split(" on ")[0] for turn in forbid]
    table = {"algorithm": "turn_table", "classes": classes, "forbid": forbid}
    if classes > 1 and rng.random() < 0.5:
        table["escape"] = ["*.0"]
    return table


def node(rng):
    keys = {"model": "generic", "input_depth": rng.choice([1, 1, 2, 4]), "output_depth": rng.choice([0, 1, 1, 2]),
            "lanes": rng.choice([1, 1, 1, 2]),
            "release": rng.choice(["tail_crossed", "tail_left", "next_buffer_empty"]),
            "connections_per_cycle": rng.choice(["all", 1]), "selection": rng.choice(["random", "first", "rotating"]),
            "scan": rng.choice(["round_robin", "random_start", "first_come"])}
    if rng.random() < 0.2:
        keys = {"model": "input_queued", "input_depth": rng.choice([1, 2, 4]), "lanes": rng.choice([1, 2]),
                "release": rng.choice(["tail_crossed", "next_buffer_empty"])}
    return keys


def unicast_fabric(rng):
    wraps = rng.random() < 0.6
    radix = rng.choice([[4], [5], [3, 3], [4, 4], [5, 3], [4, 6], [3, 3, 3]])
    routing = turn_table(rng, radix, wraps) if rng.random() < 0.7 else rng.choice(
        ["dimension_order", "star_channels", "negative_hop", "positive_hop", "north_last", "linder_harden",
         "four_classes", "hamiltonian"])
    return {"topology": {"kind": "torus" if wraps else "mesh", "radix": radix}, "node": node(rng),
            "routing": routing}


def multicast_fabric(rng):
    channels = rng.choice([1, 1, 2, 3, 4])
    knobs = {"model": "generic", "output_depth": 0, "input_depth": rng.choice([1, 2, 4]),
             "consumption_channels": channels, "acquisition": rng.choice(["consumption_first", "output_first"]),
             "consumption_wait": rng.choice(["first_free", "first_free", "committed"]),
             "consumption_access": rng.choice(["own", "own_or_shared", "any"]),
             "release": rng.choice(["tail_crossed", "next_buffer_empty"])}
    if rng.random() < 0.7:
        rules = [{"class": rng.randrange(channels), "incoming": port}
                 for port in rng.sample(["x_plus", "x_minus", "y_plus", "y_minus"], rng.choice([0, 1, 2, 4]))]
        knobs["consumption_classes"] = rules + [{"class": rng.randrange(channels)}]
    if rng.random() < 0.15:
        knobs["retransmission_buffers"] = rng.choice([1, 2])
    planner = rng.choice(["dual_path", "multipath", "column_path", "e_mcast", "individual"])
    row_first = planner in ("column_path", "e_mcast")
    fabric = {"topology": {"kind": "mesh", "radix": rng.choice([[3, 3], [4, 4], [4, 3], [5, 4]])}, "node": knobs,
              "routing": "dimension_order" if row_first else rng.choice(["hamiltonian", "dimension_order"]),
              "multicast": {"planner": planner, "unicasts": rng.choice(["planner", "routing"])}}
    if planner in ("dual_path", "multipath") and fabric["multicast"]["unicasts"] == "planner":
        del fabric["routing"]  # nothing would follow it
    return fabric


def overloads(rng, fabric):
    """More than the network can take, of several kinds."""
    depth = fabric["node"].get("input_depth", 1) + fabric["node"].get("output_depth", 0)
    for _ in range(2):
        traffic = {"pattern": "uniform", "offered_load": 1.0, "packet_length": rng.choice([1, depth, 4 * depth, 15])}
        if "multicast" in fabric:
            traffic["multicast"] = {"fraction": 0.5, "least": 1, "most": rng.choice([2, 6])}
        else:
            traffic["source_queue"] = "discard"
        yield {**fabric, "traffic": traffic,
               "measurement": {"warm_up": 0, "cycles": 6000, "batches": 4, "deadlock_interval": 500}}


class Verdicts(CommandLineTest):
    def run_of(self, name, configuration, *words):
        self.write(name, json.dumps(configuration))
        process = self.start(*words, name, "--out", f"out-{name}", "--quiet")
        out, err = process.communicate(timeout=600)
        return process.returncode, out, err

    def fabric(self, seed):
        """A fabric that can be built, and what is said of it."""
        rng = random.Random(seed)
        for attempt in range(200):
            fabric = rng.choice([unicast_fabric, unicast_fabric, multicast_fabric])(rng)
            fabric = {**fabric, "traffic": {"offered_load": 0.1},
                      "limits": {"verify_router_cycles": SEARCH, "verify_worms": 40_000}}
            code, out, err = self.run_of(f"{seed}-{attempt}.json", fabric, "verify", "--json", "--threads", "1")
            if code == 2:
                continue  # pairs that cannot be reached, knobs that do not go together
            self.assertIn(code, (0, 1), f"seed {seed}: {err}")
            (verdict,) = json.loads(out)
            self.assertEqual(code, 0 if verdict["verdict"] == "proved" else 1)
            return rng, fabric, verdict
        return self.fail(f"seed {seed}: nothing that can be built")

    def judge(self, seed):
        rng, fabric, verdict = self.fabric(seed)
        said = f"seed {seed}: {json.dumps(fabric)}\n{verdict['verdict']}: {verdict['reason']}"
        kind = verdict["verdict"]
        if kind == "proved":
            self.assertNotIn("missing", verdict)
            for n, overload in enumerate(overloads(rng, fabric)):
                code, _, err = self.run_of(f"{seed}-overload-{n}.json", overload, "run")
                self.assertEqual(code, 0, f"{said}\n{overload}\n{err}")
        elif kind == "deadlock_possible":
            self.assertTrue(verdict["simulation"]["deadlocked"], said)
            self.assertTrue(verdict["simulation"]["deadlock"]["circle"], said)
            file = verdict["files"]["configuration"]
            process = self.start("run", file, "--out", f"again-{seed}", "--quiet")
            _, err = process.communicate(timeout=600)
            self.assertEqual(process.returncode, 0, f"{said}\n{err}")
            again = json.loads((self.folder / f"again-{seed}/results.json").read_text())
            self.assertEqual(again["points"][0]["status"], "deadlocked", said)
        else:
            self.assertEqual(kind, "unknown", said)
            self.assertRegex(verdict["reason"], r"\d+ simulations? of \d+ router-cycles in all did not deadlock", said)
            self.assertTrue(verdict["missing"], said)
            self.assertEqual(verdict["worms"], [], said)
        return ("multicast " if "multicast" in fabric else "unicast ") + kind

    def test_random_fabrics(self):
        shares = collections.Counter()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for kind in pool.map(self.judge, range(SEED, SEED + FABRICS)):
                shares[kind] += 1
        print(f"seeds {SEED} to {SEED + FABRICS - 1}: " +
              ", ".join(f"{kind} {number}" for kind, number in sorted(shares.items())))
        self.assertGreater(shares["unicast proved"] + shares["multicast proved"], FABRICS // 10)
        self.assertGreater(shares["unicast deadlock_possible"], FABRICS // 10)


if __name__ == "__main__":
    unittest.main(verbosity=2)
