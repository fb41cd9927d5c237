#!/usr/bin/python3
"""Do benches start at random, reset in mid-run, draw sizes and traffic, and count toggles; all by the seed?"""
import pathlib
import sys
import tempfile
import unittest

import cosim_support as support

FOUR = "four_classes"


class Bench(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="noctule-bench-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def cosim(self, model=FOUR, seed=1, **keys):
        configuration = support.fabric(model, 4, {"seed": seed})
        configuration["cosim"] = {"cycles": 1500, **keys}
        file = support.write(self.folder / "bench.yaml", configuration)
        return support.result("cosim", file, "--out", self.folder / "out", environment=support.QUICK)["points"]

    def test_resets_are_drawn_from_the_seed_in_all_modes(self):
        for mode in ("shadow", "swapped", "plain"):
            point, = self.cosim(mode=mode, resets=7)
            self.assertEqual((point["seed"], len(point["resets"]), point["mode"]), (1, 7, mode))
            self.assertEqual(point["resets"], sorted(set(point["resets"])))
            self.assertTrue(0 < point["resets"][0] and point["resets"][-1] < 1500)
            self.assertFalse(point["diverged"])
            again, = self.cosim(mode=mode, resets=7)
            other, = self.cosim(mode=mode, resets=7, seed=2)
            self.assertEqual((again["digest"], again["resets"]), (point["digest"], point["resets"]))
            self.assertNotEqual(other["resets"], point["resets"])
            without, = self.cosim(mode=mode, resets=0)
            self.assertEqual(without["resets"], [])
            if mode != "plain":  # what a reset drops is never delivered
                self.assertLess(point["packets_delivered"], without["packets_delivered"])

    def test_resets_drop_the_same_everywhere(self):
        """The digest of the deliveries is that of a fabric of the model alone."""
        swapped, = self.cosim(mode="swapped", resets=9)
        self.assertEqual(swapped["digest"], swapped["model_digest"])
        shadow, = self.cosim(mode="shadow", resets=9)
        self.assertEqual(shadow["digest"], swapped["digest"])

    def test_every_bit_of_data_toggles(self):
        """At all pins and in the buffers; what cannot move is named."""
        for mode in ("shadow", "swapped", "plain"):
            point, = self.cosim(mode=mode, coverage=True)
            toggles, = point["toggles"]
            self.assertEqual(toggles["module"], FOUR)
            self.assertEqual([name for name in toggles["pins"]["never"] if "flit" in name and "_i" in name[-9:]], [])
            constant = {"x_i[4:2]", "y_i[4:2]", "last_x_i", "last_y_i"}
            coordinates = {f"{link}_flit_{way}{bits}" for way in "io" for bits in ("[4:2]", "[9:7]")
                           for link in ("x_plus", "x_minus", "y_plus", "y_minus", "injection", "consumption")}
            self.assertLessEqual(set(toggles["pins"]["never"]), constant | coordinates)
            self.assertGreaterEqual(set(toggles["pins"]["never"]), constant)
            self.assertGreater(toggles["inside"]["toggled"], 1000)
            self.assertLess(toggles["inside"]["toggled"], toggles["inside"]["bits"])
            self.assertIn("last_x_i_q", toggles["inside"]["never"])
            self.assertNotIn("harness", " ".join(toggles["inside"]["never"]))
        point, = self.cosim(mode="shadow")
        self.assertEqual(point["toggles"], [])

    def test_draws(self):
        points = self.cosim(draws=6, cycles=300)
        self.assertEqual(len(points), 7)
        self.assertEqual(points[0]["drawn"], [])
        self.assertEqual({point["mode"] for point in points[1:]}, {"shadow", "swapped", "plain"})
        sizes = [setting for point in points for setting in point["drawn"] if "radix" in setting]
        self.assertEqual([size[-7:] for size in sizes[:2]], ["[20, 3]", "[3, 20]"])
        self.assertGreater(len(set(sizes)), 3)
        self.assertFalse(any(point["diverged"] for point in points))
        self.assertEqual([point["drawn"] for point in self.cosim(draws=6, cycles=300)], [p["drawn"] for p in points])
        other = [point["drawn"] for point in self.cosim(draws=6, cycles=300, seed=5)]
        self.assertNotEqual(other, [point["drawn"] for point in points])


if __name__ == "__main__":
    support.needs("verilator", "c++")
    sys.exit(not unittest.main(verbosity=2, exit=False).result.wasSuccessful())
