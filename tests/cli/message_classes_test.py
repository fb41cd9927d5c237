#!/usr/bin/python3
"""Message classes, terminals that refuse, closed loops: as a user meets them."""
import csv
import json
import re
import unittest

import yaml

from cli_support import CommandLineTest

LOOP = """\
name: loop
topology: {kind: mesh, radix: [3, 3]}
node: {model: input_queued, lanes: 2, input_depth: 2}
message_classes:
  request: {vcs: {lane: REQUEST}}
  response: {vcs: {lane: RESPONSE}}
depends: {request: [response]}
traffic: {source: {kind: request_reply, outstanding: 4, service_time: 7, lengths: [2, 4]}}
measurement: {warm_up: 500, cycles: 4000}
"""


FLOWS = """\
name: flows
topology: {kind: mesh, radix: [4]}
node: {model: input_queued, lanes: 4, input_depth: 8}
message_classes:
  urgent: {vcs: {lane: [0, 1]}, priority: URGENTWEIGHTS}
  bulk: {vcs: {lane: [2, 3]}}
traffic: {source: {kind: flows, file: flows.txt}}
measurement: {warm_up: 1000, cycles: 20000}
"""


class MessageClasses(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("apart.yaml", LOOP.replace("REQUEST", "0").replace("RESPONSE", "1"))
        self.write("shared.yaml", LOOP.replace("REQUEST", "[0, 1]").replace("RESPONSE", "[0, 1]"))

    def refused(self, text, *words):
        self.write("bad.yaml", text)
        _, err = self.noctule("check", "bad.yaml", code=2)
        for word in words:
            self.assertIn(word, err)

    def test_who_requests_is_written_in_several_ways(self):
        text = (self.folder / "apart.yaml").read_text()
        for ways in (["requesting: '0-2,5'", "requesting: [0, 1, 2, 5]", "requesting: [0-2, 5]"],
                     ["requesting: all", "requesters: all", "service: fixed"]):
            digests = set()
            for way in ways:
                self.write("ways.yaml", text.replace("outstanding: 4", "outstanding: 4, " + way))
                (point,) = self.json_of("run", "ways.yaml", "--fresh", "--set", "measurement={warm_up: 100, cycles: 400}")["points"]
                digests.add(point["digest"])
            self.assertEqual(len(digests), 1, ways)

    def test_results_are_given_by_class(self):
        self.noctule("run", "apart.yaml", "--out", "out")
        point = json.loads((self.folder / "out/results.json").read_text())["points"][0]
        self.assertEqual(point["status"], "stable")
        self.assertIn("closed loop", point["status_rule"])
        request, response = (point["message_classes"][name] for name in ("request", "response"))
        rate = point["accepted"]["flits_per_node_cycle"]
        rate = rate["mean"] if isinstance(rate, dict) else rate
        self.assertAlmostEqual(request["accepted"]["flits_per_node_cycle"] +
                               response["accepted"]["flits_per_node_cycle"], rate, delta=0.01)
        transactions = point["transactions"]
        self.assertLess(abs(transactions["completed"] - response["packets"]["delivered"]), 1)
        with (self.folder / "out/latency_hist_classes.csv").open(encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream))
        for name, of_class in (("request", request), ("response", response)):
            mine = [row for row in rows if row["class"] == name]
            self.assertEqual(sum(int(row["count"]) for row in mine), of_class["packets"]["delivered"])
            middle = sum(int(row["count"]) * int(row["latency_cycles_low"]) for row in mine)
            self.assertAlmostEqual(middle / of_class["packets"]["delivered"], of_class["latency_cycles"]["total"]["mean"],
                                   delta=0.01)
        # Little's law: four are open at each terminal, a cycle passes between one and the next.
        self.assertAlmostEqual(transactions["per_node_cycle"] * (transactions["round_trip_cycles"] + 1), 4, delta=0.15)
        self.assertGreater(transactions["round_trip_cycles"], request["latency_cycles"]["total"]["mean"] + 7)

    def test_those_who_open_transactions_are_named(self):
        def point(*sets):
            return self.json_of("run", "apart.yaml", *[word for s in sets for word in ("--set", f"traffic.source.{s}")])["points"][0]
        lowest, named, others = point("requesters=2"), point("requesting='0-1'"), point("requesting='1,3'")
        self.assertEqual(lowest["digest"], named["digest"])
        self.assertNotEqual(lowest["digest"], others["digest"])
        # Two terminals keep four open each; the other ones answer.
        rate = others["transactions"]["per_node_cycle"] * others["terminals"]["injecting"]
        self.assertAlmostEqual(rate * (others["transactions"]["round_trip_cycles"] + 1), 8, delta=0.3)

    def test_one_set_of_vcs_is_refused_with_its_story(self):
        (fabric,) = self.json_of("verify", "shared.yaml", code=1)
        self.assertEqual(fabric["verdict"], "deadlock_possible")
        causes = [arc["cause"] for arc in fabric["witness"]]
        self.assertTrue(any("takes no more until a response is injected" in cause for cause in causes), causes)
        self.assertTrue(any(cause.startswith("a request ") for cause in causes), causes)
        self.assertEqual(fabric["false_claims"], [])
        self.assertEqual(fabric["remedies"][0], {"message_classes.request.buffer": "unlimited"})
        for remedy in fabric["remedies"]:
            sets = [word for key, value in remedy.items() for word in ("--set", f"{key}={json.dumps(value)}")]
            (changed,) = self.json_of("verify", "shared.yaml", *sets)
            self.assertEqual(changed["verdict"], "proved", remedy)
        self.assertEqual(len(fabric["remedies"]), 3)
        self.assertEqual(fabric["remedies"][2],
                         {"planes.request.classes": ["request"], "planes.response.classes": ["response"]})
        _, err = self.noctule("run", "shared.yaml", code=2)
        self.assertIn("depends: this fabric can deadlock", err)
        (fabric,) = self.json_of("verify", "apart.yaml")
        self.assertEqual(fabric["verdict"], "proved")
        (fabric,) = self.json_of("verify", "shared.yaml", "--set", "message_classes.request.buffer=unlimited")
        self.assertEqual(fabric["verdict"], "proved")

    def test_a_remedy_can_be_pasted_into_the_file(self):
        out, _ = self.noctule("verify", "shared.yaml", "--set", "node.lanes=4", code=1)
        pasted = [line.split("in the file: ")[1] for line in out.splitlines() if "in the file: " in line]
        self.assertEqual(pasted, [
            "message_classes: {request: {buffer: unlimited}}",
            "message_classes: {request: {vcs: {lane: [0, 1]}}, response: {vcs: {lane: [2, 3]}}}",
            "planes: {request: {classes: [request]}, response: {classes: [response]}}"])

        def merge(old, new):
            for key, value in new.items():
                old[key] = merge(old.get(key) or {}, value) if isinstance(value, dict) else value
            return old
        for section in pasted:
            config = merge(yaml.safe_load((self.folder / "shared.yaml").read_text()), yaml.safe_load(section))
            config["node"]["lanes"] = 4
            self.write("pasted.yaml", yaml.safe_dump(config))
            (fabric,) = self.json_of("verify", "pasted.yaml")
            self.assertEqual(fabric["verdict"], "proved", section)

    def test_remedies_need_no_worms_that_deadlock(self):
        given_up = self.json_of("verify", "shared.yaml", "--set", "limits.verify_router_cycles=0", code=1)[0]
        searched = self.json_of("verify", "shared.yaml", code=1)[0]
        self.assertEqual(given_up["remedies"], searched["remedies"])

    def test_the_deadlock_happens(self):
        self.noctule("run", "shared.yaml", "--out", "out", "--set", "allow_deadlock=true", "--set",
                     "traffic.source.outstanding=24", "--set", "traffic.source.lengths=[8, 8]", "--set",
                     "measurement.cycles=60000", code=1)
        point = json.loads((self.folder / "out/results.json").read_text())["points"][0]
        self.assertEqual(point["status"], "deadlocked")
        self.assertTrue(any("takes no more request packets" in end for end in point["deadlock"]["ends"]))

    def test_a_relation_sends_each_class_its_own_way(self):
        text = LOOP.replace("lanes: 2, ", "").replace("vcs: {lane: REQUEST}", "buffer: 1").replace("vcs: {lane: RESPONSE}", "")
        self.write("ways.yaml", text + "routing: order_of_class\n")
        (fabric,) = self.json_of("verify", "ways.yaml")
        self.assertEqual(fabric["verdict"], "proved")
        self.assertIn("by message class: xy, yx", self.noctule("check", "ways.yaml")[0])
        self.noctule("run", "ways.yaml", "--out", "out", "--set", "trace={events: true, cycles: 2000}")
        (events,) = (self.folder / "out").rglob("*.events.csv")
        turns = {"request": set(), "response": set()}
        last = {}
        with open(events, encoding="utf-8") as lines:
            for row in csv.DictReader(lines):
                if row["event"] == "link" and row["flit"] == "0":
                    turns[row["message_class"]].add((last.get(row["packet"], "")[:1], row["port"][0]))
                    last[row["packet"]] = row["port"]
        self.assertIn(("x", "y"), turns["request"])
        self.assertNotIn(("y", "x"), turns["request"])
        self.assertIn(("y", "x"), turns["response"])
        self.assertNotIn(("x", "y"), turns["response"])
        # One order for both puts them on the same VCs, and a request waits for a response there.
        (fabric,) = self.json_of("verify", "ways.yaml", "--set", "routing.orders=[yx]", code=1)
        self.assertEqual(fabric["verdict"], "deadlock_possible")
        self.refused(text + "routing: {algorithm: order_of_class, orders: [xz]}\n", "routing.orders", "xz", "bad.yaml")
        self.refused(re.sub(r"(?s)message_classes.*depends[^\n]*", "", text).replace("outstanding: 4, ", "") +
                     "routing: {algorithm: order_of_class, orders: [yx, xy]}\n", "routing.orders", "message_classes")

    def test_what_is_wrong_is_named_with_its_place(self):
        text = (self.folder / "apart.yaml").read_text()
        self.refused(text.replace("lane: 0", "lane: 2"), "message_classes.request.vcs", "'2'", "bad.yaml")
        self.refused(text.replace("lane: 0", "colour: 0"), "message_classes.request.vcs", "colour", "lane")
        self.refused(text.replace("[response]}", "[reply]}"), "depends", "reply", "request, response")
        self.refused(text.replace("[response]}", "[response, response]}"), "depends.request", "names response twice")
        self.refused(text.replace("[response]}", "[request]}"), "depends", "is circular: request -> request")
        self.refused(text.replace("[response]}", "[response], response: [request]}"), "depends",
                     "is circular: request -> response -> request")
        self.refused(text.replace("vcs: {lane: 0}", "vcz: {lane: 0}"), "message_classes.request.vcz", "did you mean 'vcs'")
        self.refused(text.replace("  request:", "  re quest:"), "message_classes", "letters, digits")
        self.refused(text.replace("lengths: [2, 4]", "lengths: [2]"), "traffic.source.lengths", "one for each")
        self.refused(text.replace("outstanding: 4", "outstanding: 0"), "traffic.source.outstanding", "bad.yaml:8")
        self.refused(text.replace("outstanding: 4", "requesters: 10"), "traffic.source.requesters", "bad.yaml:8",
                     "10 terminals are to open transactions, and there are 9; give at most as many, or all")
        self.refused(text.replace("outstanding: 4", "requesting: 3-1"), "traffic.source.requesting", "write 1-3")
        self.refused(text.replace("outstanding: 4", "requesters: 2, requesting: 0-1"), "traffic.source.requesting", "requesters")
        self.refused(text.replace("outstanding: 4", "requesting: '0,999'"), "traffic.source.requesting", "999 does not exist")
        self.refused(text.replace("outstanding: 4", "chain: [response, request]"), "traffic.source.chain", "depends")
        self.refused(text + "multicast: {planner: individual}\n", "message_classes", "planner")
        self.refused("depends: {a: [b]}\n", "depends", "message_classes")

    def test_a_class_without_vcs_of_the_relation_is_one_fault(self):
        for lanes in ("lane: 0", "class: 1"):
            text = (self.folder / "apart.yaml").read_text().replace("kind: mesh, radix: [3, 3]", "kind: torus, radix: [4, 4]")
            self.write("bad.yaml", text.replace("lane: 0", lanes))
            if lanes == "lane: 0":
                self.noctule("check", "bad.yaml")
                continue
            _, err = self.noctule("check", "bad.yaml", code=2)
            self.assertIn("message_classes.request.vcs", err)
            self.assertNotIn("node.crossbars", err)
            self.assertEqual(err.count("\n"), 1, err)

    def test_a_low_class_starves_and_is_named(self):
        text = FLOWS.replace("URGENT", "1").replace("WEIGHTS", "")
        self.write("flows.txt", "0,1 3 0.9 length=6 class=urgent\n0 3 0.5 length=6 class=bulk\n")
        self.write("strict.yaml", text)
        named = "strict priority lets 'bulk' starve: at a link that 'urgent' can fill"
        self.assertIn(named, self.noctule("check", "strict.yaml", "--set", "expect=saturated")[1])
        _, err = self.noctule("check", "strict.yaml", "--set", "expect=any")
        self.assertNotIn("starve", err, "it is known")
        self.assertIn("offered are 1.15 flits/node/cycle, above the bound of 0.5 (link router_1.x_plus", err)
        _, err = self.noctule("run", "strict.yaml", "--out", "out", "--set", "expect=saturated")
        self.assertIn(named, err)
        delivered = self.delivered()
        self.assertEqual(delivered["bulk"], 0)
        self.assertGreater(delivered["urgent"], 500)
        (fabric,) = self.json_of("verify", "strict.yaml")
        self.assertEqual(fabric["verdict"], "proved")
        broken = {c["key"]: c for c in fabric["conditions"] if not c["holds"]}
        self.assertEqual(list(broken), ["message_classes.bulk.priority"])
        self.assertEqual(broken["message_classes.bulk.priority"]["for"], "progress")
        self.assertIn("strict priority: they starve where 'urgent' fill a link", broken["message_classes.bulk.priority"]["given"])
        # What the results keep runs again.
        self.assertNotEqual(self.noctule("check", "out/config.json")[0], "")
        # The remedy that the message names.
        self.write("shared.yaml", FLOWS.replace("URGENT", "0").replace("WEIGHTS", ", weight: 3"))
        _, err = self.noctule("run", "shared.yaml", "--out", "out", "--set", "expect=any")
        self.assertNotIn("starve", err)
        delivered = self.delivered()
        self.assertAlmostEqual(delivered["bulk"] / (delivered["bulk"] + delivered["urgent"]), 0.25, delta=0.01)
        (fabric,) = self.json_of("verify", "shared.yaml")
        given = {c["key"]: c["given"] for c in fabric["conditions"]}
        self.assertIn("at most 3 flits of others", given["message_classes.bulk.weight"])

    def delivered(self):
        point = json.loads((self.folder / "out/results.json").read_text())["points"][0]
        return {name: c["packets"]["delivered"] for name, c in point["message_classes"].items()}

    def test_what_cannot_be_served_apart_is_refused(self):
        text = FLOWS.replace("URGENT", "1").replace("WEIGHTS", "")
        self.write("flows.txt", "0 3 0.1 class=urgent\n0 3 0.1 class=bulk\n")
        self.refused(text.replace("lanes: 4", "lanes: 4, link_sharing: fixed_slot, switch_allocator: none, "
                                  "vc_allocator: scan, consumption_vcs: 1"), "node.link_sharing", "demand", "bad.yaml")
        self.refused(text.replace("lanes: 4", "lanes: 4, speculative: true"), "node.speculative")
        self.refused(text.replace("lane: [2, 3]", "lane: [1, 2]"), "message_classes.bulk.vcs", "VCs of its own", "bad.yaml")
        self.refused(text.replace("priority: 1", "priority: 1, weight: 2"), "message_classes.urgent.weight", "no effect")
        self.refused(text.replace("priority: 1", "priority: 1, interface: bulk"), "message_classes.urgent.interface",
                     "'bulk' is a message class, which does not share an interface of that name")
        self.refused(text.replace("priority: 1", "priority: 1, interface: x").replace("3]}", "3], interface: x}"),
                     "message_classes.bulk", "interface")
        self.refused(text.replace("priority: 1", "priority: 16"), "message_classes.urgent.priority", "15")

    def test_a_load_has_no_effect_on_a_closed_loop(self):
        text = (self.folder / "apart.yaml").read_text()
        self.refused(text.replace("traffic: {", "traffic: {offered_load: 0.1, "), "traffic.offered_load", "request_reply")

    def test_classes_that_a_source_never_sends_are_named(self):
        text = (self.folder / "apart.yaml").read_text()
        for kind in ("bernoulli", "periodic", "on_off", "static"):
            drawn = re.sub(r"source: {.*?}", "source: " + kind, text).replace("cycles: 4000", "cycles: 400")
            if kind == "static":
                drawn = re.sub("measurement: .*", "", drawn)
            self.write("drawn.yaml", drawn)
            for command in ("check", "run"):
                _, err = self.noctule(command, "drawn.yaml")
                self.assertIn("warning: ", err)
                for word in ("class 'request'", "none of 'response'", "request_reply"):
                    self.assertIn(word, err)
        for none in ("apart.yaml", "small.yaml"):
            self.assertNotIn("warning", self.noctule("check", none)[1])

    def test_waveforms_and_events_show_the_class(self):
        self.noctule("run", "apart.yaml", "--out", "out", "--set", "trace={vcd: true, events: true, cycles: 300}")
        (events,) = (self.folder / "out").rglob("*.events.csv")
        with open(events, encoding="utf-8") as lines:
            rows = list(csv.DictReader(lines))
        self.assertEqual({row["message_class"] for row in rows}, {"request", "response"})
        for row in rows:  # each has a lane of its own
            if row["event"] == "link":
                self.assertEqual(row["vc"][-1], "0" if row["message_class"] == "request" else "1", row)
        (waveform,) = (self.folder / "out").rglob("*.vcd")
        signals = re.findall(r"\$var (?:reg|wire) 1 (\S+) message_class", waveform.read_text(encoding="utf-8"))
        self.assertGreater(len(signals), 9)
        names = [file.read_text(encoding="utf-8") for file in (self.folder / "out").rglob("message_classes.txt")]
        self.assertEqual(names, ["0 request\n1 response\n"])
        self.noctule("run", "small.yaml", "--out", "one", "--set", "trace={vcd: true, events: true, cycles: 300}")
        for file in [*(self.folder / "one").rglob("*.vcd"), *(self.folder / "one").rglob("*.events.csv")]:
            self.assertNotIn("message_class", file.read_text(encoding="utf-8"))

    def test_stall_and_finite_queues_go_with_every_node(self):
        for model in ("input_queued", "generic", "star_channels"):
            out, _ = self.noctule("run", "small.yaml", "--out", "out", "--set", f"node.model={model}", "--set",
                                  "topology={kind: torus, radix: [4, 4]}", "--set",
                                  "traffic.stall=0.5", "--set", "traffic.source_queue=8", "--set",
                                  "measurement={warm_up: 100, cycles: 2000}")
            point = json.loads((self.folder / "out/results.json").read_text())["points"][0]
            self.assertGreater(point["packets"]["delivered"], 0)


if __name__ == "__main__":
    unittest.main()
