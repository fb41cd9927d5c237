"""Greenberg and Oh 1997, section III: Tables I and II, and what the text says of figures 2 to 5.

The paper's cells are means of 30 runs; so are the ones here, with seeds that were chosen before the first run. Two such
means of the same rules differ by at most 0.67 standard deviations of a run in 99 of 100 cases; of the 29 cells with
chance in them at most two may lie outside. Standard deviations, and means of many more runs, are those of an
independent model of the same rules.
"""
import math
import statistics

from . import univ
from .rows import Row

PAPER = "greenberg-1997"
SIZES = {2: 16, 3: 64, 4: 256, 5: 1024, 6: 4096}
FLITS = 32
RUNS = 30
BAND = 2.58 * math.sqrt(2 / RUNS)  # of the standard deviation of a run
OUTSIDE = 2  # of 29 cells

# By algorithm and pattern, N = 16 to 4096: the paper's mean, that of many runs of the independent model, how many these
# are, and the standard deviation of a run.
LARGE_RUNS = {"STORE": (20000, 4000, 1000, 300, 100), "WORM": (10000, 2000, 500, 150, 50)}
TABLE_1 = {
    ("STORE", "random"): ((269, 259.3, 47.9), (534, 531.1, 55.6), (944, 957.2, 60.9), (1677, 1683.1, 58.5),
                          (3031, 3022.7, 52.5)),
    ("STORE", "complement"): ((198, 201.7, 25.1), (442, 434.3, 27.6), (829, 835.3, 36.7), (1565, 1558.9, 51.9),
                              (2896, 2948.2, 71.7)),
    ("WORM", "random"): ((125, 125.8, 24.1), (233, 237.5, 26.8), (441, 445.0, 28.0), (843, 835.0, 25.8),
                         (1592, 1602.2, 31.7)),
    ("WORM", "complement"): ((68, 68.7, 1.8), (161, 162.6, 7.5), (301, 300.4, 9.1), (583, 582.3, 12.7),
                             (1123, 1125.1, 16.8)),
}
MANY_TO_1 = {"STORE": (544, 2144, 8352, 32992, 131360), "WORM": (258, 1028, 4102, 16392, 65546)}
# N = 16 to 4096: the paper's c and latency / c, and the bands around them.
TABLE_2 = ((3.5, 0.39, 35.6, 3.8), (5.6, 0.44, 41.9, 3.0), (10.2, 0.55, 43.4, 2.6), (18.6, 0.57, 45.3, 1.8),
           (34.3, 1.0, 46.4, 1.4))
EXPONENT = (0.12, 0.26)  # the paper has 0.22; experiments of 30 runs give that

LARGEST = (5, 6)  # levels that the statements on figures 3 to 5 are about

REDUCED_RUNS = 10
WITH_CHANCE = ("compare=[{label: random, set: {}}, "
               "{label: complement, set: {traffic.pattern: {kind: bit_complement}}}]")


def latency(point, flit_steps=1):
    """The step, from 0, in which the last tail enters its destination's queue; time_to_drain_cycles counts the cycle in
    which it leaves that queue, too."""
    return (point["time_to_drain_cycles"] - 2) * flit_steps


def flit_steps(algorithm):
    return FLITS if algorithm == "STORE" else 1


class Sample:
    """Runs of one cell."""

    def __init__(self, values):
        self.values = values
        self.mean = statistics.fmean(values)
        self.sd = statistics.stdev(values) if len(values) > 1 else 0.0

    def error(self):
        return self.sd / math.sqrt(len(self.values))

    def ci95(self):
        return 1.96 * self.error()

    def beyond(self, other, z=2.58):
        """Is this mean below the other one's, by more than chance in 99 of 100 cases?"""
        return other.mean - self.mean > z * math.hypot(self.error(), other.error())


