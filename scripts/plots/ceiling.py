"""Where latency axes end: what saturated points measured grows with the length of their run, and would squeeze the rest.
Curves that go on above leave the axes."""
import collections

ZERO_LOADS = 3.5   # the axis shows so many times the latency at the lowest load, at least
ABOVE_STABLE = 1.08  # and a little more than the highest stable point
WORTH_IT = 1.5     # axes that need not be so many times as long show everything
DECADE = 12        # from so wide a span on the axis is logarithmic

# What is drawn of a curve: the line, the points with a marker, and where it leaves the axes (nothing: it does not).
Drawn = collections.namedtuple("Drawn", "line marked leaves status")


def ceiling(curves):
    """Upper end of the axis for these curves, [[((x, half width), (y, half width), status)]]; nothing: show all."""
    stable = [[y for _, (y, _), status in curve if status == "stable"] for curve in curves]
    stable = [heights for heights in stable if heights]
    if not stable:
        return None
    top = max(ABOVE_STABLE * max(map(max, stable)), ZERO_LOADS * max(map(min, stable)))
    highest = max(y for curve in curves for _, (y, _), _ in curve)
    return top if highest > WORTH_IT * top else None


def is_wide(curves, top):
    """Do the points that are shown need a logarithmic axis?"""
    shown = [y for curve in curves for _, (y, _), _ in curve if top is None or y <= top]
    return bool(shown) and min(shown) > 0 and max(shown) > DECADE * min(shown)


def below(curve, top):
    """The part of a curve up to its last stable point, and on to the first one above the axis: there it ends, at the
    load of that point."""
    settled = max((i for i, (_, _, status) in enumerate(curve) if status == "stable"), default=-1)
    over = next((i for i, (_, (y, _), _) in enumerate(curve) if i > settled and top is not None and y > top), len(curve))
    line = [(x, y) for (x, _), (y, _), _ in curve[:over]]
    marked = [point for point in curve[:over] if top is None or point[1][0] <= top]
    if over == len(curve):
        return Drawn(line, marked, None, None)
    (leaves, _), _, status = curve[over]
    return Drawn([*line, (leaves, top)] if line else [], marked, leaves, status)
