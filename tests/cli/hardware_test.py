#!/usr/bin/python3
"""Routers in hardware that cannot be: `check` says so as `run` does, without a compiler, with place and remedy."""
import json
import unittest

from cli_support import CommandLineTest

NODE = {"model": "input_queued", "lanes": 2, "input_depth": 4, "injection_vcs": 2, "consumption_vcs": 2,
        "routing_delay": 0, "switch_allocation_delay": 0}
RIGHT = {"topology": {"kind": "mesh", "radix": [3, 3]}, "node": NODE, "nodes": [{"routers": ["*"], "rtl": {}}],
         "traffic": {"packet_length": 4, "offered_load": 0.2}, "measurement": {"warm_up": 0, "cycles": 100}}
# What is changed, and what the message says.
WRONG = {
    "terminals that mix worms": ({"node.injection_sharing": "flit"}, ["node.injection_sharing", ": worm"]),
    "a torus": ({"topology.kind": "torus"}, ["topology.kind", "no VC classes for wrap links"]),
    "a ring": ({"topology": {"kind": "ring", "nodes": 4}}, ["topology.kind", "two dimensions"]),
    "more lanes than can be compiled": ({"node.lanes": 16, "node.injection_vcs": 16, "node.consumption_vcs": 16},
                                        ["node.lanes", "up to 8"]),
    "one lane": ({"node.lanes": 1, "node.injection_vcs": 1, "node.consumption_vcs": 1}, ["node.lanes", "two lanes"]),
    "a link taken away": ({"without": {"links": ["router_0_0.x_plus", "router_1_0.x_minus"]}, "routing": "up_down"},
                          ["without", "leave out without, or rtl"]),
    "a tree": ({"topology": {"kind": "butterfly_fat_tree", "levels": 2}}, ["topology.kind"]),
    "terminals that refuse": ({"traffic.stall": 0.5}, ["traffic.stall", "only behind output buffers"]),
    "a sink": ({"traffic.sink": {"kind": "server", "service_time": 3}}, ["traffic.sink", "only behind output buffers"]),
    "no such file": ({"nodes": [{"routers": ["*"], "rtl": {"top": "mine", "files": ["none.sv"]}}]},
                     ["nodes", "none.sv: no such file"]),
    "no such folder": ({"nodes": [{"routers": ["*"], "rtl": {"top": "mine", "files": ["net.yaml"], "folders": ["none"]}}]},
                       ["nodes", "none: no such folder"]),
    "no shipped router of the name": ({"nodes": [{"routers": ["*"], "rtl": {"top": "mine"}}]},
                                      ["no shipped RTL of 'mine'", "give files for your own"]),
    "another turn": ({"routing": "north_last"}, ["routing.algorithm", "routes by dimension_order"]),
    "rtl at the top": ({"rtl": {}}, ["rtl", "nodes: [{routers:"]),
    "rtl in the node": ({"node.rtl": {}}, ["rtl", "nodes: [{routers:"]),
    "rtl in a set": ({"nodes": [{"routers": ["*"], "set": {"rtl": {}}}]}, ["beside 'set'"]),
}


def changed(changes):
    config = json.loads(json.dumps(RIGHT))
    for key, value in changes.items():
        *sections, last = key.split(".")
        at = config
        for section in sections:
            at = at[section]
        at[last] = value
    return config


class Hardware(CommandLineTest):
    def test_what_cannot_be_is_refused_by_check_and_run_alike(self):
        self.noctule("check", self.write("net.yaml", json.dumps(RIGHT)))
        for name, (changes, says) in WRONG.items():
            with self.subTest(name):
                self.write("net.yaml", json.dumps(changed(changes)))
                checked = self.refused("check", "net.yaml", says=says)
                self.assertEqual(self.refused("run", "net.yaml", "--quiet"), checked)


if __name__ == "__main__":
    unittest.main()
