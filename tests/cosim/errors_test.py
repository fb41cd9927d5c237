#!/usr/bin/python3
"""What cannot be co-simulated is refused: exit code 2, and a message that says where it is wrong and what helps."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import cosim_support as support
from cosim_support import router

FOUR = "four_classes"


class Refused(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="noctule-cosim-errors-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.pins = support.result("cosim", self.write("pins.yaml", support.fabric(FOUR, 4)), "--pins")

    def write(self, name, configuration):
        return support.write(self.folder / name, configuration)

    def refused(self, configuration, *says, command="cosim", environment=None):
        file = self.write("refused.yaml", configuration)
        code, out, err = support.noctule(command, file, "--quiet", "--out", self.folder / "out",
                                         environment={**support.QUICK, **(environment or {})})
        self.assertEqual(code, 2, out + err)
        self.assertTrue(err.startswith("noctule: "), err)
        self.assertNotIn("terminate called", err)
        self.assertIn("refused.yaml", err)
        for part in says:
            self.assertIn(part, err)
        if os.environ.get("SHOW_MESSAGES"):
            print("\n" + err.rstrip())

    def test_a_program_that_was_moved(self):
        program = pathlib.Path(support.PROGRAM)
        libraries = [library for folder in (program.parent, program.parent.parent / "lib")
                     for library in folder.glob("libnoctule*.so*")]
        for file in (program, *libraries):
            shutil.copy(file, self.folder)
        file = self.write("moved.yaml", support.fabric(FOUR, 4))
        done = subprocess.run([self.folder / program.name, "cosim", file, "--quiet", "--out", self.folder / "out"],
                              capture_output=True, text=True, check=False,
                              env={**os.environ, "LD_LIBRARY_PATH": str(self.folder)})
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("the shipped RTL is not here", done.stderr)
        self.assertIn("from where it was built or installed, or give files", done.stderr)

    def with_router(self, text, **entry):
        """The fabric with one router of mine."""
        (self.folder / "mine.sv").write_text(text, encoding="utf-8")
        configuration = support.fabric(FOUR, 4)
        configuration["nodes"] = [
            {"routers": ["router_1_2"], "rtl": {"top": "mine", "files": ["mine.sv"], **entry}}]
        configuration["measurement"] = {"warm_up": 0, "cycles": 2000}
        return configuration

    # Pins

    def test_accepts_a_router_with_all_pins(self):
        """Which does nothing: that is a divergence, not an error."""
        file = self.write("idle.yaml", self.with_router(router(self.pins)))
        code, out, err = support.noctule("cosim", file, "--quiet", "--out", self.folder / "out",
                                         environment=support.QUICK)
        self.assertEqual(code, 1, out + err)

    def test_missing_output(self):
        text = router(self.pins, without=["y_minus_credit_o"])
        self.refused(self.with_router(text), "module mine", "output y_minus_credit_o of 4 bit(s) is missing")

    def test_missing_input(self):
        text = router(self.pins, without=["consumption_ready_i"])
        self.refused(self.with_router(text), "module mine", "input consumption_ready_i of 1 bit(s) is missing")

    def test_missing_clock(self):
        self.refused(self.with_router(router(self.pins, without=["clk_i"])), "input clk_i of 1 bit(s) is missing",
                     "`noctule cosim FILE --pins`")

    def test_wrong_width(self):
        text = router(self.pins, widths={"x_plus_vc_o": 6})
        self.refused(self.with_router(text), "module mine", "x_plus_vc_o has 6 bit(s), 4 are needed", "parameters")

    def test_arrays(self):
        text = router(self.pins)
        for packed, unpacked in (("[3:0] x_plus_vc_o", "x_plus_vc_o [4]"), ("[3:0] x_minus_vc_i", "x_minus_vc_i [4]"),
                                 ("  assign x_plus_vc_o = '0;\n", "")):
            self.assertEqual(text.count(packed), 1)
            text = text.replace(packed, unpacked)
        self.refused(self.with_router(text), "module mine", "x_minus_vc_i is an array; give it as one vector of 4 bit(s)",
                     "and 1 more is so")

    def test_another_input(self):
        text = router(self.pins, more=["  input logic enable_i"])
        self.refused(self.with_router(text), "module mine", "input enable_i", "tie it in a wrapper")

    def test_wrong_direction(self):
        pins = [{**pin, "direction": "input"} if pin["name"] == "x_plus_valid_o" else pin for pin in self.pins]
        self.refused(self.with_router(router(pins)), "x_plus_valid_o has to be an output")

    def test_combinational_path(self):
        text = router(self.pins, "  assign injection_credit_o = injection_valid_i;")
        self.refused(self.with_router(text), "module mine", "combinational path from injection_valid_i to "
                     "injection_credit_o", "put a register")

    def test_combinational_path_behind_a_register(self):
        """Open after the first flit only; and only a flit that was sent brings a credit."""
        flit = next(pin["bits"] for pin in self.pins if pin["name"] == "y_plus_flit_o")
        text = router(self.pins, f"""\
  logic seen_q;
  logic [3:0] age_q;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) seen_q <= 1'b0;
    else if (x_plus_valid_i || x_minus_valid_i || y_plus_valid_i || y_minus_valid_i) seen_q <= 1'b1;
  always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) age_q <= '0; else age_q <= age_q + 4'd1;
  assign y_plus_valid_o = &age_q;
  assign y_plus_vc_o = {{3'b000, y_plus_valid_o}};
  assign y_plus_flit_o = {{2'b11, {flit - 2}'d0}} & {{{flit}{{y_plus_valid_o}}}};
  assign x_minus_vc_o = seen_q ? y_plus_credit_i : '0;""")
        self.refused(self.with_router(text), "combinational path from y_plus_credit_i to x_minus_vc_o")

    def test_combinational_path_that_a_flit_takes(self):
        text = router(self.pins, "  assign y_plus_credit_o = consumption_ready_i ? '0 : 4'b1;")
        self.refused(self.with_router(text), "combinational path from consumption_ready_i to y_plus_credit_o")

    # What the router's own code says

    def ask(self, text, *arguments, **keys):
        """(exit code, document, standard error) of a bench with one router of mine; standard output is JSON."""
        configuration = self.with_router(text)
        configuration["cosim"] = {"cycles": 500, "waveform": False, **keys}
        configuration["traffic"].update({"offered_load": 1.0, "packet_lengths": [{"length": 1}], "stall": 0.0})
        file = self.write("mine.yaml", configuration)
        code, out, err = support.noctule("cosim", file, "--quiet", "--json", "--out", self.folder / "out", *arguments,
                                         environment=support.QUICK)
        self.assertIn(code, (0, 1), out + err)
        return code, json.loads(out), err

    def test_only_legal_flits_are_shown_to_a_router(self):
        """It checks what comes in; nothing but its silence is wrong with it."""
        top = next(pin["bits"] for pin in self.pins if pin["name"] == "injection_flit_i") - 1
        text = router(self.pins, "\n".join(
            f"""  always_comb if (rst_ni && {link}_valid_i && {link}_flit_i[{top}])
    if ({link}_flit_i[4:0] > last_x_i || {link}_flit_i[9:5] > last_y_i) $fatal(1, "nowhere");
  always_comb if (rst_ni && !{link}_valid_i && {link}_flit_i != '0) $fatal(1, "noise");"""
            for link in ("injection", "x_plus", "x_minus", "y_plus", "y_minus")))
        code, found, _ = self.ask(text)
        self.assertEqual(code, 1)
        self.assertNotEqual(found["first_divergence"]["port"], "assertion")

    def test_what_it_displays_goes_to_standard_error(self):
        _, _, err = self.ask(router(self.pins, '  always_ff @(posedge clk_i) if (rst_ni) $display("here I am");'))
        self.assertIn("here I am\n", err)

    def test_what_it_asserts_is_a_finding_with_its_place(self):
        at = 3 + len(self.pins)  # the line behind the ports
        for body, says in (
                ("assert property (@(posedge clk_i) disable iff (!rst_ni) x_i == 5'd31) else $error(\"no such x\");",
                 "no such x"),
                ("always_ff @(posedge clk_i) if (rst_ni) assert (x_i == 5'd31) else $error(\"too\\nmany %0d\", 7);",
                 "too many 7"),
                ("always_ff @(posedge clk_i) if (rst_ni) assert (x_i == 5'd31);", "Assertion failed"),
                ("always_ff @(posedge clk_i) if (rst_ni) $fatal(1, \"it is over\");", "it is over"),
                ("always_ff @(posedge clk_i) if (rst_ni) $stop;", "$stop"),
                ("always_ff @(posedge clk_i) if (rst_ni) $finish;", "$finish")):
            code, found, err = self.ask(router(self.pins, body))
            first = found["first_divergence"]
            self.assertEqual((code, first["port"], first["router"], first["cycle"]), (1, "assertion", "router_1_2", 0), err)
            self.assertTrue(first["place"].endswith(f"mine.sv:{at}"), first)
            self.assertIn(says, first["text"])

    def test_a_memory_file_that_is_not_there(self):
        body = """\
  logic [7:0] rom [4];
  initial $readmemh("absent.hex", rom);
  always_ff @(posedge clk_i) if (rst_ni) $display("%h", rom[x_i[1:0]]);"""
        self.refused(self.with_router(router(self.pins, body)), "module mine reads 'absent.hex'", "is not there")

    def test_run_with_an_assertion_that_fails(self):
        file = self.write("refused.yaml", self.with_router(
            router(self.pins, '  always_ff @(posedge clk_i) if (rst_ni) $fatal(1, "over");')))
        code, _, err = support.noctule("run", file, "--quiet", "--out", self.folder / "out", environment=support.QUICK)
        self.assertEqual(code, 2, err)
        self.assertRegex(err, r"noctule: .*router_1_2.*cycle 1: the RTL itself stops at .*mine.sv:\d+: .*over")

    def test_a_function_that_nobody_defines(self):
        body = """\
  import "DPI-C" function int elsewhere(input int x);
  always_ff @(posedge clk_i) if (rst_ni) $display("%d", elsewhere(32'(x_i)));"""
        self.refused(self.with_router(router(self.pins, body)), "module mine imports the function elsewhere (DPI)",
                     "leave the import out")

    def test_signals_that_depend_on_themselves(self):
        text = router(self.pins, "  logic [1:0] ring;\n  assign ring = {ring[0], ~ring[1]};\n"
                                 "  assign x_plus_vc_o = {4{ring[1]}};")
        at = 3 + len(self.pins)  # the line behind the ports
        self.refused(self.with_router(text), "module mine", "combinational loop", "'mine.ring' at ", f"mine.sv:{at}:")

    def test_blocks_that_never_end(self):
        """Each is given up after EvaluationWatch::kSeconds of processor time."""
        for body in ("  int n = 1;\n  initial while (n != 0) n = n | 1;\n  assign x_plus_vc_o = 4'(n);",
                     "  int n;\n  always_ff @(posedge clk_i) begin\n    n = 1;\n"
                     "    while (rst_ni && n != 0) n = n | 1;\n  end\n  assign x_plus_vc_o = 4'(n);"):
            self.refused(self.with_router(router(self.pins, body)), "module mine does not come to rest", "always blocks")

    def test_the_clock_falls_in_cycle_0(self):
        """A credit by way of the falling edge comes as soon as that of the model."""
        text = router(self.pins, """\
  logic half_q, credit_q;
  always_ff @(negedge clk_i or negedge rst_ni) if (!rst_ni) half_q <= 1'b0; else half_q <= injection_valid_i;
  always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) credit_q <= 1'b0; else credit_q <= half_q;
  assign injection_credit_o = credit_q;""")
        code, found, _ = self.ask(text, cycles=2, resets=0)
        self.assertEqual((code, found["router_cycles"], found["moving_router_cycles"] > 0), (0, 2, True), found)

    # Sources

    def test_syntax_error(self):
        text = router(self.pins, "  assign = ;")
        self.refused(self.with_router(text), "Verilator refuses module mine", "mine.sv:", "syntax error")

    def test_unknown_module_inside(self):
        text = router(self.pins, "  arbiter_that_is_not_there u_arbiter ();")
        self.refused(self.with_router(text), "Verilator refuses module mine", "arbiter_that_is_not_there")

    def test_missing_file(self):
        self.refused(self.with_router("", files=["theirs.sv"]), f"{self.folder}/theirs.sv: no such file")
        self.refused(self.with_router("", files=["."]), f"{self.folder}", "is a folder", "'folders'")

    def test_sources_in_another_language(self):
        (self.folder / "dpi.cpp").write_text('extern "C" int elsewhere(int x) { return x; }\n', encoding="utf-8")
        self.refused(self.with_router(router(self.pins), files=["mine.sv", "dpi.cpp"]), "dpi.cpp",
                     "only SystemVerilog and Verilog")

    def test_a_top_that_is_no_name(self):
        self.refused(self.with_router(router(self.pins), top="--help"), "'--help' is no name of a module")

    def test_several_terminals_at_a_router(self):
        configuration = self.with_router(router(self.pins))
        configuration["nodes"][0]["routers"] = ["*"]
        configuration["topology"]["terminals_per_router"] = 2
        self.refused(configuration, "topology.terminals_per_router", "a router in hardware has one terminal")

    def test_missing_folder(self):
        self.refused(self.with_router(router(self.pins), folders=["theirs"]), "theirs", "no such folder")

    def test_unknown_top(self):
        self.refused(self.with_router(router(self.pins), top="yours"), "yours")

    def test_no_shipped_router_of_that_name(self):
        configuration = support.fabric(FOUR, 4)
        configuration["nodes"] = [{"rtl": {"top": "five_classes"}}]
        self.refused(configuration, "no shipped RTL of 'five_classes'", "star_channels", "files")

    def test_unknown_parameter(self):
        self.refused(self.with_router(router(self.pins), parameters={"Lanes": 4}), "Lanes")

    def test_parameters_of_more_than_32_bits(self):
        for value in (2**40 + 5, -2**40, 2**63 - 1, -2**63, 2**31, -2**31, -5):
            text = router(self.pins, f"  if (Wide != 64'sh{value % 2**64:x}) $fatal(1, \"Wide is %0d\", Wide);")
            text = text.replace("module mine (", "module mine #(parameter longint Wide = 0) (")
            file = self.write("wide.yaml", self.with_router(text, parameters={"Wide": value}))
            code, _, err = support.noctule("cosim", file, "--quiet", "--out", self.folder / "out",
                                           environment=support.QUICK)
            self.assertEqual(code, 1, err)  # not refused; it does nothing

    def test_parameter_that_is_no_number(self):
        self.refused(self.with_router(router(self.pins), parameters={"Lanes": "many"}), "Lanes", "many")

    # Fabrics

    def test_unknown_router(self):
        configuration = support.fabric(FOUR, 4)
        configuration["nodes"] = [{"routers": ["router_9_*"], "rtl": {}}]
        self.refused(configuration, "router_9_*", "router_0_0")

    def test_the_spelling_of_before(self):
        configuration = support.fabric(FOUR, 4)
        configuration["nodes"] = [{"routers": ["router_1_2"], "top": "mine"}]
        self.refused(configuration, "unknown key 'top'", "did you mean 'rtl.top'?")
        configuration["nodes"] = [{"routers": ["router_1_2"], "model": "rtl"}]
        self.refused(configuration, "unknown key 'model'", "did you mean 'rtl'?")
        configuration["nodes"] = [{"routers": ["router_1_2"]}]
        self.refused(configuration, "nodes[0]", "rtl: {}")

    def test_record_of_an_unknown_router(self):
        for command in ("cosim", "check", "run"):
            self.refused(support.fabric(FOUR, 4, {"cosim.record": "router_9_9"}), "cosim.record", "router_9_9", "router_0_0",
                         command=command)

    def test_what_only_a_run_does(self):
        asked = {"trace.vcd": True, "trace.events": True, "plots": ["latency_load"], "expect": "stable"}
        file = self.write("asked.yaml", support.fabric(FOUR, 4, {**asked, "cosim.record": "router_9_9"}))
        _, _, err = support.noctule("cosim", file, "--out", self.folder / "out", environment=support.QUICK)
        for key in asked:
            self.assertRegex(err, rf"warning: .*asked.yaml:\d+:\d+: {key}: has no effect here: ")
        file = self.write("plain.yaml", support.fabric(FOUR, 4))
        for option in ("trace.vcd=true", "plots=[latency_load]", "expect=any", "measurement.cycles=50"):
            code, _, err = support.noctule("cosim", file, "--set", option, "--out", self.folder / "out")
            self.assertEqual(code, 2, err)
            self.assertIn(f"--set {option}: {option.partition('=')[0]}: has no effect here: ", err)

    def test_random_selection(self):
        self.refused(support.fabric(FOUR, 4, {"node.selection": "random"}), "node.selection", "first or rotating")

    def test_several_crossbars_for_one_header(self):
        self.refused(support.fabric(FOUR, 8, {"routing.tie": "adaptive"}), "routing.tie", "drawn")

    def test_three_dimensions(self):
        configuration = support.fabric("input_queued", 4)
        configuration["topology"]["radix"] = [4, 4, 4]
        self.refused(configuration, "topology.kind", "two dimensions")

    def test_another_routing_than_the_rtl_has(self):
        configuration = support.fabric("input_queued", 4, {"routing.algorithm": "north_last"})
        configuration["nodes"] = [{"routers": ["router_1_2"], "rtl": {}}]
        self.refused(configuration, "routing.algorithm", "dimension_order", command="run")

    # RTL beside routers that are not like it

    def unlike(self, entries, *says, links=()):
        configuration = support.fabric("input_queued", 4)
        configuration["nodes"] = [*entries, {"routers": ["router_1_1"], "rtl": {}}]
        configuration["links"] = list(links)
        for command in ("run", "cosim"):
            self.refused(configuration, *says, command=command)

    def test_other_vcs_on_a_link(self):
        self.unlike([{"routers": ["router_2_1"], "set": {"lanes": 2}}], "links",
                    "router_2_1.x_minus at router_1_1, which is RTL, has lanes 2", "set lanes of the link")

    def test_a_serialiser_behind_it(self):
        self.unlike([], "links", "router_1_1.y_plus at router_1_1, which is RTL, link.cycles_per_flit",
                    links=[{"links": ["router_1_1.y_plus"], "set": {"cycles_per_flit": 2}}])

    def test_buffers_of_another_depth_behind_it(self):
        self.unlike([{"routers": ["router_2_1"], "set": {"input_depth": 3}}], "nodes",
                    "router_2_1 has node.input_depth 3", "router_1_1, which is shipped RTL")

    def test_a_node_that_no_rtl_has(self):
        self.unlike([{"routers": ["router_1_1"], "set": {"routing_delay": 2}}], "nodes",
                    "router_1_1, which is RTL, node.routing_delay", ": 0")

    # The machine

    def test_no_verilator(self):
        nothing = self.folder / "nothing"
        nothing.mkdir()
        self.refused(support.fabric(FOUR, 4), "Verilator is not installed", "apt-get install verilator",
                     environment={"PATH": str(nothing)})

    def test_no_compiler(self):
        for words in ("no-such-c++", "no-such-c++ c++"):
            self.refused(support.fabric(FOUR, 4), "'no-such-c++' is not there", "CXX", environment={"CXX": words})

    def test_unwritable_cache(self):
        (self.folder / "file").touch()
        self.refused(support.fabric(FOUR, 4), str(self.folder / "file"), "cannot be written", "NOCTULE_CACHE",
                     environment={"NOCTULE_CACHE": str(self.folder / "file" / "cache")})

    # Routers that do nonsense in a fabric

    def nonsense(self, body, *says):
        self.refused(self.with_router(router(self.pins, body)), "router_1_2", *says, command="run")

    def registers(self, *assignments):
        """Drives these from the third cycle on."""
        return "\n".join(["  logic [1:0] age_q;", "  always_ff @(posedge clk_i or negedge rst_ni)",
                          "    if (!rst_ni) age_q <= '0;", "    else if (age_q != '1) age_q <= age_q + 2'd1;",
                          *(f"  assign {name} = age_q == '1 ? {value} : '0;" for name, value in assignments)])

    def test_run_with_a_flit_from_nowhere(self):
        flit = next(pin["bits"] for pin in self.pins if pin["name"] == "x_plus_flit_o")
        self.nonsense(self.registers(("x_plus_valid_o", "1'b1"), ("x_plus_vc_o", "4'b0001"),
                                     ("x_plus_flit_o", f"{{3'b101, {flit - 3}'d1}}")), "x_plus_flit_o")

    def test_run_with_two_vcs_at_once(self):
        self.nonsense(self.registers(("x_plus_valid_o", "1'b1"), ("x_plus_vc_o", "4'b0101")), "x_plus_vc_o", "one-hot")

    def test_run_with_a_credit_for_nothing(self):
        self.nonsense(self.registers(("y_plus_credit_o", "4'b0001")), "y_plus_credit_o")

    def test_run_with_an_injection_credit_for_nothing(self):
        self.nonsense(self.registers(("injection_credit_o", "1'b1")), "injection_credit_o")

    def test_run_with_a_delivery_from_nowhere(self):
        self.nonsense(self.registers(("consumption_valid_o", "1'b1")), "consumption_flit_o")


if __name__ == "__main__":
    support.needs("verilator", "c++")
    sys.exit(not unittest.main(verbosity=2, exit=False).result.wasSuccessful())
