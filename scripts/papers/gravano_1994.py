"""Gravano, Pifarre, Berman, Sanz 1994, section V: figures 8, 9 and 10, and the deadlock without the extra rule.

The curves of the paper come without numbers: its statements are checked as orders of the curves; values are
compared with those of an independent model (configs/gravano-1994/reference.csv).
"""
import csv
import pathlib

from .rows import Row, accepted, within

PAPER = "gravano-1994"
FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "configs" / PAPER
SERIES = ("star_channels", "four_classes", "linder_harden", "oblivious")
# Offered load of each model's own peak, and the accepted throughput there, of the independent model.
PEAKS = {
    "08": {"star_channels": (1.1, 0.727), "four_classes": (0.75, 0.494), "linder_harden": (0.35, 0.294),
           "oblivious": (0.7, 0.487)},
    "10": {"star_channels": (1.0, 0.683), "four_classes": (1.0, 0.549), "linder_harden": (0.4, 0.297),
           "oblivious": (0.6, 0.348)},
}


# Few packets arrive per cycle at light load: what is compared with 2 % there is measured four times as long.
LIGHT = ("--set", "sweep={traffic.offered_load: [0.05, 0.1, 0.2]}", "--set", "measurement.cycles=400000",
         "--set", "plots=[]")


def reference(figure):
    with open(FOLDER / "reference.csv", encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {(r["series"], float(r["offered"])): (float(r["throughput"]), float(r["latency"]))
                for r in rows if r["figure"] == figure}


def points_of(result):
    """(series, offered) -> point."""
    return {(p["label"], p["set"]["traffic.offered_load"]): p for p in result["points"]}


def throughput(point):
    value = accepted(point, "normalized")
    return value["mean"], value.get("ci95")


def latency(point):
    value = point["latency_cycles"]["total"]
    return value["mean"], value.get("ci95")


def throughput_tolerance(figure, series, offered, value):
    if offered < PEAKS[figure][series][0]:
        return max(0.02 * value, 0.0015)
    wide = figure == "08" and series in ("star_channels", "four_classes") and 1.2 <= offered <= 2.0
    return 0.035 if wide else 0.02


def values(figure, points):
    """Every tabulated load: throughput everywhere, mean latency below the model's own peak."""
    rows = []
    for (series, offered), (ref_throughput, ref_latency) in reference(figure).items():
        point = points.get((series, offered))
        if point is None:
            continue
        peak_offered, peak = PEAKS[figure][series]
        mean, ci95 = throughput(point)
        rows.append(within(PAPER, figure, series, offered, "throughput / tau_max", ref_throughput, mean, ci95,
                           round(throughput_tolerance(figure, series, offered, ref_throughput), 5)))
        if offered < peak_offered:
            mean, ci95 = latency(point)
            share = 0.05 if ref_throughput > 0.8 * peak else 0.03
            rows.append(within(PAPER, figure, series, offered, "mean latency, cycles", ref_latency, mean, ci95,
                               round(share * ref_latency, 2)))
    return rows


def peaks(figure, points):
    rows = []
    for series, (_, value) in PEAKS[figure].items():
        best = max((p for (s, _), p in points.items() if s == series), key=lambda p: throughput(p)[0])
        mean, ci95 = throughput(best)
        rows.append(within(PAPER, figure, series, best["set"]["traffic.offered_load"], "peak throughput / tau_max",
                           value, mean, ci95, round(0.04 * value, 4)))
    return rows


def orders(figure, points):
    """Section V.D: *-Channels over Oblivious and 4-Classes, 4-Classes over Linder-Harden, at every load up to
    1.2 tau_max: lower latency, and throughput not lower by more than 2 % (below saturation they coincide)."""
    rows = []
    loads = sorted({offered for _, offered in points if offered <= 1.2})
    for better, worse in (("star_channels", "oblivious"), ("star_channels", "four_classes"),
                          ("four_classes", "linder_harden")):
        for quantity, get, holds in (("latency", latency, lambda a, b: a <= b),
                                     ("throughput", throughput, lambda a, b: a >= 0.98 * b)):
            wrong = [x for x in loads
                     if not holds(get(points[better, x])[0], get(points[worse, x])[0])]
            rows.append(Row(PAPER, figure, f"{better} over {worse}", None, f"order in {quantity}",
                            "at every load", None, "at every load" if not wrong else f"not at {wrong}", None,
                            f"{len(loads)} loads", not wrong))
    return rows


def curves_with_intervals(figure, points):
    """No numbers to compare with: every point must have an interval and have ended properly."""
    return [Row(PAPER, figure, series, offered, quantity, None, None, get(point)[0], get(point)[1], "has interval",
                get(point)[1] is not None and point["status"] != "deadlocked")
            for (series, offered), point in points.items()
            for quantity, get in (("throughput / tau_max", throughput), ("mean latency, cycles", latency))]


def deadlock_pair(run, reduced):
    """Spec of the extra *-Channels rule (section V.C): without it 31x31 locks up at three times tau_max."""
    off = run("deadlock-off", f"{PAPER}/deadlock-rule-off.yaml", expect=(0, 1))["points"][0]
    rows = [Row(PAPER, "section V.C", "extra rule off", 3.0, "status", "deadlock", None, off["status"], None,
                "deadlocked", off["status"] == "deadlocked")]
    if reduced:
        return rows
    on = run("deadlock-on", f"{PAPER}/deadlock-rule-on.yaml")["points"][0]
    mean, ci95 = throughput(on)
    return rows + [within(PAPER, "section V.C", "extra rule on", 3.0, "throughput / tau_max", 0.497, mean, ci95,
                          0.005)]


def reproduce(run, reduced):
    rows = []
    shorter = []
    if reduced:
        shorter = ["--set", "sweep={traffic.offered_load: [0.1, 0.5]}", "--set", "measurement.cycles=30000"]
    for figure in ("08", "10"):
        points = points_of(run(f"figure-{figure}", f"{PAPER}/figure-{figure}.yaml", *shorter))
        if not reduced:
            points.update(points_of(run(f"figure-{figure}-light", f"{PAPER}/figure-{figure}.yaml", *LIGHT)))
        rows += values(figure, points) + orders(figure, points)
        if not reduced:
            rows += peaks(figure, points)
    if not reduced:
        points = points_of(run("figure-09", f"{PAPER}/figure-09.yaml"))
        rows += curves_with_intervals("09", points) + orders("09", points)
    return rows + deadlock_pair(run, reduced)
