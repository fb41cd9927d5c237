"""Which figures a result folder gets: what is a curve, what a panel, what a figure of its own, and how many."""
import collections
import json
import math
import shlex
import sys

from . import work
from .drawing import Plotter, load_matplotlib
from .look import PAPER_WIDTH
from .heat_map import COLUMNS, grid_link
from .network_map import placed_link
from .histogram import at_one_load
from .results import (FLITS, CannotPlot, latency_bin, read_results, read_table, representative, series_of, slug, value)

COST_KINDS = ("latency_ns", "throughput_area")
KINDS = ("latency_throughput", "latency_load", "throughput_load", "link_heat_map", "latency_histogram", *COST_KINDS)
MOST_FIGURES = 24   # of a result folder, unless the user asks for more
MOST_PANELS = 12    # of one figure
MOST_SERIES = 7     # of an axis: as many as there are colours
MOST_COLUMNS = 5    # of panels
LOAD = "traffic.offered_load"

# One figure: its name, the method of Plotter that draws it, what that takes.
Figure = collections.namedtuple("Figure", "name method arguments options", defaults=({},))


# --- axes of a sweep --------------------------------------------------------------------------------------

def varying_axes(points):
    """Keys other than load and seed of which the points of one series have several values -> those, in order."""
    of_label = {}
    for point in points:
        for key, given in point.get("set", {}).items():
            of_label.setdefault(key, {}).setdefault(point.get("label"), {})[json.dumps(given)] = None
    return {key: list(dict.fromkeys(text for texts in labels.values() for text in texts))
            for key, labels in of_label.items()
            if key not in (LOAD, "seed") and any(len(texts) > 1 for texts in labels.values())}


def is_number(text):
    """As JSON."""
    given = json.loads(text)
    return isinstance(given, (int, float)) and not isinstance(given, bool)


def value_text(given):
    """A value of an axis in a title: 15, hotspot, hotspot fraction=0.04."""
    if isinstance(given, str):
        return given
    if isinstance(given, dict) and isinstance(given.get("kind"), str):
        return " ".join([given["kind"], *(f"{key}={json.dumps(v)}" for key, v in given.items() if key != "kind")])
    return json.dumps(given)


def situation(point, keys):
    """What a point was given for these keys, in words."""
    given = point.get("set", {})
    return ", ".join(f"{key.partition('.')[2] or key} {value_text(given[key])}" for key in keys if key in given)


class Arrangement:
    """What each axis of a sweep becomes in figures with quantity `x` along the curves. Along them goes the load, or
    else the longest axis of numbers, if x changes with it. The longest one that colours can tell apart makes the
    curves, unless there are several series already. The last of the others are panels, as many as fit into one
    figure; what remains makes figures."""

    def __init__(self, points, x):
        axes = varying_axes(points)
        loads = {json.dumps(p["set"][LOAD]) for p in points if LOAD in p.get("set", {})}
        numbers = [key for key, values in axes.items() if all(is_number(text) for text in values)]
        if numbers and len(loads) < 2 and len({(value(p, x) or (None,))[0] for p in points} - {None}) > 1:
            axes.pop(max(numbers, key=lambda key: len(axes[key])))
        self.series = None
        if len({p.get("label") for p in points}) == 1:
            few = [key for key, values in axes.items() if len(values) <= MOST_SERIES]
            self.series = max(few, key=lambda key: len(axes[key]), default=None)
            axes.pop(self.series, None)
        self.figures, self.panels, count = list(axes), [], 1
        while self.figures and (not self.panels or count * len(axes[self.figures[-1]]) <= MOST_PANELS):
            key = self.figures.pop()
            self.panels.insert(0, key)
            count *= len(axes[key])
        last = len(axes[self.panels[-1]]) if len(self.panels) > 1 else 0
        self.columns = last if 2 <= last <= MOST_COLUMNS else MOST_COLUMNS - 1

    def pages(self, points):
        """[(what tells this figure from the others, its panels: [(title, points)])]"""
        figures = {}
        for point in points:
            if self.series:
                point = {**point, "label": situation(point, [self.series]) or point.get("label")}
            panels = figures.setdefault(situation(point, self.figures), {})
            panels.setdefault(situation(point, self.panels), []).append(point)
        pages = []
        for text, panels in figures.items():
            panels = list(panels.items())
            parts = math.ceil(len(panels) / MOST_PANELS)
            for part in range(parts):
                here = panels[part * MOST_PANELS:(part + 1) * MOST_PANELS]
                more = [f"part {part + 1} of {parts}"] if parts > 1 else []
                pages.append((", ".join([*([text] if text else []), *more]), here))
        return pages


