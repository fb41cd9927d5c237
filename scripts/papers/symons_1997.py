"""Symons and Narasimhan 1997: the equations on chains of nodes, figure 2, step routing, the networks, and table 2.

What the paper prints of its equations is compared where `noctule explain` computes it; the cycles of a simulated
message are the repaired equation 4 exactly. Table 2 has no workload: its order is checked, its values are fits
(configs/symons-1997/table-2.yaml).
"""
import csv
import pathlib

from .rows import Row, within

PAPER = "symons-1997"
FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "configs" / PAPER
ALPHA_MS = 5.64e-4  # per byte
NETWORKS = ("HC", "MS", "MIN", "MY", "MX")  # from best to worst
TABLE_2 = {"HC": 1.29, "MS": 1.03, "MIN": 0.99, "MY": 0.86, "MX": 0.82}
# Bidirectional links, diameter, mean distance, bisection, load of the busiest link at a flit per node and cycle, self
# included. Links to terminals count where routers are no processors.
TOPOLOGIES = {
    "mesh 64": (112, 14, 5.333, 8, 2), "torus 64": (128, 8, 4.063, 16, 1), "hypercube 64": (192, 6, 3.048, 32, 0.5),
    "fat-tree 64": (112, 6, 5.429, 8, 3), "fly 64": (256, 4, 4, None, 1),
    "mesh 1024": (1984, 62, 21.333, 32, 8), "torus 1024": (2048, 32, 16.016, 64, 4),
    "hypercube 1024": (5120, 10, 5.005, 512, 0.5), "fat-tree 1024": (1984, 10, 9.343, 32, 12),
    "fly 1024": (6144, 6, 6, None, 1),
}


