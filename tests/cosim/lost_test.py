#!/usr/bin/python3
"""A point of a co-simulation whose process is killed: it is named, and the others are kept."""
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
            self.assertRegex(err, r"noctule: four_classes: lost: its process was ended by signal 9")
            self.assertEqual(err.count("four_classes: lost"), 1, err)
            self.assertIn(f"1 of 2 points lost; the others are in {folder}/out/cosim.json", err)


if __name__ == "__main__":
    support.needs("verilator", "c++")
    sys.exit(not unittest.main(verbosity=2, exit=False).result.wasSuccessful())
