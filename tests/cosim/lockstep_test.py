#!/usr/bin/python3
"""Does the RTL of a router do what its model does, at every pin, in every router of a fabric? For long enough?

lockstep_test.py MODEL --router-cycles N [--moving N] [--keep FOLDER]

5x5 and 8x8 tori (meshes for input_queued); packets of 1, 2, 5 and 15 flits; from light load to overload; terminals
that do not always take what comes; both ways to choose among free VCs; registers that start at random, resets in
mid-run, all data bits in use. All in shadow mode, and a hundredth as much in each of the other modes. With --keep
FOLDER, parts that an interrupted test finished are not run again.
"""
import argparse
import hashlib
import itertools
import json
import pathlib
import sys
import tempfile

import cosim_support as support

RADIX = (5, 8)
LENGTHS = [1, 2, 5, 15]
LOADS = [0.05, 0.2, 0.4, 0.7, 1.0]  # flits per node and cycle; the last two: more than there is room for
STALLS = [0.0, 0.1, 0.5]
MODES = {"shadow": 1.0, "swapped": 0.01, "plain": 0.01}  # share of the router-cycles
FEW = 5_000_000  # router-cycles that need no more than a few of all these


def parts(model, wanted):
    """[(name, configuration)], which together do at least `wanted` router-cycles in shadow mode."""
    few = wanted <= FEW
    stalls = [0.0] if model == "input_queued" else STALLS[1:2] if few else STALLS
    loads = LOADS[1::2] if few else LOADS
    selections = ("rotating", "first") if support.scans(model) and not few else ("rotating",)
    fabrics = list(itertools.product(RADIX, selections))
    points = len(LENGTHS) * len(loads) * len(stalls)
    routers = sum(radix * radix for radix, _ in fabrics)
    for (mode, share), (seed, (radix, selection)) in itertools.product(MODES.items(), enumerate(fabrics, 1)):
        settings = {"node.selection": selection} if support.scans(model) else {}
        configuration = support.fabric(model, radix, settings)
        configuration["seed"] = seed
        traffic = configuration["traffic"]
        del traffic["packet_lengths"]
        # A queue without end of what the fabric cannot take, or none at all
        traffic["source_queue"] = "infinite" if radix == min(RADIX) else "discard"
        sweep = {"traffic.packet_length": LENGTHS, "traffic.offered_load": loads, "traffic.stall": stalls}
        if mode == "plain":  # traffic of its own, the same for all points
            sweep = {}
        cycles = max(500, int(wanted * share / routers / (len(sweep) and points or 1)) + 1)
        resets = max(2, cycles // 1500)
        configuration.update({"sweep": sweep, "cosim": {"mode": mode, "cycles": cycles, "resets": resets}})
        yield "-".join([model, f"{radix}x{radix}", *settings.values(), mode]), configuration


def digest_of_both():
    """Of the RTL and of the program, which has the model."""
    program = pathlib.Path(support.PROGRAM).resolve()
    files = [*sorted(support.RTL.rglob("*.sv")), program, *sorted(program.parent.parent.glob("lib/*.so"))]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def run(name, configuration, folder, resume):
    """The document of `noctule cosim`; the one of last time, if it was about the same."""
    about = {"configuration": configuration, "of": digest_of_both()}
    done = folder / f"{name}.json"
    if resume and done.is_file():
        last = json.loads(done.read_text(encoding="utf-8"))
        if last["about"] == about:
            return last["found"]
    file = support.write(folder / f"{name}.yaml", configuration)
    found = support.result("cosim", file, "--out", folder / f"out-{name}", codes=(0, 1))
    support.write(done, {"about": about, "found": found})
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model", choices=support.MODELS)
    parser.add_argument("--router-cycles", type=lambda text: int(float(text)), required=True)
    parser.add_argument("--moving", type=lambda text: int(float(text)), default=0)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    support.needs("verilator", "c++")
    holder = tempfile.TemporaryDirectory(prefix="noctule-lockstep-")
    sums = {mode: [0, 0, 0.0] for mode in MODES}
    diverged = False
    for name, configuration in parts(options.model, options.router_cycles):
        found = run(name, configuration, options.keep or pathlib.Path(holder.name), options.keep is not None)
        of_mode = sums[configuration["cosim"]["mode"]]
        user = sum(point.get("speed", {}).get("user_s", 0.0) for point in found["points"])
        for i, value in enumerate((found["router_cycles"], found["moving_router_cycles"], user)):
            of_mode[i] += value
        print(f"{name}: {found['router_cycles']} router-cycles, {len(found['points'])} points, {user:.1f} s"
              f"{', DIVERGED' if found['diverged'] else ''}", flush=True)
        if found["diverged"]:
            diverged = True
            print(next((point["text"] for point in found["points"] if "text" in point), found), flush=True)
    for mode, (cycles, moving, user) in sums.items():
        rate = f", {cycles / user:.0f} a second" if user else ""
        print(f"{options.model}, {mode}: {cycles} router-cycles, {moving} of them with a flit moving{rate}")
    cycles, moving, _ = sums["shadow"]
    enough = cycles >= options.router_cycles and moving >= options.moving
    if not enough:
        print(f"not enough: {options.router_cycles} are wanted, {options.moving} of them with a flit moving")
    return 1 if diverged or not enough else 0


if __name__ == "__main__":
    sys.exit(main())
