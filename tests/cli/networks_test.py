#!/usr/bin/python3
"""Networks off the cube: graph files, tables of routes, trees; and what is wrong with them."""
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

    def test_memory_controllers_beside_other_terminals(self):
        config = """\
topology: {kind: mesh, radix: [3, 2], more_terminals: [{routers: ['router_0_*', router_2_1]}, {routers: router_1_0, count: 2}]}
node: {model: input_queued, lanes: 2}
traffic: {pattern: {kind: hotspot, nodes: [6, 8, 10], fraction: 1}, offered_load: 0.1, packet_length: 2}
measurement: {warm_up: 100, cycles: 3000}
"""
        self.write("edge.yaml", config)
        (point,) = self.json_of("run", "edge.yaml", "--events", "events.csv", "--out", "edge")["points"]
        self.assertEqual(point["terminals"]["all"], 11)
        with open(self.folder / "edge/terminals.csv", encoding="utf-8", newline="") as file:
            taken = {row["terminal"]: int(row["delivered_flits"]) for row in csv.DictReader(file)}
        self.assertGreater(min(taken[hot] for hot in ("6", "8", "10")), max(taken[cold] for cold in "01234579"))
        with open(self.folder / "events.csv", encoding="utf-8", newline="") as file:
            at = {int(row["destination"]): row["router"] for row in csv.DictReader(file) if row["event"] == "consume"}
        self.assertEqual([at[terminal] for terminal in range(11)],
                         ["router_0_0", "router_1_0", "router_2_0", "router_0_1", "router_1_1", "router_2_1",
                          "router_0_0", "router_0_1", "router_2_1", "router_1_0", "router_1_0"])
        # By name: the second terminal at that router, and the third.
        self.write("p.csv", "cycle,source,destination,flits\n0,router_0_0.terminal_1,router_1_0.terminal_2,1\n"
                            "9,router_1_1,router_2_1.terminal_1,1\n")
        self.noctule("run", "edge.yaml", "--set", "traffic={source: {kind: trace_file, file: p.csv}}", "--events", "named.csv",
                     "--set", "measurement={limit: 100}", "--out", "named")
        with open(self.folder / "named.csv", encoding="utf-8", newline="") as file:
            ends = {(row["source"], row["destination"]) for row in csv.DictReader(file) if row["event"] == "consume"}
        self.assertEqual(ends, {("6", "10"), ("4", "8")})
        self.noctule("verify", "edge.yaml")
        for change, says in (("[{routers: [router_9_9]}]", ["topology.more_terminals[0].routers", "no router is called 'router_9_9'",
                                                            "router_0_0 to router_2_1"]),
                             ("[{count: 2}]", ["topology.more_terminals[0].routers", "is missing; give text, or a list of texts"]),
                             ("[{routers: []}]", ["topology.more_terminals[0].routers", "0 elements are given"]),
                             ("[{routers: router_0_0, count: 0}]", ["topology.more_terminals[0].count", "out of range"])):
            with self.subTest(change):
                self.refused("check", "edge.yaml", "--set", f"topology.more_terminals={change}", says=says)
        self.refused("check", "edge.yaml", "--set", "topology.terminals_at=[router_0_0, router_7_0]",
                     says=["topology.terminals_at", "no router is called 'router_7_0'"])

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