def samples(result, algorithm, label=None):
    """levels -> Sample of latencies in flit-steps, of a series (or of all points)."""
    cells = {}
    for p in result["points"]:
        if label is None or p["label"] == label:
            levels = p["set"].get("topology.levels") or result["config"]["topology"]["levels"]
            cells.setdefault(levels, []).append(latency(p, flit_steps(algorithm)))
    return {levels: Sample(values) for levels, values in cells.items()}


class Bands:
    """Cells with chance in them: each is shown, and judged together at the end."""

    def __init__(self, runs):
        self.rows, self.cells, self.outside = [], 0, []
        self.scale = math.sqrt((1 / runs + 1 / RUNS) / (2 / RUNS))  # fewer runs, wider bands

    def add(self, figure, series, size, quantity, paper, reference, sample, band):
        band *= self.scale
        inside = abs(sample.mean - paper) <= band
        self.cells += 1
        if not inside:
            self.outside.append(f"{figure} {series} {size}")
        self.rows.append(Row(PAPER, figure, series, size, quantity, paper, reference, sample.mean, sample.ci95(), band,
                             True))

    def verdict(self):
        text = ", ".join(self.outside) or "none"
        return self.rows + [Row(PAPER, "tables I, II", "all", None, "cells outside their band", "none", None, text, None,
                                f"at most {OUTSIDE} of {self.cells}", len(self.outside) <= OUTSIDE)]


def seeds(runs, first=1):
    return ["--set", f"sweep.seed={{from: {first}, to: {first + runs - 1}, step: 1}}"]


def levels_up_to(most):
    return ["--set", f"sweep.topology.levels={[level for level in SIZES if level <= most]}"]


def many_to_1(run, runs):
    """Exact in every run: one path, and a link without a bubble between worms."""
    rows = []
    for algorithm in ("STORE", "WORM"):
        result = run(f"many-to-1-{algorithm.lower()}", f"{PAPER}/table-1-{algorithm.lower()}.yaml", "--set",
                     "compare=[{label: many_to_1, set: {traffic.pattern: {kind: many_to_one}}}]", *seeds(runs))
        for levels, sample in samples(result, algorithm).items():
            exact = MANY_TO_1[algorithm][levels - 2]
            rows.append(Row(PAPER, "table I", f"{algorithm} many-to-1", SIZES[levels], "latency, flit-steps", exact, exact,
                            sample.mean, None, "exact, each run", set(sample.values) == {exact}))
    return rows


def table_1(run, bands, runs, most):
    rows, found = [], {}
    for algorithm in ("STORE", "WORM"):
        result = run(f"table-1-{algorithm.lower()}", f"{PAPER}/table-1-{algorithm.lower()}.yaml", "--set",
                     WITH_CHANCE, *seeds(runs), *levels_up_to(most))
        for pattern in ("random", "complement"):
            found[algorithm, pattern] = samples(result, algorithm, pattern)
            for levels, sample in found[algorithm, pattern].items():
                paper, reference, sd = TABLE_1[algorithm, pattern][levels - 2]
                series, size = f"{algorithm} {pattern}", SIZES[levels]
                if (algorithm, pattern, size) != ("STORE", "complement", 4096):
                    bands.add("table I", series, size, "latency, flit-steps", paper, reference, sample, BAND * sd)
                    continue
                # The one cell that the rules do not give: 2945 in many runs of the independent model. Stated, and held
                # to that model.
                nearer = "the paper" if abs(sample.mean - paper) < abs(sample.mean - 2945) else "the independent model"
                rows.append(Row(PAPER, "table I", series, size, f"latency, flit-steps; nearer to {nearer}", paper, 2945,
                                sample.mean, sample.ci95(), BAND * sd, abs(sample.mean - 2945) <= BAND * sd))
    return rows + [order("table I", f"WORM before STORE, {pattern}", SIZES[levels], sample,
                         found["STORE", pattern][levels])
                   for pattern in ("random", "complement") for levels, sample in found["WORM", pattern].items()]


