#!/usr/bin/python3
"""Planes as their users meet them: proved, run, measured plane by plane; a plane mixed up is refused and locks up."""
import csv
import json
import unittest

from cli_support import CommandLineTest

FABRICS = {
    "mesh and tree": ({"topology": {"kind": "mesh", "radix": [4, 4]}, "node": {"model": "input_queued", "input_depth": 2}},
                      {"topology": {"kind": "butterfly_fat_tree", "levels": 2},
                       "routing": {"algorithm": "nearest_common_ancestor"}}),
    "opposed tori": ({"topology": {"kind": "torus", "radix": [4, 4], "directions": "plus"},
                      "node": {"model": "input_queued", "input_depth": 2}},
                     {"topology.directions": "minus", "link.flit_delay": 3}),
    "two node models": ({"topology": {"kind": "mesh", "radix": [3, 3]},
                         "node": {"model": "generic", "input_depth": 2}},
                        {"node": {"model": "input_queued", "input_depth": 4, "lanes": 2}}),
}
RIGHT = ([["request"], ["response"]], [["response"], ["request"]])
WRONG = ([["request", "response"], ["bulk"]], [["bulk"], ["request", "response"]])


def fabric(name, carried):
    config, other = json.loads(json.dumps(FABRICS[name]))
    config["message_classes"] = {c: {} for c in sorted(sum(carried, []))}
    config["planes"] = {"a": {"classes": carried[0]}, "b": {"classes": carried[1], "set": other}}
    config["depends"] = {"request": ["response"]}
    config["traffic"] = {"source": {"kind": "request_reply", "outstanding": 64, "service_time": 3, "lengths": [6, 6],
                                    "chain": ["request", "response"]}}
    config["measurement"] = {"warm_up": 0, "cycles": 5000, "deadlock_interval": 500}
    return config


