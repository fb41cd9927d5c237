#!/usr/bin/python3
"""Is what an earlier run left in a folder removed and said, and is what others put there kept?"""
import os
import pathlib
import signal
import time
import unittest

from cli_support import TIMEOUT, CommandLineTest


class Leftovers(CommandLineTest):
    """What an earlier run of the same name left is never taken for this one's."""

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

    def test_no_file_that_is_read_is_overwritten_or_removed(self):
        trace = "cycle,source,destination,flits\n0,0,1,3\n"
        grid = "topology: {kind: mesh, radix: [3, 3]}\n"
        pairs = "".join(f"{n} {8 - n}\n" for n in range(9) if n != 4)
        self.write("r/terminals.csv", pairs)
        self.write("r/links.csv", trace)
        self.write("r/results.csv", grid)
        self.write("r/permuted.yaml", grid + "traffic: {pattern: {kind: permutation_file, file: terminals.csv}}\n")
        self.write("r/traced.yaml", grid + "traffic: {source: {kind: trace_file, file: links.csv}}\n")
        self.write("r/based.yaml", "base: results.csv\nname: based\n")
        for name in ("config.json", "verify.json", "explain.json", "levels.json", "cosim.json", "exploration.csv"):
            self.write(f"r/{name}", grid)
        before = {name: (self.folder / "r" / name).read_bytes() for name in self.files("r")}
        for command, file, read in (("run", "permuted.yaml", "terminals.csv"), ("run", "traced.yaml", "links.csv"),
                                    ("sweep", "based.yaml", "results.csv"), ("run", "results.csv", "results.csv"),
                                    ("run", "config.json", "config.json"), ("verify", "verify.json", "verify.json"),
                                    ("explore", "exploration.csv", "exploration.csv"),
                                    ("explain", "explain.json", "explain.json")):
            with self.subTest(file, command=command):
                more = ["--axis", "seed=1,2"] if command in ("explore", "sweep") else []
                self.refused(command, f"r/{file}", "--out", "r", *more,
                             says=["--out r: the configuration is read from r/" + read, "give another folder"])
        self.assertEqual(before, {name: (self.folder / "r" / name).read_bytes() for name in self.files("r")})
        self.noctule("run", "r/permuted.yaml", "--out", "elsewhere", "--quiet")

    def test_the_event_log_of_an_earlier_run_is_not_removed_while_it_is_read(self):
        self.noctule("run", "small.yaml", "--set", "trace.events=true", "--out", "r", "--quiet")
        self.write("again.yaml", "base: small.yaml\ntraffic: {source: {kind: trace_file, file: r/small.events.csv}}\n")
        again = ["run", "again.yaml", "--quiet", "--out"]
        self.refused(*again, "r", says=["--out r", "r/small.events.csv, and what earlier runs left there is removed"])
        self.assertIn("small.events.csv", self.files("r"))

    def test_event_logs_with_names_of_the_user_stay(self):
        self.noctule("run", "small.yaml", "--out", "r", "--quiet")
        self.noctule("run", "small.yaml", "--out", "r", "--events", "r/mine.csv", "--quiet")
        log = (self.folder / "r" / "mine.csv").read_bytes()
        _, err = self.noctule("run", "small.yaml", "--out", "r")
        self.assertNotIn("removed", err)
        self.assertEqual((self.folder / "r" / "mine.csv").read_bytes(), log)
        # One that the configuration asks for is the run's.
        self.noctule("run", "small.yaml", "--set", "trace.events=true", "--out", "r", "--quiet")
        self.assertIn("small.events.csv", self.files("r"))
        self.noctule("run", "small.yaml", "--out", "r", "--quiet")
        self.assertNotIn("small.events.csv", self.files("r"))

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


if __name__ == "__main__":
    unittest.main(verbosity=2)
