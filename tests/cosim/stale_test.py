#!/usr/bin/python3
"""Is a router compiled again when, and only when, something that it was made of has changed? Is a damaged or foreign
library never run?

The router does nothing but say a word. An outdated library says the old one."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import cosim_support as support

SOUND, FAULTY = '"sound"', '"faulty"'
SPEAKER = """\
module speaker (input logic clk_i, input logic rst_ni);
  always_ff @(posedge clk_i) if (rst_ni) $display("it is %s",
WORD
);
endmodule
"""
REAL = shutil.which("verilator")


class Cache(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="noctule-stale-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.cache = self.folder / "cache"
        self.rtl = self.folder / "rtl"
        self.speaker = self.rtl / "blocks" / "speaker.sv"
        self.speaker.parent.mkdir(parents=True)
        (self.rtl / "first").mkdir()
        self.speaker.write_text(SPEAKER.replace("WORD", SOUND), encoding="utf-8")
        fabric = support.write(self.folder / "fabric.yaml", support.fabric("four_classes", 3))
        pins = support.result("cosim", fabric, "--pins")
        (self.rtl / "mine.sv").write_text(support.router(pins, "  speaker u_speaker (.clk_i, .rst_ni);"), encoding="utf-8")
        self.environment = {"NOCTULE_CACHE": str(self.cache)}
        self.directory = self.folder

    def include(self, name, where):
        """The word is what is in file `name`; `where`: the file itself."""
        self.speaker.write_text(SPEAKER.replace("WORD", f'`include "{name}"'), encoding="utf-8")
        where = pathlib.Path(where)
        where.parent.mkdir(parents=True, exist_ok=True)
        where.write_text(SOUND + "\n", encoding="utf-8")
        return where

    def run_bench(self, *options, **environment):
        """(Is the word the faulty one?, standard error); silent, unless options are given."""
        configuration = support.fabric("four_classes", 3)
        configuration["nodes"] = [{"routers": ["router_1_1"], "rtl": {
            "top": "mine", "files": [str(self.rtl / "mine.sv")],
            "folders": [str(self.rtl / "first"), str(self.rtl / "blocks")]}}]
        configuration["cosim"] = {"cycles": 300, "waveform": False}
        file = support.write(self.folder / "bench.yaml", configuration)
        done = subprocess.run([support.PROGRAM, "cosim", file, *(options or ["--quiet"]), "--out", self.folder / "out"],
                              cwd=self.directory, capture_output=True, text=True, check=False,
                              env={**os.environ, **support.QUICK, **self.environment, **environment})
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)  # it sends nothing
        words = {line for line in done.stderr.splitlines() if line.startswith("it is ")}
        self.assertEqual(len(words), 1, done.stderr)
        return words == {"it is faulty"}, done.stderr

    def libraries(self):
        return sorted(self.cache.rglob("*.so"))

    def check_change(self, name, where):
        where = self.include(name, where)
        self.assertFalse(self.run_bench()[0])
        before = self.libraries()
        self.assertFalse(self.run_bench()[0])
        self.assertEqual(self.libraries(), before, "compiled once more, although nothing changed")
        where.write_text(FAULTY + "\n", encoding="utf-8")
        self.assertTrue(self.run_bench()[0], f"the change of {name} was not noticed")
        where.write_text(SOUND + "\n", encoding="utf-8")
        self.assertFalse(self.run_bench()[0])

    def test_it_says_what_it_compiles(self):
        said = "compiling mine with Verilator"
        self.assertEqual(self.run_bench("--threads", "1")[1].count(said), 1)
        self.assertNotIn(said, self.run_bench("--threads", "1")[1])
        shutil.rmtree(self.cache)
        self.assertNotIn(said, self.run_bench()[1])

    def test_included_from_a_subfolder(self):
        self.check_change("more/full.svh", self.rtl / "blocks" / "more" / "full.svh")

    def test_included_with_another_suffix(self):
        self.check_change("full.inc", self.rtl / "blocks" / "full.inc")

    def test_included_from_the_working_directory(self):
        self.directory = self.folder / "work"
        self.directory.mkdir()
        self.check_change("full_here.txt", self.directory / "full_here.txt")

    def test_a_file_that_appears_in_an_earlier_folder(self):
        self.include("full.svh", self.rtl / "blocks" / "full.svh")
        self.assertFalse(self.run_bench()[0])
        (self.rtl / "first" / "full.svh").write_text(FAULTY + "\n", encoding="utf-8")
        self.assertTrue(self.run_bench()[0])

    def test_a_module_that_appears_in_an_earlier_folder(self):
        self.assertFalse(self.run_bench()[0])
        (self.rtl / "first" / "speaker.v").write_text(SPEAKER.replace("WORD", FAULTY), encoding="utf-8")
        self.assertTrue(self.run_bench()[0])

    def test_a_source_saved_during_the_compilation(self):
        """Verilator reads the sound text, then the faulty one; then the sound one is saved again."""
        where = self.include("full.svh", self.rtl / "blocks" / "full.svh")
        bin_folder = self.folder / "bin"
        bin_folder.mkdir()
        slow = bin_folder / "verilator"
        slow.write_text(f"""#!/bin/sh
