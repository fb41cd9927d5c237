"""One figure at a time: curves, curves over time and area, heat maps, histograms."""
import collections
import math
import sys

from . import ceiling
from .heat_map import heat_map
from .histogram import histogram
from .look import INK, PAPER_WIDTH, QUIET, Look, named, series_style
from .network_map import network_map
from .results import CannotPlot, series_of, value, value_over_all
from .text import axis_title, missing_text, subject, texts_of

LETTERS = {False: 42, True: 34}  # of an axis title beside a panel; for a paper
STATUS_TEXT = {
    "stable": "stable",
    "saturated": "saturated (hollow)",
    "not_converged": "not converged (ringed)",
    "deadlocked": "deadlocked (cross)",
}
ABOVE_TEXT = "not stable, goes on above"

# The points of a series in a panel, ((x, half width), (y, half width), status), and other lines through them.
Curve = collections.namedtuple("Curve", "label data others", defaults=((),))


def load_matplotlib():
    try:
        import matplotlib
    except ImportError as problem:
        raise CannotPlot(f"matplotlib is missing for {sys.executable} ({problem}); on Debian: "
                         "apt-get install python3-matplotlib") from problem
    matplotlib.rcdefaults()  # a user's own settings are for the user's own figures
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    plt.rcParams.update({
        "figure.dpi": 110, "savefig.dpi": 160, "svg.fonttype": "none", "svg.hashsalt": "noctule",
        "pdf.fonttype": 42,  # letters that publishers accept
        "font.size": 10, "axes.titlesize": 11, "axes.titleweight": "bold", "axes.titlelocation": "left",
        "axes.edgecolor": QUIET, "axes.labelcolor": INK, "text.color": INK, "xtick.color": INK,
        "ytick.color": INK, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
        "grid.color": "#e6e6e6", "grid.linewidth": 0.8, "axes.axisbelow": True, "legend.frameon": False,
        "text.parse_math": False,  # "$" is a letter like any other
    })
    return plt


