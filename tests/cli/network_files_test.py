#!/usr/bin/python3
"""Networks and routes that files describe: do they run, are they proved and drawn; is what is wrong with a file said
with its place?"""
import csv
import json
import random
import unittest
import xml.etree.ElementTree as xml

from cli_support import CommandLineTest
from random_fabrics import random_network

CONFIG = """\
topology: {kind: graph, file: net.txt}
routing: %s
traffic: {packet_length: 3, offered_load: 0.05}
measurement: {warm_up: 200, cycles: 2000}
"""
TRIANGLE = """\
routers: [a, b, c]
links: [[a, b], [b, c], {from: c, to: a}, {from: a, to: c}]
"""
# One VC class on a ring of one direction: worms wait for each other in a circle.
ONE_WAY_RING = """\
routers: 4
links:
  - {from: router_0, to: router_1}
  - {from: router_1, to: router_2}
  - {from: router_2, to: router_3}
  - {from: router_3, to: router_0}
"""
# Requests in the north of a ladder, responses in the south.
TWO_SIDES = """\
routers: [n0, n1, n2, n3, s0, s1, s2, s3]
terminals:
- attachments: [{router: n0, classes: [request]}, {router: s0, classes: [response]}]
- attachments: [{router: n1, classes: [request]}, {injection: s1, consumption: s2, classes: [response]}]
- attachments: [{router: n2, classes: [request]}, {router: s2, classes: [response]}]
- n3
links: [[n0, n1], [n1, n2], [n2, n3], [s0, s1], [s1, s2], [s2, s3], [n0, s0], [n3, s3]]
"""
TWO_CLASSES = """\
topology: {kind: graph, file: net.txt}
routing: up_down
node: {model: input_queued, lanes: 2, input_depth: 2}
message_classes: {request: {vcs: {lane: 0}}, response: {vcs: {lane: RESPONSE}}}
depends: {request: [response]}
traffic: {source: {kind: request_reply, outstanding: 8, service_time: 3, lengths: [4, 6]}}
measurement: {warm_up: 200, cycles: 4000, deadlock_interval: 500}
"""


def unequal_parts(rng, anynet):
    """Some links and some routers that are not like the others."""
    links = rng.choice(["cycles_per_flit: 3", "flit_delay: 6, credit_delay: 4", "lanes: 3", "lanes: 2, parallel_links: 2",
                        "sharing: fixed_slot"])
    nodes = rng.choice(["input_depth: 5", "lanes: 2", "output_depth: 3", "model: input_queued"])
    if "fixed_slot" in links:
        nodes = "input_depth: 5"
    names = "router_[%s]" if anynet else "n[%s]_*"
    return (f"links:\n- {{links: ['{names % '0-4'}.*'], set: {{{links}}}}}\n"
            f"nodes:\n- {{routers: ['{names % '13'}'], set: {{{nodes}}}}}\n")


