#!/usr/bin/python3
"""Is what the program writes what is promised: exit codes, JSON, tables, files, progress?"""
import csv
import json
import os
import pathlib
import pty
import re
import subprocess
import unittest

from cli_support import LOCKS, PROGRAM, SMALL, CommandLineTest, restore_signals, without_speed

# Every field of a point of results.json that scripts may rely on.
POINT_FIELDS = """
    label set status offered.flits_per_node_cycle offered.packets_per_node_cycle offered.normalized
    accepted.flits_per_node_cycle.mean accepted.flits_per_node_cycle.ci95
    accepted.normalized.mean accepted.normalized.ci95
    accepted.minimum_node_flits_per_node_cycle accepted.fraction_of_generated
    latency_cycles.total.mean latency_cycles.total.ci95 latency_cycles.total.p50 latency_cycles.total.p95
    latency_cycles.total.p99 latency_cycles.total.max
    latency_cycles.network.mean latency_cycles.network.ci95 latency_cycles.network.p50 latency_cycles.network.p95
    latency_cycles.network.p99 latency_cycles.network.max
    hops.mean link_utilization.mean link_utilization.max cycles.warm_up cycles.measured
    packets.generated packets.discarded packets.injected packets.delivered packets.in_flight
    flits.injected flits.delivered flits.in_flight
    digest speed.user_s speed.router_cycles_per_s speed.flit_hops_per_s""".split()
TEXTS = {"label", "status", "digest"}
TABLES = ["results.csv", "links.csv", "latency_hist.csv", "terminals.csv"]


def field(document, path):
    for name in path.split("."):
        document = document[name]
    return document


