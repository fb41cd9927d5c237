#!/usr/bin/python3
"""Do latency axes show what is worth seeing, and say where a curve goes on above? Usage: plot_axes_test.py PLOT"""
import re
import sys
import unittest

from plot_support import Folder, point, write  # puts the modules of scripts/plot on the path
from plots import ceiling, drawing


def curve(*points):
    """[(load, latency, status)] as the points of a curve."""
    return [((load, 0.001), (latency, 1.0), status) for load, latency, status in points]


class LatencyAxes(Folder):
    RISING = curve((0.1, 20, "stable"), (0.2, 40, "stable"), (0.3, 5000, "saturated"), (0.35, 9000, "saturated"))

    def test_end_where_curves_stop_being_stable(self):
        self.assertEqual(ceiling.ceiling([self.RISING]), 70, "3.5 times the latency at the lowest load")
        high = curve((0.1, 20, "stable"), (0.2, 100, "stable"), (0.3, 5000, "saturated"))
        self.assertAlmostEqual(ceiling.ceiling([high]), 108, msg="a little above the last stable point")
        slow = curve((0.1, 60, "stable"), (0.3, 5000, "saturated"))
        self.assertEqual(ceiling.ceiling([self.RISING, slow]), 210, "the slowest curve shows its bend")

    def test_hold_everything_where_nothing_is_squeezed(self):
        self.assertIsNone(ceiling.ceiling([curve((0.1, 20, "stable"), (0.2, 100, "saturated"))]), "sources that discard")
        self.assertIsNone(ceiling.ceiling([curve((0.3, 5000, "saturated"))]), "no point is stable")

    def test_curves_end_at_the_first_point_above(self):
        drawn = ceiling.below(self.RISING, 70)
        self.assertEqual(drawn.line, [(0.1, 20), (0.2, 40), (0.3, 70)])
        self.assertEqual([y for _, (y, _), _ in drawn.marked], [20, 40])
        self.assertEqual((drawn.leaves, drawn.status), (0.3, "saturated"))
        whole = ceiling.below(self.RISING, None)
        self.assertEqual((len(whole.line), len(whole.marked), whole.leaves), (4, 4, None))
        only = ceiling.below(curve((0.3, 5000, "deadlocked")), 70)
        self.assertEqual((only.line, only.marked, only.leaves, only.status), ([], [], 0.3, "deadlocked"))
        # Not stable, but with a latency that is on the axis, and a stable point behind it.
        back = ceiling.below(curve((0.1, 20, "stable"), (0.2, 99, "not_converged"), (0.3, 50, "stable")), 70)
        self.assertEqual((len(back.line), len(back.marked), back.leaves), (3, 2, None))

    def heights(self, *arguments):
        """Numbers at the axis of latencies, and all texts."""
        points = [point("a", 0.1, "stable"), point("a", 0.2, "stable"), point("a", 0.3, "saturated")]
        points[2]["latency_cycles"]["total"] = {"mean": 5000, "ci95": 9000}
        write(self.folder, points)
        self.draw("--kind", "latency_load", "--format", "svg", *arguments)
        drawn = self.texts("latency-offered")
        return [float(t) for t in drawn if re.fullmatch(r"\d+", t)], " ".join(drawn)

    def test_say_that_a_curve_goes_on(self):
        numbers, drawn = self.heights()
        self.assertLess(max(numbers), 300)
        self.assertIn(drawing.ABOVE_TEXT, drawn)
        numbers, drawn = self.heights("--show-all")
        self.assertGreaterEqual(max(numbers), 5000)
        self.assertNotIn(drawing.ABOVE_TEXT, drawn)
        numbers, drawn = self.heights("--ymax", "1000")
        self.assertGreater(max(numbers), 300)
        self.assertLessEqual(max(numbers), 1000)
        self.assertIn(drawing.ABOVE_TEXT, drawn)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
