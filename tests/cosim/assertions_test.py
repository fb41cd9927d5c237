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
from mutants import ARBITER, CROSSBAR, FIFO, FOUR, Mutant, QUEUED

SMALL = {"node.lanes": 2, "node.injection_vcs": 2, "node.consumption_vcs": 2, "node.input_depth": 3}
FAULTS = {
    # No pin ever shows it: the search starts at the same place.
    "PointerIsThermometer_A": Mutant("pointer-with-a-gap", ARBITER, QUEUED, "pointer_q <= '1", "pointer_q <= N'(1)",
                                     settings=SMALL),
    "CountIsTailLessHead_A": Mutant("count-of-a-push-with-a-pop", FIFO, QUEUED, "if (push_i && !pop_i)", "if (push_i)",
                                    settings=SMALL),
    "SendsWithCredit_A": Mutant("switch-without-room", "nodes/input_queued.sv", QUEUED,
                                "((out_vc_q[i*Vcs+:Vcs] & room[p*Vcs+:Vcs]) != '0)", "1'b1", settings=SMALL),
    "FreeBeforeConnected_A": Mutant("output-of-two", CROSSBAR, FOUR, "out_busy_o[o] = |held;", "out_busy_o[o] = 1'b0;"),
}


class Assertions(unittest.TestCase):
    def test_each_finds_its_fault(self):
        for label, fault in FAULTS.items():
            with self.subTest(fault.name), tempfile.TemporaryDirectory(prefix="noctule-assertions-") as folder:
                folder = pathlib.Path(folder)
                rtl = support.copy_of_rtl(folder / "rtl")
                apply(fault, rtl)
                configuration = support.fabric(fault.model, 3, fault.settings, load=0.9)
                configuration["cosim"] = {"cycles": 3000, "waveform": False}
                values = support.parameters(fault.model, configuration, support.write(folder / "a.yaml", configuration))
                configuration["nodes"] = [support.shipped_as_files(fault.model, rtl, values, ["*"])]
                found = support.result("cosim", support.write(folder / "a.yaml", configuration), "--out", folder / "out",
                                       codes=(1,), environment=support.QUICK)["first_divergence"]
                print(f"{fault.name}: cycle {found['cycle']}, {found['place']}: {found['text']}", flush=True)
                self.assertEqual(found["port"], "assertion")
                name, line = re.search(r"(\w+\.sv):(\d+)$", found["place"]).groups()
                source, = rtl.rglob(name)
                self.assertIn(f"{label}:", source.read_text(encoding="utf-8").splitlines()[int(line) - 1])
                self.assertIn(label, found["text"])


if __name__ == "__main__":
    support.needs("verilator", "c++")
    sys.exit(not unittest.main(verbosity=2, exit=False).result.wasSuccessful())
