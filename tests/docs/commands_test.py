#!/usr/bin/python3
"""Does what the documentation says work? Every command in the pages and in the comments of configs/ is run as it stands
there, in a folder like a fresh clone whose program is built already. A page that writes files is run from top to bottom."""
import glob
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import time
import unittest

from pages import ROOT, blocks, pages, prose

PROGRAM = pathlib.Path(os.environ["NOCTULE_PROGRAM"])
TIMEOUT = 1800  # seconds: later, a command hangs; the slowest takes some tens

SHORT_COSIM = ["--set", "cosim.cycles=200", "--set", "cosim.draws=1"]
QUICK = ["--set", "measurement.warm_up=0", "--set", "measurement.cycles=300", "--set", "plots=[]"]
BENCH = ["mesh-8x8-light", "--runs", "1"]
# Where a command takes longer than a test may: what is added to it, so that it does less of the same.
ADDED = {
    "scripts/test": ["--list"],  # this runs in it; so do those that the next ones name
    "scripts/test ALoneWorm": ["--list"],
    "scripts/test Mutant": ["--list"],
    "scripts/test WithFixedSlots": ["--list"],
    "scripts/test TheInputQueuedRouter": ["--list"],
    "scripts/test ALonePacket": ["--list"],
    "scripts/test OneDestination": ["--list"],
    "scripts/test TheModel": ["--list"],
    "scripts/test hardware.netlist": ["--list"],
    "scripts/test formal": ["--list"],
    "scripts/test FILTER": ["--list"],
    "scripts/test --full mutants": ["--list"],
    "scripts/test --full sanitizers": ["--list"],
    "scripts/test --full STAGE": ["--list"],
    "scripts/test --full": ["--list"],
    "scripts/test NorthLast": ["--list"],
    "scripts/bench": BENCH,
    "scripts/bench --floor DIR": BENCH,
    "scripts/bench --against PROGRAM": ["mesh-8x8-light", "--cycles", "500", "--pairs", "1", "--only", "times"],
    "scripts/run configs/quickstart.yaml": [*QUICK, "--set", "trace.from=100", "--set", "traffic.source_queue=discard"],
    "scripts/run configs/my-own-router.yaml": QUICK,
    "scripts/run configs/allocators.yaml": QUICK,
    **{"scripts/run configs/greenberg-1997/open-loop.yaml" + change: QUICK for change in (
        "", " --set traffic.pattern=bit_complement",
        " --set 'traffic.pattern={kind: hotspot, nodes: [0], fraction: 0.05}'")},
    "scripts/run configs/cost/node-models.yaml": [*QUICK, "--set", "topology.radix=[7, 7]"],
    "scripts/run configs/cost/node-models-full.yaml": [*QUICK, "--set", "topology.radix=[7, 7]"],
    "scripts/synthesize four_classes": ["--recipe", "nf"],
    "scripts/synthesize FILE.sv --append mine.csv": ["--model", "four_classes", "--recipe", "nf"],
    "noctule cosim": ["configs/cosim/input-queued.yaml", *SHORT_COSIM],
    "noctule cosim FILE": SHORT_COSIM,
    "noctule cosim configs/cosim/node-models.yaml": SHORT_COSIM,
    "noctule cosim configs/cosim/input-queued.yaml": SHORT_COSIM,
    "noctule cosim configs/cosim/swapped.yaml": SHORT_COSIM,
    "noctule cosim configs/cosim/unlike.yaml": SHORT_COSIM,
    "noctule run configs/selection.yaml": ["--set", "measurement.cycles=500", "--set", "measurement.warm_up=0"],
    "noctule levels FILE": ["--set", "measurement.cycles=5000"],
    **{f"noctule levels configs/levels.yaml --set traffic.offered_load=0.19 {rest}": ["--set", "measurement.cycles=12000"]
       for rest in ("--calibrate waits.json", "--set tlm.calibration=waits.json --seed 2")},
    "noctule explore FILE": ["--axis", "node.lanes=1,2"],  # the file of the test has one point
    "noctule explore configs/explore-multicast.yaml": QUICK,
}
# What does not end with exit code 0: a deadlock is possible.
EXIT_CODES = {"noctule cost FILE": 1,  # the file of the test has a router without figures
              "noctule verify configs/verify/no-dateline.yaml": 1,
              "noctule verify configs/verify/request-response-shared.yaml": 1,
              "noctule verify configs/boppana-1998/figure-04.yaml": 1}
