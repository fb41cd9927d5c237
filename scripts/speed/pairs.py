"""Two programs on the same rows: ratios of user time by pairs of runs in turns, and of instructions by callgrind."""
import json
import math
import os
import pathlib
import shutil
import statistics
import tempfile

from speed.errors import CannotRun
from speed.programs import run

LEVEL = 0.95
# Router-cycles that the longer of two runs under callgrind has more than the shorter one, and at most before both.
COUNTED, AHEAD = 512_000, 4_000_000
NO_VALGRIND = ("callgrind is not installed, so no instructions are counted: sudo apt-get install valgrind; "
               "or --only times")


def has_callgrind():
    return shutil.which("valgrind") is not None


class Program:
    """One of the two."""

    def __init__(self, path):
        self.path = pathlib.Path(path).resolve()
        if not os.access(self.path, os.X_OK) or not self.path.is_file():
            raise CannotRun(f"{path} is not a program")

    def simulate(self, file, settings, under=()):
        """Runs a row; `under` is put before the command. Gives back what its result says of the work, and the time."""
        with tempfile.TemporaryDirectory() as out:
            command = [*under, self.path, "run", file, "--json", "--quiet", "--out", out]
            for key, value in settings.items():
                command += ["--set", f"{key}={value}"]
            text, seconds = run(command, f"{self.path} run {file}")
        try:
            result = json.loads(text)
            point = result["points"][0]
            speed = point["speed"]  # holds no rate where no time was seen to pass
            return {"config": result["config"], "digest": point["digest"], "cycles": sum(point["cycles"].values()),
                    "router_cycles": round(speed.get("router_cycles_per_s", 0) * speed["user_s"])}, seconds
        except (ValueError, KeyError, IndexError, TypeError) as problem:
            raise CannotRun(f"{self.path} run {file}: the result holds no speed ({problem!r})") from problem

    def instructions(self, file, settings):
        """Instructions of a run and of all processes that it starts, and its router-cycles."""
        with tempfile.TemporaryDirectory() as folder:
            under = ["valgrind", "--tool=callgrind", "--trace-children=yes", "--quiet",
                     f"--callgrind-out-file={folder}/%p"]
            work, _ = self.simulate(file, settings, under)
            if work["router_cycles"] == 0:
                raise CannotRun(f"{self.path} run {file}: the result holds no speed")
            counts = [line.split(":")[1] for part in pathlib.Path(folder).iterdir()
                      for line in part.read_text(errors="replace").splitlines() if line.startswith("totals:")]
        if not counts:
            raise CannotRun(f"callgrind counted nothing in {self.path}")
        return sum(map(int, counts)), work["router_cycles"]


def at_most(k, n):
    """Probability that at most k of n values lie below the median of what they are drawn from."""
    return sum(math.comb(n, i) for i in range(k + 1)) / 2**n


def median_interval(values):
    """Median, the closest pair of ranks that holds the median of the population with a probability of at least LEVEL,
    whatever the distribution, and that probability. With fewer than 6 values it is lower: then it is their range."""
    ordered, n = sorted(values), len(values)
    rank = 0
    while rank + 1 < n / 2 and 1 - 2 * at_most(rank + 1, n) >= LEVEL:
        rank += 1
    return statistics.median(ordered), ordered[rank], ordered[n - 1 - rank], 1 - 2 * at_most(rank, n)


def settings_for(options):
    return {"plots": "[]", **({"measurement.cycles": options.cycles} if options.cycles else {})}


def compare_times(ours, theirs, file, options):
    """Ratios of user time, ours over theirs, of pairs in the order A B B A A B ..."""
    settings = settings_for(options)
    works = [program.simulate(file, settings)[0] for program in (ours, theirs)]  # not counted: fills caches
    ratios = []
    for pair in range(options.pairs):
        seconds = {}
        for program in (ours, theirs) if pair % 2 == 0 else (theirs, ours):
            seconds[program] = program.simulate(file, settings)[1]
        if min(seconds.values()) <= 0:
            raise CannotRun(f"{file}: a run took no measurable time; give more --cycles")
        ratios.append(seconds[ours] / seconds[theirs])
    median, low, high, level = median_interval(ratios)
    return {"time_ratio": round(median, 4), "time_ratio_low": round(low, 4), "time_ratio_high": round(high, 4),
            "level": round(level, 4), "pairs": options.pairs, "same_digest": works[0]["digest"] == works[1]["digest"]}


