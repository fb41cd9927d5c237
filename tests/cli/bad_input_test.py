#!/usr/bin/python3
"""Is whatever is wrong with a command line or a file refused: exit code 2, nothing on standard output, and a
message that says where, what was given and what to do?"""
import fcntl
import time
import unittest

from cli_support import SMALL, TIMEOUT, CommandLineTest

# arguments behind `noctule`: parts of the message
COMMAND_LINES = {
    (): ["command", "--help"],
    ("frobnicate", "small.yaml"): ["there is no command 'frobnicate'", "--help"],
    ("small.yaml",): ["there is no command 'small.yaml'", "`noctule run small.yaml` runs the file"],
    ("small.yaml", "run"): ["there is no command 'small.yaml'", "`noctule run small.yaml`"],
    ("help", "run"): ["there is no command 'help'", "`noctule --help`"],
    ("run", "small.yaml", "traffic.offered_load=0.2"): ["`--set traffic.offered_load=0.2`"],
    ("--frobnicate",): ["--frobnicate", "--help"],
    ("run",): ["FILE is required"],
    ("run", "small.yaml", "--frobnicate"): ["no option '--frobnicate'"],
    ("run", "small.yaml", "--thread", "2"): ["no option '--thread'", "did you mean '--threads'?"],
    ("run", "small.yaml", "topology.radix=[5, 5]"): ["`--set 'topology.radix=[5, 5]'`"],
    ("run", "small.yaml", "--radix=[5, 5]"): ["`--set 'topology.radix=[5, 5]'`"],
    ("run", "small.yaml", "name=it's"): [r"`--set 'name=it'\''s'`"],
    ("run", "small.yaml", "seed=1"): ["'seed=1' was not expected", "--set seed=1"],
    ("check", "small.yaml", "second.yaml"): ["second.yaml"],
    ("run", "small.yaml", "--threads", "0"): ["--threads", "0 not in range 1 to 1024"],
    ("run", "small.yaml", "--threads", "-1"): ["--threads", "1 to 1024"],
    ("run", "small.yaml", "--threads", "two"): ["--threads", "two"],
    ("run", "small.yaml", "--threads"): ["--threads"],
    ("run", "small.yaml", "--seed", "abc"): ["--seed abc", "expected an integer", "'abc'"],
    ("run", "small.yaml", "--seed", "-1"): ["--seed -1", "-1 is out of range"],
    ("run", "small.yaml", "--seed", "99999999999999999999"): ["--seed 99999999999999999999", "out of range"],
    ("run", "small.yaml", "--seed", "1", "--seed", "2"): ["--seed"],
    ("run", "small.yaml", "--out", ""): ["--out", "empty"],
    ("run", "small.yaml", "--out", "small.yaml"): ["--out", "small.yaml", "Not a directory"],
    ("run", "small.yaml", "--out", "/proc/noctule"): ["--out", "/proc/noctule"],
    ("run", "small.yaml", "--events", ""): ["--events", "empty"],
    ("run", "small.yaml", "--events", "--out", "r"): ["--events", "'--out' is an option", "write the value"],
    ("run", "small.yaml", "--axis", "--quiet"): ["--axis", "'--quiet' is an option", "write the value"],
    ("run", "small.yaml", "--set", "--json"): ["--set", "'--json' is an option"],
    ("compare", "small.yaml", "--axis", "node.lanes=4"): ["--axis node.lanes", "one value", "nothing to compare"],
    ("compare", "small.yaml", "--set", "compare=[{label: a}]"): ["compare", "one series", "add another one"],
    ("run", "small.yaml", "--events", "e.csv", "--set", "trace.events=true"): ["trace.events", "no effect", "--events"],
    ("run", "small.yaml", "--events", "missing/e.csv"): ["--events missing/e.csv", "no folder missing"],
    ("run", "small.yaml", "--events", "small.yaml/e.csv"): ["--events small.yaml/e.csv", "no folder"],
    ("run", "small.yaml", "--events", "."): ["--events .", "is a folder"],
    ("run", "small.yaml", "--load", "missing.so"): ["--load missing.so", "cannot be loaded"],
    ("run", "small.yaml", "--load", "small.yaml"): ["--load small.yaml", "cannot be loaded"],
    ("list", "--load", "missing.so"): ["--load missing.so", "cannot be loaded"],
    ("sweep", "small.yaml"): ["has no sweep", "--axis"],
    ("compare", "small.yaml"): ["compares nothing", "--axis"],
    ("list", "torsu"): ["'torsu'", "did you mean torus?", "noctule list"],
    ("list", "torus", "--reference"): ["--reference", "every key", "`noctule list torus`"],
    ("list", "--reference", "--json"): ["--json", "--reference", "YAML", "`noctule list NAME --json`"],
    ("list", "crossbar"): ["'crossbar'", "`noctule list --reference` every key"],
    ("run", "missing.yaml"): ["'missing.yaml' does not exist"],
    ("check", "missing.yaml"): ["'missing.yaml' does not exist"],
    ("run", "."): ["'.' is a folder"],
    ("simulate", "small.yaml"): ["no command 'simulate'", "did you mean 'run'?"],
    ("comp", "small.yaml"): ["no command 'comp'", "did you mean 'compare'?"],
    ("plot", "out"): ["no command 'plot'", "scripts/plot"],
    ("run", "small.yaml", "--cycles", "100"): ["no option '--cycles'", "--set measurement.cycles=VALUE"],
    ("run", "small.yaml", "--vcd"): ["no option '--vcd'", "--set trace.vcd=VALUE"],
    ("run", ""): ["''", "YAML"],
}