def table_2(result, bands, most):
    congestion, quotient = {}, {}
    for p in result["points"]:
        levels = p["set"]["topology.levels"]
        c = p["congestion"]["packets"]
        congestion.setdefault(levels, []).append(c)
        quotient.setdefault(levels, []).append(latency(p) / c)
    for levels, values in congestion.items():
        c_paper, c_band, q_paper, q_band = TABLE_2[levels - 2]
        size = SIZES[levels]
        bands.add("table II", "WORM random", size, "congestion c, packets", c_paper, None, Sample(values), c_band)
        bands.add("table II", "WORM random", size, "latency / c", q_paper, None, Sample(quotient[levels]), q_band)
    if most < 6:
        return []
    p = exponent({levels: statistics.fmean(values) for levels, values in quotient.items()})
    return [Row(PAPER, "table II", "WORM random", None, "p of latency / c = k (log4 N)^p", 0.22, 0.192, p, None,
                f"{EXPONENT[0]} to {EXPONENT[1]}", EXPONENT[0] <= p <= EXPONENT[1])]


def exponent(means):
    """Least squares on the values, as the paper's own table gives its 0.22: k follows from p."""
    def misfit(p):
        powers = [levels ** p for levels in means]
        k = sum(x * y for x, y in zip(powers, means.values())) / sum(x * x for x in powers)
        return sum((k * x - y) ** 2 for x, y in zip(powers, means.values()))
    low, high = -1.0, 2.0
    for _ in range(200):
        third = (high - low) / 3
        if misfit(low + third) < misfit(high - third):
            high -= third
        else:
            low += third
    return (low + high) / 2


def order(figure, text, size, better, worse):
    return Row(PAPER, figure, text, size, "latency, flit-steps", "in this order", None,
               f"{better.mean:.0f} +-{better.ci95():.0f} < {worse.mean:.0f} +-{worse.ci95():.0f}", None,
               "beyond chance (99 %)", better.beyond(worse))


def percent_below(better, worse):
    return 100 * (worse.mean / better.mean - 1)


def gap_row(figure, text, size, value, paper):
    return Row(PAPER, figure, text, size, "per cent more", paper, None, value, None, "reported", True)


def grows(figure, text, better, worse):
    """The gap in flit-steps, at N = 1024 and 4096; in per cent it is much the same at both where links are chosen."""
    gaps = [worse[levels].mean - better[levels].mean for levels in (5, 6)]
    shares = [percent_below(better[levels], worse[levels]) for levels in (5, 6)]
    return Row(PAPER, figure, text, 4096, "gap at 1024 and at 4096, flit-steps (per cent)", "grows", None,
               f"{gaps[0]:.0f} ({shares[0]:.0f}), {gaps[1]:.0f} ({shares[1]:.0f})", None, "larger", gaps[1] > gaps[0])


def figure_3(run, runs):
    rows = []
    for algorithm, file in (("STORE", "figure-3-store"), ("WORM", "figure-3")):
        result = run(file, f"{PAPER}/{file}.yaml", *seeds(runs))
        by = {label: samples(result, algorithm, label) for label in ("FP", "RP", "GP")}
        for levels in LARGEST:
            for choice in ("RP", "GP"):
                rows.append(order("figure 3", f"{algorithm}: {choice} before FP", SIZES[levels], by[choice][levels],
                                  by["FP"][levels]))
        for choice in ("RP", "GP"):
            rows.append(grows("figure 3", f"{algorithm}: {choice} before FP", by[choice], by["FP"]))
        rows.append(gap_row("figure 3", f"{algorithm}: RP against GP", 4096,
                            percent_below(by["GP"][6], by["RP"][6]), "close"))
    return rows


