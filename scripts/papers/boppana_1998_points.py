"""The points of a figure of Boppana, Chalasani, Raghavendra 1998: how they are asked for, and what is read of them."""
from .rows import Row, accepted

PAPER = "boppana-1998"
SERIES = ("individual", "multipath", "column_path", "e_mcast")
NODES = 64
OVERLOAD = 44  # of figures 7 to 10

LATENCY, THROUGHPUT = "mean latency, cycles", "throughput"
NEAR = {LATENCY: 0.08, THROUGHPUT: 0.05}  # 95 % of the values; all: twice that

SHORT = ("--set", "measurement.warm_up=10000", "--set", "measurement.cycles=100000", "--set", "plots=[]")


def loads(values):
    return "sweep={traffic.offered_load: [" + ", ".join(str(value / NODES) for value in values) + "]}"


def points_of(result):
    """(series, load) -> point."""
    return {(p["label"], round(p["offered"]["flits_per_node_cycle"] * NODES, 3)): p for p in result["points"]}


def latency(point):
    value = point["latency_cycles"]["total"]
    return value["mean"], value.get("ci95")


def throughput(point):
    """Of the messages that are complete; the interval is that of all flits."""
    ci95 = accepted(point, "flits_per_node_cycle").get("ci95")
    return point["multicast"]["throughput_flits_per_cycle"], None if ci95 is None else ci95 * NODES


def series_of(points):
    return [s for s in SERIES if any(s == series for series, _ in points)]


def peak(points, series):
    """Load and point of the highest throughput."""
    return max(((load, p) for (s, load), p in points.items() if s == series), key=lambda at: throughput(at[1])[0])


def peak_value(points, series):
    return throughput(peak(points, series)[1])[0]


def peaks_of(points):
    return {s: peak_value(points, s) for s in series_of(points)}


def said(figure, series, x, quantity, statement, measured, holds, rule="as stated"):
    """A statement of the paper."""
    return Row(PAPER, figure, series, x, quantity, statement, None, measured, None, rule, holds)
