"""The stages of scripts/test --full: what each holds, and what it passed for which state of the sources."""
import dataclasses
import hashlib
import json
import pathlib
import re
import subprocess
import time

from testing.errors import CannotRun

LONG = "full"  # label of the tests that scripts/test leaves out
KEPT = 20  # states of the sources that are remembered


@dataclasses.dataclass(frozen=True)
class Stage:
    name: str
    preset: str
    minutes: int  # expected, on two cores, from a build that is not there yet
    what: str
    long: str = ""  # regular expression: the long tests that it holds; empty: all that are not long
    short: str = ""  # of the others, those whose name matches
    tidy: str = ""  # arguments of check-tidy, instead of tests


# A C++ test has a name like Suite.Name or Prefix/Suite.Name/Parameter, all others like area.name. Of these, some look
# at texts, scripts and RTL: they do not depend on how the program was compiled.
ANY_BUILD = ("docs", "formal", "hardware", "install", "scripts", "style")
COMPILED = r"^(?![a-z]+\.)"
SCRIPTED = rf"^(?!(?:{'|'.join(ANY_BUILD)})\.)[a-z]+\."

# A long test belongs to the first stage whose expression finds its name.
STAGES = (
    Stage("release", "release", 35, "build, and all tests of every day"),
    Stage("verdicts", "release", 40, "verdicts of the verifier on random fabrics, simulated", long=r"^cli\.verdicts\."),
    Stage("long", "release", 40, "many fabrics, mutated configurations and long runs", long=r"^(cli|configs?|tlm)\."),
    Stage("papers-1993", "release", 49, "Boppana and Chalasani 1993 in full", long=r"^papers\.boppana-1993\."),
    Stage("papers", "release", 45, "the figures and tables of the other papers in full", long=r"^papers\."),
    Stage("proofs", "release", 45, "proofs about the RTL that take minutes, and faults that they refute", long=r"^formal\."),
    Stage("netlists", "release", 40, "netlists of the shipped routers beside their sources", long="netlist"),
    Stage("lockstep", "release", 45, "100 million router-cycles of each shipped router in RTL", long=r"^cosim\.long\."),
    Stage("mutants", "release", 45, "every deliberate fault in the RTL, and all cases of samples", long=r"^cosim\."),
    Stage("debug", "debug", 45, "the tests of every day in Debug, with assertions of the library",
          short=f"{COMPILED}|{SCRIPTED}"),
    Stage("clang", "clang", 45, "build by clang, and the C++ tests of every day", short=COMPILED),
    Stage("clang-program", "clang", 45, "the other tests of every day, compiled by clang", short=SCRIPTED),
    Stage("sanitizers", "asan-ubsan", 45, "build with ASan and UBSan, and the C++ tests of every day", short=COMPILED),
    Stage("sanitizers-program", "asan-ubsan", 45, "the other tests of every day with ASan and UBSan", short=SCRIPTED),
    Stage("tidy-plain", "clang", 45, "clang-tidy over what is plain C++, and tb", tidy="plain"),
    Stage("tidy-systemc", "clang", 45, "clang-tidy over what is SystemC", tidy="systemc"),
)


def stage_named(name):
    for stage in STAGES:
        if stage.name == name:
            return stage
    raise CannotRun(f"--full: there is no stage '{name}'; stages: {', '.join(s.name for s in STAGES)}")


def home(test):
    """The stage of a long test."""
    for stage in STAGES:
        if stage.long and re.search(stage.long, test.name):
            return stage
    raise CannotRun(f"the long test {test.name} belongs to no stage: add it to scripts/testing/stages.py")


def tests_of(stage, tests):
    """The tests of a stage, of all tests of its build."""
    if stage.tidy:
        return []
    if stage.long:
        return [t for t in tests if LONG in t.labels and home(t) is stage]
    return [t for t in tests if LONG not in t.labels and re.search(stage.short, t.name)]


def key_of(root):
    """Names the state of the sources: the commit, and, where something is not committed, a digest of that."""
    def git(*arguments):
        done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, check=False)
        return done.stdout if done.returncode == 0 else None

    commit = git("rev-parse", "HEAD")
    new = git("ls-files", "-z", "-o", "--exclude-standard")
    digest = hashlib.sha256()
    if commit is None or new is None:
        files = [p for p in sorted(root.rglob("*"))
                 if p.is_file() and not re.match(r"build|out$|\.", p.relative_to(root).parts[0])]
    else:
        changes = git("diff", "HEAD", "--binary") or b""
        files = [root / name.decode() for name in sorted(new.split(b"\0")) if name]
        if not changes and not files:
            return commit.decode().strip()
        digest.update(changes)
    for file in files:
        digest.update(str(file.relative_to(root)).encode() + b"\0" + file.read_bytes() + b"\0")
    return (commit.decode().strip()[:12] if commit else "no-commit") + "+" + digest.hexdigest()[:12]


class Memory:
    """What the stages passed: a file, which is written again after every few tests."""

    def __init__(self, file, key):
        self.file, self.key = pathlib.Path(file), key
        try:
            self.all = json.loads(self.file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            self.all = {}
        self.written = time.monotonic()

    def stage(self, name):
        """{passed: {test: seconds}, skipped: [test], failed: [test], seconds, done: bool}, to be changed in place."""
        empty = {"passed": {}, "skipped": [], "failed": [], "seconds": 0.0, "done": False}
        return self.all.setdefault(self.key, {}).setdefault(name, empty)

    def peek(self, name):
        return self.all.get(self.key, {}).get(name)

    def last_seconds(self, name):
        """What the stage took when it last came to its end, at whatever state of the sources."""
        found = [stages[name]["seconds"] for stages in self.all.values() if stages.get(name, {}).get("done")]
        return found[-1] if found else None

    def forget(self, name):
        self.all.get(self.key, {}).pop(name, None)

    def write(self, every=0.0):
        if time.monotonic() - self.written < every:
            return
        self.written = time.monotonic()
        if self.key in self.all:  # the newest comes last
            self.all[self.key] = self.all.pop(self.key)
        for old in list(self.all)[:-KEPT]:
            del self.all[old]
        self.file.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.file.with_suffix(".new")
        fresh.write_text(json.dumps(self.all, indent=1) + "\n", encoding="utf-8")
        fresh.replace(self.file)


def state_text(found):
    if found is None:
        return "not run"
    skipped = f", {len(found['skipped'])} skipped" if found["skipped"] else ""
    if not found["done"]:
        return f"begun: {len(found['passed'])} passed" + (f", {len(found['failed'])} FAILED" if found["failed"] else "")
    return (f"FAILED: {len(found['failed'])}" if found["failed"] else "passed") + skipped


def minutes_text(seconds):
    return f"{seconds / 60:.1f} min"