SETS = {
    "sweep={traffic: {offered_load: [0.1, 0.2]}}": ["sweep.traffic.offered_load", "write 'traffic.offered_load: [...]'"],
    "sweep={seed: {from: 1, too: 3}}": ["unknown key 'too'; did you mean 'to'? A range has from, to and step"],
    "sweep={seed: {from: 1, until: 3}}": ["unknown key 'until'", "A range has from, to and step"],
    "measurement.drain=1": ["packets count that arrive in it", "those under way at its end do not"],
    "nokey=1": ["--set nokey=1", "unknown key 'nokey'", "traffic"],
    "trafic.offered_load=1": ["unknown key 'trafic'", "did you mean 'traffic'?"],
    "traffic.offered_laod=1": ["did you mean 'offered_load'?"],
    "seed=abc": ["seed", "expected an integer", "'abc'"],
    "topology.radix=5": ["topology.radix", "expected a list", "[5]"],
    "topology.radix=6x10": ["topology.radix", "'6x10'", "a list is written [6, 10]"],
    "traffic.offered_load=10%": ["'10%'", "5 % is 0.05"],
    "traffic.packet_length=64 B": ["1 to 65535 flits", "'64 B'", "the number alone, without a unit"],
    "traffic.packet_length=[1, 5]": ["a list of 2", "--axis", "packet_lengths: [{length: 1}, {length: 5}]"],
    "message_classes={a: {vcs: {lane: [0, 0]}}, b: {vcs: {lane: 1}}}": ["message_classes.a", "lane '0' is given twice"],
    "link.latency=2": ["did you mean 'flit_delay'?"],
    "topology.radix=[1, 3]": ["topology.radix[0]", "1 is out of range", "2 to 65535"],
    "topology.kind=torrus": ["did you mean 'torus'?", "hypercube, k_ary_n_cube, mesh, ring, torus",
                             "; a part of your own needs --load LIBRARY"],
    "routing=odd_even": ["'odd_even' is not allowed", "; a part of your own needs --load LIBRARY"],
    "traffic.source=mine": ["'mine' is not allowed", "; a part of your own needs --load LIBRARY"],
    "node.vc_allocator=mine": ["(?s)^(?!.*--load).*'mine' is not allowed"],
    "traffic.offered_load=1e9": ["1e9 is out of range"],
    "traffic.offered_load=.nan": ["traffic.offered_load"],
    "measurement.cycles=": ["no value is given"],
    "node.lanes=99": ["99 is out of range", "1 to 64"],
    "expect=happy": ["(?s)^(?!.*--load)", "'happy' is not allowed", "stable"],
    "node={crossbar_per: [lane], crossbars: [{}]}": ["crossbar_per", "crossbars"],
    "base=small.yaml": ["base"],
    "word": ["--set word", "KEY=VALUE"],
    "=3": ["--set =3", "KEY=VALUE"],
    "trace.scope=[router_?_2]": ["not valid YAML", "quotes"],
    "seed=[1": ["--set seed=[1", "YAML"],
    "topology.radix=[20000, 20000]": ["limits.memory_mb", "make it smaller"],
    "limits.memory_mb=0": ["limits.memory_mb"],
}

