#!/usr/bin/python3
"""Can figures be read, whatever the labels, networks and loads, and is it loud if one cannot be drawn?
Usage: plot_look_test.py PLOT"""
import csv
import itertools
import json
import math
import os
import pathlib
import re
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

from plot_test import PLOT, point, run  # puts the modules of scripts/plot on the path
from plots import drawing, heat_map, histogram, look, text
from plots.results import SCHEMA, load_text, read_results, shares_up_to

BAD_LABELS = ["$x_1^2$", "$unclosed", "a_{b}^{c}", "\\frac{1}{2} \\nosuch{", "_begins with an underscore", "%d & <b>",
              "two\nlines", "two lines", "", "\u6c49\u5b57", "face \U0001f642", "half \ud83d of a letter", "x" * 400]
CONFIG = {"name": "a name", "topology": {"kind": "torus", "radix": [4, 4]},
          "traffic": {"pattern": {"kind": "uniform", "allow_self": False}, "packet_length": 5,
                      "source": {"kind": "bernoulli"}, "multicast": {"fraction": 0, "least": 2, "most": 8}}}


def axis_name(dimension):
    return "xyz"[dimension] if dimension < 3 else f"d{dimension}"


def position(at, radix):
    """Where a router of a torus lies: planes are side by side, by turns to the right and upwards."""
    place, size = [0, 0], [1, 1]
    for d, coordinate in enumerate(at):
        place[d % 2] += size[d % 2] * coordinate
        size[d % 2] = size[d % 2] * radix[d] + 1
    return place


def plane(at):
    return '"' + ", ".join(f"{axis_name(d)} = {at[d]}" for d in range(2, len(at))) + '"'


