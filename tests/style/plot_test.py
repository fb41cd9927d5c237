#!/usr/bin/python3
"""Does scripts/plot draw what a result folder holds, and refuse what is none? Usage: plot_test.py PLOT"""
import contextlib
import csv
import io
import itertools
import json
import os
import pathlib
import signal
import sys
import tempfile
import unittest

from plot_support import point, run, write  # puts the modules of scripts/plot on the path
from plots import figures, work

RADIX = 8
CURVES = ("--kind", "latency_throughput", "--kind", "throughput_load")  # what needs no tables


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
        table.writerow(["point", "label", "from", "to", "port", "link", "flits", "utilization", "from_x", "from_y",
                        "to_x", "to_y", "kind", "from_plane", "to_plane"])
        for i, p in enumerate(points):
            for x in range(RADIX):
                for y in range(RADIX):
                    for port, dx, dy in (("x_plus", 1, 0), ("x_minus", -1, 0), ("y_plus", 0, 1), ("y_minus", 0, -1)):
                        if 0 <= x + dx < RADIX and 0 <= y + dy < RADIX:
                            load = p["accepted"]["flits_per_node_cycle"]["mean"]
                            used = load * (min(x, RADIX - 1 - x) + 1) / 4 if dx else load * (y + 1) / 16
                            here, there = f"router_{x}_{y}", f"router_{x + dx}_{y + dy}"
                            table.writerow([i, p["label"], here, there, port, 0, round(1e4 * used), used, x, y, x + dx, y + dy,
                                            "plain", "", ""])
    with (folder / "latency_hist.csv").open("w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream)
        table.writerow(["point", "label", "latency_cycles_low", "latency_cycles_high", "count"])
        for i, p in enumerate(points):
            for low in range(12, 150):
                table.writerow([i, p["label"], low, low, max(0, 1000 - (low - 30 - 2 * i) ** 2)])
            table.writerow([i, p["label"], 150, 181, 40])


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

    def test_a_paper_gets_pdf(self):
        synthetic_folder(self.folder)
        code, out, err = run(self.folder, "--kind", "latency_histogram", "--pdf")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual([pathlib.Path(line).name for line in out.splitlines()],
                         [f"latency-histogram.{suffix}" for suffix in ("svg", "png", "pdf")])
        pdf = (self.folder / "plots/latency-histogram.pdf").read_bytes()
        self.assertTrue(pdf.startswith(b"%PDF"))
        self.assertNotIn(b"CreationDate", pdf)
        _, _, err = run(self.folder, "--kind", "latency_histogram")
        self.assertFalse((self.folder / "plots/latency-histogram.pdf").exists(), "it shows an earlier drawing")
        self.assertIn("drawn anew in other formats: latency-histogram.pdf", err)

    def names(self, *arguments):
        """Names of the files that are drawn."""
        code, out, err = run(self.folder, *arguments)
        self.assertEqual(code, 0)
        self.assertRegex(err, r"^(plot: removed from .*, as these figures are drawn anew in other formats: .*\n)?$")
        return [pathlib.Path(line).name for line in out.splitlines()]

    def test_formats_are_those_that_are_asked_for(self):
        synthetic_folder(self.folder)
        curve = ("--kind", "throughput_load")
        for arguments, suffixes in (((), ("svg", "png")), (("--format", "pdf"), ("pdf",)), (("--paper",), ("png", "pdf", "txt")),
                                    (("--format", "png,svg", "--pdf"), ("svg", "png", "pdf")),
                                    (("--format", "svg", "--format", "pdf"), ("svg", "pdf"))):
            with self.subTest(arguments):
                self.assertEqual(self.names(*curve, *arguments), [f"throughput-offered.{s}" for s in suffixes])

    def test_the_configuration_says_which_kinds(self):
        def config(plots):
            (self.folder / "results.json").write_text(json.dumps(
                {"schema": 2, "config": {"plots": plots}, "points": synthetic_points()}), encoding="utf-8")
        config(["latency_load"])
        self.assertEqual(self.names(), ["latency-offered.svg", "latency-offered.png"])
        self.assertEqual(self.names("--kind", "throughput_load", "--format", "svg"), ["throughput-offered.svg"])
        self.assertEqual(self.names("--kind", "throughput_load,latency_load", "--format", "svg"),
                         ["latency-offered.svg", "throughput-offered.svg"])
        config([])
        self.assertEqual({file.name for file in self.folder.glob("plots/*.pdf")}, set())
        for arguments in ((), ("--kind", "all")):  # the tables are missing
            self.assertEqual(run(self.folder, "--format", "svg", *arguments)[0], 2)
            self.assertEqual({file.stem for file in self.folder.glob("plots/*.svg")},
                             {"latency-throughput", "network-latency-throughput", "latency-offered", "throughput-offered"})

    def test_bad_options_are_named_with_remedy(self):
        synthetic_folder(self.folder)
        for arguments, expected in ((("--kind", "latency"), "'latency' is no kind of plot; give one of latency_throughput, "),
                                    (("--kind", ","), "',' is no kind of plot"), (("--format", "eps"), "svg, png, pdf, or several"),
                                    (("--ymax", "-3"), "'-3' is no number above 0"), (("--ymax", "inf"), "no number above 0"),
                                    (("--ymax", "9", "--show-all"), "not allowed with argument")):
            code, out, err = run(self.folder, *arguments)
            self.assertEqual((code, out), (2, ""), arguments)
            self.assertIn(expected, err)

    def test_draws_everything_and_prints_the_files(self):
        synthetic_folder(self.folder)
        code, out, err = run(self.folder)
        self.assertEqual((code, err), (0, ""))
        files = [pathlib.Path(line) for line in out.splitlines()]
        expected = {"latency-throughput", "network-latency-throughput", "latency-offered", "throughput-offered", "links-one",
                    "links-two", "latency-histogram"}
        self.assertEqual({f.name for f in files}, {f"{e}.{s}" for e in expected for s in ("svg", "png")})
        for file in files:
            start = file.read_bytes()[:60]
            self.assertIn(b"<?xml" if file.suffix == ".svg" else b"\x89PNG", start)
        curve = (self.folder / "plots/latency-throughput.svg").read_text(encoding="utf-8")
        for text in ("accepted throughput (flits per node and cycle)", "(cycles)", "two &lt;&amp;&gt;",
                     "saturated (hollow)", "not converged (ringed)", "deadlocked (cross)"):
            self.assertIn(text, curve)
        self.assertIn("offered load (flits per node and cycle)", self.drawn("latency-offered"))
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
        code, out, _ = run(self.folder, "--normalized", *CURVES)
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

    def names_drawn(self, points, *arguments):
        """Draws these points into an empty folder; gives the names of the figures, and standard error."""
        text = json.dumps({"schema": 2, "points": points})
        (self.folder / "results.json").write_text(text, encoding="utf-8")
        code, out, err = run(self.folder, *([] if "--kind" in arguments else CURVES), *arguments)
        self.assertEqual(code, 0, err)
        return sorted(pathlib.Path(line).stem for line in out.splitlines() if line.endswith(".svg")), err

    def drawn(self, name):
        return (self.folder / f"plots/{name}.svg").read_text(encoding="utf-8")

    def test_a_panel_for_each_length_of_a_comparison_over_loads(self):
        def longer(p, length, **more):
            return {**p, "set": {**p["set"], "traffic.packet_length": length, **more}}
        points = [longer(p, length) for length in (5, 15) for p in synthetic_points()]
        # What differs between the series only is their business, and so are seeds.
        by_series = [longer(p, 5, **{"node.lanes": 2 if p["label"] == "one" else 4, "seed": i})
                     for i, p in enumerate(synthetic_points())]
        for given, panels in ((by_series, 0), (points, 2)):
            drawn, err = self.names_drawn(given)
            self.assertEqual((drawn, err), (["latency-throughput", "network-latency-throughput", "throughput-offered"], ""))
            for name in drawn:
                self.assertEqual(self.drawn(name).count("packet_length"), panels, name)
        for text in ("packet_length 5", "packet_length 15", "two &lt;&amp;&gt;"):
            self.assertIn(text, self.drawn("latency-throughput"))

    def test_a_curve_over_what_is_swept_at_one_load(self):
        """Along x that changes with numbers; else each value has its name."""
        def at_one_load(values, accepted):
            return [{**p, "set": {"traffic.offered_load": 0.1, "axis": value}, "accepted": {"flits_per_node_cycle": share}}
                    for value, share in zip(values, accepted) for p in synthetic_points()[:1]]
        for values, accepted, names in (((5, 15), (0.1, 0.2), (0, 2)), ((5, 15), (0.1, 0.1), (2, 2)),
                                        (("uniform", "tornado"), (0.1, 0.2), (2, 2))):
            drawn, err = self.names_drawn(at_one_load(values, accepted), *CURVES)
            self.assertEqual(err, "")
            for figure, count in zip(("latency-throughput", "throughput-offered"), names):
                self.assertIn(figure, drawn)
                self.assertEqual(sum(self.drawn(figure).count(f">axis {v}<") for v in values), count, (figure, values))

    def test_what_figures_leave_out_is_said(self):
        points = self.swept(node__lanes=[1, 2])
        write(self.folder, points)
        code, _, err = run(self.folder, "--kind", "link_heat_map")
        self.assertEqual(code, 0, err)
        self.assertIn("of each series one point is drawn", err)
        self.assertIn("node.lanes", err)
        _, err = self.names_drawn(points, "--kind", "latency_load", "--ymax", "1")
        self.assertIn("4 stable points lie above --ymax 1", err)
        nothing = [{**p, "status": "deadlocked", "latency_cycles": {}} for p in points[:1]]
        _, err = self.names_drawn([*nothing, *points[1:]], "--kind", "latency_load")
        self.assertIn("1 of 4 points have no latency and are left out (1 deadlocked)", err)

    def swept(self, **axes):
        """Points of one series over all combinations of these values."""
        keys = [key.replace("__", ".") for key in axes]
        return [{**point("generic", 0.1 * load, "stable"), "set": {**dict(zip(keys, given)), "traffic.offered_load": load}}
                for given in itertools.product(*axes.values()) for load in (1, 2)]

    def test_one_axis_makes_the_curves_and_the_others_panels(self):
        points = self.swept(node__lanes=[1, 2], traffic__pattern=["uniform", {"kind": "hotspot", "fraction": 0.1}, "c"],
                            topology__radix=[[4, 4], [8, 8]])
        drawn, err = self.names_drawn(points, "--kind", "throughput_load")
        self.assertEqual((drawn, err), (["throughput-offered"], ""))
        text = self.drawn("throughput-offered")
        for curve in ("pattern uniform", "pattern hotspot fraction=0.1", "pattern c"):
            self.assertEqual(text.count(curve), 1, curve)  # in the legend
        for lanes in (1, 2):
            for radix in ("[4, 4]", "[8, 8]"):
                self.assertEqual(text.count(f"lanes {lanes}, radix {radix}"), 1)

    def chosen(self, points):
        """Names of the figures of throughput over load, and how many panels each has."""
        made = figures.figures_by_kind(self.folder, points, ["throughput_load"], False, self.fail)["throughput_load"]
        return {figure.name: len(figure.arguments[0]) for figure in made}

    def test_more_panels_than_a_figure_holds_go_to_more_figures(self):
        # Five curves; four panels, as three times as many are too many.
        points = self.swept(a__one=[1, 2, 3], a__two=[1, 2, 3, 4], a__three=[1, 2, 3, 4], a__four=[1, 2, 3, 4, 5])
        self.assertEqual(self.chosen(points), {f"throughput-offered-one-{one}-two-{two}": 4
                                               for one in (1, 2, 3) for two in (1, 2, 3, 4)})
        self.assertEqual(self.chosen(self.swept(a__one=list(range(15)))),
                         {"throughput-offered-part-1-of-2": 12, "throughput-offered-part-2-of-2": 3})
        self.assertEqual(self.chosen(self.swept(a__one=["x y", "x-y"], a__two=list(range(9)), a__three=list(range(8)))),
                         {"throughput-offered-two-" + str(two): 8 for two in range(9)})

    def test_figures_that_would_have_one_name_get_two(self):
        points = self.swept(a__zero=[1, 2, 3], a__one=["x y", "x-y"], a__two=list(range(9)))
        self.assertEqual(self.chosen(points), {"throughput-offered-one-x-y": 9, "throughput-offered-one-x-y-2": 9})
        long = self.swept(a__zero=[1, 2, 3], a__one=["x" * 500 + "y", "x" * 500 + "z"], a__two=list(range(9)))
        self.assertEqual(len(self.chosen(long)), 2)
        self.assertLess(max(map(len, self.chosen(long))), 150)

    def test_more_figures_than_the_cap_are_said_with_how_to_draw_them(self):
        drawn, err = self.names_drawn(self.swept(node__lanes=[1, 2]), "--max-figures", 2)
        self.assertEqual(drawn, ["latency-throughput", "throughput-offered"])  # of every kind in turn
        self.assertIn("3 figures would show everything; 2 are drawn. Left out: 1 of latency_throughput (the first is "
                      "network-latency-throughput)", err)
        self.assertIn(f"{self.folder} --max-figures 3;", err)
        many = self.swept(a__one=list(range(30)), a__two=list(range(10)), a__three=[1, 2])
        made = figures.figures_by_kind(self.folder, many, ["latency_throughput", "throughput_load"], False, self.fail)
        chosen, left = figures.up_to(made, figures.MOST_FIGURES)
        self.assertEqual(len(chosen), figures.MOST_FIGURES)
        self.assertEqual(len(chosen) + sum(map(len, left.values())), sum(map(len, made.values())))
        for text in ("0", "-1", "many"):
            self.assertEqual(run(self.folder, "--max-figures", text)[0], 2)

    def test_tells_how_far_it_is_where_that_is_asked_for(self):
        _, err = self.names_drawn(self.swept(node__lanes=[1, 2]), "--kind", "throughput_load", "--progress")
        self.assertEqual(err.splitlines(), ["plots: 0/1 figures drawn", "plots: 1/1 figures drawn"])
        for asked, quiet, lines in ((True, False, [0, 1, 3, 4]), (False, False, []), (True, True, [])):
            with contextlib.redirect_stderr(io.StringIO()) as said:
                progress = work.Progress(4, asked, quiet)
                for done, now in ((0, 10), (0, 39), (1, 40), (2, 69), (3, 71), (4, 72)):
                    progress.tell(done, now)
            self.assertEqual(said.getvalue().splitlines(), [f"plots: {n}/4 figures drawn" for n in lines])

    def test_what_showed_other_results_is_removed_and_nothing_else(self):
        self.names_drawn(self.swept(node__lanes=[1, 2]), "--kind", "latency_throughput")
        drawn, err = self.names_drawn(self.swept(node__lanes=[1, 2]), "--kind", "throughput_load")
        self.assertEqual(err, "")  # the same results: both stay
        own = self.folder / "plots/my-own.svg"
        own.write_text("mine", encoding="utf-8")
        drawn, err = self.names_drawn(self.swept(node__lanes=[1, 2, 3]), "--kind", "throughput_load")
        self.assertIn("removed from", err)
        self.assertIn("what showed earlier results: latency-throughput.png, latency-throughput.svg, network-", err)
        self.assertEqual({file.stem for file in own.parent.glob("*.svg")}, {*drawn, "my-own"})

    def test_a_figure_that_fails_costs_no_other(self):
        class Stub:
            out = self.folder

            def fine(self, name):
                for file in work.files_of(self.out, figures.Figure(name, "", ())):
                    file.write_text("drawn", encoding="utf-8")

            def wrong(self, name):
                self.fine(name)
                raise ValueError("no such colour")

            def killed(self, name):
                self.fine(name)
                os.kill(os.getpid(), signal.SIGKILL)

        wanted = [figures.Figure(name, name[:-1], (name,)) for name in ("fine1", "wrong1", "killed1", "fine2", "fine3")]
        for jobs in (1, 3):
            files, failed = work.draw(Stub(), wanted, jobs, work.Progress(5, False, True))
            self.assertEqual([file.name for file in files],
                             [f"fine{n}.{suffix}" for n in (1, 2, 3) for suffix in (*work.SUFFIXES, work.CAPTION)])
            self.assertEqual(failed, ["wrong1", "killed1"])
            self.assertFalse((self.folder / "killed1.svg").exists(), "half a figure")

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