class Json(CommandLineTest):
    def test_one_document_with_every_field(self):
        # Long enough for the clock of the processor, which advances by its ticks.
        document = self.json_of("run", "small.yaml", "--set", "measurement.cycles=200000")
        self.assertEqual((document["noctule"], document["schema"], document["command"], document["seed"]),
                         (self.noctule("--version")[0].split()[1], 2, "run", 1))
        self.assertEqual(document["config"]["topology"], {"kind": "mesh", "radix": [3, 3], "terminals_per_router": 1, "terminals_at": "*"})
        (point,) = document["points"]
        for path in POINT_FIELDS:
            with self.subTest(path):
                value = field(point, path)
                if path == "set":
                    self.assertEqual(value, {})
                else:
                    self.assertIsInstance(value, str if path in TEXTS else (int, float))
        self.assertEqual(point["status"], "stable")
        self.assertRegex(point["digest"], "^[0-9a-f]{16}$")
        self.assertEqual(point["offered"]["flits_per_node_cycle"], 0.1)
        self.assertAlmostEqual(point["accepted"]["flits_per_node_cycle"]["mean"], 0.1, delta=0.005)
        self.assertEqual(point["packets"]["injected"], point["packets"]["delivered"] + point["packets"]["in_flight"])
        self.assertEqual(point["flits"]["injected"], point["flits"]["delivered"] + point["flits"]["in_flight"])
        self.assertEqual(document, self.results("out/small"), "standard output and results.json are the same")

    def test_a_quantity_that_a_run_does_not_have_is_absent(self):
        (point,) = self.json_of("run", "small.yaml", "--set", "traffic.source={kind: static, messages: 5}")["points"]
        self.assertNotIn("offered", point)
        text = json.dumps(point)
        self.assertNotIn("null", text)
        self.assertNotIn("NaN", text)
        self.assertEqual(point["packets"]["delivered"], 9 * 5)

    def test_of_a_finite_workload_idle_cycles_behind_its_end_do_not_count(self):
        static = ["run", "small.yaml", "--set", "traffic.source=static", "--set", "measurement.occupancy_interval=1"]
        points = [self.json_of(*static, "--set", f"measurement.deadlock_interval={interval}")["points"][0]
                  for interval in (7, 5000)]
        for part in ("crossbar", "occupancy"):
            self.assertEqual(points[0][part], points[1][part])
        self.assertGreater(points[0]["crossbar"]["connections_held_per_router"], 0.05)

    def test_packets_in_source_queues_are_told_of_every_source(self):
        self.write("full.yaml", SMALL.replace("offered_load: 0.1", "offered_load: 0.9"))
        for setting, most in (("traffic.source_queue=3", 3), ("traffic.source={kind: static, messages: 4}", 4)):
            (point,) = self.json_of("run", "full.yaml", "--set", setting)["points"]
            self.assertGreater(point["source_queue_packets_per_node"], 0)
            self.assertLessEqual(point["source_queue_packets_per_node"], most)
        (point,) = self.json_of("run", "full.yaml", "--set", "traffic.source_queue=discard")["points"]
        self.assertNotIn("source_queue_packets_per_node", point)

    def test_numbers_of_a_closed_loop_are_per_terminal_that_sends(self):
        """Not all that the pattern lets send ask, and who is asked answers: the log of events knows."""
        self.write("pair.txt", "0 8\n")
        for pattern, requesting, sending in (("{kind: hotspot, nodes: [15], fraction: 1}", "0-3", {0, 1, 2, 3, 15}),
                                             ("{kind: permutation_file, file: pair.txt}", "all", {0, 8}),
                                             ("uniform", "[5]", set(range(16)))):
            self.write("loop.yaml", f"""\
topology: {{kind: mesh, radix: [4, 4]}}
node: {{model: input_queued, lanes: 2, input_depth: 8}}
message_classes: {{request: {{vcs: {{lane: 0}}, buffer: 16}}, response: {{vcs: {{lane: 1}}}}}}
depends: {{request: [response]}}
traffic:
  pattern: {pattern}
  source: {{kind: request_reply, requesting: {requesting}, lengths: [1, 5], service_time: 20, outstanding: 4}}
measurement: {{warm_up: 500, cycles: 6000}}
""")
            with self.subTest(pattern=pattern):
                (point,) = self.json_of("run", "loop.yaml", "--fresh", "--events", "events.csv")["points"]
                taken = {terminal: 0 for terminal in sending}
                born = set()
                with (self.folder / "events.csv").open(encoding="utf-8", newline="") as stream:
                    for row in csv.DictReader(stream):
                        if row["event"] == "generate":
                            born.add(int(row["source"]))
                        elif row["event"] == "consume" and int(row["cycle"]) >= 500:
                            taken[int(row["destination"])] += 1
                self.assertEqual(born, sending)
                self.assertEqual(point["terminals"], {"all": 16, "injecting": len(sending)})
                self.assertAlmostEqual(point["accepted"]["flits_per_node_cycle"]["mean"],
                                       sum(taken.values()) / 6000 / len(sending), places=9)
                self.assertAlmostEqual(point["accepted"]["minimum_node_flits_per_node_cycle"],
                                       min(taken.values()) / 6000, places=9)

    def test_columns_have_names_of_their_own(self):
        self.noctule("run", "small.yaml", "--set", "node.lanes=2", "--out", "out", "--set",
                     "message_classes={unicasts: {vcs: {lane: 0}}, multicasts: {vcs: {lane: 1}}}")
        header = (self.folder / "out/results.csv").read_text().splitlines()[0].split(",")
        self.assertEqual(len(header), len(set(header)))
        self.assertIn("class_unicasts_latency_total_mean_cycles", header)
        self.assertIn("unicasts_accepted_flits_per_node_cycle", header)

    def test_check_and_list(self):
        checked = self.json_of("check", "small.yaml", "--axis", "seed=1,2,3")
        self.assertEqual([p["set"] for p in checked["points"]], [{"seed": 1}, {"seed": 2}, {"seed": 3}])
        self.assertTrue(all(p["memory_bytes"] > 0 and p["time_s"] > 0 for p in checked["points"]))
        self.assertFalse((self.folder / "out").exists(), "check writes nothing")
        listed = self.json_of("list")
        self.assertIn("star_channels", listed["node"])
        self.assertTrue(all(text for kind in listed.values() for text in kind.values()))


