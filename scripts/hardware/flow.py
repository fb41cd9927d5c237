"""One synthesis: yosys, mapping with abc to a liberty library, delays by OpenSTA."""
import dataclasses
import json
import pathlib
import re
import shutil
import tempfile
from typing import Optional

from hardware import timing
from hardware.sources import CannotSynthesize
from hardware.tools import run, tool

LOAD_FF = 20.0  # at every output: about two gate inputs in 0.18 um

# Ways to map one netlist with abc, all for speed. Which one suits a circuit is luck, and so is much of the figures:
# they are ranges over these.
SIZE = "upsize,-D,500;dnsize,-D,500"
RECIPES = {
    "nf": "",  # the script of yosys
    "map": f"strash;ifraig;scorr;dc2;strash;dch;map;topo;buffer,-N,8;{SIZE}",
    "compress": "strash;ifraig;scorr;dc2;dc2;balance;rewrite;refactor;balance;rewrite,-z;balance;refactor,-z;"
                f"rewrite,-z;balance;strash;dch;map,-B,0.9;topo;buffer;{SIZE}",
    "balanced": f"strash;ifraig;scorr;dc2;strash;if,-g,-K,6,-C,8;strash;dch;map;topo;buffer;{SIZE}",
}
GENERIC_FLOP = re.compile(r"\$_(?:S?DFF|ALDFF|DLATCH|SR)")


@dataclasses.dataclass
class Elaborated:
    """A top with its parameters, after hierarchy and proc."""
    top: str
    parameters: dict   # name: value, all of them
    tied: dict         # input: value
    inputs: dict       # name: width; what is tied is not among them
    outputs: dict
    blocks: dict       # (module, ((name, value), ...)): instances


@dataclasses.dataclass
class Figures:
    """What one recipe gives; delays in ns, None where there is no such path or no OpenSTA."""
    recipe: str
    area_um2: float
    cells: int
    flops: int
    gates: int                    # before mapping: two-input gates and multiplexers, without flip-flops
    depth: int                    # of these, on the longest path
    reg_reg_ns: Optional[float] = None
    in_reg_ns: Optional[float] = None
    reg_out_ns: Optional[float] = None
    in_out_ns: Optional[float] = None
    link_ns: Optional[float] = None  # from a register over a link to a register of the next router

    @property
    def cycle_ns(self):
        """The shortest clock of routers and their links."""
        paths = [path for path in (self.reg_reg_ns, self.link_ns) if path is not None]
        return max(paths) if paths else None

    def as_json(self):
        return {**dataclasses.asdict(self), "cycle_ns": self.cycle_ns}


def yosys(script, what, folder):
    """yosys -q prints warnings and errors alone."""
    file = pathlib.Path(folder) / "script.ys"
    file.write_text(script, encoding="utf-8")
    return run([tool("yosys", "yosys"), "-q", file], what, folder)


def versions():
    """Of the tools, as they say it themselves."""
    found = {"yosys": run([tool("yosys", "yosys"), "-V"], "yosys -V", ".").split("(")[0].replace("Yosys", "").strip()}
    if shutil.which("sta"):
        found["OpenSTA"] = run(["sta", "-version"], "sta -version", ".").strip()
    return found


def plain_value(bits):
    """A parameter as yosys writes it: 32 bits are an integer, others a literal, the rest a string."""
    if not re.fullmatch("[01]+", str(bits)):
        return str(bits).strip()
    if len(bits) != 32:
        return f"{len(bits)}'b{bits}"
    number = int(bits, 2)
    return str(number - (1 << 32) if bits[0] == "1" else number)


def like(default, value):
    """A value as the default is written, where both are numbers: 1'b1 for 1 if the default has one bit."""
    literal = re.fullmatch(r"(\d+)'b[01]+", str(default))
    number = re.fullmatch(r"(?:\d+'([bdh]))?([0-9a-fA-F]+)", str(value))
    if not number or (number[1] is None and not str(value).isdigit()):
        return value
    plain = int(number[2], {"b": 2, "h": 16}.get(number[1], 10))
    if literal:
        return f"{literal[1]}'b{plain:0{literal[1]}b}"
    return str(plain) if re.fullmatch(r"-?\d+", str(default)) else value


def parameters_of(module):
    values = module.get("parameter_default_values") or {}
    return {name: plain_value(bits) for name, bits in sorted(values.items())}


