#!/usr/bin/python3
"""noctule explain: formulas, and the simulations that hold them; and the warning of loads above a ceiling.

A few of the fabrics; cli.explain.all has more. EXPLAIN_SEEDS=from:to tries others.
"""
import csv
import json
import os
import pathlib
import re
import unittest

from cli_support import SMALL, CommandLineTest
from cost_test import COLUMNS, PAIR, ROWS
from random_fabrics import random_fabric

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LINES = ["zero_load", "hop", "credit_loop", "tail_lag", "ceiling", "bisection", "packet_length_wormhole",
         "packet_length_stored", "queues"]
KINDS = {"exact", "bound", "estimate", "model", "advice", "refused"}
# Speculation that fails: a lone header may ask the switch for another port than that of the VC that it gets.
GUESSES = """\
topology: {kind: torus, radix: [4, 4]}
routing: negative_hop
node: {model: input_queued, speculative: true}
traffic: {packet_length: 3, offered_load: 0.05}
"""


def seeds():
    first, last = map(int, os.environ.get("EXPLAIN_SEEDS", "0:30").split(":"))
    return range(first, last)


def changed(sets, change):
    """With one key of them otherwise, which may be given once."""
    return *(one for one in sets if one.partition("=")[0] != change.partition("=")[0]), change


