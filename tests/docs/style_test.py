#!/usr/bin/python3
"""Can the pages be read at first reading? Spelling, length of sentences and of the README, links, and a way from the
README to every page, key, command and registry entry."""
import csv
import io
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from pages import ROOT, blocks, links, pages, prose, sentences, text_of

PROGRAM = os.environ["NOCTULE_PROGRAM"]
LONGEST = 30  # words of a sentence
ACCEPTED = ROOT / "tests/docs/accepted_words.txt"


def noctule(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=True).stdout


def without_anchor(link):
    return link.split("#")[0]


class Pages(unittest.TestCase):
    def test_sentences_are_short(self):
        for page in pages():
            for sentence in sentences(page):
                words = [w for w in sentence.split() if re.search(r"\w", w)]
                self.assertLessEqual(len(words), LONGEST, f"{page.relative_to(ROOT)}: {len(words)} words: {sentence}")

    def test_the_readme_is_short(self):
        self.assertLessEqual(len(text_of(ROOT / "README.md").splitlines()), 150)

    def test_links_lead_somewhere(self):
        for page in pages():
            for link in links(page):
                if link.startswith("https://"):
                    continue
                with self.subTest(page=str(page.relative_to(ROOT)), link=link):
                    target = (page.parent / without_anchor(link)).resolve() if without_anchor(link) else page
                    self.assertTrue(target.exists())
                    if "#" in link:
                        titles = re.findall(r"^#+ (.*)$", text_of(target), re.M)
                        anchors = [re.sub(r"[^\w\- ]", "", t.lower()).replace(" ", "-") for t in titles]
                        self.assertIn(link.split("#")[1], anchors)

    def test_every_page_is_reached_from_the_readme(self):
        seen, open_pages = set(), [ROOT / "README.md"]
        while open_pages:
            page = open_pages.pop()
            if page in seen:
                continue
            seen.add(page)
            open_pages += [target for link in links(page)
                           if (target := (page.parent / without_anchor(link)).resolve()).suffix == ".md"]
        self.assertEqual(set(pages()) - seen, set())

    def test_every_configuration_stands_in_the_tutorial(self):
        page = ROOT / "configs/README.md"
        named = {(page.parent / without_anchor(link)).resolve() for link in links(page)}
        for file in (ROOT / "configs").rglob("*.yaml"):
            self.assertTrue({file, file.parent, file.parent / "README.md"} & named, file.relative_to(ROOT))

    def test_every_command_and_option_stands_with_the_commands(self):
        text = text_of(ROOT / "tb/README.md")
        help_text = noctule("--help")
        options, commands = help_text.split("Subcommands:")
        names = re.findall(r"^  ([a-z]+)\s", commands, re.M)
        self.assertGreater(len(names), 10)
        for name in names:
            self.assertIn(f"`noctule {name}", text)
        for option in re.findall(r"^  (?:-\w,)?(--\w+)", options, re.M):
            if option != "--help":
                self.assertRegex(text, rf"`{option}[ `]")

    def test_every_metric_is_defined(self):
        defined = text_of(ROOT / "configs/results.md")
        with tempfile.TemporaryDirectory(prefix="noctule-docs-") as folder:
            noctule("run", str(ROOT / "tests/docs/example.yaml"), "--quiet", "--out", folder)
            with open(f"{folder}/results.csv", encoding="utf-8", newline="") as stream:
                columns = next(csv.reader(stream))
        self.assertGreater(len(columns), 60)
        for column in columns:
            if not column.startswith(("topology", "node", "traffic", "routing")):
                self.assertIn(f"`{column}`", defined)

    def test_the_table_of_numbers_is_that_of_the_program(self):
        known = []
        for metric in json.loads(noctule("list", "metric", "--json"))["metric"]:
            names = [", ".join(f"`{name}`" for name in metric[key]) for key in ("columns", "results_json")]
            known.append([*names, metric.get("unit", ""), metric["definition"]])
        self.assertGreater(len(known), 30)
        rows = re.findall(r"^\|(.*)\|(.*`.*)\|(.*)\|(.*)\|$", text_of(ROOT / "configs/results.md"), re.M)
        self.assertEqual([[cell.strip() for cell in row] for row in rows], known)

    def test_every_number_of_a_result_is_named(self):
        page = text_of(ROOT / "configs/results.md")
        # Their sections have a line for all; names of message classes
        known = {"p50", "p95", "p99", "max", "user_s", "router_cycles_per_s", "flit_hops_per_s", "warm_up", "in_flight",
                 "hops_per_destination", "hops_per_packet", "pattern"}

        def unnamed(value, path):
            if isinstance(value, list):
                for item in value:
                    yield from unnamed(item, path)
            elif isinstance(value, dict):
                for key, below in value.items():
                    if key not in known and not re.search(rf"\b{key}\b", page):
                        yield f"{path}.{key}"
                    yield from unnamed(below, f"{path}.{key}")

        for file, *more in (["tests/docs/example.yaml"],
                            ["configs/boppana-1998/common.yaml", "--set", "measurement.cycles=600"],
                            ["configs/boppana-1998/figure-04.yaml"]):
            with self.subTest(file), tempfile.TemporaryDirectory(prefix="noctule-docs-") as folder:
                done = subprocess.run([PROGRAM, "run", str(ROOT / file), *more, "--quiet", "--json", "--out", folder],
                                      capture_output=True, text=True, check=False)
                self.assertIn(done.returncode, (0, 1), done.stderr)
                point = json.loads(done.stdout)["points"][0]
                del point["set"]
                self.assertEqual(list(unnamed(point, "")), [])

    def test_every_kind_is_reached_from_the_models(self):
        text = text_of(ROOT / "models/README.md").lower()
        for kind in re.findall(r"^(\w+):$", noctule("list"), re.M):
            self.assertIn(kind.lower(), text)

    def test_every_key_stands_in_the_reference_which_is_linked(self):
        self.assertIn("configs/reference.yaml", links(ROOT / "README.md"))
        self.assertEqual(noctule("list", "--reference"), text_of(ROOT / "configs/reference.yaml"))

    @unittest.skipIf(shutil.which("codespell") is None, "codespell is missing: apt-get install codespell")
    def test_spelling(self):
        done = subprocess.run(["codespell", "--ignore-words", str(ACCEPTED), *map(str, pages()),
                               *map(str, sorted((ROOT / "configs").rglob("*.yaml")))],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout, "")

    @unittest.skipIf(shutil.which("style") is None, "style is missing: apt-get install diction")
    def test_style(self):
        """The mean page: short sentences, and words that most readers of English know."""
        for page in pages():
            text = " ".join(sentences(page))
            if len(text.split()) < 200:
                continue
            report = subprocess.run(["style"], input=text, capture_output=True, text=True, check=True).stdout
            kincaid = float(re.search(r"Kincaid: (-?[\d.]+)", report)[1])
            self.assertLess(kincaid, 12, f"{page.relative_to(ROOT)}: a school grade of {kincaid}")


if __name__ == "__main__":
    unittest.main(verbosity=2)
