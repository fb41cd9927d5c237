"""What a liberty file says of its cells: areas, which are flip-flops, units, and the corner."""
import pathlib
import re

from hardware.sources import CannotSynthesize

# Debian's libraries with real delay tables. The three are one design, scaled.
KNOWN = {
    "osu018": ("/usr/share/qflow/tech/osu018/osu018_stdcells.lib", "qflow-tech-osu018"),
    "osu035": ("/usr/share/qflow/tech/osu035/osu035_stdcells.lib", "qflow-tech-osu035"),
    "osu050": ("/usr/share/qflow/tech/osu050/osu05_stdcells.lib", "qflow-tech-osu050"),
}
FEATURE_SIZE = {"osu018": "0.18 um", "osu035": "0.35 um", "osu050": "0.5 um"}
GROUP = re.compile(r"\bcell\s*\(\s*\"?(\w+)\"?\s*\)\s*\{")
TIME_UNITS = {"1ps": 1e-3, "10ps": 1e-2, "100ps": 0.1, "1ns": 1.0}
CAPACITANCE_UNITS = {"ff": 1e-3, "pf": 1.0}


def body_of(text, start):
    """The text between the brace that opens just before `start` and the one that closes it."""
    depth, at = 1, start
    for brace in re.finditer(r"[{}]", text[start:]):
        depth += 1 if brace[0] == "{" else -1
        at = start + brace.start()
        if depth == 0:
            break
    return text[start:at]


class Liberty:
    """`name`: one of KNOWN, or the path of a liberty file."""

    def __init__(self, name):
        path, package = KNOWN.get(name, (name, None))
        self.name = name if package else pathlib.Path(name).stem
        self.path = pathlib.Path(path).resolve()
        if not self.path.is_file():
            remedy = f"; on Debian: apt-get install --no-install-recommends {package}" if package else \
                f"; known by name are {', '.join(KNOWN)}"
            raise CannotSynthesize(f"there is no liberty file {path}{remedy}")
        text = re.sub(r"/\*.*?\*/", " ", self.path.read_text(encoding="utf-8", errors="replace"), flags=re.S)
        self.areas, self.flops = {}, set()
        for cell in GROUP.finditer(text):
            body = body_of(text, cell.end())
            area = re.search(r"\barea\s*:\s*([0-9.eE+-]+)", body)
            self.areas[cell[1]] = float(area[1]) if area else 0.0
            if re.search(r"\b(ff|latch)\s*\(", body):
                self.flops.add(cell[1])
        if not self.areas:
            raise CannotSynthesize(f"{path} names no cells: it is no liberty file")
        self.time_unit = TIME_UNITS.get(self.value(text, "time_unit").replace('"', "").lower(), 1.0)  # ns
        unit = re.search(r"capacitive_load_unit\s*\(\s*([0-9.]+)\s*,\s*\"?(\w+)\"?\s*\)", text)
        self.capacitance_unit = float(unit[1]) * CAPACITANCE_UNITS[unit[2].lower()] if unit else 1.0  # pF
        self.corner = self.corner_of(text)

    @staticmethod
    def value(text, key):
        found = re.search(rf"\b{key}\s*:\s*([^;]+);", text)
        return found[1].strip() if found else ""

    def corner_of(self, text):
        corner = self.value(text, "default_operating_conditions").replace('"', "")
        parts = [FEATURE_SIZE.get(self.name, ""), corner]
        for key, unit in (("nom_voltage", "V"), ("nom_temperature", "C")):
            if self.value(text, key):
                parts.append(f"{float(self.value(text, key)):g} {unit}")
        return ", ".join(part for part in parts if part)

    def inverter(self):
        """The cell that drives inputs: the library's inverter of strength 4, where it has one."""
        for name in ("INVX4", "INVX2", "INVX1"):
            if name in self.areas:
                return name
        named = sorted((area, name) for name, area in self.areas.items() if "inv" in name.lower())
        if not named:
            raise CannotSynthesize(f"{self.path} has no cell that looks like an inverter; give --driving-cell")
        return named[len(named) // 2][1]

    def area_of(self, cells):
        """um2, of {cell: count}."""
        unknown = sorted(cell for cell in cells if cell not in self.areas)
        if unknown:
            raise CannotSynthesize(f"{self.path.name} has no cell for {', '.join(unknown[:5])}")
        return sum(self.areas[cell] * count for cell, count in cells.items())
