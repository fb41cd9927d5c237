"""What a result folder holds: its points, tables, series and situations."""
import csv
import hashlib
import json
import re

FLITS = "flits per node and cycle"


class CannotPlot(Exception):
    """A sentence for the user."""


def read_results(folder):
    file = folder / "results.json"
    if not folder.is_dir():
        raise CannotPlot(f"{folder} is not a folder; give the folder that a run wrote with --out")
    if not file.is_file():
        raise CannotPlot(f"{folder} holds no results.json; give the folder that a run wrote with --out")
    try:
        results = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, OSError) as problem:
        raise CannotPlot(f"{file} cannot be read as JSON: {problem}") from problem
    points = results.get("points") if isinstance(results, dict) else None
    if not isinstance(points, list) or not points:
        raise CannotPlot(f"{file} holds no points")
    if results.get("schema") != 1:
        raise CannotPlot(f"{file} has schema {results.get('schema')}; this script reads schema 1")
    return results


def read_table(file):
    """Rows of a CSV table as dictionaries; comment lines are skipped; nothing if it does not exist."""
    if not file.is_file():
        return []
    with file.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(line for line in stream if not line.startswith("#")))


def value(point, path):
    """(mean, half width of the interval) of a quantity such as 'accepted.flits_per_node_cycle', or nothing."""
    here = point
    for key in path.split("."):
        if not isinstance(here, dict) or key not in here:
            return None
        here = here[key]
    if isinstance(here, dict):
        return (here["mean"], here.get("ci95") or 0.0) if here.get("mean") is not None else None
    return (here, 0.0) if here is not None else None


def series_of(points):
    """label -> [(index, point)] in order of offered load."""
    series = {}
    for i, point in enumerate(points):
        series.setdefault(str(point.get("label", "run")), []).append((i, point))
    for members in series.values():
        members.sort(key=lambda m: (value(m[1], "offered.flits_per_node_cycle") or (0.0, 0.0))[0])
    return series


def representative(members):
    """The point that heat map and histogram show: the stable one with the highest throughput, else any."""
    def rank(member):
        accepted = value(member[1], "accepted.flits_per_node_cycle") or (0.0, 0.0)
        return (member[1].get("status") == "stable", accepted[0])
    return max(members, key=rank)


def slug(text):
    """The text as part of a file's name, no longer than file systems allow."""
    name = re.sub(r"[^A-Za-z0-9_.-]+", "-", text).strip("-") or "run"
    return name if len(name) <= 100 else f"{name[:90]}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def latency_bin(row):
    """(first cycle, last cycle, packets) of a row of latency_hist.csv."""
    try:
        low = int(row.get("latency_cycles_low") or row["latency_cycles"])
        return low, int(row.get("latency_cycles_high") or low), float(row["count"])
    except (KeyError, TypeError, ValueError):
        return None


def shares_of(bins, step, count):
    """Per cent of the packets in each of `count` intervals of `step` cycles; a bin is spread evenly."""
    total, shares = sum(packets for _, _, packets in bins), [0.0] * count
    for low, high, packets in bins:
        for i in range(low // step, min(count, high // step + 1)):
            overlap = min(high + 1, (i + 1) * step) - max(low, i * step)
            shares[i] += 100 * packets / total * overlap / (high + 1 - low)
    return shares


def quantile(bins, share):
    total, seen = sum(packets for _, _, packets in bins), 0.0
    for _, high, packets in bins:
        seen += packets
        if seen >= share * total:
            return high
    return bins[-1][1]


def load_text(point):
    offered = value(point, "offered.flits_per_node_cycle")
    return f"offered {offered[0]:.3g} {FLITS}" if offered else str(point.get("status", "load unknown"))


def grid_link(row):
    """(x, y, side, utilisation) of a row of links.csv, if its router is one of a plane."""
    router = re.fullmatch(r"(?:.*\.)?router_(\d+)(?:_(\d+))?", row.get("from") or "")
    port = re.match(r"[xy]_(?:plus|minus)", row.get("port") or "")
    try:
        used = float(row["utilization"])
    except (KeyError, TypeError, ValueError):
        return None
    return (int(router[1]), int(router[2] or 0), port[0], used) if router and port else None
