#!/usr/bin/python3
"""Is rtl/cost.csv the table of the sources that stand beside it? Usage: table_test.py PROJECT

Digests of all sources are compared without any tool; the figures of one small block by synthesizing it again.
"""

from hardware_support import PROJECT, HardwareTest, main, needs
from hardware import table

TABLE = PROJECT / "rtl" / "cost.csv"
BLOCK = "input_fifo"


class Table(HardwareTest):
    def test_was_made_from_these_sources(self):
        out, _ = self.synthesize("--check", path="/nowhere")
        self.assertRegex(out, r"^synthesize: \d+ rows, 0 findings\n$")

    def test_says_how_it_was_made(self):
        head = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
        self.assertIn("#   scripts/synthesize --all", head)
        for column in ("area_um2", "cycle_ns", "tuning", "recipe"):
            self.assertIn(column, "\n".join(head))

    def test_is_complete(self):
        rows = table.read(TABLE)
        for row in rows:
            self.assertTrue(row["library"] and row["corner"] and row["tools"] and row["tuning"], row)
            if row["kind"] == "node":
                self.assertTrue(row["reg_reg_ns"] and row["link_ns"] and row["cycle_ns"], row)
                # Registers stand between the pins: no path leads through a router.
                self.assertEqual(row["in_out_ns"], "", row["name"])
        # Every block of every node.
        blocks = {row["name"] for row in rows if row["kind"] == "block"}
        self.assertGreater(len(blocks), 8)
        for node in {row["name"] for row in rows if row["kind"] == "node"}:
            self.assertTrue(any(f"{node}:" in row["used_by"] for row in rows), node)

    def test_notices_other_sources(self):
        text = TABLE.read_text(encoding="utf-8")
        digest = table.read(TABLE)[0]["source"]
        out, _ = self.synthesize("--check", "--table", self.write("t.csv", text.replace(digest, "0" * 12)), code=1)
        self.assertIn("the table was made from other sources", out)
        self.assertIn("scripts/synthesize --all writes the table again", out)

    @needs("yosys", "osu018", "sta")
    def test_a_block_synthesized_again_gives_its_figures(self):
        self.synthesize("--check", BLOCK)
        lines = TABLE.read_text(encoding="utf-8").splitlines()
        area = next(row["area_um2"] for row in table.read(TABLE) if row["name"] == BLOCK)
        at = next(i for i, line in enumerate(lines) if line.startswith(f"block,{BLOCK},"))
        lines[at] = lines[at].replace(f",{area},", f",{1.05 * float(area):.1f},")
        out, _ = self.synthesize("--check", BLOCK, "--table", self.write("t.csv", "\n".join(lines) + "\n"), code=1)
        self.assertRegex(out, f"{BLOCK} .* area_um2 .* in the table, {area} now")


if __name__ == "__main__":
    main()
