#!/usr/bin/python3
"""Proves properties of the SystemVerilog in rtl/ by induction, and that the proofs refute what is wrong.

prove.py [NAME...]             these proofs, or all; --quick: all that take seconds
prove.py --mutants [NAME...]   these mutants, or all: each is one change of a source that a proof must notice
prove.py --sample | --vacuity  a few mutants | those with assumptions that leave nothing to prove
prove.py --list                what there is

--limit SECONDS  per proof and size, 300     --source FOLDER  the project
--out FOLDER     keeps all logs and traces there; else traces of what is not as expected are kept, and named
Exit code 0: proofs hold, mutants are refuted; 1: not so; 2: usage; 77: nothing could be tried, a tool is missing.
"""
import argparse
import pathlib
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from engines import PROVED, REFUTED, Broken, missing, prove  # noqa: E402
from proofs import MUTANTS, PROOFS, SAMPLE, VACUITY  # noqa: E402

SKIPPED = 77


def texts(proof, root):
    names = (*proof.sources, f"tests/formal/{proof.top}.sv")
    return {pathlib.Path(name).name: (root / name).read_text(encoding="utf-8") for name in names}


def mutated(mutant, sources):
    name = pathlib.Path(mutant.source).name
    count = sources[name].count(mutant.old)
    if count != 1:
        raise Broken(f"'{mutant.old}' occurs {count} times in {mutant.source}; the mutant needs it once")
    return {**sources, name: sources[name].replace(mutant.old, mutant.new)}


def attempts(names, mutants, root):
    """Title, proof, parameters, sources or what is wrong with them, the verdict that is expected, and the assertion."""
    for name in names:
        proof = PROOFS[MUTANTS[name].proof if mutants else name]
        if not mutants:
            for parameters in proof.cases:
                sizes = " ".join(f"{key}={value}" for key, value in parameters.items())
                yield f"{name} {sizes}", proof, parameters, lambda p=proof: texts(p, root), PROVED, ""
            continue
        mutant = MUTANTS[name]
        yield (f"{name} of {proof.name}", proof, {**proof.cases[0], **dict(mutant.parameters)},
               lambda m=mutant, p=proof: mutated(m, texts(p, root)), mutant.expected, mutant.asserts)


def arguments():
    parser = argparse.ArgumentParser(usage="\n" + __doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    for option in ("mutants", "sample", "vacuity", "quick", "list"):
        parser.add_argument(f"--{option}", action="store_true")
    parser.add_argument("--limit", type=float, default=300)
    parser.add_argument("--source", type=pathlib.Path, default=HERE.parent.parent)
    parser.add_argument("--out", type=pathlib.Path)
    given = parser.parse_args()
    given.mutants = given.mutants or given.sample or given.vacuity
    table = MUTANTS if given.mutants else PROOFS
    unknown = [name for name in given.names if name not in table]
    if unknown:
        parser.error(f"no {'mutant' if given.mutants else 'proof'} '{unknown[0]}'; there are {', '.join(table)}")
    if not given.names:
        given.names = (SAMPLE if given.sample else VACUITY if given.vacuity else
                       [name for name in table if given.mutants or not given.quick or PROOFS[name].quick])
    return given


def main():
    given = arguments()
    if given.list:
        for proof in PROOFS.values():
            print(f"{proof.name}: {len(proof.cases)} sizes, by {proof.engine}{'' if proof.quick else ', slow'}")
        print(f"mutants: {', '.join(MUTANTS)}")
        return 0
    out = (given.out or pathlib.Path(tempfile.mkdtemp(prefix="noctule-formal-"))).resolve()
    good = bad = skipped = kept = 0
    tried = attempts(given.names, given.mutants, given.source)
    for number, (title, proof, parameters, sources, expected, assertion) in enumerate(tried):
        reason = missing(proof.engine)
        folder = out / f"{number:02}-{title.split()[0]}"
        try:
            changed = sources()  # a mutant that is none is an error without the tools too
            if reason:
                print(f"{title}: SKIPPED: {reason}")
                skipped += 1
                continue
            shutil.rmtree(folder, ignore_errors=True)
            outcome = prove(proof, parameters, changed, folder, given.limit,
                            given.mutants and expected == REFUTED, assertion)
        except (Broken, OSError) as problem:
            print(f"{title}: ERROR: {problem}", flush=True)
            bad += 1
            continue
        fine = outcome.verdict == expected
        if fine and given.mutants and outcome.trace and not outcome.trace.exists():
            fine, outcome.detail = False, "there is no trace"
        if not given.out and (fine or not outcome.trace):
            outcome.trace = None
            shutil.rmtree(folder, ignore_errors=True)
        kept += bool(outcome.trace)
        good, bad = good + fine, bad + (not fine)
        print(f"{title}: {outcome}{'' if fine else f'; {expected} is expected'}", flush=True)
    if not given.out and not kept:
        shutil.rmtree(out, ignore_errors=True)
    print(f"prove: {good} of {good + bad + skipped} {'mutants noticed' if given.mutants else 'proved'}"
          f"{f', {bad} not' if bad else ''}{f', {skipped} skipped' if skipped else ''}")
    return 1 if bad else SKIPPED if skipped and not good else 0


if __name__ == "__main__":
    sys.exit(main())
