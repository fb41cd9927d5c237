#!/usr/bin/python3
"""Does scripts/test build and run what a filter means, and go on with its stages where it was? With stand-ins for the
build and for ctest. Usage: test_script_test.py PROJECT BUILD_FOLDER"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROJECT, BUILD = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
sys.dont_write_bytecode = True
sys.path.insert(0, str(PROJECT / "scripts"))

from testing import catalogue, stages  # noqa: E402
from testing.errors import CannotRun  # noqa: E402

SOURCES = {"routing/a_test.cpp": "TEST(Turns, AreTaken) {}\nTEST_F(Rings,\n       Close) {}\n",
           "trace/b_test.cpp": "TEST_P(Worm, Moves) {}\nINSTANTIATE_TEST_SUITE_P(\n    Torus, Worm, Values(1));\n",
           "trace/deep/c_test.cpp": "TEST(Wave, Rises) {}\n", "style/no.cpp": "TEST(No, Test) {}\n"}
NAMES = {"routing": ["Turns.AreTaken", "Rings.Close"], "trace": ["Torus/Worm.Moves/", "Wave.Rises"]}

SCRIPT = """#!/bin/sh
echo "$(basename "$0") $*" >>"$(dirname "$0")/../calls"
[ ! -e "$(dirname "$0")/../broken-$1" ]
"""
# Runs the chosen tests: those in the file `failing` fail; after `most` of them it is interrupted.
CTEST = r"""#!/usr/bin/python3
import json, os, pathlib, sys, time
folder = pathlib.Path(sys.argv[sys.argv.index("--test-dir") + 1])
home = folder.parent.parent
tests = json.loads((home / "tests.json").read_text())
if "--show-only=json-v1" in sys.argv:
    print(json.dumps({"tests": [{"name": n, "command": [w.replace("BUILD", str(folder.resolve())) for w in t[0]],
                                 "properties": [{"name": "LABELS", "value": t[1]}]} for n, t in tests.items()]}))
    sys.exit(0)
numbers = [int(n) for n in pathlib.Path(sys.argv[sys.argv.index("-I") + 1]).read_text().split(",")[3:]]
failing = (home / "failing").read_text().split() if (home / "failing").exists() else []
names = [list(tests)[n - 1] for n in numbers]
with open(home / "calls", "a") as calls:
    calls.write(f"ctest {folder.name} {' '.join(names)}\n")
bad = 0
for i, (number, name) in enumerate(zip(numbers, names), 1):
    print(f"    Start {number}: {name}")
    verdict = "***Failed " if name in failing else "***Skipped" if "skip" in name else "  Passed  "
    bad += name in failing
    print(f"{i}/{len(names)} Test #{number}: {name} .....{verdict}  0.50 sec", flush=True)
    if (home / "most").exists() and i == int((home / "most").read_text()):
        time.sleep(0.5)  # what was printed has been read
        os.kill(os.getppid(), 2)
        sys.exit(1)
