"""Floors: plain C++ programs that do about the least work that a cycle takes, for rows of the speed table."""
import dataclasses
import pathlib
import re
from collections.abc import Callable

from speed.errors import CannotRun
from speed.programs import run

FLITS = "flits_per_node_cycle"
CLASSES = {"mesh": 1, "torus": 2}  # dateline classes per link, which the floor counts as lanes
IQ_BUFFERS = ((4, 8), (1, 8), (2, 8), (2, 4), (4, 4), (4, 2), (4, 1), (3, 5))  # (VCs, flits) it is compiled for
IQ_LARGEST = 127  # radix


def kind_of(part):
    """Name of a part that is written as a name, or as a map with the key `kind`."""
    return part.get("kind") if isinstance(part, dict) else part


def has(part, **keys):
    """Is everything in the map that has to be, or is it left out?"""
    return all(part.get(key, value) == value for key, value in keys.items())


def same_work(config):
    """Uniform traffic in dimension order on a square, for a fixed time?"""
    topology, traffic, measurement = (config.get(s, {}) for s in ("topology", "traffic", "measurement"))
    radix = topology.get("radix", [])
    return (
        kind_of(topology) in CLASSES and len(radix) == 2 and radix[0] == radix[1]
        and has(topology, terminals_per_router=1, terminals_at="*")
        and has(config.get("routing", {}), algorithm="dimension_order", vc_rule="dateline")
        and has(config.get("link", {}), flit_delay=1, credit_delay=1, cycles_per_flit=1)
        and kind_of(traffic.get("pattern")) == "uniform" and kind_of(traffic.get("source", "bernoulli")) == "bernoulli"
        and traffic.get("source_queue") == "infinite" and has(traffic, load_unit=FLITS, stall=0.0)
        and isinstance(traffic.get("packet_length"), int)
        and all(isinstance(measurement.get(k), int) for k in ("warm_up", "cycles")))


def common(config, vcs):
    """noctule's speed is that of the whole run, its warm-up included, so the floor is timed from cycle 0 too."""
    traffic, measurement = config["traffic"], config["measurement"]
    return ["-k", config["topology"]["radix"][0], "-V", vcs, "-L", traffic["packet_length"],
            "-load", traffic["offered_load"], "-w", 0, "-c", measurement["warm_up"] + measurement["cycles"]]


def unit_arguments(config):
    """Of the router with buffers of one flit, for a resolved configuration; None where that is something else."""
    node = config.get("node", {})
    if not same_work(config) or node.get("connections_per_cycle") != 1 or not has(
            node, parallel_links=1, input_depth=1, output_depth=1):
        return None
    kind = config["topology"]["kind"]
    return common(config, node["lanes"] * CLASSES[kind]) + (["-torus"] if kind == "torus" else [])


def input_queued_arguments(config):
    """Of the input-queued router of the textbook."""
    node = config.get("node", {})
    lanes, depth = node.get("lanes"), node.get("input_depth")
    if not same_work(config) or config["topology"]["kind"] != "mesh" or config["topology"]["radix"][0] > IQ_LARGEST:
        return None
    same = node.get("model") == "input_queued" and (lanes, depth) in IQ_BUFFERS and has(
        node, output_depth=0, parallel_links=1, release="tail_crossed", vc_busy_when_full=False,
        vc_allocator="separable_input_first", switch_allocator="separable_input_first", arbiter="round_robin",
        allocator_iterations=1, routing_delay=1, vc_allocation_delay=1, switch_allocation_delay=1, traversal_delay=1,
        early_routing=False, lookahead=False, speculative=False, injection_channels=1, injection_vcs=lanes,
        injection_sharing="worm", injection_delay=1, injection_refill="next_cycle", consumption_channels=1,
        consumption_vcs=lanes, consumption_delay=0)
    return common(config, lanes) + ["-D", depth] if same else None


@dataclasses.dataclass
class Floor:
    program: pathlib.Path
    arguments: Callable

    def run(self, arguments):
        """ns of user CPU time per router-cycle and per flit-hop."""
        text, _ = run([self.program, *arguments], self.program.name)
        found = {name: re.search(rf"\b{name}=\s*([0-9.eE+-]+)", text) for name in ("nsrc", "nshop")}
        if not all(found.values()):
            raise CannotRun(f"{self.program.name} prints no nsrc= and nshop=: {text.strip()}")
        return {"rc": float(found["nsrc"][1]), "hop": float(found["nshop"][1])}


SOURCES = {"floor.cpp": unit_arguments, "floor_iq.cpp": input_queued_arguments}


def build(folders, scratch):
    """The floors whose sources are in the folders, compiled."""
    floors = []
    for folder in map(pathlib.Path, folders):
        sources = [folder / name for name in SOURCES if (folder / name).is_file()]
        if not sources:
            raise CannotRun(f"--floor: there is neither {' nor '.join(str(folder / name) for name in SOURCES)}")
        for source in sources:
            program = pathlib.Path(scratch) / f"{len(floors)}_{source.stem}"
            run(["g++", "-O2", "-DNDEBUG", "-std=c++20", source, "-o", program], f"compiling {source}")
            floors.append(Floor(program, SOURCES[source.name]))
    return floors


def of_row(floors, config):
    """The floor that does the same work, with its arguments; (None, None) if none does."""
    for floor in floors:
        if (arguments := floor.arguments(config)) is not None:
            return floor, arguments
    return None, None
