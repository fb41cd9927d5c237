#!/usr/bin/python3
"""The bounds on throughput that `noctule verify` prints, held against simulations above them; and how near to its bound
a fabric is still stable.

A few of the fabrics; with NOCTULE_FULL (cli.bounds.all) all. BOUNDS_SEEDS=from:to or a,b,c tries others.
"""
import json
import math
import os
import statistics
import unittest

from cli_support import CommandLineTest
from random_fabrics import random_ends, random_fabric

WARM_UP, CYCLES, PARTS = 1500, 4000, 8
STEPS = 16  # of the bound, to which the highest stable load is found
STUDENT = 2.365  # 95 %, 7 degrees of freedom


def seeds():
    given = os.environ.get("BOUNDS_SEEDS")
    if given:
        if ":" not in given:
            return [int(seed) for seed in given.split(",")]
        first, last = map(int, given.split(":"))
        return range(first, last)
    return range(800) if os.environ.get("NOCTULE_FULL") else range(20)


class Flows:
    """What each flow, from a source to a destination, was delivered, from the event log."""

    def __init__(self, file, multicast, alike=True):
        self.sent, self.share = {}, {}
        self.parts = {}
        with open(file, encoding="utf-8") as lines:
            next(lines)
            for line in lines:
                if ",generate," in line:
                    source, to = line.rstrip("\n").rsplit(",", 2)[1:]
                    self.sent[source, to] = self.sent.get((source, to), 0) + 1
                elif ",consume," in line:
                    self.consume(line)
        if not multicast:
            total = {}
            for (source, _), packets in self.sent.items():
                total[source] = total.get(source, 0) + packets
            mean = sum(total.values()) / max(len(total), 1)  # of a source, where their rates differ
            self.share = {flow: packets / (total[flow[0]] if alike else mean) for flow, packets in self.sent.items()}

    def consume(self, line):
        cells = line.rstrip("\n").split(",")
        part = (int(cells[0]) - WARM_UP) * PARTS // CYCLES
        if int(cells[0]) >= WARM_UP and part < PARTS:
            self.parts.setdefault((cells[-2], cells[-1]), [0] * PARTS)[part] += 1

    def worst(self):
        """Accepted load of the worst flow, scaled by its share of what its source sends, and its half width: that
        of the confidence interval, and a flit, since a window cuts the period of a full link anywhere."""
        least = (math.inf, 0.0)
        for flow, share in self.share.items():
            parts = [flits * PARTS / CYCLES / share for flits in self.parts.get(flow, [0] * PARTS)]
            half = STUDENT * statistics.stdev(parts) / math.sqrt(PARTS) + 1 / CYCLES / share
            least = min(least, (statistics.fmean(parts), half))
        return least


