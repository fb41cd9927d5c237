#!/usr/bin/python3
"""Does a sweep give the same whatever happens on the way: threads, an interrupt, the crash of a point, more points later?"""
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

    def test_points_with_event_logs_run_again_and_that_is_said(self):
        process = self.begin("--threads", "1", "--out", "part", "--set", "trace.events=true", "--set", "trace.points=all",
                             start_new_session=True)
        end = time.monotonic() + TIMEOUT
        while len(list((self.folder / "part").glob("*.events.csv"))) < 3:
            self.assertIsNone(process.poll(), "it ended before anything could happen to it")
            if time.monotonic() > end:
                self.fail("it hangs")
            time.sleep(0.005)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 130, err)
        count = len(self.results("part")["points"])
        self.assertGreater(count, 0)
        self.assertIn(f"the same command goes on, but runs {count} of them again: ", err)

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
                young = False
                try:
                    os.kill(child, signal.SIGSTOP)
                    state, used = state_of(child)
                    young = state == "T" and used < YOUNG
                    if young:
                        os.kill(child, by)
                    os.kill(child, signal.SIGCONT)
                except (ProcessLookupError, FileNotFoundError):
                    pass  # it has ended, by itself or at once by the signal
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


if __name__ == "__main__":
    unittest.main(verbosity=2)
