#!/usr/bin/python3
"""Message classes in RTL: are results those of the model, and is a router found that lets a class on lanes of another?"""
import pathlib
import sys
import tempfile

import cosim_support as support

CONFIGURATION = {
    "topology": {"kind": "mesh", "radix": [4, 3]},
    "node": {"model": "input_queued", "lanes": 2, "injection_vcs": 2, "consumption_vcs": 2, "routing_delay": 0,
             "switch_allocation_delay": 0},
    "message_classes": {"request": {"vcs": {"lane": "0"}, "interface": "shared"},
                        "response": {"vcs": {"lane": "1"}, "interface": "shared"}},
    "traffic": {"source": {"kind": "request_reply", "outstanding": 6, "service_time": 10, "lengths": [1, 5],
                           "chain": ["request", "response"]}},
    "measurement": {"warm_up": 500, "cycles": 3000},
}
OF_MODEL = []
OF_RTL = [{"routers": ["*"], "rtl": {}}]
HALF = [{"routers": ["router_0_*", "router_2_*"], "rtl": {}}]
ALL_LANES = [{"routers": ["*"], "rtl": {"parameters": {"ClassVcs": 15}}}]  # for both classes


def digest(folder, name, nodes):
    file = support.write(folder / f"{name}.yaml", {**CONFIGURATION, "nodes": nodes})
    point, = support.result("run", file, "--out", folder / name)["points"]
    return point["digest"], point["transactions"]["completed"]


def main():
    support.needs("verilator", "c++")
    with tempfile.TemporaryDirectory(prefix="noctule-classes-") as name:
        folder = pathlib.Path(name)
        found = {kind: digest(folder, kind, nodes)
                 for kind, nodes in (("model", OF_MODEL), ("rtl", OF_RTL), ("half", HALF))}
        print(found)
        if len(set(found.values())) != 1:
            sys.exit("results depend on which routers are RTL")
        file = support.write(folder / "wrong.yaml", {**CONFIGURATION, "nodes": ALL_LANES})
        code, _, err = support.noctule("run", file, "--out", folder / "wrong", environment=support.QUICK)
        if code != 2 or "which packets of class 'request' may not take" not in err:
            sys.exit(f"a request on the lane of responses is not refused: exit code {code}: {err}")
        bench = {**CONFIGURATION, "nodes": ALL_LANES, "cosim": {"mode": "shadow", "cycles": 1000}}
        code, out, err = support.noctule("cosim", support.write(folder / "bench.yaml", bench), "--out", folder / "bench",
                                         environment=support.QUICK)
        if code != 1 or "_vc_o" not in out + err:
            sys.exit(f"the bench finds no difference at the VC pins: exit code {code}: {out}{err}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