class Synthesis:
    """The steps share a folder; use as a context manager."""

    def __init__(self, files, top):
        self.files, self.top = files, top

    def __enter__(self):
        self.holder = tempfile.TemporaryDirectory(prefix="noctule-synthesis-")
        self.folder = pathlib.Path(self.holder.name)
        return self

    def __exit__(self, *_):
        self.holder.cleanup()

    def elaborate(self, parameters, tied):
        """Reads the sources; ties inputs that exist to constants. `parameters`: name: value as in Verilog.

        The names that yosys gives its copies of modules, and with them the mapping, depend on how parameters are set. So
        all are set, in one order and one way of writing: a default that is given is the same as one that is not."""
        known = parameters_of(self.read(parameters)[1])
        unknown = [p for p in parameters if p not in known]
        if unknown:
            raise CannotSynthesize(f"{self.top} has no parameter {unknown[0]}; it has {', '.join(known) or 'none'}")
        try:
            written = parameters_of(self.read({})[1])
        except CannotSynthesize:  # the defaults alone make no module
            written = known
        modules, (name, module) = self.read({p: like(written.get(p, v), v) for p, v in known.items()}, whole=True)
        known = parameters_of(module)
        ports = {p: (d["direction"], len(d["bits"])) for p, d in module["ports"].items()}
        tied = {p: v for p, v in tied.items() if ports.get(p, ("",))[0] == "input"}
        ties = [f"select -module {name}"] + [line for pin, value in tied.items() for line in (
            f"delete -input w:{pin}", f"connect -set {pin} {ports[pin][1]}'d{value}")] + ["select -clear"]
        yosys("\n".join(["read_rtlil design.il", *ties, f"synth -flatten -top {name}", "check -assert",
                         "tee -q -o generic.json stat -json", "tee -q -o depth.txt ltp -noff", "write_rtlil generic.il",
                         "write_verilog -noattr generic.v"]), f"synthesis of {self.top}", self.folder)
        return Elaborated(self.top, known, tied, self.ports(ports, "input", tied), self.ports(ports, "output", {}),
                          blocks_of(modules, name))

    def read(self, parameters, whole=False):
        """The top as yosys knows it; `whole`: all modules, and (name, top)."""
        script = [f"read_verilog -sv -defer {quoted(file)}" for file in self.files]
        script += [f"chparam -set {name} {value} {self.top}" for name, value in parameters.items()]
        script += [f"hierarchy -check -top {self.top}", "proc", "check -assert", "write_json design.json",
                   "write_rtlil design.il"]
        yosys("\n".join(script), f"reading {self.top}", self.folder)
        modules = json.loads((self.folder / "design.json").read_text(encoding="utf-8"))["modules"]
        top, = [(n, m) for n, m in modules.items() if "top" in m["attributes"]]
        return (modules, top) if whole else top

    @staticmethod
    def ports(ports, direction, without):
        return {name: width for name, (way, width) in ports.items() if way == direction and name not in without}

    def netlist(self):
        """The netlist of generic gates, as Verilog."""
        return (self.folder / "generic.v").read_text(encoding="utf-8")

    def cells(self, file):
        statistics = json.loads((self.folder / file).read_text(encoding="utf-8"))
        return statistics["design"].get("num_cells_by_type", {})

    def map(self, design, liberty, recipe, driving_cell):
        """Maps to the library by one recipe; area, and delays where OpenSTA is there."""
        (self.folder / "constraints").write_text(f"set_driving_cell {driving_cell}\nset_load {LOAD_FF}\n",
                                                 encoding="utf-8")
        script = RECIPES[recipe]
        if script:
            (self.folder / "abc.script").write_text(script.replace(",", " ").replace(";", "\n") + "\n")
        how = f"-script {self.folder}/abc.script" if script else "-D 500"
        yosys("\n".join(["read_rtlil generic.il", f"dfflibmap -liberty {liberty.path}", "opt",
                         f"abc -liberty {liberty.path} -constr {self.folder}/constraints {how}", "clean",
                         "tee -q -o mapped.json stat -json", "write_verilog -noattr mapped.v"]),
              f"mapping {self.top} with {recipe}", self.folder)
        mapped, generic = self.cells("mapped.json"), self.cells("generic.json")
        depth = re.search(r"length=(\d+)", (self.folder / "depth.txt").read_text(encoding="utf-8"))
        flops = sum(count for cell, count in generic.items() if GENERIC_FLOP.match(cell))
        figures = Figures(recipe, liberty.area_of(mapped), sum(mapped.values()), flops,
                          sum(generic.values()) - flops, int(depth[1]) if depth else 0)
        if shutil.which("sta"):
            for path, delay in timing.delays(self.folder, design, liberty, driving_cell, LOAD_FF).items():
                setattr(figures, path, delay)
        return figures


def quoted(path):
    return '"' + str(pathlib.Path(path).resolve()) + '"'


def blocks_of(modules, top):
    """Instances of every module with its parameters below the top, however deep."""
    found = {}

    def walk(name, times):
        for cell in modules[name]["cells"].values():
            if cell["type"] not in modules:
                continue
            module = modules[cell["type"]]
            kind = module["attributes"].get("hdlname", cell["type"]).lstrip("\\")
            key = (kind, tuple(parameters_of(module).items()))
            found[key] = found.get(key, 0) + times
            walk(cell["type"], times)

    walk(top, 1)
    return found
