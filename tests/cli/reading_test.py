#!/usr/bin/python3
"""Does what people read say what was simulated: tables and their foot lines, verdicts, captions of figures, descriptions?"""
import csv
import json
import pathlib
import re
import unittest

from cli_support import CommandLineTest

CONFIGS = pathlib.Path(__file__).resolve().parents[2] / "configs"
QUICK = "measurement: {warm_up: 100, cycles: 1000}\n"
MESH = "name: read\ntopology: {kind: mesh, radix: [3, 3]}\n"
CLASSES = """\
node: {model: input_queued, lanes: 2, input_depth: 4}
message_classes:
  request: {vcs: {lane: 0}}
  response: {vcs: {lane: 1}}
depends: {request: [response]}
"""
DRAWN = {"pattern": "uniform traffic", "packets": "5-flit packets"}
# What follows the network in a file -> the caption of its point.
CAPTIONS = [
    ("traffic: {}\n" + QUICK, DRAWN),
    ("traffic: {pattern: {kind: hotspot, nodes: [4, 5], fraction: 0.25}, packet_length: 3}\n" + QUICK,
     {"pattern": "hotspot traffic (nodes 4, 5; fraction 0.25)", "packets": "3-flit packets"}),
    ("traffic: {pattern: {kind: hotspot, nodes: [1, 2, 3, 4, 5], fraction: 1}}\n" + QUICK,
     {**DRAWN, "pattern": "hotspot traffic (5 nodes; fraction 1)"}),
    ("traffic: {packet_lengths: [{length: 1}, {length: 5, weight: 2}]}\n" + QUICK, {**DRAWN, "packets": "packets of 1 and 5 flits"}),
    ("traffic: {source: periodic}\n" + QUICK, {**DRAWN, "source": "at equal distances"}),
    ("traffic: {source: {kind: on_off, on_share: 0.25, on_cycles: 40}}\n" + QUICK,
     {**DRAWN, "source": "in bursts of 40 cycles, 25 % of the time"}),
    ("traffic: {source: {kind: static, messages: 2}}\n", {**DRAWN, "source": "2 packets of each terminal at cycle 0"}),
    ("traffic: {source: {kind: flows, file: some.flows}}\n" + QUICK, {"source": "flows of some.flows"}),
    ("traffic: {source: {kind: trace_file, file: some.trace}}\n", {"source": "packets of some.trace"}),
    ("traffic: {source: {kind: workload, file: some.tasks}}\n", {"source": "tasks of some.tasks"}),
    ("traffic: {source: {kind: host_slave, message_flits: 4, answer_flits: 2}}\n",
     {"source": "host 0 and its slaves, messages of 4, answers of 2 flits"}),
    (CLASSES + "traffic: {source: {kind: request_reply, outstanding: 3, lengths: [1, 5]}}\n" + QUICK,
     {"pattern": "uniform traffic", "source": "requests of 1, responses of 5 flits, at most 3 outstanding"}),
    (CLASSES + "traffic: {source: {kind: request_reply, requesters: 4}}\n" + QUICK,
     {**DRAWN, "source": "at most 1 outstanding at each of 4 terminals"}),
]


class Reading(CommandLineTest):
    def run_text(self, text, *arguments, command="run", code=0):
        self.write("read.yaml", text)
        return self.noctule(command, "read.yaml", "--out", "out", *arguments, code=code)[0]


class Captions(Reading):
    def test_say_what_counts_and_nothing_else(self):
        self.write("some.flows", "0 8 0.05 length=4\n")
        self.write("some.trace", "0 0 8 5\n")
        self.write("some.tasks", "0 8 5\n")
        for text, caption in CAPTIONS:
            with self.subTest(text):
                self.run_text(MESH + text, "--fresh")
                self.assertEqual(self.results("out")["points"][0]["caption"], caption)

    def test_are_those_of_each_point(self):
        self.run_text(MESH + QUICK + "sweep: {traffic.packet_length: [2, 4]}\n")
        self.assertEqual([p["caption"]["packets"] for p in self.results("out")["points"]], ["2-flit packets", "4-flit packets"])