class Bounds(CommandLineTest):
    def call(self, *arguments):
        process = self.start(*arguments)
        out, err = process.communicate(timeout=600)
        return process.returncode, out, err

    def simulated(self, seed, config, counts, *arguments):
        """The point, counted by its status; None: refused, which is counted, or deadlocked."""
        self.write("run.yaml", json.dumps(config))
        code, out, err = self.call("run", "run.yaml", "--json", "--fresh", "--quiet", *arguments)
        if code == 2:  # more than a packet per cycle, or what only a simulation refuses
            counts["refused"] = counts.get("refused", 0) + 1
            return None
        self.assertIn(code, (0, 1), f"seed {seed}: {err}")
        point = json.loads(out)["points"][0]
        counts[point["status"]] = counts.get(point["status"], 0) + 1
        return None if point["status"] == "deadlocked" else point

    def above(self, seed, config, bound, counts, offered=None):
        """Runs the fabric above its bound."""
        above = 1.08 + 0.1 * (seed % 5)
        if offered is None:
            config["traffic"]["offered_load"] = bound * above
        else:  # rates of their own
            config["traffic"]["source"]["scale"] = bound * above / offered
        config["measurement"] = {"warm_up": WARM_UP, "cycles": CYCLES, "deadlock_interval": 1000}
        point = self.simulated(seed, config, counts, "--events", "events.csv")
        if point is None:
            return None
        text = f"seed {seed}: bound {bound:.4f}, offered {bound * above:.4f}"
        worst, half = Flows(self.folder / "events.csv", "multicast" in config, offered is None).worst()
        if worst < math.inf and worst - half > bound:
            self.wrong.append(f"{text}: the worst flow accepts {worst:.4f} +- {half:.4f}")
        if point["status"] == "stable":
            self.wrong.append(f"{text}: stable, {point['accepted']} {point['source_queue_packets_per_node']}")
        return None

    def stable(self, config, load):
        config["traffic"]["offered_load"] = load
        self.write("below.yaml", json.dumps(config))
        code, out, _ = self.call("run", "below.yaml", "--json", "--fresh", "--quiet")
        return code in (0, 1) and json.loads(out)["points"][0]["status"] == "stable"

    def nearest(self, config, bound):
        """The highest stable load found by halving, by the bound."""
        stable, above = 0, STEPS
        while above - stable > 1:
            middle = (stable + above) // 2
            stable, above = (middle, above) if self.stable(config, bound * middle / STEPS) else (stable, middle)
        return stable / STEPS

    def test_nothing_above_a_bound_is_served_in_full(self):
        self.wrong, counts, limited, near = [], {}, {}, []
        for seed in seeds():
            config = random_fabric(seed, self.write)
            self.write("fabric.yaml", json.dumps(config))
            code, out, _ = self.call("verify", "fabric.yaml", "--json")
            if code == 2:
                counts["no fabric"] = counts.get("no fabric", 0) + 1
                continue
            load = json.loads(out)[0].get("load")
            if load is None:
                counts["no load"] = counts.get("no load", 0) + 1
                continue
            by = load["bounds"][0]["by"]
            limited[by] = limited.get(by, 0) + 1
            bound = load["throughput_bound_flits_per_node_cycle"]
            before = counts.get("refused", 0)
            self.above(seed, config, bound, counts)
            if counts.get("refused", 0) == before:
                near.append(self.nearest(config, bound))
        print(f"seeds {seeds()}: {counts}, limited by {limited}; against the bound: {len(self.wrong)}")
        parts = statistics.quantiles(near, n=20)
        print(f"highest stable load / bound, of {len(near)}: a tenth below {parts[1]:.2f}, a quarter {parts[4]:.2f}, "
              f"half {parts[9]:.2f}, three quarters {parts[14]:.2f}, nine tenths {parts[17]:.2f}, most {max(near):.2f}")
        self.assertEqual(self.wrong, [])
        self.assertGreaterEqual(counts.get("saturated", 0) + counts.get("not_converged", 0), len(seeds()) // 2)

    def transactions(self, seed, config, bound, counts):
        """What a closed loop has accepted is not above its bound; the share of it that it reaches."""
        config["measurement"] = {"warm_up": WARM_UP, "cycles": CYCLES, "deadlock_interval": 1000}
        point = self.simulated(seed, config, counts)
        if point is None:
            return None
        accepted = point["accepted"]["flits_per_node_cycle"]
        # A window cuts transactions anywhere, and a few of them are drawn otherwise than in the mean.
        if accepted["mean"] - accepted.get("ci95", 0) > bound * 1.02:
            self.wrong.append(f"seed {seed}: bound {bound:.4f}, accepted {accepted}")
        return accepted["mean"] / bound

    def test_nothing_above_the_bound_of_other_sources_is_accepted(self):
        self.wrong, counts, limited, shares = [], {}, {}, []
        for seed in seeds():
            config = random_ends(seed, self.write)
            self.write("fabric.yaml", json.dumps(config))
            code, out, err = self.call("verify", "fabric.yaml", "--json")
            if code == 2:
                counts["no fabric"] = counts.get("no fabric", 0) + 1
                continue
            load = json.loads(out)[0]["load"]
            bound = load["throughput_bound_flits_per_node_cycle"]
            kind = config["traffic"].get("source", {}).get("kind")
            by = load["bounds"][0]["by"]
            limited[kind, by] = limited.get((kind, by), 0) + 1
            if kind == "request_reply":
                share = self.transactions(seed, config, bound, counts)
                if share is not None:
                    shares.append(share)
                continue
            offered = None
            if kind == "flows":
                code, out, _ = self.call("explain", "fabric.yaml", "--json")
                ceiling = json.loads(out)["fabrics"][0]["ceiling"]
                self.assertEqual(code, 0)
                self.assertAlmostEqual(ceiling["throughput_bound_flits_per_node_cycle"], bound)
                offered = ceiling["offered_flits_per_node_cycle"]
            self.above(seed, config, bound, counts, offered)
        print(f"seeds {seeds()}: {counts}, limited by {limited}; against the bound: {len(self.wrong)}")
        print(f"accepted / bound of {len(shares)} closed loops: half below {statistics.median(shares):.2f}, "
              f"most {max(shares):.2f}")
        self.assertEqual(self.wrong, [])
        self.assertGreater(max(shares), 0.9, "a bound that is far too high is none that helps")


if __name__ == "__main__":
    unittest.main()