class List(CommandLineTest):
    def test_json_of_one_kind_and_of_one_entry(self):
        everything = self.json_of("list")
        self.assertEqual(self.json_of("list", "routing"), {"routing": everything["routing"]})
        both = self.json_of("list", "four_classes")  # a node model and a relation
        keys = both.pop("keys")
        self.assertEqual(both, {kind: {"four_classes": everything[kind]["four_classes"]} for kind in ("node", "routing")})
        self.assertEqual({key["of"] for key in keys if key["name"] == "lanes"}, {"node four_classes"})
        self.refused("list", "--json", "four_clases", says=["four_clases", "four_classes"])

    def test_json_of_a_key(self):
        (lanes,) = self.json_of("list", "node.lanes")["keys"]
        text = self.noctule("list", "node.lanes")[0]
        self.assertEqual((lanes["name"], lanes["default"]), ("lanes", 1))
        for part in (lanes["description"], lanes["values"]):
            self.assertIn(part, text)
        (link,) = self.json_of("list", "link")["keys"]
        self.assertNotIn("default", link)
        self.assertIn({"name": "cycles_per_flit", "unit": "cycles"},
                      [{part: key.get(part) for part in ("name", "unit")} for key in link["keys"]])
        models = {key["of"]: key["default"] for key in self.json_of("list", "input_queued")["keys"]
                  if key["name"] == "lanes"}
        self.assertEqual(models, {"node input_queued": 4})

    def test_everything_has_a_line_and_can_be_asked_for(self):
        everything = self.noctule("list")[0]
        for kind, entries in self.json_of("list").items():
            self.assertIn(f"{kind}:\n", everything)
            one_kind = self.noctule("list", kind)[0]
            for name, description in entries.items():
                self.assertRegex(everything, rf"(?m)^  {name} +{re.escape(description)}$")
                self.assertIn(description, one_kind)
                self.assertIn(description, self.noctule("list", name)[0])

    def test_the_reference_is_a_configuration(self):
        self.write("reference.yaml", self.noctule("list", "--reference")[0])
        self.noctule("check", "reference.yaml")


class Memory(CommandLineTest):
    def test_it_does_not_depend_on_what_was_done_before(self):
        # A proof leaves room in the heap that a fabric then fills.
        self.write("star.yaml", "topology: {kind: torus, radix: [21, 21]}\nnode: star_channels\n"
                   "traffic: {packet_length: 5, offered_load: 0.01}\nmeasurement: {warm_up: 0, cycles: 100}\n")
        proving, remembering = (self.json_of("run", "star.yaml", *more)["points"][0]["speed"]["memory_kb_per_router"]
                                for more in (["--fresh"], []))
        self.assertAlmostEqual(proving, remembering, delta=0.02 * remembering)


class Quiet(CommandLineTest):
    def test_nothing_on_standard_output(self):
        for arguments in (["run"], ["check"], ["sweep", "--axis", "seed=1,2"],
                          ["compare", "--axis", "node.selection=first,random"]):
            with self.subTest(arguments):
                self.assertEqual(self.noctule(arguments[0], "small.yaml", "--quiet", *arguments[1:]), ("", ""))

    def test_results_are_written_all_the_same(self):
        self.noctule("run", "small.yaml", "--quiet", "--out", "a/b")
        for name in ["results.json", "config.json", *TABLES]:
            self.assertGreater((self.folder / "a/b" / name).stat().st_size, 0, name)

    def test_without_it_there_is_a_table(self):
        out, err = self.noctule("run", "small.yaml")
        self.assertEqual(err, "", "no progress unless on a terminal")
        for part in ("flits/node/cycle", "stable", "out/small/results.json"):
            self.assertIn(part, out)


