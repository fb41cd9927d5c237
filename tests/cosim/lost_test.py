#!/usr/bin/python3
"""A point of a co-simulation whose process is killed: it is named, and the others are kept. Points of one label are told
apart."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import cosim_support as support


class Lost(unittest.TestCase):
    def workers(self, process):
        """Processes of points: compilers are children, too, and are the program until they start."""
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="utf-8").split()
        program = os.path.realpath(support.PROGRAM)

        def works(child):
            try:
                ticks = pathlib.Path(f"/proc/{child}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[11]
                return os.readlink(f"/proc/{child}/exe") == program and int(ticks) > 5
            except OSError:  # it has ended
                return False

        return [int(child) for child in children if works(child)]

    def test_a_killed_point(self):
        with tempfile.TemporaryDirectory(prefix="noctule-cosim-lost-") as folder:
            folder = pathlib.Path(folder)
            configuration = {**support.fabric("four_classes", 3), "sweep": {"seed": [1, 2]}, "cosim": {"cycles": 100000}}
            file = support.write(folder / "two.yaml", configuration)
            process = subprocess.Popen([support.PROGRAM, "cosim", file, "--json", "--threads", "1", "--out", folder / "out"],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                       env={**os.environ, **support.QUICK})
            while not (workers := self.workers(process)):
                self.assertIsNone(process.poll())
                time.sleep(0.01)
            os.kill(workers[0], signal.SIGKILL)
            out, err = process.communicate()
            self.assertEqual(process.returncode, 3, err)
            self.assertEqual(len(json.loads(out)["points"]), 1)
            self.assertRegex(err, r"noctule: four_classes seed=\d: lost: its process was ended by signal 9")
            self.assertEqual(err.count(": lost: "), 1, err)
            self.assertIn(f"1 of 2 points lost; the others are in {folder}/out/cosim.json", err)

    def test_points_of_one_label_have_a_recording_each(self):
        with tempfile.TemporaryDirectory(prefix="noctule-cosim-lost-") as folder:
            folder = pathlib.Path(folder)
            configuration = {**support.fabric("four_classes", 3), "sweep": {"traffic.offered_load": [0.05, 0.4]},
                             "cosim": {"cycles": 400, "resets": 0, "record": "router_1_1"}}
            file = support.write(folder / "two.yaml", configuration)
            done = subprocess.run([support.PROGRAM, "cosim", file, "--threads", "2", "--out", folder / "out"], check=False,
                                  capture_output=True, text=True, env={**os.environ, **support.QUICK})
            self.assertEqual(done.returncode, 0, done.stderr)
            for load in ("0.05", "0.4"):
                self.assertIn(f"four_classes traffic.offered_load={load}: no difference", done.stdout)
            recordings = sorted((folder / "out").glob("record-*.vcd"))
            self.assertEqual([file.name for file in recordings], ["record-four_classes-1.vcd", "record-four_classes.vcd"])
            for recording in recordings:
                times = sum(line.startswith("#") for line in recording.read_text(encoding="utf-8").splitlines())
                self.assertGreaterEqual(times, 400, recording)


if __name__ == "__main__":
    support.needs("verilator", "c++")
    sys.exit(not unittest.main(verbosity=2, exit=False).result.wasSuccessful())
