#!/usr/bin/python3
"""Does `run` notice a router in hardware that loses flits, keeps credits, or does nothing?

The small router of configs/rtl, with a fault, as one router of a fabric whose others are of the model. No bench compares
it: what it does wrong has to show in the fabric itself.
"""
import pathlib
import tempfile
import unittest

import cosim_support as support
import waveforms

SOURCE = support.PROJECT / "configs" / "rtl" / "small_router.sv"
NODE = {"model": "input_queued", "lanes": 1, "input_depth": 4, "injection_vcs": 1, "consumption_vcs": 1,
        "routing_delay": 0, "switch_allocation_delay": 0}


class Lossy(unittest.TestCase):
    def setUp(self):
        support.needs("verilator", "c++")
        folder = tempfile.TemporaryDirectory(prefix="noctule-lossy-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_with(self, old, new, router="router_2_2", waveform=False, more=None, cwd=None, also=(), **traffic):
        """(exit code, standard error, the point or None)."""
        text = SOURCE.read_text(encoding="utf-8")
        for before, after in ((old, new), *also):
            self.assertEqual(text.count(before), 1, before)
            text = text.replace(before, after)
        (self.folder / "mine.sv").write_text(text, encoding="utf-8")
        file = support.write(self.folder / "lossy.yaml", {
            "topology": {"kind": "mesh", "radix": [4, 4]}, "node": NODE, "seed": 1,
            "nodes": [{"routers": [router], "rtl": {"top": "small_router", "files": ["mine.sv"]}}],
            "cosim": {"waveform": waveform},
            "traffic": {"packet_length": 4, **(traffic or {"offered_load": 0.2})},
            "measurement": {"limit": 20000} if "source" in traffic else {"warm_up": 1000, "cycles": 10000},
            **(more or {})})
        code, out, err = support.noctule("run", file, "--quiet", "--json", "--out", self.folder / "out",
                                         environment=support.QUICK, cwd=cwd)
        return code, err, out

    def stopped(self, *says, **change):
        code, err, out = self.run_with(**change)
        self.assertEqual(code, 2, out + err)
        for part in says:
            self.assertIn(part, err)

    def deadlocked(self, *says, **change):
        code, err, out = self.run_with(**change)
        self.assertEqual(code, 1, out + err)
        for part in ("deadlocked", *says):
            self.assertIn(part, out + err)

    def test_without_a_fault_nothing_is_found(self):
        code, err, out = self.run_with(old="localparam int unsigned Depth = 4;", new="localparam int unsigned Depth = 4; ")
        self.assertEqual(code, 0, out + err)

    def test_flits_for_its_terminal_vanish(self):
        self.stopped("router_2_2", "so it loses flits", old="valid_q  <= sends;", new="valid_q  <= sends & 5'b01111;")

    def test_a_bit_of_a_flit_is_changed(self):
        old = "sends[o] ? queue_q[from[o]][0] : '0"
        for bit, new in (("head", "sends[o] ? {1'b0, queue_q[from[o]][0][FlitW-2:0]} : '0"),
                         ("payload", "sends[o] ? queue_q[from[o]][0] ^ (FlitW'(1) << 40) : '0")):
            with self.subTest(bit):
                self.stopped("router_2_2", " came in: bits 0x", "are wrong",
                             "what came in has to leave as it came", old=old, new=new)

    def test_the_router_is_recorded_up_to_the_fault(self):
        fault = {"old": "valid_q  <= sends;", "new": "valid_q  <= sends & 5'b01111;"}
        loads = {"sweep": {"traffic.offered_load": [0.2, 0.3, 0.4]}}
        code, err, out = self.run_with(waveform=True, more=loads, **fault)
        self.assertEqual(code, 2, out + err)
        self.assertEqual(err.count("so it loses flits"), 1, err)
        self.assertIn("2 more points end with a fault of a router in hardware", err)
        (file,) = (self.folder / "out").glob("*.vcd")
        self.assertIn(f"pins and insides of router_2_2 up to there: {file}", err)
        names, changes = waveforms.read(file)
        cycle = int(err.partition("so it loses flits")[0].rpartition(" cycle ")[2].partition(":")[0])
        self.assertIn(changes[-1][0], (cycle, cycle + 1))
        signals = {name for of_one in names.values() for name in of_one}
        self.assertIn("pins.inputs.x_plus_flit_i", signals)
        self.assertIn("pins.rtl.consumption_valid_o", signals)
        self.assertTrue(any(name.startswith("inside.") and name.endswith("queue_q") or "count_q" in name for name in signals))
        self.assertFalse(any(name.startswith("pins.model.") for name in signals))
        # A run without the fault leaves none, and takes the old one away.
        code, err, out = self.run_with(old=fault["old"], new=fault["old"] + " ", waveform=True)
        self.assertEqual(code, 0, out + err)
        self.assertFalse(file.exists())

    def test_packets_vanish_whole(self):
        # One of about a thousand is taken from its queue, with its credit, and sent nowhere.
        lost = "sends[o] && lost_q == 10'd500"
        counter = (("logic [Ports-1:0] held_q;", "logic [Ports-1:0] held_q; logic [9:0] lost_q;"),
                   ("first_q  <= '0;", "first_q  <= '0; lost_q <= '0;"),
                   ("credit_q <= pops;", "credit_q <= pops; lost_q <= lost_q + 10'(|sends);"))
        for load, events in ((0.05, False), (0.9, False), (0.05, True)):
            with self.subTest((load, events)):
                code, err, out = self.run_with(
                    old="if (o != 4) room_q[o] <= room_q[o] + 3'(credit_i[o]) - 3'(sends[o]);",
                    new=f"if (o != 4) room_q[o] <= room_q[o] + 3'(credit_i[o]) - 3'(sends[o] && !({lost}));\n"
                        f"        if ({lost}) valid_q[o] <= 1'b0;",
                    waveform=True,
                    more={"measurement": {"warm_up": 1000, "cycles": 20000}, "trace": {"events": events}},
                    also=counter, offered_load=load, packet_length=1)
                self.assertEqual(code, 2, out + err)
                self.assertIn("router_2_2 (RTL, module small_router)", err)
                self.assertIn("came in and never left, although nothing else moves", err)
                # What is recorded begins before it came.
                came = int(err.partition("which came in cycle ")[2].split(" ")[0])
                (file,) = (self.folder / "out").glob("*.vcd")
                self.assertLess(waveforms.read(file)[1][0][0], came)

    def test_nothing_is_left_beside_the_results(self):
        code, err, out = self.run_with(old="valid_q  <= sends;", new="valid_q  <= sends & 5'b01111;", waveform=True,
                                       more={"trace": {"vcd": True, "cycles": 100}}, cwd=self.folder)
        self.assertEqual(code, 2, out + err)
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"mine.sv", "lossy.yaml", "out"})

    def test_an_output_is_stuck(self):
        for load in (0.05, 0.6):
            with self.subTest(load):
                self.stopped("router_2_2", "came in and never left", old="if (o == 4 || room_q[o] != 0) begin",
                             new="if (o == 4 || (o != 2 && room_q[o] != 0)) begin", offered_load=load)

    def test_flits_leave_where_no_link_is(self):
        self.stopped("router_0_2", "x_minus_valid_o sends the head", "no link leaves the router there",
                     router="router_0_2", old="else want[i] = 3'd4;", new="else want[i] = 3'd1;")

    def test_credits_are_not_given_back(self):
        self.stopped("router_2_2", "has not given back 4 slots of input", old="credit_q <= pops;", new="credit_q <= '0;")

    def test_the_queue_is_shorter_than_the_fabric_was_told(self):
        self.stopped("router_2_2", "4 flits deep (node.input_depth)",
                     old="localparam int unsigned Depth = 4;", new="localparam int unsigned Depth = 2;")

    def test_a_credit_is_kept_back_now_and_then(self):
        # Inputs go on, with a place less each time: nothing shows while flits move.
        self.stopped("router_2_2", "_credit_o has not given back", old="credit_q <= pops;",
                     new="credit_q <= pops; if (count_q[1] == 3'd3) credit_q[1] <= 1'b0;", offered_load=0.4)

    def test_packets_are_interleaved(self):
        # An output is free again behind the flit after the header.
        self.stopped("router_2_2", "the tail of that packet has not left there",
                     old="!queue_q[from[o]][0][FlitW-2]", new="queue_q[from[o]][0][FlitW-1]")

    def test_a_flit_is_sent_without_a_credit(self):
        self.stopped("router_2_2", "but it has no credit for ", "all 4 places behind the link are taken",
                     old="if (o == 4 || room_q[o] != 0) begin", new="begin", offered_load=0.9)

    def test_a_header_goes_another_way(self):
        # Into a positive y before x: the router behind knows no better than to take it.
        first = "if (queue_q[i][0][0+:CoordW] > x_i) want[i] = 3'd0;"
        self.stopped("router_2_2 (RTL, module small_router)", "a header that may not leave by y_plus",
                     "the routing relation offers it x_", old=first,
                     new="if (queue_q[i][0][CoordW+:CoordW] > y_i) want[i] = 3'd2;\n      else " + first)

    def test_a_header_carries_another_state(self):
        old = "(state & keep_i) | set_i"
        for model in ("star_channels", "four_classes", "linder_harden") if support.FULL else ("four_classes",):
            for name, new in (("kept", "state"), ("inverted", "~((state & keep_i) | set_i)")):
                with self.subTest((model, name)):
                    folder = self.folder / f"{model}-{name}"
                    rtl = support.copy_of_rtl(folder / "rtl")
                    file = rtl / "blocks" / "header_state.sv"
                    text = file.read_text(encoding="utf-8")
                    self.assertEqual(text.count(old), 1)
                    file.write_text(text.replace(old, new), encoding="utf-8")
                    configuration = support.fabric(model, 4)
                    values = support.parameters(model, configuration, support.write(folder / "sound.yaml", configuration))
                    configuration["nodes"] = [support.shipped_as_files(model, rtl, values, ["router_0_0"])]
                    configuration["cosim"] = {"waveform": False}
                    code, out, err = support.noctule("run", support.write(folder / "state.yaml", configuration), "--quiet",
                                                     "--out", folder / "out", environment=support.QUICK)
                    self.assertEqual(code, 2, out + err)
                    self.assertIn(f"router_0_0 (RTL, module {model})", err)
                    self.assertRegex(err, r"_flit_o shows the .*its header came with state \d+, and behind [xy]_\w+.* it is \d+")

    def test_a_waveform_shows_what_can_be_known(self):
        shows = {}
        for hardware in (True, False):
            more = {"trace": {"vcd": True, "scope": ["router_2_2.*"], "cycles": 400}}
            if not hardware:
                more["nodes"] = []
            code, err, out = self.run_with(old="if (o == 4 ||", new="if (o == 4  ||", more=more, offered_load=0.4)
            self.assertEqual(code, 0, out + err)
            (file,) = (self.folder / "out").glob("*.vcd")
            shows[hardware] = self.values(file)
        rtl, model = shows[True], shows[False]
        self.assertEqual(rtl.keys(), model.keys())
        for name in rtl:
            if name.endswith(".credits"):
                self.assertIn("100", rtl[name], name)  # four places
                self.assertGreater(len(model[name]), 1, name)
            elif ".crossbar." in name or ".grant_" in name or name.endswith(".busy"):
                self.assertEqual(rtl[name], {"z"}, name)
        for end in (".credits", ".link_0.valid", ".crossbar.injection.connected"):
            self.assertTrue(any(name.endswith(end) for name in rtl), (end, sorted(rtl)))

    @staticmethod
    def values(file):
        """{signal: all values that it takes}."""
        names, changes = waveforms.read(file)
        taken = {}
        for _, of_time in changes:
            for identifier, value in of_time:
                taken.setdefault(identifier, set()).add(value)
        return {name: taken[identifier] for identifier, of_one in names.items() for name in of_one}

    def test_an_x_at_a_pin_is_drawn_once(self):
        old = "assign {consumption_valid_o, y_minus_valid_o, y_plus_valid_o, x_minus_valid_o, x_plus_valid_o} = valid_q;"
        mesh = {"topology": {"kind": "mesh", "radix": [2, 3]}}
        for seed in (1, 2, 3):  # where it is 0, flits never leave; where it is 1, some leave that never came
            code, err, out = self.run_with(waveform=True, router="*", old=old, more={**mesh, "seed": seed}, new="logic unused; "
                                           "assign consumption_valid_o = 1'bx; " +
                                           old.replace("consumption_valid_o", "unused"))
            self.assertEqual(code, 2, out + err)
            self.assertRegex(err, r"pins and insides of router_\d_\d up to there")
            self.assertNotIn("another course", err)

    def test_what_is_not_done_is_said(self):
        held = "logic [Ports-1:0] held_q;"
        code, err, out = self.run_with(old=held, new=held + " initial begin held_q = 0; #1000 held_q = 0; end\n"
                                       "final assert (0) else $error(\"never seen\");")
        self.assertEqual(code, 0, out + err)
        self.assertRegex(err, r"warning: small_router: .*mine\.sv:\d+:\d+: a delay is left out")
        self.assertIn("warning: small_router: final blocks are not run", err)

    def test_an_error_that_speaks_of_convergence_is_no_loop(self):
        fault = 'always_ff @(posedge clk_i) if (rst_ni && count_q[0] == 3\'d2) $error("the PLL did not converge");'
        code, err, out = self.run_with(old="logic [Ports-1:0] held_q;", new="logic [Ports-1:0] held_q; " + fault)
        self.assertEqual(code, 2, out + err)
        self.assertRegex(err, r"mine\.sv:\d+.*the PLL did not converge")
        self.assertNotIn("loop", err)

    def test_the_cache_may_have_a_blank_in_its_name(self):
        environment = {**support.QUICK, "NOCTULE_CACHE": str(self.folder / "ca che")}
        self.run_with(old="Depth = 4;", new="Depth = 4;  ")
        for compiled in (True, False):
            code, out, err = support.noctule("run", self.folder / "lossy.yaml", "--threads", "1", "--out",
                                             self.folder / "out", environment=environment)
            self.assertEqual(code, 0, out + err)
            self.assertEqual("compiling" in err, compiled, err)

    def test_nothing_is_sent(self):
        for traffic in ({}, {"source": "static"}):
            with self.subTest(traffic):
                self.deadlocked("router", old="if (o == 4 || room_q[o] != 0) begin", new="if (o > 4) begin", **traffic)


if __name__ == "__main__":
    unittest.main(verbosity=2)
