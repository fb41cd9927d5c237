#!/usr/bin/python3
"""Would the style checks notice? Each is shown a small project with one violation at a time.

Usage: self_test.py SCRIPTS_FOLDER CHECK
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

GOOD_HEADER = "#pragma once\n\nnamespace noctule {}\n"
# check: [(what, file, content, text that the report must hold)]
VIOLATIONS = {
    "check-layers": [
        ("an arrow upwards", "models/core/a.cpp", '#include "topology/b.h"\n', "models/core/a.cpp:1"),
        ("an arrow sideways", "models/routing/a.cpp", '#include "patterns/b.h"\n', "routing includes patterns/"),
        ("SystemC in plain C++", "models/stats/a.cpp", "#include <systemc>\n", "only kernel may"),
        ("SystemC beside the kernel", "models/fabric/a.cpp", "\n#include <systemc.h>\n", "a.cpp:2"),
        ("TLM in the engine", "models/fabric/a.cpp", "#include <tlm_utils/simple_initiator_socket.h>\n", "only tlm"),
        ("YAML beside config", "models/run/a.cpp", "#include <yaml-cpp/yaml.h>\n", "only config may"),
        ("YAML in the engine", "models/fabric/a.cpp", '#include "config/decode.h"\n', "fabric includes config/"),
        ("CLI11 in the library", "models/run/a.cpp", "#include <CLI/CLI.hpp>\n", "only tb may"),
        ("an unknown area", "models/misc/a.cpp", "\n", "'misc' is no area"),
        ("a room that includes one above it", "models/verify/graph/a.cpp", '#include "verify/report/b.h"\n',
         "verify/graph includes verify/report/b.h"),
        ("an unknown room", "models/verify/misc/a.cpp", "\n", "'misc' is no room"),
        ("a path relative to the file", "models/core/a.cpp", '#include "b.h"\n', 'write "core/b.h"'),
        ("a plain test with SystemC", "tests/core/a_test.cpp", '#include "kernel/systemc.h"\n', "a_test.cpp:1"),
    ],
    "check-text": [
        ("trailing blanks", "a.md", "text \n", "a.md:1: blanks"),
        ("no final newline", "a.md", "text", "no newline"),
        ("a machine's path", "scripts/a", "cd /" + "work/main\n", "path of one machine"),
        ("a home folder", "a.md", "see /" + "home/someone/x\n", "path of one machine"),
        ("a note to oneself", "models/core/a.cpp", "// TO" + "DO: later\n", "note to oneself"),
        ("a merge left over", "a.md", "<<<<<" + "<< HEAD\n", "mark of a merge"),
        ("a header without guard", "models/core/a.h", "namespace noctule {}\n", "#pragma once"),
        ("a namespace opened", "models/core/a.h", GOOD_HEADER + "using namespace std;\n", "using namespace"),
        ("an algorithm that clang 14 refuses", "models/core/a.cpp", "std::ranges::unique(v);\n", "a.cpp:1: gives a"),
        ("a test with a fixed name in /tmp", "tests/run/a_test.py", 'open("/' + 'tmp/x")\n', "a_test.py:1: fixed name"),
        ("a test of the clock", "tests/run/a_test.cpp", "EXPECT_LT(Clock::now() - start, 5s);\n", "asserts how long"),
        ("a test of the clock in Python", "tests/a.py", "self.assertLess(time.time() - start, 5)\n", "asserts how long"),
        ("a message about nodes", "models/core/a.cpp", 'fail("hot node {} is missing");\n', "a.cpp:1: 'hot node': the word is"),
        ("a message of a tool about nodes", "scripts/a.py", "print(\"every node sends\")\n", "a.py:1: 'node sends': the word"),
        ("a header with another word", "models/core/a.h", GOOD_HEADER + "// until ejection\n", "a.h:4: 'ejection'"),
        ("a file that is too long", "tb/a.cpp", "\n" * 401, "tb/a.cpp: 401 lines"),
        ("a script that is too long", "scripts/a", "#!/usr/bin/python3\n" + "\n" * 400, "scripts/a: 401 lines"),
        ("broken YAML", "configs/a.yaml", "a: [1, 2\n", "configs/a.yaml: does not parse"),
        ("a key twice", "configs/a.yaml", "a: 1\nb: 2\na: 3\n", "line 3: the key 'a' stands twice"),
        ("broken JSON", "a.json", "{,}\n", "a.json: does not parse"),
        ("not UTF-8", "a.md", b"\xff\xfe\n", "not UTF-8"),
    ],
    "check-format": [
        ("unformatted code", "models/core/a.cpp", "int  f( ){return 1 ;}\n", "models/core/a.cpp"),
    ],
}


def run(check, project):
    done = subprocess.run([str(check), str(project)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def main():
    scripts, name = pathlib.Path(sys.argv[1]), sys.argv[2]
    failures = 0
    for what, file, content, expected in [("nothing", None, None, ""), *VIOLATIONS[name]]:
        with tempfile.TemporaryDirectory() as folder:
            project = pathlib.Path(folder)
            (project / "models/core").mkdir(parents=True)
            (project / "models/core/good.h").write_text(GOOD_HEADER, encoding="utf-8")
            shutil.copy(scripts.parent / ".clang-format", project)
            if file:
                (project / file).parent.mkdir(parents=True, exist_ok=True)
                data = content if isinstance(content, bytes) else content.encode()
                (project / file).write_bytes(data)
            code, report = run(scripts / name, project)
            if code != (1 if file else 0) or expected not in report:
                failures += 1
                print(f"{name} on {what}: exit {code}, report:\n{report}")
    print(f"{name}: {len(VIOLATIONS[name])} violations tried, {failures} verdicts wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
