#!/usr/bin/python3
"""Is the result of `noctule run` the same, whichever routers are RTL? Usage: subsets_test.py [MODEL...]

With source queues and without, and with terminals that do not always take what comes. The digest covers every delivery.
"""
import functools
import itertools
import pathlib
import sys
import tempfile

import cosim_support as support

RADIX = 4
NOT_COMPARED = ("speed", "occupancy")
# What waits and what is connected inside routers: nobody looks into RTL.
INSIDE = (("latency_cycles", "parts", "header_wait"), ("latency_cycles", "parts", "stalls"), ("crossbar",),
          ("occupancy", "output_vcs_allocated_fraction"))
NOT_RTL = {"routers": ["*"], "set": {}}
SUBSETS = {
    "none": [],
    "one": [{"routers": ["router_1_2"], "rtl": {}}],
    "half": [{"routers": ["router_0_*", "router_2_*"], "rtl": {}}],
    "all but one": [{"routers": ["*"], "rtl": {}}, {"routers": ["router_3_0"], "set": {}}],
    "all": [{"routers": ["*"], "rtl": {}}],
    "all taken back": [{"routers": ["*"], "rtl": {}}, NOT_RTL],
}
WITHOUT_RTL = ("none", "all taken back")


def compare(model, queue, selection, folder):
    settings = {"traffic.source_queue": queue}
    if support.scans(model):
        settings["node.selection"] = selection
    configuration = support.fabric(model, RADIX, settings, load=0.8 if queue == "discard" else 0.3)
    configuration["measurement"] = {"warm_up": 500, "cycles": 3000}
    found = {}
    for subset, nodes in SUBSETS.items():
        configuration["nodes"] = nodes
        name = f"{model}-{queue}-{selection}-{subset.replace(' ', '-')}"
        file = support.write(folder / f"{name}.yaml", configuration)
        point, = support.result("run", file, "--out", folder / name)["points"]
        for *path, last in INSIDE:
            inside = functools.reduce(dict.__getitem__, path, point)
            if (inside.pop(last, None) is None) == (subset in WITHOUT_RTL):
                sys.exit(f"{model}, {subset} RTL: {last} should be {'there' if subset in WITHOUT_RTL else 'absent'}")
        found[subset] = {key: value for key, value in point.items() if key not in NOT_COMPARED}
        if model == "input_queued":  # a flit that is in the register of the link counts a cycle later: at its pins
            found[subset].pop("link_utilization")
    different = [subset for subset, point in found.items() if point != found["none"]]
    delivered = found["none"]["packets"]["delivered"]
    print(f"{model}, {queue}, {selection}: digest {found['none']['digest']}, {delivered} packets"
          + "".join(f"; NOT with {subset} RTL: {found[subset]['digest']}" for subset in different), flush=True)
    return not different


def main():
    support.needs("verilator", "c++")
    alike = []
    with tempfile.TemporaryDirectory(prefix="noctule-subsets-") as folder:
        for model in sys.argv[1:] or support.MODELS:
            for queue, selection in itertools.product(("infinite", "discard"), ("rotating",)):
                alike.append(compare(model, queue, selection, pathlib.Path(folder)))
    return 0 if all(alike) else 1


if __name__ == "__main__":
    sys.exit(main())