class Graphs(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("graph.yaml", CONFIG % "up_down")

    def fault(self, text, *words, config="graph.yaml"):
        self.write("net.txt", text)
        out, err = self.noctule("check", config, code=2)
        self.assertEqual(out, "")
        for word in words:
            self.assertIn(word, err)
        return err

    def test_ten_networks_in_both_formats_run_and_are_proved_and_drawn(self):
        rng = random.Random(18)
        for number in range(10):
            text = random_network(rng, anynet=number % 2 == 0)
            self.write("net.txt", text)
            with self.subTest(text=text):
                self.write("graph.yaml", CONFIG % "up_down" + unequal_parts(rng, number % 2 == 0))
                (fabric,) = self.json_of("verify", "graph.yaml")
                self.assertEqual((fabric["verdict"], fabric["method"]), ("proved", "acyclic"))
                self.noctule("run", "graph.yaml", "--out", "out/run", "--set", "trace.vcd=true", "--set",
                             "traffic.offered_load=0.01")
                (point,) = self.results("out/run")["points"]
                self.assertEqual(point["status"], "stable")
                self.assertTrue(list((self.folder / "out/run").glob("*.vcd")))

    def test_routers_are_drawn_where_the_file_says(self):
        text = "routers: [{name: a, position: [0, 0]}, {name: b, position: [2.5, -1]}]\nlinks: [[a, b]]\n"
        self.write("net.txt", text)
        self.noctule("run", "graph.yaml", "--out", "run")
        with open(self.folder / "run" / "links.csv", encoding="utf-8") as table:
            (row,) = [row for row in csv.DictReader(table) if row["from"] == "a"]
        self.assertEqual([float(row[key]) for key in ("from_x", "from_y", "to_x", "to_y")], [0, 0, 2.5, -1])
        self.fault(text.replace("name: b, position: [2.5, -1]", "name: b"), "net.txt:1", "others have none")
        self.fault(text.replace("2.5", "far"), "net.txt:1", "a coordinate is a number")
        self.fault(text.replace("2.5, -1", "1"), "net.txt:1", "[X, Y]")
        self.fault(text.replace("name: b", "nam: b"), "net.txt:1", "{name: NAME")

    def test_a_triangle_has_its_terminals_in_order(self):
        self.write("net.txt", TRIANGLE)
        out, _ = self.noctule("check", "graph.yaml")
        self.assertIn("3 routers", out)
        self.assertIn("up*/down* with the root a", out)
        self.write("net.txt", "router 0 node 0 router 1\nnode 1 router 1\n")
        self.noctule("check", "graph.yaml")

    def test_a_ring_of_one_direction_deadlocks_and_is_shown(self):
        self.write("net.txt", ONE_WAY_RING)
        self.write("ring.yaml", CONFIG % "turn_table")
        (fabric,) = self.json_of("verify", "ring.yaml", code=1)
        self.assertEqual(fabric["verdict"], "deadlock_possible")
        self.assertTrue(fabric["simulation"]["deadlocked"])
        xml.parse(self.folder / fabric["files"]["drawing"])
        self.noctule("run", fabric["files"]["configuration"], "--out", "again")
        self.assertEqual(self.results("again")["points"][0]["status"], "deadlocked")
        # up_down needs a way back.
        _, err = self.noctule("check", "graph.yaml", code=2)
        self.assertIn("links come in pairs", err)

    def test_terminals_have_a_place_for_each_class(self):
        self.write("net.txt", TWO_SIDES)
        self.write("apart.yaml", TWO_CLASSES.replace("RESPONSE", "1"))
        (fabric,) = self.json_of("verify", "apart.yaml")
        self.assertEqual(fabric["verdict"], "proved")
        self.noctule("run", "apart.yaml", "--out", "run", "--set", "trace={events: true, vcd: true, cycles: 3000}")
        (point,) = self.results("run")["points"]
        self.assertGreater(point["transactions"]["completed"], 300)
        (events,) = (self.folder / "run").rglob("*.events.csv")
        places = {"inject": set(), "consume": set()}
        with open(events, encoding="utf-8") as lines:
            for row in csv.DictReader(lines):
                if row["event"] in places:
                    places[row["event"]].add((row["message_class"], row["router"]))
        requests = {("request", f"n{t}") for t in range(4)}
        self.assertEqual(places["inject"], requests | {("response", router) for router in ("s0", "s1", "s2", "n3")})
        self.assertEqual(places["consume"], requests | {("response", router) for router in ("s0", "s2", "n3")})
        with open(self.folder / "run/links.csv", encoding="utf-8") as table:
            flits = {(row["from"], row["to"]): int(row["flits"]) for row in csv.DictReader(table)}
        self.assertGreater(flits["s1", "s2"], 0)
        self.noctule("check", "apart.yaml", "--draw", "--out", "drawn")
        (drawing,) = (self.folder / "drawn").glob("*.svg")
        for text in ("0 request", "0 response", "3 request", "3 response"):
            self.assertIn(f">{text}<", drawing.read_text(encoding="utf-8"))
        # A task after the other, of both classes.
        self.write("tasks.txt", "0 1 4 id=ask class=request\n1 0 6 after=ask class=response\n")
        self.write("tasks.yaml", TWO_CLASSES.replace("RESPONSE", "1").split("depends")[0] +
                   "traffic: {source: {kind: workload, file: tasks.txt}}\n")
        self.noctule("run", "tasks.yaml", "--out", "tasks")
        (point,) = self.results("tasks")["points"]
        self.assertEqual((point["status"], point["packets"]["delivered"]), ("stable", 2))
        # On one lane requests and responses wait for each other, between the places of the terminals.
        self.write("shared.yaml", TWO_CLASSES.replace("RESPONSE", "0"))
        (fabric,) = self.json_of("verify", "shared.yaml", code=1)
        self.assertEqual(fabric["verdict"], "deadlock_possible")
        names = " ".join(arc["from"] for arc in fabric["witness"])
        self.assertRegex(names, r"\b[ns]\d\.injection\d?_response")
        self.assertRegex(names, r"\bn\d\.consumption\d?_request")
        xml.parse(self.folder / fabric["files"]["drawing"])
        self.assertEqual(len(fabric["remedies"]), 2, "buffers and lanes; planes are of networks without attachments")
        for remedy in fabric["remedies"]:
            sets = [word for key, value in remedy.items() for word in ("--set", f"{key}={json.dumps(value)}")]
            self.assertEqual(self.json_of("verify", "shared.yaml", *sets)[0]["verdict"], "proved", remedy)
        self.noctule("run", "shared.yaml", "--out", "stuck", "--set", "allow_deadlock=true", "--set",
                     "traffic.source.outstanding=64", code=1)
        self.assertEqual(self.results("stuck")["points"][0]["status"], "deadlocked")

    def test_what_is_wrong_with_places_is_said(self):
        self.write("apart.yaml", TWO_CLASSES.replace("RESPONSE", "1"))

        def wrong(old, new, *words):
            self.assertIn(old, TWO_SIDES)
            self.fault(TWO_SIDES.replace(old, new, 1), *words, config="apart.yaml")

        wrong("{router: n0, classes: [request]}, ", "", "net.txt:3", "no attachment for class 'request'")
        wrong("classes: [request]", "classes: [request, response]", "net.txt:3", "class 'response' already")
        wrong("{router: n0, classes: [request]}", "{router: n0}", "an attachment is {router: NAME, classes: [CLASS]}")
        wrong("{router: n0, classes: [request]}", "{router: n0, injection: n1, classes: [request]}", "an attachment has a 'router'")
        wrong("classes: [request]", "classes: [re quest]", "net.txt:3", "letters, digits")
        wrong("- attachments:", "- router: n1\n  attachments:", "leave out")
        wrong("- attachments: [{router: n0, classes: [request]}, {router: s0, classes: [response]}]",
              "- attachments: []", "attachments are a list")
        wrong(", [n0, s0], [n3, s3]]", "]", "injects response", "no links lead from")
        self.fault(TWO_SIDES.replace("response", "reply"), "topology.file", "class 'reply'", "message_classes", config="apart.yaml")
        self.fault(TWO_SIDES, "attachment for packets of class 'request'", "message_classes")
        one = TWO_SIDES.replace(", {router: s0, classes: [response]}", "").replace(", {router: s2, classes: [response]}", "")
        one = one.replace(", {injection: s1, consumption: s2, classes: [response]}", "")
        self.fault(one, "message_classes.response", "no attachment for it", config="apart.yaml")
        self.write("net.txt", TWO_SIDES)
        self.write("planes.yaml", TWO_CLASSES.replace("RESPONSE", "1") +
                   "planes: {a: {classes: [request]}, b: {classes: [response]}}\n")
        _, err = self.noctule("check", "planes.yaml", code=2)
        self.assertIn("its terminals have several attachments", err)

    def test_what_is_wrong_with_a_file_is_said_with_its_place(self):
        self.fault("routers: [a, b]\nlinks: [[a, bb]]\n", "net.txt:2:13", "no router is called 'bb'",
                   "did you mean 'b'?")
        self.fault("routers: [a, b, a]\nlinks: [[a, b]]\n", "net.txt:1:17", "given twice")
        self.fault("routers: [a, b-1]\nlinks: [[a, b-1]]\n", "'b-1'", "letters, digits and underscores")
        self.fault("routers: [a, b]\nlinks: [[a, a], [a, b]]\n", "net.txt:2:9", "to itself")
        self.fault("routers: [a, b]\nlinks:\n- {between: [a, b], ports: [0, 0]}\n- {from: a, out: 0, to: b, in: 1}\n",
                   "net.txt:4:3", "port 0 of 'a'", "net.txt:3:3")
        self.fault("routers: [a, b, c]\nlinks: [[a, b]]\n", "no links lead from 'a'", "to 'c'")
        self.fault("routers: [a, b, c]\nlinks: [[a, b], {from: a, to: c}]\n", "no link leaves 'c'")
        self.fault("routers: [a, b]\nterminals: [a]\nlinks: [[a, b]]\n", "1 terminal(s)")
        self.fault("routers: [a, b]\nlinks: [[a, b]]\nnodes: 3\n", "net.txt:3:1", "unknown key 'nodes'")
        self.fault("routers: [a, b]\nlinks: [[a, b, a]]\n", "a link is [A, B]")
        self.fault("routers: [a, b]\nlinks: [{from: a, to: b, in: -1}]\n", "the number of a port")
        self.fault("routers: [a, b]\nterminals: [{router: a, count: 0}]\nlinks: [[a, b]]\n", "a number of terminals")
        self.fault("routers: [a, b\n", "net.txt")
        self.fault("- a\n", "is not a map")
        self.fault("routers: 99999999\nlinks: []\n", "1 to 65536")

    def test_what_is_wrong_with_an_anynet_file_is_said_with_its_line(self):
        self.fault("router 0 node 0 router 1\nrouter 1 node 0\n", "net.txt:2", "node 0 is at router 1")
        self.fault("router 0 node 0 router 1 65\nrouter 1 node 1\n", "net.txt:1", "latency 65", "1 to 64")
        self.fault("router 0 node 0 5 router 1\nrouter 1 node 1\n", "net.txt:1", "latency 5 of a node")
        self.fault("routers: [a, b]\nlinks: [{between: [a, b], flit_delay: 0}]\n", "net.txt:2", "a number of cycles")
        self.fault("routers: [a, b]\nlinks: [{between: [a, b], latency: 2}]\n", "net.txt:2", "flit_delay")
        self.fault("router 0 node 0 router 0\n", "joined to itself")
        self.fault("router 0 node 0 node 2 router 1\n", "node 1 is missing")
        self.fault("router 0 node 0 ruoter 1\n", "net.txt:1", "'ruoter'")
        self.fault("router 0 node 0 router\n", "without a number")
        self.fault("node 0 node 1\nrouter 0 router 1\n", "node 0 is joined to node 1")

    def test_ten_million_links_are_refused_soon(self):
        rng = random.Random(1)
        line = "".join(f" router {rng.randrange(65000)}" for _ in range(1000))
        with open(self.folder / "net.txt", "w", encoding="utf-8") as file:
            for router in range(10000):
                file.write(f"router {router} node {router}{line}\n")
        _, err = self.noctule("check", "graph.yaml", code=2)
        self.assertIn("more than", err)

    def test_a_file_that_is_none(self):
        self.write("graph.yaml", CONFIG % "up_down")
        _, err = self.noctule("check", "graph.yaml", code=2)
        self.assertIn("net.txt", err)
        self.write("none.yaml", "topology: graph\nrouting: up_down\n")
        _, err = self.noctule("check", "none.yaml", code=2)
        self.assertIn("topology.file", err)


class Tables(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("net.txt", "routers: 3\nlinks: [[router_0, router_1], [router_1, router_2], [router_2, router_0]]\n")
        self.write("table.yaml", CONFIG % "{algorithm: table, file: routes.txt}")

    def test_routes_of_a_file(self):
        # Clockwise only, in one class: a circle; with two, and a change at router 0, none.
        clockwise = {0: "port_0", 1: "port_1", 2: "port_1"}
        self.write("routes.txt", "".join(f"router_{r} * {p}\n" for r, p in clockwise.items()))
        (fabric,) = self.json_of("verify", "table.yaml", code=1)
        self.assertEqual(fabric["verdict"], "deadlock_possible")
        # Each to its neighbour; from router 2 there is a longer way to router 1, too.
        self.write("routes.txt", "# router destination outputs\n"
                   "router_0 router_1 port_0.1\nrouter_0 router_2 port_1\n"
                   "router_1 router_2 port_1\nrouter_1 router_0 port_0\n"
                   "router_2 * port_1\nrouter_2 router_1 port_0 port_1.0\n")
        (fabric,) = self.json_of("verify", "table.yaml")
        self.assertEqual((fabric["verdict"], fabric["minimal"], fabric["longest_path"]), ("proved", False, 2))
        self.noctule("run", "table.yaml", "--out", "run")
        self.assertEqual(self.results("run")["points"][0]["status"], "stable")

    def test_what_is_wrong_with_a_table_is_said_with_its_line(self):
        def fault(text, *words):
            self.write("routes.txt", text)
            _, err = self.noctule("check", "table.yaml", code=2)
            for word in words:
                self.assertIn(word, err)
        fault("router_0 router_9 port_0\n", "routes.txt:1", "no router is called 'router_9'")
        fault("router_0 router_1 port_7\n", "no link leaves router_0 by 'port_7'", "port_0, port_1")
        fault("router_0 router_1 port_0.99\n", "classes are numbers 0 to 63")
        fault("router_0 router_1\n", "ends too early")
        fault("router_0 router_0 port_0\n", "consumed there")
        fault("router_0 * port_0\nrouter_0 * port_1\n", "routes.txt:2", "has a line already")
        fault("router_0 * port_0\n", "no line says how a worm at router_1 goes on to")
        (self.folder / "routes.txt").unlink()
        _, err = self.noctule("check", "table.yaml", code=2)
        self.assertIn("cannot read", err)


if __name__ == "__main__":
    unittest.main()
