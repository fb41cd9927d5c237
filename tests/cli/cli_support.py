"""Runs the program in a folder of its own. What the tests of the command line share."""
import csv
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.environ["NOCTULE_PROGRAM"]
TIMEOUT = 600  # seconds: nothing here takes more than some tens; a sanitizer build, or a busy machine, is slower

# Sanitizers reserve memory by the terabyte, and hand it out in their own way.
own_memory = unittest.skipIf(os.environ.get("NOCTULE_SANITIZED") == "1", "memory under sanitizers is not the program's")

SMALL = """\
name: small
topology:
  kind: mesh
  radix: [3, 3]
traffic:
  packet_length: 3
  offered_load: 0.1
measurement:
  warm_up: 200
  cycles: 2000
"""
# Without the rule of its own, with buffers deep enough for two worms, this routing locks up.
LOCKS = """\
topology: {kind: torus, radix: [8, 8]}
node: {model: generic, input_depth: 4, connections_per_cycle: 1, release: tail_crossed}
routing: star_channels
traffic: {packet_length: 15, offered_load: 3, load_unit: normalized, source_queue: discard}
measurement: {warm_up: 0, cycles: 20000, deadlock_interval: 500}
allow_deadlock: true
"""


def restore_signals():
    """Whoever runs the tests may have told them to ignore these."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)


def without_speed(document):
    """What must not depend on the machine, nor on how the points were run."""
    document = json.loads(json.dumps(document))
    for point in document["points"]:
        del point["speed"]
    return document


def rows_of(file):
    """Rows of a CSV file, by the names in its header."""
    with file.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


class CommandLineTest(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="noctule-cli-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.write("small.yaml", SMALL)

    def write(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(text, bytes):
            file.write_bytes(text)
        else:
            file.write_text(text, encoding="utf-8")
        return name

    def start(self, *arguments, **options):
        environment = {**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache")}
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": environment, **options}
        return subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=self.folder, stdin=subprocess.DEVNULL,
                                preexec_fn=restore_signals, **options)

    def finished_lines(self, out):
        journal = self.folder / out / "points.jsonl"
        return journal.read_text().splitlines(keepends=True) if journal.exists() else []

    def wait_for_points(self, process, out, count):
        """Until so many are finished, and others are not."""
        end = time.monotonic() + TIMEOUT
        while len(self.finished_lines(out)) < count:
            self.assertIsNone(process.poll(), "it ended before anything could happen to it")
            if time.monotonic() > end:
                self.fail("it hangs")
            time.sleep(0.005)

    def noctule(self, *arguments, code=0):
        """Runs the program to its end; its exit code must be `code`. Gives (standard output, standard error)."""
        process = self.start(*arguments)
        try:
            out, err = process.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            self.fail(f"noctule {' '.join(map(str, arguments))} hangs")
        self.assertEqual(process.returncode, code,
                         f"exit code of noctule {' '.join(map(str, arguments))}\n{out[-2000:]}\n{err}")
        return out, err

    def json_of(self, *arguments, code=0):
        """Standard output, which must be one JSON document and nothing else."""
        out, _ = self.noctule(*arguments, "--json", code=code)
        return json.loads(out)

    def results(self, out):
        return json.loads((self.folder / out / "results.json").read_text(encoding="utf-8"))

    def files(self, folder="."):
        """All below it, by their paths from there."""
        return {str(f.relative_to(self.folder / folder)) for f in (self.folder / folder).rglob("*") if f.is_file()}

    def refused(self, *arguments, says=()):
        """Exit code 2, nothing on standard output, and a message that has all these parts."""
        out, err = self.noctule(*arguments, code=2)
        self.assertEqual(out, "")
        self.assertTrue(err.startswith("noctule: "), err)
        self.assertNotIn("terminate called", err)
        for part in says:
            self.assertRegex(err, re.compile(part if part.startswith("(?") else re.escape(part)))
        return err