# Other tests run these, and hold this text; the first needs a plug-in, the last are patterns of commands.
ELSEWHERE = {
    "noctule cosim configs/cosim/own-router.yaml": ("tests/cosim/configs_test.py", 'CONFIGS.glob("*.yaml")'),
    "noctule --load libmine.so list": ("tests/install/run.sh", '"$program" --load "$plugin" list'),
    **{f"scripts/reproduce {paper}": ("tests/papers/CMakeLists.txt", paper)  # with --reduced, which takes a minute
       for paper in ("gravano-1994", "boppana-1993", "greenberg-1997", "boppana-1998", "symons-1997")},
    "scripts/synthesize --all": ("tests/hardware/table_test.py", 'self.synthesize("--check"'),  # what it wrote
    "scripts/reproduce PAPER": ("tests/papers/CMakeLists.txt", "gravano-1994"),
    # The clone is built; those that run this test have built it.
    **{command: ("scripts/run", '/build"') for command in (
        "scripts/build", "scripts/setup", "scripts/build release TARGET", "scripts/build release noctule_tests_routing")},
    "noctule doctor": ("tests/cli/tools_test.py", '"doctor"'),  # what it says depends on the machine
    "scripts/run ARGS": ("tests/docs/commands_test.py", '"scripts/run configs/quickstart.yaml"'),
    "noctule ARGS": ("tests/docs/commands_test.py", '"noctule cosim"'),
}
# Another test runs every command of these pages.
PAGES_ELSEWHERE = {"configs/platform/README.md": ("tests/install/run.sh", "configs/platform/README.md")}
NAMES = {"FILE": "example.yaml", "FILE.cpp": "tests/install/stranger/yx_order.cpp", "FILE.sv": "rtl/arbitration/round_robin_arbiter.sv", "DIR": "floor", "FILTER": "formal",
         "PROGRAM": str(PROGRAM), "STAGE": "release"}
# A file with routers in RTL.
OTHER_FILES = {"noctule cosim FILE": "configs/cosim/input-queued.yaml",
               "noctule import booksim FILE": "tests/config/booksim/mesh.cfg",
               "scripts/plot DIR --paper": "out/soc-flows",  # another command writes it
               "scripts/plot DIR --show-all": "out/soc-flows",
               "noctule levels FILE": "configs/platform/platform.yaml",
               "noctule import noxim FILE": "tests/config/noxim/west-first.yaml"}
# Named, not run.
BARE = {"noctule", "noctule check", "noctule run", "noctule verify", "scripts/run", "scripts/synthesize", "scripts/plot"}
# What commands need that is not everywhere; tests of those areas say so.
TOOLS = {"cosim": "verilator", "configs/rtl/": "verilator", "synthesize": "yosys"}
FLOOR = """#include <cstdio>
int main() { std::puts("RES nsrc=25.00 nshop=40.00"); }
"""
COMMAND = re.compile(r"^(noctule|scripts/\w+|gtkwave|grep) ")


def spans(text):
    """Commands in `backticks`."""
    found = re.findall(r"`([^`\n]+)`", text)
    return [span for span in found if COMMAND.match(span + " ")]


def page_commands():
    """Of all pages: whole pages that write files; else the lines of blocks; commands in prose."""
    scripts, lines, words = {}, [], []
    for page in pages():
        found = [] if page.relative_to(ROOT).as_posix() in PAGES_ELSEWHERE else blocks(page, "sh")
        if any("<<'END'" in block for block in found):
            scripts[page.relative_to(ROOT).as_posix()] = "".join(found)
        else:
            lines += [line.split("  #")[0].strip() for block in found for line in block.splitlines()]
        words += [span for span in spans(prose(page)) if span not in BARE]
    return scripts, [line for line in lines if line], words


