"""Draws a result folder of its own. What the tests of scripts/plot share; the first argument of a test is that script.
Puts the modules of the script on the path."""
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

PLOT = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(PLOT.resolve().parent))
from plots.results import SCHEMA  # noqa: E402

CONFIG = {"name": "a name", "topology": {"kind": "torus", "radix": [4, 4]},
          "traffic": {"pattern": {"kind": "uniform", "allow_self": False}, "packet_length": 5,
                      "source": {"kind": "bernoulli"}, "multicast": {"fraction": 0, "least": 2, "most": 8}}}


def point(label, load, status):
    accepted = min(load, 0.25)
    latency = 20 + 5 / max(0.26 - accepted, 0.01) * (1 if label == "one" else 1.5)
    share = {"mean": accepted, "ci95": 0.002}
    return {
        "label": label, "set": {"traffic.offered_load": load}, "status": status,
        "caption": {"pattern": "uniform traffic", "packets": "5-flit packets"},
        "offered": {"flits_per_node_cycle": load, "packets_per_node_cycle": load / 5, "normalized": load / 0.5},
        "accepted": {"flits_per_node_cycle": share, "normalized": {"mean": accepted / 0.5, "ci95": 0.004}},
        "latency_cycles": {"total": {"mean": latency, "ci95": 1.5}, "network": {"mean": 0.9 * latency, "ci95": 1}},
    }


def run(*arguments):
    done = subprocess.run([str(PLOT), *map(str, arguments)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def axis_name(dimension):
    return "xyz"[dimension] if dimension < 3 else f"d{dimension}"


def position(at, radix):
    """Where a router of a torus lies: planes are side by side, by turns to the right and upwards."""
    place, size = [0, 0], [1, 1]
    for d, coordinate in enumerate(at):
        place[d % 2] += size[d % 2] * coordinate
        size[d % 2] = size[d % 2] * radix[d] + 1
    return place


def plane(at):
    return '"' + ", ".join(f"{axis_name(d)} = {at[d]}" for d in range(2, len(at))) + '"'


def write(folder, points, config=CONFIG, radix=(4, 4)):
    """A result folder with tables, for a torus."""
    (folder / "results.json").write_text(json.dumps({"schema": SCHEMA, "config": config, "points": points}), encoding="utf-8")
    links = ["point,label,from,to,port,link,flits,utilization,from_x,from_y,to_x,to_y,kind,from_plane,to_plane"]
    latencies = ["point,label,latency_cycles_low,latency_cycles_high,count"]
    for i in range(len(points)):
        for at in itertools.product(*map(range, radix)):
            for d, (sign, name) in itertools.product(range(len(radix)), ((1, "plus"), (-1, "minus"))):
                to = [(a + sign) % radix[d] if e == d else a for e, a in enumerate(at)]
                places = ",".join(map(str, (*position(at, radix), *position(to, radix))))
                kind = "plain" if 0 <= at[d] + sign < radix[d] else "wrap"
                links.append(f"{i},l,router_{'_'.join(map(str, at))},router_{'_'.join(map(str, to))},"
                             f"{axis_name(d)}_{name},0,1,{0.1 / (d + 1)},{places},{kind},{plane(at)},{plane(to)}")
        latencies += [f"{i},l,{low},{low},{low}" for low in range(10 + i, 40)]
    (folder / "links.csv").write_text("\n".join(links) + "\n", encoding="utf-8")
    (folder / "latency_hist.csv").write_text("\n".join(latencies) + "\n", encoding="utf-8")


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def draw(self, *arguments, code=0):
        got, out, err = run(self.folder, "--quiet", *arguments)
        self.assertEqual(got, code, err)
        return [pathlib.Path(line) for line in out.splitlines()], err

    def texts(self, name):
        """All texts of a figure, well-formed or not."""
        root = xml.parse(self.folder / f"plots/{name}.svg").getroot()
        return ["".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")]
