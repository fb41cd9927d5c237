#!/usr/bin/python3
"""Do all benches in configs/cosim find no difference, and is the digest of mixed.yaml always the same? Every day with fewer
cycles and draws than they have, in cosim.configs.all as they stand."""
import sys
import tempfile

import cosim_support as support

CONFIGS = support.PROJECT / "configs" / "cosim"


def fewer(bench):
    """Of what it has, where every day must do."""
    if support.FULL:
        return []
    draws = ["--set", "cosim.draws=2"] if "draws:" in bench.read_text(encoding="utf-8") else []
    return ["--set", "cosim.cycles=1000", *draws]


def main():
    support.needs("verilator", "c++")
    bad = False
    with tempfile.TemporaryDirectory(prefix="noctule-benches-") as folder:
        for bench in sorted(CONFIGS.glob("*.yaml")):
            found = support.result("cosim", bench, *fewer(bench), "--out", f"{folder}/{bench.stem}", codes=(0, 1))
            print(f"{bench.stem}: {found['router_cycles']} router-cycles, {found['moving_router_cycles']} of them with "
                  f"a flit moving{', DIVERGED' if found['diverged'] else ''}", flush=True)
            bad |= found["diverged"] or found["moving_router_cycles"] < found["router_cycles"] / 3
        points = support.result("run", CONFIGS / "mixed.yaml", "--out", f"{folder}/mixed")["points"]
    print("mixed: " + ", ".join(f"{point['label']}: {point['digest']}" for point in points))
    return 1 if bad or len({point["digest"] for point in points}) != 1 else 0


if __name__ == "__main__":
    sys.exit(main())