def figure_4(run, runs):
    rows = []
    for algorithm, file in (("STORE", "figure-4-store"), ("WORM", "figure-4")):
        result = run(file, f"{PAPER}/{file}.yaml", *seeds(runs))
        by = {label: samples(result, algorithm, label) for label in ("RP-RR", "RP-FO", "RP-FF", "GP-FO")}
        for levels in LARGEST:
            for other in ("RP-FO", "GP-FO"):
                rows.append(order("figure 4", f"{algorithm}: RP-RR before {other}", SIZES[levels], by["RP-RR"][levels],
                                  by[other][levels]))
        rows.append(grows("figure 4", f"{algorithm}: RP-RR before RP-FO", by["RP-RR"], by["RP-FO"]))
        low, high = (4, 10) if algorithm == "STORE" else (12, 15)
        for level in (5, 6):
            gap = percent_below(by["RP-RR"][level], by["GP-FO"][level])
            rows.append(Row(PAPER, "figure 4", f"{algorithm}: RP-RR before GP-FO", SIZES[level], "per cent more",
                            "5 to 9" if algorithm == "STORE" else "12 to 15", None, gap, None,
                            f"{low} to {high}, +-2", low - 2 <= gap <= high + 2))
        rows.append(gap_row("figure 4", f"{algorithm}: RP-FF against RP-RR", 4096,
                            percent_below(by["RP-RR"][6], by["RP-FF"][6]), "like FO"))
    return rows


def figure_5(run, runs, worm):
    result = run("figure-5", f"{PAPER}/figure-5.yaml", *seeds(runs))
    by = {label: samples(result, "SPLIT", label) for label in ("RP-RR", "RP-FO", "GP-FF")}
    rows = []
    for levels in LARGEST:
        size = SIZES[levels]
        rows.append(order("figure 5", "WORM before SPLIT RP-FO", size, worm[levels], by["RP-FO"][levels]))
        rows.append(order("figure 5", "SPLIT GP-FF before SPLIT RP-FO", size, by["GP-FF"][levels], by["RP-FO"][levels]))
        rows.append(gap_row("figure 5", "WORM against SPLIT RP-RR", size,
                            percent_below(by["RP-RR"][levels], worm[levels]), "slightly more"))
    return rows


def figure_2(run, runs, most):
    """STORE against the algorithm of Leighton et al. 1994, both with R = log2 N and queues of a packet."""
    rows = []
    for pattern, key in (("random", None), ("complement", "bit_complement"), ("many-to-1", "many_to_one")):
        change = [] if key is None else ["--set", f"traffic.pattern={{kind: {key}}}"]
        result = run(f"figure-2-{pattern}", f"{PAPER}/figure-2.yaml", *seeds(runs), *change)
        for levels in [level for level in (2, 3, 4, 5) if level <= most]:
            label = f"N = {SIZES[levels]}"
            store = Sample([latency(p, FLITS) for p in result["points"] if p["label"] == label])
            other = Sample([univ.steps(levels, pattern, 1, seed) * FLITS for seed in range(1, 1 + min(runs, 10))])
            rows.append(order("figure 2", f"{pattern}: STORE before UNIV", SIZES[levels], store, other))
        if pattern == "random":
            by = {label: Sample([latency(p) for p in result["points"] if p["label"] == label])
                  for label in ("N = 1024", "N = 1024, no delays")}
            rows.append(gap_row("figure 2", "STORE with initial delays, against none", 1024,
                                percent_below(by["N = 1024, no delays"], by["N = 1024"]), "little advantage"))
    return rows


