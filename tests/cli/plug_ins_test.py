#!/usr/bin/python3
"""Whatever a plug-in does wrong: is it refused, with exit code 2, its name and what it did? Are its false claims
flagged by `verify`?"""
import os
import pathlib
import unittest

from cli_support import CommandLineTest

PLUG_INS = pathlib.Path(os.environ["NOCTULE_PLUG_INS"])

# key: fault: parts of the message
RUN = {
    "routing": {
        "exception": ["the relation 'wrong' failed: it threw 'out of ideas'"],
        "number": ["the relation 'wrong' failed: it threw something that is no std::exception"],
        "nothing_made": ["the relation 'wrong' failed: its factory made nothing"],
        "port": ["the relation 'wrong' offers a channel that is none, port 99 class 0, at router_"],
        "edge": ["the relation 'wrong' offers a channel that is none, port "],
        "class": ["the relation 'wrong' offers a channel that is none, port 1 class 7, at router_"],
        "lane": ["the relation 'wrong' names a lane"],
        "candidates": [r"(?s)the relation 'wrong' offers nothing at router_\d_\d for router_0_0; a worm of terminal 1 "],
        "initial_state": ["the relation 'wrong' gives no initial state"],
        "state": ["the relation 'wrong' changes a state that it says it does not have"],
        "label": ["the relation 'wrong' labels class 0 of link router_0_0.x_plus wrongly", "1 fields", "[]"],
        "label_value": ["the relation 'wrong' labels class 0 of link router_0_0.x_plus wrongly", "[3]"],
        "classes": ["virtual channels"],
        "repeats": ["the relation 'wrong' offers 100000 channels, more than there are, at router_"],
    },
    "traffic.pattern": {
        "exception": ["the pattern 'wrong' failed: it threw 'out of ideas'"],
        "number": ["the pattern 'wrong' failed"],
        "nothing_made": ["the pattern 'wrong' failed: its factory made nothing"],
        "silent": ["the pattern 'wrong'", "no terminal sends anything"],
        "draw": ["the pattern 'wrong'", "a packet of terminal 0 goes to terminal 999; there are 0 to 8"],
        "other_draw": ["the pattern 'wrong'", "goes to terminal 2, which its distribution does not have"],
        "terminal": ["the pattern 'wrong'", "terminal 0 sends to terminal 999; there are 0 to 8"],
        "sum": ["the pattern 'wrong'", "the probabilities of terminal 0 sum to 0.5"],
        "negative": ["the pattern 'wrong'", "with probability 2"],
        "nan": ["the pattern 'wrong'", "with probability nan"],
    },
    "traffic.source": {
        "exception": ["the source 'wrong' failed: it threw 'out of ideas'"],
        "number": ["the source 'wrong' failed"],
        "nothing_made": ["the source 'wrong' failed: its factory made nothing"],
        "destination": ["the source 'wrong' gives packet 0:0: 2 flits to terminal 999"],
        "length": ["the source 'wrong' gives packet 0:0: 0 flits"],
        "past": ["the source 'wrong' gives packet 0:2", "born in cycle 1;"],
        "endless": [r"(?s)the source 'wrong' gives terminal \d more than", "in cycle 0"],
        "route": [r"(?s)the source 'wrong' gives packet \d:0 a route, but the relation of the fabric is no PrescribedRoutes"],
        "multicast": ["has several destinations; that needs a multicast.planner"],
        "delivered": ["the source 'wrong' failed: it threw 'unexpected'"],
        "wake": ["the source 'wrong' wakes terminal 999; there are 0 to 8"],
        "ends": ["the source 'wrong'", "ends() speaks of 3 terminals; there are 9"],
        "ends_silent": ["the source 'wrong' gives packet 2:0, from terminal 2 to terminal 0", "TrafficSource::ends"],
        "ends_shunned": ["the source 'wrong' gives packet 1:0, from terminal 1 to terminal 0", "TrafficSource::ends"],
        "offered": ["the source 'wrong'", "offered() has the rate or time -1"],
        "offered_throws": ["the source 'wrong' failed: it threw 'no offer'"],
    },
    "multicast": {
        "exception": ["the planner 'wrong' failed: it threw 'out of ideas'"],
        "number": ["the planner 'wrong' failed"],
        "unserved": ["the planner 'wrong'", "is served 0 times"],
        "twice": ["the planner 'wrong'", "is served 2 times"],
        "other": ["the planner 'wrong'", "serves terminal 999, which is no destination"],
        "router": ["the planner 'wrong'", "stops at router 999"],
        "place": ["the planner 'wrong'", "where it is not"],
        "group": ["the planner 'wrong'", "is of group 7"],
        "no_stop": ["the planner 'wrong'", "has no stop"],
        "no_end": ["the planner 'wrong'", "ends where it serves no destination"],
        "rules": ["the planner 'wrong' failed: it threw 'no rules'"],
    },
}
DISCRIMINATOR = {"routing": "algorithm", "traffic.pattern": "kind", "traffic.source": "kind", "multicast": "planner"}
NODE = {"multicast": ["--set", "node.output_depth=0"]}


