"""What the text of Boppana, Chalasani, Raghavendra 1998 states: which algorithm has the lowest latency and the highest
throughput, what more VCs, destinations and flits change, and how many hops and copies there are."""
from .boppana_1998_points import (NEAR, OVERLOAD, PAPER, SERIES, SHORT, THROUGHPUT, latency, loads, peak, peak_value,
                                  peaks_of, points_of, said, series_of, throughput)
from .rows import Row, within

TEXT = "section 4.1"
# Paper, independent model: network hops per destination with 1 to 19 of them; copies of a multicast.
HOPS = {"individual": (5.35, 5.333), "multipath": (2.81, 2.809), "column_path": (3.76, 3.745),
        "e_mcast": (3.72, 3.699)}
COPIES = {"individual": 10, "multipath": 2.60, "column_path": 6.49, "e_mcast": 6.31}
GAIN = {"individual": ("yields more", 21), "column_path": ("yields more", 10), "multipath": (None, -2)}  # %
E_MCAST_V1C4 = 24.7


def only(series):
    return f"compare=[{{label: {series}, set: {{multicast.planner: {series}}}}}]"


def listed(values, form=".4g"):
    return ", ".join(format(value, form) for value in values)


def lowest_latency(figure, points):
    """Multipath has the lowest latency until it saturates."""
    others = [s for s in series_of(points) if s != "multipath"]
    end = 0.8 * peak_value(points, "multipath")
    at = sorted(load for s, load in points if s == "multipath" and load <= end)
    wrong = [load for load in at
             if latency(points["multipath", load])[0] >= min(latency(points[s, load])[0] for s in others)]
    return said(figure, "multipath", None, "lowest latency, up to 80 % of its maximum", "lowest",
                f"not at {wrong}" if wrong else f"at {listed(at)}", not wrong, f"{len(at)} loads")


def much_lower(figure, points, entries):
    """How much, at the lightest load."""
    load = min(load for _, load in points)
    known = {e["series"]: float(e["latency"]) for e in entries if e["load"] == f"{load:g}"}
    here = {s: latency(points[s, load])[0] for s in known}
    ref, found = (v["multipath"] / min(value for s, value in v.items() if s != "multipath") for v in (known, here))
    row = within(PAPER, figure, "multipath : next best", load, "ratio of latencies", ref, found, None, 0.05)
    row.paper_value = "much lower"
    return row


def throughput_order(figure, found, first_saturated="first to saturate"):
    """Column-path has the highest throughput of all, multipath the lowest."""
    text = ", ".join(f"{s} {value:.2f}" for s, value in found.items())
    return [said(figure, "column_path", None, "highest throughput", "highest", text,
                 max(found, key=found.get) == "column_path"),
            said(figure, "multipath", None, "lowest throughput", first_saturated, text,
                 min(found, key=found.get) == "multipath")]


def falls(figure, points):
    ratio = throughput(points["multipath", OVERLOAD])[0] / peak_value(points, "multipath")
    return Row(PAPER, figure, "multipath", OVERLOAD, "throughput in overload : maximum", None, None, ratio, None,
               "below 0.9", ratio < 0.9)


def second_vc(one, two, take, names):
    """v1c2 to v2c2 helps individual and column-path, not multipath. `take`: (points, series) -> throughput."""
    rows = []
    for series in names:
        statement, ref = GAIN[series]
        gain = 100 * (take(two, series) / take(one, series) - 1)
        rows.append(Row(PAPER, "07, 08", series, None, "throughput v1c2 to v2c2, %", statement or "no gain stated", ref,
                        gain, None, 5.0, abs(gain - ref) <= 5 and (gain > 5) == (statement is not None)))
    return rows


def e_mcast_lanes(run, figures, reduced):
    """E-mcast improves from v1c4 to v2c4 and degrades to v4c4."""
    at = [OVERLOAD] if reduced else [22, 26, 30, OVERLOAD]
    shorter = SHORT if reduced else ("--set", "plots=[]")
    one = points_of(run("e-mcast-v1c4", f"{PAPER}/figure-09.yaml", "--set", only("e_mcast"), *shorter, "--set",
                        loads(at), "--set", "node.lanes=1", "--set", "node.input_depth=8", "--set",
                        "node.injection_vcs=1"))
    load, point = peak(one, "e_mcast")
    found = [throughput(point)[0], *(peak_value(figures[f], "e_mcast") for f in ("09", "10"))]
    change = 100 * (found[2] / found[1] - 1)
    return [within(PAPER, TEXT, "e_mcast v1c4", load, "maximum throughput", E_MCAST_V1C4, *throughput(point),
                   round(NEAR[THROUGHPUT] * E_MCAST_V1C4, 3)),
            said(TEXT, "e_mcast", None, "throughput v1c4, v2c4, v4c4", "improves, then degrades", listed(found),
                 found[0] < found[1] > found[2]),
            Row(PAPER, TEXT, "e_mcast", None, "throughput v2c4 to v4c4, %", "degrades", -16, change, None, 5.0,
                abs(change + 16) <= 5)]


