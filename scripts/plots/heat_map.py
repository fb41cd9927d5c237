"""Heat maps of links between routers that lie in a grid: a square per router, y upwards. A network that links.csv lays out
in several planes has them side by side."""
import math
import re
from typing import NamedTuple

from .results import load_text, number
from .text import wrapped

MOST_PLANES = 16
HALF = 0.46          # of a router's square: a gap between neighbours keeps them apart
CORNERS = {(1, 0): ((1, -1), (1, 1)), (0, 1): ((1, 1), (-1, 1)), (-1, 0): ((-1, 1), (-1, -1)),
           (0, -1): ((-1, -1), (1, -1))}
INNER = 0.24         # radius of the wedges of links to other planes
RASTER_FROM = 20000  # shapes: larger pictures of single shapes are not opened by any viewer
NEAR = 1e-3          # positions so near to each other are the same
POSITIONS = ("from_x", "from_y", "to_x", "to_y")
NUMBERED = re.compile(r".*_\d+")  # such routers are found by their places
MOST_NAMED = 12      # routers in a row or column, where names can be read
COLUMNS = ("from", "port", "utilization", *POSITIONS, "kind", "from_plane", "to_plane")


class GridLink(NamedTuple):
    plane: str     # where its sender lies; empty: the picture is one plane
    x: float
    y: float
    side: object   # (1, 0): to the right, ...; of a link to another plane the name of its port
    used: float
    name: str      # of its sender


def ends(file, row):
    """((x, y) of the sender, (x, y) of the receiver)"""
    from_x, from_y, to_x, to_y = (number(file, row, column) for column in POSITIONS)
    return (from_x, from_y), (to_x, to_y)


def grid_link(file, row):
    """A row of links.csv, or nothing if its link does not lie in a grid: it leads to a neighbour in a row or a column,
    or it closes one of them to a ring, or it leads to another plane."""
    start, end = ends(file, row)
    used = number(file, row, "utilization")
    if row["from_plane"] != row["to_plane"]:
        return GridLink(row["from_plane"], *start, row["port"], used, row["from"])
    dx, dy = end[0] - start[0], end[1] - start[1]
    wraps = row["kind"] == "wrap"
    if (abs(dx) > NEAR) == (abs(dy) > NEAR) or not (wraps or abs(math.hypot(dx, dy) - 1) < NEAR):
        return None
    along = dx if abs(dx) > NEAR else dy
    sign = (1 if along > 0 else -1) * (-1 if wraps else 1)
    return GridLink(row["from_plane"], *start, (sign, 0) if abs(dx) > NEAR else (0, sign), used,
                    row["from"])


class Planes:
    """Links by plane: plane -> {(x, y, side): mean utilisation of the parallel links}. x and y are those of its first
    column and row onwards, if there are several planes. names: plane -> {(x, y): name of the router}"""

    def __init__(self, links):
        sums, first, self.names = {}, {}, {}
        for link in links:
            x, y = first.get(link.plane, (math.inf, math.inf))
            first[link.plane] = min(x, link.x), min(y, link.y)
        if len(first) == 1:
            first = {plane: (0, 0) for plane in first}
        for plane, x, y, side, used, name in links:
            at = round(x - first[plane][0], 3), round(y - first[plane][1], 3)
            self.names.setdefault(plane, {})[at] = name
            sums.setdefault(plane, {}).setdefault((*at, side), []).append(used)
        means = {plane: {link: sum(used) / len(used) for link, used in plane_links.items()}
                 for plane, plane_links in sums.items()}
        corners = [link[:2] for of_plane in means.values() for link in of_plane]
        (self.left, self.right), (self.bottom, self.top) = ((min(of), max(of)) for of in zip(*corners))
        self.width, self.height = self.right - self.left + 1, self.top - self.bottom + 1
        sides = dict.fromkeys(link.side for link in links)
        self.ports = [side for side in sides if isinstance(side, str)]
        self.row = self.height == 1 and not self.ports and not sides.keys() & {(0, 1), (0, -1)}
        self.all = len(means)
        self.named = max(self.width, self.height) <= MOST_NAMED and not all(
            NUMBERED.fullmatch(name) for names in self.names.values() for name in names.values())
        order = {plane: place for place, plane in enumerate(means)}
        busiest = sorted(means, key=lambda plane: (-max(means[plane].values()), order[plane]))[:MOST_PLANES]
        self.shown = {plane: means[plane] for plane in sorted(busiest, key=order.get)}

    def shape(self, x, y, side):
        """A triangle on the side of the square where the link leaves; to another plane a wedge in the middle. In a row of
        routers half of the square."""
        if side in self.ports:
            first, wedges = self.ports.index(side), len(self.ports)
            angles = [2 * math.pi * (first + step / 8) / wedges for step in range(9)]
            return [(x, y), *((x + INNER * math.cos(a), y + INNER * math.sin(a)) for a in angles)]
        if self.row:
            end = x + HALF * side[0]
            return [(x, y - HALF), (x, y + HALF), (end, y + HALF), (end, y - HALF)]
        return [(x + HALF * dx, y + HALF * dy) for dx, dy in ((0, 0), *CORNERS[side])]


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
                                        figsize=plotter.figure_size(columns * width + 1.2,
                                                                    rows * (height + 0.5) + 0.9))
    top = max((used for of_plane in planes.shown.values() for used in of_plane.values()), default=0) or 1
    heat = None
    for axes, (plane, of_plane) in zip(grid.flat, planes.shown.items()):
        # Wedges over triangles.
        of_plane = sorted(of_plane.items(), key=lambda item: item[0][2] in planes.ports)
        heat = PolyCollection([planes.shape(*link) for link, _ in of_plane], array=[used for _, used in of_plane],
                              cmap="viridis", edgecolors="white",
                              linewidths=0.4 if max(planes.width, planes.height) <= 16 else 0)
        heat.set_clim(0, top)
        heat.set_rasterized(len(of_plane) > RASTER_FROM)
        axes.add_collection(heat)
        axes.set(xlim=(planes.left - 0.6, planes.right + 0.6), ylim=(planes.bottom - 0.6, planes.top + 0.6),
                 aspect="equal" if 0.12 <= ratio <= 1.5 else "auto")
        axes.grid(False)
        if planes.named:
            for (x, y), router in planes.names[plane].items():
                axes.text(x, y, router, ha="center", va="center", fontsize=min(8, 90 * HALF * width / planes.width
                                                                                / max(4, len(router))),
                          bbox={"facecolor": "white", "alpha": 0.75, "edgecolor": "none", "pad": 0.8})
        if plane:
            axes.set_title(wrapped(plane, int(width * 14)), fontsize=9, fontweight="normal")
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
    part = "half" if planes.row else "side"
    texts = [*([about] if about else []), load_text(point),
             f"each {part} of a square: the link that leaves the router on that side"]
    if planes.ports:
        texts.append(f"wedges in the middle, anticlockwise from the right: {', '.join(planes.ports)}")
    if len(planes.shown) < planes.all:
        texts.append(f"{len(planes.shown)} of {planes.all} planes, those with the busiest links")
    return texts
