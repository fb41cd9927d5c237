#!/usr/bin/python3
"""What quick_cxx leaves to do: compiles Verilator's own sources, and links.

Nothing is optimized. What Verilator wrote for a design is compiled as one source, when it is linked. Verilator's own
sources and headers are compiled once for all tests, into folder QUICK_OBJECTS."""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys

HEADERS = ("verilated.h", "verilated_vcd_c.h")
DEFERRED = b"to be compiled\n"  # an object of quick_cxx begins so


def once(name, words, seen, compile_to):
    """The file in QUICK_OBJECTS that compile_to(file) made with these words, of a source that these texts are part of."""
    compiler = os.stat(shutil.which("c++")).st_mtime_ns
    key = hashlib.sha256(json.dumps([words, seen, compiler]).encode()).hexdigest()
    kept = pathlib.Path(os.environ["QUICK_OBJECTS"]) / key / name
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        mine = kept.with_name(f"{name}.{os.getpid()}")
        if code := compile_to(mine):
            sys.exit(code)
        mine.replace(kept)
    return kept


def without_folder(words):
    """(What is not about the folder of the design, the text that is included before all.)"""
    at = words.index("-include")
    print_h = words[at + 1]
    folder = os.path.dirname(print_h)
    return ([word for word in words[:at] + words[at + 2:] if folder not in word],
            pathlib.Path(print_h).read_text(encoding="utf-8"))


def verilators_own(words, source, output):
    flags, text = without_folder(words)
    kept = once(os.path.basename(source) + ".o", [*flags, source], [text, os.stat(source).st_mtime_ns],
                lambda file: subprocess.call(["c++", *words, "-c", source, "-o", file]))
    shutil.copyfile(kept, output)
    return 0


def headers(words):
    """What a design is compiled with, so that its headers have been read already."""
    flags, text = without_folder(words)
    text += "".join(f"#include <{name}>\n" for name in HEADERS if "vcd" not in name or "-DVM_TRACE=1" in flags)
    read = [file.stat().st_mtime_ns for flag in flags if flag.startswith("-I") for file in
            (pathlib.Path(flag[2:]) / name for name in HEADERS) if file.exists()]
    header = once("headers.h", flags, [text, read], lambda file: file.write_text(text, encoding="utf-8") and 0)
    once("headers.h.gch", flags, [text, read],
         lambda file: subprocess.call(["c++", *flags, "-x", "c++-header", header, "-o", file]))
    return ["-include", str(header)]


def not_optimized(words):
    return ["-O0" if word.startswith("-O") else word for word in words]


def without_files(words):
    """(What else is said, source, output) of a call that compiles."""
    files = [words[words.index(option) + 1] for option in ("-c", "-o")]
    return [word for word in words if word not in ("-c", "-o", *files)], *files


def main(words):
    words = not_optimized(words)
    if "-c" in words:
        words, source, output = without_files(words)
        return verilators_own(words, source, output)
    sources, flags = [], []
    for word in [word for word in words if word.endswith(".o")]:
        said = pathlib.Path(word).read_bytes()
        if not said.startswith(DEFERRED):
            continue
        words.remove(word)
        flags, source, _ = without_files(not_optimized(said[len(DEFERRED):].decode().splitlines()))
        sources.append(source)
    text = "".join(f'#include "{source}"\n' for source in sources)
    before = headers(flags) if sources else []
    return subprocess.run(["c++", *before, *flags, "-x", "c++", "-", "-x", "none", *words], input=text, text=True,
                          check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
