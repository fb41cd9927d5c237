#!/usr/bin/python3
"""RTL routers beside routers of the model that are not like them: no difference in any mode, the digest of the model
alone, several modules in one fabric, and a fault that is still found."""
import copy
import pathlib
import sys
import tempfile
import unittest

import cosim_support as support

MESH = {
    "topology": {"kind": "mesh", "radix": [5, 5]},
    "node": {"model": "input_queued", "lanes": 4, "input_depth": 8},
    "traffic": {"packet_lengths": support.LENGTHS, "offered_load": 0.4},
    "measurement": {"warm_up": 200, "cycles": 3000},
    "cosim": {"cycles": 4000, "resets": 1},
}
HARDWARE = {"routing_delay": 0, "switch_allocation_delay": 0}
# Far from router_1_1 and router_3_3: output buffers, other depths, other lanes; long and slow links.
OTHERS = [{"routers": ["router_*_4", "router_4_*"], "set": {"model": "generic", "lanes": 2, "input_depth": 3}}]
LINKS = [{"links": ["router_0_*", "*_0.x_plus"], "set": {"flit_delay": 3, "credit_delay": 2}},
         {"links": ["router_4_4.*"], "set": {"cycles_per_flit": 2}}]


def mesh(*entries, links=()):
    configuration = copy.deepcopy(MESH)
    configuration["nodes"] = [*OTHERS, *entries]
    configuration["links"] = [*LINKS, *links]
    return configuration


def one(router="router_1_1", **rtl):
    return {"routers": [router], "set": HARDWARE, "rtl": rtl}


def two_groups():
    """Another number of VCs and another depth in router_3_3, in the links at it, and behind these."""
    around = ["router_2_3", "router_3_2", "router_3_4", "router_4_3"]
    at_it = ["router_3_3.*", "router_2_3.x_plus", "router_4_3.x_minus", "router_3_2.y_plus", "router_3_4.y_minus"]
    return mesh({"routers": [*around, "router_3_3"], "set": {"input_depth": 5}}, one(),
                {"routers": ["router_3_3"], "rtl": {},
                 "set": {**HARDWARE, "lanes": 2, "injection_vcs": 2, "consumption_vcs": 2}},
                links=[{"links": at_it, "set": {"lanes": 2}}])


def star():
    """A router of *-Channels among such that match headers with VCs all at once, and have deeper output buffers."""
    return {
        "topology": {"kind": "torus", "radix": [5, 5]},
        "node": {"model": "star_channels", "vc_allocator": "separable_input_first", "output_depth": 3,
                 "selection": "random", "connections_per_cycle": "all"},
        "nodes": [{"routers": ["router_2_*"], "rtl": {},
                   "set": {"vc_allocator": "scan", "output_depth": 1, "selection": "rotating",
                           "connections_per_cycle": 1}}],
        "traffic": {"packet_lengths": support.LENGTHS, "offered_load": 0.3, "stall": 0.2},
        "measurement": {"warm_up": 200, "cycles": 3000},
        "cosim": {"cycles": 4000, "resets": 1},
    }


class Unlike(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="noctule-unlike-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def write(self, configuration, name="fabric.yaml"):
        return support.write(self.folder / name, configuration)

    def alike_in_all_modes(self, configuration, routers):
        file = self.write(configuration)
        for mode in ("shadow", "swapped", "plain"):
            with self.subTest(mode=mode):
                point, = support.result("cosim", file, "--out", self.folder / mode, "--set", f"cosim.mode={mode}",
                                        environment=support.QUICK)["points"]
                self.assertFalse(point["diverged"], point)
                self.assertEqual(point["router_cycles"], 4000 * routers, "RTL routers, and no others")
                self.assertGreater(point["moving_router_cycles"], point["router_cycles"] / 3)
                if mode == "swapped":
                    self.assertEqual(point["digest"], point["model_digest"])

    def same_as_the_model(self, configuration):
        model = copy.deepcopy(configuration)
        for entry in model["nodes"]:
            entry.pop("rtl", None)
        digests = [support.result("run", self.write(given, f"{name}.yaml"), "--out", self.folder / name,
                                  environment=support.QUICK)["points"][0]["digest"]
                   for name, given in (("rtl", configuration), ("model", model))]
        self.assertEqual(*digests)

    def test_one_router(self):
        self.alike_in_all_modes(mesh(one()), 1)
        self.same_as_the_model(mesh(one()))

    def test_two_modules(self):
        self.alike_in_all_modes(two_groups(), 2)
        self.same_as_the_model(two_groups())
        pins = support.result("cosim", self.write(two_groups()), "--pins")
        bits = {(pin["router"], pin["name"]): pin["bits"] for pin in pins}
        self.assertEqual(bits["router_1_1", "x_plus_vc_i"], 4)
        self.assertEqual(bits["router_3_3", "x_plus_vc_i"], 2)

    @support.in_full
    def test_terminals_at_some_routers(self):
        configuration = mesh(one(), one("router_3_1"))
        configuration["nodes"] = configuration["nodes"][1:]
        configuration["topology"]["terminals_at"] = "router_[013]_*"
        self.alike_in_all_modes(configuration, 2)
        self.same_as_the_model(configuration)

    def test_star_channels(self):
        self.alike_in_all_modes(star(), 5)
        self.same_as_the_model(star())

    def test_a_fault_is_found(self):
        rtl = support.copy_of_rtl(self.folder / "rtl")
        node = rtl / "nodes" / "input_queued.sv"
        text = node.read_text(encoding="utf-8")
        right = "CreditW'(Depth)}"
        self.assertEqual(text.count(right), 1)
        node.write_text(text.replace(right, "CreditW'(Depth - 1)}"), encoding="utf-8")
        values = {**support.widths(self.write(mesh(one()))), "Vcs": 4, "Depth": 8}
        files = support.shipped_as_files("input_queued", rtl, values, [])["rtl"]
        file = self.write(mesh(one("router_2_1"), one(**files)))
        found = support.result("cosim", file, "--out", self.folder / "out", codes=(1,), environment=support.QUICK)
        self.assertEqual(found["first_divergence"]["router"], "router_1_1")
        self.assertTrue(pathlib.Path(found["first_divergence"]["vcd"]).is_file())
        run = self.write({**mesh(one(**files)), "measurement": {"warm_up": 0, "cycles": 20000}}, "run.yaml")
        digest = support.result("run", run, "--out", self.folder / "run", environment=support.QUICK)["points"][0]["digest"]
        other = support.result("run", self.write({**mesh(one()), "measurement": {"warm_up": 0, "cycles": 20000}}),
                               "--out", self.folder / "run2", environment=support.QUICK)["points"][0]["digest"]
        self.assertNotEqual(digest, other, "it shows in what is delivered")


if __name__ == "__main__":
    support.needs("verilator", "c++")
    sys.exit(not unittest.main(verbosity=2, exit=False).result.wasSuccessful())
