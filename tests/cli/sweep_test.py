#!/usr/bin/python3
"""Does a sweep give the same whatever happens on the way: threads, an interrupt, the crash of a point?"""
import csv
import json
import os
import pathlib
import signal
import time
import unittest

from cli_support import TIMEOUT, CommandLineTest, without_speed

YOUNG = 0.05  # seconds of processor time; a point below takes several times as long
LOADS = [0.02, 0.04, 0.06, 0.08, 0.1, 0.12]
TABLES = ["links.csv", "latency_hist.csv", "terminals.csv"]


def state_of(process):
    """Its letter, and the processor time in seconds; a stop takes effect a moment after the signal."""
    for _ in range(20):
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        if fields[0] in "TZ":
            break
        time.sleep(0.001)
    return fields[0], (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def set_of(document):
    return [point["set"] for point in document["points"]]


class Axes(CommandLineTest):
    def test_list_and_range_are_the_same(self):
        ranged = self.json_of("sweep", "small.yaml", "--axis", "traffic.offered_load=0.1:0.3:0.1")
        listed = self.json_of("sweep", "small.yaml", "--axis", "traffic.offered_load=0.1,0.2,0.3")
        self.assertEqual(set_of(ranged), [{"traffic.offered_load": x} for x in (0.1, 0.2, 0.3)])
        self.assertEqual([p["digest"] for p in ranged["points"]], [p["digest"] for p in listed["points"]])

    def test_two_axes_the_last_fastest(self):
        document = self.json_of("sweep", "small.yaml", "--axis", "topology.radix=[3,3],[2,4]", "--axis", "seed=1,2")
        self.assertEqual(set_of(document), [{"topology.radix": r, "seed": s} for r in ([3, 3], [2, 4]) for s in (1, 2)])
        self.assertEqual(len({p["digest"] for p in document["points"]}), 4)

    def test_an_axis_takes_the_place_of_the_file_s(self):
        self.write("swept.yaml", (self.folder / "small.yaml").read_text() + "sweep: {seed: [1, 2, 3]}\n")
        self.assertEqual(len(self.json_of("sweep", "swept.yaml")["points"]), 3)
        self.assertEqual(set_of(self.json_of("run", "swept.yaml", "--axis", "seed=8,9")), [{"seed": 8}, {"seed": 9}])

    def test_a_point_of_a_sweep_is_what_a_run_of_it_alone_is(self):
        swept = self.json_of("sweep", "small.yaml", "--axis", "node.lanes=1,3")["points"][1]
        (alone,) = self.json_of("run", "small.yaml", "--set", "node.lanes=3")["points"]
        self.assertEqual(swept["digest"], alone["digest"])


class Comparison(CommandLineTest):
    def test_paired_differences_over_the_same_worms(self):
        document = self.json_of("compare", "small.yaml", "--axis", "node.model=star_channels,four_classes", "--set",
                                "topology={kind: torus, radix: [5, 5]}")
        self.assertEqual([p["label"] for p in document["points"]], ["star_channels", "four_classes"])
        generated = {p["packets"]["generated"] for p in document["points"]}
        self.assertEqual(len(generated), 1, "common random numbers: the same worms")
        text = json.dumps(document["comparison"])
        for word in ("star_channels", "four_classes", "ci95"):
            self.assertIn(word, text)
        self.assertIn("four_classes", (self.folder / "out/small/comparison.txt").read_text())

    def test_the_load_is_no_series_where_there_is_another_axis(self):
        lanes = "node.lanes=1,2"
        for axes in (("--axis", "traffic.offered_load=0.05,0.1", "--axis", lanes),
                     ("--axis", lanes, "--axis", "traffic.offered_load=0.05,0.1"),
                     ("--axis", "seed=1,2", "--axis", lanes)):
            compared = self.json_of("compare", "small.yaml", *axes, "--out", "r")["comparison"]
            self.assertEqual({c["label"] for c in compared}, {"node.lanes=2"}, axes)
            self.assertEqual({c["baseline"] for c in compared}, {"node.lanes=1"}, axes)
            self.assertEqual(len(compared), 2, axes)
        self.write("swept.yaml", (self.folder / "small.yaml").read_text() + "sweep: {node.lanes: [1, 2]}\n")
        compared = self.json_of("compare", "swept.yaml", "--axis", "traffic.offered_load=0.05,0.1")["comparison"]
        self.assertEqual([c["label"] for c in compared], ["node.lanes=2"] * 2)
        alone = self.json_of("compare", "small.yaml", "--axis", "traffic.offered_load=0.05,0.1")["comparison"]
        self.assertEqual([c["label"] for c in alone], ["traffic.offered_load=0.1"])

    def test_short_names_of_axes_are_those_of_their_parts(self):
        for command in ("compare", "sweep", "run"):
            for short, key, values in (("routing", "routing.algorithm", ["dimension_order", "north_last"]),
                                       ("node", "node.model", ["generic", "input_queued"]),
                                       ("topology", "topology.kind", ["mesh", "torus"]),
                                       ("traffic.pattern", "traffic.pattern.kind", ["uniform", "neighbor"])):
                with self.subTest(command=command, axis=short):
                    points = self.json_of(command, "small.yaml", "--fresh", "--axis", f"{short}={','.join(values)}")["points"]
                    self.assertEqual([p["set"] for p in points], [{key: value} for value in values])
        (compared,) = self.json_of("compare", "small.yaml", "--axis", "routing=dimension_order,north_last")["comparison"]
        self.assertEqual((compared["label"], compared["baseline"]),
                         ("routing.algorithm=north_last", "routing.algorithm=dimension_order"))
        self.refused("compare", "small.yaml", "--axis", "routing=north_last", says=["routing.algorithm", "one value"])
        self.refused("sweep", "small.yaml", "--axis", "node=generic,input_queued", "--set", "node=generic",
                     says=["--set node=generic", "has no effect: the sweep varies this key"])

    def test_node_models_of_a_sweep_are_compared(self):
        models = "--axis", "node.model=generic,input_queued"
        for command in ("run", "sweep", "compare"):
            out, _ = self.noctule(command, "small.yaml", *models, "--axis", "traffic.offered_load=0.05,0.1", "--out", command)
            self.assertEqual(out.count("input_queued - generic"), 2, out)
            self.assertIn("traffic.offered_load=0.05 ", out)
            self.assertEqual(self.results(command)["comparison"], self.results("run")["comparison"])
        # No table where it would have no row.
        self.write("apart.yaml", (self.folder / "small.yaml").read_text() +
                   "sweep: {node.model: [generic, input_queued]}\ncompare: [{label: a}, {label: b, set: {seed: 2}}]\n")
        self.assertIn("b - a", self.noctule("run", "apart.yaml")[0])

    def test_series_that_are_the_same_twice_are_named(self):
        out, _ = self.noctule("compare", "small.yaml", "--axis", "node.crossbar_per=[],[lane]")
        self.assertIn("node.crossbar_per=[\"lane\"] and node.crossbar_per=[] are the same twice", out)
        out, _ = self.noctule("compare", "small.yaml", "--axis", "node.lanes=1,2")
        self.assertNotIn("the same twice", out)

    def test_a_window_behind_the_end_of_the_run_is_said(self):
        # A fixed length is refused before the run; how long the warm-up is found to be is known behind it.
        auto = ("run", "small.yaml", "--events", "e.csv", "--set", "measurement.warm_up=auto", "--set")
        (point,) = self.json_of(*auto, "trace.from=10")["points"]
        end = point["cycles"]["warm_up"] + point["cycles"]["measured"]
        _, err = self.noctule(*auto, f"trace.from={end}")
        self.assertIn(f"nothing is traced: trace.from is {end}, and the run ended after {end} cycles", err)
        _, err = self.noctule(*auto, f"trace.from={end - 1}")
        self.assertNotIn("trace.from", err)

    def test_networks_of_unequal_size_are_not_paired_and_it_is_said_why(self):
        document = self.json_of("compare", self.write("sizes.yaml", (self.folder / "small.yaml").read_text() + """\
compare:
  - {label: nine, set: {topology.radix: [3, 3]}}
  - {label: sixteen, set: {topology.radix: [4, 4]}}
  - {label: other, set: {node.lanes: 2}}
"""))
        sixteen, other = document["comparison"]
        self.assertFalse(sixteen["paired"])
        self.assertEqual(sixteen["unpaired"], "16 terminals inject in sixteen, 9 in nine: not the same packets")
        self.assertTrue(other["paired"])
        self.assertNotIn("unpaired", other)
        text = (self.folder / "out/sizes/comparison.txt").read_text()
        self.assertIn("sixteen - nine (unpaired)", text)
        self.assertIn("because\n  16 terminals inject in sixteen, 9 in nine", text)


class Threads(CommandLineTest):
    def test_any_number_gives_the_same(self):
        arguments = ["sweep", "small.yaml", "--axis", "traffic.offered_load=0.1,0.9", "--axis", "node.lanes=1,2"]
        one = self.json_of(*arguments, "--threads", "1", "--out", "one")
        for threads in (2, 7):
            many = self.json_of(*arguments, "--threads", threads, "--out", f"many{threads}")
            self.assertEqual(without_speed(one), without_speed(many))
            for table in TABLES:
                self.assertEqual((self.folder / "one" / table).read_text(),
                                 (self.folder / f"many{threads}" / table).read_text(), table)


class Stopped(CommandLineTest):
    """A sweep of some seconds that something happens to in the middle."""

    def setUp(self):
        super().setUp()
        self.arguments = ["sweep", "small.yaml", "--set", "measurement.cycles=250000", "--axis",
                          "traffic.offered_load=" + ",".join(map(str, LOADS))]

    def begin(self, *more, **options):
        return self.start(*self.arguments, *more, **options)

    def finished_lines(self, out):
        journal = self.folder / out / "points.jsonl"
        return journal.read_text().splitlines(keepends=True) if journal.exists() else []

    def wait_for_points(self, process, out, count):
        end = time.monotonic() + TIMEOUT
        while len(self.finished_lines(out)) < count:
            self.assertIsNone(process.poll(), "it ended before anything could happen to it")
            if time.monotonic() > end:
                self.fail("it hangs")
            time.sleep(0.005)

    def expect_stopped(self, process, out, command="the same command"):
        """What a stopped sweep leaves; gives the results so far."""
        printed, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 130, err)
        before = self.results(out)
        count = len(before["points"])
        self.assertTrue(2 <= count < len(LOADS), count)
        self.assertIn(f"interrupted; {count} of {len(LOADS)} points are finished and in {out}; {command} goes on", err)
        self.assertEqual(json.loads(printed), before)
        return before

    def expect_goes_on(self, out, before):
        """The same command: finished points are not run again, and the whole is as if nothing had happened."""
        lines = self.finished_lines(out)
        count = len(before["points"])
        self.assertEqual(len(lines), count)
        printed, _ = self.noctule(*self.arguments, "--out", out)
        self.assertIn(f"{count} taken over from an earlier run", printed)
        after = self.results(out)
        self.assertEqual(len(self.finished_lines(out)), len(LOADS), "a finished sweep keeps its points")
        for point in before["points"]:
            self.assertIn(point, after["points"], "the very same point, its measured speed included")
        whole = self.json_of(*self.arguments, "--out", "whole")
        self.assertEqual(without_speed(after), without_speed(whole))
        for table in TABLES:
            self.assertEqual((self.folder / out / table).read_text(), (self.folder / "whole" / table).read_text(), table)

    def test_an_interrupt_from_the_terminal_loses_nothing(self):
        process = self.begin("--threads", "1", "--json", "--out", "part", start_new_session=True)
        self.wait_for_points(process, "part", 2)
        os.killpg(process.pid, signal.SIGINT)
        before = self.expect_stopped(process, "part")
        self.expect_goes_on("part", before)

    def test_a_request_to_end_loses_nothing(self):
        process = self.begin("--threads", "2", "--json", "--fresh", "--out", "part")
        self.wait_for_points(process, "part", 2)
        process.terminate()
        self.expect_stopped(process, "part", "the same command without --fresh")

    def test_a_kill_loses_no_finished_point(self):
        process = self.begin("--threads", "2", "--out", "part")
        self.wait_for_points(process, "part", 2)
        process.kill()
        process.communicate()
        count = len(self.finished_lines("part"))
        printed, _ = self.noctule(*self.arguments, "--out", "part")
        self.assertIn(f"{count} taken over", printed)
        self.assertEqual(len(self.results("part")["points"]), len(LOADS))

    def interrupted(self, out):
        process = self.begin("--threads", "1", "--json", "--out", out, start_new_session=True)
        self.wait_for_points(process, out, 2)
        os.killpg(process.pid, signal.SIGINT)
        self.expect_stopped(process, out)

    def test_a_killed_worker_is_named_once_and_costs_its_point_only(self):
        process = self.begin("--threads", "2", "--json", "--out", "part")
        self.wait_for_points(process, "part", 1)
        self.kill_a_young_worker(process, signal.SIGKILL)
        printed, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 3, err)
        kept = [p["set"]["traffic.offered_load"] for p in json.loads(printed)["points"]]
        (lost,) = set(LOADS) - set(kept)
        first, last = err.splitlines()
        self.assertRegex(first, rf"^noctule: generic traffic.offered_load={lost}: lost: its process was ended by signal 9 "
                                r"\(Killed\); the system does that when memory runs out: .*--threads")
        self.assertEqual(err.count(f"traffic.offered_load={lost}"), 1, err)
        self.assertEqual(last, "noctule: 1 of 6 points lost; the other 5 are in part; the same command runs only what is "
                               "lost")
        self.expect_goes_on("part", self.results("part"))

    def test_fresh_runs_all(self):
        self.interrupted("part")
        self.assertNotIn("taken over", self.noctule(*self.arguments, "--out", "part", "--fresh")[0])

    def test_other_points_are_not_taken_over(self):
        self.interrupted("part")
        self.assertNotIn("taken over", self.noctule(*self.arguments, "--out", "part", "--seed", "2")[0])

    def kill_a_young_worker(self, process, by):
        """One that has only begun with its point."""
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            self.assertIsNone(process.poll(), "it ended before a worker was found")
            children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            for child in map(int, reversed(children)):
                try:
                    os.kill(child, signal.SIGSTOP)
                    state, used = state_of(child)
                    young = state == "T" and used < YOUNG
                    if young:
                        os.kill(child, by)
                    os.kill(child, signal.SIGCONT)
                except (ProcessLookupError, FileNotFoundError):
                    continue  # it has ended
                if young:
                    return
            time.sleep(0.002)
        self.fail("it hangs")

    def test_the_crash_of_a_point_costs_that_point_only(self):
        process = self.begin("--threads", "2", "--out", "part")
        self.wait_for_points(process, "part", 1)
        self.kill_a_young_worker(process, signal.SIGSEGV)
        printed, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 3, err)
        # A sanitizer turns the signal into an exit code of its own.
        lost = [load for load in LOADS if f"generic traffic.offered_load={load}: " in err]
        self.assertEqual(len(lost), 1, err)
        self.assertRegex(err, r"signal 11|exit code \d+")
        before = self.results("part")
        self.assertEqual([p["set"]["traffic.offered_load"] for p in before["points"]],
                         [load for load in LOADS if load not in lost])
        self.assertIn("5 stable", printed)
        self.expect_goes_on("part", before)