class ExitCodes(CommandLineTest):
    def test_expect(self):
        for status, code in (("any", 0), ("stable", 0), ("saturated", 1), ("deadlocked", 1), ("not_converged", 1)):
            with self.subTest(status):
                _, err = self.noctule("run", "small.yaml", "--set", f"expect={status}", code=code)
                self.assertEqual(err, "" if code == 0 else f"noctule: generic is stable, expected was {status}\n")

    def test_overload_is_no_failure_unless_something_else_is_expected(self):
        overload = ["run", "small.yaml", "--json", "--set", "traffic.offered_load=0.9"]
        document = json.loads(self.noctule(*overload)[0])
        self.assertEqual(document["points"][0]["status"], "saturated")
        self.noctule(*overload, "--set", "expect=stable", code=1)

    def test_one_point_that_misses_is_named(self):
        _, err = self.noctule("sweep", "small.yaml", "--axis", "traffic.offered_load=0.05,0.9", "--set",
                              "expect=stable", code=1)
        self.assertEqual(err, "noctule: generic traffic.offered_load=0.9 is saturated, expected was stable\n")

    def test_a_deadlock(self):
        self.write("locks.yaml", LOCKS)
        out, err = self.noctule("run", "locks.yaml", code=1)
        self.assertEqual(err, "noctule: generic is deadlocked\n")
        self.assertRegex(out, r"packet \d+:\d+ to terminal \d+, 15 flits: .* waits for router_\d_\d\.")
        self.noctule("run", "locks.yaml", "--set", "expect=deadlocked")
        (point,) = self.results("out/locks")["points"]
        self.assertEqual(point["status"], "deadlocked")
        deadlock = point["deadlock"]
        worms = deadlock["circle"] + deadlock["waiting"]
        self.assertEqual(deadlock["worms"], len(worms) + deadlock["not_listed"])
        self.assertTrue(all(worm["waits_for"] and worm["holds"] for worm in worms))
        # With the rule that the relation needs, the same network lives.
        self.noctule("run", "locks.yaml", "--set", "node.release=next_buffer_empty", "--quiet")


class Seeds(CommandLineTest):
    def digest(self, *arguments):
        (point,) = self.json_of("run", "small.yaml", "--fresh", *arguments)["points"]
        return point["digest"]

    def test_same_seed_same_digest(self):
        first = self.digest()
        self.assertEqual(first, self.digest("--seed", "1"))
        self.assertEqual(first, self.digest("--set", "seed=1", "--out", "elsewhere"))
        self.assertEqual(len({first, self.digest("--seed", "0"), self.digest("--seed", "2"),
                              self.digest("--seed", str(2**53))}), 4)

    def test_the_command_line_wins(self):
        self.assertEqual(self.json_of("run", "small.yaml", "--seed", "7")["seed"], 7)


class Base(CommandLineTest):
    def test_values_are_inherited_and_overridden(self):
        self.write("sub/child.yaml", "base: ../small.yaml\nname: child\ntopology:\n  radix: [4, 2]\n")
        config = self.json_of("run", "sub/child.yaml")["config"]
        self.assertEqual(config["topology"], {"kind": "mesh", "radix": [4, 2], "terminals_per_router": 1, "terminals_at": "*"})
        self.assertEqual((config["name"], config["traffic"]["packet_length"]), ("child", 3))


class Repeated(CommandLineTest):
    def test_a_run_from_its_own_config_json_is_the_same_run(self):
        self.write("both.yaml", (self.folder / "small.yaml").read_text() +
                   "compare:\n  - {label: a, set: {node.lanes: 1}}\n  - {label: b c, set: {node.lanes: 2}}\n"
                   "sweep: {traffic.offered_load: [0.05, 0.2], seed: [3, 4]}\nplots: []\n")
        first = self.json_of("run", "both.yaml", "--set", "traffic.packet_length=4", "--out", "first")
        again = self.json_of("run", "first/config.json", "--out", "again")
        self.assertEqual(len(first["points"]), 8)
        self.assertEqual(without_speed(first), without_speed(again))
        self.assertEqual((self.folder / "first/config.json").read_text(), (self.folder / "again/config.json").read_text())


