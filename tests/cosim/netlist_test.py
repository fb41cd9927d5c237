#!/usr/bin/python3
"""Does the netlist that yosys makes of a router do what the model does? Usage: netlist_test.py [MODEL...]

The netlist takes the place of the RTL in `noctule cosim`: generic gates and flip-flops, no hierarchy, no parameters.
"""
import pathlib
import subprocess
import sys
import tempfile

import cosim_support as support

RADIX = 5
ROUTER_CYCLES = 20000


def netlist_of(model, values, file):
    """Written by scripts/synthesize."""
    command = [sys.executable, support.PROJECT / "scripts" / "synthesize", model, "--netlist", file]
    for name, value in values.items():
        command += ["--param", f"{name}={value}"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise support.Failed(f"scripts/synthesize: exit code {done.returncode}\n{done.stderr[-2000:]}")


def check(model, folder):
    configuration = support.fabric(model, RADIX, {"cosim.cycles": ROUTER_CYCLES // RADIX**2 + 1})
    values = support.parameters(model, configuration, support.write(folder / f"{model}-rtl.yaml", configuration))
    netlist = folder / f"{model}.v"
    netlist_of(model, values, netlist)
    text = netlist.read_text(encoding="utf-8")
    if text.count("\nmodule ") + text.startswith("module ") != 1:
        raise support.Failed(f"the netlist of {model} has not one module")
    configuration["nodes"] = [{"routers": ["*"], "rtl": {"top": model, "files": [str(netlist)]}}]
    file = support.write(folder / f"{model}-netlist.yaml", configuration)
    found = support.result("cosim", file, "--out", folder / model, codes=(0, 1), environment=support.QUICK)
    print(f"{model}: netlist of {text.count(chr(10))} lines, {found['router_cycles']} router-cycles, "
          f"{found['moving_router_cycles']} of them with a flit moving"
          f"{', DIVERGED' if found['diverged'] else ''}", flush=True)
    if found["diverged"]:
        print(found["points"][0].get("text"))
    return not found["diverged"] and found["router_cycles"] >= ROUTER_CYCLES


def main():
    support.needs("verilator", "c++", "yosys")
    with tempfile.TemporaryDirectory(prefix="noctule-netlist-") as folder:
        return 0 if all([check(model, pathlib.Path(folder)) for model in sys.argv[1:] or support.MODELS]) else 1


if __name__ == "__main__":
    sys.exit(main())