class Planes(CommandLineTest):
    def verdict(self, config, code):
        return self.json_of("verify", self.write("planes.yaml", json.dumps(config)), code=code)[0]

    def point(self, config, *arguments, code=0):
        self.write("planes.yaml", json.dumps(config))
        return self.json_of("run", "planes.yaml", "--fresh", "--quiet", "--out", "out", *arguments, code=code)["points"][0]

    def test_classes_in_planes_of_their_own_are_proved_and_run(self):
        for name in FABRICS:
            for carried in RIGHT:
                with self.subTest(name=name, carried=carried):
                    config = fabric(name, carried)
                    self.assertEqual(self.verdict(config, 0)["verdict"], "proved")
                    config["traffic"]["source"]["outstanding"] = 4
                    config["traffic"]["stall"] = 0.3
                    point = self.point(config)
                    self.assertIn(point["status"], ("stable", "not_converged"))
                    self.assertGreater(point["transactions"]["completed"], 300)

    def test_a_plane_mixed_up_is_refused_and_locks_up(self):
        for name in FABRICS:
            for carried in WRONG:
                with self.subTest(name=name, carried=carried):
                    config = fabric(name, carried)
                    report = self.verdict(config, 1)
                    self.assertEqual(report["verdict"], "deadlock_possible")
                    causes = [arc["cause"] for arc in report["witness"]]
                    self.assertTrue(any("takes no more until a response is injected" in c for c in causes), causes)
                    plane = "ab"[carried.index(["request", "response"])]
                    self.assertTrue(all(arc["from"].startswith(plane + "_") for arc in report["witness"]))
                    _, err = self.noctule("run", "planes.yaml", code=2)
                    self.assertIn("depends: this fabric can deadlock", err)
                    self.assertEqual(self.point(config, "--set", "allow_deadlock=true", code=1)["status"], "deadlocked")
                    own = [r for r in report["remedies"] if f"planes.{plane}.classes" in r]
                    self.assertEqual([r[f"planes.{plane}.classes"] for r in own], [["request"]])
                    self.assertEqual(own[0]["planes.response.classes"], ["response"])
                    for remedy in report["remedies"]:
                        sets = [word for key, to in remedy.items() for word in ("--set", f"{key}={json.dumps(to)}")]
                        self.assertEqual(self.json_of("verify", "planes.yaml", *sets)[0]["verdict"], "proved", remedy)
                        self.assertIn(self.point(config, *sets)["status"], ("stable", "not_converged"), remedy)

    def test_results_are_of_each_plane_and_of_all(self):
        config = fabric("mesh and tree", RIGHT[0])
        config["traffic"]["source"]["outstanding"] = 1
        point = self.point(config)
        a, b = point["planes"]["a"], point["planes"]["b"]
        self.assertEqual((a["message_classes"], b["message_classes"]), (["request"], ["response"]))
        for plane in (a, b):
            (of_class,) = plane["message_classes"]
            self.assertEqual(plane["accepted"]["flits_per_node_cycle"],
                             point["message_classes"][of_class]["accepted"]["flits_per_node_cycle"])
        self.assertEqual((a["routers"], a["links"]), (16, 48))
        mean = (a["links"] * a["link_utilization"]["mean"] + b["links"] * b["link_utilization"]["mean"])
        self.assertAlmostEqual(mean / (a["links"] + b["links"]), point["link_utilization"]["mean"], places=9)
        with open(self.folder / "out/links.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), a["links"] + b["links"])
        for row in rows:
            self.assertEqual(row["from_plane"], row["to_plane"])
            self.assertTrue(row["from"].startswith(row["from_plane"] + "_"))
        for plane, name in ((a, "a"), (b, "b")):
            most = max(float(row["utilization"]) for row in rows if row["from_plane"] == name)
            self.assertAlmostEqual(plane["link_utilization"]["max"], most, places=9)

    def test_a_run_can_be_repeated_from_its_folder(self):
        config = fabric("two node models", RIGHT[0])
        config["traffic"]["source"]["outstanding"] = 2
        digest = self.point(config)["digest"]
        again = self.json_of("run", "out/config.json", "--fresh", "--quiet", "--out", "again")["points"][0]
        self.assertEqual(again["digest"], digest)

    def test_waveforms_and_events_name_the_plane(self):
        config = fabric("opposed tori", RIGHT[0])
        config["traffic"]["source"]["outstanding"] = 1
        config["trace"] = {"vcd": True, "events": True, "cycles": 200, "scope": ["b_router_1_1.*"]}
        point = self.point(config)
        with open(self.folder / point["files"]["vcd"], encoding="utf-8") as file:
            self.assertIn("b_router_1_1", file.read())
        with open(self.folder / point["files"]["events"], encoding="utf-8") as file:
            planes = {(row["router"][0], row["message_class"]) for row in csv.DictReader(file)}
        self.assertEqual(planes, {("a", "request"), ("b", "response")})

    def test_each_plane_is_proved_by_what_its_own_worms_need(self):
        # Worms of plane a turn to escape channels, so that plane must give VCs away when they are empty. Plane b has
        # an order of its channels, and may give them away as it likes.
        config = {"topology": {"kind": "torus", "radix": [4, 4]}, "message_classes": {"request": {}, "response": {}},
                  "planes": {"a": {"classes": ["request"], "set": {"node.model": "star_channels"}},
                             "b": {"classes": ["response"], "set": {"topology.kind": "mesh", "node.model": "generic",
                                                                    "node.release": "tail_crossed"}}},
                  "traffic": {"packet_length": 4, "offered_load": 0.2}}
        self.assertEqual(self.verdict(config, 0)["method"], "escape_network")
        config["planes"]["a"]["set"].update({"node.release": "tail_crossed", "node.input_depth": 4})
        config["planes"]["b"]["set"]["node.release"] = "next_buffer_empty"
        report = self.verdict(config, 1)
        self.assertNotEqual(report["verdict"], "proved")
        self.assertRegex(report["reason"], r"tail_crossed of a_router_\d_\d lets it in")

    def test_nodes_outside_of_planes_name_routers_as_they_are_called_inside(self):
        config = fabric("opposed tori", RIGHT[0])
        config["nodes"] = [{"routers": ["router_1_1"], "set": {"input_depth": 9}}]
        out, _ = self.noctule("check", self.write("planes.yaml", json.dumps(config)))
        self.assertIn("input buffers have 2 to 9 places", out)
        config["nodes"] = [{"routers": ["*"], "rtl": {}}]
        for plane in config["planes"].values():
            plane.setdefault("set", {})["nodes"] = []
        self.noctule("check", self.write("planes.yaml", json.dumps(config)))  # none is RTL then
        config["planes"]["b"]["set"]["nodes"] = [{"routers": ["router_1_1"], "rtl": {}}]
        self.refused("check", self.write("planes.yaml", json.dumps(config)),
                     says=["planes.b.set.nodes", "leave out rtl, or planes"])

    def test_lone_packets_of_every_plane_are_told_of_and_simulated(self):
        config = fabric("mesh and tree", RIGHT[0])
        config["planes"]["b"]["set"]["link.flit_delay"] = 9
        explained = self.json_of("explain", self.write("planes.yaml", json.dumps(config)), "--prove")["fabrics"][0]
        slowest = {c: max(row["most_cycles"] for row in explained["zero_load"]["by_distance"] if row["class"] == c)
                   for c in ("request", "response")}
        self.assertGreater(slowest["response"], slowest["request"])
        worms = explained["proof"]["lone_worms"]
        self.assertEqual((worms["differences"], worms["worms"] % 2), (0, 0))
        faster = self.write("planes.yaml", json.dumps(fabric("mesh and tree", RIGHT[0])))
        faster = self.json_of("explain", faster, "--prove")["fabrics"][0]["proof"]["lone_worms"]
        self.assertGreater(worms["simulated_cycles"], faster["simulated_cycles"])

    def test_names_that_two_routers_would_have_are_refused(self):
        self.write("one.txt", "routers: [b_c, d]\nterminals: [b_c, d]\nlinks: [[b_c, d]]\n")
        self.write("two.txt", "routers: [c, d]\nterminals: [c, d]\nlinks: [[c, d]]\n")
        config = {"topology": {"kind": "graph", "file": "one.txt"}, "routing": {"algorithm": "up_down"},
                  "message_classes": {"x": {}, "y": {}}, "traffic": {"offered_load": 0.1},
                  "planes": {"a": {"classes": ["x"]}, "a_b": {"classes": ["y"], "set": {"topology.file": "two.txt"}}}}
        self.refused("check", self.write("planes.yaml", json.dumps(config)),
                     says=["router 'b_c' of plane 'a' and router 'c' of plane 'a_b'", "give one of the planes another name"])

    def test_what_needs_one_network_is_refused(self):
        config = fabric("two node models", RIGHT[0])
        for option, words in (("nodes=[{routers: ['*'], rtl: {}}]", "leave out rtl, or planes"),
                              ("multicast.planner=individual", "leave out planes, or the planner"),
                              ("planes.b.set.topology.radix=[3, 4]", "it has 12 terminals, and plane 'a' has 9")):
            with self.subTest(option):
                self.write("planes.yaml", json.dumps(config))
                _, err = self.noctule("run", "planes.yaml", "--set", option, code=2)
                self.assertIn(words, err)


if __name__ == "__main__":
    unittest.main()
