"""Maps of networks that are no grids: routers where links.csv has them, each link a line in the colour of its use."""
import math

from .heat_map import RASTER_FROM, ends
from .results import load_text, number

ASIDE = 0.07   # of a link from the middle of the line between its routers, so that both ways are seen
SHORT = 0.16   # of both ends of a link, so that routers are seen


def placed_link(file, row):
    """((x, y) of the sender, (x, y) of the receiver, utilisation) of a row of links.csv."""
    return *ends(file, row), number(file, row, "utilization")


def segment(start, end):
    """The line that is drawn of a link: aside to its right, without its ends. Lengths are of routers one apart."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy) or 1.0
    ux, uy = dx / length, dy / length
    cut = min(SHORT, length / 4)
    return [(start[0] + ux * cut + uy * ASIDE, start[1] + uy * cut - ux * ASIDE),
            (end[0] - ux * cut + uy * ASIDE, end[1] - uy * cut - ux * ASIDE)]


def network_map(plotter, label, point, links, name, about=""):
    """Parallel links lie on each other; the busiest is on top."""
    from matplotlib.collections import LineCollection
    links = sorted(links, key=lambda link: link[2])
    routers = sorted({end for link in links for end in link[:2]})
    width = max(x for x, _ in routers) - min(x for x, _ in routers) + 1
    height = max(y for _, y in routers) - min(y for _, y in routers) + 1
    scale = min(1.0, 12 / max(width, height))
    size = plotter.figure_size(max(4.5, scale * width + 1.2), max(3.2, scale * height + 1.2))
    figure, axes = plotter.plt.subplots(layout="constrained", figsize=size)
    heat = LineCollection([segment(*link[:2]) for link in links], array=[link[2] for link in links], cmap="viridis",
                          linewidths=max(0.6, 3 * scale))
    heat.set_clim(0, max(link[2] for link in links) or 1)
    heat.set_rasterized(len(links) > RASTER_FROM)
    axes.add_collection(heat)
    axes.plot([x for x, _ in routers], [y for _, y in routers], "s", color="#666666", markersize=max(1.5, 7 * scale))
    axes.set(xlim=(routers[0][0] - 0.6, max(x for x, _ in routers) + 0.6),
             ylim=(min(y for _, y in routers) - 0.6, max(y for _, y in routers) + 0.6), aspect="equal")
    axes.set_axis_off()
    figure.colorbar(heat, ax=axes, fraction=0.046, pad=0.03, label="share of cycles in use")
    notes = [*([about] if about else []), load_text(point), "squares: routers; a link lies to the right of its direction"]
    plotter.finish(figure, name, f"Link utilisation: {label}", "; ".join(notes))
