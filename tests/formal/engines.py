"""One proof: yosys with its own SAT solver or, by yosys-smtbmc, with z3.

A module under proof asserts and assumes; its outputs named goal_..._o are what the assumptions must leave possible: a
proof counts only if each of them can be reached. The assertions in rtl/ are part of every proof that has the module. A
wire with the attribute tap = "INSTANCE.REGISTER" is connected to that register once the hierarchy is flat, so that the
sources under proof need no ports for the purpose; with [PARAMETER] in the path, bit n of the wire to that of block n.
INVARIANTS is defined in proofs, where induction needs them; what refutes a mutant stands without them.
"""
import dataclasses
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
from typing import Optional

PROVED = "PROVED"
REFUTED = "REFUTED"
VACUOUS = "VACUOUS"  # holds, but the assumptions exclude a goal
UNKNOWN = "UNKNOWN"  # neither proved nor refuted, within the limits
PACKAGES = {"sat": {"yosys": "yosys"}, "z3": {"yosys": "yosys", "yosys-smtbmc": "yosys", "z3": "z3"}}
INDUCTION = 4  # steps, at most

TAP = re.compile(r'\(\*\s*tap\s*=\s*"([^"]+)"\s*\*\)\s*logic\s*(?:\[[^\]]*\])?\s*(\w+)\s*;')
GOAL = re.compile(r"\boutput\s+logic\s+(goal_\w+)")
PLACE = re.compile(r"(\w+\.sv):(\d+)")
LABEL = re.compile(r"^\s*(\w+_A)\s*:\s*assert\b")
BLOCK = re.compile(r"\[([A-Za-z]\w*)\]")


class Broken(Exception):
    """The proof could not be tried: the sources are not what yosys reads, or it said something unexpected."""


@dataclasses.dataclass
class Outcome:
    verdict: str
    seconds: float
    detail: str = ""
    trace: Optional[pathlib.Path] = None

    def __str__(self):
        words = [f"{self.verdict} in {self.seconds:.1f} s", self.detail, self.trace and f"trace: {self.trace}"]
        return "; ".join(str(word) for word in words if word)


def missing(engine):
    """Why this engine cannot be used here; empty: it can."""
    lacking = [tool for tool in PACKAGES[engine] if shutil.which(tool) is None]
    packages = sorted({PACKAGES[engine][tool] for tool in lacking})
    return f"{', '.join(lacking)} not installed (Debian: apt-get install {' '.join(packages)})" if lacking else ""


def run(command, folder, limit):
    """Its return code and output; None if it did not end in time. No process of it outlives the call."""
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          start_new_session=True) as process:
        try:
            said, _ = process.communicate(timeout=max(limit, 0.1))
            return process.returncode, said
        except BaseException as problem:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if isinstance(problem, subprocess.TimeoutExpired):
                return None, ""
            raise


def each_of(register, wire, parameters):
    """(register, wire) of every block of a generate loop, or of the one that there is."""
    block = BLOCK.search(register)
    if not block:
        return [(register, wire)]
    return [(register.replace(block[0], f"[{n}]"), f"{wire}[{n}]") for n in range(parameters[block[1]])]


def named(places, texts):
    """Places as text, with the names of assertions that have one."""
    said = []
    for file, line in sorted(set(places), key=lambda place: (place[0], int(place[1]))):
        label = next(iter(LABEL.findall(texts[file].splitlines()[int(line) - 1])), "") if file in texts else ""
        said.append(f"{file}:{line}{f' ({label})' if label else ''}")
    return f"at {', '.join(said)}" if said else ""


def prepared(top, parameters, texts, folder, base_only, only):
    """Writes the sources; the commands that read them and leave one flat module of flip-flops and gates."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    settings = "".join(f" -chparam {name} {value}" for name, value in parameters.items())
    others = [f"chformal -assert -remove t:$assert c:*{only} %d"] if only else []
    invariants = "" if base_only else "-DINVARIANTS "
    taps = [f"connect -nounset -set {wire} {register}"
            for tap in TAP.findall(texts[f"{top}.sv"]) for register, wire in each_of(*tap, parameters)]
    return [f"read_verilog -sv -formal {invariants}{' '.join(texts)}", f"hierarchy -check -top {top}{settings}",
            "proc", "flatten", "chformal -early", *others, f"cd {top}", *taps, "cd ..",
            "check -assert",  # finds what was tapped but does not exist, and all that yosys cannot do but accepts
            "async2sync", "dffunmap"]


def yosys(commands, folder, limit):
    (folder / "proof.ys").write_text("\n".join(commands) + "\n", encoding="utf-8")
    code, said = run(["yosys", "-q", "-s", "proof.ys"], folder, limit)
    if code not in (0, None):
        lines = [line for line in said.splitlines() if line.strip()]
        raise Broken("yosys: " + " / ".join(lines[-4:]))
    return code is not None


def violated(log):
    """Places of the assertions that a trace violates, as far as they can be told from sat's table of all signals."""
    last, values = 0, {}
    for step, name, bits in re.findall(r"^ *(\d+) (\S+(?: \[\d+\])?) +\S+ +\S+ +([01x]+) *$", log, re.M):
        last = max(last, int(step))
        values[int(step), name] = bits

    def value(name):
        if re.fullmatch(r"\d+'[01]+", name):
            return name.endswith("1")
        indexed = re.fullmatch(r"(\S+) \[(\d+)\]", name)
        bits = values.get((last, indexed[1] if indexed else name), "")
        at = int(indexed[2]) if indexed else 0
        return bits[-1 - at] == "1" if len(bits) > at else None

    found = set()
    for check, enable in re.findall(r"^Import proof for assert: (.*) when (.*)\.$", log, re.M):
        place = PLACE.search(check) or PLACE.search(enable)
        if place and value(check) is False and value(enable):
            found.add((place[1], place[2]))
    return found


