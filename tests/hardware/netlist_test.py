#!/usr/bin/python3
"""Does the netlist that yosys makes of a router do what the router does? Usage: netlist_test.py PROJECT [--all]

In a fabric: `noctule cosim` holds the netlist against the model, every output in every cycle. With --all, of every
router; and source, netlist and a netlist with one gate changed get the same random pins in one Verilator model:
source and netlist must agree, also on pins that break the rules, and the changed one must not.
"""
import json
import os
import re
import subprocess
import sys
import unittest

from hardware_support import PROJECT, HardwareTest, main, needs
from hardware.sources import Sources

NODES = ("four_classes", "star_channels", "linder_harden", "oblivious", "input_queued")
TORUS = "topology: {kind: torus, radix: [5, 5]}\n"
# As hardware does it: what stands at the head of the files in rtl/nodes.
FABRICS = {
    "four_classes": TORUS + "node: {model: four_classes, selection: rotating}\n"
                            "routing: {algorithm: four_classes, tie: drawn}\n",
    "star_channels": TORUS + "node: {model: star_channels, selection: rotating}\n",
    "linder_harden": TORUS + "node: {model: linder_harden, selection: rotating}\n",
    "oblivious": TORUS + "node: {model: oblivious, vc_allocator: separable_input_first}\n",
    "input_queued": "topology: {kind: mesh, radix: [5, 5]}\n"
                    "node: {model: input_queued, routing_delay: 0, switch_allocation_delay: 0, lanes: 2, "
                    "input_depth: 2, injection_vcs: 2, consumption_vcs: 2}\n",
}
SMALL = {"input_queued": ["--param", "Vcs=2", "--param", "Depth=2"]}  # its netlist takes minutes to compile else
STALLS = "traffic: {packet_length: 5, offered_load: 0.3, stall: 0.1}\n"
TRAFFIC = "traffic: {packet_length: 5, offered_load: 0.3}\n"
RUN = "cosim: {cycles: 3000}\n"
CYCLES = 20000
POSITION = ("x_i", "y_i", "last_x_i", "last_y_i")
DRIVER = """\
#include <cstdint>
#include <cstdio>
#include "Vboth.h"
#include "verilated.h"

int main() {
  VerilatedContext context;
  Vboth both(&context);
  std::uint64_t state = 88172645463325252ULL;
  const auto random = [&] {  // xorshift
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return static_cast<std::uint32_t>(state >> 32);
  };
  long differ = 0, mutant = 0, moved = 0;
  for (long cycle = 0; cycle < CYCLES; ++cycle) {
    const long phase = cycle / 500;
    both.rst_ni = cycle % 500 >= 3;  // a reset, and another place, now and then
    if (cycle % 500 == 0) both.x_i = random() % 31, both.y_i = random() % 31;
    for (int word = 0; word < WORDS; ++word) {
      std::uint32_t bits = random();
      if (phase % 3 != 0) bits &= random();      // a quarter of the bits
      if (phase % 3 == 2) bits &= random() & random();
      both.pins_i[word] = bits;
    }
    both.clk_i = 0, both.eval();
    differ += both.differ_o, mutant += both.mutant_o, moved += both.moves_o;
    both.clk_i = 1, both.eval();
  }
  std::printf("%ld %ld %ld\\n", differ, mutant, moved);
}
"""


def ports_of(netlist):
    """[(direction, width, name)] of the module, as yosys writes them."""
    return [(way, int(high or 0) + 1, name)
            for way, high, name in re.findall(r"^  (input|output) (?:\[(\d+):0\] )?(\w+);$", netlist, re.M)]