class Links(CommandLineTest):
    LONE = """\
topology: {kind: graph, file: net.txt}
routing: up_down
node: {input_depth: 8, output_depth: 2, consumption_depth: 2}
traffic: {source: {kind: trace_file, file: lone.txt}}
measurement: {limit: 1000}
"""

    def latencies(self, *options):
        """Of a lone packet of one flit each way between the routers at the ends, in cycles."""
        self.write("links.yaml", self.LONE)
        found = []
        for source, destination in ((0, 1), (1, 0)):
            self.write("lone.txt", f"3 {source} {destination} 1\n")
            self.noctule("run", "links.yaml", "--out", "run", *options)
            found.append(self.results("run")["points"][0]["latency_cycles"]["total"]["mean"])
        return found

    def test_graph_files_say_what_their_links_are_like(self):
        self.write("net.txt", "routers: [a, b]\nlinks: [[a, b]]\n")
        alike, back = self.latencies()
        self.assertEqual(alike, back)
        self.write("net.txt", "routers: [a, b]\nlinks: [{from: a, to: b, flit_delay: 7}, {from: b, to: a, "
                              "cycles_per_flit: 4}]\n")
        self.assertEqual(self.latencies(), [alike + 6, alike + 3])
        self.write("net.txt", "router 0 node 0 router 1 9\nrouter 1 node 1\n")
        self.assertEqual(self.latencies(), [alike + 8, alike + 8])
        self.write("net.txt", "# two routers\n#\nrouter 0 node 0 router 1 9\nrouter 1 node 1 router 0 2 # back\n")
        self.assertEqual(self.latencies(), [alike + 8, alike + 1])
        self.assertEqual(self.latencies("--set", "link.flit_delay=3"), [alike + 8, alike + 1])

    def test_the_section_links_has_the_last_word(self):
        self.write("net.txt", "router 0 node 0 router 1 9\nrouter 1 node 1\n")
        alike = self.latencies("--set", "links=[{set: {flit_delay: 1}}]")[0]
        self.LONE += "links:\n- {set: {flit_delay: 1}}\n- {links: [router_1.*], set: {flit_delay: 5}}\n" \
                     "- {links: [router_1.port_0], set: {cycles_per_flit: 3}}\n"
        self.assertEqual(self.latencies(), [alike, alike + 4 + 2])

    def test_a_serialiser_is_busy_and_is_what_is_full(self):
        self.write("dies.yaml", """\
topology: {kind: mesh, radix: [4, 2]}
node: {model: input_queued}
links: [{links: [router_1_*.x_plus, router_2_*.x_minus], set: {cycles_per_flit: 4}}]
traffic: {offered_load: 1.0, packet_length: 4}
measurement: {warm_up: 1000, cycles: 4000}
""")
        self.noctule("run", "dies.yaml", "--out", "run")
        with open(self.folder / "run" / "links.csv", encoding="utf-8") as table:
            busy = {row["from"] + "." + row["port"]: float(row["utilization"]) for row in csv.DictReader(table)}
        self.assertGreater(busy["router_1_0.x_plus"], 0.95)
        self.assertLess(busy["router_0_0.x_plus"], 0.8)
        point = self.results("run")["points"][0]
        self.assertGreater(point["link_utilization"]["max"], 0.95)
        _, err = self.noctule("check", "dies.yaml", "--set", "links=[{links: [nobody.*], set: {flit_delay: 2}}]", code=2)
        self.assertIn("no link is called 'nobody.*'", err)
        _, err = self.noctule("check", "dies.yaml", "--set", "links=[{set: {credit_delay: 0}}]", code=2)
        self.assertIn("fixed_slot", err)

    def test_links_have_lanes_wires_and_sharing_of_their_own(self):
        self.write("wide.yaml", """\
topology: {kind: mesh, radix: [4, 2]}
node: {model: input_queued, lanes: 2}
links:
- {links: [router_1_*.x_plus], set: {lanes: 6, parallel_links: 2}}
- {links: [router_2_0.x_minus], set: {lanes: 1}}
traffic: {offered_load: 0.1, packet_length: 4}
measurement: {warm_up: 500, cycles: 3000}
""")
        out, _ = self.noctule("check", "wide.yaml")
        self.assertIn("1 to 6 lanes", out)
        self.noctule("run", "wide.yaml", "--out", "run")
        with open(self.folder / "run" / "links.csv", encoding="utf-8") as table:
            rows = [row["from"] + "." + row["port"] for row in csv.DictReader(table)]
        self.assertEqual(rows.count("router_1_0.x_plus"), 2)
        self.assertEqual(rows.count("router_1_0.x_minus"), 1)
        (fabric,) = self.json_of("verify", "wide.yaml")
        self.assertEqual(fabric["verdict"], "proved")
        for entry, word in (("{parallel_links: 3}", "lanes of these links"), ("{sharing: fixed_slot}", "sharing: demand"),
                            ("{lanes: 0}", "out of range"), ("{sharing: often}", "often")):
            _, err = self.noctule("check", "wide.yaml", "--set", f"links=[{{set: {entry}}}]", code=2)
            self.assertIn(word, err)

    def test_multicasts_need_links_that_are_shared_on_demand(self):
        self.write("copies.yaml", """\
topology: {kind: mesh, radix: [4, 4]}
node: {output_depth: 0, input_depth: 2, consumption_channels: 4}
traffic: {multicast: {fraction: 0.3, most: 4}, offered_load: 0.02, packet_length: 5}
measurement: {warm_up: 500, cycles: 3000}
""")
        for planner in ("dual_path", "individual"):
            options = ("--set", f"multicast={planner}", "--set", "links=[{links: [router_1_*.x_plus], set: {sharing: %s}}]")
            self.noctule("check", "copies.yaml", *options[:3], options[3] % "demand")
            _, err = self.noctule("check", "copies.yaml", *options[:3], options[3] % "fixed_slot", code=2)
            self.assertIn("link router_1_0.x_plus: multicasts need links that are shared on demand", err)

    def test_immediate_credits_may_not_go_round_in_a_circle(self):
        self.write("tree.yaml", """\
topology: {kind: butterfly_fat_tree, levels: 3}
routing: nearest_common_ancestor
node: {input_depth: 1, output_depth: 0, traversal_delay: 0}
links: [{links: ["*.parent_*"], set: {credit_delay: 0}}]
traffic: {offered_load: 0.1, packet_length: 4}
measurement: {warm_up: 500, cycles: 3000}
""")
        self.noctule("run", "tree.yaml", "--out", "run")
        fast = self.results("run")["points"][0]
        self.noctule("run", "tree.yaml", "--out", "slow", "--set", "links=[]")
        slow = self.results("slow")["points"][0]
        self.assertLess(fast["latency_cycles"]["total"]["mean"], slow["latency_cycles"]["total"]["mean"])
        _, err = self.noctule("check", "tree.yaml", "--set", "link.credit_delay=0", code=2)
        self.assertIn("switch_1_0, switch_2_", err)

    def test_a_network_without_links_has_none_to_name(self):
        self.write("net.txt", "routers: [a]\nterminals: [{router: a, count: 2}]\nlinks: []\n")
        self.write("links.yaml", "topology: {kind: graph, file: net.txt}\nrouting: up_down\n")
        self.noctule("check", "links.yaml")
        _, err = self.noctule("check", "links.yaml", "--set", "links=[{links: [a.*], set: {flit_delay: 2}}]", code=2)
        self.assertIn("no link is called 'a.*'; there are none", err)


