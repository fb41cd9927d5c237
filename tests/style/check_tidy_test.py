#!/usr/bin/python3
"""Does scripts/check-tidy look at what changed, and only at that? On a small project, with a clang-tidy of its own.
Usage: check_tidy_test.py PROJECT"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(sys.argv[1]).resolve()
# Notes what it was asked for; finds fault with files that hold the word "bad".
TIDY = """#!/bin/sh
if [ "$1" = --version ]; then echo "version 1"; exit 0; fi
for file; do :; done
basename "$file" >>asked
if grep -q bad "$file"; then echo "$file:1:1: error: bad"; exit 1; fi
"""


class CheckTidy(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name).resolve()
        self.write("scripts/check-tidy", (PROJECT / "scripts/check-tidy").read_text(encoding="utf-8"))
        self.write(".clang-tidy", "Checks: bugprone-*\n")
        self.write("models/CMakeLists.txt", "set(systemc_areas fabric run)\n")
        self.write("models/core/a.h", "int a();\n")
        self.write("models/core/a.cpp", '#include "a.h"\n')
        self.write("models/core/b.cpp", "int b;\n")
        self.write("models/fabric/c.cpp", "int c;\n")
        self.write("tb/d.cpp", '#include "../models/core/a.h"\n')
        self.write("tests/e.cpp", "int e;\n")
        compiler = shutil.which("g++") or shutil.which("clang++")
        files = [str(p) for p in self.folder.rglob("*.cpp")]
        self.write("build/compile_commands.json", json.dumps([
            {"directory": str(self.folder), "file": f, "command": f"{compiler} -MD -MF {f}.d -o {f}.o -c {f}"}
            for f in files]))
        self.write("bin/clang-tidy", TIDY)
        (self.folder / "bin/clang-tidy").chmod(0o755)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run_script(self, *words, code=0):
        """(names of the files that were looked at, what was said)"""
        asked = self.folder / "asked"
        asked.unlink(missing_ok=True)
        done = subprocess.run([sys.executable, "scripts/check-tidy", *words], cwd=self.folder, capture_output=True,
                              text=True, check=False,
                              env={**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return sorted(asked.read_text().split()) if asked.exists() else [], done.stdout + done.stderr

    def test_parts_divide_the_areas(self):
        self.assertEqual(self.run_script("build", "plain")[0], ["a.cpp", "b.cpp", "d.cpp"])
        self.assertEqual(self.run_script("build", "systemc")[0], ["c.cpp"])
        self.assertEqual(self.run_script("build")[0], [])
        self.assertEqual(list(self.folder.rglob("*.o")) + list(self.folder.rglob("*.d")), [])

    def test_what_changed_is_looked_at_again(self):
        self.assertEqual(len(self.run_script("build")[0]), 4)
        self.write("models/core/a.h", "int a(); // NOLINT\n")
        asked, said = self.run_script("build")
        self.assertEqual(asked, ["a.cpp", "d.cpp"])
        self.assertIn("4 files, 2 of them passed before; no findings", said)
        self.write(".clang-tidy", "Checks: performance-*\n")
        self.assertEqual(len(self.run_script("build")[0]), 4)
        self.write("bin/clang-tidy", TIDY.replace("version 1", "version 2"))
        self.assertEqual(len(self.run_script("build")[0]), 4)
        self.assertEqual(self.run_script("build")[0], [])

    def test_findings_are_found_again_until_they_are_gone(self):
        self.write("models/core/b.cpp", "int bad;\n")
        for expected in (["a.cpp", "b.cpp", "d.cpp"], ["b.cpp"]):
            asked, said = self.run_script("build", "plain", code=1)
            self.assertEqual(asked, expected)
            self.assertIn("b.cpp:1:1: error: bad", said)
            self.assertIn("findings in 1", said)
        self.write("models/core/b.cpp", "int b;\n")
        self.assertEqual(self.run_script("build", "plain")[0], ["b.cpp"])

    def test_a_damaged_memory_is_no_memory(self):
        self.run_script("build")
        self.write("build/tidy.json", "[1, 2")
        self.assertEqual(len(self.run_script("build")[0]), 4)

    def test_bad_words_and_folders_are_refused(self):
        self.assertIn("there is no part 'fabric'; parts: all, plain, systemc",
                      self.run_script("build", "fabric", code=2)[1])
        self.assertIn("compile_commands.json cannot be read", self.run_script("models", code=2)[1])
        self.assertIn("usage", self.run_script(code=2)[1])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
