"""Builds, and runs tests with ctest."""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

from testing.errors import CannotRun

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SECONDS = 60  # a test may take, where its CMake file says nothing: 10 times what the slowest such test takes alone
RESULT = re.compile(r"^\s*\d+/\d+ Test\s+#(\d+): .*?\.*\s*(Passed|\*\*\*.+?)\s+([\d.]+) sec")


def jobs():
    return os.environ.get("NOCTULE_JOBS") or str(os.cpu_count() or 1)


def say(text):
    print(f"test: {text}", file=sys.stderr, flush=True)


def folder_of(preset):
    return ROOT / "build" / preset


def script(*words):
    """Runs a script beside scripts/test; its report goes to standard error."""
    return subprocess.run([ROOT / "scripts" / words[0], *words[1:]], stdout=sys.stderr, check=False).returncode


def build(preset, *targets):
    if script("build", preset, *targets) != 0:
        raise CannotRun(f"build/{preset} does not build")


def run(preset, tests, heard=lambda test, verdict, seconds: None):
    """Runs these tests and prints what ctest says. `heard` is told of each: passed, skipped or failed. Gives back
    ctest's own summary and whether all passed."""
    folder = folder_of(preset)
    by_number = {test.number: test for test in tests}
    summary = ""

    def follow(output, log):
        nonlocal summary
        for line in output:
            print(line, end="", flush=True)
            log.write(line)
            found = RESULT.match(line)
            if found and int(found[1]) in by_number:
                verdict = {"Passed": "passed", "***Skipped": "skipped"}.get(found[2], "failed")
                heard(by_number[int(found[1])], verdict, float(found[3]))
            if re.match(r"^\d+% tests passed", line):
                summary = line.strip()

    with tempfile.NamedTemporaryFile("w", prefix="noctule-tests-", suffix=".txt") as chosen:
        chosen.write("0,0,0," + ",".join(map(str, sorted(by_number))) + "\n")
        chosen.flush()
        command = ["ctest", "--test-dir", str(folder), "-j", jobs(), "--output-on-failure", "--no-label-summary",
                   "--timeout", str(SECONDS), "--no-tests=error", "-I", chosen.name]
        with (open(folder / "scripts-test.log", "w", encoding="utf-8") as log,
              subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace") as process):
            try:
                follow(process.stdout, log)
            except BaseException:
                process.send_signal(signal.SIGINT)
                follow(process.stdout, log)
                raise
        code = process.returncode
    if not summary:
        raise CannotRun(f"ctest ran no test of {folder}")
    return summary, code == 0


class Clock:
    """Adds the time that passes inside of a `with` to a record."""

    def __init__(self, record):
        self.record = record

    def __enter__(self):
        self.last = time.monotonic()
        return self

    def tick(self):
        now = time.monotonic()
        self.record["seconds"] += now - self.last
        self.last = now

    def __exit__(self, *_):
        self.tick()
