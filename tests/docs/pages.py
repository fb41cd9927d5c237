"""The pages of the project, and what is in them."""
import os
import pathlib
import re

ROOT = pathlib.Path(os.environ["NOCTULE_SOURCE_DIR"])


def pages():
    """Every Markdown file, the README first."""
    found = [p for p in sorted(ROOT.rglob("*.md"))
             if not any(part.startswith((".", "build", "out")) for part in p.relative_to(ROOT).parts)]
    return sorted(found, key=lambda p: (p != ROOT / "README.md", p))


def text_of(page):
    return page.read_text(encoding="utf-8")


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", text_of(page), re.S | re.M)


def prose(page):
    """Without blocks of code."""
    return re.sub(r"^```.*?^```", "", text_of(page), flags=re.S | re.M)


def links(page):
    return re.findall(r"\]\s?\(([^)\s]+)\)", prose(page))


def sentences(page):
    """Of paragraphs and list items, as a reader counts: what a code span holds is one word."""
    text = re.sub(r"^( {4,}|\|).*$", "", prose(page), flags=re.M)  # indented code, tables
    text = re.sub(r"!?\[([^\]]*)\]\s?\([^)]*\)", r"\1", text)
    text = re.sub(r"`[^`]*`", "code", text)
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[*#]+|\d+\.)\s)", text):
        flat = " ".join(paragraph.split()).lstrip("#* ")
        flat = re.sub(r"\b(et al|i\.e|e\.g|cf|vs)\.", r"\1", flat)
        yield from (s for s in re.split(r"(?<=[.!?])\s+", flat) if s)