class Formulas(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("small.yaml", SMALL)

    def fabric(self, *arguments, code=0):
        (fabric,) = self.json_of("explain", *arguments, code=code)["fabrics"]
        return fabric

    def test_every_line_has_its_formula_and_where_it_holds(self):
        fabric = self.fabric("small.yaml")
        for key in LINES:
            with self.subTest(key):
                self.assertIn(fabric[key]["kind"], KINDS)
                for part in ("formula", "holds", "proof"):
                    self.assertTrue(fabric[key][part])
        self.assertEqual((fabric["routers"], fabric["terminals"]), (9, 9))
        out, err = self.noctule("explain", "small.yaml")
        self.assertEqual(err, "")
        for title in ("Latency of a lone packet (exact)", "A hop, taken apart", "Credit round trip", "Tail behind its header",
                      "Highest load (bound)", "Bisection", "Packet length, wormhole", "Queues (model)"):
            self.assertIn(title, out)

    def test_a_lone_transaction_takes_what_is_said(self):
        self.write("loop.yaml", """\
topology: {kind: mesh, radix: [4, 3]}
node: {model: input_queued, lanes: 2, input_depth: 4}
message_classes: {request: {vcs: {lane: 0}}, response: {vcs: {lane: 1}}}
depends: {request: [response]}
traffic:
  pattern: {kind: hotspot, nodes: [11], fraction: 1}
  source: {kind: request_reply, requesting: [0], lengths: [1, 5], service_time: 7, think_time: 30, outstanding: 1}
measurement: {warm_up: 500, cycles: 2000}
""")
        for setting in ("seed=1", "link.flit_delay=3", "node.routing_delay=2"):
            with self.subTest(setting):
                trip = self.fabric("loop.yaml", "--set", setting)["round_trip"]
                self.assertEqual((trip["kind"], trip["requesters"]), ("bound", 1))
                (point,) = self.json_of("run", "loop.yaml", "--set", setting)["points"]
                measured = point["transactions"]["round_trip_cycles"]
                self.assertAlmostEqual(trip["mean_cycles"], measured, delta=1e-9)
                self.assertIn(f"round trip of a lone transaction: {measured:.4g} cycles at least\n",
                              self.noctule("check", "loop.yaml", "--set", setting)[0])
        # Where routers or links differ, the fastest way counts.
        for setting, exact in (("nodes=[{routers: [router_2_*], set: {input_depth: 6}}]", True),
                               ("links=[{links: ['router_0_0.x_plus'], set: {flit_delay: 5}}]", False)):
            trip = self.fabric("loop.yaml", "--set", setting)["round_trip"]
            (point,) = self.json_of("run", "loop.yaml", "--set", setting)["points"]
            measured = point["transactions"]["round_trip_cycles"]
            self.assertAlmostEqual(trip["mean_cycles"], measured, delta=1e-9 if exact else 0.1 * measured)
            self.assertLessEqual(trip["mean_cycles"], measured + 1e-9)
        trip = self.fabric("loop.yaml", "--set", "traffic.source.requesting=[0,10,5]")["round_trip"]
        self.assertLess(trip["least_cycles"], trip["mean_cycles"])
        self.assertLess(trip["mean_cycles"], trip["most_cycles"])
        self.assertIn("(terminal 10) to ", self.noctule("explain", "loop.yaml", "--set", "traffic.source.requesting=[0,10,5]")[0])

    def test_latency_grows_by_a_hop_with_every_hop(self):
        fabric = self.fabric("small.yaml", "--set", "node.model=input_queued", "--set", "link={flit_delay: 3, credit_delay: 2}")
        (hop,) = fabric["hop"]["hops"]
        parts = ("routing", "vc_allocation", "switch_allocation", "traversal", "serialiser", "wire")
        self.assertEqual([hop[part] for part in parts], [1, 1, 1, 1, 0, 3])
        self.assertEqual(hop["all_cycles"], 7)
        rows = fabric["zero_load"]["by_distance"]
        self.assertEqual([row["hops"] for row in rows], [1, 2, 3, 4])
        self.assertEqual(sum(row["pairs"] for row in rows), 9 * 8)
        (lag,), (ends,) = fabric["tail_lag"]["lags"], fabric["hop"]["ends"]
        for row in rows:
            self.assertEqual(row["least_cycles"], row["most_cycles"])
            self.assertEqual(row["least_cycles"], ends["all_cycles"] + 7 * row["hops"] + lag["lag_cycles"])
        # Switch allocation, traversal, link and credit.
        (loop,) = fabric["credit_loop"]["loops"]
        self.assertEqual((loop["round_trip_cycles"], loop["places_for_full_rate"], loop["places"]), (7, 7, 8))

    def test_the_ceiling_is_that_of_verify(self):
        for change in ("topology.kind=torus", "traffic.pattern=tornado", "node.injection_channels=4", "routing=negative_hop"):
            with self.subTest(change):
                load = self.json_of("verify", "small.yaml", "--set", change)[0]["load"]
                ceiling = self.fabric("small.yaml", "--set", change)["ceiling"]
                self.assertEqual({key: ceiling[key] for key in load}, load)
                self.assertTrue(ceiling["raised_by"])
                self.assertIs(ceiling["offered_above"], False)

    def causes(self, *changes):
        return self.fabric("small.yaml", *(word for change in changes for word in ("--set", change)))["ceiling"]["causes"]

    def test_credits_are_told_apart_from_channel_load(self):
        shallow = ("topology.radix=[4, 4]", "node.model=input_queued", "node.lanes=1", "node.input_depth=2")
        # Four cycles until a place is free again: two places let half a flit per cycle through.
        first = self.causes(*shallow)[0]
        self.assertEqual(first["cause"], "credits")
        self.assertIn("1 virtual channel of 2 places and 4 cycles", first["figure"])
        self.assertIn("let 0.5 flits per cycle through; the wires would carry 1 flit per cycle", first["figure"])
        self.assertTrue(first["change"].startswith("node.input_depth of 4 or more, more VCs (node.lanes)"), first["change"])
        for change, cause in (("node.input_depth=3", "credits"), ("node.input_depth=4", "channel load"), ("node.lanes=2", "channel load"),
                              ("link={flit_delay: 3, credit_delay: 3}", "credits")):
            with self.subTest(change):
                self.assertEqual(self.causes(*changed(shallow, change))[0]["cause"], cause)
        # With enough places the wires are what is left, at the load that is named: twice that of the credits.
        deep = {cause["cause"]: cause for cause in self.causes(*changed(shallow, "node.input_depth=4"))}
        self.assertAlmostEqual(deep["channel load"]["flits_per_node_cycle"], 2 * first["flits_per_node_cycle"])
        self.assertIn(f"and be full at {deep['channel load']['flits_per_node_cycle']:.4g}", first["figure"])

    def test_every_limit_has_a_cause_of_the_table(self):
        with open(ROOT / "configs/explain.md", encoding="utf-8") as page:
            table = page.read().split("| cause |")[1].split("\n\n")[0]
        named = set(re.findall(r"^\| ([a-z ]+) \|", table, re.M)) - {"waiting worms", "allocators", "new connections"}
        loop = "traffic={source: {kind: request_reply, outstanding: %d, lengths: [1, 5]%s}}"
        queued = "node={model: input_queued, lanes: 2, input_depth: 8}"
        seen = set()
        for cause, *changes in (
                ("channel load", queued, "topology.radix=[8, 8]"), ("credits", "node={model: input_queued, lanes: 1, input_depth: 1}"),
                ("slow links", queued, "link.cycles_per_flit=3"), ("output buffers", "node={model: generic, output_depth: 1, lanes: 1, input_depth: 8}"),
                ("shared slots", "node={model: generic, link_sharing: fixed_slot, output_depth: 8, input_depth: 16}", "topology={kind: torus, radix: [5, 5]}"), ("all links together", queued),
                ("injection", queued), ("injection buffers", "node={model: generic, input_depth: 1, injection_vcs: 1}"),
                ("consumption", queued), ("stalls", queued, "traffic.stall=0.5"),
                ("consumption buffers", "node={model: generic, consumption_depth: 1}"),
                ("sink", "traffic.sink={kind: server, buffer: 8, service_time: 4}"),
                ("open transactions", queued, loop % (1, "")), ("servers", queued, loop % (50, ", servers: 1, service_time: 60")),
                ("request buffer", queued, "message_classes={request: {buffer: 1}, response: {}}", "depends={request: [response]}", loop % (50, ", service_time: 90, chain: [request, response]"))):
            with self.subTest(cause):
                all_causes = self.causes(*changes)
                for one in all_causes:
                    self.assertIn(one["cause"], named)
                    self.assertTrue(one["figure"] and one["change"], one)
                self.assertIn(cause, [one["cause"] for one in all_causes])
                seen.add(cause)
        self.assertEqual(seen, named)

    def test_what_no_limit_explains_depends_on_the_router(self):
        def rest(*changes):
            text = self.noctule("explain", "small.yaml", *(word for change in changes for word in ("--set", change)))[0]
            return text[text.index("ends well below"):]
        queued = "node={model: input_queued, lanes: 2, input_depth: 8}"
        self.assertIn("waiting worms", rest(queued, "traffic.packet_length=5"))
        self.assertIn("or allocators", rest(queued))
        self.assertNotIn("or allocators", rest("node.model=generic"), "a crossbar port for every VC")
        self.assertNotIn("or allocators", rest(queued, "node.switch_allocator=maximum"))
        self.assertIn("headers that wait", rest(queued, "traffic.packet_length=1"))

    def test_fabrics_that_differ_in_the_load_alone_are_explained_once(self):
        document = self.json_of("explain", "small.yaml", "--axis", "traffic.offered_load=0.1,0.2", "--axis", "node.lanes=1,2")
        self.assertEqual([fabric["set"]["node.lanes"] for fabric in document["fabrics"]], [1, 2])

    def test_advice_on_packets_follows_the_paper(self):
        # Symons and Narasimhan 1997: 1000 flits of 8 bytes, 39 of overhead, over the 3 links of a chain of 4 nodes.
        self.write("chain.yaml", "topology: {kind: mesh, radix: [4]}\n"
                   "traffic: {pattern: {kind: hotspot, fraction: 1.0, nodes: [3]}, packet_length: 5, offered_load: 0.01}\n")
        stored = self.fabric("chain.yaml", "--message", "1000", "--overhead", "39")["packet_length_stored"]
        self.assertEqual((stored["payload_flits"], stored["overhead_flits"]), (1000, 39))
        self.assertEqual(stored["whole_message_cycles"], stored["links"] * 1039)
        links = stored["links"]
        everything = [(1000 + n * 39 + (links - 1) * (-(-1000 // n) + 39), n) for n in range(1, 60)]
        self.assertEqual((stored["two_places"]["cycles"], stored["two_places"]["packets"]), min(everything))
        self.assertGreater(stored["one_place"]["cycles"], stored["two_places"]["cycles"])
        self.assertAlmostEqual(stored["estimates"]["equation_6_payload_flits"], (1000 * 39 / (links - 1)) ** 0.5)

    def test_several_lengths_and_serial_links(self):
        fabric = self.fabric("small.yaml", "--set", "traffic.packet_lengths=[{length: 1, weight: 3}, {length: 9, weight: 1}]",
                             "--set", "link.cycles_per_flit=2")
        lengths = fabric["mixed_lengths"]["lengths"]
        self.assertEqual([(one["flits"], one["share"]) for one in lengths], [(1, 0.75), (9, 0.25)])
        mean = sum(one["share"] * one["alone_cycles"] for one in lengths)
        self.assertAlmostEqual(fabric["mixed_lengths"]["mean_cycles"], mean)
        self.assertEqual(fabric["flit_size"]["cycles_per_flit"], 2)

    def test_lengths_are_those_of_the_source(self):
        self.write("f.txt", "0 3 0.1 length=8\n1 2 0.3 length=3\n")
        self.write("t.csv", "cycle,source,destination,flits\n" + "".join(
            f"{40 * n},{n % 4},{(n + 1) % 4},{1 + n % 20}\n" for n in range(41)))
        self.write("w.txt", "0 1 9\n1 2 4\n2 0 20\n")
        file = ["--set", "topology.radix=[2, 2]", "--set"]
        for source, expected in (("{kind: flows, file: f.txt}", [3, 8]),
                                 ("{kind: trace_file, file: t.csv}", [1, *range(2, 17)]),
                                 ("{kind: workload, file: w.txt, packet_flits: 8}", [8, 4, 1]),
                                 ("{kind: request_reply, lengths: [2, 6]}", [2, 6])):
            with self.subTest(source):
                lags = self.fabric("small.yaml", *file, f"traffic.source={source}")["tail_lag"]["lags"]
                self.assertEqual([lag["flits"] for lag in lags], expected)
        out, _ = self.noctule("explain", "small.yaml", *file, "traffic.source={kind: trace_file, file: t.csv}")
        self.assertIn("of the 16 most frequent lengths; 4 are rarer", out)

    def test_halves_of_an_odd_radix_differ(self):
        for radix, kind in (("[3, 3]", "estimate"), ("[4, 4]", "bound"), ("[4, 3]", "estimate")):
            self.assertEqual(self.fabric("small.yaml", "--set", f"topology.radix={radix}")["bisection"]["kind"], kind)

    def test_parallel_links_widen_the_bisection(self):
        wide = ["--set", "topology={radix: [4, 4]}", "--set", "node={lanes: 2, parallel_links: 2, output_depth: 2}"]
        one = self.fabric("small.yaml", "--set", "topology.radix=[4, 4]")["bisection"]["uniform_flits_per_node_cycle"]
        self.assertAlmostEqual(self.fabric("small.yaml", *wide)["bisection"]["uniform_flits_per_node_cycle"], 2 * one)
        slow = self.fabric("small.yaml", *wide, "--set", "link.cycles_per_flit=4")["bisection"]["uniform_flits_per_node_cycle"]
        self.assertAlmostEqual(slow, one / 2)

    def test_the_other_packets_of_a_message_take_their_time_on_slow_links(self):
        # 3 links of 3 cycles per flit: of 97 flits the first takes 24, each other one 3.
        slow = ["small.yaml", "--set", "topology.radix=[4, 4]", "--set", "node={model: input_queued}", "--set",
                "link.cycles_per_flit=3", "--message", "96"]
        one, two, *_ = self.fabric(*slow)["packet_length_wormhole"]["packets"]
        self.assertGreater(two["least_cycles"], one["least_cycles"])
        self.assertEqual(two["least_cycles"] - one["least_cycles"], 3)

    def test_few_new_connections_are_a_cause(self):
        few = ["--set", "node={output_depth: 2, connections_per_cycle: 1}"]
        self.assertIn("crossbars, which make few new connections", self.noctule("explain", "small.yaml", *few)[0])
        self.assertNotIn("new connections", self.noctule("explain", "small.yaml", "--set", "node.output_depth=2")[0])

    def test_source_queues_wait_as_a_run_of_them_does(self):
        self.write("ring.yaml", """\
topology: {kind: torus, radix: [8]}
node: {model: input_queued}
traffic: {pattern: neighbor, offered_load: 0.6, packet_length: 5}
measurement: {warm_up: 2000, cycles: 100000}
""")
        for settings in ([], ["traffic.packet_length=1"], ["traffic.packet_length=2"],
                         ["traffic.packet_lengths=[{length: 1},{length: 20}]", "traffic.offered_load=0.5"]):
            changes = [word for setting in settings for word in ("--set", setting)]
            wait = self.fabric("ring.yaml", *changes)["queues"]["source_queue"]["wait_cycles"]
            (point,) = self.json_of("run", "ring.yaml", *changes)["points"]
            measured = point["latency_cycles"]["parts"]["source_queue"]
            self.assertAlmostEqual(wait, measured, delta=0.06 * wait + 0.01)
        for source in ("periodic", "{kind: on_off, on_share: 0.7, on_cycles: 100}"):
            queues = self.fabric("ring.yaml", "--set", f"traffic.source={source}")["queues"]
            self.assertNotIn("source_queue", queues)

    def test_nanoseconds_where_the_table_has_the_router(self):
        self.write("pair.yaml", PAIR)
        with (self.folder / "mine.csv").open("w", newline="", encoding="utf-8") as stream:
            table = csv.DictWriter(stream, COLUMNS, restval="")
            table.writeheader()
            for row in ROWS:
                table.writerow({"kind": "node", "name": "hand_made", "model": "generic", "tuning": "mine", "tied": "last_x_i=4",
                                "parameters": "A=1", "library": "mylib", "corner": "typical", "flops": 7, "gates": 50,
                                "depth": 9, "reg_reg_ns": row["cycle_ns"], "tools": "pencil 1", "source": "0", **row})
        one, _ = self.json_of("explain", "pair.yaml")["fabrics"]
        self.assertEqual(one["clock_ns"], {"low": 2, "high": 4})
        row = one["zero_load"]["by_distance"][0]
        self.assertEqual(row["least_ns"], {"low": 2 * row["least_cycles"], "high": 4 * row["least_cycles"]})
        self.assertIn("clock_obstacle", self.fabric("small.yaml"))

    def test_multicasts_are_refused_by_name(self):
        fabric = self.fabric("small.yaml", "--set", "node={model: generic, output_depth: 0, consumption_channels: 2}", "--set",
                             "multicast.planner=column_path", "--set", "traffic.multicast={fraction: 0.5, least: 2, most: 3}")
        self.assertEqual(fabric["multicasts"]["kind"], "refused")
        self.assertIn("column_path", fabric["multicasts"]["planner"])

    def test_what_is_wrong_is_said(self):
        self.refused("explain", "none.yaml", says=["none.yaml"])
        self.refused("explain", "small.yaml", "--message", "0", says=["--message"])
        self.refused("explain", "small.yaml", "--overhead", "x", says=["--overhead"])
        self.refused("explain", "small.yaml", "--draw", says=["explain", "--draw"])
        self.refused("run", "small.yaml", "--prove", says=["--prove"])

    def test_a_folder_is_written_where_one_is_named(self):
        self.noctule("explain", "small.yaml", "--quiet")
        self.assertFalse((self.folder / "out").exists())
        document = self.json_of("explain", "small.yaml", "--out", "r")
        self.assertEqual(json.loads((self.folder / "r/explain.json").read_text(encoding="utf-8")), document)


class Proofs(CommandLineTest):
    def test_random_fabrics_are_as_the_formulas_say(self):
        worms, before, fabrics, above, wrong = 0, 0, 0, {}, []
        for seed in seeds():
            self.write("fabric.yaml", json.dumps(random_fabric(seed, self.write)))
            process = self.start("explain", "fabric.yaml", "--prove", "--json")
            out, err = process.communicate(timeout=600)
            self.assertIn(process.returncode, (0, 1, 2), err)
            if process.returncode == 2:  # not every draw is a fabric
                continue
            (fabric,) = json.loads(out)["fabrics"]
            proof = fabric["proof"]
            fabrics += 1
            worms += proof["lone_worms"]["worms"]
            before += proof["lone_worms"]["told_before_the_run"]
            status = proof["above_bound"].get("status", "skipped")
            above[status] = above.get(status, 0) + 1
            if proof["lone_worms"]["differences"] or not proof["holds"]:
                wrong.append((seed, proof))
        print(f"{fabrics} fabrics, {worms} lone worms, {before} of them told before the run; above the bounds: {above}")
        self.assertEqual(wrong, [])
        self.assertGreater(worms, 333 * len(seeds()))
        self.assertGreater(before, worms // 2)
        self.assertNotIn("stable", above)

    def test_the_node_models_over_every_pair(self):
        for model in ("star_channels", "four_classes", "linder_harden", "oblivious", "fixed_slot", "input_queued"):
            with self.subTest(model):
                self.write("model.yaml", f"topology: {{kind: torus, radix: [5, 4]}}\nnode: {model}\n"
                           "traffic: {packet_length: 4, offered_load: 0.01}\n")
                (fabric,) = self.json_of("explain", "model.yaml", "--prove")["fabrics"]
                worms = fabric["proof"]["lone_worms"]
                self.assertEqual((worms["differences"], worms["every_pair"]), (0, True))
                self.assertGreaterEqual(worms["worms"], 20 * 19)
                self.assertEqual(worms["formula_cycles"], worms["simulated_cycles"])

    def test_other_networks_with_unequal_parts(self):
        networks = [
            ("{kind: butterfly_fat_tree, levels: 2}", "nearest_common_ancestor", []),
            ("{kind: butterfly, arity: 2, stages: 3}", "destination_tag", []),
            ("{kind: mesh, radix: [3, 3], terminals_per_router: 2}", "up_down",
             ["--set", "links=[{links: ['*.x_plus'], set: {flit_delay: 4}}]"]),
            ("{kind: ring, nodes: 6}", "up_down", ["--set", "nodes=[{routers: ['router_1'], set: {input_depth: 3}}]"]),
        ]
        for network, routing, more in networks:
            with self.subTest(network):
                self.write("network.yaml", f"topology: {network}\nrouting: {routing}\n"
                           "traffic: {packet_length: 6, offered_load: 0.01}\n")
                (fabric,) = self.json_of("explain", "network.yaml", "--prove", *more)["fabrics"]
                self.assertTrue(fabric["proof"]["holds"], fabric["proof"])

    def test_a_header_that_speculates_in_vain_is_late(self):
        self.write("guesses.yaml", GUESSES)
        one_way = ["--set", "routing=dimension_order"]
        for changes, late in (([], True), (one_way, False), ([*one_way, "--set", "node.parallel_links=2"], True),
                              ([*one_way, "--set", "node.consumption_channels=2"], True)):
            with self.subTest(changes):
                (fabric,) = self.json_of("explain", "guesses.yaml", "--prove", *changes)["fabrics"]
                self.assertTrue(fabric["proof"]["holds"], fabric["proof"])
                self.assertEqual(fabric["zero_load"]["kind"], "bound" if late else "exact")
                rows = fabric["zero_load"]["by_distance"]
                self.assertEqual(any(row["least_cycles"] < row["most_cycles"] for row in rows), late)
                worms = fabric["proof"]["lone_worms"]
                self.assertEqual(worms["simulated_cycles"] > worms["formula_cycles"], late)
                self.assertEqual("late" in worms, late)


class Warnings(CommandLineTest):
    ABOVE = ("small.yaml", "--set", "traffic.offered_load=0.9")

    def setUp(self):
        super().setUp()
        self.write("small.yaml", SMALL)

    def test_loads_above_the_bound_are_said(self):
        for command in ("run", "check"):
            _, err = self.noctule(command, *self.ABOVE)
            self.assertRegex(err, r"^noctule: warning: generic: offered are 0\.9 flits/node/cycle, above the bound of [\d.]+ \(")
            self.assertEqual(len(err.splitlines()), 1)
            self.assertEqual(self.noctule(command, "small.yaml")[1], "")
            self.assertEqual(self.noctule(command, *self.ABOVE, "--quiet")[1], "")
            self.assertEqual(self.noctule(command, *self.ABOVE, "--set", "expect=saturated")[1], "", "it is known")

    def test_a_sweep_that_crosses_the_bound_means_to(self):
        self.assertEqual(self.noctule("check", "small.yaml", "--axis", "traffic.offered_load=0.1,0.7,0.8,0.9")[1], "")
        _, err = self.noctule("check", "small.yaml", "--axis", "traffic.offered_load=0.7,0.8,0.9")
        self.assertRegex(err, r"^noctule: warning: generic: all 3 points: in the first of them offered are 0\.7 ")

    def test_terminals_that_discard_mean_to(self):
        self.assertEqual(self.noctule("check", *self.ABOVE, "--set", "traffic.source_queue=discard")[1], "")

    def test_explain_says_so_too(self):
        (fabric,) = self.json_of("explain", *self.ABOVE)["fabrics"]
        self.assertIs(fabric["ceiling"]["offered_above"], True)


if __name__ == "__main__":
    unittest.main()