"{REAL}" "$@" || exit
case "$*" in *--cc*) ;; *) exit 0 ;; esac
[ -e "{self.folder}/saved" ] && exit 0
touch "{self.folder}/saved"
echo '{FAULTY}' >"{where}"
""", encoding="utf-8")
        slow.chmod(0o755)
        self.assertTrue(self.run_bench(PATH=f"{bin_folder}{os.pathsep}{support.QUICK['PATH']}")[0])
        where.write_text(SOUND + "\n", encoding="utf-8")
        self.assertFalse(self.run_bench()[0], "the library of the faulty text was taken for that of the sound one")

    def test_damaged_libraries_are_made_again(self):
        self.assertFalse(self.run_bench()[0])
        library, = self.libraries()
        whole = library.read_bytes()
        ways = [whole[:len(whole) // 2], bytes([*whole[:-4096], *(4096 * [0x5a])]), b"", b"no library"]
        for damaged in ways:
            library.unlink()
            library.write_bytes(damaged)
            self.assertFalse(self.run_bench()[0])
            self.assertEqual(len(library.read_bytes()), len(whole))

    def test_what_verilator_brings_is_compiled_once(self):
        def kept():
            return {path.name: path.read_bytes() for path in self.cache.rglob("verilated*.o")}

        self.assertFalse(self.run_bench()[0])
        first = kept()
        self.assertEqual({name.split("-")[0] for name in first}, {"verilated", "verilated_threads"})
        for damaged in (None, b"", b"no object"):
            for path in self.cache.rglob("*"):
                if path.suffix in (".so", ".list"):
                    path.unlink()
                elif path.suffix == ".o" and damaged is not None:
                    path.write_bytes(damaged)
            before = {path: path.stat().st_mtime_ns for path in self.cache.rglob("*.o")}
            self.assertFalse(self.run_bench()[0])
            self.assertEqual(kept(), first)
            if damaged is None:
                self.assertEqual({path: path.stat().st_mtime_ns for path in before}, before, "compiled once more")

    def test_libraries_of_others_are_not_run(self):
        """Without HOME: in the folder for temporary files, and there only what nobody else can have written."""
        temporary = self.folder / "tmp"
        temporary.mkdir()
        environment = {"NOCTULE_CACHE": "", "HOME": "", "XDG_CACHE_HOME": "", "TMPDIR": str(temporary)}
        self.assertFalse(self.run_bench(**environment)[0])
        own = temporary / f"noctule-{os.geteuid()}"
        self.assertEqual(own.stat().st_mode & 0o777, 0o700)
        planted, = own.glob("*.so")
        time = planted.stat().st_mtime_ns
        planted.chmod(0o777)  # anybody may have written it
        self.assertFalse(self.run_bench(**environment)[0])
        self.assertNotEqual(planted.stat().st_mtime_ns, time, "it was not made again")

    def test_a_folder_that_is_a_link_is_not_used(self):
        temporary = self.folder / "tmp"
        elsewhere = self.folder / "elsewhere"
        temporary.mkdir()
        elsewhere.mkdir()
        (temporary / f"noctule-{os.geteuid()}").symlink_to(elsewhere)
        environment = {"NOCTULE_CACHE": "", "HOME": "", "XDG_CACHE_HOME": "", "TMPDIR": str(temporary)}
        self.assertFalse(self.run_bench(**environment)[0])
        self.assertEqual(list(elsewhere.iterdir()), [])
        self.assertEqual([path.name for path in temporary.iterdir()], [f"noctule-{os.geteuid()}"], "left behind")


if __name__ == "__main__":
    support.needs("verilator", "c++")
    sys.exit(not unittest.main(verbosity=2, exit=False).result.wasSuccessful())