AXES = {
    "nokey=1,2": ["--axis nokey=1,2", "'nokey'"],
    "traffic.offered_laod=1,2": ["did you mean", "offered_load"],
    "traffic.offered_load=0.1:0.5": ["'0.1:0.5'", "number"],
    "traffic.offered_load=0.5:0.1:0.1": ["from 0.5 to 0.1 in steps of 0.1"],
    "traffic.offered_load=0.1:0.5:0": ["steps of 0"],
    "traffic.offered_load=0:1:1e-9": ["steps of"],
    "traffic.offered_load=": ["values"],
    "traffic.offered_load": ["KEY=LIST or KEY=FROM:TO:STEP"],
    "traffic.offered_load=0.1,much": ["'much'"],
    "node.lanes=1,2,99": ["99 is out of range"],
}

# content of the file: parts of the message
FILES = {
    "unknown key": ("seed: 1\ntrafic:\n  offered_load: 0.1\n", ["bad.yaml:2:1", "did you mean 'traffic'?"]),
    "unknown key in a section": (SMALL + "link:\n  flit_dealy: 2\n", ["bad.yaml:12:3", "did you mean 'flit_delay'?"]),
    "wrong type": ("topology: mesh\nseed: [1]\n", ["bad.yaml:2:7", "seed", "expected an integer"]),
    "quoted number": ("seed: '5'\n", ["bad.yaml:1:7", "seed"]),
    "out of range": ("node:\n  lanes: 0\n", ["bad.yaml:2:10", "0 is out of range", "1 to 64"]),
    "wrong word": ("node:\n  scan: roundrobin\n", ["bad.yaml:2:9", "did you mean 'round_robin'?"]),
    "contradiction": ("node:\n  crossbar_per: [lane]\n  crossbars: [{}]\n", ["(?s)bad.yaml:[23]:", "crossbars"]),
    "same key twice": ("seed: 1\nseed: 2\n", ["bad.yaml:2:1", "seed"]),
    "everything at once": ("sede: 1\nnode:\n  lanes: 0\ntraffic: 7\n",
                           ["bad.yaml:1:1", "bad.yaml:3:10", "bad.yaml:4:10"]),
    "not YAML": ("a: [1,\n b: }\n", ["bad.yaml:2:5", "not valid YAML"]),
    "tabs": ("topology:\n\tkind: mesh\n", ["bad.yaml:2:", "YAML"]),
    "a list": ("- 1\n- 2\n", ["bad.yaml:1:1"]),
    "a file of BookSim2": ("// a mesh\ntopology = mesh;\nk = 8;\n", ["bad.yaml:1:1", "`noctule import booksim`"]),
    "two documents": ("seed: 1\n---\nseed: 2\n", ["bad.yaml:", "second document"]),
    "binary": (bytes(range(256)) * 4, ["bad.yaml:1:1", "UTF-8"]),
    "an executable's beginning": (b"\x7fELF\x02\x01\x01" + bytes(200), ["bad.yaml:1:", "text"]),
    "billion laughs": ("a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{c}: &{c} [{', '.join(['*' + b] * 10)}]\n" for b, c in zip("abcdefgh", "bcdefghi")), ["bad.yaml:"]),
    "nested deep": ("a: " + "[" * 5000 + "]" * 5000 + "\n", ["bad.yaml:1:", "deep"]),
    "too long": ("# " + "x" * (2 << 20) + "\nseed: 1\n", ["bad.yaml"]),
    "base that is missing": ("base: other.yaml\n", ["bad.yaml:1:7", "other.yaml"]),
    "base that is itself": ("base: bad.yaml\n", ["bad.yaml:1:7"]),
    "relation that does not fit": ("topology: mesh\nrouting: four_classes\n", ["bad.yaml:2:10", "torus"]),
    "pattern that does not fit": ("topology: {kind: mesh, radix: [3, 4]}\ntraffic: {pattern: transpose}\n",
                                  ["bad.yaml:2:", "power of two", "12"]),
    "too big": ("topology: {kind: mesh, radix: [300, 300]}\nlimits: {memory_mb: 1}\n", ["bad.yaml:2:", "memory_mb"]),
    "too long a run": ("measurement: {warm_up: 0, cycles: 1000000000000}\nlimits: {time_h: 0.5}\n",
                       ["bad.yaml:2:", "time_h", " hours, the limit is 0.5 hours"]),
    "a limit of next to no time": (SMALL + "limits: {time_h: 1.0e-9}\n",
                                   ["bad.yaml:11:", "time_h", r"(?s)up to about [1-9][0-9.]* (ms|s), the limit is"]),
    "axis that is wrong at one point": (SMALL + "sweep:\n  topology.radix: [[3, 3], [3, 1]]\n",
                                        ["bad.yaml:12:", "topology.radix"]),
}


