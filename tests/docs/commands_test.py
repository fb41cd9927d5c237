#!/usr/bin/python3
"""Does what the documentation says work? Every command in README.md and in the comments of configs/ is run as it
stands there, in a folder like a fresh clone whose program is built already."""
import glob
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["NOCTULE_SOURCE_DIR"])
PROGRAM = pathlib.Path(os.environ["NOCTULE_PROGRAM"])
TIMEOUT = 250

SHORT_COSIM = ["--set", "cosim.cycles=200", "--set", "cosim.draws=1"]
QUICK = ["--set", "measurement.warm_up=0", "--set", "measurement.cycles=300", "--set", "plots=[]"]
# Where a command takes longer than a test may: what is added to it.
ADDED = {
    "scripts/test ALoneWorm": ["--help"],
    "scripts/test Mutant": ["--help"],
    "scripts/test WithFixedSlots": ["--help"],
    "scripts/test TheInputQueuedRouter": ["--help"],
    "scripts/test ALonePacket": ["--help"],
    "scripts/bench --floor DIR": ["--help"],
    "scripts/run configs/quickstart.yaml": [*QUICK, "--set", "trace.from=100", "--set", "traffic.source_queue=discard"],
    "scripts/run configs/my-own-router.yaml": QUICK,
    "scripts/test": ["--help"],                     # this runs in it
    "scripts/bench": ["--help"],                    # scripts.bench tests it
    "scripts/reproduce gravano-1994": ["--help"],   # papers.gravano-1994.reduced runs it
    "scripts/reproduce boppana-1993": ["--help"],   # papers.boppana-1993.reduced runs it
    "scripts/reproduce boppana-1998": ["--help"],   # papers.boppana-1998.reduced runs it
    "scripts/test OneDestination": ["--help"],
    "scripts/test hardware.netlist": ["--help"],
    "scripts/test --full cosim": ["--help"],
    "scripts/test formal": ["--help"],
    "scripts/run configs/cost/node-models.yaml": [*QUICK, "--set", "topology.radix=[7, 7]"],
    "scripts/run configs/cost/node-models-full.yaml": [*QUICK, "--set", "topology.radix=[7, 7]"],
    "scripts/synthesize four_classes": ["--help"],   # hardware.table and hardware.synthesize run it
    "scripts/synthesize --all": ["--help"],
    "scripts/synthesize FILE.sv --append mine.csv": ["--help"],
    "noctule cosim FILE": ["--help"],                # the file of the test has no routers in hardware
    "noctule cosim": ["--help"],
    "scripts/run cosim configs/cosim/node-models.yaml": SHORT_COSIM,
    "noctule cosim configs/cosim/node-models.yaml": SHORT_COSIM,
    "noctule cosim configs/cosim/input-queued.yaml": SHORT_COSIM,
    "noctule cosim configs/cosim/own-router.yaml": SHORT_COSIM,
    "noctule cosim configs/cosim/swapped.yaml": SHORT_COSIM,
    "noctule run configs/selection.yaml": ["--set", "measurement.cycles=500", "--set", "measurement.warm_up=0"],
    "noctule explore FILE": ["--axis", "node.lanes=1,2"],  # the file of the test has one point
    "noctule explore configs/explore-multicast.yaml": ["--set", "measurement.cycles=1000", "--set",
                                                       "measurement.warm_up=0", "--set", "plots=[]"],
}
# What does not end with exit code 0: a deadlock is possible.
EXIT_CODES = {"noctule cost FILE": 1,  # the file of the test has a router without figures
              "noctule verify configs/verify/no-dateline.yaml": 1,
              "noctule verify configs/boppana-1998/figure-04.yaml": 1}
# Other tests run these: the plug-in has to be built for the first; the others are patterns of commands.
ELSEWHERE = {
    "noctule --load libmine.so list": "tests/install/run.sh",
    "scripts/run ARGS": "tests/docs/commands_test.py",
    "noctule ARGS": "tests/docs/commands_test.py",
}
NAMES = {"FILE": "example.yaml"}
COMMAND = re.compile(r"^(noctule|scripts/\w+|gtkwave|grep) ")


def spans(text):
    """Commands in `backticks`."""
    found = re.findall(r"`([^`\n]+)`", text)
    return [span for span in found if COMMAND.match(span + " ")]


def readme_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", text, re.S)
    lines = [line.split("#")[0].strip() for block in blocks for line in block.splitlines()]
    prose = re.sub(r"```.*?```", "", text, flags=re.S)
    return [line for line in lines if line], [span for span in spans(prose) if span != "scripts/plot"]


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
        cls.folder = pathlib.Path(cls.holder.name)
        shutil.copytree(ROOT / "configs", cls.folder / "configs")
        shutil.copytree(ROOT / "rtl", cls.folder / "rtl")
        shutil.copytree(ROOT / "scripts", cls.folder / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(pathlib.Path(__file__).parent / "example.yaml", cls.folder)
        for built in ("setup", "build"):  # it is, by those who run the tests
            (cls.folder / "scripts" / built).write_text("#!/bin/sh\nexit 0\n")
        program = cls.folder / "build/release/bin/noctule"
        program.parent.mkdir(parents=True)
        program.symlink_to(PROGRAM)
        (cls.folder / "bin").mkdir()
        (cls.folder / "bin/noctule").symlink_to(PROGRAM)

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def words(self, command):
        """The command as a shell would start it in that folder."""
        found = []
        for word in shlex.split(command):
            if "*" in word:
                files = sorted(glob.glob(str(self.folder / word)))
                self.assertTrue(files, f"{command}: no such file: {word}")
                found += files
            else:
                found.append(NAMES.get(word, word))
        return found + ADDED.get(command, [])

    def run_command(self, command):
        words = self.words(command)
        if words[0] == "gtkwave":  # its files exist; a screen does not
            return
        environment = {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}
        done = subprocess.run(words, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=TIMEOUT, check=False)
        self.assertEqual(done.returncode, EXIT_CODES.get(command, 0), f"{command}\n{done.stdout[-1000:]}\n{done.stderr[-2000:]}")
        self.assertNotEqual(done.stdout, "", command)

    def test_every_one_works(self):
        blocks, prose = readme_commands()
        commands = list(dict.fromkeys(blocks + config_commands() + prose))
        self.assertGreater(len(blocks), 1)
        self.assertGreater(len(prose), 10)
        self.assertGreater(len(config_commands()), 4)
        for known in [*ADDED, *ELSEWHERE, *EXIT_CODES]:
            self.assertIn(known, commands, "stands no longer in the documentation")
        # What draws again or looks at files comes last.
        for command in sorted(commands, key=lambda c: c.startswith(("gtkwave", "grep", "scripts/plot"))):
            with self.subTest(command):
                if "cosim" in command and shutil.which("verilator") is None:
                    continue  # tests/cosim says so
                if command in ELSEWHERE:
                    self.assertTrue((ROOT / ELSEWHERE[command]).is_file())
                    continue
                self.run_command(command)

    def test_the_scripts_say_how_they_are_used(self):
        for script in sorted((ROOT / "scripts").iterdir()):
            if not script.is_file() or script.suffix == ".txt":
                continue
            self.assertTrue(os.access(script, os.X_OK), f"{script.name} is not executable")
            if script.read_bytes().startswith(b"#!/usr/bin/env bash"):
                subprocess.run(["bash", "-n", script], check=True)


if __name__ == "__main__":
    unittest.main(verbosity=2)