class Nodes(CommandLineTest):
    CONFIG = """\
topology: {kind: mesh, radix: [4, 4]}
node: {model: input_queued, lanes: 2, input_depth: 4}
traffic: {offered_load: 0.1, packet_length: 4}
measurement: {warm_up: 500, cycles: 3000}
nodes:
- {routers: [router_1_*], set: {lanes: 4, input_depth: 16}}
- {routers: [router_1_1, router_2_*], set: {input_depth: 8}}
- {routers: [router_3_3], set: {model: generic, output_depth: 2}}
"""

    def test_routers_differ_key_by_key(self):
        self.write("nodes.yaml", self.CONFIG)
        out, _ = self.noctule("check", "nodes.yaml")
        self.assertIn("input buffers have 1 to 16 places", out)
        self.assertIn("1 to 4 lanes", out)
        self.noctule("run", "nodes.yaml", "--out", "run", "--set", "trace.vcd=true", "--set", "trace.cycles=200")
        result = self.results("run")
        self.assertEqual(result["points"][0]["status"], "stable")
        with open(self.folder / "run" / "links.csv", encoding="utf-8") as table:
            self.assertEqual(len(list(csv.DictReader(table))), 48)
        self.noctule("run", "run/config.json", "--out", "again")
        self.assertEqual(self.results("again")["points"][0]["digest"], result["points"][0]["digest"])
        (fabric,) = self.json_of("verify", "nodes.yaml")
        self.assertEqual(fabric["verdict"], "proved")

    def test_what_links_need_is_asked_of_the_routers_as_they_are(self):
        self.write("slots.yaml", "topology: {kind: mesh, radix: [3, 3]}\nlink: {credit_delay: 0}\n")
        _, err = self.noctule("check", "slots.yaml", code=2)
        self.assertIn("fixed_slot", err)
        self.noctule("check", "slots.yaml", "--set", "nodes=[{set: {model: fixed_slot}}]")

    def test_what_is_wrong_is_said_with_its_entry(self):
        def fault(entry, *words):
            self.write("nodes.yaml", self.CONFIG + entry)
            _, err = self.noctule("check", "nodes.yaml", code=2)
            for word in words:
                self.assertIn(word, err)
        fault("- {routers: [nobody], set: {lanes: 1}}\n", "no router is called 'nobody'")
        fault("- {routers: [router_0_0], set: {input_dept: 1}}\n", "nodes.yaml:9", "did you mean 'input_depth'?")
        fault("- {routers: [router_0_0], set: {input_depth: 0}}\n", "nodes.yaml:9", "out of range")
        fault("- {routers: [router_0_0], set: {model: systolic}}\n", "nodes.yaml:9", "systolic")
        fault("- {routers: [router_0_0], set: {speculative: true, vc_allocation_delay: 0}}\n", "nodes[3].set")
        fault("- {routers: [router_0_0]}\n", "nodes[3]", "rtl: {}")
        fault("- {routers: [router_0_0], set: {consumption_channels: 3}}\nmulticast: {planner: individual}\n",
              "router_0_0 has a node.consumption_channels", "it is the same at all routers")

    def test_multicasts_pass_routers_that_differ(self):
        self.write("path.yaml", """\
topology: {kind: mesh, radix: [4, 4]}
multicast: {planner: column_path}
node: {output_depth: 0, consumption_channels: 2, lanes: 2, input_depth: 4}
nodes: [{routers: [router_1_*], set: {lanes: 1, input_depth: 9, routing_delay: 2}}]
links: [{links: ["router_2_*"], set: {flit_delay: 3, cycles_per_flit: 2}}]
traffic: {offered_load: 0.01, packet_length: 8, multicast: {fraction: 0.5, least: 2, most: 9}}
measurement: {warm_up: 500, cycles: 3000}
""")
        self.noctule("verify", "path.yaml")
        self.noctule("run", "path.yaml", "--out", "run")
        self.assertEqual(self.results("run")["points"][0]["status"], "stable")