def hops(run, reduced):
    """100,000 multicasts of each planner (--reduced: 13,000)."""
    shorter = ["--set", loads([14]), "--set", f"measurement.cycles={200000 if reduced else 1500000}", "--set",
               "plots=[]"]
    rows = []
    for (series, load), point in points_of(run("hops", f"{PAPER}/figure-09.yaml", *shorter)).items():
        paper, ref = HOPS[series]
        found = point["multicast"]["hops_per_destination"]
        share = 0.01 if reduced else 0.005
        rows.append(within(PAPER, TEXT, series, load, "hops per destination", ref, found, None, round(share * ref, 4)))
        rows[-1].paper_value = paper
        rows.append(said(TEXT, series, load, "hops per destination: off the paper's", paper,
                         f"{100 * (found / paper - 1):+.2f} %", abs(found / paper - 1) <= 0.01, "1 %"))
        rows.append(within(PAPER, TEXT, series, load, "copies per multicast", COPIES[series],
                           point["multicast"]["copies_per_packet"], None, round(0.01 * COPIES[series], 4)))
    return rows


def more_destinations(figures):
    """10, 20 and 30 destinations: more throughput; multipath the lowest latency, column-path the highest throughput."""
    rows = []
    for series in series_of(figures["11"]):
        found = [peak_value(figures[f], series) for f in ("09", "11", "12")]
        rows.append(said("09, 11, 12", series, None, "maximum throughput, 10, 20, 30 destinations", "increases",
                         listed(found), found[0] < found[1] < found[2]))
    for figure in ("11", "12"):
        rows += [lowest_latency(figure, figures[figure]),
                 *throughput_order(figure, peaks_of(figures[figure]), "column_path higher")]
    return rows


def longer_messages(figures):
    """20, 100, 500 and 1000 flits: multipath gains in latency, column-path and e-mcast are ahead in throughput."""
    rows = []
    every = ("09", "13", "14", "15")
    load = 10
    for other in ("column_path", "e_mcast"):
        pairs = [[latency(figures[f][s, load])[0] for s in ("multipath", other)] for f in every]
        lead = [b - a for a, b in pairs]
        ratio = [a / b for a, b in pairs]
        rows.append(said("09, 13-15", f"multipath, {other}", load, "lead in latency, cycles; 20 to 1000 flits",
                         "more attractive", listed(lead), lead == sorted(lead) and lead[0] > 0, "rising"))
        rows.append(said("09, 13-15", f"multipath : {other}", load, "ratio of latencies; 20 to 1000 flits",
                         "more attractive", listed(ratio, ".3f"), max(ratio[1:]) < ratio[0], "below the first"))
    for figure in every[1:]:
        found = peaks_of(figures[figure])
        rows.append(said(figure, "column_path, e_mcast : multipath", None, "maximum throughput", "preferable",
                         listed(found[s] for s in ("column_path", "e_mcast", "multipath")),
                         min(found["column_path"], found["e_mcast"]) > found["multipath"]))
        rows.append(lowest_latency(figure, figures[figure]))
    return rows


def preparation(figures):
    """Delays of 0, 5-25-50 and 5-50-100 cycles bring all latencies closer to those of individual."""
    rows = []
    for series in SERIES[1:]:
        for load in (2, 14):
            found = [latency(figures[f][series, load])[0] / latency(figures[f]["individual", load])[0] - 1
                     for f in ("09", "16", "17")]
            apart = [abs(value) for value in found]
            rows.append(said("09, 16, 17", series, load, "latency against individual", "closer",
                             ", ".join(f"{value:+.0%}" for value in found), apart[0] > apart[1] > apart[2],
                             "closer each time"))
    return rows


def mostly_unicasts(points, entries):
    """90 % unicasts: similar latencies, multipath with the lowest, and the lowest throughput; individual competes."""
    rows = []
    for load in (2, 10):
        known = [float(e["latency"]) for e in entries if e["load"] == str(load)]
        found = [latency(points[s, load])[0] for s in SERIES]
        rows.append(within(PAPER, "18", "highest : lowest", load, "ratio of latencies", max(known) / min(known),
                           max(found) / min(found), None, 0.05))
        rows[-1].paper_value = "similar"
        rows.append(said("18", "multipath", load, "lowest latency", "slightly lower", listed(found),
                         found[1] == min(found)))
    found = peaks_of(points)
    order = ("column_path", "e_mcast", "individual", "multipath")
    rows.append(said("18", " > ".join(order), None, "order of maximum throughput", "multipath lowest",
                     listed(found[s] for s in order), sorted(found, key=found.get, reverse=True) == list(order),
                     "in this order"))
    ratio = found["individual"] / found["column_path"]
    rows.append(said("18", "individual : column_path", None, "ratio of maximum throughputs", "competitive", ratio,
                     ratio > 0.9, "above 0.9"))
    return rows
