#!/usr/bin/python3
"""Do the assertions in rtl/ find faults in lockstep, and is the one that fails named with its place?

All routers of a small fabric have the fault. The report has to be of an assertion, before any pin differs.
"""
import pathlib
import re
import sys
import tempfile
import unittest

import cosim_support as support
from faults_test import apply
from mutants import ARBITER, FIFO, Mutant, QUEUED

SMALL = {"node.lanes": 2, "node.injection_vcs": 2, "node.consumption_vcs": 2, "node.input_depth": 3}
# One of these assertions has to find the fault: in one cycle several may fail.
FAULTS = [
    # No pin ever shows it: the search starts at the same place.
    (Mutant("pointer-with-a-gap", ARBITER, QUEUED, "pointer_q <= '1", "pointer_q <= N'(1)", settings=SMALL),
     ("PointerIsThermometer_A",)),
    (Mutant("count-of-a-push-with-a-pop", FIFO, QUEUED, "if (push_i && !pop_i)", "if (push_i)", settings=SMALL),
     ("CountIsTailLessHead_A", "PushHasRoom_A")),
    (Mutant("queue-wraps-late", FIFO, QUEUED, "head_q == Last", "&head_q", settings=SMALL),
     ("PointersArePlaces_A", "CountIsTailLessHead_A")),
]


class Assertions(unittest.TestCase):
    def test_each_finds_its_fault(self):
        for fault, labels in FAULTS:
            with self.subTest(fault.name), tempfile.TemporaryDirectory(prefix="noctule-assertions-") as folder:
                folder = pathlib.Path(folder)
                rtl = support.copy_of_rtl(folder / "rtl")
                apply(fault, rtl)
                configuration = support.fabric(fault.model, 3, fault.settings, load=0.9)
                configuration["cosim"] = {"cycles": 3000, "waveform": False}
                values = support.parameters(fault.model, configuration, support.write(folder / "a.yaml", configuration))
                configuration["nodes"] = [support.shipped_as_files(fault.model, rtl, values, ["*"])]
                file = support.write(folder / "a.yaml", configuration)
                found = support.result("cosim", file, "--out", folder / "out", codes=(1,),
                                       environment=support.QUICK)["first_divergence"]
                self.assertEqual(found["port"], "assertion", found)
                print(f"{fault.name}: cycle {found['cycle']}, {found['place']}: {found['text']}", flush=True)
                name, line = re.search(r"(\w+\.sv):(\d+)$", found["place"]).groups()
                source, = rtl.rglob(name)
                said = source.read_text(encoding="utf-8").splitlines()[int(line) - 1]
                self.assertTrue(any(f"{label}:" in said and label in found["text"] for label in labels), found)


if __name__ == "__main__":
    support.needs("verilator", "c++")
    sys.exit(not unittest.main(verbosity=2, exit=False).result.wasSuccessful())
