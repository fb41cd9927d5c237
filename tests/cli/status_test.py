#!/usr/bin/python3
"""Is a point called stable only if a longer run does not contradict it? And is what the statuses say of silent
terminals, of discarding sources and of windows without deliveries consistent?

The sample of random points: 4 within 10 % of its saturation for each of NOCTULE_STATUS_FABRICS fabrics (2; in
`scripts/test --full` 50), each run again 20 times as long."""
import collections
import os
import random
import unittest

import cli_support
from cli_support import CommandLineTest

POINTS = 4  # of each fabric
FABRICS = int(os.environ.get("NOCTULE_STATUS_FABRICS", "2"))
LONGER = 20
cli_support.TIMEOUT = 1200  # seconds: the points of a fabric are one command
ROUTINGS_OF_THEIR_OWN = ("star_channels", "four_classes", "linder_harden", "oblivious")


def random_fabric(rng):
    """Settings of a small fabric, and the lengths of its windows."""
    kind, radix = rng.choice(("torus", "mesh")), [rng.randint(4, 8), rng.randint(4, 8)]
    own = ROUTINGS_OF_THEIR_OWN if kind == "torus" else ()
    node = rng.choice((*own, "fixed_slot", "generic", "input_queued"))
    settings = {"topology": f"{{kind: {kind}, radix: {radix}}}", "node.model": node,
                "traffic.packet_length": rng.choice((1, 2, 4, 5, 9, 15))}
    if node not in own:
        settings["routing.algorithm"] = "dimension_order"
    if node == "generic":
        settings.update({"node.lanes": rng.randint(1, 3), "node.input_depth": rng.choice((1, 2, 4, 8))})
    if node == "input_queued":
        settings["link.credit_delay"] = rng.randint(1, 3)
    patterns = ["uniform", "uniform", "{kind: hotspot, nodes: [3, 9], fraction: 0.05}"]
    settings["traffic.pattern"] = rng.choice(patterns + ["transpose"] * (radix[0] == radix[1]))
    cycles = rng.choice((2000, 4000, 8000, 15000)) if FABRICS > 2 else 2000
    settings["measurement.warm_up"] = cycles // rng.choice((2, 4, 8))
    return settings, cycles


class Status(CommandLineTest):
    def points(self, command, settings, *more):
        self.write("bare.yaml", "name: bare\n")
        sets = [part for key, value in settings.items() for part in ("--set", f"{key}={value}")]
        return self.json_of(command, "bare.yaml", "--fresh", *sets, "--set", "plots=[]", *more)["points"]

    def point(self, settings):
        return self.points("run", settings)[0]