def reference(figure):
    with open(FOLDER / "reference.csv", encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {(r["series"], int(r["x"] or 0)): float(r["value"]) for r in rows if r["figure"] == figure}


def exactly(figure, series, x, quantity, expected, measured, paper=None):
    return Row(PAPER, figure, series, x, quantity, paper, expected, measured, None, "exact", measured == expected)


def holds(figure, series, quantity, expected, measured):
    return Row(PAPER, figure, series, None, quantity, expected, None, measured, None, "as stated", expected == measured)


def chains(run):
    """Cycles of one message: the chain's table, and figure 2."""
    rows = []
    for name in ("chain", "chain-strict"):
        expected = reference(name)
        result = run(name, f"{PAPER}/{name}.yaml")
        for point in result["points"]:
            links = int(pathlib.Path(point["set"].get("traffic.source.file", "chain-3.txt")).stem.removeprefix("chain-"))
            rows.append(exactly(name, point["label"], links, "cycles of 8000 bytes", expected[point["label"], links],
                                drained(point)))
    paper = {"whole message": (3.0, 3.0), "four packets": (1.5, 1.5), "four packets, one place": (None, 2.25)}
    for point in run("figure-2", f"{PAPER}/figure-2.yaml")["points"]:
        printed, expected = paper[point["label"]]
        rows.append(exactly("2", point["label"], None, "time / time of a hop", expected, drained(point) / 1000, printed))
    return rows


def drained(point):
    """The cycle in which the last flit arrives: all are over one cycle later."""
    return point["time_to_drain_cycles"] - 1


def equations(run):
    """What explain says of messages in bytes, K = 312 bytes, D by the mean distance of a square mesh."""
    best = {100: (100, 100, 50, 25), 1000: (500, 334, 200, 77), 8000: (1600, 1143, 534, 200)}
    rows = []
    for message, lengths in best.items():
        for links, side, length in zip((2, 3, 10, 62), (3, 4, 15, 93), lengths):
            result = run("explain", f"{PAPER}/common.yaml", "--set", f"topology.radix=[{side}, {side}]", "--set",
                         "routing.pairs=all", "--set", "traffic.source=bernoulli", "--message", str(message), "--overhead", "312", command="explain")
            found = result["fabrics"][0]["packet_length_stored"]
            rows.append(exactly("equation 4", f"{message} bytes", links, "links", links, found["links"]))
            rows.append(exactly("equation 4", f"{message} bytes", links, "best packet, bytes", length,
                                found["two_places"]["payload_flits"]))
            if (message, links) == (8000, 3):
                estimates = found["estimates"]
                rows += [
                    Row(PAPER, "equation 6", "8000 bytes", 3, "best buffer, bytes", 1117, 1117.24,
                        estimates["equation_6_payload_flits"], None, 0.5,
                        abs(estimates["equation_6_payload_flits"] - 1117.24) <= 0.5),
                    within(PAPER, "equation 4", "best packet", 3, "ms", 7.385,
                           found["two_places"]["cycles"] * ALPHA_MS, None, 0.001),
                    within(PAPER, "equation 4", "B = 1117", 3, "ms", 7.532, estimates["equation_6_cycles"] * ALPHA_MS,
                           None, 0.001),
                    within(PAPER, "equation 4", "whole message", 3, "ms", 14.064,
                           found["whole_message_cycles"] * ALPHA_MS, None, 0.001)]
    return rows


def routing(run):
    """Step is cyclic for general traffic, and not for the host's."""
    rows = []
    result = run("step", f"{PAPER}/step.yaml", command="verify", expect=(0, 1))
    for fabric in result:
        label = fabric["label"].partition(" routing.")[0]
        expected = "deadlock_possible" if label.startswith("step") and label.endswith("all") else "proved"
        rows.append(holds("2.3", label, "verdict", expected, fabric["verdict"]))
    return rows


def networks(run):
    rows = []
    result = run("topologies", f"{PAPER}/topologies.yaml", command="explain")
    for fabric in result["fabrics"]:
        label, terminals = fabric["label"].partition(" topology")[0], fabric["terminals"]
        links, diameter, mean, bisection, load = TOPOLOGIES[label]
        leaves = 2 if label.startswith(("fat-tree", "fly")) else 0
        found = fabric["bisection"]
        ceiling = fabric["ceiling"]
        ends = {0: 0, 2: 2 * terminals}[leaves]
        both_ways = 1 if label.startswith("fly") else 2
        rows += [
            exactly("4", label, None, "links", links, (fabric["links"] + ends) / both_ways),
            exactly("4", label, None, "diameter, hops", diameter, found["diameter"] + leaves),
            within(PAPER, "4", label, None, "mean distance, hops", mean, ceiling["mean_hops"] + leaves, None, 0.001),
            within(PAPER, "4", label, None, "load of the busiest link", load,
                   ceiling["link_load"]["max"] * (terminals - 1) / terminals, None, 0.001)]
        if bisection is not None:
            rows.append(exactly("4", label, None, "bisection, links both ways", bisection,
                                found["bidirectional_channels"]))
    return rows


def times(result):
    """(network, processors) -> cycle of the last answer."""
    found = {}
    for point in result["points"]:
        network, processors = point["label"].split()
        found[network, int(processors)] = drained(point)
    return found


def relative_performance(found):
    """The paper's equations 10 to 15: mean over the sizes of performance by the mean performance of all."""
    sizes = sorted({p for _, p in found})
    sums = dict.fromkeys(NETWORKS, 0.0)
    for p in sizes:
        mean = sum(1 / found[n, p] for n in NETWORKS) / len(NETWORKS)
        for n in NETWORKS:
            sums[n] += 1 / found[n, p] / mean / len(sizes)
    return sums


def table_2(run, reduced):
    idle = reference("table-2")
    # A slave without work takes a cycle to turn round.
    result = run("table-2-no-work", f"{PAPER}/table-2.yaml", "--set", "traffic.source.work=0")
    without = times(result)
    rows = [exactly("table 2", n, p, "packet times without work", idle[n, p], (cycle - 1) / 40)
            for (n, p), cycle in without.items()]
    for name, tolerance in (("table-2", 0.05), ("table-2-fit-2", 0.02)):
        fit = "fit-1" if name == "table-2" else "fit-2"
        # Fit 2: the delay of the two routers where packets enter is no part of the model.
        found = {at: cycle - (20 if fit == "fit-2" else 0)
                 for at, cycle in times(run(name, f"{PAPER}/{name}.yaml")).items()}
        if fit == "fit-1":
            rows += [exactly("table 2", n, p, "cycles with work", 40 * idle[n, p] + round(12000 / (p - 1)), cycle)
                     for (n, p), cycle in found.items()]
        rpm = relative_performance(found)
        for n in NETWORKS:
            rows.append(within(PAPER, "table 2", n, None, f"RPM, {fit}", reference(fit)[n, 0], rpm[n], None, 0.001))
            rows.append(Row(PAPER, "table 2", n, None, f"RPM, {fit} (a fit)", TABLE_2[n], None, rpm[n], None, tolerance,
                            abs(rpm[n] - TABLE_2[n]) <= tolerance))
        order = sorted(NETWORKS, key=lambda n: -rpm[n])
        rows.append(holds("table 2", fit, "order", " ".join(NETWORKS), " ".join(order)))
        rows.append(within(PAPER, "table 2", fit, None, "sum", 5.0, sum(rpm.values()), None, 1e-9))
    return rows


def reproduce(run, reduced):
    return chains(run) + equations(run) + routing(run) + networks(run) + table_2(run, reduced)