# --- figures of a kind ------------------------------------------------------------------------------------

def unique(name, taken):
    """The name, or with a number where two labels or situations look alike once they are part of a file's name."""
    number = 1
    while (free := name if number == 1 else f"{name}-{number}") in taken:
        number += 1
    taken.add(free)
    return free


def curve_figures(arrangement, points, method, name, title, *arguments, **options):
    taken, options = set(), {**options, "columns": arrangement.columns}
    for text, panels in arrangement.pages(points):
        file = unique(f"{name}-{slug(text)}" if text else name, taken)
        yield Figure(file, method, (panels, file, f"{title}\n{text}" if text else title, *arguments), options)


def rows_of_points(file, columns):
    """Rows of a table by the number of their point."""
    rows = {}
    for row in read_table(file, ("point", *columns)):
        number = row["point"]
        if not number.isdecimal():
            raise CannotPlot(f"{file}: '{number}' is not the number of a point")
        rows.setdefault(int(number), []).append(row)
    return rows


def shown_name(label, point, keys):
    """A series with what else its point was given."""
    more = situation(point, keys)
    return label if not more or more == label else f"{label} ({more})"


def heat_map_figures(folder, points):
    file, taken, axes = folder / "links.csv", set(), varying_axes(points)
    rows, empty = rows_of_points(file, COLUMNS), []
    for label, members in series_of(points).items():
        index, point = representative(members)
        # Nothing was measured of a point that ended in its warm-up.
        mine = [row for row in rows.get(index, []) if row["utilization"] != ""]
        links = [grid_link(file, row) for row in mine]
        if not links:
            empty.append(f"{file} holds no utilisation of point {index} ({label})")
            continue
        method = "network_map" if None in links else "heat_map"
        if None in links:
            links = [placed_link(file, row) for row in mine]
        name = unique(f"links-{slug(label)}", taken)
        yield Figure(name, method, (shown_name(label, point, axes), point, links, name))
    if empty and not taken:
        raise CannotPlot(empty[0])
    for text in empty:
        warn(f"{text}; its heat map is left out")


BIN = ("latency_cycles_low", "latency_cycles_high", "count")


def bins_of(file, rows):
    """Those that hold packets, in their order."""
    return sorted(b for b in (latency_bin(file, row) for row in rows) if b[2] > 0)


def histogram_figures(folder, points):
    file, axes = folder / "latency_hist.csv", varying_axes(points)
    bins = {index: bins_of(file, of_point) for index, of_point in rows_of_points(file, BIN).items()}
    chosen = [(shown_name(label, point, axes), index, point)
              for label, index, point in at_one_load(points, bins.get)]
    if not chosen:
        raise CannotPlot(f"{file} holds no packets of any point")
    yield Figure("latency-histogram", "histogram", ([(label, point, bins[index]) for label, index, point in chosen],))
    yield from class_histogram_figures(folder / "latency_hist_classes.csv", chosen)


def class_histogram_figures(file, chosen):
    """Of each of these points a figure with a line for each message class, where classes have names."""
    named = [of_point for of_point in chosen if of_point[2].get("message_classes")]
    if not named or not file.exists():
        return
    taken, rows = set(), rows_of_points(file, ("class", *BIN))
    for label, index, point in named:
        mine = {name: bins_of(file, [row for row in rows.get(index, []) if row["class"] == name])
                for name in point["message_classes"]}
        lines = [(name, point, bins) for name, bins in mine.items() if bins]
        if lines:
            name = unique(f"latency-histogram-classes-{slug(label)}", taken)
            yield Figure(name, "histogram", (lines, name, f"Latency of packets by message class: {label}"))


