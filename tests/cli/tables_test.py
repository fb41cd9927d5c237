#!/usr/bin/python3
"""Packets and tasks as CSV: do they run as the lines do, is what a run writes read back, is what is wrong named?"""
import unittest

from cli_support import CommandLineTest, without_speed

CLASSES = """\
message_classes:
  request: {vcs: {lane: 0}}
  response: {vcs: {lane: 1}}
"""
NETWORK = """\
name: one
topology: {kind: mesh, radix: [3, 3]}
node: {lanes: 2, output_depth: 0, consumption_channels: 4}
"""
MULTICAST = "multicast: {planner: column_path}\n"


class Tables(CommandLineTest):
    def result(self, source, file, *more, network=NETWORK + CLASSES):
        """The points, without what names the file."""
        self.write("one.yaml", network + f"traffic: {{source: {{kind: {source}, file: {file}, {', '.join(more)}}}}}\n")
        (point,) = without_speed(self.json_of("run", "one.yaml", "--events", "events.csv", "--fresh"))["points"]
        for key in "files", "caption":
            del point[key]
        return point

    def test_packets_run_as_lines_do(self):
        self.write("p.txt", "0 0 8 4\n3 4 2 5\n5 1 7,3 2\n")
        self.write("p.csv", "flits,source,cycle,destination\n4,router_0_0,0,8\n5,4,3,router_2_0\n2,1,5,7 3\n")
        lines = self.result("trace_file", "p.txt", network=NETWORK + MULTICAST)
        self.assertEqual(self.result("trace_file", "p.csv", network=NETWORK + MULTICAST), lines)
        self.assertEqual(lines["multicast"]["unicasts"]["delivered_packets"], 2)

    def test_an_event_log_is_read_back(self):
        for network, text in (
                (NETWORK + CLASSES, "cycle,source,destination,flits,class\n0,0,8,4,response\n0,3,8,4,request\n"
                                    "1,0,8,9,response\n90,2,6,1,response\n"),
                (NETWORK + MULTICAST, "cycle,source,destination,flits\n0,0,8,4\n5,1,7 3 8,2\n6,0,1 2 5,9\n")):
            with self.subTest(text):
                self.write("p.csv", text)
                first = self.result("trace_file", "p.csv", network=network)
                (self.folder / "events.csv").rename(self.folder / "log.csv")
                self.assertEqual(self.result("trace_file", "log.csv", network=network), first)
                self.assertEqual((self.folder / "events.csv").read_bytes(), (self.folder / "log.csv").read_bytes())

    def test_tasks_run_as_lines_do(self):
        self.write("t.txt", "0 8 64B id=a class=request compute=9\n8 0 5 after=a class=response at=50\n4 - after=*\n")
        self.write("t.csv", "after,at,bytes,class,compute,destination,flits,id,terminal\n"
                            ",,64,request,9,8,,a,0\na,50,,response,,0,5,,router_2_2\n*,,,,,,,,4\n")
        lines = self.result("workload", "t.txt", "flit_bytes: 8", "packet_flits: 3")
        self.assertEqual(self.result("workload", "t.csv", "flit_bytes: 8", "packet_flits: 3"), lines)

    def test_what_is_wrong_is_named(self):
        head = "cycle,source,destination,flits\n"
        for text, says in ((head + "0,9,1,2\n", ["bad.csv:2: ", "column 'source': terminal 9 does not exist; terminals are 0 to 8"]),
                           (head + "0,1,2\n", ["bad.csv:2: ", "3 cells, and the header has 4 columns"]),
                           (head.replace("flits", "flit"), ["bad.csv:1: ", "unknown column 'flit'; did you mean 'flits'?"]),
                           ("time,src,dst,size\n0,1,2,5\n",
                            ["bad.csv:1: ", "unknown columns 'time', 'src', 'dst', 'size'; "
                             "did you mean 'cycle', 'source', 'destination', 'flits'?; columns are"]),
                           ("cycle,source,destination,bytes\n", ["unknown column 'bytes'; there is no column 'flits'"]),
                           ("5,1,2,5\n6,2,3,1\n", ["bad.csv:1: ", "begin the table with cycle,source,destination,flits"]),
                           (head.replace(",", ";"), ["bad.csv:1: ", "semicolons; save the table with commas"])):
            with self.subTest(text):
                self.write("bad.csv", text)
                self.write("bad.yaml", NETWORK + "traffic: {source: {kind: trace_file, file: bad.csv}}\n")
                message = self.refused("check", "bad.yaml", says=says)
                self.assertEqual(message, self.refused("run", "bad.yaml", says=says))
                self.assertEqual(message.count("\n"), 1, message)


if __name__ == "__main__":
    unittest.main(verbosity=2)
