#!/usr/bin/python3
"""Can figures be read, whatever the labels, networks and loads? Usage: plot_look_test.py PLOT"""
import csv
import itertools
import math
import os
import re
import sys
import unittest
import xml.etree.ElementTree as xml

from plot_support import CONFIG, PLOT, Folder, axis_name, point, write  # puts the modules of scripts/plot on the path
from plots import drawing, heat_map, histogram, look, text
from plots.results import load_text, shares_up_to

BAD_LABELS = ["$x_1^2$", "$unclosed", "a_{b}^{c}", "\\frac{1}{2} \\nosuch{", "_begins with an underscore", "%d & <b>",
              "two\nlines", "two lines", "", "\u6c49\u5b57", "face \U0001f642", "half \ud83d of a letter", "x" * 400]


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
            self.assertIn("hub", self.texts("links-a"))

    def test_of_links_name_routers_that_no_number_finds(self):
        for name, shown in ((None, False), ("cpu", True)):
            write(self.folder, [point("a", 0.1, "stable")], CONFIG, (4, 3))
            file = self.folder / "links.csv"
            if name:
                file.write_text(file.read_text(encoding="utf-8").replace("router_1_2", name), encoding="utf-8")
            self.draw("--kind", "link_heat_map")
            texts = self.texts("links-a")
            self.assertEqual(any(text in ("cpu", "router_0_0") for text in texts), shown)

    def test_a_link_leaves_on_the_side_where_it_leads(self):
        def side(*ends, kind="plain", to_plane=""):
            row = {"point": "0", "from": "r", "port": "p", "utilization": "0.5", "kind": kind, "from_plane": "", "to_plane": to_plane}
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
        links = [heat_map.GridLink("", 0, 0, (0, 1), 0.5, "low"),
                 heat_map.GridLink("", 0, 1, (0, -1), 0.25, "high")]
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


if __name__ == "__main__":
    assert PLOT.is_file()
    unittest.main(argv=sys.argv[:1])