class LongRuns(Status):
    def saturation(self, settings):
        """The largest load that is delivered, in flits per terminal and cycle; no status is asked."""
        low, high = 0.0, 1.0
        for _ in range(6):
            load = (low + high) / 2
            point = self.point({**settings, "traffic.offered_load": load, "measurement.warm_up": 2000,
                                "measurement.cycles": 6000})
            served = (point["accepted"]["fraction_of_generated"] >= 0.97 and
                      point["source_queue_packets_per_node"] <= 30)
            low, high = (load, high) if served else (low, load)
        return low

    def test_a_run_twenty_times_as_long_does_not_contradict_stable(self):
        seen, contradicted = collections.Counter(), []
        for fabric in range(FABRICS):
            rng = random.Random(fabric)
            settings, cycles = random_fabric(rng)
            saturation = self.saturation(settings)
            loads = [round(saturation * rng.uniform(0.9, 1.1), 5) for _ in range(POINTS)]
            found = self.points("sweep", {**settings, "seed": fabric + 1},
                                "--axis", "traffic.offered_load=" + ",".join(map(str, loads)),
                                "--axis", f"measurement.cycles={cycles},{LONGER * cycles}")
            by_load = collections.defaultdict(dict)
            for point in found:
                by_load[point["set"]["traffic.offered_load"]][point["set"]["measurement.cycles"]] = point
            for load, both in by_load.items():
                short, long = (both[cycles]["status"], both[LONGER * cycles]["status"])
                seen[short, long] += 1
                if short == "stable" and long not in ("stable", "not_converged"):
                    contradicted.append(f"fabric {fabric}: {settings}, {load}: {both[cycles]['status_rule']} "
                                        f"but {both[LONGER * cycles]['status_rule']}")
            print(f"fabric {fabric}: {sum(seen.values())} points so far, {len(contradicted)} contradicted", flush=True)
        stable = sum(n for (short, _), n in seen.items() if short == "stable")
        print(f"seeds 0 to {FABRICS - 1}: {sum(seen.values())} points within 10 % of saturation, {stable} stable, "
              f"{len(contradicted)} of them saturated or deadlocked in a run {LONGER} times as long")
        for (short, long), n in sorted(seen.items()):
            print(f"  {short:<14} then {long:<14} {n}")
        self.assertLessEqual(len(contradicted), 0.01 * stable, "\n".join(contradicted))
        if FABRICS >= 10:
            self.assertGreater(stable, 0)

    FIXED_SLOT = {"topology": "{kind: torus, radix: [8, 8]}", "node.model": "fixed_slot",
                  "routing.algorithm": "dimension_order", "link.credit_delay": 0, "traffic.packet_length": 4,
                  "measurement.warm_up": 5000, "measurement.cycles": 20000}
    INPUT_QUEUED = {"topology": "{kind: mesh, radix: [8, 8]}", "node.model": "input_queued", "link.credit_delay": 2,
                    "measurement.warm_up": 2500}

    def test_slow_growth_is_not_stable(self):
        point = self.point({**self.FIXED_SLOT, "traffic.offered_load": 0.205})
        self.assertIn(point["status"], ("saturated", "not_converged"), point["status_rule"])
        for cycles in (10000, 40000):
            point = self.point({**self.INPUT_QUEUED, "traffic.offered_load": 0.405, "measurement.cycles": cycles})
            self.assertNotEqual(point["status"], "stable", point["status_rule"])
            if point["status"] == "not_converged":
                self.assertRegex(point["status_rule"], r"about \d+ measured cycles would tell")

    def test_light_and_moderate_load_are_stable(self):
        for load, cycles in ((0.02, 5000), (0.1, 5000), (0.16, 20000)):
            point = self.point({**self.FIXED_SLOT, "traffic.offered_load": load, "measurement.cycles": cycles})
            self.assertEqual(point["status"], "stable", point["status_rule"])
        for load in (0.02, 0.2, 0.3):
            point = self.point({**self.INPUT_QUEUED, "traffic.offered_load": load, "measurement.cycles": 5000})
            self.assertEqual(point["status"], "stable", point["status_rule"])