def lengths(program, file):
    """Settings of a shorter and of a longer run, whose difference is COUNTED router-cycles or a little more."""
    for cycles in (200, 5000, 100_000):  # until it is long enough to tell how many routers there are
        work, _ = program.simulate(file, {"plots": "[]", "measurement.cycles": cycles})
        if work["router_cycles"]:
            break
    else:
        raise CannotRun(f"{program.path} run {file}: the result holds no speed")
    warm_up = work["config"].get("measurement", {}).get("warm_up")
    if not isinstance(warm_up, int):
        raise CannotRun(f"{file}: only rows with a fixed warm_up can be counted")
    routers = max(1, round(work["router_cycles"] / work["cycles"]))
    shorter = max(100, -(-COUNTED // routers))
    common = {"plots": "[]", "measurement.warm_up": min(warm_up, max(100, AHEAD // routers))}
    return [{**common, "measurement.cycles": cycles} for cycles in (shorter, 2 * shorter)]


def compare_instructions(ours, theirs, file):
    """Instructions per router-cycle: the difference of two run lengths over that of their router-cycles, so that what
    a run costs once is left out."""
    settings, found = lengths(ours, file), []
    for program in (ours, theirs):
        program.simulate(file, settings[0])  # not counted: fills caches
        (less, before), (more, after) = (program.instructions(file, given) for given in settings)
        if after <= before:
            raise CannotRun(f"{program.path}: a longer run has no more router-cycles")
        found.append((more - less) / (after - before))
    return {"instructions": round(found[0], 3), "their_instructions": round(found[1], 3),
            "instruction_ratio": round(found[0] / found[1], 5)}


def show(value, digits):
    return "-" if value is None else f"{value:.{digits}f}"


HEADINGS = ("row", "time ratio", "95 % interval", "instr/router-cycle", "theirs", "instr ratio")


def line(row):
    interval = f"{row['time_ratio_low']:.3f} .. {row['time_ratio_high']:.3f}" if "time_ratio" in row else "-"
    return (row["row"], show(row.get("time_ratio"), 3), interval, show(row.get("instructions"), 1),
            show(row.get("their_instructions"), 1), show(row.get("instruction_ratio"), 4))


def print_line(cells):
    print("  ".join([f"{cells[0]:22}"] + [f"{cell:>18}" for cell in cells[1:]]), flush=True)


def compare(files, ours, theirs, options):
    """Prints the table, row by row, and gives it back. Without callgrind the columns of instructions stay empty."""
    ours, theirs = Program(ours), Program(theirs)
    count = options.only != "times"
    if options.only == "instructions" and not has_callgrind():
        raise CannotRun(NO_VALGRIND)
    print(f"{ours.path}\nagainst {theirs.path}: ratios below 1 say that the first is faster", flush=True)
    print_line(HEADINGS)
    table = []
    for name, file in files.items():
        row = {"row": name}
        if options.only != "instructions":
            row.update(compare_times(ours, theirs, file, options))
        if count and has_callgrind():
            row.update(compare_instructions(ours, theirs, file))
        table.append(row)
        print_line(line(row))
        if not row.get("same_digest", True):
            print(f"{name}: the digests differ: the two do not simulate the same", flush=True)
    if options.only != "instructions":
        print(f"time ratio: user CPU time, median of {options.pairs} pairs of runs in turns")
        if table and table[0]["level"] < LEVEL:
            print(f"so few pairs: the interval, their range, holds the median with {table[0]['level']:.0%} only")
    return table
