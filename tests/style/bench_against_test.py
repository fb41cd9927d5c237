#!/usr/bin/python3
"""Does scripts/bench --against tell equal programs from unequal ones? Usage: bench_against_test.py BENCH [NOCTULE]"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BENCH = pathlib.Path(sys.argv[1]).resolve()
PROGRAM = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
sys.dont_write_bytecode = True
sys.path.insert(0, str(BENCH.parent))

from speed import pairs  # noqa: E402

TWICE = """#!/bin/sh
"%s" "$@" >/dev/null 2>&1 && exec "%s" "$@"
"""
# Does more when it runs for the first time, as a program that fills a cache.
CACHING = """#!/bin/sh
if [ -e "$0.cache" ]; then exec "%s" "$@"; fi
touch "$0.cache"
"%s" "$@" --set measurement.cycles=100000 >/dev/null 2>&1
exec "%s" "$@"
"""
# Writes down when it was called, as which of the two.
STAND_IN = """#!/usr/bin/python3
import json, pathlib, sys
with open(pathlib.Path(__file__).parent / "calls", "a") as calls:
    calls.write(pathlib.Path(__file__).name)
sum(range(400000))
speed = {"user_s": 1.0, "router_cycles_per_s": 1e7}
print(json.dumps({"config": {}, "points": [{"speed": speed, "digest": "%s", "cycles": {"measured": 9}}]}))
"""


class TheInterval(unittest.TestCase):
    def test_is_that_of_the_ranks_of_the_sign_test(self):
        # Ranks from tables of the binomial distribution: n, the rank from below, the probability.
        for n, rank, level in ((6, 1, 0.9688), (10, 2, 0.9785), (20, 6, 0.9586), (25, 8, 0.9567), (100, 40, 0.9648)):
            median, low, high, found = pairs.median_interval([n - i for i in range(n)])
            self.assertEqual((median, low, high), ((n + 1) / 2, rank, n + 1 - rank))
            self.assertAlmostEqual(found, level, places=4)

    def test_of_few_values_is_their_range_and_says_so(self):
        self.assertEqual(pairs.median_interval([3, 1, 2, 4]), (2.5, 1, 4, 0.875))
        self.assertEqual(pairs.median_interval([7]), (7, 7, 7, 0))


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")
        (self.folder / name).chmod(0o755)
        return self.folder / name

    def bench(self, program, against, *arguments, path=os.environ["PATH"]):
        file = self.folder / "table.json"
        file.unlink(missing_ok=True)
        done = subprocess.run([sys.executable, BENCH, "--program", program, "--against", against, "mesh-8x8-light",
                               "--json", file, *map(str, arguments)], capture_output=True, text=True, check=False,
                              env={**os.environ, "PATH": path})
        row = json.loads(file.read_text(encoding="utf-8"))[0] if file.is_file() else None
        return done.returncode, done.stdout, done.stderr, row


class Turns(Folder):
    def test_are_a_b_b_a_after_one_run_of_each(self):
        a, b = (self.write(name, STAND_IN % digest) for name, digest in (("a", "1"), ("b", "2")))
        code, out, err, row = self.bench(a, b, "--pairs", 4, "--only", "times")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual((self.folder / "calls").read_text(), "ab" "abba" "abba")
        self.assertEqual(row["pairs"], 4)
        self.assertIn("so few pairs", out)
        self.assertIn("the digests differ", out)

    def test_without_callgrind_the_times_are_printed_all_the_same(self):
        a = self.write("a", STAND_IN % "1")
        (self.folder / "bin").mkdir()
        (self.folder / "bin/python3").symlink_to("/usr/bin/python3")
        code, out, err, row = self.bench(a, a, "--pairs", 6, path=str(self.folder / "bin"))
        self.assertEqual(code, 2)
        self.assertIn("apt-get install valgrind", err)
        self.assertGreater(row["time_ratio"], 0)
        self.assertNotIn("instruction_ratio", row)
        self.assertNotIn("differ", out)
        code, out, err, row = self.bench(a, a, "--only", "instructions", path=str(self.folder / "bin"))
        self.assertEqual((code, row, out), (2, None, ""))

    def test_cannot_run(self):
        a = self.write("a", STAND_IN % "1")
        for arguments, expected in ((["--pairs", 0], "at least 1"), (["--cycles", 0], "at least 1"),
                                    (["--floor", self.folder], "one of them"), (["no-such-row"], "no-such-row")):
            code, _, err, _ = self.bench(a, a, *arguments)
            self.assertEqual(code, 2)
            self.assertIn(expected, err)
        self.assertIn("is not a program", self.bench(a, self.folder)[2])
        self.assertIn("exit code 3", self.bench(a, self.write("b", "#!/bin/sh\nexit 3\n"))[2])


@unittest.skipIf(PROGRAM is None, "no program was built")
class TheProgram(Folder):
    @unittest.skipIf(shutil.which("valgrind") is None, "valgrind is not installed")
    def test_has_as_many_instructions_as_itself(self):
        code, _, err, row = self.bench(PROGRAM, PROGRAM, "--only", "instructions")
        self.assertEqual((code, err), (0, ""))
        self.assertAlmostEqual(row["instruction_ratio"], 1, delta=0.005)
        self.assertGreater(row["instructions"], 20)
        self.assertLess(row["instructions"], 2000)

    @unittest.skipIf(shutil.which("valgrind") is None, "valgrind is not installed")
    def test_does_not_count_what_fills_a_cache(self):
        caching = self.write("caching", CACHING % (PROGRAM, PROGRAM, PROGRAM))
        code, _, err, row = self.bench(PROGRAM, caching, "--only", "instructions")
        self.assertEqual((code, err), (0, ""))
        self.assertAlmostEqual(row["instruction_ratio"], 1, delta=0.001)

    def test_is_faster_than_itself_twice(self):
        only = [] if shutil.which("valgrind") else ["--only", "times"]
        twice = self.write("twice", TWICE % (PROGRAM, PROGRAM))
        code, _, err, row = self.bench(PROGRAM, twice, "--pairs", 5, "--cycles", 20000, *only)
        self.assertEqual((code, err), (0, ""))
        self.assertTrue(row["same_digest"])
        self.assertLess(row["time_ratio"], 0.8)
        if not only:
            self.assertAlmostEqual(row["instruction_ratio"], 0.5, delta=0.01)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
