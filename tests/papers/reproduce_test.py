#!/usr/bin/python3
"""Does scripts/reproduce say why it cannot run, with exit code 2? Usage: reproduce_test.py REPRODUCE"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

REPRODUCE = sys.argv.pop(1)


class CannotRun(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="noctule-reproduce-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def refused(self, *arguments, says):
        done = subprocess.run([REPRODUCE, *map(str, arguments), "--reduced", "--out", self.folder / "out"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertNotIn("Traceback", done.stderr)
        self.assertIn(says, done.stderr)

    def program(self, text):
        file = self.folder / "noctule"
        file.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        file.chmod(0o755)
        return file

    def test_nobody_knows_the_paper(self):
        self.refused("dally-1990", says="there is no reproduction of 'dally-1990'; known: ")

    def test_there_is_no_such_program(self):
        self.refused("symons-1997", "--program", self.folder / "none", says="none does not start")

    def test_the_program_fails(self):
        self.refused("symons-1997", "--program", self.program("exit 3"), says="ended with exit code 3")

    def test_the_program_prints_something_else(self):
        self.refused("symons-1997", "--program", self.program("echo text"), says="is no JSON")

    def test_the_table_has_no_folder(self):
        self.refused("symons-1997", "--program", self.program("exit 3"), "--json", self.folder / "missing" / "x.json",
                     says="there is no such folder")


if __name__ == "__main__":
    unittest.main()