class Extended(CommandLineTest):
    """A sweep that is finished, and then asked for with other points."""

    def sweep(self, loads, *more, code=0):
        return self.noctule("sweep", "small.yaml", "--axis", f"traffic.offered_load={loads}", "--out", "r", *more,
                            code=code)[0]

    def test_only_new_points_run(self):
        self.sweep("0.05,0.1")
        before = self.results("r")["points"]
        self.assertIn("2 taken over from an earlier run (--fresh runs all)", self.sweep("0.02,0.05,0.1,0.2"))
        after = self.results("r")["points"]
        self.assertEqual([p["set"]["traffic.offered_load"] for p in after], [0.02, 0.05, 0.1, 0.2])
        self.assertEqual(after[1:3], before, "the very same points, their measured speed included")
        whole = self.json_of("sweep", "small.yaml", "--axis", "traffic.offered_load=0.02,0.05,0.1,0.2", "--out", "whole")
        self.assertEqual(without_speed(self.results("r")), without_speed(whole))
        for table in TABLES:
            self.assertEqual((self.folder / "r" / table).read_text(), (self.folder / "whole" / table).read_text(), table)

    def test_what_changes_no_result_runs_no_point(self):
        self.sweep("0.05,0.1")
        self.assertIn("2 taken over", self.sweep("0.05,0.1", "--set", "name=another name", "--set", "limits.time_h=3",
                                                 "--set", "plots=[throughput_load]"))
        self.assertTrue((self.folder / "r/plots/throughput-offered.svg").exists())

    def test_what_changes_results_runs_all(self):
        self.sweep("0.05,0.1")
        for change in ("measurement.cycles=2001", "node.lanes=2", "seed=2"):
            self.assertNotIn("taken over", self.sweep("0.05,0.1", "--set", change), change)
        self.assertNotIn("taken over", self.sweep("0.05,0.1", "--set", "seed=2", "--fresh"))

    def test_a_lone_point_always_runs(self):
        self.sweep("0.1,0.2")
        for _ in range(2):
            self.assertNotIn("taken over", self.noctule("run", "small.yaml", "--out", "r")[0])
        self.assertIn("2 taken over", self.sweep("0.1,0.2"))
        self.noctule("run", "small.yaml", "--out", "lone")
        self.assertFalse((self.folder / "lone/points.jsonl").exists())

    def test_a_point_that_traces_always_runs(self):
        trace = ["--set", "trace={vcd: true, cycles: 20}"]
        self.sweep("0.1,0.2", *trace)
        waveform = self.results("r")["points"][0]["files"]["vcd"]
        (self.folder / waveform).unlink()
        self.assertIn("1 taken over", self.sweep("0.1,0.2", *trace))
        self.assertTrue((self.folder / waveform).exists())


