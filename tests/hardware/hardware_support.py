"""What the tests of the synthesis share. Usage of each: NAME_test.py PROJECT."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(sys.argv[1]).resolve()
SYNTHESIZE = PROJECT / "scripts" / "synthesize"
sys.path.insert(0, str(PROJECT / "scripts"))

SKIPPED = 77  # exit code that the test runner takes for "skipped"


def missing(*tools):
    """Which of the tools, and of the library, are not installed; empty: none."""
    lacks = [tool for tool in tools if tool != "osu018" and shutil.which(tool) is None]
    if "osu018" in tools:
        from hardware.liberty import KNOWN
        if not pathlib.Path(KNOWN["osu018"][0]).is_file():
            lacks.append(KNOWN["osu018"][1])
    return lacks


def needs(*tools):
    lacks = missing(*tools)
    return unittest.skipIf(lacks, f"not installed: {', '.join(lacks)} (scripts/setup rtl)")


class HardwareTest(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="noctule-hardware-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def write(self, name, text):
        file = self.folder / name
        file.write_text(text, encoding="utf-8")
        return file

    def synthesize(self, *arguments, code=0, path=None):
        environment = {**os.environ, **({"PATH": path} if path else {})}
        done = subprocess.run([sys.executable, str(SYNTHESIZE), *map(str, arguments)], cwd=self.folder,
                              env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, done.stdout[-2000:] + done.stderr[-2000:])
        return done.stdout, done.stderr


def main():
    """Runs the tests; a run in which all were skipped is itself skipped, with the reasons."""
    result = unittest.main(argv=sys.argv[:1], verbosity=2, exit=False).result
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(SKIPPED if result.testsRun == len(result.skipped) else 0)
