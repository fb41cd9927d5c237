#!/usr/bin/python3
"""Every routing relation on every kind of network that it accepts, in random shapes: what is proved survives overload.

OVERLOAD_FLITS is the number of flits that each fabric delivers, OVERLOAD_SHAPES the shapes of each pair, NOCTULE_SEED
the seed; cli.overload.all sets a million and three."""
import json
import os
import random
import unittest

from cli_support import CommandLineTest
from random_fabrics import drawn_topology, random_network

FLITS = int(os.environ.get("OVERLOAD_FLITS", "3000"))
SHAPES = int(os.environ.get("OVERLOAD_SHAPES", "1"))
SEED = int(os.environ.get("NOCTULE_SEED", "20260301"))
FIRST = 1000  # cycles, to see how fast a fabric is
TRIES = 12  # shapes until as many as asked for are accepted
RULES = {"dimension_order": ["dateline", "wrapped_bit", "dateline_balanced"]}
PLACED = {"terminals_per_router": [1, 1, 2], "terminals_at": ["*", "*", "*_0*", "router_1*"]}


def radix(rng):
    return [rng.randint(2, 6) for _ in range(rng.choice([1, 2, 2, 2, 3]))]


def placed(rng, topology):
    return topology | {key: rng.choice(values) for key, values in PLACED.items()}


KINDS = {
    "mesh": lambda rng: placed(rng, {"kind": "mesh", "radix": radix(rng)}),
    "torus": lambda rng: placed(rng, {"kind": "torus", "radix": radix(rng),
                                      "directions": rng.choice(["both", "both", "plus", "minus"])}),
    "k_ary_n_cube": lambda rng: placed(rng, {"kind": "k_ary_n_cube", "radix": (sides := radix(rng)),
                                             "wrap": [rng.random() < 0.5 for _ in sides]}),
    "ring": lambda rng: placed(rng, {"kind": "ring", "nodes": rng.randint(3, 16),
                                     "directions": rng.choice(["both", "plus", "minus"])}),
    "hypercube": lambda rng: placed(rng, {"kind": "hypercube", "dimensions": rng.randint(2, 6)}),
    "butterfly": lambda rng: {"kind": "butterfly", "arity": rng.randint(2, 4), "stages": rng.randint(2, 3)},
    "butterfly_fat_tree": lambda rng: {"kind": "butterfly_fat_tree", "levels": rng.randint(2, 4)},
    "frames": lambda rng: {"kind": "frames", "processors": rng.randint(2, 30), "ports": rng.randint(2, 6),
                           "direct": rng.randint(1, 4)},
    "graph": lambda rng: {"kind": "graph", "file": "net.txt"},
}


def relation(rng, name, topology):
    """With its keys; a table where we know how to write one: dimension order on a mesh of two dimensions."""
    keys = {"algorithm": name}
    if name in RULES and rng.random() < 0.7:
        keys["vc_rule"] = rng.choice(RULES[name])
    if name == "host_paths":
        keys["rule"] = rng.choice(["x", "y", "step", "step_at_source"])
    if name == "nearest_common_ancestor":
        keys["up"] = rng.choice(["adaptive", "random", "fixed"])
    if name == "turn_table":
        keys["classes"] = rng.choice([1, 2])
        if rng.random() < 0.7:  # west first
            keys["forbid"] = ["y_* -> x_minus"]
    if name == "table":
        keys["file"] = "routes.txt"
        if topology["kind"] != "mesh" or len(topology["radix"]) != 2:
            return None
    return keys


def routes(sides):
    lines = []
    for x in range(sides[0]):
        for y in range(sides[1]):
            for to_x in range(sides[0]):
                for to_y in range(sides[1]):
                    if (x, y) != (to_x, to_y):
                        port = ("x_plus" if to_x > x else "x_minus") if to_x != x else "y_plus" if to_y > y else "y_minus"
                        lines.append(f"router_{x}_{y} router_{to_x}_{to_y} {port}.0\n")
    return "".join(lines)


def node(rng):
    keys = {"model": "generic", "input_depth": rng.choice([1, 2, 4]), "output_depth": rng.choice([0, 0, 1]),
            "lanes": rng.choice([1, 1, 2]), "injection_channels": rng.choice([1, 2])}
    return rng.choice([keys, keys, {"model": "input_queued", "input_depth": rng.choice([2, 4])}])


class Overload(CommandLineTest):
    def registered(self, kind):
        out, _ = self.noctule("list", kind)
        return [line.split()[0] for line in out.splitlines()[1:]]

    def config(self, rng, name, kind):
        topology = KINDS[kind](rng) if kind in KINDS else drawn_topology(rng, kind, self.noctule("list", kind)[0])
        routing = relation(rng, name, topology)
        if routing is None:
            return None
        if kind == "graph":
            self.write("net.txt", random_network(rng, rng.random() < 0.5))
        if name == "table":
            self.write("routes.txt", routes(topology["radix"]))
        return {"topology": topology, "routing": routing, "node": node(rng), "seed": rng.randint(1, 10**6),
                "traffic": {"packet_lengths": [{"length": 1}, {"length": rng.choice([4, 9])}], "offered_load": 1.0,
                            "source_queue": "discard"}}

    def run_cycles(self, config, cycles, text):
        config["measurement"] = {"warm_up": 0, "cycles": cycles, "deadlock_interval": 500}
        self.write("net.yaml", json.dumps(config))
        process = self.start("run", "net.yaml", "--json", "--fresh", "--quiet")
        out, err = process.communicate(timeout=3000)
        self.assertIn(process.returncode, (0, 1), f"{text}: {err}")
        point = json.loads(out)["points"][0]
        self.assertNotEqual(point["status"], "deadlocked", text)
        return point["flits"]["delivered"]

    def overload(self, config, text):
        """Until the fabric has delivered enough."""
        delivered = self.run_cycles(config, FIRST, text)
        self.assertGreater(delivered, 0, text)
        if delivered < FLITS:
            delivered = self.run_cycles(config, int(FIRST * FLITS / delivered * 1.1) + 1, text)
        self.assertGreaterEqual(delivered, 0.9 * FLITS, text)

    def test_what_is_proved_survives(self):
        counts = {"pairs": 0, "proved": 0, "not proved": 0, "refused": 0}
        kinds = self.registered("topology")
        self.assertLessEqual(set(KINDS), set(kinds))
        for name in self.registered("routing"):
            for kind in kinds:
                rng = random.Random(f"{SEED} {name} {kind}")
                accepted = 0
                for shape in range(TRIES):
                    if accepted == SHAPES:
                        break
                    config = self.config(rng, name, kind)
                    if config is None:
                        continue
                    text = f"seed {SEED}, {name} on {kind}, shape {shape}: {json.dumps(config)}"
                    self.write("net.yaml", json.dumps(config))
                    process = self.start("verify", "net.yaml", "--json")
                    out, err = process.communicate(timeout=600)
                    if process.returncode == 2:
                        self.assertRegex(err, "topology|routing|nodes|terminal", text)
                        counts["refused"] += 1
                        continue
                    self.assertIn(process.returncode, (0, 1), f"{text}: {err}")
                    accepted += 1
                    verdict = json.loads(out)[0]["verdict"]
                    if verdict == "proved":
                        self.overload(config, text)
                    counts["proved" if verdict == "proved" else "not proved"] += 1
                counts["pairs"] += accepted > 0
        print(f"seed {SEED}, {FLITS} flits each: {counts}")
        self.assertGreater(counts["proved"], 40 * SHAPES)


if __name__ == "__main__":
    unittest.main()