class Plots(CommandLineTest):
    def test_that_fail_are_reported_and_cost_no_results(self):
        self.write("out/plots", "a file where the folder should be")
        out, err = self.noctule("run", "small.yaml", "--set", "plots=[latency_histogram]", "--out", "out")
        self.assertIn(f"plot: [Errno 17] File exists: '{pathlib.Path('out/plots')}'", err)
        self.assertRegex(err, r"noctule: not all plots were drawn: \S+/plot ended with exit code 2; the results are "
                              r"complete; to draw them again: \S+/plot out\n")
        self.assertEqual(len(self.results("out")["points"]), 1)

    def test_of_links_are_drawn_in_three_dimensions(self):
        out, err = self.noctule("run", "small.yaml", "--set", "plots=[link_heat_map]", "--set", "topology.radix=[3, 2, 2]",
                                "--out", "out")
        self.assertNotIn("plot", err)
        drawn = (self.folder / "out/plots/links-generic.svg").read_text(encoding="utf-8")
        for text in ("z = 0", "z = 1", "3x2x2 mesh, uniform traffic, 3-flit packets", "z_plus, z_minus"):
            self.assertIn(text, drawn)


class Terminal(CommandLineTest):
    LONG = ["run", "small.yaml", "--fresh", "--set", "measurement.cycles=800000"]

    def on_a_terminal(self, *arguments):
        """What comes on a terminal as standard error, and on standard output."""
        ours, theirs = pty.openpty()
        with subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=theirs, preexec_fn=restore_signals) as process:
            os.close(theirs)
            shown = b""
            try:
                while piece := os.read(ours, 4096):
                    shown += piece
            except OSError:  # the other end is closed
                pass
            out = process.stdout.read()
        os.close(ours)
        self.assertEqual(process.returncode, 0)
        return shown.decode(), out.decode()

    def test_progress_is_shown_and_taken_away(self):
        shown, out = self.on_a_terminal(*self.LONG)
        self.assertRegex(shown, r"0/1 point, 1 running, \d+ %")
        self.assertTrue(shown.endswith("\r\x1b[K"), repr(shown[-40:]))
        self.assertNotIn("\n", shown)
        self.assertNotIn("\x1b", out)

    def test_quiet_shows_none(self):
        self.assertEqual(self.on_a_terminal(*self.LONG, "--quiet"), ("", ""))

    def test_a_pipe_gets_none(self):
        self.assertEqual(self.noctule(*self.LONG)[1], "")

    def test_a_pipe_gets_lines_if_asked(self):
        sweep = ["sweep", "small.yaml", "--axis", "seed=1,2"]
        out, err = self.noctule(*sweep, "--progress")
        self.assertEqual(out.replace("out/small", ""), self.noctule(*sweep, "--fresh")[0].replace("out/small", ""))
        lines = err.splitlines()
        self.assertRegex(lines[0], r"^0/2 points, 1 running, 0 %$")  # the next one comes after 30 seconds
        self.assertRegex(lines[-1], r"^2/2 points, 0 running, 100 %")
        self.assertEqual(self.noctule(*sweep, "--fresh", "--set", "plots=[throughput_load]", "--progress")[1].splitlines()[-2:],
                         ["plots: 0/1 figures drawn", "plots: 1/1 figures drawn"])

    def test_progress_and_quiet_contradict_each_other(self):
        _, err = self.noctule("run", "small.yaml", "--progress", "--quiet", code=2)
        self.assertRegex(err, "--progress: --quiet says the opposite")


if __name__ == "__main__":
    unittest.main(verbosity=2)
