"""Which figures a result folder gets."""
from .drawing import Plotter, load_matplotlib
from .results import FLITS, CannotPlot, read_results, read_table

COST_KINDS = ("latency_ns", "throughput_area")
KINDS = ("latency_throughput", "throughput_load", "link_heat_map", "latency_histogram", *COST_KINDS)


def plot(folder, out, normalized, kinds=KINDS):
    results = read_results(folder)
    if set(kinds) <= set(COST_KINDS) and not any("cycle_ns" in p.get("cost", {}) for p in results["points"]):
        raise CannotPlot(f"{folder}: its points say nothing of the hardware; run with plots: [{', '.join(kinds)}]")
    out.mkdir(parents=True, exist_ok=True)
    plotter = Plotter(folder, out, load_matplotlib())
    unit, text = ("normalized", "fraction of capacity") if normalized else ("flits_per_node_cycle", FLITS)
    accepted = (f"accepted.{unit}", f"accepted throughput ({text})")
    offered = (f"offered.{unit}", f"offered load ({text})")
    points = results["points"]
    for kind, what in (("total", "generation to tail consumed"), ("network", "header injected to tail consumed")):
        name = "latency-throughput" if kind == "total" else "network-latency-throughput"
        if "latency_throughput" in kinds:
            plotter.per_situation(plotter.curves, points, name, f"{kind.capitalize()} latency, 95 % confidence",
                                  accepted, (f"latency_cycles.{kind}", f"mean latency: {what} (cycles)"))
    if "throughput_load" in kinds:
        plotter.per_situation(plotter.curves, points, "throughput-offered", "Accepted throughput, 95 % confidence",
                              offered, accepted, diagonal=True)
    if "link_heat_map" in kinds:
        plotter.heat_maps(results, read_table(folder / "links.csv"))
    if "latency_histogram" in kinds:
        plotter.histogram(results, read_table(folder / "latency_hist.csv"))
    if "latency_ns" in kinds:
        plotter.per_situation(plotter.cost_curves, points, "latency-ns", "Total latency in time, 95 % confidence",
                              ("accepted.flits_per_node_cycle", (-1, 0), "accepted throughput (flits per node and ns)"),
                              ("latency_cycles.total", (1, 0), "mean latency: generation to tail consumed (ns)"))
    if "throughput_area" in kinds:
        plotter.per_situation(plotter.cost_curves, points, "throughput-area", "Throughput per area, 95 % confidence",
                              ("offered.flits_per_node_cycle", (-1, 0), "offered load (flits per node and ns)"),
                              ("accepted.flits_per_node_cycle", (-1, -1),
                               "accepted throughput (flits per ns and mm² of router)"))
    if not plotter.written:
        raise CannotPlot(f"{folder}: its points hold nothing that can be plotted")
    return plotter.written
