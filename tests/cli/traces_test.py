#!/usr/bin/python3
"""Do event logs and waveforms hold what was asked for, agree with the results, and call a packet by one name?"""
import collections
import csv
import json
import pathlib
import unittest

from cli_support import CommandLineTest, rows_of

EVENT_HEADER = "cycle,router,port,vc,event,packet,flit,source,destination"


class Traces(CommandLineTest):
    def test_events_agree_with_the_results(self):
        for source_queue, load in (("infinite", 0.2), ("discard", 0.6)):
            with self.subTest(source_queue):
                (point,) = self.json_of("run", "small.yaml", "--events", "e.csv", "--set", f"traffic.offered_load={load}",
                                        "--set", f"traffic.source_queue={source_queue}")["points"]
                file = self.folder / "e.csv"
                self.assertEqual(point["files"]["events"], "e.csv")
                self.assertEqual(file.read_text().split("\n", 1)[0], EVENT_HEADER)
                rows = rows_of(file)
                count = collections.Counter(row["event"] for row in rows)
                self.assertEqual(set(count) - {"discard"}, {"generate", "inject", "grant", "cross", "link", "consume"})
                self.assertEqual(count["generate"] + count["discard"], point["packets"]["generated"])
                self.assertEqual(count["discard"], point["packets"]["discarded"])
                self.assertEqual(count["discard"] > 0, source_queue == "discard")
                self.assertEqual(count["inject"], point["flits"]["injected"])
                self.assertEqual(count["consume"], point["flits"]["delivered"])
                headers = sum(row["event"] == "inject" and row["flit"] == "0" for row in rows)
                tails = sum(row["event"] == "consume" and row["flit"] == "2" for row in rows)
                self.assertEqual((headers, tails), (point["packets"]["injected"], point["packets"]["delivered"]))

    def test_a_trace_that_the_limit_cuts_off_is_warned_of(self):
        self.write("late.txt", "5 0 1 3\n3000 1 2 3\n")
        self.write("late.yaml", "topology: {kind: mesh, radix: [3, 3]}\n"
                                "traffic: {source: {kind: trace_file, file: late.txt}}\n")
        self.assertEqual(self.noctule("check", "late.yaml", "--set", "measurement.limit=3001")[1], "")
        _, err = self.noctule("check", "late.yaml", "--set", "measurement.limit=3000")
        self.assertIn("the last packet is born in cycle 3000, and the run ends at cycle 3000; raise measurement.limit", err)
        self.write("late.txt", "0 1 5 at=10\n1 2 5 at=2990 compute=10\n")
        tasks = ["late.yaml", "--set", "traffic.source={kind: workload, file: late.txt}", "--set"]
        self.assertEqual(self.noctule("check", *tasks, "measurement.limit=3001")[1], "")
        self.assertIn("born in cycle 3000", self.noctule("check", *tasks, "measurement.limit=3000")[1])

    def test_the_slowest_packet_is_the_one_of_the_events(self):
        out, _ = self.noctule("run", "small.yaml", "--events", "e.csv", "--out", "out")
        (point,) = json.loads((self.folder / "out/results.json").read_text())["points"]
        told = [point["latency_cycles"][of]["slowest"] for of in ("total", "network")]
        at = collections.defaultdict(dict)
        for row in rows_of(self.folder / "e.csv"):
            cycle = int(row["cycle"])
            packet = at[row["packet"]]
            if row["event"] == "generate" or (row["event"] == "inject" and row["flit"] == "0"):
                packet[row["event"]] = cycle
            elif row["event"] == "consume" and row["flit"] == "2" and cycle >= 200:
                packet.update(consume=cycle, destination=int(row["destination"]))
        done = {name: packet for name, packet in at.items() if "consume" in packet}
        self.assertEqual(max(packet["consume"] - packet["generate"] for packet in done.values()),
                         point["latency_cycles"]["total"]["max"])
        for found, since in zip(told, ("generate", "inject")):
            def order(name):
                packet = done[name]
                return (packet[since] - packet["consume"], packet["consume"], *map(int, name.split(":")))
            name = min(done, key=order)
            packet = done[name]
            self.assertEqual(found, {"packet": name, "destination": packet["destination"], "generated": packet["generate"],
                                     "injected": packet["inject"], "consumed": packet["consume"]})
        self.assertIn(f"longest in the network: packet {told[1]['packet']} to terminal {told[1]['destination']}, "
                      f"from cycle {told[1]['injected']} to {told[1]['consumed']}\n", out)

    def test_no_file_that_is_read_or_a_result_is_overwritten(self):
        self.write("trace.csv", "cycle,source,destination,flits\n0,0,1,3\n")
        self.write("net.yaml", "topology: {kind: mesh, radix: [3, 3]}\n")
        self.write("traced.yaml", "base: net.yaml\ntraffic: {source: {kind: trace_file, file: trace.csv}}\n")
        for file in "traced.yaml", "net.yaml", "trace.csv", "./trace.csv":
            with self.subTest(file):
                before = (self.folder / file).read_text()
                self.refused("run", "traced.yaml", "--events", file, says=[f"--events {file}", "read from this file"])
                self.assertEqual((self.folder / file).read_text(), before)
        (self.folder / "r").mkdir()
        for name in "results.json", "points.jsonl":
            self.refused("run", "small.yaml", "--out", "r", "--events", f"r/{name}",
                         says=[name, "results are written to this file"])
        self.noctule("run", "small.yaml", "--out", "r", "--events", "r/events.csv")
        for name in "small.vcd", "small.gtkw", "small.events.csv":
            self.refused("run", "small.yaml", "--out", "r", "--events", f"r/{name}", "--set", "trace.vcd=true",
                         says=[name, "results are written to this file"])

    def test_a_run_that_is_refused_leaves_what_an_earlier_one_traced(self):
        traced = ["run", "small.yaml", "--out", "r", "--events", "e.csv", "--set"]
        self.noctule(*traced, "trace={vcd: true, scope: [router_1_1]}")
        files = [self.folder / "r/small.vcd", self.folder / "e.csv"]
        before = [file.read_bytes() for file in files]
        self.refused(*traced, "trace={vcd: true, scope: [router_9_9]}", says=["trace.scope"])
        self.assertEqual(before, [file.read_bytes() for file in files])
        self.refused("run", "small.yaml", "--out", "new", "--set", "trace={vcd: true, scope: [router_9_9]}", says=["trace.scope"])
        self.assertFalse((self.folder / "new/small.vcd").exists())
        self.noctule(*traced, "trace={vcd: true, scope: [router_1_1], from: 300, cycles: 5}")
        self.assertLess(files[0].stat().st_size, len(before[0]))

    def test_what_a_trace_accepts_is_held_against_no_other_packets(self):
        # tau_max is one of packets of traffic.packet_length, which a trace and a workload do not send.
        files = {"trace_file": "0 0 5 1\n10 1 2 1\n", "workload": "0 5 500\n1 2 500\n"}
        for source, text in files.items():
            self.write("packets.txt", text)
            self.write("few.yaml", "topology: {kind: mesh, radix: [4, 4]}\n"
                       f"traffic: {{source: {{kind: {source}, file: packets.txt}}}}\n")
            (point,) = self.json_of("run", "few.yaml", "--quiet", "--out", "few")["points"]
            self.assertIn("flits_per_node_cycle", point["accepted"])
            self.assertNotIn("normalized", point["accepted"])

    def test_every_point_has_a_file_of_its_own(self):
        document = self.json_of("sweep", "small.yaml", "--axis", "seed=1,2", "--events", "e.csv")
        files = [point["files"]["events"] for point in document["points"]]
        self.assertEqual(len(set(files)), 2)
        self.assertEqual(len({(self.folder / file).read_text() for file in files}), 2)
        self.write("events.yaml", (self.folder / "small.yaml").read_text() + "trace: {events: true}\n")
        _, err = self.noctule("run", "events.yaml", "--events", "e.csv")
        self.assertIn("trace.events: has no effect here: it counts only where there is no option --events", err)

    def test_waveforms_exist_and_are_named(self):
        arguments = ["sweep", "small.yaml", "--axis", "seed=1,2", "--set",
                     "trace={vcd: true, events: true, scope: [router_1_1.*], from: 300, cycles: 50}"]
        points = self.json_of(*arguments)["points"]
        self.assertEqual(set(points[0]["files"]), {"vcd", "gtkw", "events"})
        self.assertNotIn("files", points[1], "by default the first point of a series is traced")
        points = self.json_of(*arguments, "--set", "trace.points=all")["points"]
        names = [name for point in points for name in point["files"].values()]
        self.assertEqual(len(set(names)), 6)
        for name in names:
            self.assertGreater((self.folder / name).stat().st_size, 50, name)
        vcd = (self.folder / points[0]["files"]["vcd"]).read_text()
        self.assertIn("router_1_1", vcd)
        self.assertNotIn("router_0_0", vcd)
        cycles = {int(row["cycle"]) for row in rows_of(self.folder / points[0]["files"]["events"])}
        self.assertTrue(cycles and min(cycles) >= 300 and max(cycles) < 350, cycles)
        self.assertIn(pathlib.Path(points[0]["files"]["vcd"]).name,
                      (self.folder / points[0]["files"]["gtkw"]).read_text())

    def test_files_of_series_with_long_names_are_written(self):
        labels = [400 * "a" + end for end in ("1", "2")]
        (one, two) = self.json_of("compare", "small.yaml", "--set", "trace={vcd: true, events: true, cycles: 5}", "--set",
                                  "compare=[{label: %s}, {label: %s, set: {seed: 2}}]" % tuple(labels))["points"]
        names = [point["files"][kind] for point in (one, two) for kind in ("vcd", "gtkw", "events")]
        self.assertEqual(len(set(names)), 6)
        for name in names:
            self.assertTrue((self.folder / name).is_file(), name)

    def test_the_waveform_of_a_finite_workload_ends_soon_behind_it(self):
        self.write("few.yaml", "topology: {kind: mesh, radix: [3, 3]}\n"
                               "traffic: {source: {kind: static, messages: 3}, packet_length: 4}\ntrace: {vcd: true}\n")
        (point,) = self.json_of("run", "few.yaml")["points"]
        vcd = (self.folder / point["files"]["vcd"]).read_text()
        ends = max(int(line[1:]) for line in vcd.splitlines() if line.startswith("#"))
        drained = point["time_to_drain_cycles"]
        self.assertTrue(drained - 1 <= ends <= drained + 100, (drained, ends))

    def test_check_and_run_say_alike_what_a_waveform_would_not_show(self):
        nowhere = ["trace.scope", "nothing in the fabric is called 'router_9_9'", "router_0_0.input_buffers"]
        scope = ["--set", "trace={vcd: true, scope: [router_1_1, router_9_9]}"]
        for command in "run", "check":
            self.refused(command, "small.yaml", *scope, says=nowhere)
        # Of a series only the first point is traced, unless the file says otherwise.
        scope = ["--set", "trace={vcd: true, scope: [router_0_2]}", "--axis", "topology.radix=[3, 3],[2, 2]"]
        self.noctule("check", "small.yaml", *scope)
        self.refused("check", "small.yaml", *scope, "--set", "trace.points=all",
                     says=["topology.radix", "'router_0_2'"])
        self.refused("check", "small.yaml", "--set", "trace={vcd: true, scope: [router_0_2]}", "--axis",
                     "node.lanes=1,2", "--set", "topology.radix=[2, 2]", says=["'router_0_2'"])

    def test_a_window_behind_the_end_of_the_run_is_said(self):
        # A fixed length is refused before the run; how long the warm-up is found to be is known behind it.
        auto = ("run", "small.yaml", "--events", "e.csv", "--set", "measurement.warm_up=auto", "--set")
        (point,) = self.json_of(*auto, "trace.from=10")["points"]
        end = point["cycles"]["warm_up"] + point["cycles"]["measured"]
        _, err = self.noctule(*auto, f"trace.from={end}")
        self.assertIn(f"nothing is traced: trace.from is {end}, and the run ended after {end} cycles", err)
        _, err = self.noctule(*auto, f"trace.from={end - 1}")
        self.assertNotIn("trace.from", err)


