"""Heat maps of links: a plane of routers each, y upwards; more dimensions are planes side by side."""
import math
import re

from .results import load_text, number
from .text import wrapped

MOST_PLANES = 16
HALF = 0.46          # of a router's square: a gap between neighbours keeps them apart
CORNERS = {(0, 1): ((1, -1), (1, 1)), (1, 1): ((1, 1), (-1, 1)), (0, -1): ((-1, 1), (-1, -1)),
           (1, -1): ((-1, -1), (1, -1))}
INNER = 0.24         # radius of the wedges of further dimensions
RASTER_FROM = 20000  # shapes: larger pictures of single shapes are not opened by any viewer


def grid_link(file, row):
    """(coordinates of the router, dimension, +1 or -1, utilisation) of a row of links.csv, or nothing if its router
    does not lie in a grid."""
    router = re.fullmatch(r"(?:.*\.)?router_(\d+(?:_\d+)*)", row["from"])
    port = re.match(r"([xyz]|d\d+)_(plus|minus)", row["port"])
    if not router or not port:
        return None
    at = tuple(map(int, router[1].split("_")))
    dimension = "xyz".index(port[1]) if port[1] in "xyz" else int(port[1][1:])
    if dimension >= len(at):
        return None
    return at, dimension, 1 if port[2] == "plus" else -1, number(file, row, "utilization")


def axis_name(dimension):
    return "xyz"[dimension] if dimension < 3 else f"d{dimension}"


class Planes:
    """Links by plane: plane -> {(x, y, dimension, sign): mean utilisation of the parallel links}."""

    def __init__(self, links):
        sums = {}
        for at, dimension, sign, used in links:
            x, y, *rest = (*at, 0) if len(at) == 1 else at
            sums.setdefault(tuple(rest), {}).setdefault((x, y, dimension, sign), []).append(used)
        self.dimensions = max(len(at) for at, _, _, _ in links)
        self.width = 1 + max(at[0] for at, _, _, _ in links)
        self.height = 1 + max(at[1] if len(at) > 1 else 0 for at, _, _, _ in links)
        means = {plane: {link: sum(used) / len(used) for link, used in plane_links.items()}
                 for plane, plane_links in sums.items()}
        self.all = len(means)
        busiest = sorted(means, key=lambda plane: (-max(means[plane].values()), plane))[:MOST_PLANES]
        self.shown = {plane: means[plane] for plane in sorted(busiest)}

    def title(self, plane):
        return f"z = {plane[0]}" if len(plane) == 1 else f"(x, y, {', '.join(map(str, plane))})" if plane else ""

    def shape(self, x, y, dimension, sign):
        """A triangle on the side of the square where the link leaves; of further dimensions a wedge in the middle. In a
        row of routers half of the square."""
        if self.dimensions == 1:
            side = x + HALF * sign
            return [(x, y - HALF), (x, y + HALF), (side, y + HALF), (side, y - HALF)]
        if dimension < 2:
            return [(x + HALF * dx, y + HALF * dy) for dx, dy in ((0, 0), *CORNERS[dimension, sign])]
        wedges = 2 * (self.dimensions - 2)
        first = (2 * (dimension - 2) + (0 if sign > 0 else 1)) / wedges
        angles = [2 * math.pi * (first + step / 8 / wedges) for step in range(9)]
        return [(x, y), *((x + INNER * math.cos(a), y + INNER * math.sin(a)) for a in angles)]


def heat_map(plotter, label, point, links, name, about=""):
    """Every router is a square of four triangles: the utilisation of the link that leaves on that side."""
    from matplotlib.collections import PolyCollection
    planes = Planes(links)
    columns = min(4, math.ceil(math.sqrt(len(planes.shown))))
    rows = math.ceil(len(planes.shown) / columns)
    most = 8.0 if len(planes.shown) == 1 else max(2.4, 10.0 / columns)
    width = min(most, max(4.0 if len(planes.shown) == 1 else 2.0, 0.35 * max(planes.width, planes.height)))
    # Squares, unless that would leave a plane no thickness.
    ratio = planes.height / planes.width
    height = width * min(max(ratio, 0.12), 1.5)
    figure, grid = plotter.plt.subplots(rows, columns, squeeze=False,
                                        layout="compressed" if 0.12 <= ratio <= 1.5 else "constrained",
                                        figsize=(columns * width + 1.2, rows * (height + 0.5) + 0.9))
    top = max((used for of_plane in planes.shown.values() for used in of_plane.values()), default=0) or 1
    heat = None
    for axes, (plane, of_plane) in zip(grid.flat, planes.shown.items()):
        # Wedges over triangles.
        of_plane = sorted(of_plane.items(), key=lambda item: item[0][2])
        heat = PolyCollection([planes.shape(*link) for link, _ in of_plane], array=[used for _, used in of_plane],
                              cmap="viridis", edgecolors="white",
                              linewidths=0.4 if max(planes.width, planes.height) <= 16 else 0)
        heat.set_clim(0, top)
        heat.set_rasterized(len(of_plane) > RASTER_FROM)
        axes.add_collection(heat)
        axes.set(xlim=(-0.6, planes.width - 0.4), ylim=(-0.6, planes.height - 0.4),
                 aspect="equal" if 0.12 <= ratio <= 1.5 else "auto")
        axes.grid(False)
        if planes.title(plane):
            axes.set_title(wrapped(planes.title(plane), int(width * 14)), fontsize=9, fontweight="normal")
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.yaxis.get_major_locator().set_params(integer=True)
        if planes.height == 1:
            axes.yaxis.set_visible(False)
            axes.spines["left"].set_visible(False)
    for axes in grid.flat[len(planes.shown):]:
        axes.set_axis_off()
    for axes in grid[-1]:
        axes.set_xlabel("router x")
    for axes in grid[:, 0]:
        axes.set_ylabel("router y")
    figure.colorbar(heat, ax=grid, fraction=0.046, pad=0.03, label="flits per link and cycle" if height > 1.6 else
                    "flits per link\nand cycle")
    plotter.finish(figure, name, f"Link utilisation: {label}", "; ".join(notes(planes, point, about)))


def notes(planes, point, about):
    part = "half" if planes.dimensions == 1 else "side"
    texts = [*([about] if about else []), load_text(point),
             f"each {part} of a square: the link that leaves the router on that side"]
    if planes.dimensions > 2:
        wedges = [f"{axis_name(d)}_{'plus' if sign > 0 else 'minus'}" for d in range(2, planes.dimensions)
                  for sign in (1, -1)]
        texts.append(f"wedges in the middle, anticlockwise from the right: {', '.join(wedges)}")
    if len(planes.shown) < planes.all:
        texts.append(f"{len(planes.shown)} of {planes.all} planes, those with the busiest links")
    return texts
