"""Longest paths of a mapped netlist, by OpenSTA."""
import re

from hardware.sources import CannotSynthesize
from hardware.tools import run

PERIOD = 100.0  # ns: long enough that every path meets it; delays are the period less the slack
STATIC = ("x_i", "y_i", "last_x_i", "last_y_i")  # inputs that never change
# Pins of a link by what they carry: such an output leads to the neighbour's input of the same name.
LINK_PIN = re.compile(r"[xyz]_(?:plus|minus)(?:_\d+)?_(valid|vc|flit|credit)_([io])")
SLACK = """\
proc slack {name from to} {
  if {[llength $from] == 0 || [llength $to] == 0} return
  foreach path [find_timing_paths -path_delay max -from $from -to $to] {
    puts "slack $name [get_property $path slack]"
  }
}"""


def pins_of(names, widths):
    """Tcl: the bits of ports."""
    patterns = " ".join(f"{{{name}[*]}}" if widths[name] > 1 else name for name in names)
    return f"[get_ports [list {patterns}]]"


def links_of(design):
    """{what is carried: (outputs, inputs)}"""
    found = {}
    for pin in [*design.outputs, *design.inputs]:
        match = LINK_PIN.fullmatch(pin)
        if match:
            found.setdefault(match[1], ([], []))[match[2] == "i"].append(pin)
    return {kind: both for kind, both in found.items() if both[0] and both[1]}


def script_for(folder, design, liberty, driving_cell, load_ff):
    clock = next((pin for pin in design.inputs if pin.startswith("clk")), None)
    data = [pin for pin in design.inputs if pin != clock and pin not in STATIC and not pin.startswith("rst")]
    script = [f"read_liberty {liberty.path}", f"read_verilog {folder}/mapped.v", f"link_design {design.top}",
              f"create_clock -name clock -period {PERIOD / liberty.time_unit}" +
              (f" [get_ports {clock}]" if clock else "")]
    sources, sinks = {"reg": "[all_registers -clock_pins]"}, {"reg": "[all_registers -data_pins]"}
    if data:
        script += [f"set inputs {pins_of(data, design.inputs)}", "set_input_delay 0 -clock clock $inputs",
                   f"set_driving_cell -lib_cell {driving_cell} $inputs"]
        sources["in"] = "$inputs"
    if design.outputs:
        script += [f"set outputs {pins_of(design.outputs, design.outputs)}", "set_output_delay 0 -clock clock $outputs",
                   f"set_load {load_ff / 1000 / liberty.capacitance_unit} $outputs"]
        sinks["out"] = "$outputs"
    script.append(SLACK)
    script += [f"slack {a}_{b}_ns {sources[a]} {sinks[b]}" for a in sources for b in sinks
               if clock or (a, b) == ("in", "out")]
    for kind, (out, into) in links_of(design).items():
        script += [f"slack {kind}_out {sources['reg']} {pins_of(out, design.outputs)}",
                   f"slack {kind}_in {pins_of(into, design.inputs)} {sinks['reg']}"]
    return "\n".join([*script, "exit"]) + "\n"


def delays(folder, design, liberty, driving_cell, load_ff):
    """{"reg_reg_ns": , ...}: what of them there is; clock to output and setup are in them."""
    (folder / "time.tcl").write_text(script_for(folder, design, liberty, driving_cell, load_ff), encoding="utf-8")
    said = run(["sta", "-no_splash", "-exit", "time.tcl"], f"OpenSTA on {design.top}", folder)
    if "Error" in said:
        raise CannotSynthesize(f"OpenSTA on {design.top}: " + said.strip()[-500:])
    found = {path: round(PERIOD - float(slack) * liberty.time_unit, 4)
             for path, slack in re.findall(r"^slack (\w+) (\S+)$", said, re.M)}
    # From a register to the end of a link, and on to a register of the next router.
    over_links = [found[f"{kind}_out"] + found[f"{kind}_in"] for kind in links_of(design)
                  if {f"{kind}_out", f"{kind}_in"} <= found.keys()]
    paths = {path: delay for path, delay in found.items() if path.endswith("_ns")}
    return {**paths, "link_ns": round(max(over_links), 4)} if over_links else paths
