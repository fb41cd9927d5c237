"""Which tests there are, which of them a filter means, and what has to be built for those."""
import dataclasses
import json
import pathlib
import re
import subprocess

from testing.errors import CannotRun

PROGRAMS = "noctule_tests_"  # noctule_tests_FOLDER holds the C++ tests of tests/FOLDER
NOT_BUILT = "_NOT_BUILT"  # stands for the tests of a program that is not there yet


@dataclasses.dataclass(frozen=True)
class Test:
    number: int  # of ctest
    name: str
    needs: frozenset  # files below the build folder, which are targets of the build
    labels: frozenset


def known(folder):
    """The tests that ctest knows in a build folder; C++ tests are known once their program has been built."""
    done = subprocess.run(["ctest", "--test-dir", str(folder), "--show-only=json-v1"], capture_output=True, text=True,
                          check=False)
    start = done.stdout.find("{")
    if done.returncode != 0 or start < 0:
        raise CannotRun(f"ctest cannot list the tests of {folder}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    found = []
    for number, test in enumerate(json.loads(done.stdout[start:])["tests"], 1):
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        words = test.get("command", []) + list(properties.get("ENVIRONMENT", []))
        found.append(Test(number, test["name"], needed(words, folder), frozenset(properties.get("LABELS", []))))
    return found


def needed(words, folder):
    """What these words of a command or an environment name of the build folder's programs and libraries."""
    below = rf"(?:^|=){re.escape(str(pathlib.Path(folder).resolve()))}/((?:bin|lib)/\S+|tests/cli/plug_ins)$"
    return frozenset(found[1] for found in (re.search(below, word) for word in words) if found)


def written(tests):
    """Names of the C++ tests as they are written in the sources: {folder: names}. The name of a test with parameters
    ends where its parameter would stand."""
    found = {}
    for file in sorted(pathlib.Path(tests).glob("*/**/*_test.cpp")):
        text = file.read_text(encoding="utf-8")
        names = [f"{suite}.{name}" for suite, name in re.findall(r"^TEST(?:_F)?\(\s*(\w+),\s*(\w+)\s*\)", text, re.M)]
        cases = re.findall(r"^TEST_P\(\s*(\w+),\s*(\w+)\s*\)", text, re.M)
        for prefix, suite in re.findall(r"^INSTANTIATE_TEST_SUITE_P\(\s*(\w+),\s*(\w+)\s*,", text, re.M):
            names += [f"{prefix}/{suite}.{name}/" for of, name in cases if of == suite]
        found.setdefault(file.relative_to(tests).parts[0], []).extend(names)
    return found


def expression_of(pattern):
    try:
        return re.compile(pattern)
    except re.error as problem:
        raise CannotRun(f"FILTER '{pattern}' is no regular expression: {problem}") from problem


def means(pattern, test):
    return not test.name.endswith(NOT_BUILT) and expression_of(pattern).search(test.name) is not None


def build_for(pattern, tests, sources):
    """(targets, half_known): what to build for the tests that the regular expression means; None: it means none.
    half_known: folders whose program was never built, so that the parameters of their tests are not known yet."""
    expression = expression_of(pattern)
    missing = {t.name.removeprefix(PROGRAMS).removesuffix(NOT_BUILT) for t in tests if t.name.endswith(NOT_BUILT)}
    programs = {folder for folder, names in sources.items() if any(map(expression.search, names))}
    targets = {f"bin/{PROGRAMS}{folder}" for folder in programs}
    matching = [t for t in tests if means(pattern, t)]
    for test in matching:
        targets |= {"noctule_test_plug_ins" if "plug_ins" in file else file for file in test.needs}
    half_known = {folder for folder in missing - programs if any(name.endswith("/") for name in sources.get(folder, []))}
    return (sorted(targets) if targets or matching else None), sorted(half_known)


def with_parameters(sources):
    return sorted(f"bin/{PROGRAMS}{folder}" for folder, names in sources.items() if any(n.endswith("/") for n in names))