def locked(file):
    if not file.exists():
        return False
    with open(file, encoding="utf-8") as journal:
        try:
            fcntl.flock(journal, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def eventually(condition):
    end = time.monotonic() + TIMEOUT
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


class BadInput(CommandLineTest):
    def test_command_lines(self):
        for arguments, says in COMMAND_LINES.items():
            with self.subTest(arguments=arguments):
                self.refused(*arguments, says=says)

    def test_set(self):
        for text, says in SETS.items():
            with self.subTest(set=text):
                self.refused("run", "small.yaml", "--json", "--set", text, says=says)

    def test_axis(self):
        for text, says in AXES.items():
            with self.subTest(axis=text):
                self.refused("sweep", "small.yaml", "--json", "--axis", text, says=says)

    def test_files(self):
        for name, (text, says) in FILES.items():
            with self.subTest(name):
                self.write("bad.yaml", text)
                message = self.refused("run", "bad.yaml", "--json", says=says)
                self.assertEqual(self.refused("check", "bad.yaml", "--json"), message)

    def test_routes_of_a_trace_file(self):
        self.write("bad.trace", "0 0 2 9 x_plus.class0\n0 0 2 9 x_plus.class7\n0 0 2 9 y_plus.class0 # no way\n")
        self.write("bad.yaml", SMALL.split("traffic:")[0] + "traffic: {source: {kind: trace_file, file: bad.trace}}\n")
        says = ["bad.trace:2: ", "'x_plus.class7'; router_0_0 has no such output: it has x_plus.class0",
                "bad.trace:3: ", "at router_0_0 the routing relation offers: x_plus.class0"]
        self.assertEqual(self.refused("check", "bad.yaml", says=says), self.refused("run", "bad.yaml", says=says))

    def test_a_fault_in_a_base_is_named_in_the_base(self):
        self.write("deep/base.yaml", "seed: 1\nnode:\n  lanes: 0\n")
        self.write("bad.yaml", "base: deep/base.yaml\n")
        self.refused("run", "bad.yaml", says=["deep/base.yaml:3:10", "0 is out of range"])

    def test_nothing_is_written(self):
        self.refused("run", "small.yaml", "--set", "nokey=1")
        self.refused("run", "small.yaml", "--set", "limits.memory_mb=0")
        self.refused("run", "small.yaml", "--events", "missing/e.csv")
        self.assertEqual([p.name for p in self.folder.iterdir()], ["small.yaml"])

    def test_a_result_folder_in_use_is_refused(self):
        folder = self.folder / "shared"
        folder.mkdir()
        # What a run holds as long as it lasts.
        with open(folder / "points.jsonl", "w", encoding="utf-8") as journal:
            fcntl.flock(journal, fcntl.LOCK_EX)
            self.refused("run", "small.yaml", "--out", "shared", says=["shared", "out"])
        self.noctule("run", "small.yaml", "--out", "shared")

    def test_a_run_holds_its_result_folder(self):
        holder = self.start("run", "small.yaml", "--out", "shared", "--set", "measurement.cycles=100000000")
        try:
            self.assertTrue(eventually(lambda: locked(self.folder / "shared" / "points.jsonl")))
            self.refused("run", "small.yaml", "--out", "shared", says=["shared", "out"])
        finally:
            holder.terminate()
            holder.communicate()


if __name__ == "__main__":
    unittest.main(verbosity=2)