class Pictures(CommandLineTest):
    def picture(self, name, topology, *more):
        self.write(f"{name}.yaml", f"topology: {topology}\nrouting: up_down\ntraffic: {{offered_load: 0.05}}\n"
                                   "measurement: {warm_up: 100, cycles: 500}\nplots: [link_heat_map]\n" + "".join(more))
        out, _ = self.noctule("check", f"{name}.yaml", "--draw", "--out", name)
        self.assertIn("network.svg", out)
        return xml.parse(self.folder / name / "network.svg").getroot()

    def test_any_network_is_drawn_with_all_of_its_routers(self):
        self.write("net.txt", "routers: [hub, left, right]\nlinks: [[hub, left], {between: [hub, right], flit_delay: 9}]\n")
        for name, topology, routers in (("mesh", "{kind: mesh, radix: [9, 4]}", 36),
                                        ("cube", "{kind: mesh, radix: [3, 3, 2]}", 18),
                                        ("tree", "{kind: butterfly_fat_tree, levels: 3}", 28),
                                        ("graph", "{kind: graph, file: net.txt}", 3)):
            root = self.picture(name, topology)
            rects = root.findall(".//{*}rect[@rx]")
            self.assertEqual(len(rects), routers, name)
            centres = [(float(r.get("x")), float(r.get("y"))) for r in rects]
            side = float(rects[0].get("width"))
            for i, (x, y) in enumerate(centres):
                for u, v in centres[:i]:
                    self.assertTrue(abs(x - u) > side or abs(y - v) > side, f"{name}: two routers on each other")
        texts = [text.text for text in root.findall(".//{*}text")]
        self.assertIn("hub", texts)
        self.assertTrue(any("2 links that differ" in text for text in texts), texts)

    def test_links_of_a_tree_are_mapped_where_its_routers_are(self):
        self.picture("tree", "{kind: butterfly_fat_tree, levels: 2}")
        self.noctule("run", "tree.yaml", "--out", "run")
        with open(self.folder / "run" / "links.csv", encoding="utf-8") as table:
            rows = list(csv.DictReader(table))
        self.assertEqual({row["from_y"] for row in rows}, {"0", "1"})
        self.assertTrue((self.folder / "run" / "plots").is_dir())
        self.assertTrue(list((self.folder / "run" / "plots").glob("links-*")))

    def test_links_in_a_grid_are_mapped_as_one_whatever_the_names(self):
        """What is left of a mesh, a cube in planes, and a graph whose file places its routers in a row and a column."""
        self.write("ell.txt", """\
routers: [{name: hub, position: [0, 0]}, {name: right, position: [1, 0]}, {name: above, position: [0, 1]}]
links: [[hub, right], [hub, above]]
""")
        for name, topology, more, words in (
                ("rest", "{kind: mesh, radix: [4, 3]}", "without: {links: [router_0_0.x_plus, router_1_0.x_minus]}\n",
                 ["each side of a square"]),
                ("planes", "{kind: mesh, radix: [3, 3, 2]}",
                 "without: {links: [router_0_0_0.x_plus, router_1_0_0.x_minus]}\n",
                 ["each side of a square", "z = 0", "z = 1", "z_plus, z_minus"]),
                ("ell", "{kind: graph, file: ell.txt}", "", ["each side of a square"])):
            root = self.picture(name, topology, more)
            captions = {text.text for text in root.findall(".//{*}text")}
            self.assertEqual({"z = 0", "z = 1"} & captions, {"z = 0", "z = 1"} & set(words))
            self.noctule("run", f"{name}.yaml", "--out", name)
            (file,) = (self.folder / name / "plots").glob("links-*.svg")
            drawn = file.read_text(encoding="utf-8")
            for word in words:
                self.assertIn(word, drawn, name)

    def test_a_network_too_large_for_a_picture_is_named(self):
        self.write("large.yaml", "topology: {kind: mesh, radix: [40, 40]}\n")
        _, err = self.noctule("check", "large.yaml", "--draw", code=2)
        self.assertIn("1024", err)


