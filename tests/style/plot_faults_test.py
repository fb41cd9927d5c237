#!/usr/bin/python3
"""Is it loud if a figure cannot be drawn, and is what can be drawn there? Usage: plot_faults_test.py PLOT"""
import json
import sys
import unittest

from plot_support import PLOT, Folder, point, run, write  # puts the modules of scripts/plot on the path
from plots.results import SCHEMA, read_results


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

    def test_a_width_beyond_what_can_be_drawn(self):
        for width in ("1000", "0.01", "50.1", "nan", "wide"):
            code, out, err = run(self.folder, "--paper", "--width", width)
            self.assertEqual((code, out), (2, ""))
            self.assertNotIn("Traceback", err)
            self.assertIn(f"--width: '{width}' is no width of a figure; give inches, 1 to 50", err)
        for width in ("1", "50"):
            self.draw("--paper", "--width", width, "--format", "png", "--kind", "latency_load")

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

    def test_a_series_without_utilisation_costs_its_own_heat_map_only(self):
        table = self.folder / "links.csv"
        table.write_text("".join(line for line in table.read_text(encoding="utf-8").splitlines(True)
                                 if not line.startswith("0,")), encoding="utf-8")
        files, err = self.draw("--kind", "link_heat_map")
        self.assertEqual({file.stem for file in files}, {"links-b"})
        self.assertIn("links.csv holds no utilisation of point 0 (a); its heat map is left out", err)

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
