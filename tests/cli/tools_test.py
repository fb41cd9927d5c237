#!/usr/bin/python3
"""Do the commands around a simulation what they say: doctor, completion, the manual page?"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from cli_support import PROGRAM, CommandLineTest


class Doctor(CommandLineTest):
    def test_what_is_missing_is_named_with_its_remedy(self):
        (self.folder / "bin").mkdir()
        done = subprocess.run([PROGRAM, "doctor"], capture_output=True, text=True, cwd=self.folder, check=False,
                              env={**os.environ, "PATH": str(self.folder / "bin")})
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, r"MISSING +verilator .*\n.*apt-get install verilator")
        self.assertRegex(done.stdout, r"missing +yosys")
        self.assertIn("Commands that need what is MISSING do not work here.", done.stdout)

    def test_a_cache_that_cannot_be_written_is_named(self):
        blocked = self.folder / "file"
        blocked.write_text("")
        done = subprocess.run([PROGRAM, "doctor", "--json"], capture_output=True, text=True, cwd=self.folder, check=False,
                              env={**os.environ, "XDG_CACHE_HOME": str(blocked)})
        (cache,) = [f for f in json.loads(done.stdout)["findings"] if f["what"] == "cache"]
        self.assertFalse(cache["fine"])
        self.assertIn("XDG_CACHE_HOME", cache["remedy"])

    def test_a_program_without_its_files_does_not_do_all(self):
        shutil.copy(PROGRAM, self.folder / "noctule")  # nothing lies where it looks for them
        libraries = pathlib.Path(PROGRAM).resolve().parent.parent / "lib"
        (self.folder / "a/b/c/lib").mkdir(parents=True)
        for library in libraries.glob("libnoctule*.so.*"):
            if library.is_symlink():  # the name that the loader looks for
                shutil.copy(library, self.folder / "a/b/c/lib")
        environment = {**os.environ, "LD_LIBRARY_PATH": str(self.folder / "a/b/c/lib")}

        def alone(*arguments):
            return subprocess.run([self.folder / "noctule", *arguments], capture_output=True, text=True, cwd=self.folder,
                                  check=False, env=environment)
        doctor = alone("doctor")
        self.assertEqual(doctor.returncode, 1, doctor.stderr)
        for file in "rtl", "rtl/cost.csv", "scripts/plot", "headers":
            self.assertRegex(doctor.stdout, f"MISSING +{file} ")
        done = alone("explain", "small.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no clock: the shipped table, rtl/cost.csv, is not installed", done.stdout)

    def test_what_is_there_has_its_version(self):
        out = self.start("doctor", "--json").communicate()[0]
        document = json.loads(out)
        systemc = document["findings"][0]
        self.assertEqual((systemc["what"], systemc["fine"]), ("SystemC", True))
        self.assertRegex(systemc["found"], r"^\d+\.\d+\.\d+$")
        for finding in document["findings"]:
            self.assertEqual(finding["fine"], not finding["remedy"], finding)
        self.assertEqual(document["complete"], all(f["fine"] or not f["needed"] for f in document["findings"]))


class Completion(CommandLineTest):
    def complete(self, *words):
        """What is offered for the last word; bash splits at `=`."""
        script = self.noctule("completion")[0]
        (self.folder / "completion").write_text(script)
        line = " ".join(f"'{word}'" for word in ("noctule", *words))
        done = subprocess.run(["bash", "--norc", "-c", f"source completion; COMP_WORDS=({line}); COMP_CWORD={len(words)}; "
                               "_noctule; printf '%s\\n' \"${COMPREPLY[@]}\""], cwd=self.folder, capture_output=True,
                              text=True, check=True)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_commands_and_options(self):
        self.assertEqual(self.complete("ver"), ["verify"])
        self.assertIn("explore", self.complete("ex"))
        self.assertEqual(self.complete("explain", "--pr"), ["--progress", "--prove"])
        self.assertEqual(self.complete("run", "--prov"), [])
        self.assertEqual(self.complete("import", ""), ["booksim", "noxim"])

    def test_files_and_names(self):
        self.assertIn("small.yaml", self.complete("run", "sm"))
        self.assertEqual(self.complete("list", "star_"), ["star_channels"])

    def test_keys_and_values(self):
        self.assertEqual(self.complete("run", "x.yaml", "--set", "node.switch_allocator"), ["node.switch_allocator="])
        self.assertIn("traffic.offered_load=", self.complete("run", "x.yaml", "--set", "traffic.off"))
        self.assertEqual(self.complete("run", "x.yaml", "--set", "topology.kind", "=", "tor"), ["torus"])
        self.assertIn("wavefront", self.complete("run", "x.yaml", "--set", "node.switch_allocator", "="))
        self.assertEqual(self.complete("sweep", "x.yaml", "--axis", "routing.algorithm", "=", "up_down,dimen"),
                         ["dimension_order"])

    def test_every_key_of_a_legal_file_is_offered(self):
        offered = self.complete("run", "x.yaml", "--set", "measurement.")
        for key in ("warm_up", "cycles", "batches", "precision"):
            self.assertIn(f"measurement.{key}=", offered)


class Manual(CommandLineTest):
    def test_it_has_every_command_and_option(self):
        page = self.noctule("man")[0].replace("\\-", "-")
        help_text = self.noctule("--help")[0]
        for option in re.findall(r"^  (?:-\w,)?(--\w+)", help_text, re.M):
            self.assertIn(option, page)
        for command in re.findall(r"^  ([a-z]+) ", help_text.split("Subcommands:")[1], re.M):
            self.assertIn(f".B {command}\n", page)

    @unittest.skipIf(shutil.which("groff") is None, "groff is missing: apt-get install groff-base")
    def test_it_is_set_without_a_warning(self):
        page = self.noctule("man")[0]
        done = subprocess.run(["groff", "-man", "-ww", "-Tutf8"], input=page, capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")
        self.assertIn("EXIT STATUS", re.sub(".\b", "", done.stdout))


if __name__ == "__main__":
    unittest.main(verbosity=2)
