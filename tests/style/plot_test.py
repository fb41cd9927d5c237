#!/usr/bin/python3
"""Does scripts/plot draw what a result folder holds, and refuse what is none? Usage: plot_test.py PLOT"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PLOT = pathlib.Path(sys.argv[1])
RADIX = 8


def point(label, load, status):
    accepted = min(load, 0.25)
    latency = 20 + 5 / max(0.26 - accepted, 0.01) * (1 if label == "one" else 1.5)
    share = {"mean": accepted, "ci95": 0.002}
    return {
        "label": label, "set": {"traffic.offered_load": load}, "status": status,
        "offered": {"flits_per_node_cycle": load, "packets_per_node_cycle": load / 5, "normalized": load / 0.5},
        "accepted": {"flits_per_node_cycle": share, "normalized": {"mean": accepted / 0.5, "ci95": 0.004}},
        "latency_cycles": {"total": {"mean": latency, "ci95": 1.5}, "network": {"mean": 0.9 * latency, "ci95": 1}},
    }


def synthetic_points():
    points = [point("one", 0.05 * i, "stable" if i < 6 else "saturated") for i in range(1, 8)]
    points += [point("two <&>", 0.05 * i, "stable" if i < 5 else "not_converged") for i in range(1, 6)]
    return points + [point("two <&>", 0.3, "deadlocked")]


def synthetic_folder(folder):
    points = synthetic_points()
    text = json.dumps({"noctule": "0.1.0", "schema": 2, "command": "sweep", "seed": 1, "config": {}, "points": points})
    (folder / "results.json").write_text(text, encoding="utf-8")
    with (folder / "links.csv").open("w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream)
        table.writerow(["point", "label", "from", "to", "port", "link", "flits", "utilization"])
        for i, p in enumerate(points):
            for x in range(RADIX):
                for y in range(RADIX):
                    for port, dx, dy in (("x_plus", 1, 0), ("x_minus", -1, 0), ("y_plus", 0, 1), ("y_minus", 0, -1)):
                        if 0 <= x + dx < RADIX and 0 <= y + dy < RADIX:
                            load = p["accepted"]["flits_per_node_cycle"]["mean"]
                            used = load * (min(x, RADIX - 1 - x) + 1) / 4 if dx else load * (y + 1) / 16
                            here, there = f"router_{x}_{y}", f"router_{x + dx}_{y + dy}"
                            table.writerow([i, p["label"], here, there, port, 0, round(1e4 * used), used])
    with (folder / "latency_hist.csv").open("w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream)
        table.writerow(["point", "label", "latency_cycles_low", "latency_cycles_high", "count"])
        for i, p in enumerate(points):
            for low in range(12, 150):
                table.writerow([i, p["label"], low, low, max(0, 1000 - (low - 30 - 2 * i) ** 2)])
            table.writerow([i, p["label"], 150, 181, 40])


def run(*arguments):
    done = subprocess.run([str(PLOT), *map(str, arguments)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def with_cost(point, area_um2, *cycles):
    return {**point, "cost": {
        "router": "hand_made", "library": "mylib", "corner": "cold", "tuning": "mine", "tools": "pencil 1",
        "notes": ["not quite"], "area_um2": {"low": area_um2, "high": area_um2},
        "cycle_ns": {"low": min(cycles), "high": max(cycles)},
        "mappings": [{"recipe": str(c), "area_um2": area_um2, "cycle_ns": c} for c in cycles]}}


class Plots(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def test_draws_everything_and_prints_the_files(self):
        synthetic_folder(self.folder)
        code, out, err = run(self.folder)
        self.assertEqual((code, err), (0, ""))
        files = [pathlib.Path(line) for line in out.splitlines()]
        expected = {"latency-throughput", "network-latency-throughput", "throughput-offered", "links-one",
                    "links-two", "latency-histogram"}
        self.assertEqual({f.name for f in files}, {f"{e}.{s}" for e in expected for s in ("svg", "png")})
        for file in files:
            start = file.read_bytes()[:60]
            self.assertIn(b"<?xml" if file.suffix == ".svg" else b"\x89PNG", start)
        curve = (self.folder / "plots/latency-throughput.svg").read_text(encoding="utf-8")
        for text in ("accepted throughput (flits per node and cycle)", "(cycles)", "two &lt;&amp;&gt;",
                     "saturated (hollow)", "not converged", "deadlocked (cross)"):
            self.assertIn(text, curve)
        heat = (self.folder / "plots/links-one.svg").read_text(encoding="utf-8")
        self.assertIn("flits per link and cycle", heat)

    def test_same_folder_gives_the_same_bytes(self):
        synthetic_folder(self.folder)
        run(self.folder, "--out", self.folder / "a")
        run(self.folder, "--out", self.folder / "b")
        for name in ("latency-throughput.svg", "links-one.svg"):
            self.assertEqual((self.folder / "a" / name).read_bytes(), (self.folder / "b" / name).read_bytes())

    def test_makes_do_with_a_point_that_measured_little(self):
        points = [point("one", 0.1, "stable"), {"label": "one", "status": "deadlocked", "offered": {}}]
        text = json.dumps({"schema": 2, "points": points})
        (self.folder / "results.json").write_text(text, encoding="utf-8")
        code, out, _ = run(self.folder, "--normalized")
        self.assertEqual(code, 0)
        self.assertIn("throughput-offered.svg", out)

    def test_draws_time_and_area_where_the_points_know_them(self):
        points = [with_cost(p, 1e6, 2, 3) if p["label"] == "one" else with_cost(p, 2e6, 4) for p in synthetic_points()]
        text = json.dumps({"schema": 2, "points": points})
        (self.folder / "results.json").write_text(text, encoding="utf-8")
        code, out, err = run(self.folder, "--kind", "latency_ns", "--kind", "throughput_area")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual({pathlib.Path(line).name for line in out.splitlines()},
                         {f"{name}.{s}" for name in ("latency-ns", "throughput-area") for s in ("svg", "png")})
        for name, unit in (("latency-ns", "(ns)"), ("throughput-area", "per ns and mm² of router")):
            drawn = (self.folder / f"plots/{name}.svg").read_text(encoding="utf-8")
            for expected in (unit, "library mylib (cold), tuning mine, pencil 1; no wires; thin lines: 2 mappings",
                             "hand_made: not quite", "two &lt;&amp;&gt;", "saturated (hollow)"):
                self.assertIn(expected, drawn)

    def test_one_figure_for_each_length_of_a_sweep_of_loads(self):
        def longer(p, length, **more):
            return {**p, "set": {**p["set"], "traffic.packet_length": length, **more}}
        points = [longer(p, length) for length in (5, 15) for p in synthetic_points()]
        names = {f"{what}-packet_length-{length}.svg" for length in (5, 15)
                 for what in ("latency-throughput", "network-latency-throughput", "throughput-offered")}
        # What differs between the series only is their business, and so are seeds.
        by_series = [longer(p, 5, **{"node.lanes": 2 if p["label"] == "one" else 4, "seed": i})
                     for i, p in enumerate(synthetic_points())]
        # One load each: a curve over what is swept.
        one_load = [longer(p, length) for length in (5, 15) for p in synthetic_points()[:1]]
        plain = {f"{what}.svg" for what in ("latency-throughput", "network-latency-throughput", "throughput-offered")}
        for given, expected in ((points, names), (by_series, plain), (one_load, plain)):
            text = json.dumps({"schema": 2, "points": given})
            (self.folder / "results.json").write_text(text, encoding="utf-8")
            code, out, err = run(self.folder)
            self.assertEqual((code, err), (0, ""))
            self.assertEqual({pathlib.Path(line).name for line in out.splitlines() if line.endswith(".svg")}, expected)
        self.assertIn("packet_length 15",
                      (self.folder / "plots/latency-throughput-packet_length-15.svg").read_text(encoding="utf-8"))

    def test_does_not_draw_time_where_the_points_do_not_know_it(self):
        synthetic_folder(self.folder)
        code, out, err = run(self.folder, "--kind", "latency_ns")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("say nothing of the hardware; run with plots: [latency_ns]", err)

    def test_refuses_what_is_no_result_folder(self):
        with tempfile.TemporaryDirectory() as empty:
            empty = pathlib.Path(empty)
            for content, expected in ((None, "no results.json"), ("{", "cannot be read as JSON"), ("[]", "no points"),
                                      ('{"schema": 2, "points": []}', "no points"),
                                      ('{"schema": 9, "points": [{}]}', "schema 9"),
                                      ('{"schema": 2, "points": [{"label": "a"}]}', "nothing that can be plotted")):
                if content is not None:
                    (empty / "results.json").write_text(content, encoding="utf-8")
                code, out, err = run(empty)
                self.assertEqual((code, out), (2, ""), content)
                self.assertIn(expected, err)
            self.assertEqual(run(empty / "missing")[0], 2)
        self.assertEqual(run()[0], 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
