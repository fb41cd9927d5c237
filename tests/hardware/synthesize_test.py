#!/usr/bin/python3
"""Does scripts/synthesize give figures of what it is given, and refuse what it cannot do? Usage: ... PROJECT"""
import json
import pathlib
import unittest

from hardware_support import HardwareTest, main, needs

COUNTER = """\
`default_nettype none
module counter #(parameter int Width = 4) (
    input wire logic clk_i, input wire logic rst_ni, input wire logic [4:0] x_i, input wire logic [4:0] last_x_i,
    input wire logic [Width-1:0] step_i, output logic [Width-1:0] value_o, output logic edge_o
);
  half #(.Width(Width)) u_half (.clk_i, .rst_ni, .step_i, .value_o);
  assign edge_o = x_i == last_x_i;
endmodule
`default_nettype wire
"""
HALF = """\
`default_nettype none
module half #(parameter int Width = 4) (
    input wire logic clk_i, input wire logic rst_ni, input wire logic [Width-1:0] step_i,
    output logic [Width-1:0] value_o
);
  logic [Width-1:0] value_q;
  always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) value_q <= '0; else value_q <= value_q + step_i;
  assign value_o = value_q;
endmodule
`default_nettype wire
"""
LIBERTY = """\
library (tiny) { time_unit : "1ns"; capacitive_load_unit (1, pf); nom_voltage : 1.0; nom_temperature : 25.0;
  cell (INVX1) { area : 2; pin (A) { direction : input; } }
  cell ("DFF") { area : 9.5; ff (IQ, IQN) { clocked_on : "CLK"; } }
}
"""


class Refusals(HardwareTest):
    def test_command_lines(self):
        for arguments in ([], ["a", "b"], ["--all", "a"], ["--all", "--check"], ["a", "--recipe", "luck"]):
            self.assertIn("usage", self.synthesize(*arguments, code=2)[1])
        for arguments, text in ((["no_such_module"], "there is no module no_such_module"),
                                (["no/such/file.sv"], "there is no file no/such/file.sv"),
                                (["priority_select", "--liberty", "no.lib"], "there is no liberty file no.lib"),
                                (["priority_select", "--param", "N"], "write NAME=VALUE"),
                                (["priority_select", "--source", "nowhere"], "there is no folder nowhere"),
                                (["--check", "--table", "nowhere.csv"], "there is no table nowhere.csv"),
                                (["--check", "--table", str(self.write("bad.csv", "a,b\n1,2\n"))], "is no cost table")):
            out, err = self.synthesize(*arguments, code=2)
            self.assertEqual(out, "")
            self.assertTrue(err.startswith("synthesize: "), err)
            self.assertIn(text, err)

    def test_names_the_package_of_a_missing_tool(self):
        _, err = self.synthesize("priority_select", code=2, path="/nowhere")
        self.assertEqual(err, "synthesize: yosys is not installed (Debian: apt-get install --no-install-recommends "
                         "yosys)\n")
        _, err = self.synthesize("priority_select", "--liberty", self.write("empty.lib", "library (x) {}"), code=2)
        self.assertIn("is no liberty file", err)

    @needs("yosys", "osu018")
    def test_says_what_is_wrong_with_a_source(self):
        for text, complaint in (
                (COUNTER.replace("x_i == last_x_i", "x_i == lst_x_i"), "lst_x_i"),      # a name that is not there
                (COUNTER.replace("  assign edge_o = x_i == last_x_i;\n", "  logic w;\n  assign edge_o = w;\n"),
                 "problems in 'check -assert'"),                                          # a wire that nothing drives
                (COUNTER.replace("endmodule", ""), "syntax error")):
            self.write("counter.sv", text)
            self.write("half.sv", HALF)
            _, err = self.synthesize("counter.sv", code=2)
            self.assertIn(complaint, err)
        self.write("counter.sv", COUNTER)
        _, err = self.synthesize("counter.sv", "--param", "Wdth=3", code=2)
        self.assertIn("Wdth", err)