def figures_by_kind(folder, points, kinds, normalized, fail):
    """kind -> its figures, in the order in which they are drawn. fail(text): told why a kind is missing."""
    unit, text = ("normalized", "over tau_max") if normalized else ("flits_per_node_cycle", FLITS)
    accepted = (f"accepted.{unit}", f"accepted throughput ({text})")
    offered = (f"offered.{unit}", f"offered load ({text})")
    swept = Arrangement(points, accepted[0]), points
    loaded = Arrangement(points, offered[0]), points
    makers = {
        "latency_throughput": lambda: [
            *curve_figures(*swept, "curves", "latency-throughput", "Total latency, 95 % confidence", accepted,
                           ("latency_cycles.total", "mean latency: generation to tail consumed (cycles)")),
            *curve_figures(*swept, "curves", "network-latency-throughput", "Network latency, 95 % confidence", accepted,
                           ("latency_cycles.network", "mean latency: header injected to tail consumed (cycles)"))],
        "latency_load": lambda: curve_figures(
            *loaded, "curves", "latency-offered", "Total latency, 95 % confidence", offered,
            ("latency_cycles.total", "mean latency: generation to tail consumed (cycles)")),
        "throughput_load": lambda: curve_figures(
            *loaded, "curves", "throughput-offered", "Accepted throughput, 95 % confidence", offered, accepted,
            diagonal=True),
        "link_heat_map": lambda: heat_map_figures(folder, points),
        "latency_histogram": lambda: histogram_figures(folder, points),
        "latency_ns": lambda: curve_figures(
            *swept, "cost_curves", "latency-ns", "Total latency in time, 95 % confidence",
            ("accepted.flits_per_node_cycle", (-1, 0), "accepted throughput (flits per node and ns)"),
            ("latency_cycles.total", (1, 0), "mean latency: generation to tail consumed (ns)")),
        "throughput_area": lambda: curve_figures(
            *loaded, "cost_curves", "throughput-area", "Throughput per area, 95 % confidence",
            ("offered.flits_per_node_cycle", (-1, 0), "offered load (flits per node and ns)"),
            ("accepted.flits_per_node_cycle", (-1, -1), "accepted throughput (flits per ns and mm² of router)")),
    }
    figures = {}
    for kind in (kind for kind in KINDS if kind in kinds):
        try:
            figures[kind] = [f for f in makers[kind]() if has_data(f)]
        except CannotPlot as problem:
            fail(*problem.args)
        except (AttributeError, KeyError, TypeError, ValueError) as problem:
            fail(f"{folder / 'results.json'}: its points are not what a run writes, no figure of kind {kind}: "
                 f"{type(problem).__name__}: {problem}")
    return figures


def has_data(figure):
    """Is there a point to draw? Figures without one are not made, and count for nothing."""
    if figure.method == "curves":
        panels, _, _, x, y = figure.arguments
        return any(value(p, x[0]) and value(p, y[0]) for _, points in panels for p in points)
    if figure.method == "cost_curves":
        panels, _, _, x, y = figure.arguments
        return any("cycle_ns" in p.get("cost", {}) and value(p, x[0]) and value(p, y[0])
                   for _, points in panels for p in points)
    return True


# --- how many ---------------------------------------------------------------------------------------------

def up_to(figures, most):
    """As many figures as may be drawn, of every kind in turn, in their order: (figures, kind -> those left out)."""
    left = {kind: list(of_kind) for kind, of_kind in figures.items()}
    taken = set()
    while len(taken) < most and any(left.values()):
        for of_kind in left.values():
            if of_kind and len(taken) < most:
                taken.add(of_kind.pop(0).name)
    chosen = [figure for of_kind in figures.values() for figure in of_kind if figure.name in taken]
    return chosen, {kind: of_kind for kind, of_kind in left.items() if of_kind}


def cap_text(folder, drawn, left):
    """What the cap leaves out, and how it is drawn."""
    count = sum(map(len, left.values()))
    kinds = ", ".join(f"{len(of_kind)} of {kind} (the first is {of_kind[0].name})" for kind, of_kind in left.items())
    return (f"{drawn + count} figures would show everything; {drawn} are drawn. Left out: {kinds}. To draw all: "
            f"{sys.argv[0]} {shlex.quote(str(folder))} --max-figures {drawn + count}; to draw one kind: "
            f"add --kind {next(iter(left))}")


ONE_POINT_KINDS = ("link_heat_map", "latency_histogram")


