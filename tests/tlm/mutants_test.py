#!/usr/bin/python3
"""Does the suite catch every deliberate fault of the network between TLM-2.0 sockets?

Usage: mutants_test.py PROGRAM [NAME...]: the tests linked with the sources that mutants.py writes. Without a fault all
tests pass; with each of them one fails, or does not end.
"""
import os
import subprocess
import sys

import mutants

SECONDS = 20  # a test takes far below 1 s
RANDOM = {"NOCTULE_TLM_TRANSACTIONS": "50000"}


def tests_of(program):
    """Names of the tests: those of single rules first, then what takes longer."""
    listed = subprocess.run([program, "--gtest_list_tests"], check=True, capture_output=True, text=True).stdout
    names, suite = [], ""
    for line in listed.splitlines():
        if line.startswith("  "):
            names.append(suite + line.split()[0])
        elif not line.startswith("Running"):
            suite = line.split()[0]
    order = ("MisbehavingClient", "AnIsolated", "Random")
    return sorted(names, key=lambda name: max((n + 1 for n, part in enumerate(order) if part in name), default=0))


def passes(program, test, fault):
    environment = {**os.environ, **RANDOM, "NOCTULE_TLM_FAULT": str(fault), "SYSTEMC_DISABLE_COPYRIGHT_MESSAGE": "1"}
    try:
        done = subprocess.run([program, f"--gtest_filter={test}"], check=False, capture_output=True, text=True,
                              env=environment, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0 and "[  PASSED  ] 1 test" in done.stdout


def main():
    program, chosen = sys.argv[1], sys.argv[2:]
    tests = tests_of(program)
    wrong = [f"without a fault, {test} fails" for test in tests if not passes(program, test, 0)]
    for number, (name, *_) in enumerate(mutants.FAULTS, 1):
        if chosen and name not in chosen:
            continue
        by = next((test for test in tests if not passes(program, test, number)), None)
        print(f"{number:3} {name}: {by or 'NOT CAUGHT'}", flush=True)
        if by is None:
            wrong.append(f"fault {number} is not caught: {name}")
    print("\n".join(wrong + [f"{len(mutants.FAULTS)} faults, {len(wrong)} findings"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
