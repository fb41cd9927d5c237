"""The cost table: rows of figures with all that they assume, as CSV."""
import csv
import io
import re

from hardware.sources import CannotSynthesize

COLUMNS = ["kind", "name", "parameters", "tied", "model", "set", "tuning", "used_by", "library", "corner", "recipe",
           "area_um2", "cells", "flops", "gates", "depth", "reg_reg_ns", "in_reg_ns", "reg_out_ns", "in_out_ns",
           "link_ns", "cycle_ns", "tools", "source"]
KEY = ["kind", "name", "parameters", "tied", "model", "set", "tuning", "library", "recipe"]
# What mapping decides; the others are counts that must be equal.
MAPPED = ["area_um2", "cells", "reg_reg_ns", "in_reg_ns", "reg_out_ns", "in_out_ns", "link_ns", "cycle_ns"]

HEADER = """\
Hardware cost of the routers in rtl/nodes and of the blocks that they are made of. Made by
  scripts/synthesize --all
No wires: neither their delay nor their area is in it.
kind: node, or block with the parameters that it has in the nodes of used_by (node:instances). parameters: of the
  module. tied: input pins that are constants of the hardware; x_i and y_i are inputs that never change.
model, set: the node of a configuration that this is: its preset, and the keys that differ from it.
tuning: as_written: the file in rtl/nodes; others change no cycle, only where in it something is computed.
recipe: how abc mapped the netlist; the range over the recipes is how far mapping can be trusted.
area_um2: cells. gates, depth: before mapping, two-input gates and multiplexers without flip-flops and their enables,
  and how many of them stand in a row at most.
reg_reg_ns, in_reg_ns, reg_out_ns, in_out_ns: longest paths, from clock to output and setup included; an inverter of
  strength 4 drives each input, {load:g} fF load each output. link_ns: from a register to the end of a link and on to a
  register of the next router, for whichever of valid, vc, flit and credit takes longest.
cycle_ns: the larger one of reg_reg_ns and link_ns, the shortest clock of routers and their links.
source: digest of the code that was read, without comments."""


def text_of(value):
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4f}".rstrip("0").rstrip(".")
    return str(value)


def settings(values):
    """{"A": 1} as "A=1"; several are parted by blanks."""
    return " ".join(f"{name}={value}" for name, value in values.items())


def row_of(kind, design, liberty, figures, tools, source, **more):
    """One row of the table, as text."""
    row = {"kind": kind, "name": design.top, "parameters": settings(design.parameters), "tied": settings(design.tied),
           "tuning": "as_written", "library": liberty.name, "corner": liberty.corner,
           "tools": " ".join(f"{name} {version}" for name, version in tools.items()), "source": source,
           **figures.as_json(), **more}
    return {column: text_of(row.get(column)) for column in COLUMNS}


def write(rows, load):
    stream = io.StringIO()
    for line in HEADER.format(load=load).splitlines():
        stream.write(f"# {line}\n")
    table = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return stream.getvalue()


def read(file):
    if not file.is_file():
        raise CannotSynthesize(f"there is no table {file}; scripts/synthesize --all makes it")
    with file.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(line for line in stream if not line.startswith("#")))
    lacking = sorted(set(COLUMNS) - set(rows[0] if rows else []))
    if lacking:
        raise CannotSynthesize(f"{file} is no cost table: it lacks {', '.join(lacking)}")
    return rows


def assignments(text):
    """The inverse of settings()."""
    return dict(part.split("=", 1) for part in text.split())


def differences(old, new, tolerance):
    """Where two rows with one key disagree, in words."""
    found = []
    for column in COLUMNS:
        if column in KEY or column in ("used_by", "corner", "tools"):
            continue
        a, b = old[column], new[column]
        if column in MAPPED and a and b and abs(float(a) - float(b)) <= tolerance * abs(float(a)):
            continue
        if a != b:
            found.append(f"{column} {a or '-'} in the table, {b or '-'} now")
    return found


def interval(rows, column, digits):
    """ "1.23" or "1.20-1.31" over rows, "-" where nothing is."""
    values = sorted(float(row[column]) for row in rows if row[column] != "")
    if not values:
        return "-"
    low, high = f"{values[0]:.{digits}f}", f"{values[-1]:.{digits}f}"
    return low if low == high else f"{low}-{high}"


def groups(rows):
    """Rows that differ in the recipe alone."""
    found = {}
    for row in rows:
        found.setdefault(tuple(row[column] for column in KEY if column != "recipe"), []).append(row)
    return list(found.values())


def summary(rows):
    """For people: one line per design, ranges over the recipes."""
    lines = [["", "library", "area um2", "flops", "gates", "depth", "reg-reg ns", "in-reg ns", "reg-out ns",
              "in-out ns", "link ns", "cycle ns"]]
    for group in groups(rows):
        first = group[0]
        name = first["name"]
        if first["kind"] == "block":
            name = re.sub(r"\s", " ", f"  {name} {first['parameters']}")
        lines.append([name, first["library"], interval(group, "area_um2", 0), first["flops"], first["gates"],
                      first["depth"], *(interval(group, f"{path}_ns", 2) for path in (
                          "reg_reg", "in_reg", "reg_out", "in_out", "link", "cycle"))])
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return "".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() + "\n" for line in lines)
