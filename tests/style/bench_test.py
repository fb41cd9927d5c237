#!/usr/bin/python3
"""Does scripts/bench measure what it says? With stand-ins for noctule and the floor. Usage: bench_test.py BENCH"""
import importlib.machinery
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

BENCH = pathlib.Path(sys.argv[1]).resolve()
sys.dont_write_bytecode = True

CONFIG = {
    "topology": {"kind": "torus", "radix": [31, 31]}, "routing": {"algorithm": "dimension_order", "vc_rule": "dateline"},
    "node": {"model": "generic", "lanes": 4, "connections_per_cycle": 1, "input_depth": 1, "output_depth": 1},
    "traffic": {"pattern": {"kind": "uniform"}, "offered_load": 0.065, "packet_length": 15, "source_queue": "infinite"},
    "measurement": {"warm_up": 2000, "cycles": 20000},
}
STAND_IN = """#!/usr/bin/python3
import json, pathlib, sys
count = pathlib.Path(__file__).with_suffix(".count")
n = int(count.read_text()) if count.exists() else 0
count.write_text(str(n + 1))
assert sys.argv[1] == "run" and "--json" in sys.argv and "--quiet" in sys.argv
speed = {"user_s": 1.0, "router_cycles_per_s": [1e7, 2e7, 1.6e7][n %% 3], "flit_hops_per_s": 5e6}
print(json.dumps({"config": %r, "points": [{"speed": speed}]}))
"""
FLOOR = """#include <cstdio>
int main(int argc, char**) { std::printf("RES nsrc=25.00 hps=1 nshop=40.00 n=%d\\n", argc); }
"""


def load():
    loader = importlib.machinery.SourceFileLoader("bench", str(BENCH))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench", loader))
    loader.exec_module(module)
    return module


def changed(section, **keys):
    return {**CONFIG, section: {**CONFIG[section], **keys}}


INPUT_QUEUED = {
    "topology": {"kind": "mesh", "radix": [8, 8]}, "routing": {"algorithm": "dimension_order", "vc_rule": "dateline"},
    "node": {"model": "input_queued", "lanes": 4, "input_depth": 8, "injection_vcs": 4, "consumption_vcs": 4},
    "traffic": {**CONFIG["traffic"], "offered_load": 0.3, "packet_length": 5}, "measurement": CONFIG["measurement"],
}


def floors():
    load()
    return importlib.import_module("speed.floors")


class FloorArguments(unittest.TestCase):
    def test_follow_the_resolved_configuration(self):
        given = [str(a) for a in floors().unit_arguments(CONFIG)]
        self.assertEqual(given, "-k 31 -V 8 -L 15 -load 0.065 -w 0 -c 22000 -torus".split())
        mesh = floors().unit_arguments(changed("topology", kind="mesh", radix=[8, 8]))
        self.assertEqual([str(a) for a in mesh[:4]], "-k 8 -V 4".split())
        self.assertNotIn("-torus", mesh)

    def test_another_router_or_network_has_no_floor(self):
        for other in (changed("topology", radix=[31, 16]), changed("topology", radix=[8, 8, 8]),
                      changed("topology", kind="hypercube"), changed("routing", algorithm="star_channels"),
                      changed("topology", terminals_per_router=2), changed("traffic", stall=0.5),
                      changed("routing", vc_rule="wrapped_bit"), changed("node", connections_per_cycle=2),
                      changed("node", input_depth=2), changed("traffic", source_queue="discard"),
                      changed("traffic", load_unit="normalized"), changed("traffic", source={"kind": "periodic"}),
                      changed("traffic", pattern="transpose"), {**CONFIG, "link": {"flit_delay": 2}},
                      changed("measurement", cycles="auto")):
            self.assertIsNone(floors().unit_arguments(other))

    def test_of_the_input_queued_router(self):
        given = [str(a) for a in floors().input_queued_arguments(INPUT_QUEUED)]
        self.assertEqual(given, "-k 8 -V 4 -L 5 -load 0.3 -w 0 -c 22000 -D 8".split())
        for keys in ({"input_depth": 7}, {"lanes": 2}, {"speculative": True}, {"arbiter": "matrix"},
                     {"vc_allocator": "islip"}, {"model": "generic"}, {"allocator_iterations": 2}):
            other = {**INPUT_QUEUED, "node": {**INPUT_QUEUED["node"], **keys}}
            self.assertIsNone(floors().input_queued_arguments(other), keys)
        self.assertIsNone(floors().input_queued_arguments({**INPUT_QUEUED, "topology": CONFIG["topology"]}))
        self.assertIsNone(floors().unit_arguments(INPUT_QUEUED))