class Consistent(Status):
    def test_nothing_delivered_is_not_stable(self):
        for queue in ("infinite", "discard"):
            point = self.point({"traffic.packet_length": 65535, "measurement.warm_up": 0, "measurement.cycles": 100,
                                "traffic.offered_load": 1, "traffic.source_queue": queue})
            self.assertEqual(point["packets"]["delivered"], 0)
            self.assertEqual(point["status"], "not_converged")
            self.assertIn("none was delivered", point["status_rule"])

    def test_a_stable_sentence_has_figures_that_say_so(self):
        # Short windows, in which accepted and offered load differ by chance.
        for seed in range(1, 9):
            point = self.point({"topology": "{kind: mesh, radix: [4, 4]}", "traffic.offered_load": 0.42, "seed": seed,
                                "node.model": "input_queued", "measurement.warm_up": 100, "measurement.cycles": 400})
            share = point["accepted"]["fraction_of_generated"]
            if point["status"] == "stable":
                self.assertGreaterEqual(share, 0.97, point["status_rule"])
            self.assertRegex(point["status_rule"], "^" + point["status"] + ":")

    def test_loads_are_those_of_the_terminals_that_inject(self):
        settings = {"topology": "{kind: mesh, radix: [8, 8]}", "traffic.pattern": "transpose", "node.model":
                    "input_queued", "measurement.warm_up": 1000, "measurement.cycles": 10000}
        point = self.point({**settings, "traffic.offered_load": 0.1})
        self.assertEqual(point["terminals"], {"all": 64, "injecting": 56})
        self.assertEqual(point["status"], "stable")
        offered, accepted = point["offered"], point["accepted"]
        self.assertAlmostEqual(accepted["flits_per_node_cycle"]["mean"], 0.1, delta=0.002)
        self.assertAlmostEqual(offered["flits_per_node_cycle_all_terminals"], 0.1 * 56 / 64)
        self.assertAlmostEqual(accepted["flits_per_node_cycle_all_terminals"]["mean"],
                               accepted["flits_per_node_cycle"]["mean"] * 56 / 64)
        self.assertGreater(accepted["minimum_node_flits_per_node_cycle"], 0, "silent terminals get nothing")
        rule = point["status_rule"]
        self.assertIn(f"{accepted['flits_per_node_cycle']['mean']:.4g} flits per injecting terminal and cycle were "
                      "accepted of 0.1 offered", rule)
        table = self.noctule("run", "bare.yaml", "--set", "traffic.pattern=transpose", "--set",
                             "topology={kind: mesh, radix: [8, 8]}", "--set", "measurement.cycles=2000")[0]
        self.assertIn("loads are per terminal that injects (56 of 64)", table)
        everyone = self.point({**settings, "traffic.pattern": "uniform"})
        self.assertEqual(everyone["terminals"], {"all": 64, "injecting": 64})
        self.assertNotIn("all_terminals", str(everyone))

    def test_the_terminals_of_a_trace_are_its_own(self):
        # The pattern, which a trace overrides, has silent terminals.
        self.write("t.txt", "".join(f"{10 * n} {n % 2} 7 5\n" for n in range(40)))
        point = self.point({"topology": "{kind: mesh, radix: [4, 4]}",
                            "traffic.source": "{kind: trace_file, file: t.txt}"})
        self.assertEqual(point["terminals"], {"all": 16, "injecting": 2})
        accepted = point["accepted"]
        cycles = point["cycles"]["measured"]
        self.assertAlmostEqual(accepted["flits_per_node_cycle"]["mean"], 200 / 2 / cycles)
        self.assertAlmostEqual(accepted["flits_per_node_cycle_all_terminals"]["mean"], 200 / 16 / cycles)
        self.assertAlmostEqual(accepted["minimum_node_flits_per_node_cycle"], 200 / cycles)

    def test_a_comparison_says_what_its_points_say(self):
        # Past the maximum of accepted throughput, by chance or not: only a sweep can tell, where sources discard.
        settings = {"topology": "{kind: torus, radix: [6, 6]}", "traffic.packet_length": 15,
                    "traffic.load_unit": "normalized", "traffic.source_queue": "discard", "measurement.warm_up": 500,
                    "measurement.cycles": 4000}
        sets = [part for key, value in settings.items() for part in ("--set", f"{key}={value}")]
        self.write("bare.yaml", "name: bare\n")
        document = self.json_of("compare", "bare.yaml", "--axis", "node.model=linder_harden,oblivious",
                                "--axis", "traffic.offered_load=0.3,5,6,7,8,9", *sets)
        self.assert_agree(document)
        self.assertIn("saturated", [p["status"] for p in document["comparison"]])

    def test_discarding_by_series_is_told_too(self):
        self.write("both.yaml", """\
topology: {kind: torus, radix: [6, 6]}
traffic: {packet_length: 15, load_unit: normalized}
node: linder_harden
measurement: {warm_up: 500, cycles: 4000}
sweep: {traffic.offered_load: [0.3, 5, 6, 7, 8, 9]}
compare:
  - {label: queue, set: {traffic.source_queue: infinite}}
  - {label: discard, set: {traffic.source_queue: discard}}
plots: []
""")
        document = self.json_of("run", "both.yaml")
        self.assert_agree(document)
        self.assertIn("saturated", [p["status"] for p in document["points"] if p["label"] == "discard"])

    def assert_agree(self, document):
        of_point = {(p["label"], str(p["set"].get("traffic.offered_load"))): p["status"] for p in document["points"]}
        for compared in document["comparison"]:
            load = str(compared["set"].get("traffic.offered_load"))
            self.assertEqual(compared["status"], of_point[compared["label"], load], compared)
            self.assertEqual(compared["baseline_status"], of_point[compared["baseline"], load], compared)


if __name__ == "__main__":
    unittest.main(verbosity=2)
