"""One figure at a time: curves, curves over time and area, heat maps, histograms."""
import math
import sys
import textwrap

from .results import CannotPlot, load_text, quantile, series_of, shares_of, value

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#aa4499", "#b8860b", "#56b4e9", "#333333"]
MARKERS = ["o", "s", "^", "D", "v", "P", "h"]
INK, QUIET = "#222222", "#8a8a8a"
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
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    plt.rcParams.update({
        "figure.dpi": 110, "savefig.dpi": 160, "svg.fonttype": "none", "svg.hashsalt": "noctule",
        "font.size": 10, "axes.titlesize": 11, "axes.titleweight": "bold", "axes.titlelocation": "left",
        "axes.edgecolor": QUIET, "axes.labelcolor": INK, "text.color": INK, "xtick.color": INK,
        "ytick.color": INK, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
        "grid.color": "#e6e6e6", "grid.linewidth": 0.8, "axes.axisbelow": True, "legend.frameon": False,
    })
    return plt


class Plotter:
    def __init__(self, folder, out, plt):
        self.folder, self.out, self.plt, self.written = folder, out, plt, []

    def save(self, figure, name):
        for suffix in ("svg", "png"):
            file = self.out / f"{name}.{suffix}"
            metadata = {"Date": None} if suffix == "svg" else None
            figure.savefig(file, bbox_inches="tight", metadata=metadata)
            self.written.append(file)
        self.plt.close(figure)

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

    def finish(self, figure, grid, name, title, xlabel, ylabel):
        """Titles and legend of a figure with panels, and its files."""
        if len(grid) == 1:
            grid[0].set(title=title, xlabel=xlabel, ylabel=ylabel)
            grid[0].legend(fontsize=9)
        else:
            figure.suptitle(title, x=0.01, ha="left", fontsize=11, fontweight="bold")
            figure.supxlabel(xlabel, fontsize=10)
            figure.supylabel(ylabel, fontsize=10)
            named = {text: line for axes in grid for line, text in zip(*axes.get_legend_handles_labels())}
            figure.legend(named.values(), named.keys(), fontsize=9, loc="upper left", bbox_to_anchor=(1, 0.96))
            figure.draw_without_rendering()
            figure.set_layout_engine("none")  # once is enough for both files
        self.save(figure, name)

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
                axes.plot([0, end], [0, end], color=QUIET, lw=0.8, ls=":", zorder=1, label="accepted = offered")
            for status in [s for s in STATUS_TEXT if s in statuses and s != "stable"]:
                axes.plot([], [], ls="", label=STATUS_TEXT[status], **self.marker(status, "o", QUIET))
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
        self.finish(figure, grid, name, title, x[1], y[1])

    def curves_of(self, axes, points, labels, x, y, statuses, heights):
        """The curves of one panel; adds what it draws to `statuses` and `heights`."""
        for label, members in series_of(points).items():
            k = labels.index(label)
            data = [(value(p, x[0]), value(p, y[0]), p.get("status", "stable")) for _, p in members]
            data = [d for d in data if d[0] and d[1]]
            if not data:
                continue
            colour, marker = COLOURS[k % len(COLOURS)], MARKERS[k % len(MARKERS)]
            style = "-" if k < len(COLOURS) else "--"
            axes.plot([d[0][0] for d in data], [d[1][0] for d in data], style, color=colour, lw=1.6, zorder=2)
            statuses.update(status for _, _, status in data)
            heights += [b[0] for _, b, _ in data]
            self.marks(axes, data, marker, colour)
            axes.plot([], [], style, color=colour, marker=marker, ms=5, label=label)

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
                axes.plot([], [], ls="", label=STATUS_TEXT[status], **self.marker(status, "o", QUIET))
            axes.set_xlim(left=0)
            axes.set_ylim(bottom=0)
        footnote = "\n".join(line for text in assumed for line in textwrap.wrap(text, 92))
        if len(grid) == 1:
            grid[0].text(0, -0.17, footnote, transform=grid[0].transAxes, fontsize=7, color=QUIET, va="top")
        else:
            figure.text(0, -0.02, footnote, fontsize=7, color=QUIET, va="top")
        self.finish(figure, grid, name, title, x[2], y[2])

    def cost_curves_of(self, axes, points, labels, x, y, statuses, assumed):
        """The curves of one panel; adds what it draws to `statuses` and `assumed`."""
        for label, members in series_of(points).items():
            k = labels.index(label)
            data = [(value(p, x[0]), value(p, y[0]), p) for _, p in members if "cycle_ns" in p.get("cost", {})]
            data = [d for d in data if d[0] and d[1]]
            if not data:
                continue
            colour, marker = COLOURS[k % len(COLOURS)], MARKERS[k % len(MARKERS)]
            style = "-" if k < len(COLOURS) else "--"
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
            axes.plot([], [], style, color=colour, marker=marker, ms=5, label=label)

    def marks(self, axes, data, marker, colour):
        """A marker with its intervals for each ((x, half width), (y, half width), status); one call per status, as
        every call costs time."""
        for status in dict.fromkeys(status for _, _, status in data):
            here = [(a, b) for a, b, of_point in data if of_point == status]
            xerr, yerr = ([pair[k][1] or math.nan for pair in here] for k in (0, 1))
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

    def heat_map(self, label, point, links, name):
        """Every router is a square of four triangles: the utilisation of the link that leaves on that side."""
        from matplotlib.collections import PolyCollection
        width = 1 + max(x for x, _, _, _ in links)
        height = 1 + max(y for _, y, _, _ in links)
        parallel = {}
        for x, y, side, used in links:
            parallel.setdefault((x, y, side), []).append(used)
        half = 0.46  # of a router's square: a gap between neighbours keeps them apart
        corners = {"x_plus": ((1, -1), (1, 1)), "y_plus": ((1, 1), (-1, 1)), "x_minus": ((-1, 1), (-1, -1)),
                   "y_minus": ((-1, -1), (1, -1))}
        shapes = [[(x + half * dx, y + half * dy) for dx, dy in ((0, 0), *corners[side])] for x, y, side in parallel]
        means = [sum(used) / len(used) for used in parallel.values()]
        size = min(8.0, max(4.0, 0.35 * max(width, height)))
        figure, axes = self.plt.subplots(figsize=(size + 1.2, size * min(1.0, max(height / width, 0.3)) + 0.9))
        heat = PolyCollection(shapes, array=means, cmap="viridis", edgecolors="white",
                              linewidths=0.4 if max(width, height) <= 16 else 0)
        heat.set_clim(0, max(means) or 1)
        axes.add_collection(heat)
        axes.set(xlim=(-0.6, width - 0.4), ylim=(-0.6, height - 0.4), aspect="equal",
                 xlabel="router coordinate x (dimension 0)", ylabel="router coordinate y (dimension 1)")
        axes.set_title(f"Link utilisation: {label}", pad=30)
        axes.text(0, 1.02, f"{load_text(point)}; each side of a square:\nthe link that leaves the router on that side",
                  transform=axes.transAxes, fontsize=8, color=QUIET, va="bottom", linespacing=1.1)
        axes.grid(False)
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.yaxis.get_major_locator().set_params(integer=True)
        figure.colorbar(heat, ax=axes, fraction=0.046, pad=0.03, label="flits per link and cycle")
        self.save(figure, name)

    def histogram(self, chosen):
        """Share of the packets per latency, one line for each (label, point, bins), with common bins."""
        # Up to the 99.8th percentile of the slowest series; what lies beyond is said, not drawn.
        end = max(quantile(bins, 0.998) for _, _, bins in chosen) + 1
        step = max(1, math.ceil(end / 60))
        edges = [i * step for i in range(math.ceil(end / step) + 1)]
        figure, axes = self.plt.subplots(figsize=(6.4, 4.2))
        for k, (label, point, bins) in enumerate(chosen):
            shares = shares_of(bins, step, len(edges) - 1)
            beyond = 100 - sum(shares)
            more = f" ({beyond:.2g} % beyond)" if beyond > 0.005 else ""
            colour = COLOURS[k % len(COLOURS)]
            axes.stairs(shares, edges, color=colour, lw=1.6, label=f"{label}, {load_text(point)}{more}")
            axes.stairs(shares, edges, color=colour, fill=True, alpha=0.12, lw=0)
        axes.set_title("Latency of packets", pad=8 + 13 * len(chosen))
        axes.set(xlabel="total latency: generation to tail consumed (cycles)",
                 ylabel=f"packets (% per {step} cycle{'s' if step > 1 else ''})")
        axes.set_xlim(0, edges[-1])
        axes.set_ylim(bottom=0)
        axes.legend(fontsize=9, loc="lower left", bbox_to_anchor=(-0.02, 0.98), borderaxespad=0)
        self.save(figure, "latency-histogram")


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
