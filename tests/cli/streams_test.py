#!/usr/bin/python3
"""What happens where the program cannot write: full devices, closed streams, readers that went away. Never an
abort, and never success when the result was lost."""
import os
import subprocess
import unittest

from cli_support import LOCKS, PROGRAM, TIMEOUT, CommandLineTest

COMMANDS = {("list",): 0, ("list", "--reference"): 0, ("--help",): 0, ("--version",): 0, ("check", "small.yaml"): 0,
            ("verify", "small.yaml"): 0, ("run", "small.yaml"): 0, ("run", "small.yaml", "--json"): 0,
            ("sweep", "small.yaml", "--axis", "seed=1,2"): 0, ("verify", "locks.yaml"): 1}
WRONG = [("run", "missing.yaml"), ("frobnicate",), ("check", "small.yaml", "--set", "nokey=1"), ("run",)]


class Streams(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("locks.yaml", LOCKS)

    def shell(self, arguments, redirections):
        """Exit code and standard error of the program with its streams redirected by a shell."""
        command = " ".join(f"'{word}'" for word in (PROGRAM, *arguments))
        environment = {**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache")}
        process = subprocess.run(["/bin/bash", "-c", f"{command} {redirections}"], cwd=self.folder, timeout=TIMEOUT,
                                 stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment,
                                 check=False)
        return process.returncode, process.stderr

    def test_output_that_is_lost_is_no_success(self):
        for arguments in COMMANDS:
            for where in (">/dev/full", ">&-"):
                with self.subTest(arguments=arguments, where=where):
                    code, err = self.shell(arguments, where)
                    self.assertEqual(code, 2, err)
                    self.assertIn("standard output could not be written", err)

    def test_messages_that_are_lost_change_nothing(self):
        for arguments, expected in COMMANDS.items():
            for where in ("2>/dev/full", "2>&-"):
                with self.subTest(arguments=arguments, where=where):
                    self.assertEqual(self.shell(arguments, f">/dev/null {where}")[0], expected)
        for arguments in WRONG:
            for where in (">/dev/full 2>/dev/full", ">&- 2>&-", "<&- >&- 2>&-", "2>/dev/full"):
                with self.subTest(arguments=arguments, where=where):
                    self.assertEqual(self.shell(arguments, where)[0], 2)

    def test_a_reader_that_went_away(self):
        for arguments in COMMANDS:
            with self.subTest(arguments=arguments):
                reader, writer = os.pipe()
                os.close(reader)
                process = self.start(*arguments, stdout=writer)
                os.close(writer)
                _, err = process.communicate(timeout=TIMEOUT)
                self.assertEqual(process.returncode, 2, err)
                self.assertIn("standard output could not be written", err)

    def test_closed_streams_do_not_become_files(self):
        """The first file that is opened would take the number of a stream that is closed."""
        self.shell(("run", "small.yaml", "--events", "flits.csv"), ">&- 2>&-")
        for file in [self.folder / "flits.csv", *(self.folder / "out/small").iterdir()]:
            self.assertNotIn("the rule of each status", file.read_text(encoding="utf-8"), file)
        self.assertTrue((self.folder / "flits.csv").read_text(encoding="utf-8").startswith("cycle,"))

    def test_files_that_cannot_be_written(self):
        for arguments in (("--events", "/dev/full"), ("--out", "/dev/full"), ("--out", "/proc/1/x")):
            with self.subTest(arguments=arguments):
                self.noctule("run", "small.yaml", *arguments, code=2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