def write(folder, points, config=CONFIG, radix=(4, 4)):
    """A result folder with tables, for a torus."""
    (folder / "results.json").write_text(json.dumps({"schema": SCHEMA, "config": config, "points": points}), encoding="utf-8")
    links = ["point,label,from,to,port,link,flits,utilization,from_x,from_y,to_x,to_y,kind,from_plane,to_plane"]
    latencies = ["point,label,latency_cycles_low,latency_cycles_high,count"]
    for i in range(len(points)):
        for at in itertools.product(*map(range, radix)):
            for d, (sign, name) in itertools.product(range(len(radix)), ((1, "plus"), (-1, "minus"))):
                to = [(a + sign) % radix[d] if e == d else a for e, a in enumerate(at)]
                places = ",".join(map(str, (*position(at, radix), *position(to, radix))))
                kind = "plain" if 0 <= at[d] + sign < radix[d] else "wrap"
                links.append(f"{i},l,router_{'_'.join(map(str, at))},router_{'_'.join(map(str, to))},"
                             f"{axis_name(d)}_{name},0,1,{0.1 / (d + 1)},{places},{kind},{plane(at)},{plane(to)}")
        latencies += [f"{i},l,{low},{low},{low}" for low in range(10 + i, 40)]
    (folder / "links.csv").write_text("\n".join(links) + "\n", encoding="utf-8")
    (folder / "latency_hist.csv").write_text("\n".join(latencies) + "\n", encoding="utf-8")


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def draw(self, *arguments, code=0):
        got, out, err = run(self.folder, "--quiet", *arguments)
        self.assertEqual(got, code, err)
        return [pathlib.Path(line) for line in out.splitlines()], err

    def texts(self, name):
        """All texts of a figure, well-formed or not."""
        root = xml.parse(self.folder / f"plots/{name}.svg").getroot()
        return ["".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")]


class Labels(Folder):
    def test_of_every_kind_are_drawn_as_they_were_given(self):
        write(self.folder, [point(label, load, "stable") for label in BAD_LABELS for load in (0.1, 0.2)], radix=(2,))
        files, err = self.draw("--max-figures", "40")
        self.assertNotIn("Traceback", err)
        self.assertNotIn("Warning", err)
        self.assertEqual(len({f.name for f in files}), 2 * (4 + len(BAD_LABELS) + 1))
        for name in ("latency-throughput", "latency-histogram"):
            drawn = self.texts(name)
            for label in BAD_LABELS[:6]:
                self.assertIn(label, drawn)
            self.assertIn("two lines", drawn)
            self.assertIn("two lines (2)", drawn, "another series, which looks the same")

    def test_without_a_glyph_are_written_in_numbers_and_said(self):
        class NoFonts:
            ttflist = []
        matplotlib = drawing.load_matplotlib().matplotlib
        fonts, manager = text.Fonts(matplotlib), matplotlib.font_manager
        kept, manager.fontManager.ttflist = manager.fontManager.ttflist, NoFonts.ttflist
        try:
            missing = fonts.prepare({"\u6c49 x", "\U0001f642", "mm\u00b2"})
        finally:
            manager.fontManager.ttflist = kept
        self.assertEqual(missing, {"\u6c49", "\U0001f642"})
        self.assertEqual(fonts.text("\u6c49 \U0001f642 mm\u00b2"), "[U+6C49] [U+1F642] mm\u00b2")
        self.assertIn("U+6C49, U+1F642", text.missing_text(missing))
        self.assertIn("install a font", text.missing_text(missing))

    def test_use_another_font_where_one_has_the_letters(self):
        matplotlib = drawing.load_matplotlib().matplotlib
        fonts = text.Fonts(matplotlib)
        first, *others = [entry for entry in matplotlib.font_manager.fontManager.ttflist if entry.style == "normal"]
        letters = {chr(code) for entry in (first, *others[:40])
                   for code in matplotlib.font_manager.get_font(entry.fname).get_charmap() if code > 0x7e}
        letters = {letter for letter in letters if text.drawable(letter) == letter}
        missing = fonts.prepare(letters)
        self.assertLess(len(missing), len(letters))
        families = matplotlib.rcParams["font.family"]
        self.assertEqual(families[0], text.FIRST_FONT)
        self.assertLessEqual(len(families), 1 + text.MOST_FONTS)

    def test_are_not_mistaken_for_formulas_by_settings_of_the_user(self):
        (self.folder / "matplotlibrc").write_text("text.usetex: True\nsavefig.format: pdf\nfont.size: 60\n", encoding="utf-8")
        write(self.folder, [point("$a$", 0.1, "stable")])
        os.environ["MATPLOTLIBRC"] = str(self.folder / "matplotlibrc")
        self.addCleanup(os.environ.pop, "MATPLOTLIBRC")
        self.draw("--kind", "latency_throughput")
        self.assertIn("$a$", self.texts("latency-throughput"))


class Figures(Folder):
    """Every text lies inside of its figure, and no text on another or on the axes."""

    def boxes(self, draw, points, config=CONFIG):
        """Draws without writing; (box of the file, boxes of texts and legends, boxes of axes), in inches."""
        found = {}

        class Plotter(drawing.Plotter):
            def write(self, figure, name, stack):
                renderer = figure.canvas.get_renderer()
                inches = figure.dpi_scale_trans.inverted()
                texts = [t for t in figure.texts if t.get_text()] + figure.legends
                titles = [axis.label for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)
                          if axis.get_visible() and axis.label.get_text()]
                found.update(file=stack.box.transformed(inches),
                             outside=[t.get_window_extent(renderer).transformed(inches) for t in texts],
                             titles=[t.get_window_extent(renderer).transformed(inches) for t in titles],
                             axes=[axes.get_window_extent(renderer).transformed(inches) for axes in figure.axes],
                             texts=[t.get_text() for t in figure.texts])
                self.plt.close(figure)

        draw(Plotter(self.folder, drawing.load_matplotlib(), ("svg", "png"), {"points": points, "config": config}, self.fail))
        return found

    def expect_readable(self, found):
        for box in found["outside"] + found["titles"] + found["axes"]:
            for low, high, inner, outer in ((found["file"].x0, found["file"].x1, box.x0, box.x1),
                                            (found["file"].y0, found["file"].y1, box.y0, box.y1)):
                self.assertLessEqual(low, inner + 1e-6)
                self.assertGreaterEqual(high, outer - 1e-6)
        for a, b in itertools.combinations(found["outside"] + found["axes"], 2):
            apart = a.x1 <= b.x0 + 0.02 or b.x1 <= a.x0 + 0.02 or a.y1 <= b.y0 + 0.02 or b.y1 <= a.y0 + 0.02
            self.assertTrue(apart, f"{a} and {b}")

    def test_of_curves_have_their_legend_beside_the_axes(self):
        for labels, kind in ((["a"], "total"), (["y" * 300, "z"], "network"), ([f"{k}" for k in range(30)], "total"),
                             ([f"series {k} of a comparison with names that are longer than usual" for k in range(9)],
                              "network")):
            points = [point(label, load, "stable") for label in labels for load in (0.1, 0.2)]
            self.expect_readable(self.boxes(
                lambda plotter, kind=kind, points=points: plotter.curves(
                    [("", points)], "x", "A title\nlanes 4", ("accepted.flits_per_node_cycle", "accepted throughput"),
                    (f"latency_cycles.{kind}", "mean latency: header injected to tail consumed (cycles)")), points))

    def links(self):
        with (self.folder / "links.csv").open(encoding="utf-8", newline="") as stream:
            return [heat_map.grid_link("links.csv", row) for row in csv.DictReader(stream)]

    def test_of_links_know_no_names(self):
        """Names of routers and ports are anybody's: where a link lies, its ends say."""
        for radix in ((5,), (4, 3), (2, 2), (3, 2, 3)):
            write(self.folder, [point("a", 0.1, "stable")], CONFIG, radix)
            named = self.links()
            content = (self.folder / "links.csv").read_text(encoding="utf-8")
            content = re.sub(r"router(_\d+)+", "hub", content)
            for d in range(len(radix)):
                for sign in ("plus", "minus"):
                    content = content.replace(f",{axis_name(d)}_{sign},", f",port{d}{sign[0]},")
            (self.folder / "links.csv").write_text(content, encoding="utf-8")
            for link, other in zip(named, self.links(), strict=True):
                self.assertEqual(other[:3], link[:3])
                self.assertEqual(isinstance(other.side, str), isinstance(link.side, str))
                if not isinstance(link.side, str):
                    self.assertEqual(other.side, link.side)
            self.draw("--kind", "link_heat_map")
            self.texts("links-a")

    def test_a_link_leaves_on_the_side_where_it_leads(self):
        def side(*ends, kind="plain", to_plane=""):
            row = {"point": "0", "port": "p", "utilization": "0.5", "kind": kind, "from_plane": "", "to_plane": to_plane}
            link = heat_map.grid_link("links.csv", row | dict(zip(heat_map.POSITIONS, map(str, ends))))
            return link and link.side
        self.assertEqual(side(2, 1, 3, 1), (1, 0))
        self.assertEqual(side(2, 1, 2, 0), (0, -1))
        self.assertEqual(side(3, 1, 0, 1, kind="wrap"), (1, 0), "it closes the row to a ring")
        self.assertEqual(side(0, 1, 1, 1, kind="wrap"), (-1, 0), "of a ring of two")
        self.assertEqual(side(2, 0, 2, 3, kind="wrap"), (0, -1))
        self.assertEqual(side(2, 1, 6, 1, to_plane="z = 1"), "p")
        for ends in ((2, 1, 3, 2), (2, 1, 4, 1), (2, 1, 2, 1), (0, 0, 0.5, 0)):
            self.assertIsNone(side(*ends), ends)

    def test_of_links_are_whole_for_every_shape(self):
        for radix in ((60,), (3, 30), (4, 4, 3), (2, 2, 2, 2, 2)):
            write(self.folder, [point("a label", 0.1, "stable")], CONFIG, radix)
            links = self.links()
            ways = {(1, 0), (-1, 0), *([(0, 1), (0, -1)] if len(radix) > 1 else []),
                    *(f"{axis_name(d)}_{sign}" for d in range(2, len(radix)) for sign in ("plus", "minus"))}
            self.assertEqual({link.side for link in links}, ways)
            planes = heat_map.Planes(links)
            self.assertEqual((planes.width, planes.height), (radix[0], radix[1] if len(radix) > 1 else 1))
            self.assertEqual(planes.all, math.prod(radix[2:]))
            found = self.boxes(lambda plotter, links=links: plotter.heat_map("a label", point("a", 0.1, "stable"), links, "x"),
                               [point("a label", 0.1, "stable")])
            self.expect_readable(found)

    def test_say_network_pattern_and_length(self):
        points = [point("a", 0.1, "stable"), point("b", 0.1, "stable")]
        write(self.folder, points)
        self.draw()
        for name in ("latency-throughput", "throughput-offered", "links-a", "latency-histogram"):
            self.assertIn("4x4 torus, uniform traffic, 5-flit packets", " ".join(self.texts(name)), name)

    def test_subject_follows_what_points_were_given(self):
        uniform = {"pattern": "uniform traffic", "packets": "5-flit packets"}

        def about(*points, **config):
            points = [{"label": "a", "set": {}, "caption": uniform, **point} for point in points or ({},)]
            return text.subject({"points": points, "config": {**CONFIG, **config}}, points)
        self.assertEqual(about(), "4x4 torus, uniform traffic, 5-flit packets")
        self.assertEqual(about({"set": {"topology.radix": [8, 8]}}), "8x8 torus, uniform traffic, 5-flit packets")
        self.assertEqual(about({}, {"caption": {**uniform, "packets": "9-flit packets"}}), "4x4 torus, uniform traffic")
        self.assertEqual(about({"set": {"topology": {"kind": "ring", "nodes": 9}}}),
                         "ring of 9, uniform traffic, 5-flit packets")
        self.assertEqual(about({"set": {"topology.nodes": 9, "topology.kind": "ring"}}),
                         "ring of 9, uniform traffic, 5-flit packets")
        # What a file or a closed loop says itself, and not what the keys of drawn packets say.
        self.assertEqual(about({"caption": {"source": "flows of a.txt"}}), "4x4 torus, flows of a.txt")
        self.assertEqual(about({"caption": {"source": "flows of a.txt"}}, {}), "4x4 torus")
        # What all points have in common is not in what they were given.
        self.assertEqual(about(sweep={"topology.radix": [[7, 7]]}), "7x7 torus, uniform traffic, 5-flit packets")
        self.assertEqual(about(compare=[{"label": "a", "set": {"topology.radix": [2, 2]}}]),
                         "2x2 torus, uniform traffic, 5-flit packets")
        plane = {"classes": ["a"], "set": {}}
        self.assertEqual(about({"caption": {}}, planes={"a": plane, "b": plane}), "2 planes of 4x4 torus")
        self.assertEqual(about({"caption": {}}, planes={"a": {**plane, "set": {"topology.radix": [2, 2]}}, "b": plane}),
                         "2 planes")
        self.assertEqual(about({"caption": {}}, topology={"kind": "graph", "file": "/some/where/a.yaml"}), "graph of a.yaml")
        self.assertEqual(text.subject({"points": [{}]}, [{}]), "")

    def test_for_a_paper_are_a_column_wide_without_titles(self):
        points = [point(label, load, "stable") for label in ("one series", "another series") for load in (0.1, 0.2)]
        write(self.folder, points)
        self.draw("--paper", "--format", "svg")
        for name in ("latency-throughput", "latency-offered", "links-one-series", "latency-histogram"):
            root = xml.parse(self.folder / f"plots/{name}.svg").getroot()
            self.assertEqual(float(root.get("width").removesuffix("pt")), 3.5 * 72, name)
            drawn = " ".join(self.texts(name))
            self.assertNotIn("95 % confidence", drawn)
            self.assertNotIn("4x4 torus", drawn)
            self.assertIn("cycle", drawn)
            caption = (self.folder / f"plots/{name}.txt").read_text(encoding="utf-8")
            self.assertIn("4x4 torus", caption)
            self.assertRegex(caption, r"\A[^\n]+\.\n\Z", "one paragraph")
        self.assertIn("95 % confidence", (self.folder / "plots/latency-offered.txt").read_text(encoding="utf-8"))
        self.draw("--paper", "--width", "7", "--format", "svg", "--kind", "latency_load")
        self.assertEqual(float(xml.parse(self.folder / "plots/latency-offered.svg").getroot().get("width").removesuffix("pt")),
                         7 * 72)
        self.draw("--no-title", "--format", "svg", "--kind", "latency_load")
        self.assertFalse((self.folder / "plots/latency-offered.txt").exists())
        self.assertNotIn("4x4 torus", " ".join(self.texts("latency-offered")))
        self.draw("--format", "svg", "--kind", "latency_load")
        self.assertIn("4x4 torus", " ".join(self.texts("latency-offered")))

    def test_tell_a_hundred_series_apart(self):
        self.assertEqual(len({look.series_style(k) for k in range(196)}), 196)
        self.assertEqual(len({look.series_style(k)[:2] for k in range(28)}), 28, "without markers, in histograms")

    def test_grow_upwards_in_y(self):
        links = [heat_map.GridLink("", 0, 0, (0, 1), 0.5), heat_map.GridLink("", 0, 1, (0, -1), 0.25)]
        planes = heat_map.Planes(links)
        self.assertGreater(max(y for _, y in planes.shape(0, 0, (0, 1))), 0.4, "upwards is the upper side")
        found = {}

        class Stub(drawing.Plotter):
            def write(self, figure, name, stack):
                found["limits"] = figure.axes[0].get_ylim()
        plotter = Stub(self.folder, drawing.load_matplotlib(), ("svg", "png"), {"points": []}, self.fail)
        plotter.heat_map("a", point("a", 0.1, "stable"), links, "x")
        self.assertLess(*found["limits"])