class Libraries(unittest.TestCase):
    def test_areas_corner_and_flip_flops_are_read(self):
        import tempfile

        from hardware.liberty import Liberty
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "tiny.lib"
            file.write_text(LIBERTY, encoding="utf-8")
            library = Liberty(str(file))
        self.assertEqual((library.name, library.corner, library.flops), ("tiny", "1 V, 25 C", {"DFF"}))
        self.assertEqual(library.area_of({"INVX1": 3, "DFF": 2}), 25.0)
        self.assertEqual(library.inverter(), "INVX1")


@needs("yosys", "osu018", "sta")
class Figures(HardwareTest):
    def setUp(self):
        super().setUp()
        self.write("counter.sv", COUNTER)
        self.write("half.sv", HALF)

    def rows(self, *arguments):
        return json.loads(self.synthesize("counter.sv", "--json", *arguments)[0])

    def test_of_a_module_with_parameters_and_constants(self):
        rows = self.rows("--param", "Width=6", "--radix", "8")
        self.assertGreaterEqual(len(rows), 3)
        for row in rows:
            self.assertEqual((row["parameters"], row["tied"], row["flops"]), ("Width=6", "last_x_i=7", "6"))
            self.assertEqual((row["library"], row["corner"]), ("osu018", "0.18 um, typical, 1.8 V, 25 C"))
            # Six flip-flops with reset are 6 * 176 um2 of it; an adder of 6 bits is below 60 gates.
            self.assertTrue(6 * 176 < float(row["area_um2"]) < 6 * 176 + 60 * 56, row["area_um2"])
            self.assertTrue(0.5 < float(row["reg_reg_ns"]) < 5 and 0.2 < float(row["reg_out_ns"]) < 2, row)
            self.assertLess(float(row["in_reg_ns"]), float(row["reg_reg_ns"]))
            self.assertEqual(row["in_out_ns"], "")  # from the position alone, which never changes
            self.assertEqual(row["cycle_ns"], row["reg_reg_ns"])
        self.assertEqual(len({row["recipe"] for row in rows}), len(rows))

    def test_the_same_twice(self):
        self.assertEqual(self.rows(), self.rows())

    def test_a_default_that_is_given_changes_nothing(self):
        """In modules where yosys 0.23 maps what has other names otherwise, and whatever way the value is written."""
        def rows(*words):
            return json.loads(self.synthesize(*words, "--json", "--recipe", "nf")[0])

        plain = rows("separable_input_first")
        for given in (["Requesters=4"], ["Resources=4", "Groups=4"]):
            words = [word for value in given for word in ("--param", value)]
            self.assertEqual(rows("separable_input_first", *words), plain, given)
        self.assertEqual(rows("vc_allocator", "--param", "Rotating=1"), rows("vc_allocator", "--param", "Rotating=1'b1"))

    def test_wider_is_larger_and_slower(self):
        narrow, wide = (self.rows("--param", f"Width={width}", "--recipe", "nf")[0] for width in (4, 32))
        for column in ("area_um2", "gates", "depth", "reg_reg_ns"):
            self.assertGreater(float(wide[column]), float(narrow[column]), column)

    def test_go_into_a_table_of_mine(self):
        for lanes in (1, 2):
            self.synthesize("counter.sv", "--model", "four_classes", "--set", f"node.lanes={lanes}",
                            "--append", "t.csv")
        from hardware import table
        rows = table.read(self.folder / "t.csv")
        self.assertEqual({row["set"] for row in rows}, {"node.lanes=1", "node.lanes=2"})
        self.assertEqual({(row["kind"], row["model"]) for row in rows}, {("node", "four_classes")})

    def test_netlist_has_gates_alone_and_the_same_pins(self):
        self.synthesize("counter.sv", "--param", "Width=3", "--netlist", "net.v")
        text = (self.folder / "net.v").read_text(encoding="utf-8")
        self.assertIn("module counter(clk_i, rst_ni, x_i, last_x_i, step_i, value_o, edge_o);", text)
        self.assertIn("input [2:0] step_i;", text)
        self.assertNotIn("half", text.replace("u_half", ""))
        self.assertNotIn("parameter", text)


if __name__ == "__main__":
    main()