class Tables(Reading):
    def test_a_window_that_is_too_short_says_below_what_would_tell(self):
        out = self.run_text(MESH + "traffic: {offered_load: 0.3}\nmeasurement: {warm_up: 0, cycles: 100}\n")
        rule = self.results("out")["points"][0]["status_rule"]
        self.assertRegex(rule, "^not_converged: .*about [0-9]+ measured cycles would tell")
        self.assertIn(f"\nnot_converged: {rule.rpartition('; ')[2].rstrip('.')}\n", out)

    def test_terminals_that_discard_say_how_many(self):
        text = MESH + "traffic: {offered_load: 0.9, source_queue: discard}\n" + QUICK
        out = self.run_text(text)
        packets = self.results("out")["points"][0]["packets"]
        share = packets["discarded"] / packets["generated"]
        self.assertGreater(share, 0.1)
        self.assertIn(f"stable, {100 * share:.0f} % discarded", out)
        self.assertIn("\nstable: sources discard, so only a sweep can tell saturation", out)
        out = self.run_text(text, "--set", "traffic.source_queue=infinite", "--fresh")
        self.assertNotIn("% discarded", out)

    def test_an_axis_of_loads_has_its_unit(self):
        for unit, shown in (("normalized", "of tau_max"), ("packets_per_node_cycle", "packets/node/cycle"),
                            ("flits_per_node_cycle", "flits/node/cycle")):
            out = self.run_text(MESH + f"traffic: {{load_unit: {unit}}}\n{QUICK}sweep: {{traffic.offered_load: [0.02, 0.04]}}\n")
            title, units = out.splitlines()[:2]
            at = title.index("traffic.offered_load")
            self.assertTrue(units[at:].startswith(shown), out)
            self.assertEqual(" of tau_max " in title, unit == "normalized", "of other loads it would say nothing")

    def test_the_interval_of_a_latency_that_grows_is_none(self):
        out = self.run_text(MESH + "traffic: {offered_load: 2}\n" + QUICK, "--set", "measurement.cycles=4000")
        total = self.results("out")["points"][0]["latency_cycles"]["total"]
        row = out.splitlines()[2]
        self.assertIn("saturated", row)
        interval = "" if total["ci95"] >= total["mean"] else f"+- {total['ci95']:.1f} "
        self.assertRegex(row, re.escape(f"{total['mean']:.1f} {interval}") + r" *\d")


class RoundTrips(Reading):
    def test_of_a_closed_loop_are_in_the_table(self):
        out = self.run_text(MESH + CLASSES + "traffic: {source: {kind: request_reply, lengths: [1, 5]}}\n" + QUICK)
        trip = self.results("out")["points"][0]["transactions"]["round_trip_cycles"]
        title, _, row = out.splitlines()[:3]
        ci95 = self.results("out")["points"][0]["transactions"]["round_trip_ci95_cycles"]
        self.assertTrue(row[title.index("round trip"):].startswith(f"{trip:.1f} +- {ci95:.1f}"), out)
        self.assertGreater(ci95, 0)
        self.assertNotIn("round trip", self.run_text(MESH + QUICK, "--fresh"))


class Comparisons(Reading):
    PAIR = MESH + "node: input_queued\ncompare: [{label: a, set: {}}, {label: b, set: {CHANGE}}]\n" + QUICK

    def test_equal_series_are_called_equal(self):
        out = self.run_text(self.PAIR.replace("CHANGE", "node.input_depth: 64").replace(
            "{label: a, set: {}}", "{label: a, set: {node.input_depth: 32}}"))
        self.assertIn("\nb against a: equal within 1 % in total latency and accepted throughput where both are stable "
                      "(the one point).\n", out)
        self.assertIn("+0 +- 0 (+0.0 %)", out)
        self.assertEqual((self.folder / "out/comparison.txt").read_text(encoding="utf-8").splitlines()[-1],
                         [line for line in out.splitlines() if line.startswith("b against a")][0])

    def test_series_that_differ_have_their_direction(self):
        out = self.run_text(self.PAIR.replace("CHANGE", "link.flit_delay: 3"))
        self.assertRegex(out, r"\nb against a: where both are stable \(the one point\), total latency is [0-9.]+ % higher, "
                              r"accepted throughput is equal within 1 %\.\n")

    def test_a_saturated_latency_has_no_interval(self):
        out = self.run_text(self.PAIR.replace("CHANGE", "node.lanes: 1") + "traffic: {offered_load: 2}\n")
        self.assertRegex(out, r"\n-  +b - a  +saturated / saturated .*\+- - \(")
        self.assertRegex(out, r"\nb against a: at no point are both stable; accepted throughput is ")


