"""One figure at a time: curves, curves over time and area, heat maps, histograms."""
import math
import sys

from .heat_map import heat_map
from .histogram import histogram
from .look import INK, QUIET, Look, named, series_style
from .network_map import network_map
from .results import CannotPlot, series_of, value, value_over_all
from .text import axis_title, missing_text, subject, texts_of

LETTERS = 42  # of an axis title beside a panel
STATUS_TEXT = {
    "stable": "stable",
    "saturated": "saturated (hollow)",
    "not_converged": "not converged (half filled)",
    "deadlocked": "deadlocked (cross)",
}


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
    told of letters that no font has."""

    def __init__(self, out, plt, suffixes, results, warn):
        super().__init__(out, plt, suffixes)
        self.results = results
        missing = self.fonts.prepare(texts_of([results["points"], results.get("config")]))
        if missing:
            warn(missing_text(missing))

    def panels(self, panels, columns):
        """A figure with one pair of axes for each panel, in so many columns: (figure, [axes])."""
        if len(panels) == 1:
            figure, axes = self.plt.subplots(figsize=(6.4, 4.2))
            return figure, [axes]
        columns = min(len(panels), columns)
        rows = math.ceil(len(panels) / columns)
        figure, grid = self.plt.subplots(rows, columns, figsize=(3.6 * columns + 0.6, 2.8 * rows + 0.6), sharex=True,
                                         sharey=True, squeeze=False, layout="constrained")
        for axes in grid.flat[len(panels):]:
            axes.set_axis_off()
        for i, ((title, _), axes) in enumerate(zip(panels, grid.flat)):
            axes.set_title(title, fontsize=9, fontweight="normal")
            axes.tick_params(labelbottom=i + columns >= len(panels))
        return figure, list(grid.flat[:len(panels)])

    def finish_panels(self, figure, grid, panels, name, title, xlabel, ylabel, footnote=""):
        """Titles of a figure with panels, and its files."""
        if len(grid) == 1:
            grid[0].set(xlabel=xlabel, ylabel=axis_title(ylabel, LETTERS))
        else:
            figure.supxlabel(xlabel, fontsize=10)
            figure.supylabel(axis_title(ylabel, LETTERS * len({axes.get_position().y0 for axes in grid})), fontsize=10)
        about = subject(self.results, [point for _, points in panels for point in points])
        title, _, situation = title.partition("\n")
        self.finish(figure, name, title, "; ".join(text for text in (about, situation) if text), footnote)

    def curves(self, panels, name, title, x, y, columns=1, diagonal=False):
        """One curve per label in each panel, (its title, its points). x, y: (path of the quantity, axis title).
        columns: of panels."""
        statuses, heights, labels = set(), [], labels_of(panels)
        figure, grid = self.panels(panels, columns)
        for axes, (_, points) in zip(grid, panels):
            self.curves_of(axes, points, labels, x, y, statuses, heights)
        if not heights:
            self.plt.close(figure)
            return
        for axes in grid:
            if diagonal:
                end = axes.get_xlim()[1]
                named(axes.plot([0, end], [0, end], color=QUIET, lw=0.8, ls=":", zorder=1), "accepted = offered")
            for status in [s for s in STATUS_TEXT if s in statuses and s != "stable"]:
                named(axes.plot([], [], ls="", **self.marker(status, "o", QUIET)), STATUS_TEXT[status])
            axes.set_xlim(left=0)
            if not diagonal and min(heights) > 0 and max(heights) > 12 * min(heights):
                axes.set_yscale("log")
                ticker = self.plt.matplotlib.ticker
                axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
                axes.yaxis.set_major_formatter(ticker.StrMethodFormatter("{x:g}"))
                axes.yaxis.set_minor_formatter(ticker.NullFormatter())
                if len(grid) > 1:
                    axes.yaxis.set_minor_locator(ticker.NullLocator())  # a third of the time to draw them
            else:
                axes.set_ylim(bottom=0)
        self.finish_panels(figure, grid, panels, name, title, x[1], y[1])

    def curves_of(self, axes, points, labels, x, y, statuses, heights):
        """The curves of one panel; adds what it draws to `statuses` and `heights`."""
        for label, members in series_of(points).items():
            k = labels.index(label)
            data = [(value(p, x[0]), value(p, y[0]), p.get("status", "stable")) for _, p in members]
            data = [d for d in data if d[0] and d[1]]
            if not data:
                continue
            colour, style, marker = series_style(k)
            axes.plot([d[0][0] for d in data], [d[1][0] for d in data], style, color=colour, lw=1.6, zorder=2)
            statuses.update(status for _, _, status in data)
            heights += [b[0] for _, b, _ in data]
            self.marks(axes, data, marker, colour)
            named(axes.plot([], [], style, color=colour, marker=marker, ms=5), label)

    def cost_curves(self, panels, name, title, x, y, columns=1):
        """One curve per label in each panel, cycles taken as nanoseconds and routers as mm2; thin ones for
        each mapping to cells. x, y: (path of the quantity, powers of ns and of mm2 that it is times, axis title)."""
        statuses, assumed, labels = set(), [], labels_of(panels)
        figure, grid = self.panels(panels, columns)
        for axes, (_, points) in zip(grid, panels):
            self.cost_curves_of(axes, points, labels, x, y, statuses, assumed)
        if not statuses:
            self.plt.close(figure)
            return
        for axes in grid:
            for status in [s for s in STATUS_TEXT if s in statuses and s != "stable"]:
                named(axes.plot([], [], ls="", **self.marker(status, "o", QUIET)), STATUS_TEXT[status])
            axes.set_xlim(left=0)
            axes.set_ylim(bottom=0)
        self.finish_panels(figure, grid, panels, name, title, x[2], y[2], "\n".join(assumed))

    def cost_curves_of(self, axes, points, labels, x, y, statuses, assumed):
        """The curves of one panel; adds what it draws to `statuses` and `assumed`."""
        for label, members in series_of(points).items():
            k = labels.index(label)
            data = [(value_over_all(p, x[0]), value_over_all(p, y[0]), p)
                    for _, p in members if "cycle_ns" in p.get("cost", {})]
            data = [d for d in data if d[0] and d[1]]
            if not data:
                continue
            colour, style, marker = series_style(k)
            for m in range(min(len(p["cost"]["mappings"]) for _, _, p in data)):
                axes.plot([a[0] * scale(p, x[1], m) for a, _, p in data],
                          [b[0] * scale(p, y[1], m) for _, b, p in data], style, color=colour, lw=0.6, alpha=0.5,
                          zorder=1)
            places = [(a[0] * scale(p, x[1]), b[0] * scale(p, y[1])) for a, b, p in data]
            axes.plot(*zip(*places), style, color=colour, lw=1.6, zorder=2)
            marked = [((px, a[1] * scale(p, x[1])), (py, b[1] * scale(p, y[1])), p.get("status", "stable"))
                      for (a, b, p), (px, py) in zip(data, places)]
            statuses.update(status for _, _, status in marked)
            self.marks(axes, marked, marker, colour)
            for _, _, point in data:
                assumed += [text for text in assumptions(point["cost"]) if text not in assumed]
            named(axes.plot([], [], style, color=colour, marker=marker, ms=5), label)

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

    @staticmethod
    def marker(status, marker, colour):
        if status == "deadlocked":
            return {"marker": "x", "ms": 8, "mew": 2, "mec": colour}
        fill = {"saturated": "none", "not_converged": "left"}.get(status, "full")
        return {"marker": marker, "ms": 5, "mew": 1.3, "mec": colour, "mfc": "white" if fill == "none" else colour,
                "fillstyle": "full" if fill == "none" else fill}

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
