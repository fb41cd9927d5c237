"""Builds and runs the tests.

scripts/test                    all tests of every day, in one Release build
scripts/test FILTER             those whose name matches the regular expression; builds only what they need
scripts/test [FILTER] --list    which tests these are, by name; builds only what tells
scripts/test --full             also the long ones, and everything again in Debug, under the sanitizers and with clang,
                                and clang-tidy: in stages, from where it was at this state of the sources
scripts/test --full STAGE...    these stages, from their beginning if they had come to their end
scripts/test --full --list      the stages: what they hold, what they passed and the time they took

Installs what is missing. Exit code 0: all passed; 1: some failed; 2: cannot run.
"""
import argparse
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from testing import catalogue, runner, stages  # noqa: E402
from testing.errors import CannotRun  # noqa: E402


def set_up(*lists):
    if runner.script("setup", *lists) != 0:
        raise CannotRun("packages are missing")
    runner.script("setup", "rtl")  # tests that need these are skipped, with the reason


def build_for(pattern, folder):
    """Builds what the tests need that the pattern means."""
    sources = catalogue.written(ROOT / "tests")
    try:
        tests = catalogue.known(folder)
    except CannotRun:  # programs of different states
        runner.build("release")
        tests = catalogue.known(folder)
    targets, unknown = catalogue.build_for(pattern, tests, sources)
    if targets is None:
        targets, unknown = catalogue.with_parameters(sources), []
        runner.say(f"no name matches '{pattern}' yet; building the tests with parameters, which may be called so")
    if targets:
        runner.build("release", *targets)
    if unknown:
        runner.say(f"not built yet, so the parameters of their tests were not looked at: {', '.join(unknown)} "
                   "(scripts/test builds all)")


def every_day(pattern, show_only=False):
    """Runs the tests of every day, or those that the pattern means; or names them. True: all passed."""
    set_up("test")
    folder = runner.folder_of("release")
    if pattern is None:
        runner.build("release")
    else:
        runner.build("release", "build.ninja")  # configures, if that is due
        build_for(pattern, folder)
    tests = [t for t in catalogue.known(folder) if stages.LONG not in t.labels]
    if pattern is not None:
        tests = [t for t in tests if catalogue.means(pattern, t)]
        if not tests:
            raise CannotRun(f'no test ran; FILTER was "{pattern}"')
    if show_only:
        print("\n".join([t.name for t in tests] + [f"{len(tests)} tests"]))
        return True
    summary, good = runner.run("release", tests)
    print(summary)
    return good


def run_stage(stage, memory):
    """Goes on with a stage until its end."""
    print(f"== {stage.name}: {stage.what} (build/{stage.preset})", flush=True)
    record = memory.stage(stage.name)
    record["failed"], record["done"] = [], False
    with runner.Clock(record) as clock:
        runner.build(stage.preset)
        if stage.tidy:
            if runner.script("check-tidy", str(runner.folder_of(stage.preset)), stage.tidy) != 0:
                record["failed"] = ["clang-tidy"]
        else:
            run_tests(stage, record, memory, clock)
    record["done"] = True


def run_tests(stage, record, memory, clock):
    tests = stages.tests_of(stage, catalogue.known(runner.folder_of(stage.preset)))
    if not tests:
        raise CannotRun(f"stage {stage.name} holds no test; is what they need built?")
    left = [t for t in tests if t.name not in record["passed"]]
    record["skipped"] = []

    def heard(test, verdict, seconds):
        if verdict == "passed":
            record["passed"][test.name] = seconds
        else:
            record[verdict].append(test.name)
        clock.tick()
        memory.write(every=2.0)

    if left:
        _, good = runner.run(stage.preset, left, heard)
        if not good and not record["failed"]:
            record["failed"] = ["ctest"]


def in_full(names):
    chosen = [stages.stage_named(name) for name in names] or stages.STAGES
    set_up("test", "full")
    key = stages.key_of(ROOT)
    memory = stages.Memory(ROOT / "build/full/stages.json", key)
    for stage in chosen:
        found = memory.peek(stage.name)
        if found and found["done"] and names:
            memory.forget(stage.name)
        elif found and found["done"] and not found["failed"]:
            print(f"== {stage.name}: passed before, at this state of the sources", flush=True)
            continue
        try:
            run_stage(stage, memory)
        except CannotRun as problem:
            memory.stage(stage.name).update(failed=[str(problem)], done=True)
        finally:
            memory.write()
        if stages.key_of(ROOT) != key:
            memory.forget(stage.name)
            memory.write()
            raise CannotRun("the sources were changed meanwhile: what was found is that of no state; start again")
    show(chosen, memory)
    return all(not memory.stage(stage.name)["failed"] for stage in chosen)


def show(chosen, memory):
    print(f"stages at {memory.key}:")
    for stage in chosen:
        found, last = memory.peek(stage.name), memory.last_seconds(stage.name)
        if found:
            took = stages.minutes_text(found["seconds"])
        else:
            took = f"last {stages.minutes_text(last)}" if last is not None else f"expected {stage.minutes} min"
        print(f"  {stage.name:20}{stages.state_text(found):24}{took:18}{stage.what}")
        for name in (found or {}).get("failed", []):
            print(f"      FAILED {name}")


def main():
    parser = argparse.ArgumentParser(prog="scripts/test", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="the stages of the full test")
    parser.add_argument("--list", action="store_true", help="show the tests, or with --full the stages, and run none")
    parser.add_argument("names", nargs="*", metavar="FILTER or STAGE")
    options = parser.parse_args()
    if options.list and options.full:
        show([stages.stage_named(name) for name in options.names] or stages.STAGES,
             stages.Memory(ROOT / "build/full/stages.json", stages.key_of(ROOT)))
        return True
    if options.full:
        return in_full(options.names)
    if len(options.names) > 1:
        raise CannotRun(f'one FILTER only; got "{options.names[0]}" and "{options.names[1]}"')
    return every_day(options.names[0] if options.names else None, options.list)


if __name__ == "__main__":
    try:
        sys.exit(0 if main() else 1)
    except CannotRun as problem:
        print(f"test: {problem}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
