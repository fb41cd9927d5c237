"""What the tests of `noctule cosim` share. They take the program from NOCTULE_PROGRAM, and leave compiled routers in
NOCTULE_CACHE."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
RTL = PROJECT / "rtl"
PROGRAM = os.environ.get("NOCTULE_PROGRAM", str(PROJECT / "build" / "release" / "bin" / "noctule"))
MODELS = ("star_channels", "four_classes", "linder_harden", "oblivious", "input_queued")
# For RTL that runs for moments only: what compiles quickly
QUICK = {"CXX": "quick_cxx", "PATH": f"{HERE}{os.pathsep}{os.environ['PATH']}",
         "QUICK_OBJECTS": f"{os.environ.get('NOCTULE_CACHE', tempfile.gettempdir() + '/noctule')}/quick"}
SKIPPED = 77  # exit code that the test runner takes for "skipped"
FULL = os.environ.get("NOCTULE_FULL") == "1"  # cosim.NAME.all
in_full = unittest.skipUnless(FULL, "scripts/test --full runs it")  # much like a test beside it, which always runs

LENGTHS = [{"length": length} for length in (1, 2, 5, 15)]
ROTATING = {"node.selection": "rotating"}
OF_MODEL = {
    "star_channels": ROTATING,
    "four_classes": {**ROTATING, "routing.tie": "drawn"},
    "linder_harden": ROTATING,
    "oblivious": {"node.vc_allocator": "separable_input_first"},
    "input_queued": {"node.routing_delay": 0, "node.switch_allocation_delay": 0},
}


def needs(*tools):
    """Ends as a skipped test, with the reason, where one of the tools is not installed."""
    lacks = [tool for tool in tools if shutil.which(tool) is None]
    if lacks:
        print(f"not installed: {', '.join(lacks)} (scripts/setup rtl)")
        sys.exit(SKIPPED)


def scans(model):
    """Does the router scan for headers, with node.selection among the free VCs?"""
    return model not in ("oblivious", "input_queued")


def set_key(configuration, key, value):
    """Without a value: the key goes."""
    *sections, last = key.split(".")
    for section in sections:
        configuration = configuration.setdefault(section, {})
    configuration[last] = value
    if value is None:
        del configuration[last]


def fabric(model, radix, settings=(), load=0.4, stall=0.2):
    """A configuration, in which every router is one of this model."""
    mesh = model == "input_queued"
    configuration = {
        "topology": {"kind": "mesh" if mesh else "torus", "radix": [radix, radix]},
        "node": {"model": model},
        "traffic": {"packet_lengths": LENGTHS, "offered_load": load, "stall": 0.0 if mesh else stall},
    }
    for key, value in {**OF_MODEL[model], **dict(settings)}.items():
        set_key(configuration, key, value)
    return configuration


def write(file, configuration):
    """As JSON, which is YAML."""
    file = pathlib.Path(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(configuration, indent=1) + "\n", encoding="utf-8")
    return file


def noctule(*arguments, environment=None, cwd=None):
    """(exit code, standard output, standard error)."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env={**os.environ, **(environment or {})}, cwd=cwd, check=False)
    return done.returncode, done.stdout, done.stderr


class Failed(Exception):
    """A test has not the result that it should; the text says which."""


def result(*arguments, codes=(0,), environment=None):
    """What the program prints with --json; its exit code is one of `codes`."""
    code, out, err = noctule(*arguments, "--json", "--quiet", environment=environment)
    if code not in codes:
        raise Failed(f"noctule {' '.join(map(str, arguments))}: exit code {code}\n{out[-1500:]}{err[-3000:]}")
    return json.loads(out)


def widths(file):
    """Parameters CoordW and DataW that a router needs in the fabric of this configuration."""
    bits = {pin["name"]: pin["bits"] for pin in result("cosim", file, "--pins")}
    return {"CoordW": bits["x_i"], "DataW": bits["injection_flit_i"] - 2}


def parameters(model, configuration, file):
    """All parameters of the shipped router, for a copy of it."""
    values = widths(file)
    node = configuration["node"]
    if scans(model):
        values["Rotating"] = int(node["selection"] == "rotating")
    elif model == "input_queued":
        lanes = node.get("lanes", 4)
        values.update(Vcs=lanes, Depth=node.get("input_depth", 8))
        classes = list(configuration.get("message_classes", {}).values())
        if classes:  # those of their lanes, as bits
            masks = [sum(1 << int(lane) for lane in c["vcs"]["lane"]) for c in classes]
            values.update(ClassW=(len(classes) - 1).bit_length(),
                          ClassVcs=sum(mask << (number * lanes) for number, mask in enumerate(masks)))
    return values


def copy_of_rtl(folder):
    """A scratch copy of rtl/."""
    shutil.copytree(RTL, folder, ignore=shutil.ignore_patterns("*.md", "*.csv"))
    return pathlib.Path(folder)


def router(pins, body="", without=(), more=(), widths=()):
    """A module `mine` with these pins, all of whose outputs are 0 unless `body` assigns them."""
    ports, ends, assigned = [], [], set(re.findall(r"(?:assign|/\*drives\*/) (\w+)", body))
    for pin in pins:
        name, bits = pin["name"], dict(widths).get(pin["name"], pin["bits"])
        if name not in without:
            ports.append(f"  {pin['direction']} logic [{bits - 1}:0] {name}" if bits > 1 or "vc" in name
                         else f"  {pin['direction']} logic {name}")
            if pin["direction"] == "output" and name not in assigned:
                ends.append(f"  assign {name} = '0;")
    return "\n".join(["module mine (", ",\n".join([*ports, *more]), ");", body, *ends, "endmodule", ""])


def shipped_as_files(model, rtl, values, routers):
    """An entry of section nodes: the router of a copy of rtl/."""
    return {"routers": list(routers), "rtl": {
        "top": model, "files": [str(rtl / "nodes" / f"{model}.sv")],
        "folders": [str(rtl / folder) for folder in ("arbitration", "blocks", "routing")], "parameters": values}}
