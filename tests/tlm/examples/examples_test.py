#!/usr/bin/python3
"""Do SystemC's TLM-2.0 example systems do on a fabric what they do on their own bus?

Usage: examples_test.py EXAMPLE CONTROL FABRIC EXAMPLES_FOLDER CONFIG...

Control: with the package's bus, the log equals the golden one, line by line but for the kernel's banner (of
lt_mixed_endian, those lines that have '::'). Fabric, for each configuration and level: for every target and address (of lt_dmi, for
every datum; of lt_mixed_endian, for every initiator, what it says) the same sequence of commands, lengths and data; for every initiator the same traffic to its end; every transaction ends; checkers
of the base protocol on both sides tell of nothing but what is listed in KNOWN.
"""
import collections
import itertools
import os
import pathlib
import re
import subprocess
import sys

SECONDS = 60
LEVELS = ("cycle", "approximate", "loose")
# What the examples themselves do against the standard: clause and rule, with the line of the example that does it.
KNOWN = {}

MEMORY = re.compile(r"ID: (\d+) COMMAND: (\w+) Length: (\w+)\s*\n\s*Addr: 0x([0-9A-Fa-f]+) Data: (\S+)")


def run(program, example, config=None, level="cycle"):
    environment = {**os.environ, "SYSTEMC_DISABLE_COPYRIGHT_MESSAGE": "1", "ASAN_OPTIONS": "detect_leaks=0"}
    if config:
        environment |= {"NOCTULE_TLM_CONFIG": str(config), "NOCTULE_TLM_LEVEL": level}
    given = example / "results" / "input.txt"
    text = given.read_text(encoding="utf-8") if given.exists() else ""
    done = subprocess.run([program], check=False, capture_output=True, text=True, input=text, env=environment,
                          timeout=SECONDS)
    if done.returncode != 0:
        raise SystemExit(f"{program} {config or ''}: exit code {done.returncode}\n{done.stderr[-2000:]}")
    return done.stdout, done.stderr


def lines_that_count(log, mixed_endian):
    lines = [line.rstrip() for line in log.splitlines()]
    if mixed_endian:
        return [line for line in lines if "::" in line]
    start = next((n for n, line in enumerate(lines) if line.startswith("Info: ") and "sc_stop" not in line), 0)
    return [line for line in lines[start:] if line and "SystemC" not in line and "Simulation" not in line]


def accesses(log):
    """By target and address: commands, lengths and data, in their order."""
    sequences = collections.defaultdict(list)
    for target, command, length, address, data in MEMORY.findall(log):
        sequences[target, int(address, 16) & 0xFFFFFFF].append((command, length, data))
    return sequences


def by_datum(log):
    """Of lt_dmi, where an access may also go past the bus, to an address of its own: what happens to each datum."""
    sequences = collections.defaultdict(list)
    for _, command, length, _, data in MEMORY.findall(log):
        sequences[data].append((command, length))
    return sequences


def by_initiator(log):
    """Of lt_mixed_endian: what each initiator says."""
    sequences = collections.defaultdict(list)
    for line in lines_that_count(log, True):
        sequences[line.split()[0]].append(line)
    return sequences


def complaints(name, told):
    found = []
    for clause, rule in re.findall(r"noctule: violation (.*?), (.*), \d+ times", told):
        if (clause, rule) not in KNOWN.get(name, {}):
            found.append(f"a checker tells of {clause}: {rule}")
    count = re.search(r"noctule: (\d+) transactions, (\d+) packets, (\d+) open", told)
    if not count or int(count[1]) == 0 or int(count[2]) < int(count[1]):
        found.append("the fabric carried nothing")
    elif count[3] != "0":
        found.append(f"{count[3]} transactions are open at the end")
    return found


def main():
    name, control, fabric, folder = sys.argv[1:5]
    example = pathlib.Path(folder) / name
    mixed = name == "lt_mixed_endian"
    golden = (example / "results" / "expected.log").read_text(encoding="utf-8")
    wrong = []
    log, _ = run(control, example)
    if lines_that_count(log, mixed) != lines_that_count(golden, mixed):
        wrong.append("control: the package's own bus does not give the golden log")
    look = by_initiator if mixed else by_datum if name == "lt_dmi" else accesses
    wanted = look(golden)
    if not wanted:
        wrong.append("the golden log has no access")
    for config, level in itertools.product(sys.argv[5:], LEVELS):
        log, told = run(fabric, example, config, level)
        where = f"{pathlib.Path(config).name}, level {level}"
        found = look(log)
        for key in sorted(set(wanted) | set(found)):
            if wanted.get(key) != found.get(key):
                wrong.append(f"{where}: {key}: golden {wanted.get(key)}, found {found.get(key)}")
        ends = "Traffic Generator Complete"
        if not mixed and log.count(ends) != golden.count(ends):
            wrong.append(f"{where}: {log.count(ends)} initiators come to their end, not {golden.count(ends)}")
        wrong += [f"{where}: {complaint}" for complaint in complaints(name, told)]
    print("\n".join(wrong[:40] + [f"{name}: {len(wrong)} findings"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