def tell_left_out(points, kinds, ymax):
    """What figures of these kinds do not show of the points, and why."""
    axes, one_point = list(varying_axes(points)), [kind for kind in ONE_POINT_KINDS if kind in kinds]
    if axes and one_point:
        warn(f"{' and '.join(one_point)}: of each series one point is drawn, and it is named; the sweep has several values "
             f"of {names_text(axes)}. For another point: noctule run with --set")
    curves = [kind for kind in kinds if kind.startswith("latency_") and kind not in ONE_POINT_KINDS]
    latencies = [(value(p, "latency_cycles.total"), p.get("status", "stable")) for p in points]
    unknown = collections.Counter(status for latency, status in latencies if latency is None)
    if curves and unknown and unknown.total() < len(points):
        warn(f"{' and '.join(curves)}: {unknown.total()} of {len(points)} points have no latency and are left out ("
             f"{', '.join(f'{count} {status}' for status, count in unknown.items())})")
    in_cycles = [kind for kind in curves if kind not in COST_KINDS]
    above = sum(status == "stable" and latency[0] > ymax for latency, status in latencies if latency) if ymax else 0
    if in_cycles and above:
        warn(f"{' and '.join(in_cycles)}: {above} stable points lie above --ymax {ymax:g} and are not seen")


def names_text(names):
    """At most four names of many."""
    more = f" and {len(names) - 4} more" if len(names) > 4 else ""
    return ", ".join(names[:4]) + more


def warn(text):
    print(f"plot: {text}", file=sys.stderr)


def kinds_of(results, given):
    """Kinds of figures to draw: those of the command line, else those of the configuration, else all; and were they
    asked for?"""
    wanted = given or (results.get("config") or {}).get("plots") or []
    if "all" in wanted:
        return KINDS, False
    known = [kind for kind in wanted if kind in KINDS] if isinstance(wanted, list) else []
    return (known, True) if known else (KINDS, False)


def suffixes_of(options):
    """Kinds of files: as given, else SVG and PNG, for a paper PDF and PNG."""
    given = options.format or (("pdf", "png") if options.paper else work.SUFFIXES[:2])
    return [suffix for suffix in work.SUFFIXES if suffix in given or (options.pdf and suffix == "pdf")]


def paper_width(options):
    """Inches; 0: not for a paper."""
    if options.width and not options.paper:
        raise CannotPlot("--width is the width of a figure for a paper: give --paper too")
    return (options.width or PAPER_WIDTH) if options.paper else 0.0


def plot(folder, out, options):
    """Draws a result folder; options: of the command line. Draws all that it can before it says what it cannot."""
    paper = paper_width(options)
    results = read_results(folder)
    kinds, asked = kinds_of(results, options.kind)
    if set(kinds) <= set(COST_KINDS) and not any("cycle_ns" in p.get("cost", {}) for p in results["points"]):
        raise CannotPlot(f"{folder}: its points say nothing of the hardware; run with plots: [{', '.join(kinds)}]")
    problems = []
    of_kind = figures_by_kind(folder, results["points"], kinds, options.normalized, problems.append)
    if asked:
        problems += [f"{folder}: no figure of kind {kind}: no point has what it shows"
                     + (", an offered load: latency_throughput is over the accepted one" if kind.endswith("_load") else "")
                     for kind in of_kind if not of_kind[kind]]
    figures, left = up_to(of_kind, options.max_figures)
    if not figures:
        raise CannotPlot(*problems, f"{folder}: its points hold nothing that can be plotted")
    if left:
        warn(cap_text(folder, len(figures), left))
    if asked:
        tell_left_out(results["points"], [kind for kind in of_kind if of_kind[kind]], options.ymax)
    out.mkdir(parents=True, exist_ok=True)
    progress = work.Progress(len(figures), options.progress, options.quiet)
    plotter = Plotter(out, load_matplotlib(), suffixes_of(options), results, warn, paper=paper,
                      titles=not (options.no_title or options.paper), ymax=options.ymax, show_all=options.show_all)
    before = [file for figure in figures for file in work.files_of(out, figure) if file.is_file()]
    files, failed = work.draw(plotter, figures, options.jobs, progress)
    gone = [file.name for file in before if not file.is_file() and not file.name.endswith(work.CAPTION)]
    if gone and not options.quiet:
        warn(f"removed from {out}, as these figures are drawn anew in other formats: {names_text(gone)}")
    stale = work.remove_stale(folder, out, files)
    if stale and not options.quiet:
        warn(f"removed from {out} what showed earlier results: {names_text(stale)}")
    for file in files:
        print(file)
    if failed:
        problems.append(f"{len(failed)} of {len(figures)} figures could not be drawn: {names_text(failed)}")
    if problems:
        raise CannotPlot(*problems)