def parameters(run, runs):
    worm = run("parameters", f"{PAPER}/parameters.yaml", *seeds(runs))
    store = run("parameters-store", f"{PAPER}/parameters-store.yaml", *seeds(runs))
    of = {label: Sample([latency(p) for p in worm["points"] if p["label"] == label])
          for label in {p["label"] for p in worm["points"]}}
    rows = [order("section III", "WORM: q = 2 before q = 1", 256, of["q = 2"], of["q = 1"])]
    for q in ("q = 4", "q = 8"):
        rows.append(gap_row("section III", f"WORM: q = 2 against {q}", 256, percent_below(of[q], of["q = 2"]), "little"))
    for label in ("q = 1", "q = 2", "q = 8"):
        sample = Sample([latency(p, FLITS) for p in store["points"] if p["label"] == label])
        rows.append(order("section III", f"WORM (q = 2) before STORE, {label}", 256, of["q = 2"], sample))
    for delays in ("R = 2", "R = 8"):
        rows.append(gap_row("section III", f"WORM: {delays} against none", 256, percent_below(of["q = 2"], of[delays]),
                            "never much less"))
        rows[-1].holds = rows[-1].measured > -5
        rows[-1].tolerance = "not below -5"
    # Linear in L: what 64 more flits cost from 64 to 128 is what they cost from 32 to 64, twice 32 there.
    per_flit = [(of[b].mean - of[a].mean) / (y - x) for a, b, x, y in
                (("L = 16", "q = 2", 16, 32), ("q = 2", "L = 64", 32, 64), ("L = 64", "L = 128", 64, 128))]
    rows.append(Row(PAPER, "section III", "WORM: flit-steps per flit of L, 16-32, 32-64, 64-128", 256, "slope", "linear",
                    None, ", ".join(f"{s:.1f}" for s in per_flit), None, "within 15 % of each other",
                    max(per_flit) <= 1.15 * min(per_flit)))
    return rows


def tree_and_torus(run):
    """The same worms on both networks, per cycle, per link, and per flit of buffer. Reported."""
    result = run("tree-and-torus", f"{PAPER}/tree-and-torus.yaml")
    rows = []
    # Links of the tree: between switches, and to and from processors; buffers: 2 flits behind each of those. Links of the
    # torus, and 10 VCs of one flit at both ends of each, and one injection and one consumption buffer for each processor.
    for label, links, buffers in (("butterfly fat-tree", 3968, 2 * 3968), ("torus", 4096 + 2048, 20 * 4096 + 2048)):
        sample = Sample([p["time_to_drain_cycles"] for p in result["points"] if p["label"] == label])
        for quantity, value in (("cycles to drain", sample.mean), ("times links, thousands", sample.mean * links / 1e3),
                                ("times flits of buffers, thousands", sample.mean * buffers / 1e3)):
            rows.append(Row(PAPER, "tree and torus", label, 1024, quantity, None, None, value, None, "reported", True))
    return rows


def large(run):
    """300 runs of N <= 1024 against many more of the independent model."""
    rows = []
    for algorithm in ("STORE", "WORM"):
        result = run(f"large-{algorithm.lower()}", f"{PAPER}/table-1-{algorithm.lower()}.yaml", "--set",
                     WITH_CHANCE, *seeds(300, 1001), *levels_up_to(5))
        for pattern in ("random", "complement"):
            for levels, sample in samples(result, algorithm, pattern).items():
                _, reference, sd = TABLE_1[algorithm, pattern][levels - 2]
                band = 2.58 * sd * math.sqrt(1 / len(sample.values) + 1 / LARGE_RUNS[algorithm][levels - 2])
                rows.append(Row(PAPER, "300 runs", f"{algorithm} {pattern}", SIZES[levels], "latency, flit-steps", None,
                                reference, sample.mean, sample.ci95(), band, abs(sample.mean - reference) <= band))
    return rows


def reproduce(run, reduced):
    runs, most = (REDUCED_RUNS, 4) if reduced else (RUNS, 6)
    bands = Bands(runs)
    rows = many_to_1(run, 1 if reduced else 3)
    rows += table_1(run, bands, runs, most)
    random = run("table-2", f"{PAPER}/table-2.yaml", *seeds(runs), *levels_up_to(most))
    rows += table_2(random, bands, most)
    rows += bands.verdict()
    if reduced:
        return rows + figure_2(run, runs, 3)
    rows += large(run) + figure_2(run, runs, 5) + figure_3(run, runs) + figure_4(run, runs)
    return rows + figure_5(run, runs, samples(random, "WORM")) + parameters(run, runs) + tree_and_torus(run)