class Missing(CommandLineTest):
    def test_links_and_routers_are_taken_away(self):
        self.write("rest.yaml", """\
topology: {kind: torus, radix: [5, 5]}
without: {links: [router_0_0.x_plus, router_1_0.x_minus], routers: [router_3_3], random_links: {count: 5, seed: 7}}
routing: up_down
traffic: {packet_length: 3, offered_load: 0.02}
measurement: {warm_up: 200, cycles: 2000}
""")
        (fabric,) = self.json_of("verify", "rest.yaml")
        self.assertEqual((fabric["verdict"], fabric["routers"]), ("proved", 24))
        self.noctule("run", "rest.yaml", "--out", "run")
        self.assertEqual(self.results("run")["points"][0]["status"], "stable")
        self.noctule("run", "run/config.json", "--out", "again")
        self.assertEqual(self.results("run")["points"][0]["digest"], self.results("again")["points"][0]["digest"])

    def test_detours_replace_what_a_turn_model_lost(self):
        """West-first on a mesh without a link: some worms have no shortest path left that it allows."""
        self.write("rest.yaml", """\
topology: {kind: mesh, radix: [8, 8]}
without: {links: [router_3_3.y_plus, router_3_4.y_minus]}
routing: {algorithm: turn_table, forbid: [y_* -> x_minus], detour: 2}
traffic: {packet_length: 3, offered_load: 0.02}
measurement: {warm_up: 200, cycles: 2000}
""")
        (fabric,) = self.json_of("verify", "rest.yaml")
        self.assertEqual((fabric["verdict"], fabric["method"], fabric["minimal"]), ("proved", "acyclic", False))
        self.noctule("run", "rest.yaml", "--out", "run")
        self.assertEqual(self.results("run")["points"][0]["status"], "stable")
        _, err = self.noctule("check", "rest.yaml", "--set", "routing.detour=0", code=2)
        self.assertIn("have no shortest path without a forbidden turn", err)
        _, err = self.noctule("check", "rest.yaml", "--set", "routing.detour=1", code=2)
        self.assertIn("have no path of at most distance + 1 hops without a forbidden turn", err)
        for wrong in ("-1", "256", "1.5"):
            _, err = self.noctule("check", "rest.yaml", "--set", f"routing.detour={wrong}", code=2)
            self.assertIn("routing.detour", err)

    def test_a_deadlock_on_what_is_left_is_replayed(self):
        self.write("rest.yaml", """\
topology: {kind: torus, radix: [4, 4]}
without: {routers: [router_1_1]}
routing: turn_table
traffic: {packet_length: 3, offered_load: 0.02}
measurement: {warm_up: 200, cycles: 2000}
""")
        (fabric,) = self.json_of("verify", "rest.yaml", code=1)
        self.assertEqual(fabric["verdict"], "deadlock_possible")
        self.noctule("run", fabric["files"]["configuration"], "--out", "again")
        self.assertEqual(self.results("again")["points"][0]["status"], "deadlocked")

    def test_what_cannot_be_served_any_more_is_said(self):
        def fault(setting, *words):
            _, err = self.noctule("check", "small.yaml", *[w for s in setting for w in ("--set", s)], code=2)
            for word in words:
                self.assertIn(word, err)
        fault(["without.links=[router_0_0.*]"], "without", "terminal 0 at router_0_0")
        fault(["without.links=[router_9_9.*]"], "without.links", "router_9_9")
        fault(["without.links=[router_0_0.x_plus]"], "needs a k-ary n-cube")
        fault(["without.random_links.count=5", "routing.algorithm=up_down"], "without.random_links.count", "4 links")


