#!/usr/bin/python3
"""Do the shipped benches find every fault of faults.py, and those in included files? faults_test.py [--jobs N] [NAME...]

All routers of a bench of configs/cosim are made from a copy of rtl/ with the fault; of its series only that of the
router's model is run, with the draws of the bench. Printed: found or not, at which point, router and cycle.
"""
import argparse
import concurrent.futures
import os
import pathlib
import sys
import tempfile
import time

import cosim_support as support
from faults import FAULTS, QUEUED

BENCHES = {model: "node-models" for model in support.MODELS} | {QUEUED: "input-queued"}
KEYS = {model: {"node.model": model, **{key: value for key, value in support.OF_MODEL[model].items()
                                        if key not in ("node.selection",)}} for model in support.MODELS}
KEYS["oblivious"]["node.selection"] = "random"  # rotating holds for the whole bench, and oblivious does not scan
KEYS[QUEUED] = {}


def apply(fault, rtl):
    file = rtl / fault.file
    text = file.read_text(encoding="utf-8")
    if text.count(fault.old) != 1:
        raise support.Failed(f"{fault.name}: {fault.file} has {text.count(fault.old)} times: {fault.old}")
    file.write_text(text.replace(fault.old, fault.new), encoding="utf-8")


def bench_of(model, rtl, folder):
    """The shipped bench, with one series, whose routers are those of a copy of rtl/."""
    shipped = support.PROJECT / "configs" / "cosim" / f"{BENCHES[model]}.yaml"
    configuration = {"base": str(shipped), "compare": [{"label": model, "set": KEYS[model]}]}
    values = {"CoordW": 5, "DataW": 45}
    if support.scans(model):
        values["Rotating"] = 1
    elif model == QUEUED:
        values.update(Vcs=4, Depth=8)
    configuration["nodes"] = [support.shipped_as_files(model, rtl, values, ["*"])]
    return support.write(folder / "bench.yaml", configuration)


def try_one(fault, folder):
    """(where it was found or None, seconds)."""
    start = time.monotonic()
    rtl = support.copy_of_rtl(folder / "rtl")
    apply(fault, rtl)
    bench = bench_of(fault.model, rtl, folder)
    where = None
    for draws in ([], ["cosim.draws=0"])[::-1]:  # the point itself first: what it finds needs no more
        found = support.result("cosim", bench, "--out", folder / "out", "--threads", 1, "--set", "cosim.waveform=false",
                               "--set", "cosim.coverage=false", *(word for key in draws for word in ("--set", key)),
                               codes=(0, 1), environment=support.QUICK)
        points = [point for point in found["points"] if point["diverged"]]
        if not points:
            continue
        first = points[0]["first_divergence"] or {"router": "deliveries", "port": "digest", "cycle": "-"}
        where = (f"{len(points)} of {len(found['points'])} points, first {points[0]['label']} ({points[0]['mode']}): "
                 f"{first['router']} {first['port']} in cycle {first['cycle']}")
        break
    return where, time.monotonic() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("NOCTULE_JOBS", os.cpu_count() or 1)))
    parser.add_argument("name", nargs="*")
    options = parser.parse_args()
    support.needs("verilator", "c++")
    chosen = [fault for fault in FAULTS if not options.name or fault.name in options.name or fault.kind in options.name]
    unknown = set(options.name) - {fault.name for fault in chosen} - {fault.kind for fault in chosen}
    if unknown:
        parser.error(f"no such fault: {', '.join(sorted(unknown))}")
    start, missed = time.monotonic(), []
    with tempfile.TemporaryDirectory(prefix="noctule-faults-") as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        trials = {pool.submit(try_one, fault, pathlib.Path(folder) / fault.name): fault for fault in chosen}
        for trial in concurrent.futures.as_completed(trials):
            fault = trials[trial]
            try:
                where, seconds = trial.result()
            except support.Failed as error:
                where, seconds = None, 0.0
                print(error, flush=True)
            if where is None:
                missed.append(fault.name)
            print(f"{'found' if where else 'NOT FOUND':9} {fault.kind:9} {fault.name:38} {fault.model:14} {seconds:5.1f} s  "
                  f"{where or ''}", flush=True)
    print(f"faults: {len(chosen) - len(missed)} of {len(chosen)} found in {time.monotonic() - start:.0f} s"
          + (f"; not found: {', '.join(sorted(missed))}" if missed else ""))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
