#!/usr/bin/python3
"""Is the documentation complete and true: links, exit codes, the C++ example, the reference, the story?"""
import csv
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["NOCTULE_SOURCE_DIR"])
PROGRAM = os.environ["NOCTULE_PROGRAM"]
MODELS, RESULTS, COMMANDS = ((ROOT / page).read_text(encoding="utf-8")
                             for page in ("models/README.md", "configs/results.md", "tb/README.md"))

# What the example in models/README.md leaves to the reader.
AROUND_THE_EXAMPLE = """
struct MyModule : sc_core::sc_module, noctule::consumption_if {
  explicit MyModule(sc_core::sc_module_name name) : sc_module(name) {}
  void delivered(const noctule::Delivery&) override {}
  sc_core::sc_port<noctule::injection_if> network;
};
void example(std::shared_ptr<const noctule::Topology> topology, std::shared_ptr<const noctule::RoutingRelation> relation,
             const noctule::NodeDescription& node, std::shared_ptr<noctule::TrafficSource> source, MyModule& my_module) {
%s}
"""


def noctule(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=True).stdout


class Pages(unittest.TestCase):
    def test_exit_codes_are_those_of_the_program(self):
        header = (ROOT / "tb/options.h").read_text(encoding="utf-8")
        codes = re.findall(r"inline constexpr int k\w+ = (\d+);", header)
        listed = COMMANDS[COMMANDS.index("## Exit codes"):]
        self.assertEqual(re.findall(r"^\* (\d+): ", listed, re.M), codes)

    def test_statuses_are_those_of_the_program(self):
        names = re.findall(r'Status::k\w+, "(\w+)"', (ROOT / "models/stats/status.cpp").read_text(encoding="utf-8"))
        self.assertGreater(len(names), 3)
        sentence = re.search(r"and a status, (.*?), with\s", RESULTS, re.S)[1]
        self.assertEqual(sorted(re.findall(r"`(\w+)`", sentence)), sorted(names))
        comment = noctule("list", "--reference").split("\nexpect:")[0].rpartition("one of ")[2]
        self.assertEqual(sorted(re.findall(r"\w+", comment)), sorted(["any", *names]))

    def test_the_folders_are_listed_and_there(self):
        tree = re.search(r"^models/ .*?(?=^```)", MODELS, re.S | re.M)[0]
        listed, folder = {}, None
        for line in tree.splitlines():
            words = re.split(r" {3,}", line.strip())
            if line[0] != " ":
                folder = line.split("/")[0]
            listed.setdefault(folder, []).append(words)
        for name in listed:
            self.assertTrue((ROOT / name).is_dir(), name)
        files = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True, check=False).stdout
        tracked = {name.split("/")[0] for name in files.splitlines() if "/" in name and not name.startswith(".")}
        self.assertEqual(tracked - set(listed), set(), "not listed")  # without git: none

    def test_the_areas_are_listed_where_they_belong(self):
        tree = re.search(r"^models/ .*?(?=^```)", MODELS, re.S | re.M)[0]
        lines = [re.sub(r"^(models/)? +", "", line) for line in re.split(r"\n(?=\S)", tree)[0].splitlines()]
        listed = {"plain": [], "systemc": []}
        for line in lines:
            areas, what = re.split(r" {3,}", line.strip())
            listed["plain" if "plain" in what else "systemc"] += areas.split()
        there = {p.name for p in (ROOT / "models").iterdir() if p.is_dir()}
        for folder in ("models", "tests"):
            text = (ROOT / folder / "CMakeLists.txt").read_text(encoding="utf-8")
            for kind, areas in listed.items():
                built = re.search(rf"set\({kind}_areas ([^)]*)\)", text)[1].split()
                if kind == "systemc" and folder == "models":  # areas with a library of their own
                    built += re.findall(r"GLOB_RECURSE (\w+)_sources CONFIGURE_DEPENDS \1/", text)
                for area in built:
                    self.assertTrue((ROOT / folder / area).is_dir(), f"{kind}, {folder}/{area}")
                expected = [area for area in areas if (ROOT / folder / area).is_dir()]
                self.assertEqual(sorted(expected), sorted(a for a in built if a in there), f"{kind}, {folder}")
        self.assertEqual(sorted(listed["plain"] + listed["systemc"]), sorted(there))


class Example(unittest.TestCase):
    """The C++ example is compiled, but for its ellipses."""

    def test_compiles(self):
        (code,) = re.findall(r"```cpp\n(.*?)```", MODELS, re.S)
        includes = "".join(line + "\n" for line in code.splitlines() if line.startswith("#include"))
        body = "".join(line + "\n" for line in code.splitlines() if not line.startswith("#include"))
        source = includes + AROUND_THE_EXAMPLE % body
        with tempfile.TemporaryDirectory(prefix="noctule-docs-") as folder:
            file = pathlib.Path(folder) / "example.cpp"
            file.write_text(source, encoding="utf-8")
            done = subprocess.run([os.environ["NOCTULE_CXX"], "-std=c++20", "-DSC_CPLUSPLUS=201703L", "-fsyntax-only",
                                   "-I", ROOT / "models", file], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr[:3000] + source)


class Configurations(unittest.TestCase):
    def test_what_the_program_writes_is_up_to_date(self):
        done = subprocess.run([ROOT / "scripts/check", "--program", PROGRAM, "reference", "drawing"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_story_of_the_stuck_worm_is_true(self):
        story = (ROOT / "configs/why-is-this-worm-stuck.yaml").read_text(encoding="utf-8")
        packet = re.search(r"grep ',([\d:]+),'", story)[1]
        numbers = [int(n) for n in re.findall(r"\b6\d\d\d\b", story.split("\nname:")[0])]
        self.assertEqual(len(numbers), 7)
        with tempfile.TemporaryDirectory(prefix="noctule-docs-") as folder:
            log = pathlib.Path(folder) / "events.csv"
            noctule("run", ROOT / "configs/why-is-this-worm-stuck.yaml", "--quiet", "--out", folder, "--events", log,
                    "--set", "trace.vcd=false", "--set", "plots=[]")
            with log.open(encoding="utf-8", newline="") as stream:
                rows = list(csv.DictReader(stream))
        header = [(int(r["cycle"]), r["router"], r["event"]) for r in rows if r["packet"] == packet and r["flit"] == "0"]
        # A flit that leaves in cycle t can be seen from t + 1; the input is `waiting` until the cycle of the grant.
        links = {router: cycle for cycle, router, event in header if event == "link"}
        grants = {router: cycle for cycle, router, event in header if event == "grant"}
        self.assertEqual(numbers[:4], [links["router_3_0"] + 1, grants["router_3_1"], links["router_3_1"] + 1,
                                       grants["router_3_2"]])
        owners = [r for r in rows if r["router"] == "router_3_2" and r["port"] == "y_plus" and r["event"] == "link"
                  and numbers[2] <= int(r["cycle"]) < numbers[3]]
        self.assertTrue(owners and all(r["destination"] == "21" for r in owners))
        self.assertEqual(len({r["vc"] for r in owners}), 2)
        consumed = sum(r["router"] == "router_3_3" and r["event"] == "consume" for r in rows)
        self.assertAlmostEqual(consumed / 200, 0.5, delta=0.02)


if __name__ == "__main__":
    unittest.main(verbosity=2)