def config_commands():
    """In comments: on a line of their own, indented, or in backticks."""
    found = []
    for file in sorted((ROOT / "configs").rglob("*.yaml")):
        for line in file.read_text(encoding="utf-8").splitlines():
            comment = line.partition("#")[2]
            own = comment.strip()
            if line.startswith("#   ") and COMMAND.match(own):
                found.append(own)
            elif file.name != "reference.yaml":
                found += spans(comment)
    return found


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory(prefix="noctule-docs-")
        cls.folder = pathlib.Path(cls.holder.name) / "clone"
        cls.bin = pathlib.Path(cls.holder.name) / "bin"
        shutil.copytree(ROOT / "configs", cls.folder / "configs")
        shutil.copytree(ROOT / "rtl", cls.folder / "rtl")
        shutil.copytree(ROOT / "scripts", cls.folder / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(pathlib.Path(__file__).parent / "example.yaml", cls.folder)
        for built in ("setup", "build"):  # it is, by those who run the tests
            (cls.folder / "scripts" / built).write_text("#!/bin/sh\nexit 0\n")
        (cls.folder / "build").mkdir()
        (cls.folder / "build/release").symlink_to(PROGRAM.parent.parent)
        (cls.folder / "tests").symlink_to(ROOT / "tests")
        (cls.folder / "floor").mkdir()
        (cls.folder / "floor/floor.cpp").write_text(FLOOR, encoding="utf-8")
        cls.bin.mkdir()
        (cls.bin / "noctule").symlink_to(PROGRAM)

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def words(self, command):
        """The command as a shell would start it in that folder."""
        found = []
        for word in shlex.split(command):
            if "*" in word and not word.startswith("--"):
                files = sorted(glob.glob(str(self.folder / word)))
                self.assertTrue(files, f"{command}: no such file: {word}")
                found += files
            else:
                found.append(OTHER_FILES.get(command, NAMES.get(word, word)) if word in NAMES else word)
        return found + ADDED.get(command, [])

    def run_command(self, command):
        words = self.words(command)
        if words[0] == "gtkwave":  # its files exist; a screen does not
            return
        if ">" in words:
            words = ["bash", "-c", f"{command}; cat {words[-1]}"]
        environment = {**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}"}
        begun = time.monotonic()
        done = subprocess.run(words, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=TIMEOUT, check=False)
        print(f"{time.monotonic() - begun:6.1f} s  {command}", flush=True)
        self.assertEqual(done.returncode, EXIT_CODES.get(command, 0), f"{command}\n{done.stdout[-1000:]}\n{done.stderr[-2000:]}")
        self.assertNotEqual(done.stdout, "", command)

    def test_every_one_works(self):
        _, lines, words = page_commands()
        commands = list(dict.fromkeys(lines + config_commands() + words))
        self.assertGreater(len(lines), 10)
        self.assertGreater(len(words), 10)
        self.assertGreater(len(config_commands()), 4)
        for page, (file, text) in PAGES_ELSEWHERE.items():
            self.assertNotEqual(blocks(ROOT / page, "sh"), [], page)
            self.assertIn(text, (ROOT / file).read_text(encoding="utf-8"))
        for program in re.findall(r"build/release/bin/noctule_(\w+)", "\n".join(commands)):
            self.assertIn(f"NOCTULE_{program}", list(os.environ), "tests/docs/CMakeLists.txt names what has to be built")
        for known in [*ADDED, *ELSEWHERE, *EXIT_CODES, *OTHER_FILES]:
            self.assertIn(known, commands, "stands no longer in the documentation")
        self.assertNotIn("--help", [word for words in ADDED.values() for word in words], "that runs nothing")
        # What checks the clone comes first; what draws again or looks at results comes last.
        for command in sorted(commands, key=lambda c: (c.startswith(("gtkwave", "grep", "scripts/plot")),
                                                       not c.startswith("scripts/check"))):
            with self.subTest(command):
                if any(word in command and shutil.which(tool) is None for word, tool in TOOLS.items()):
                    continue
                if command in ELSEWHERE:
                    file, text = ELSEWHERE[command]
                    self.assertIn(text, (ROOT / file).read_text(encoding="utf-8"))
                    continue
                self.run_command(command)

    def test_pages_work_from_top_to_bottom(self):
        scripts, _, _ = page_commands()
        self.assertIn("configs/README.md", scripts)
        environment = {**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}"}
        for page, script in scripts.items():
            with self.subTest(page):
                lines = [line for line in script.splitlines()
                         if not any(word in line and shutil.which(tool) is None for word, tool in TOOLS.items())]
                lines = [shlex.join([*shlex.split(line), *ADDED[line]]) if line in ADDED else line for line in lines]
                done = subprocess.run(["bash", "-e"], input="\n".join(lines) + "\n", cwd=self.folder, env=environment,
                                      capture_output=True, text=True, timeout=TIMEOUT, check=False)
                self.assertEqual(done.returncode, 0, done.stdout[-1000:] + done.stderr[-2000:])

    def test_the_scripts_say_how_they_are_used(self):
        for script in sorted((ROOT / "scripts").iterdir()):
            if not script.is_file() or script.suffix in (".txt", ".md"):
                continue
            self.assertTrue(os.access(script, os.X_OK), f"{script.name} is not executable")
            if script.read_bytes().startswith(b"#!/usr/bin/env bash"):
                subprocess.run(["bash", "-n", script], check=True)
            if script.name != "run" and not script.name.startswith("check-"):  # that hands options on; parts of check
                done = subprocess.run([script, "--help"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                      check=False)
                self.assertEqual(done.returncode, 0, script.name)
                self.assertRegex(done.stdout, "[Uu]sage: ", script.name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