class Descriptions(Reading):
    def test_keys_that_take_globs_say_how(self):
        for key in ("trace.scope", "nodes", "without", "links", "topology.terminals_at"):
            out, _ = self.noctule("list", key)
            self.assertIn("in a glob * is any text, dots and underscores too", " ".join(out.split()), key)

    def test_kinds_that_declare_a_key_alike_say_it_once(self):
        out, _ = self.noctule("list", "topology.terminals_at")
        self.assertEqual(out.count("terminals_at:"), 1)

    def test_both_say_where_north_is(self):
        for name in ("turn_table", "north_last"):
            out = " ".join(self.noctule("list", name)[0].split())
            self.assertRegex(out, "north (is )?y_minus, (for )?south y_plus")
            self.assertIn("north is at their lower edge", out)

    def test_an_explanation_that_is_the_same_is_printed_once(self):
        sweep = MESH + QUICK + "sweep: {node.KEY}\n"
        out = self.run_text(sweep.replace("KEY", "selection: [first, random]"), command="explain")
        self.assertEqual(out.count("Latency of a lone packet"), 1)
        self.assertIn('\ngeneric node.selection="random": as of generic node.selection="first"\n', out)
        out = self.run_text(sweep.replace("KEY", "routing_delay: [1, 2]"), command="explain")
        self.assertEqual(out.count("Latency of a lone packet"), 2)


class Scopes(Reading):
    def routers(self, *scope):
        """Routers in the waveform of a 6x10 mesh."""
        self.run_text("name: read\ntopology: {kind: mesh, radix: [6, 10]}\nnode: {model: input_queued, lanes: 2}\nmeasurement: {warm_up: 0, cycles: 20}\n"
                      f"trace: {{vcd: true, cycles: 5, scope: {json.dumps(scope)}}}\n", "--fresh")
        (file,) = (self.folder / "out").glob("*.vcd")
        return set(re.findall(r"scope module (router_\d+_\d+) ", file.read_text(encoding="utf-8")))

    def test_a_row_and_a_column(self):
        self.assertEqual(self.routers("router_?_2", "router_5_?"),
                         {f"router_{x}_2" for x in range(6)} | {f"router_5_{y}" for y in range(10)})

    def test_a_star_goes_past_dots(self):
        self.assertEqual(len(self.routers("router_*_2.*")), 60)


class Controllers(Reading):
    LOOP = CLASSES + "traffic: {pattern: {kind: hotspot, nodes: [4], fraction: 1}, source: {kind: request_reply, " \
                     "lengths: [1, 5], requesting: ONLY}}\nmeasurement: {warm_up: 0, cycles: 1000}\n"

    def test_the_others_answer_only(self):
        def sent(requesting):
            self.run_text(MESH + self.LOOP.replace("ONLY", requesting), "--events", "out.csv", "--fresh")
            with (self.folder / "out.csv").open(encoding="utf-8") as stream:
                return {(row["source"], row["destination"]) for row in csv.DictReader(stream) if row["event"] == "inject"}
        self.assertEqual(sent("'0'"), {("0", "4"), ("4", "0")})
        self.assertGreater(len(sent("0-8")), 8)

    def test_the_story_of_the_controllers_is_true(self):
        """At the top and bottom edge responses share a row; at the left and right one each controller has its own."""
        self.noctule("compare", CONFIGS / "memory-controllers.yaml", "--out", "out", "--set", "plots=[]", "--set",
                     "sweep={traffic.source.outstanding: [4]}", "--set", "measurement.cycles=6000")
        rows, columns = self.results("out")["points"]
        self.assertEqual((rows["label"], columns["label"]), ("top and bottom", "left and right"))
        accepted = [p["accepted"]["flits_per_node_cycle"]["mean"] for p in (rows, columns)]
        self.assertGreater(accepted[1], 1.6 * accepted[0])
        self.assertLess(columns["transactions"]["round_trip_cycles"], 0.65 * rows["transactions"]["round_trip_cycles"])
        self.assertNotIn("packets", rows["caption"])
        with (self.folder / "out/links.csv").open(encoding="utf-8") as stream:
            links = [row for row in csv.DictReader(stream) if row["point"] == "0"]
        hottest = sorted(links, key=lambda row: -float(row["utilization"]))[:4]
        self.assertEqual({(row["port"][0], row["from_y"]) for row in hottest}, {("x", "0"), ("x", "9")})

    def test_terminals_that_do_not_exist_are_refused(self):
        self.write("read.yaml", MESH + self.LOOP.replace("ONLY", "8-9"))
        _, err = self.noctule("check", "read.yaml", code=2)
        self.assertIn("traffic.source.requesting", err)
        self.assertIn("requester 9 does not exist; terminals are 0 to 8", err)


if __name__ == "__main__":
    unittest.main()