def mutant_of(netlist):
    """Some gates all over it are other ones: of a single one another gate may hide the fault."""
    gates = list(re.finditer(r"^  assign \w+ = \w+(?:\[\d+\])? ([&|]) ", netlist, re.M))
    for gate in gates[len(gates) // 16::len(gates) // 8][::-1]:  # from the end, so that the places hold
        netlist = netlist[:gate.start(1)] + ("|" if gate[1] == "&" else "&") + netlist[gate.end(1):]
    return netlist


def side_by_side(node, ports):
    """A module with the source, the netlist and the mutant on the same pins."""
    pins = [(width, name) for way, width, name in ports
            if way == "input" and name not in POSITION and name not in ("clk_i", "rst_ni")]
    outputs = [(width, name) for way, width, name in ports if way == "output"]
    total, at, fed = sum(width for width, _ in outputs), 0, []
    for width, name in pins:
        fed.append(f".{name}(pins_i[{at}+:{width}])")
        at += width
    words = max(3, (at + 31) // 32)  # above 64 bits the pins are an array of words
    fixed = [".clk_i(clk_i)", ".rst_ni(rst_ni)", ".x_i(x_i)", ".y_i(y_i)", ".last_x_i(5'd30)", ".last_y_i(5'd30)"]
    lines = [f"module both (input wire clk_i, input wire rst_ni, input wire [4:0] x_i, input wire [4:0] y_i,",
             f"    input wire [{32 * words - 1}:0] pins_i,",
             "    output wire differ_o, output wire mutant_o, output wire moves_o);"]
    for instance, module in (("a", node), ("b", "netlist"), ("c", "mutant")):
        place, out = 0, []
        for width, name in outputs:
            out.append(f".{name}({instance}[{place}+:{width}])")
            place += width
        values = ", ".join(f".{word.replace('=', '(')})" for word in SMALL.get(module, [])[1::2])
        lines += [f"  wire [{total - 1}:0] {instance};",
                  f"  {module} {f'#({values}) ' if values else ''}u_{instance} ({', '.join(fixed + fed + out)});"]
    lines += ["  assign differ_o = a != b;", "  assign mutant_o = a != c;", "  assign moves_o = |a;", "endmodule"]
    return "\n".join(lines) + "\n", words


@needs("yosys", "verilator", "g++", "make")
class InAFabric(HardwareTest):
    def cosim(self, *arguments):
        return subprocess.run([os.environ["NOCTULE_PROGRAM"], "cosim", *arguments], cwd=self.folder, check=False,
                              env={**os.environ, "NOCTULE_CACHE": str(self.folder / "cache")}, capture_output=True,
                              text=True)

    def lockstep(self, node):
        # The terminals of an input-queued router take a flit in every cycle.
        fabric = FABRICS[node] + (TRAFFIC if node == "input_queued" else STALLS) + RUN
        self.write("plain.yaml", fabric)
        width = re.search(r"^ +input +(\d+) +x_\w*_flit_i$", self.cosim("plain.yaml", "--pins").stdout, re.M)
        self.synthesize(node, "--param", f"DataW={int(width[1]) - 2}", *SMALL.get(node, []), "--netlist", "netlist.v")
        self.write("netlist.yaml", fabric + f'nodes: [{{routers: ["*"], rtl: {{files: [netlist.v], top: {node}}}}}]\n')
        done = self.cosim("netlist.yaml", "--json")
        self.assertEqual(done.returncode, 0, done.stdout[-1500:] + done.stderr[-1500:])
        result = json.loads(done.stdout)
        result = result[0] if isinstance(result, list) else result
        print(f"{node}: {result['router_cycles']} router-cycles, {result['compared_values']} values compared")
        self.assertFalse(result["diverged"])
        self.assertGreaterEqual(result["router_cycles"], 25 * 3000)

    def test_the_netlist_is_the_model(self):
        if "NOCTULE_PROGRAM" not in os.environ:
            self.skipTest("the program is not built")
        for node in NODES if "--all" in sys.argv else NODES[:1]:
            with self.subTest(node):
                self.lockstep(node)


@unittest.skipIf("--all" not in sys.argv, "with --all only")
@needs("yosys", "verilator", "g++", "make")
class OnRandomPins(HardwareTest):
    def compare(self, node):
        self.synthesize(node, *SMALL.get(node, []), "--netlist", "netlist.v")
        netlist = (self.folder / "netlist.v").read_text(encoding="utf-8")
        ports = ports_of(netlist)
        self.assertGreater(len(ports), 30)
        text = netlist.replace(f"module {node}(", "module netlist(")
        self.write("netlist.v", text + mutant_of(text).replace("module netlist(", "module mutant("))
        both, words = side_by_side(node, ports)
        self.write("both.sv", both)
        self.write("driver.cpp", DRIVER.replace("CYCLES", str(CYCLES)).replace("WORDS", str(words)))
        files = [str(file) for file in Sources([PROJECT / "rtl"]).needed(node)]
        subprocess.run(["verilator", "--cc", "--exe", "--build", "-j", "1", "-Wno-fatal", "-DSYNTHESIS",
                        "--x-initial", "0", "-CFLAGS", "-O1", "--top-module", "both", "driver.cpp", "both.sv",
                        "netlist.v", *files],
                       cwd=self.folder, check=True, capture_output=True)
        said = subprocess.run([str(self.folder / "obj_dir/Vboth")], check=True, capture_output=True, text=True).stdout
        differ, mutant, moved = map(int, said.split())
        print(f"{node}: {CYCLES} cycles, outputs moved in {moved}, differed in {differ}, the mutant's in {mutant}")
        self.assertEqual(differ, 0)
        self.assertGreater(mutant, 0)
        self.assertGreater(moved, CYCLES // 4)

    def test_does_what_the_source_does(self):
        for node in NODES:
            with self.subTest(node):
                self.compare(node)


if __name__ == "__main__":
    main()
