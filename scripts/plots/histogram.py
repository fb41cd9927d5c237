"""How latencies are distributed, of series at one load, or of the message classes of one point; series without a load in
common have panels of their own."""
import json

from .look import named, series_style
from .results import load_text, quantile, series_of, shares_up_to


def load_key(point):
    """Equal for points that were given the same load."""
    return json.dumps(point.get("set", {}).get("traffic.offered_load"))


def at_one_load(points, has_data):
    """[(label, index, point)] of the series at the load at which most of them are stable; among such loads at the
    highest. Where no two series have a load in common, each is shown at its best."""
    series = {label: [m for m in members if has_data(m[0])] for label, members in series_of(points).items()}
    series = {label: members for label, members in series.items() if members}
    loads = {}
    for members in series.values():
        for _, point in members:
            offered = point.get("offered", {}).get("flits_per_node_cycle") or 0
            stable, present, highest = loads.get(load_key(point), (set(), set(), 0))
            label = str(point.get("label", "run"))
            loads[load_key(point)] = (stable | {label} if point.get("status") == "stable" else stable,
                                      present | {label}, max(highest, offered))
    if not loads:
        return []
    best = max(loads, key=lambda key: (len(loads[key][0]), len(loads[key][1]), loads[key][2]))
    alone = len(series) > 1 and len(loads[best][1]) < 2
    chosen = []
    for label, members in series.items():
        at = members if alone else [m for m in members if load_key(m[1]) == best]
        if at:
            # Of several points at one load, the last; of several loads, the highest stable one.
            index, point = max(at, key=lambda m: (m[1].get("status") == "stable", at.index(m)))
            chosen.append((label, index, point))
    return chosen


def histogram(plotter, chosen, name, title, about=""):
    """Share of the packets that took at most so long, one line for each (label, point, bins). Cumulative: bars would show
    how their width and the cycles of a hop meet, and hide where the percentiles are."""
    # Up to the 99.8th percentile of the slowest series; what lies beyond is said, not drawn.
    end = max(quantile(bins, 0.998) for _, _, bins in chosen) + 1
    loads = {load_text(point) for _, point, _ in chosen}
    panels = len(chosen) if len({load_key(point) for _, point, _ in chosen}) > 1 else 1
    size = plotter.figure_size(6.4, 4.2 if panels == 1 else 1.8 * panels + 0.8)
    figure, grid = plotter.plt.subplots(panels, 1, figsize=size, sharex=True, squeeze=False, layout="constrained")
    for k, (label, point, bins) in enumerate(chosen):
        axes = grid[min(k, panels - 1), 0]
        steps = [(bins[0][0], 0.0), *shares_up_to(bins)]
        beyond = 100 - max((share for latency, share in steps if latency <= end), default=0)
        more = [f"{beyond:.2g} % beyond"] if beyond > 0.005 else []
        if len(loads) > 1:
            more.insert(0, load_text(point))
        if point.get("status", "stable") != "stable":
            more.append(point["status"].replace("_", " "))
        colour, style, _ = series_style(k)
        named(axes.plot(*zip(*steps), style, color=colour, lw=plotter.sizes["line"], drawstyle="steps-post"),
              label + (f" ({', '.join(more)})" if more else ""))
    for axes in grid.flat:
        axes.set_xlim(0, end)
        axes.set_ylim(0, 100)
    share = "packets that took at most so long (%)"
    grid[-1, 0].set_xlabel("total latency: generation to tail consumed (cycles)")
    if panels == 1:
        grid[0, 0].set_ylabel(share)
    else:
        figure.supylabel(share, fontsize=plotter.sizes["label"])
    notes = [*([about] if about else []), loads.pop() if len(loads) == 1 else "series at different loads"]
    plotter.finish(figure, name, title, "; ".join(notes))
