#!/usr/bin/python3
"""noctule levels: the same transactions at three levels, and a recording in place of the traffic of the file."""
import csv
import json
import unittest

from cli_support import CommandLineTest, rows_of

PLATFORM = """\
topology: {kind: mesh, radix: [2, 2]}
node: {model: input_queued, lanes: 2, input_depth: 4, injection_vcs: 1, consumption_vcs: 1}
message_classes: {request: {vcs: {lane: 0}, buffer: 4}, response: {vcs: {lane: 1}}}
depends: {request: [response]}
traffic: {packet_length: 4, offered_load: 0.05}
measurement: {warm_up: 0, cycles: 3000}
tlm:
  initiators: {a: {terminal: 0}, b: {terminal: 1}}
  targets: {m: {terminal: 2}, n: {terminal: 3}}
  map: [{base: 0, size: 64KiB, target: m}, {base: 0x10000, size: 64KiB, target: n}]
"""
COLUMNS = ("number,initiator,target,command,address,bytes,streaming_width,byte_enable_length,status,begin_ps,accepted_ps,"
           "first_flit,reached,answered,last_flit,response_ps,pieces,after\n")


class Levels(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("platform.yaml", PLATFORM)

    def test_traffic_of_the_file(self):
        document = self.json_of("levels", "platform.yaml", "--out", "one")
        self.assertGreater(document["transactions"], 50)
        self.assertEqual([one["level"] for one in document["levels"]], ["approximate", "loose", "loose"])
        self.assertEqual(document["flows_with_few_transactions"], 4)
        again = self.json_of("levels", "platform.yaml", "--out", "two")
        self.assertEqual(document["levels"], again["levels"])

    def test_what_is_drawn_has_the_lengths_of_the_file(self):
        mixed = ["--set", "traffic.packet_lengths=[{length: 1}, {length: 9}]"]
        one = self.json_of("levels", "platform.yaml", "--set", "traffic.packet_length=5", "--out", "one")
        two = self.json_of("levels", "platform.yaml", *mixed, "--out", "two")
        self.assertGreater(two["transactions"], 50)
        self.assertNotEqual(one["levels"], two["levels"])
        # The mean latency of a flow lies between those of transactions that are all short, and all long.
        short, long = ({row["initiator"] + row["target"]: float(row["cycle_ns"]) for row in self.flows(length)}
                       for length in (1, 9))
        for row in rows_of(self.folder / "two/levels.csv"):
            flow = row["initiator"] + row["target"]
            self.assertLess(short[flow], float(row["cycle_ns"]))
            self.assertGreater(long[flow], float(row["cycle_ns"]))

    def flows(self, length):
        self.json_of("levels", "platform.yaml", "--set", f"traffic.packet_length={length}", "--out", f"l{length}")
        return rows_of(self.folder / f"l{length}/levels.csv")

    def test_what_it_does_not_heed_is_told(self):
        for option in ("traffic.sink={kind: server, service_time: 10}", "traffic.source_queue=discard", "tlm.level=loose",
                       "tlm.contention=none", "trace.vcd=true", "measurement.warm_up=500", "measurement.flows=true"):
            key = option.split("=")[0].removesuffix(".vcd")
            self.refused("levels", "platform.yaml", "--set", option, says=[key, "has no effect here"])
        self.write("more.yaml", PLATFORM.replace("offered_load: 0.05", "offered_load: 0.05, stall: 0.2, source_queue: 4"))
        _, err = self.noctule("levels", "more.yaml", "--out", "more")
        for key in ("traffic.stall", "traffic.source_queue"):
            self.assertRegex(err, rf"warning: more.yaml:\d+:\d+: {key}: has no effect here")
        self.assertEqual(self.noctule("levels", "platform.yaml", "--out", "less")[1], "")

    def test_a_recording_takes_the_place_of_all_traffic(self):
        self.write("recorded.csv", COLUMNS)
        self.refused("levels", "platform.yaml", "--trace", "recorded.csv", "--set", "traffic.offered_load=0.1",
                     says=["traffic.offered_load", "the transactions are those of the recording"])

    def test_what_is_not_drawn_is_refused(self):
        self.refused("levels", "platform.yaml", "--set", "traffic.source=periodic",
                     says=["traffic.source", "as source bernoulli does, not as periodic", "--trace"])
        self.refused("levels", "platform.yaml", "--set", "traffic.packet_length=20000", "--set",
                     "traffic.offered_load=1", "--set", "measurement.cycles=300000",
                     says=["tlm.map", "has room for the 160000 bytes", "shorter packets"])
        late = "0,a,m,read,0x40,32,32,0,ok,99999999999999999,,,9,15,,99999999999999999,1,\n"
        self.write("late.csv", COLUMNS + late)
        self.refused("levels", "platform.yaml", "--trace", "late.csv", says=["limits.time_h", "begin_ps", "24 hours"])

    def test_a_calibration_overwrites_no_configuration(self):
        self.refused("levels", "platform.yaml", "--calibrate", "platform.yaml",
                     says=["--calibrate platform.yaml", "read from this file"])
        self.assertEqual((self.folder / "platform.yaml").read_text(), PLATFORM)

    def test_enough_transactions_unless_the_cycles_are_given(self):
        self.write("auto.yaml", PLATFORM.replace(", cycles: 3000", ""))
        document = self.json_of("levels", "auto.yaml", "--out", "auto")
        self.assertEqual(document["flows_with_few_transactions"], 0)
        approximate = document["levels"][0]
        self.assertLess(approximate["error_median"], 0.01)
        self.assertLess(approximate["error_p95"], 0.02)
        self.refused("levels", "platform.yaml", "--set", "measurement.cycles=1000000000",
                     says=["measurement.cycles", "at most 5e+06 are held at a time"])
        self.refused("levels", "platform.yaml", "--set", "traffic.offered_load=0", says=["no transaction is drawn"])

    def test_a_recording_that_meets_nothing_is_exact(self):
        lines = [f"{n},a,m,read,0x40,32,32,0,ok,{n * 100000},,,{n * 100 + 9},{n * 100 + 15},,{n * 100000 + 40000},1,"
                 f"{n - 1 if n else ''}\n" for n in range(5)]
        self.write("t.csv", COLUMNS + "".join(lines))
        document = self.json_of("levels", "platform.yaml", "--trace", "t.csv")
        self.assertEqual(document["transactions"], 5)
        for one in document["levels"]:
            self.assertAlmostEqual(one["error_worst"], 0)

    def test_a_calibration_belongs_to_one_fabric(self):
        load = ["--set", "traffic.offered_load=0.15"]
        found = self.json_of("levels", "platform.yaml", *load, "--set", "measurement.cycles=60000", "--calibrate", "c.json")
        self.assertGreater(sum(found[part] for part in ("enter", "links", "leave", "shared")), 0.5)
        with_it = ["--set", "tlm.calibration=c.json", *load, "--set", "measurement.cycles=40000", "--seed", "3"]
        before = self.json_of("levels", "platform.yaml", *with_it[2:], "--out", "before")
        document = self.json_of("levels", "platform.yaml", *with_it, "--out", "after")
        self.assertNotIn("outside_calibration", before)
        self.assertGreaterEqual(document["outside_calibration"], 0)
        self.assertLess(document["levels"][-1]["error_median"], before["levels"][-1]["error_median"])
        self.refused("levels", "platform.yaml", *with_it, "--set", "node.input_depth=8",
                     says=["tlm.calibration", "c.json", "another fabric", "--calibrate"])
        self.noctule("levels", "platform.yaml", *with_it, "--set", "node.input_depth=8", "--calibrate", "d.json")
        for damaged, says in (("{", "is no calibration"), ("{}", "is no calibration"),
                              (json.dumps({**found, "leave": "much"}), "has no number 'leave'"),
                              (json.dumps({**found, "steep": -1}), "says -1 for 'steep'")):
            self.write("e.json", damaged)
            self.refused("levels", "platform.yaml", "--set", "tlm.calibration=e.json", says=["tlm.calibration", says])
        # What a file of the network says counts, too.
        net = ["--set", "topology={kind: graph, file: net.anynet}", "--set", "routing=up_down", *load]
        self.write("net.anynet", "router 0 node 0 router 1\nrouter 1 node 1 router 2\nrouter 2 node 2 router 3\nrouter 3 node 3\n")
        self.noctule("levels", "platform.yaml", *net, "--set", "measurement.cycles=60000", "--calibrate", "g.json")
        net += ["--set", "tlm.calibration=g.json", "--set", "measurement.cycles=20000"]
        self.noctule("levels", "platform.yaml", *net)
        self.write("net.anynet", "router 0 node 0 router 1 3\nrouter 1 node 1 router 2\nrouter 2 node 2 router 3\nrouter 3 node 3\n")
        self.refused("levels", "platform.yaml", *net, says=["tlm.calibration", "another fabric"])
        self.refused("levels", "platform.yaml", "--set", "tlm.calibration=none.json", says=["tlm.calibration", "none.json"])
        self.refused("levels", "platform.yaml", "--calibrate", "no/such/folder.json", *load, "--set",
                     "measurement.cycles=20000", says=["cannot be written"])
        self.refused("levels", "platform.yaml", "--calibrate", "f.json", "--trace", "t.csv", says=["leave --trace out"])

    def test_check_refuses_what_a_network_refuses(self):
        self.noctule("check", "platform.yaml")
        for setting, says in (("tlm.targets.m.terminal=9", "tlm.targets.m.terminal: terminal 9 is given"),
                              ("tlm.targets={}", "tlm"),
                              ("tlm.request_class=ask", "tlm.request_class"),
                              ("routing=north_last", "tlm.reorder: none needs a fabric"),
                              ("tlm.period=1e-9", "tlm.period: 1e-09 ns is no whole multiple of 1 ps"),
                              ("tlm.period=0.0015", "give 0.002, which is the nearest"),
                              ("tlm.map=[{base: 0, size: 1KiB, interleave: {granule: 64, over: [m, m]}}]",
                               "tlm.map[0].interleave.over: entries 0 and 1")):
            for command in ("check", "levels"):
                with self.subTest(setting, command=command):
                    self.refused(command, "platform.yaml", "--set", setting, says=[says])
        self.refused("check", "platform.yaml", "--set", "tlm.level=loose", "--set", "tlm.contention=utilisation",
                     "--set", "tlm.calibration=none.json", says=["tlm.calibration: '"])
        for period in ("0.001", "0.7", "0.333", "1.1", "123456789.123"):
            self.noctule("check", "platform.yaml", "--set", f"tlm.period={period}")

    def test_check_tells_what_only_other_keys_give_an_effect(self):
        self.write("tuned.yaml", PLATFORM + "  utilisation_window: 1000\n")
        self.refused("check", "tuned.yaml", says=["tuned.yaml:11:3: tlm.utilisation_window: has no effect here",
                                                  "tlm.contention is utilisation, and in noctule levels"])
        self.noctule("levels", "tuned.yaml", "--quiet")
        self.write("tuned.yaml", PLATFORM + "  utilisation_window: 1000\n  level: loose\n  contention: utilisation\n")
        self.noctule("check", "tuned.yaml")

    def test_what_is_busier_than_the_calibration_is_told(self):
        self.noctule("levels", "platform.yaml", "--set", "traffic.offered_load=0.01", "--set", "measurement.cycles=200000",
                "--calibrate", "c.json")
        out, _ = self.noctule("levels", "platform.yaml", "--set", "tlm.calibration=c.json", "--set",
                         "traffic.offered_load=0.2", "--set", "measurement.cycles=30000")
        self.assertIn("met links that are busier than those of the calibration", out)

    def test_pieces_take_as_long_as_they_did(self):
        wide = "0,a,m,read,0x40,256,256,0,ok,0,,,{},{},,900000,8,"
        mean = []
        for reached, answered, service in ((9, 600, ""), (9, 15, ",5"), (9, 600, ",5")):
            columns = COLUMNS if not service else COLUMNS.replace("after", "after,service")
            self.write("t.csv", columns + wide.format(reached, answered) + service + "\n")
            self.noctule("levels", "platform.yaml", "--trace", "t.csv", "--out", "out")
            with open(self.folder / "out" / "levels.csv", encoding="utf-8") as table:
                mean.append(float(next(csv.DictReader(table))["cycle_ns"]))
        self.assertEqual(mean[1], mean[2])
        self.assertGreater(mean[0], mean[1] + 500)

    def test_a_transaction_that_takes_long_does_not_wait_for_ever(self):
        self.write("t.csv", COLUMNS + "0,a,m,read,0x40,200000,4,0,ok,0,,,9,15,,40000,1,\n")
        document = self.json_of("levels", "platform.yaml", "--trace", "t.csv", "--set", "tlm.packet.length_bits=2")
        self.assertEqual(document["transactions"], 1)

    def test_a_default_target_does_not_widen_addresses(self):
        for more in ([], ["--set", "tlm.default=m"]):
            self.refused("check", "platform.yaml", "--set", "tlm.packet.address_bits=8", *more,
                         says=["tlm.packet.address_bits", "a header has 8 bits", "addresses of 17"])

    def test_a_wrong_line_is_named(self):
        rest = "32,0,ok,0,,,9,15,,40000,1,\n"
        for line, says in (("0,nobody,m,read,0x40,32," + rest, "t.csv:2: --trace: there is no initiator 'nobody'"),
                           ("0,a,m,fetch,0x40,32," + rest, "t.csv:2: --trace: 'fetch' is no command"),
                           ("0,a,m,read,0x4g,32," + rest, "t.csv:2: --trace: '0x4g' is no number (address)"),
                           ("0,a,m,read,0x40,5000000000," + rest, "t.csv:2: --trace: bytes is 5000000000; a transaction of a replay has at most"),
                           ("0,a,m,read\n", "t.csv:2: --trace: has 4 cells"),
                           ("0,a,m,read,0x40,32,32,0,ok,0,,,9,900000000000000,,40000,1,\n",
                            "t.csv:2: --trace: it is served for 899999999999990 cycles; at most"),
                           ("", "--trace t.csv: there is no transaction with packets")):
            with self.subTest(line):
                self.write("t.csv", COLUMNS + line)
                self.refused("levels", "platform.yaml", "--trace", "t.csv", says=[says])
        self.write("t.csv", "")
        self.refused("levels", "platform.yaml", "--trace", "t.csv", says=["--trace t.csv: the file is empty"])
        for text in "a,b\n1,2\n", "cycle,source,destination,flits\n":
            self.write("t.csv", text)
            self.refused("levels", "platform.yaml", "--trace", "t.csv", says=["--trace t.csv: there is no column"])
        self.refused("levels", "platform.yaml", "--trace", ".", says=["--trace .: this is a folder"])
        message = self.refused("levels", "platform.yaml", "--trace", "no.csv", says=["--trace no.csv: cannot be read"])
        self.assertNotIn("platform.yaml", message)

    def test_a_transaction_that_the_network_would_not_carry_is_named(self):
        good = "0,a,m,read,0x40,32,32,0,ok,0,,,9,15,,40000,1,\n"
        for line, says in ((good.replace("0x40", "0x30000"), "nobody serves all of 32 bytes from address 0x30000"),
                           (good.replace("0x40", "0x1fff0"), "nobody serves all of 32 bytes from address 0x1fff0"),
                           (good.replace("0x40,32", "0x40,0"), "bytes is 0"),
                           (good.replace(",m,", ",n,"), "the target is 'n', and 'm' serves address 0x40"),
                           (good.replace(",m,", ",o,"), "the target is 'o', and 'm' serves address 0x40")):
            with self.subTest(line):
                self.write("t.csv", COLUMNS + good + line)
                self.refused("levels", "platform.yaml", "--trace", "t.csv", says=["t.csv:3: --trace: " + says])
        self.write("t.csv", COLUMNS + good.replace("0x40,32,32", "0x40,5000,5000"))
        self.refused("levels", "platform.yaml", "--trace", "t.csv", "--set", "tlm.split=false",
                     says=["t.csv:2: --trace: 5000 bytes at address 0x40 need several packets", "tlm.split"])
        self.refused("levels", "platform.yaml", "--set", "traffic.packet_length=1024", "--set", "tlm.split=false",
                     says=["tlm.split: false is given, and 8192 bytes", "traffic.packet_length"])

    def test_widths_beyond_the_bytes_are_no_streaming(self):
        exact = "0,a,m,write,0x40,32,32,3,ok,0,,,9,15,,40000,1,\n"
        rows = []
        for line, end in ((exact, "\n"), (exact.replace("32,32,3,", "32,4294967295,3,"), "\n"), (exact, "\r\n")):
            self.write("t.csv", (COLUMNS + line).replace("\n", end))
            self.noctule("levels", "platform.yaml", "--trace", "t.csv", "--out", "out")
            rows.append((self.folder / "out" / "levels.csv").read_text())
        self.assertEqual(rows, [rows[0]] * 3)
        self.write("t.csv", COLUMNS + exact.replace("32,32,3,", "32,32,4294967295,"))
        self.noctule("levels", "platform.yaml", "--trace", "t.csv")


if __name__ == "__main__":
    unittest.main()