def by_sat(proof, parameters, texts, folder, limit, base_only, only):
    started = time.monotonic()
    top = proof.top
    goals = [] if base_only else proof.goals or GOAL.findall(texts[f"{top}.sv"])
    limits = "-set-assumes -seq 1 -set-init-zero"
    kind = f"-tempinduct-baseonly -maxsteps {proof.depth}" if base_only else f"-tempinduct -maxsteps {INDUCTION}"
    commands = prepared(top, parameters, texts, folder, base_only, only) + [
        "techmap", "opt -full", "opt_clean",
        f"tee -q -o proof.log sat {kind} -prove-asserts {limits} -show-all -dump_vcd proof.vcd {top}",
        *(f"tee -q -o {goal}.log sat -tempinduct-baseonly -maxsteps {proof.depth} -prove {goal} 0 {limits} "
          f"-dump_vcd {goal}.vcd {top}" for goal in goals)]
    ended = yosys(commands, folder, limit)

    def outcome(verdict, detail="", trace=None):
        return Outcome(verdict, time.monotonic() - started, detail, trace)

    def log(name):
        path = folder / f"{name}.log"
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    said = log("proof")
    if "model found for base case: FAIL!" in said:
        return outcome(REFUTED, named(violated(said), texts), folder / "proof.vcd")
    if not ended:
        return outcome(UNKNOWN, f"no answer within {limit:.0f} s")
    if base_only:
        if "proved base case" in said:
            return outcome(UNKNOWN, f"no trace of {proof.depth} steps refutes it")
    elif "Induction step proven: SUCCESS!" in said:
        closed = [goal for goal in goals if "model found for base case: FAIL!" not in log(goal)]
        if closed:
            return outcome(VACUOUS, f"not within {proof.depth} steps: {', '.join(closed)}")
        return outcome(PROVED, f"reached: {', '.join(goal[len('goal_'):-len('_o')] for goal in goals)}")
    elif "Reached maximum number of time steps" in said:
        return outcome(UNKNOWN, f"no induction over {INDUCTION} steps")
    raise Broken(f"yosys: what sat says is not understood: {' / '.join(said.splitlines()[-4:]) or 'nothing'}")


def by_z3(proof, parameters, texts, folder, limit, base_only, only):
    started = time.monotonic()
    # Without opt z3 is a thousand times slower.
    ended = yosys(prepared(proof.top, parameters, texts, folder, base_only, only) +
                  ["opt -full", "dffunmap", "opt_clean", "write_smt2 -wires proof.smt2"], folder, limit)
    steps = proof.depth if base_only else 2  # the first of which is reset

    def outcome(verdict, detail="", trace=None):
        return Outcome(verdict, time.monotonic() - started, detail, trace)

    for options in [["-t", str(steps)]] + ([] if base_only else [["-i", "-t", "1"]]):
        left = limit - (time.monotonic() - started)
        code, said = None, ""
        if ended and left > 0:
            code, said = run(["yosys-smtbmc", "-s", "z3", "--dump-vcd", "proof.vcd", *options, "proof.smt2"],
                             folder, left)
        if code is None:
            return outcome(UNKNOWN, f"no answer within {limit:.0f} s")
        if "Status: failed" in said or "Status: FAILED" in said:
            if "-i" in options:
                return outcome(UNKNOWN, "no induction over 1 step")
            places = PLACE.findall(" ".join(re.findall(r"Assert failed in .*", said)))
            return outcome(REFUTED, named(places, texts), folder / "proof.vcd")
        if code != 0 or "Status: PASSED" not in said and "Status: passed" not in said:
            raise Broken(f"yosys-smtbmc: {said.strip().splitlines()[-1] if said.strip() else code}")
    return outcome(UNKNOWN, f"no trace of {steps} steps refutes it") if base_only else outcome(PROVED, "by z3")


ENGINES = {"sat": by_sat, "z3": by_z3}


def prove(proof, parameters, texts, folder, limit, base_only=False, only=""):
    """texts: the sources by file name. base_only: only looks for a trace that refutes. only: that assertion alone."""
    return ENGINES[proof.engine](proof, parameters, texts, folder, limit, base_only, only)
