#!/usr/bin/python3
"""Does scripts/check say what is wrong and what to do, and does --fix mend it? On a small project of its own.
Usage: check_test.py PROJECT"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(sys.argv[1]).resolve()
GOOD = "#pragma once\n\nnamespace noctule {}\n"
PROGRAM = """#!/bin/sh
if [ "$1" = list ]; then printf 'a: 1\\n'; exit 0; fi
while [ "$1" != --out ]; do shift; done
printf '<svg/>\\n' >"$2/deadlock-generic.svg"
exit 1
"""
WRONG = {
    "format": {"models/core/a.cpp": "int  f( ){return 1 ;}\n"},
    "text": {"README.md": "text \nmore\t\r\nend", "configs/b.yaml": "b: 1  \n"},
    "reference": {"configs/reference.yaml": "a: 2\n"},
    "drawing": {"configs/verify/no-dateline.svg": "<svg>old</svg>\n"},
}


class Check(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        (self.folder / "scripts").mkdir()
        for name in ("check", "check-format", "check-layers", "check-text"):
            shutil.copy(PROJECT / "scripts" / name, self.folder / "scripts")
        shutil.copy(PROJECT / ".clang-format", self.folder)
        self.write("models/core/good.h", GOOD)
        self.write("configs/reference.yaml", "a: 1\n")
        self.write("configs/verify/no-dateline.svg", "<svg/>\n")
        self.write("program", PROGRAM)
        (self.folder / "program").chmod(0o755)

    def write(self, name, text):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_bytes(text.encode())

    def read(self, name):
        return (self.folder / name).read_bytes().decode()

    def check(self, *arguments):
        done = subprocess.run([self.folder / "scripts/check", "--program", self.folder / "program", *arguments],
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_finds_nothing_where_nothing_is(self):
        code, report = self.check()
        self.assertEqual(code, 0, report)
        self.assertIn("all is well", report)

    def test_each_check_notices_names_the_remedy_and_mends(self):
        for name, files in WRONG.items():
            for file, text in files.items():
                self.write(file, text)
            code, report = self.check()
            self.assertEqual(code, 1, report)
            self.assertIn(f"check: left to do: {name}\n", report)
            self.assertIn("scripts/check --fix", report)
            for file, text in files.items():
                self.assertEqual(self.read(file), text, "changed without --fix")
            code, report = self.check("--fix")
            self.assertEqual(code, 0, report)
            self.assertEqual(self.check()[0], 0)
        self.assertEqual(self.read("README.md"), "text\nmore\nend\n")
        self.assertEqual(self.read("models/core/a.cpp"), "int f() {\n  return 1;\n}\n")

    def test_what_cannot_be_mended_is_left_and_said(self):
        self.write("models/core/b.cpp", '#include "fabric/a.h"\n')
        self.write("configs/c.yaml", "c: [\n")
        code, report = self.check("--fix")
        self.assertEqual(code, 1)
        self.assertIn("left to do: layers, text\n", report)
        self.assertIn("b.cpp:1", report)
        self.assertIn("move what is shared", report)
        self.assertIn("mended by hand", report)

    def test_one_check_alone(self):
        self.write("configs/reference.yaml", "a: 2\n")
        self.assertEqual(self.check("format", "layers")[0], 0)
        self.assertEqual(self.check("reference")[0], 1)
        code, report = self.check("spelling")
        self.assertEqual(code, 2)
        self.assertIn("there is no check 'spelling'; checks: format", report)

    def test_a_program_that_fails_is_no_reference(self):
        self.write("program", "#!/bin/sh\necho broken >&2\nexit 2\n")
        code, report = self.check("--fix", "reference")
        self.assertEqual(code, 2)
        self.assertIn("broken", report)
        self.assertEqual(self.read("configs/reference.yaml"), "a: 1\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