class PlugIns(CommandLineTest):
    def with_part(self, command, key, fault):
        return [command, "small.yaml", "--load", PLUG_INS / "wrong_parts.so", "--set",
                f"{key}={{{DISCRIMINATOR[key]}: wrong, fault: {fault}}}", *NODE.get(key, [])]

    def test_a_part_that_breaks_its_contract_is_named(self):
        for key, faults in RUN.items():
            for fault, says in faults.items():
                with self.subTest(key=key, fault=fault):
                    self.refused(*self.with_part("run", key, fault), says=[key, *says])

    def test_also_by_check_and_verify(self):
        for command in ("check", "verify"):
            for key, fault in (("routing", "port"), ("routing", "exception"), ("traffic.pattern", "sum"),
                               ("multicast", "twice")):
                with self.subTest(command=command, key=key, fault=fault):
                    self.refused(*self.with_part(command, key, fault), says=RUN[key][fault])

    def test_what_a_source_says_of_itself_is_looked_at(self):
        for command, fault, says in (
                ("explain", "lengths", "lengths() has shares that sum to 0.1"),
                ("verify", "regulated", "regulated() names terminal 500; there are 0 to 8"),
                ("check", "demand_size", "demand() speaks of 2 terminals; there are 9"),
                ("check", "demand_class", "demand() names message class 50; there are 0 to 0"),
                ("verify", "demand_terminal", "demand() names terminal 700"),
                ("explain", "demand_rate", "demand() has the rate or time nan"),
                ("check", "loop", "loop() names message class 77")):
            with self.subTest(fault):
                self.refused(*self.with_part(command, "traffic.source", fault),
                             says=["traffic.source", "the source 'wrong' failed", says])

    def test_a_terminal_that_is_woken_keeps_the_packet_that_it_has(self):
        cycles = ["--set", "measurement.cycles=1000", "--set", "measurement.warm_up=0"]
        packets = []
        for fault in "none", "wakes_all":
            (point,) = self.json_of(*self.with_part("run", "traffic.source", fault), *cycles, "--out", fault)["points"]
            packets.append((point["packets"], point["digest"]))
        self.assertEqual(packets[0], packets[1])

    def test_what_a_part_throws_is_the_librarys(self):
        for command in "run", "check", "verify", "explain":
            with self.subTest(command):
                self.refused(*self.with_part(command, "routing", "serves"), says=["wrong", "it threw 'nobody served'"])

    def test_a_part_that_ends_the_program_is_named(self):
        for fault, says in (("crash", "reads or writes memory that is not its own"), ("abort", "it calls abort()"),
                            ("exit", "it calls exit()")):
            for command in "run", "check", "verify":
                with self.subTest(fault, command=command):
                    self.refused(*self.with_part(command, "routing", fault),
                                 says=[f"noctule: --load {PLUG_INS}/wrong_parts.so: a part of it ended the program: ", says])

    def test_states_without_end_are_not_followed(self):
        (fabric,) = self.json_of(*self.with_part("verify", "routing", "initial_states"), "--set",
                                 "limits.verify_states=1000", "--set", "limits.verify_router_cycles=100000", code=1)
        self.assertEqual((fabric["verdict"], fabric["limit"]), ("unknown", "limits.verify_states"))

    def test_a_part_that_keeps_its_contract_runs(self):
        for key in RUN:
            with self.subTest(key):
                self.noctule(*self.with_part("run", key, "none"), "--set", "measurement.cycles=1000")

    def test_deadlock_allowed_is_no_way_around(self):
        for fault in ("port", "class", "exception"):
            self.refused(*self.with_part("run", "routing", fault), "--set", "allow_deadlock=true",
                         says=["the relation 'wrong'"])

    def test_false_claims_are_flagged(self):
        claims = {
            "hops": "another number of hops than they do: from terminal 1 (router_1_0) to terminal 0 (router_0_0), it says 2 "
                    "hops, and they take 1",
            "fully_adaptive": "fully adaptive, but does not offer every shortest path: from terminal 4 (router_1_1) to "
                              "terminal 0 (router_0_0), router_1_1 does not offer y_minus, which leads closer",
            "minimal": "minimal, but worms take hops that lead no closer: from terminal 1 (router_1) to terminal 0 "
                       "(router_0), router_1 offers x_plus, from whose end it is 2 hops; from router_1 it is 1 hop",
            "serves_all": "claims to serve every pair of terminals (serves_all), but it does not: `serves` says no from "
                          "terminal 5 (router_2_1) to terminal 3 (router_0_1)",
            "acyclic": "claims an acyclic dependency graph, but it has cycles: a worm from terminal ",
            "word": "says 'cyclic' of its deadlock freedom; known are acyclic, escape and none",
        }
        for fault, says in claims.items():
            more = ["--set", "topology={kind: ring, nodes: 5}"] if fault in ("minimal", "acyclic") else []
            with self.subTest(fault):
                (fabric,) = self.json_of(*self.with_part("verify", "routing", fault), *more, code=1)
                self.assertTrue(any(says in claim for claim in fabric["false_claims"]), fabric["false_claims"])
                out, _ = self.noctule(*self.with_part("verify", "routing", fault), *more, code=1)
                self.assertIn("FALSE CLAIM: the relation", out)
        (fabric,) = self.json_of(*self.with_part("verify", "routing", "none"))
        self.assertEqual(fabric["false_claims"], [])

    def test_a_formula_that_does_not_hold_is_found_out(self):
        wrong = self.with_part("explain", "routing", "hops")
        (fabric,) = self.json_of(*wrong, "--prove", code=1)["fabrics"]
        worms = fabric["proof"]["lone_worms"]
        self.assertGreater(worms["differences"], 0)
        first = worms["first_difference"]
        self.assertGreater(first["formula_cycles"], first["simulated_cycles"])
        self.assertIn("the first: ", self.noctule(*wrong, "--prove", code=1)[0])

    def test_a_file_of_cpp_becomes_a_plug_in(self):
        source = pathlib.Path(__file__).parent.parent / "install/stranger/yx_order.cpp"
        (self.folder / "mine.cpp").write_text(source.read_text(encoding="utf-8").replace("yx_order", "mine"), encoding="utf-8")
        out, _ = self.noctule("plug-in", "mine.cpp")
        self.assertEqual(out, "./mine.so adds routing mine\nuse it with --load ./mine.so, as in `noctule verify FILE --load "
                              "./mine.so --set routing=mine`\n")
        (fabric,) = self.json_of("verify", "small.yaml", "--load", "mine.so", "--set", "routing=mine")
        self.assertEqual((fabric["verdict"], fabric["false_claims"]), ("proved", []))
        self.refused("run", "small.yaml", "--load", "mine.cpp", says=["--load mine.cpp", "`noctule plug-in mine.cpp`"])

    def test_a_file_that_becomes_none_is_refused(self):
        self.write("bad.cpp", "int x = y;\n")
        self.write("nothing.cpp", "int x;\n")
        _, err = self.noctule("plug-in", "bad.cpp", code=2)
        self.assertRegex(err, r"(?s)bad.cpp:1.*noctule: bad.cpp: it does not compile; what the compiler says stands above")
        self.refused("plug-in", "nothing.cpp", says=["--load ./nothing.so: registers nothing"])
        self.refused("plug-in", "none.cpp", says=["FILE: 'none.cpp' is no file"])
        self.refused("plug-in", "small.yaml", says=["FILE: 'small.yaml' is called '.yaml'"])

    def test_a_library_that_is_none_is_refused(self):
        for name, says in {"registers_nothing": ["registers nothing", "Registration"],
                           "missing_symbol": ["cannot be loaded", "noctule_test_defined_nowhere"],
                           "throws_at_load": ["an initializer of the library threw"]}.items():
            with self.subTest(name):
                self.refused("list", "--load", PLUG_INS / f"{name}.so", says=[f"{name}.so", *says])

    def test_wrong_entries_are_refused_with_the_library(self):
        self.refused("list", "--load", PLUG_INS / "wrong_entries.so", says=[
            "wrong_entries.so: the pattern 'uniform' is registered twice",
            "the pattern 'two_keys' declares the key 'same', which every pattern has, or which it declares twice",
            "the pattern 'common_key' declares the key 'kind'",
            "the pattern 'wrong_default' declares the key 'n' with a default that it does not allow: 9 is out of range",
            "the node model 'preset_key': presets node.lanse, and there is no such key",
            "the node model 'preset_value': presets node.lanes: 2000 is out of range",
            "the node model 'preset_routing': presets routing 'nowhere'",
            "the node model 'preset_throws': the preset failed: it threw something that is no std::exception"])

    def test_a_library_may_be_named_twice(self):
        library = PLUG_INS / "wrong_parts.so"
        self.noctule("list", "--load", library, "--load", library)


if __name__ == "__main__":
    unittest.main(verbosity=2)