class Datelines(CommandLineTest):
    def test_balanced_classes_carry_more(self):
        """Worms that do not cross the wrap use both classes: 4 VCs of 8 flits on an 8x8 torus."""
        self.write("torus.yaml", """\
topology: {kind: torus, radix: [8, 8]}
node: {model: input_queued, lanes: 2}
routing: {algorithm: dimension_order, vc_rule: dateline_balanced}
traffic: {packet_length: 4, offered_load: 0.7}
measurement: {warm_up: 2000, cycles: 6000}
""")
        accepted = {}
        for rule in ("dateline", "dateline_balanced"):
            self.noctule("run", "torus.yaml", "--set", f"routing.vc_rule={rule}", "--out", rule)
            accepted[rule] = self.results(rule)["points"][0]["accepted"]["flits_per_node_cycle"]["mean"]
        self.assertGreater(accepted["dateline_balanced"], 0.57)
        self.assertLess(accepted["dateline"], 0.52)
        (fabric,) = self.json_of("verify", "torus.yaml")
        self.assertEqual(fabric["verdict"], "proved")


class Trees(CommandLineTest):
    def test_relations_say_what_they_need(self):
        for routing, needs in (("nearest_common_ancestor", "needs a tree"), ("destination_tag", "needs a butterfly"),
                               ("oblivious", "needs a torus")):
            _, err = self.noctule("check", "small.yaml", "--set", f"routing.algorithm={routing}", code=2)
            self.assertIn(needs, err)
            self.assertIn("topology.kind", err)
        self.write("tree.yaml", "topology: butterfly_fat_tree\nrouting: dimension_order\n")
        _, err = self.noctule("check", "tree.yaml", code=2)
        self.assertIn("needs a k-ary n-cube", err)

    def test_a_fat_tree_is_proved(self):
        self.write("tree.yaml", "topology: {kind: butterfly_fat_tree, levels: 2}\nrouting: nearest_common_ancestor\n"
                   "traffic: {offered_load: 0.05}\nmeasurement: {warm_up: 100, cycles: 1000}\n")
        (fabric,) = self.json_of("verify", "tree.yaml")
        self.assertEqual(fabric["verdict"], "proved")


if __name__ == "__main__":
    unittest.main()
