#!/usr/bin/python3
"""Is every fault in the RTL of a router found, at that router? Usage: mutants_test.py [--jobs N] [NAME...]

All routers of a small fabric are the shipped RTL, except one, which has the fault. `noctule cosim` has to report a
divergence at this router, with a waveform of both sides that covers it. How many cycles the report is after the first
one in which a register of the router is not as it should be is printed, and the median over all.
"""
import argparse
import concurrent.futures
import fnmatch
import hashlib
import os
import pathlib
import re
import statistics
import sys
import tempfile

import cosim_support as support
import waveforms
from mutants import MUTANTS

RADIX = 4
REGISTER = re.compile(r"inside\.rtl\..*_q")  # names of registers end so
CYCLES = 20000
FAR = 64  # cycles that a waveform shows before the divergence


def place_of(mutant):
    """One of the routers at which it can show; always the same one."""
    names = [f"router_{x}_{y}" for x in range(RADIX) for y in range(RADIX)]
    possible = [name for name in names if any(fnmatch.fnmatch(name, glob) for glob in mutant.places)]
    return possible[hashlib.sha256(mutant.name.encode()).digest()[0] % len(possible)]


def apply(mutant, rtl):
    file = rtl / mutant.file
    text = file.read_text(encoding="utf-8")
    if text.count(mutant.old) != 1:
        raise support.Failed(f"{mutant.name}: {mutant.file} has {text.count(mutant.old)} times: {mutant.old}")
    file.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")


def check_waveform(file, cycle, router):
    if not pathlib.Path(file).is_file():
        raise support.Failed(f"no waveform file {file}")
    names, changes = waveforms.read(file)
    scopes = {name.rpartition(".")[0] for of_one in names.values() for name in of_one}
    for scope in ("pins.model", "pins.rtl", f"inside.rtl.{router}"):
        if not any(known == scope or known.startswith(scope + ".") for known in scopes):
            raise support.Failed(f"{file} has no scope {scope}")
    if not changes[0][0] <= cycle < changes[-1][0]:
        raise support.Failed(f"{file} covers {changes[0][0]} to {changes[-1][0]}, not cycle {cycle}")


def try_one(mutant, folder):
    """(place, cycle of the report, pin, cycle of the fault, register that is wrong first)."""
    router = place_of(mutant)
    rtl = support.copy_of_rtl(folder / "rtl")
    apply(mutant, rtl)
    configuration = support.fabric(mutant.model, RADIX, mutant.settings)
    configuration["cosim"] = {"mode": mutant.mode, "cycles": CYCLES, "resets": 0}  # these are for faults.py
    sound = support.write(folder / "sound.yaml", configuration)
    values = support.parameters(mutant.model, configuration, sound)
    configuration["nodes"] = [{"routers": ["*"], "rtl": {}}, support.shipped_as_files(mutant.model, rtl, values, [router])]
    file = support.write(folder / "mutant.yaml", configuration)
    found = support.result("cosim", file, "--out", folder / "out", codes=(1,), environment=support.QUICK)["first_divergence"]
    if found is None or found["router"] != router:
        raise support.Failed(f"the fault is in {router}, reported is {found}")
    cycle = found["cycle"]
    check_waveform(found["vcd"], cycle, router)

    # What is inside, from the first cycle on, with the fault and without. Assertions fail at the edge that ends a cycle.
    recordings = []
    for which, code in ((file, 1), (sound, 0)):
        out = folder / f"inside-{which.stem}"
        support.result("cosim", which, "--out", out, "--set", f"cosim.record={router}", "--set",
                       f"cosim.cycles={cycle + 2}", "--set", "cosim.waveform=false", codes=(code,), environment=support.QUICK)
        recordings += out.glob("record-*.vcd")
    first = waveforms.first_difference(*recordings, REGISTER, cycle)
    return router, cycle, found["port"], *(first or (cycle, "none"))  # none: a wrong output of sound registers


def report(mutant, outcome):
    router, cycle, pin, fault, signal = outcome
    signal = re.sub(rf"^inside\.rtl\.{router}\.([^.]*\.u_{mutant.model}\.)?", "", signal)
    print(f"{mutant.name:38} {mutant.model:14} {mutant.mode:8} {router:11} {cycle:6} {pin:22} {cycle - fault:5}  {signal}",
          flush=True)
    return cycle - fault


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("NOCTULE_JOBS", os.cpu_count() or 1)))
    parser.add_argument("name", nargs="*")
    options = parser.parse_args()
    support.needs("verilator", "c++")
    chosen = [mutant for mutant in MUTANTS if not options.name or mutant.name in options.name]
    unknown = set(options.name) - {mutant.name for mutant in chosen}
    if unknown:
        parser.error(f"no such mutant: {', '.join(sorted(unknown))}")

    print(f"{'fault':38} {'router':14} {'mode':8} {'place':11} {'report':>6} {'at pin':22} {'after':>5}  wrong first")
    distances, failures = [], []
    with tempfile.TemporaryDirectory(prefix="noctule-mutants-") as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        trials = {pool.submit(try_one, mutant, pathlib.Path(folder) / mutant.name): mutant for mutant in chosen}
        for trial in concurrent.futures.as_completed(trials):
            try:
                distances.append(report(trials[trial], trial.result()))
            except (support.Failed, ValueError) as error:
                print(f"{trials[trial].name}: {error}", flush=True)
                failures.append(trials[trial].name)
    print(f"mutants: {len(distances)} of {len(chosen)} caught")
    if distances:
        above = sum(distance > FAR for distance in distances)
        print(f"cycles from the first wrong register to the report: median {statistics.median(distances):g}, mean "
              f"{statistics.mean(distances):.0f}, most {max(distances)}; more than {FAR} in {above} of {len(distances)}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
