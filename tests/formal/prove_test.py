#!/usr/bin/python3
"""Does prove.py notice what it must, and say what it cannot do?"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
PROVE = HERE / "prove.py"
ARBITER = "rtl/arbitration/round_robin_arbiter.sv"


def prove(*arguments, path=None):
    done = subprocess.run([str(PROVE), *map(str, arguments)], capture_output=True, text=True, check=False,
                          env={**os.environ, **({} if path is None else {"PATH": path})})
    return done.returncode, done.stdout + done.stderr


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.source = self.folder / "source"
        for part in ("rtl", "tests/formal"):
            shutil.copytree(HERE.parent.parent / part, self.source / part)

    def change(self, name, old, new):
        path = self.source / name
        text = path.read_text(encoding="utf-8")
        self.assertIn(old, text)
        path.write_text(text.replace(old, new), encoding="utf-8")


class ProveTest(Case):
    def test_without_tools_it_skips_and_says_why(self):
        code, said = prove("link_mux", path=str(self.folder))
        self.assertEqual(code, 77, said)
        self.assertIn("SKIPPED: yosys not installed (Debian: apt-get install yosys)", said)

    def test_a_mutant_that_changes_nothing_is_an_error_without_tools_too(self):
        self.change(ARBITER, "pointer_q <= pointer_d;", "pointer_q  <= pointer_d;")
        code, said = prove("--mutants", "frozen_pointer", "--source", self.source, path=str(self.folder))
        self.assertEqual(code, 1, said)
        self.assertIn(f"occurs 0 times in {ARBITER}", said)

    def test_names_are_checked(self):
        for option in ([], ["--mutants"]):
            code, said = prove(*option, "everything")
            self.assertEqual(code, 2, said)
            self.assertIn("'everything'", said)


@unittest.skipUnless(shutil.which("yosys"), "yosys not installed (Debian: apt-get install yosys)")
class ProveWithYosysTest(Case):
    def test_what_is_wrong_is_refuted_with_place_and_trace(self):
        self.change("rtl/blocks/link_mux.sv", "full_i & credit_q", "full_i")
        code, said = prove("link_mux", "--source", self.source, "--out", self.folder / "out")
        self.assertEqual(code, 1, said)
        trace = self.folder / "out/00-link_mux/proof.vcd"
        self.assertRegex(said, f"Vcs=4: REFUTED in .* at .*link_mux_proof.sv:.*trace: {trace}; PROVED is expected")
        self.assertIn("$enddefinitions", trace.read_text(encoding="utf-8"))

    def test_a_register_that_is_not_there_is_an_error(self):
        self.change("tests/formal/link_mux_proof.sv", "u_mux.u_arbiter.pointer_q", "u_mux.u_arbiter.pointer")
        code, said = prove("link_mux", "--source", self.source)
        self.assertEqual(code, 1, said)
        self.assertIn("ERROR: yosys", said)

    def test_sources_that_do_not_parse_are_an_error(self):
        self.change(ARBITER, "endmodule", "endmodul")
        code, said = prove("--mutants", "double_grant", "--source", self.source)
        self.assertEqual(code, 1, said)
        self.assertIn("ERROR: yosys", said)

    def test_a_harmless_mutant_is_not_noticed(self):
        self.change(ARBITER, "advance_i && |request_i", "advance_i && |request_i && |request_i")
        self.change("tests/formal/proofs.py", '"if (advance_i && |request_i)", "if (|request_i)"',
                    '"|request_i && |request_i", "|request_i"')
        done = subprocess.run([str(self.source / "tests/formal/prove.py"), "--mutants", "pointer_without_service"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("UNKNOWN", done.stdout)
        self.assertIn("REFUTED is expected", done.stdout)

    def test_a_proof_that_takes_too_long_is_unknown(self):
        code, said = prove("crossbar", "--limit", "0.1")
        self.assertEqual(code, 1, said)
        self.assertIn("UNKNOWN", said)


if __name__ == "__main__":
    unittest.main()