class Histograms(Folder):
    def test_are_as_fine_as_the_table(self):
        """Bins of the table are steps: no width of bars meets the cycles of a hop."""
        self.assertEqual(shares_up_to([(10, 10, 1), (15, 15, 2), (16, 19, 1)]), [(10, 25.0), (15, 75.0), (19, 100.0)])


    def chosen(self, *points):
        return [(label, point["offered"]["flits_per_node_cycle"])
                for label, _, point in histogram.at_one_load([point(*p) for p in points], lambda index: True)]

    def test_show_all_series_at_one_load(self):
        self.assertEqual(self.chosen(("a", 0.1, "stable"), ("a", 0.2, "stable"), ("b", 0.1, "stable"),
                                     ("b", 0.2, "saturated")), [("a", 0.1), ("b", 0.1)])
        self.assertEqual(self.chosen(("a", 0.1, "stable"), ("a", 0.2, "stable"), ("b", 0.2, "stable")),
                         [("a", 0.2), ("b", 0.2)])
        self.assertEqual(self.chosen(("a", 0.1, "stable"), ("a", 0.3, "stable")), [("a", 0.3)])

    def test_of_series_without_a_load_in_common_have_a_panel_each(self):
        self.assertEqual(self.chosen(("a", 0.1, "stable"), ("b", 0.2, "stable")), [("a", 0.1), ("b", 0.2)])
        write(self.folder, [point("a", 0.1, "stable"), point("b", 0.2, "stable")])
        self.draw("--kind", "latency_histogram")
        drawn = " ".join(self.texts("latency-histogram"))
        for expected in ("series at different loads", "a (offered 0.1 flits", "b (offered 0.2 flits"):
            self.assertIn(expected, drawn)
        svg = (self.folder / "plots/latency-histogram.svg").read_text(encoding="utf-8")
        self.assertEqual(len(re.findall(r'id="axes_\d+"', svg)), 2)

    def test_of_a_closed_loop_say_what_it_accepted(self):
        loop = {**point("a", 0.1, "stable"), "offered": {}}
        self.assertEqual(load_text(loop), "accepted 0.1 flits per node and cycle")
        self.assertEqual(load_text({"status": "deadlocked"}), "deadlocked")

    def test_of_one_load_say_it_once(self):
        write(self.folder, [point(label, 0.1, "stable") for label in "abc"])
        self.draw("--kind", "latency_histogram")
        self.assertEqual(" ".join(self.texts("latency-histogram")).count("offered 0.1 flits"), 1)

    def test_of_message_classes_have_a_figure_for_each_series(self):
        members = [{**point(label, 0.1, "stable"), "message_classes": {"request": {}, "response": {}, "idle": {}}}
                   for label in ("a", "b c")] + [point("unnamed", 0.1, "stable")]
        write(self.folder, members)
        self.draw("--kind", "latency_histogram")
        self.assertEqual([file.name for file in sorted(self.folder.glob("plots/*.svg"))], ["latency-histogram.svg"],
                         "results from before there was the table")
        rows = ["point,label,class,latency_cycles_low,latency_cycles_high,count"]
        rows += [f"{i},l,{name},{low},{low},{low}" for i in (0, 1) for name, first in (("request", 10), ("response", 30))
                 for low in range(first, first + 9)]
        (self.folder / "latency_hist_classes.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
        self.draw("--kind", "latency_histogram")
        names = {file.stem for file in self.folder.glob("plots/*.svg")}
        self.assertEqual(names, {"latency-histogram", "latency-histogram-classes-a", "latency-histogram-classes-b-c"})
        drawn = self.texts("latency-histogram-classes-b-c")
        self.assertIn("Latency of packets by message class: b c", drawn)
        self.assertIn("request", drawn)
        self.assertIn("response", drawn)
        self.assertNotIn("idle", drawn, "it has no packets")
        (self.folder / "latency_hist_classes.csv").write_text("point,label,class\n", encoding="utf-8")
        _, err = self.draw("--kind", "latency_histogram", code=2)
        self.assertIn("latency_hist_classes.csv has no column latency_cycles_low", err)


class Faults(Folder):
    def expect(self, *expected, arguments=()):
        files, err = self.draw(*arguments, code=2)
        for sentence in expected:
            self.assertIn(sentence, err)
        self.assertNotIn("Traceback", err)
        self.assertTrue(all(line.startswith("plot: ") for line in err.splitlines()), err)
        return files

    def change(self, name, old, new, count=1):
        file = self.folder / name
        content = file.read_text(encoding="utf-8")
        self.assertIn(old, content)
        file.write_text(content.replace(old, new, count), encoding="utf-8")

    def setUp(self):
        super().setUp()
        write(self.folder, [point("a", 0.1, "stable"), point("b", 0.1, "stable")])

    def test_a_table_is_missing(self):
        for name, kept in (("links.csv", "latency-histogram"), ("latency_hist.csv", "links-a")):
            held = (self.folder / name).read_bytes()
            (self.folder / name).unlink()
            drawn = self.expect(f"{self.folder / name} is missing")
            self.assertIn(kept, {file.stem for file in drawn}, "what can be drawn is drawn")
            (self.folder / name).write_bytes(held)
        (self.folder / "links.csv").unlink()
        self.draw("--kind", "latency_histogram")

    def test_a_column_is_missing(self):
        self.change("links.csv", "utilization", "use")
        self.expect("links.csv has no column utilization; its columns: point, label, from")
        self.change("latency_hist.csv", "latency_cycles_low,", "low,")
        self.expect("latency_hist.csv has no column latency_cycles_low")

    def test_a_table_is_cut_short_or_empty(self):
        content = (self.folder / "links.csv").read_text(encoding="utf-8")
        for wrong, expected in ((content[:content.rindex("router_")], "is cut short"), ("", "has no column point"),
                                (content.splitlines()[0] + "\n", "holds no utilisation of point 0 (a)"),
                                (content.replace(",1,0.1,", ",1,much,", 1), "'much', which is not a number"),
                                (content.replace(",1,0.1,", ",1,nan,", 1), "'nan', which is not a number"),
                                (content.replace("\n0,l", "\nx,l", 1), "'x' is not the number of a point"),
                                (content.replace(",from_plane", ",", 1), "has no column from_plane"),
                                (content.replace(",0,0,1,0,plain", ",0,0,,0,plain", 1),
                                 "to_x of point 0 is '', which is not a number")):
            (self.folder / "links.csv").write_text(wrong, encoding="utf-8")
            self.expect("links.csv", expected, arguments=("--kind", "link_heat_map"))
        (self.folder / "latency_hist.csv").write_text("point,label,latency_cycles_low,latency_cycles_high,count\n",
                                                      encoding="utf-8")
        self.expect("latency_hist.csv holds no packets of any point", arguments=("--kind", "latency_histogram"))

    def test_points_are_not_what_a_run_writes(self):
        results = json.loads((self.folder / "results.json").read_text(encoding="utf-8"))
        for wrong, expected in (([1], "point 0 is not an object"), ([{"label": "a", "set": 3}], "'set' is not an object"),
                                ([{**point("a", 0.1, "stable"), "accepted": {"flits_per_node_cycle": float("nan")}}],
                                 "point 0: accepted.flits_per_node_cycle is nan"),
                                ([{"label": "a", "latency_cycles": {"total": "slow"}, "accepted":
                                   {"flits_per_node_cycle": "much"}}], "")):
            (self.folder / "results.json").write_text(json.dumps({**results, "points": wrong}), encoding="utf-8")
            self.expect("results.json" if expected else "", expected, arguments=("--kind", "latency_throughput"))

    def test_a_kind_has_nothing_to_show(self):
        results = json.loads((self.folder / "results.json").read_text(encoding="utf-8"))
        for one in results["points"]:
            del one["latency_cycles"]
        (self.folder / "results.json").write_text(json.dumps(results), encoding="utf-8")
        files = self.expect("no figure of kind latency_throughput: no point has what it shows",
                            arguments=("--kind", "latency_throughput", "--kind", "throughput_load"))
        self.assertEqual({file.stem for file in files}, {"throughput-offered"})

    def test_labels_of_results_are_names_of_series(self):
        (self.folder / "results.json").write_text(json.dumps({"schema": SCHEMA, "points": [
            {"label": "a\n"}, {"label": "a"}, {"label": 3}, {}]}), encoding="utf-8")
        self.assertEqual([p["label"] for p in read_results(self.folder)["points"]], ["a", "a (2)", "3", "run"])


if __name__ == "__main__":
    assert PLOT.is_file()
    unittest.main(argv=sys.argv[:1])
