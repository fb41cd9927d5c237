"""What a result folder holds: its points, tables, series and situations."""
import csv
import hashlib
import json
import math
import re

from .text import drawable

FLITS = "flits per node and cycle"
SCHEMA = 2  # of results.json


class CannotPlot(Exception):
    """Sentences for the user."""


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
    if results.get("schema") != SCHEMA:
        raise CannotPlot(f"{file} has schema {results.get('schema')}; this script reads schema {SCHEMA}")
    for i, point in enumerate(points):
        if not isinstance(point, dict):
            raise CannotPlot(f"{file}: point {i} is not an object; this is not what a run wrote")
        wrong = wrong_number(point)
        if wrong:
            raise CannotPlot(f"{file}: point {i}: {wrong} cannot be drawn")
        if not isinstance(point.get("set", {}), dict):
            raise CannotPlot(f"{file}: point {i}: 'set' is not an object; this is not what a run wrote")
    name_series(points)
    return results


def wrong_number(value, path=""):
    """"latency_cycles.total.mean is NaN", where a number is none or infinite; nothing if all are numbers."""
    if isinstance(value, dict):
        return next(filter(None, (wrong_number(v, f"{path}.{key}" if path else key) for key, v in value.items())), None)
    return f"{path} is {value}" if isinstance(value, float) and not math.isfinite(value) else None


def name_series(points):
    """Labels as they can be drawn. Those that look alike then get a number."""
    names = {}
    for point in points:
        given = str(point.get("label", "run"))
        if given not in names:
            name, number = drawable(given) or "run", 1
            while (free := name if number == 1 else f"{name} ({number})") in names.values():
                number += 1
            names[given] = free
        point["label"] = names[given]


def read_table(file, columns):
    """Rows of a CSV table as dictionaries. It must have these columns, and values in them."""
    if not file.is_file():
        raise CannotPlot(f"{file} is missing; a run writes it beside results.json: run again, or draw other kinds")
    with file.open(encoding="utf-8", newline="") as stream:
        table = csv.DictReader(stream)
        try:
            missing = [column for column in columns if column not in (table.fieldnames or [])]
            if missing:
                raise CannotPlot(f"{file} has no column {', '.join(missing)}; its columns: "
                                 f"{', '.join(table.fieldnames or ['none'])}; if another version of noctule wrote "
                                 f"it, run again with --fresh")
            rows = []
            for row in table:
                if any(row[column] is None for column in columns):
                    raise CannotPlot(f"{file}: line {table.line_num} is cut short; run again")
                rows.append(row)
        except (csv.Error, UnicodeDecodeError) as problem:
            raise CannotPlot(f"{file} cannot be read as a table: {problem}") from problem
    return rows


def number(file, row, column, kind=float):
    """The value of a column; it must be a finite number."""
    try:
        read = kind(row[column])
    except ValueError:
        read = math.nan
    if not math.isfinite(read):
        raise CannotPlot(f"{file}: {column} of point {row['point']} is '{row[column]}', which is not a number")
    return read


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


def value_over_all(point, path):
    """The same over all terminals, where some of them are silent: what belongs to all routers."""
    return value(point, f"{path}_all_terminals") or value(point, path)


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


def latency_bin(file, row):
    """(first cycle, last cycle, packets) of a row of latency_hist.csv."""
    low, high = number(file, row, "latency_cycles_low", int), number(file, row, "latency_cycles_high", int)
    if not 0 <= low <= high:
        raise CannotPlot(f"{file}: a row of point {row['point']} runs from cycle {low} to cycle {high}")
    return low, high, number(file, row, "count")


def shares_up_to(bins):
    """[(latency, per cent of the packets that took at most so long)], as finely as the file has them."""
    total, seen, steps = sum(packets for _, _, packets in bins), 0.0, []
    for _, high, packets in bins:
        seen += packets
        steps.append((high, 100 * seen / total))
    return steps


def quantile(bins, share):
    total, seen = sum(packets for _, _, packets in bins), 0.0
    for _, high, packets in bins:
        seen += packets
        if seen >= share * total:
            return high
    return bins[-1][1]


def load_text(point):
    for kind in ("offered", "accepted"):  # a closed loop offers none
        load = value(point, f"{kind}.flits_per_node_cycle")
        if load:
            return f"{kind} {load[0]:.3g} {FLITS}"
    return str(point.get("status", "load unknown"))
