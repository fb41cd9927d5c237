#!/usr/bin/python3
"""flows.csv: what each pair of terminals sends and gets."""
import csv
import json
import unittest

from cli_support import CommandLineTest

BASE = """\
name: base
topology: {kind: mesh, radix: [4, 4]}
node: {model: input_queued, lanes: 2, input_depth: 4}
measurement: {warm_up: 500, cycles: 3000, flows: true}
"""


class Flows(CommandLineTest):
    def run_of(self, text, *options, name="base"):
        """(results.json, rows of flows.csv)."""
        self.write(f"{name}.yaml", text)
        self.noctule("run", f"{name}.yaml", "--fresh", "--out", "out", *options)
        with (self.folder / "out/flows.csv").open(encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
        return json.loads((self.folder / "out/results.json").read_text(encoding="utf-8")), rows

    def table(self, name):
        with (self.folder / "out" / name).open(encoding="utf-8", newline="") as stream:
            return list(csv.DictReader(stream))

    def test_they_add_up_to_what_the_network_delivers(self):
        document, rows = self.run_of(BASE + "traffic: {offered_load: 0.3, packet_lengths: [{length: 1}, {length: 6}]}\n")
        point, = document["points"]
        ends = [(int(row["source"]), int(row["destination"])) for row in rows]
        self.assertEqual(ends, sorted(set(ends)))
        self.assertEqual(len(rows), 16 * 15)
        packets = sum(int(row["delivered_packets"]) for row in rows)
        self.assertEqual(packets, sum(int(row["count"]) for row in self.table("latency_hist.csv")))
        by_terminal = {row["terminal"]: int(row["delivered_flits"]) for row in self.table("terminals.csv")}
        for terminal, flits in by_terminal.items():
            mine = [row for row in rows if row["destination"] == terminal]
            # Of a packet whose tail comes in the window, up to 5 flits may have come before, and the other way round.
            self.assertAlmostEqual(sum(int(row["delivered_flits"]) for row in mine), flits, delta=30)
        for column, kind in (("latency_total_mean_cycles", "total"), ("latency_network_mean_cycles", "network")):
            total = sum(float(row[column]) * int(row["delivered_packets"]) for row in rows)
            self.assertAlmostEqual(total / packets, point["latency_cycles"][kind]["mean"], places=6)
        self.assertEqual(max(int(row["latency_total_max_cycles"]) for row in rows), point["latency_cycles"]["total"]["max"])
        for row in rows:
            self.assertAlmostEqual(float(row["accepted_flits_per_cycle"]), int(row["delivered_flits"]) / 3000, places=12)
            self.assertEqual(row["class"], "")

    def test_only_pairs_that_send_have_a_row_each_with_its_rate(self):
        self.write("rates.txt", "0 15 0.2\n3 12 0.1 length=2\n5 6,9 0.3\n")
        _, rows = self.run_of(BASE + "traffic: {source: {kind: flows, file: rates.txt, length: 4}}\n",
                              "--set", "measurement.cycles=20000")
        rates = {(row["source"], row["destination"]): float(row["accepted_flits_per_cycle"]) for row in rows}
        wanted = {("0", "15"): 0.2, ("3", "12"): 0.1, ("5", "6"): 0.15, ("5", "9"): 0.15}
        self.assertEqual(rates.keys(), wanted.keys())
        for pair, rate in wanted.items():
            self.assertAlmostEqual(rates[pair], rate, delta=0.1 * rate)

    def test_a_flow_of_which_nothing_arrives_has_a_row(self):
        """It is longer under way than the run lasts."""
        self.write("rates.txt", "0 15 0.5\n3 4 0.5\n")
        text = BASE.replace("radix: [4, 4]", "radix: [16]") + "traffic: {source: {kind: flows, file: rates.txt, length: 1}}\n"
        _, (far, near) = self.run_of(text, "--set", "measurement={warm_up: 0, cycles: 60, flows: true}")
        self.assertEqual((far["source"], far["destination"], far["delivered_packets"], far["accepted_flits_per_cycle"]),
                         ("0", "15", "0", "0"))
        self.assertGreater(int(far["generated_packets"]), 10)
        self.assertEqual([far[column] for column in far if column.startswith("latency")], ["", "", ""])
        self.assertGreater(int(near["delivered_packets"]), 10)

    def test_classes_have_rows_of_their_own(self):
        self.write("rates.txt", "0 15 0.1 class=urgent\n0 15 0.2 class=bulk\n")
        _, rows = self.run_of(BASE + """\
message_classes: {urgent: {vcs: {lane: 0}}, bulk: {vcs: {lane: 1}}}
traffic: {source: {kind: flows, file: rates.txt, length: 4}}
""")
        self.assertEqual([row["class"] for row in rows], ["urgent", "bulk"])
        self.assertLess(int(rows[0]["delivered_flits"]), int(rows[1]["delivered_flits"]))

    def test_every_destination_of_a_multicast_counts(self):
        text = """\
name: many
topology: {kind: mesh, radix: [4, 4]}
node: {model: generic, output_depth: 0, input_depth: 4, lanes: 2, consumption_channels: 4}
multicast: {planner: column_path}
traffic: {offered_load: 0.2, packet_length: 8, multicast: {fraction: 1, least: 3, most: 3}}
measurement: {warm_up: 500, cycles: 4000, flows: true}
"""
        document, rows = self.run_of(text, name="many")
        point, = document["points"]
        generated = sum(int(row["generated_packets"]) for row in rows)
        self.assertGreater(generated, 1000)
        delivered = sum(int(row["delivered_packets"]) for row in rows)
        self.assertAlmostEqual(delivered, generated, delta=0.05 * generated)
        mean = sum(float(row["latency_total_mean_cycles"] or 0) * int(row["delivered_packets"]) for row in rows) / delivered
        self.assertAlmostEqual(mean, point["multicast"]["multicasts"]["latency_cycles"]["each_destination"], delta=0.02 * mean)

    def test_a_run_that_stops_in_its_warm_up_has_no_rows(self):
        self.write("stuck.yaml", """\
topology: {kind: ring, nodes: 4, directions: plus}
node: {model: generic, lanes: 1}
routing: {algorithm: turn_table}
allow_deadlock: true
traffic: {offered_load: 0.5, packet_length: 8}
measurement: {warm_up: 20000, cycles: 10000, flows: true}
""")
        self.noctule("run", "stuck.yaml", "--fresh", "--out", "out", code=1)
        point, = json.loads((self.folder / "out/results.json").read_text(encoding="utf-8"))["points"]
        self.assertEqual((point["status"], point["cycles"]["measured"]), ("deadlocked", 0))
        self.assertGreater(point["packets"]["delivered"], 0)
        flows = self.folder / "out/flows.csv"
        self.assertEqual(self.table("flows.csv") if flows.exists() else [], [])

    def test_of_a_sweep_each_point_has_its_rows(self):
        self.write("sweep.yaml", BASE + "traffic: {pattern: transpose}\n")
        self.noctule("sweep", "sweep.yaml", "--axis", "traffic.offered_load=0.1,0.2", "--fresh", "--out", "out")
        rows = self.table("flows.csv")
        self.assertEqual([row["point"] for row in rows], ["0"] * 12 + ["1"] * 12)
        for low, high in zip(rows[:12], rows[12:]):
            self.assertLess(int(low["generated_packets"]), int(high["generated_packets"]))

    def test_without_the_key_there_is_no_file_and_nothing_else_differs(self):
        counted, _ = self.run_of(BASE + "traffic: {offered_load: 0.2}\n")
        self.noctule("run", "base.yaml", "--fresh", "--out", "out", "--set", "measurement.flows=false")
        self.assertFalse((self.folder / "out/flows.csv").exists())
        plain = json.loads((self.folder / "out/results.json").read_text(encoding="utf-8"))
        self.assertEqual(counted["points"][0]["digest"], plain["points"][0]["digest"])
        self.assertEqual(counted["points"][0]["latency_cycles"], plain["points"][0]["latency_cycles"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