print(f"\n{100 * (len(names) - bad) // len(names)}% tests passed, {bad} tests failed out of {len(names)}")
sys.exit(8 if bad else 0)
"""
PROGRAM = ["BUILD/bin/noctule"]
TESTS = {"Turns.AreTaken": [["BUILD/bin/noctule_tests_routing"], []], "style.text": [["check"], ["style"]], "cli.output": [PROGRAM, []], "cosim.skip": [PROGRAM, []],
         "cli.verdicts.all": [PROGRAM, ["full"]], "papers.one.full": [PROGRAM, ["full"]],
         "papers.two.full": [PROGRAM, ["full"]], "papers.three.full": [PROGRAM, ["full"]]}


def test(name, needs=(), labels=(), number=1):
    return catalogue.Test(number, name, frozenset(needs), frozenset(labels))


class WhatAFilterMeans(unittest.TestCase):
    def test_names_are_found_in_the_sources(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in SOURCES.items():
                file = pathlib.Path(folder) / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            self.assertEqual(catalogue.written(folder), NAMES)

    def test_builds_the_programs_of_those_tests_and_what_they_run(self):
        tests = [test("noctule_tests_routing_NOT_BUILT"), test("Torus/Worm.Moves/3", ["bin/noctule_tests_trace"]),
                 test("cli.output", ["bin/noctule"]), test("cli.plug_ins", ["bin/noctule", "tests/cli/plug_ins"]),
                 test("style.text")]
        for pattern, expected in (("Turns", ["bin/noctule_tests_routing"]), ("Moves/3$", ["bin/noctule_tests_trace"]),
                                  ("Torus/Worm", ["bin/noctule_tests_trace"]), ("^style", []), ("nothing", None),
                                  ("cli.output", ["bin/noctule"]),
                                  ("plug_ins", ["bin/noctule", "noctule_test_plug_ins"]),
                                  ("Close|Rises", ["bin/noctule_tests_routing", "bin/noctule_tests_trace"])):
            self.assertEqual(catalogue.build_for(pattern, tests, NAMES)[0], expected, pattern)
        with self.assertRaisesRegex(CannotRun, "no regular expression"):
            catalogue.build_for("a[", tests, NAMES)

    def test_says_whose_parameters_it_does_not_know(self):
        tests = [test("noctule_tests_routing_NOT_BUILT"), test("noctule_tests_trace_NOT_BUILT")]
        self.assertEqual(catalogue.build_for("Turns", tests, NAMES), (["bin/noctule_tests_routing"], ["trace"]))
        self.assertEqual(catalogue.with_parameters(NAMES), ["bin/noctule_tests_trace"])


class ThisProject(unittest.TestCase):
    def test_has_a_program_for_every_folder_of_tests(self):
        listed = (PROJECT / "tests/CMakeLists.txt").read_text(encoding="utf-8")
        areas = " ".join(re.findall(r"set\((?:plain|systemc)_areas ([^)]*)\)", listed)).split()
        for folder in catalogue.written(PROJECT / "tests"):
            self.assertIn(folder, areas)

    def test_every_test_belongs_to_exactly_one_stage(self):
        tests = catalogue.known(BUILD)
        self.assertGreater(len(tests), 20)
        for preset in {s.preset for s in stages.STAGES}:
            held = [t.name for s in stages.STAGES if s.preset == preset for t in stages.tests_of(s, tests)]
            short = [t.name for t in tests if stages.LONG not in t.labels]
            expected = [t.name for t in tests] if preset == "release" else [
                name for name in short if name.split(".")[0] not in stages.ANY_BUILD]
            self.assertEqual(sorted(held), sorted(expected), preset)

    def test_no_stage_is_empty_or_too_long(self):
        for stage in stages.STAGES:
            self.assertLess(stage.minutes, 50)
            self.assertEqual(sum(map(bool, (stage.long, stage.short, stage.tidy))) <= 1, True)
        with self.assertRaisesRegex(CannotRun, "belongs to no stage"):
            stages.home(test("unheard.of", labels=["full"]))

    def test_the_stages_stand_in_the_documentation(self):
        text = (PROJECT / "tests/README.md").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"^\| `([\w-]+)` \|", text, re.M), [s.name for s in stages.STAGES])


class Sandbox(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name) / "project"
        shutil.copytree(PROJECT / "scripts/testing", self.folder / "scripts/testing",
                        ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(PROJECT / "scripts/test", self.folder / "scripts")
        for name in ("setup", "build", "check-tidy"):
            self.write(f"scripts/{name}", SCRIPT)
        self.write("../bin/ctest", CTEST)
        for preset in {s.preset for s in stages.STAGES}:
            (self.folder / "build" / preset).mkdir(parents=True)
        for name, text in SOURCES.items():
            self.write(f"tests/{name}", text)
        self.write("tests.json", json.dumps(TESTS))
        self.write(".gitignore", "/build/\n/calls\n/failing\n/most\n/broken*\n")
        self.git("init", "-q")
        self.commit()

    def write(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        file.chmod(0o755)

    def git(self, *arguments):
        return subprocess.run(["git", "-C", self.folder, "-c", "user.name=a", "-c", "user.email=a@b", *arguments],
                              capture_output=True, text=True, check=True).stdout.strip()

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "a")

    def run_script(self, *arguments, code=0):
        """Gives what was called, and what was printed."""
        (self.folder / "calls").unlink(missing_ok=True)
        environment = {**os.environ, "PATH": f"{self.folder.parent / 'bin'}:{os.environ['PATH']}",
                       "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run([self.folder / "scripts/test", *arguments], capture_output=True, text=True, check=False,
                              env=environment)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        calls = self.folder / "calls"
        lines = calls.read_text().splitlines() if calls.exists() else []
        return [c for c in lines if not c.startswith("setup")], done.stdout + done.stderr

    def stage(self, name):
        return json.loads((self.folder / "build/full/stages.json").read_text())[self.git("rev-parse", "HEAD")][name]


class EveryDay(Sandbox):
    def test_all_are_built_and_run_but_for_the_long_ones(self):
        calls, out = self.run_script()
        self.assertEqual(calls, ["build release", "ctest release Turns.AreTaken style.text cli.output cosim.skip"])
        self.assertEqual(out.splitlines()[-1], "100% tests passed, 0 tests failed out of 4")

    def test_a_filter_builds_what_it_needs(self):
        self.assertEqual(self.run_script("Turns")[0], ["build release build.ninja", "build release bin/noctule_tests_routing",
                                                       "ctest release Turns.AreTaken"])
        self.assertEqual(self.run_script("style")[0], ["build release build.ninja", "ctest release style.text"])
        self.assertEqual(self.run_script("output")[0][1:], ["build release bin/noctule", "ctest release cli.output"])

    def test_what_no_name_is_known_for_may_be_a_parameter(self):
        calls, out = self.run_script("star", code=2)
        self.assertEqual(calls, ["build release build.ninja", "build release bin/noctule_tests_trace"])
        self.assertIn('no test ran; FILTER was "star"', out)

    def test_exit_codes(self):
        self.write("failing", "cli.output")
        self.run_script(code=1)
        self.run_script("style")
        self.write("broken-release", "")
        self.assertIn("does not build", self.run_script(code=2)[1])
        self.assertIn("one FILTER only", self.run_script("a", "b", code=2)[1])
        self.assertIn("no stage 'nightly'; stages: release", self.run_script("--full", "nightly", code=2)[1])

    def test_a_list_runs_nothing(self):
        calls, out = self.run_script("--list", "style|cli")
        self.assertEqual(calls, ["build release build.ninja", "build release bin/noctule"])
        self.assertEqual(out, "style.text\ncli.output\n2 tests\n")


class Stages(Sandbox):
    def test_a_stage_runs_its_tests_and_is_remembered(self):
        self.assertEqual(self.run_script("--full", "papers")[0],
                         ["build release", "ctest release papers.one.full papers.two.full papers.three.full"])
        out = self.run_script("--full", "--list")[1]
        self.assertRegex(out, r"papers +passed +0\.\d min")
        self.assertRegex(out, r"verdicts +not run +expected \d+ min")
        calls, out = self.run_script("--full", code=1)  # there are no netlists here
        self.assertIn("papers: passed before", out)
        self.assertFalse([c for c in calls if "papers" in c])
        self.assertIn("ctest release cli.verdicts.all", calls)
        # Named, it runs again.
        self.assertEqual(len(self.run_script("--full", "papers")[0]), 2)

    def test_what_failed_is_run_again_and_nothing_else(self):
        self.write("failing", "papers.two.full")
        self.assertIn("FAILED papers.two.full", self.run_script("--full", "papers", code=1)[1])
        self.assertEqual(self.stage("papers")["failed"], ["papers.two.full"])
        (self.folder / "failing").unlink()
        calls = self.run_script("--full", code=1)[0]
        self.assertIn("ctest release papers.two.full", calls)
        self.assertEqual((self.stage("papers")["done"], self.stage("papers")["failed"]), (True, []))

    def test_an_interrupted_stage_goes_on(self):
        self.write("most", "2")
        self.run_script("--full", "papers", code=130)
        self.assertFalse(self.stage("papers")["done"])
        self.assertRegex(self.run_script("--full", "--list", "papers")[1], r"papers +begun: 2 passed")
        (self.folder / "most").unlink()
        self.assertEqual(self.run_script("--full", "papers")[0][1], "ctest release papers.three.full")

    def test_skipped_tests_are_said(self):
        self.run_script("--full", "release")
        self.assertRegex(self.run_script("--full", "--list", "release")[1], "release +passed, 1 skipped")

    def test_a_stage_that_does_not_build_fails_and_the_next_one_runs(self):
        self.write("broken-clang", "")
        calls, out = self.run_script("--full", "clang", "papers", code=1)
        self.assertIn("FAILED build/clang does not build", out)
        self.assertIn("ctest release papers.one.full papers.two.full papers.three.full", calls)

    def test_tidy_has_arguments_of_its_own(self):
        calls = self.run_script("--full", "tidy-plain")[0]
        self.assertEqual(calls, ["build clang", f"check-tidy {self.folder / 'build/clang'} plain"])

    def test_another_state_of_the_sources_is_another_key(self):
        first = stages.key_of(self.folder)
        self.assertEqual(first, self.git("rev-parse", "HEAD"))
        self.run_script("--full", "papers")
        keys = {first}
        self.write("new.cpp", "a\n")
        keys.add(stages.key_of(self.folder))
        self.write("new.cpp", "b\n")
        keys.add(stages.key_of(self.folder))
        self.write("tests/routing/a_test.cpp", "changed\n")
        keys.add(stages.key_of(self.folder))
        self.assertEqual(len(keys), 4)
        self.assertRegex(self.run_script("--full", "--list", "papers")[1], r"papers +not run +last 0\.\d min")
        self.commit()
        self.assertNotIn(stages.key_of(self.folder), keys)

    def test_sources_that_change_meanwhile_are_noticed(self):
        self.write("scripts/check-tidy", SCRIPT + 'echo >"$(dirname "$0")/../changed"\n')
        self.commit()
        self.assertIn("changed meanwhile", self.run_script("--full", "tidy-plain", "papers", code=2)[1])
        (self.folder / "changed").unlink()
        self.assertRegex(self.run_script("--full", "--list", "tidy-plain")[1], "tidy-plain +not run")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