class Leftovers(CommandLineTest):
    """What an earlier run of the same name left is never taken for this one's."""

    def files(self, folder):
        return {str(f.relative_to(self.folder / folder)) for f in (self.folder / folder).rglob("*") if f.is_file()}

    ALWAYS = {"results.json", "results.csv", "links.csv", "latency_hist.csv", "terminals.csv", "config.json",
              "files.json"}

    def test_files_that_the_later_run_does_not_make_are_removed_and_said(self):
        self.noctule("compare", "small.yaml", "--axis", "node.lanes=1,2", "--out", "r", "--set",
                     "plots=[throughput_load, link_heat_map]", "--set", "trace={vcd: true, cycles: 20}")
        before = self.files("r")
        for name in ("comparison.txt", "plots/links-node.lanes-1.svg", "node-lanes-2.gtkw", "gtkwave/node-lanes-2/type.txt"):
            self.assertIn(name, before)
        (self.folder / "r/notes.txt").write_text("mine")
        (self.folder / "r/plots/mine.svg").write_text("mine")
        _, err = self.noctule("run", "small.yaml", "--out", "r")
        self.assertEqual(self.files("r"), self.ALWAYS | {"notes.txt", "plots/mine.svg", "points.jsonl"} & self.files("r"))
        self.assertTrue({"notes.txt", "plots/mine.svg"} < self.files("r"), "only what the program wrote is removed")
        self.assertIn("noctule: removed from r what an earlier run left and this one does not make: comparison.txt, ", err)
        self.assertRegex(err, r" and \d+ more\n$")
        self.assertFalse((self.folder / "r/gtkwave").exists())
        self.assertEqual(self.noctule("run", "small.yaml", "--out", "r")[1], "", "said once")

    def test_quiet_removes_without_a_word(self):
        self.noctule("compare", "small.yaml", "--axis", "node.lanes=1,2", "--out", "r")
        self.assertEqual(self.noctule("run", "small.yaml", "--out", "r", "--quiet"), ("", ""))
        self.assertNotIn("comparison.txt", self.files("r"))

    def test_other_plots_of_the_same_command_are_removed(self):
        sweep = ["sweep", "small.yaml", "--axis", "traffic.offered_load=0.1,0.2", "--out", "r", "--set"]
        self.noctule(*sweep, "plots=[latency_throughput]")
        _, err = self.noctule(*sweep, "plots=[throughput_load]")
        self.assertIn("latency-throughput.svg", err)
        self.assertEqual({name for name in self.files("r") if name.endswith(".svg")}, {"plots/throughput-offered.svg"})
        _, err = self.noctule(*sweep, "plots=[]")
        self.assertIn("plots/throughput-offered.svg", err)
        self.assertFalse((self.folder / "r/plots").exists())

    def test_an_interrupted_run_is_cleared_away_by_the_next(self):
        trace = ["--set", "trace={vcd: true}", "--set", "measurement.cycles=3000000", "--out", "r"]
        process = self.start("run", "small.yaml", *trace)
        waveform = self.folder / "r/small.vcd"
        end = time.monotonic() + TIMEOUT
        while not waveform.exists() and process.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        process.kill()
        process.communicate()
        self.assertTrue(waveform.exists())
        _, err = self.noctule("run", "small.yaml", "--out", "r")
        self.assertIn("small.vcd", err)
        self.assertEqual(self.files("r"), self.ALWAYS)

    def test_results_stay_as_they_were_where_no_point_has_one(self):
        self.noctule("run", "small.yaml", "--out", "r")
        before = {name: (self.folder / "r" / name).read_bytes() for name in self.ALWAYS}
        process = self.start("run", "small.yaml", "--set", "measurement.cycles=3000000", "--out", "r")
        self.kill_child(process)
        _, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 3, err)
        self.assertIn("noctule: no point has a result; r still holds the results of an earlier run\n", err)
        self.assertEqual(before, {name: (self.folder / "r" / name).read_bytes() for name in self.ALWAYS})

    def kill_child(self, process):
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
        end = time.monotonic() + TIMEOUT
        while not (found := children.read_text().split()):
            if time.monotonic() > end:
                self.fail("it hangs")
            time.sleep(0.005)
        os.kill(int(found[-1]), signal.SIGKILL)

    def test_verify_removes_drawings_of_fabrics_that_it_proves_now(self):
        # Without a dateline worms can wait in a ring.
        ring = ["verify", "small.yaml", "--set", "topology={kind: torus, radix: [5, 5]}", "--out", "r", "--set"]
        _, err = self.noctule(*ring, "routing={algorithm: turn_table, forbid: ['y_* -> x_*']}", code=1)
        self.assertEqual(err, "")
        self.assertTrue(any(name.endswith(".svg") for name in self.files("r")))
        _, err = self.noctule(*ring, "routing=dimension_order")
        self.assertIn("removed from r what an earlier run left", err)
        self.assertEqual({name for name in self.files("r") if not name.startswith("certificate-")},
                         {"verify.json", "files.json"})