class Multicasts(CommandLineTest):
    def multicast_events(self):
        """A multicast of terminal 0 to 2 and 8, generated in cycle 10, ready after 50 more, and a unicast."""
        self.write("trace.txt", "10 0 2,8 4\n20 4 3 2\n")
        self.write("several.yaml", """\
topology: {kind: mesh, radix: [3, 3]}
node: {output_depth: 0, consumption_channels: 4}
multicast: {planner: column_path}
traffic: {source: {kind: trace_file, file: trace.txt}, multicast: {preparation_delay: 50}}
measurement: {limit: 1000}
trace: {vcd: true}
""")
        self.noctule("run", "several.yaml", "--events", "events.csv")
        with open(self.folder / "events.csv", encoding="utf-8", newline="") as file:
            return [row for row in csv.DictReader(file) if row["packet"] == "0:0"]

    def test_a_multicast_is_generated_before_it_is_prepared(self):
        events = self.multicast_events()
        self.assertEqual({row["cycle"] for row in events if row["event"] == "generate"}, {"10"})
        self.assertGreaterEqual(min(int(row["cycle"]) for row in events if row["event"] == "inject"), 60)

    def test_what_is_consumed_names_who_takes_it(self):
        at = collections.defaultdict(set)
        for row in self.multicast_events():
            if row["event"] == "consume":
                at[row["router"]].add(row["destination"])
        self.assertEqual(at, {"router_2_0": {"2"}, "router_2_2": {"8"}})

    def test_a_packet_has_one_name(self):
        self.multicast_events()
        (wave,) = (self.folder / "out/several").glob("*.vcd")
        text = wave.read_text(encoding="utf-8")
        names = {}  # identifier to signal, of the flit on the consumption channels of terminal 3
        scope = []
        for line in text[:text.index("$enddefinitions")].splitlines():
            words = line.split()
            if words[:1] == ["$scope"]:
                scope.append(words[2])
            elif words[:1] == ["$upscope"]:
                scope.pop()
            elif words[:1] == ["$var"] and "router_0_1" in scope and "consumption" in scope:
                names[words[3]] = words[4]
        seen = collections.defaultdict(set)
        for line in text[text.index("$enddefinitions"):].splitlines():
            value, _, code = line.partition(" ")
            if value[:1] == "b" and code in names and "z" not in value:
                seen[names[code]].add(int(value[1:], 2))
        self.assertEqual((seen["source"], seen["packet"], seen["destination"]), ({4}, {0}, {3}),
                         "packet 4:0, as the event log calls it")

    def test_multicasts_and_other_messages_have_columns_of_their_own(self):
        self.multicast_events()
        (point,) = self.results("out/several")["points"]
        with open(self.folder / "out/several/results.csv", encoding="utf-8", newline="") as file:
            (row,) = csv.DictReader(file)
        several, one = point["multicast"]["multicasts"], point["multicast"]["unicasts"]
        self.assertEqual((several["delivered_packets"], one["delivered_packets"]), (1, 1))
        self.assertGreater(several["latency_cycles"]["total"], 50, "preparation counts, up to the last destination")
        self.assertLess(several["latency_cycles"]["each_destination"], several["latency_cycles"]["total"])
        self.assertEqual(float(row["distance_mean_hops"]), 1, "of the message with one destination")
        self.assertGreater(float(row["links_per_packet_mean_hops"]), 1)
        for column, value in [("multicasts_latency_total_mean_cycles", several["latency_cycles"]["total"]),
                              ("unicasts_latency_total_mean_cycles", one["latency_cycles"]["total"]),
                              ("multicasts_destinations_per_packet", 2)]:
            self.assertEqual(float(row[column]), value)


if __name__ == "__main__":
    unittest.main(verbosity=2)