class Plotter(Look):
    """Draws the figures of one result folder. results: what its results.json holds. suffixes: kinds of files. warn(text):
    told of letters that no font has. ymax: where latency axes end; show_all: they hold every point."""

    def __init__(self, out, plt, suffixes, results, warn, paper=0.0, titles=True, ymax=None, show_all=False):
        super().__init__(out, plt, suffixes, paper, titles)
        self.results, self.ymax, self.show_all = results, ymax, show_all
        if paper:
            plt.rcParams.update({"font.size": 8, "xtick.labelsize": 7.5, "ytick.labelsize": 7.5, "lines.markersize": 4})
        missing = self.fonts.prepare(texts_of([results["points"], results.get("config")]))
        if missing:
            warn(missing_text(missing))

    def sources(self):
        """Seeds, and how long was measured, of all points."""
        points = self.results["points"]
        seeds = sorted({p.get("set", {}).get("seed", self.results.get("seed")) for p in points} - {None})
        cycles = sorted({p["cycles"]["measured"] for p in points if "measured" in p.get("cycles", {})})
        texts = []
        if cycles:
            texts.append(f"{cycles[0]:,.0f} cycles measured" if len(cycles) == 1 else
                         f"{cycles[0]:,.0f} to {cycles[-1]:,.0f} cycles measured")
        if seeds:
            texts.append(f"seed{'s' if len(seeds) > 1 else ''} {', '.join(map(str, seeds))}")
        return ", ".join(texts)

    def panels(self, panels, columns):
        """A figure with one pair of axes for each panel, in so many columns: (figure, [axes])."""
        if len(panels) == 1:
            figure, axes = self.plt.subplots(figsize=self.figure_size(6.4, 4.2),
                                             layout="constrained" if self.paper else None)
            return figure, [axes]
        columns = min(len(panels), columns, max(1, round(2 * self.width / PAPER_WIDTH)) if self.paper else columns)
        rows = math.ceil(len(panels) / columns)
        figure, grid = self.plt.subplots(rows, columns, sharex=True, sharey=True, squeeze=False, layout="constrained",
                                         figsize=self.figure_size(3.6 * columns + 0.6, 2.8 * rows + 0.6))
        for axes in grid.flat[len(panels):]:
            axes.set_axis_off()
        for i, ((title, _), axes) in enumerate(zip(panels, grid.flat)):
            axes.set_title(title, fontsize=self.sizes["panel"], fontweight="normal")
            axes.tick_params(labelbottom=i + columns >= len(panels))
        return figure, list(grid.flat[:len(panels)])

    def finish_panels(self, figure, grid, panels, name, title, xlabel, ylabel, footnote=""):
        """Titles of a figure with panels, and its files."""
        letters = LETTERS[self.paper]
        if len(grid) == 1:
            grid[0].set(xlabel=xlabel, ylabel=axis_title(ylabel, letters))
        else:
            figure.supxlabel(xlabel, fontsize=self.sizes["label"])
            rows = len({axes.get_position().y0 for axes in grid})
            figure.supylabel(axis_title(ylabel, letters * rows), fontsize=self.sizes["label"])
        about = subject(self.results, [point for _, points in panels for point in points])
        title, _, situation = title.partition("\n")
        self.finish(figure, name, title, "; ".join(text for text in (about, situation) if text), footnote)

    def curves(self, panels, name, title, x, y, columns=1, diagonal=False):
        """One curve per label in each panel, (its title, its points). x, y: (path of the quantity, axis title).
        columns: of panels."""
        def curve(label, points):
            data = [(value(p, x[0]), value(p, y[0]), p.get("status", "stable")) for p in points]
            return Curve(label, [d for d in data if d[0] and d[1]])

        self.draw_curves(panels, curve, name, title, x, y, columns, diagonal)

    def cost_curves(self, panels, name, title, x, y, columns=1):
        """One curve per label in each panel, cycles taken as nanoseconds and routers as mm2; thin ones for
        each mapping to cells. x, y: (path of the quantity, powers of ns and of mm2 that it is times, axis title)."""
        assumed = []

        def curve(label, points):
            data = [(value_over_all(p, x[0]), value_over_all(p, y[0]), p) for p in points if "cycle_ns" in p.get("cost", {})]
            data = [d for d in data if d[0] and d[1]]
            others = [[(a[0] * scale(p, x[1], m), b[0] * scale(p, y[1], m)) for a, b, p in data]
                      for m in range(min((len(p["cost"]["mappings"]) for _, _, p in data), default=0))]
            for _, _, p in data:
                assumed.extend(text for text in assumptions(p["cost"]) if text not in assumed)
            return Curve(label, [(tuple(part * scale(p, x[1]) for part in a), tuple(part * scale(p, y[1]) for part in b),
                                  p.get("status", "stable")) for a, b, p in data], others)

        self.draw_curves(panels, curve, name, title, (x[0], x[2]), (y[0], y[2]), columns, footnotes=assumed)

    def draw_curves(self, panels, curve_of, name, title, x, y, columns, diagonal=False, footnotes=()):
        """A figure of curves; curve_of(label, points of a series): its Curve."""
        drawn = [[curve for label, members in series_of(points).items()
                  if (curve := curve_of(label, [p for _, p in members])).data] for _, points in panels]
        data = [curve.data for curves in drawn for curve in curves]
        if not data:
            return
        labels, top, wide = labels_of(panels), None, False
        if y[0].startswith("latency_cycles"):
            top = None if self.show_all else self.ymax or ceiling.ceiling(data)
            wide = ceiling.is_wide(data, top)
        figure, grid = self.panels(panels, columns)
        shown = [self.curves_of(axes, curves, labels, top) for axes, curves in zip(grid, drawn)]
        for axes in grid:
            self.dress(axes, set().union(*shown), top, wide, diagonal, len(grid) > 1)
        self.finish_panels(figure, grid, panels, name, title, x[1], y[1], "\n".join(footnotes))

    def dress(self, axes, statuses, top, wide, diagonal, several):
        """What all curves of a panel have in common. statuses: of the points that are shown, "above" of others."""
        if diagonal:
            end = axes.get_xlim()[1]
            named(axes.plot([0, end], [0, end], color=QUIET, lw=0.8, ls=":", zorder=1), "accepted = offered")
        for status in [s for s in STATUS_TEXT if s in statuses and s != "stable"]:
            shape = "ring" if status == "not_converged" else status
            named(axes.plot([], [], ls="", **self.marker(shape, "o", QUIET)), STATUS_TEXT[status])
        if "above" in statuses:
            named(axes.plot([], [], ls="", **self.marker("above", "^", QUIET)), ABOVE_TEXT)
        axes.set_xlim(left=0)
        if wide:
            axes.set_yscale("log")
            ticker = self.plt.matplotlib.ticker
            axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
            axes.yaxis.set_major_formatter(ticker.StrMethodFormatter("{x:g}"))
            axes.yaxis.set_minor_formatter(ticker.NullFormatter())
            if several:
                axes.yaxis.set_minor_locator(ticker.NullLocator())  # a third of the time to draw them
        else:
            axes.set_ylim(bottom=0)
        if top is not None:
            axes.set_ylim(top=top)

    def curves_of(self, axes, curves, labels, top):
        """Draws the curves of one panel. Status of each point that is shown; "above" for curves that leave the axes."""
        statuses = set()
        for curve in curves:
            colour, style, marker = series_style(labels.index(curve.label))
            part = ceiling.below(curve.data, top)
            for line in curve.others:
                axes.plot(*zip(*line[:len(part.line)]), style, color=colour, lw=0.6, alpha=0.5, zorder=1)
            if part.line:
                axes.plot(*zip(*part.line), style, color=colour, lw=self.sizes["line"], zorder=2)
            if part.leaves is not None:
                axes.plot([part.leaves], [top], ls="", clip_on=False, zorder=4, **self.marker(
                    "deadlocked" if part.status == "deadlocked" else "above", "^", colour))
                statuses.add("deadlocked" if part.status == "deadlocked" else "above")
            statuses.update(status for _, _, status in part.marked)
            self.marks(axes, part.marked, marker, colour)
            named(axes.plot([], [], style, color=colour, marker=marker, ms=self.sizes["mark"]), curve.label)
        return statuses

    def marks(self, axes, data, marker, colour):
        """A marker with its intervals for each ((x, half width), (y, half width), status); one call per status, as
        every call costs time. An interval that reaches zero is left out: the value is not known at all, as the latency
        of a saturated point whose source queues grow."""
        for status in dict.fromkeys(status for _, _, status in data):
            here = [(a, b) for a, b, of_point in data if of_point == status]
            xerr, yerr = ([half if 0 < half < value else math.nan for value, half in (pair[k] for pair in here)]
                          for k in (0, 1))
            axes.errorbar([a[0] for a, _ in here], [b[0] for _, b in here], ls="none",
                          xerr=None if all(map(math.isnan, xerr)) else xerr,
                          yerr=None if all(map(math.isnan, yerr)) else yerr,
                          color=colour, lw=1.0, capsize=2, zorder=3, **self.marker(status, marker, colour))
            if status == "not_converged":  # a ring is seen where curves lie on each other
                axes.plot([a[0] for a, _ in here], [b[0] for _, b in here], ls="", zorder=5,
                          **self.marker("ring", "o", colour))

    def marker(self, status, marker, colour):
        size = self.sizes["mark"]
        if status == "deadlocked":
            return {"marker": "x", "ms": 1.6 * size, "mew": 2, "mec": colour}
        if status == "ring":
            return {"marker": "o", "ms": 2.2 * size, "mew": 0.9, "mec": colour, "mfc": "none"}
        if status == "above":
            return {"marker": "^", "ms": 1.4 * size, "mew": 1.2, "mec": colour, "mfc": "white"}
        return {"marker": marker, "ms": size, "mew": 1.3, "mec": colour, "mfc": "white" if status == "saturated" else colour}

    def network_map(self, label, point, links, name):
        network_map(self, label, point, links, name, subject(self.results, [point]))

    def heat_map(self, label, point, links, name):
        heat_map(self, label, point, links, name, subject(self.results, [point]))

    def histogram(self, chosen, name="latency-histogram", title="Latency of packets"):
        histogram(self, chosen, name, title, subject(self.results, [point for _, point, _ in chosen]))


def labels_of(panels):
    """All labels of a figure, in order of appearance."""
    return list(dict.fromkeys(label for _, points in panels for label in series_of(points)))


def scale(point, powers, mapping=None):
    """What a quantity in cycles and routers is multiplied by, for one mapping to cells or in the mean over them;
    powers: (of ns, of mm2)."""
    mappings = point["cost"]["mappings"]
    factors = [m["cycle_ns"] ** powers[0] * (m["area_um2"] / 1e6) ** powers[1] for m in mappings]
    return sum(factors) / len(factors) if mapping is None else factors[mapping]


def assumptions(cost):
    """Lines that say what the figures of a router rest on."""
    lines = [f"library {cost['library']} ({cost['corner']}), tuning {cost['tuning']}, {cost['tools']}; no wires; "
             f"thin lines: {len(cost['mappings'])} mappings"]
    return lines + [f"{cost['router']}: {note}" for note in cost.get("notes", [])]