class Explore(CommandLineTest):
    def explore(self, *arguments):
        self.noctule("explore", "small.yaml", "--axis", "node.lanes=1,2", *arguments)
        rows = json.loads((self.folder / "out/small/exploration.json").read_text())
        with open(self.folder / "out/small/exploration.csv", encoding="utf-8", newline="") as file:
            table = list(csv.DictReader(file))
        return rows, table, (self.folder / "out/small/exploration.txt").read_text()

    def test_what_one_load_shows_is_no_throughput(self):
        rows, table, text = self.explore()
        for row in rows:
            self.assertNotIn("throughput", row)
            self.assertAlmostEqual(row["accepted"]["flits_per_node_cycle"]["mean"], 0.1, delta=0.02)
        # Two lanes take more buffers, and accept the same load.
        self.assertIn("--saturation", text)
        self.assertTrue(rows[0]["best"])
        self.assertEqual(table[0]["saturation_load_flits_per_node_cycle"], "")

    def test_routers_that_differ_count_each_for_itself(self):
        rows, table, text = self.explore()
        self.assertTrue(all("router_kinds" not in row for row in rows))
        self.assertNotIn("buffers and VCs are the mean of", text)
        deep = [*("--set", "nodes=[{routers: [router_1_1], set: {input_depth: 4, output_depth: 2, "
                           "consumption_channels: 4}}]"), "--out", "out/small"]
        mixed, _, text = self.explore(*deep)
        for row, before in zip(mixed, rows):
            usual, hub = row["router_kinds"]
            self.assertEqual((usual["routers"], hub["routers"]), (8, 1))
            self.assertEqual(hub["set"], {"node.input_depth": 4, "node.output_depth": 2, "node.consumption_channels": 4})
            self.assertAlmostEqual(row["flit_buffers_per_router"],
                                   (8 * usual["flit_buffers_per_router"] + hub["flit_buffers_per_router"]) / 9)
            self.assertGreater(row["flit_buffers_per_router"], before["flit_buffers_per_router"])
            self.assertEqual(row["virtual_channels_per_router"], before["virtual_channels_per_router"])
            self.assertAlmostEqual(row["consumption_channels_per_terminal"], (8 * 1 + 4) / 9)
        self.assertRegex(text, r"with node\.lanes=2: buffers and VCs are the mean of\n  8 routers: \S+ flits/router, "
                               r"\S+ VCs/router\n  1 router, consumption_channels=4, input_depth=4, output_depth=2: ")

    def test_saturation_is_searched_where_it_is_asked_for(self):
        rows, table, text = self.explore("--saturation")
        for row, line in zip(rows, table):
            found = row["saturation"]
            load, above = found["load_flits_per_node_cycle"], found["not_served_at_flits_per_node_cycle"]
            self.assertLess(load, above)
            self.assertLessEqual(above - load, found["searched_up_to_flits_per_node_cycle"] / 64 + 1e-9)
            self.assertGreaterEqual(found["maximum_accepted"]["accepted_flits_per_node_cycle"]["mean"],
                                    found["accepted"]["mean"])
            self.assertEqual(float(line["saturation_load_flits_per_node_cycle"]), load)
            self.assertIn("0.97", found["rule"])
            tried = [point["offered_flits_per_node_cycle"] for point in found["points"]]
            self.assertIn(load, tried)
            self.assertEqual(tried[0], found["searched_up_to_flits_per_node_cycle"])
            # What was not decided was measured again, twice at most.
            for other in set(tried):
                seen = [p["status"] for p in found["points"] if p["offered_flits_per_node_cycle"] == other]
                self.assertTrue(all(status == "not_converged" for status in seen[:-1]), seen)
                self.assertTrue(seen[-1] != "not_converged" or len(seen) == 3, seen)
                if other == above:
                    self.assertEqual(line["undecided_up_to_flits_per_node_cycle"] != "", seen[-1] == "not_converged")
        self.assertGreater(rows[1]["saturation"]["load_flits_per_node_cycle"],
                           rows[0]["saturation"]["load_flits_per_node_cycle"] / 2)
        self.assertIn("saturates", text)
        again, _, _ = self.explore("--saturation", "--fresh")
        self.assertEqual([row["saturation"] for row in again], [row["saturation"] for row in rows])

    def test_saturation_of_one_design_and_of_each_seed(self):
        alone = self.json_of("explore", "small.yaml", "--saturation")["exploration"]
        self.assertEqual(len(alone), 1)
        seeds = self.json_of("explore", "small.yaml", "--saturation", "--axis", "seed=1,2")["exploration"]
        self.assertEqual([row["set"] for row in seeds], [{"seed": 1}, {"seed": 2}])
        self.assertEqual(seeds[0]["saturation"], alone[0]["saturation"])
        self.assertNotEqual(seeds[0]["saturation"]["points"], seeds[1]["saturation"]["points"])
        self.refused("explore", "small.yaml", says=["nothing to explore", "--saturation"])

    def test_saturation_needs_a_load(self):
        self.refused("explore", "small.yaml", "--axis", "node.lanes=1,2", "--saturation", "--set",
                     "traffic.source={kind: static, messages: 2}", says=["--saturation", "bernoulli"])
        self.refused("run", "small.yaml", "--saturation", says=["saturation"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