class Table(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.program = self.folder / "noctule"
        self.program.write_text(STAND_IN % (CONFIG,), encoding="utf-8")
        self.program.chmod(0o755)

    def bench(self, *arguments, rows=("torus-31x31-half",)):
        done = subprocess.run([str(BENCH), "--program", str(self.program), *rows, *map(str, arguments)],
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    def test_takes_the_best_of_several_runs(self):
        file = self.folder / "table.json"
        code, out, err = self.bench("--runs", 3, "--json", file)
        self.assertEqual((code, err), (0, ""))
        self.assertIn("torus-31x31-half", out)
        self.assertEqual(json.loads(file.read_text(encoding="utf-8")), [{
            "row": "torus-31x31-half", "ns_per_router_cycle": 50.0, "ns_per_flit_hop": 200.0,
            "floor_ns_per_router_cycle": None, "floor_ns_per_flit_hop": None, "ratio": None,
            "memory_kb_per_router": 0.0, "construction_s": 0.0}])

    def test_compares_with_the_floor(self):
        (self.folder / "floor.cpp").write_text(FLOOR, encoding="utf-8")
        file = self.folder / "table.json"
        code, _, err = self.bench("--runs", 2, "--floor", self.folder, "--json", file)
        self.assertEqual((code, err), (0, ""))
        row = json.loads(file.read_text(encoding="utf-8"))[0]
        self.assertEqual((row["floor_ns_per_router_cycle"], row["floor_ns_per_flit_hop"], row["ratio"]), (25, 40, 2))

    def test_takes_the_floor_that_does_the_same_work(self):
        other = self.folder / "other"
        other.mkdir()
        (self.folder / "floor.cpp").write_text(FLOOR, encoding="utf-8")
        (other / "floor_iq.cpp").write_text(FLOOR.replace("25.00", "10.00"), encoding="utf-8")
        self.program.write_text(STAND_IN % (INPUT_QUEUED,), encoding="utf-8")
        file = self.folder / "table.json"
        code, _, err = self.bench("--runs", 2, "--floor", self.folder, "--floor", other, "--json", file,
                                  rows=("iq-8x8-half",))
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(json.loads(file.read_text(encoding="utf-8"))[0]["ratio"], 5)

    def test_compares_rows_without_a_floor_per_flit_hop(self):
        rows = ("torus-31x31-half", "star-channels-31x31")
        self.assertIn("star-channels-31x31 against torus-31x31-half, per flit-hop: 1.00",
                      self.bench("--runs", 1, rows=rows)[1])
        self.assertNotIn("against torus", self.bench("--runs", 1)[1])

    def test_cannot_run(self):
        for arguments, expected in ((["no-such-row"], "no-such-row"), (["--floor", self.folder], "floor.cpp"),
                                    (["--runs", 0], "at least 1"),
                                    (["--json", self.folder / "missing" / "x.json"], "there is no such folder")):
            code, _, err = self.bench(*arguments)
            self.assertEqual(code, 2)
            self.assertIn(expected, err)
        self.program.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
        code, _, err = self.bench()
        self.assertEqual(code, 2)
        self.assertIn("exit code 3", err)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
