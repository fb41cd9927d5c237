"""SystemVerilog sources: which files a module needs, and a digest of what they say."""
import hashlib
import pathlib
import re

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
UNSEEN = re.compile(r"`ifndef\s+SYNTHESIS\b.*?`endif\b", re.S)  # assertions; no other condition is in them
INSTANCE = re.compile(r"\b([A-Za-z_]\w*)\s*(?=#\s*\(|[A-Za-z_]\w*\s*(?:\[[^\]]*\]\s*)?\()")


class CannotSynthesize(Exception):
    """A sentence for the user."""


def code_of(file):
    """The text of a file without comments and assertions, blanks squeezed: what a synthesis can depend on."""
    return " ".join(UNSEEN.sub(" ", COMMENT.sub(" ", file.read_text(encoding="utf-8"))).split())


class Sources:
    """All modules below some folders; one module per file, file and module have one name."""

    def __init__(self, folders):
        self.files = {}
        for folder in folders:
            if not folder.is_dir():
                raise CannotSynthesize(f"there is no folder {folder}")
            self.files.update({file.stem: file for file in sorted(folder.rglob("*.sv"))})

    def needed(self, top):
        """Files that a module needs, itself included."""
        if top not in self.files:
            raise CannotSynthesize(f"there is no module {top}: no file {top}.sv in the folders of sources")
        found, open_ends = {}, [top]
        while open_ends:
            name = open_ends.pop()
            if name in found:
                continue
            found[name] = self.files[name]
            used = set(INSTANCE.findall(code_of(self.files[name]))) & self.files.keys()
            open_ends.extend(used)
        return [found[name] for name in sorted(found)]

    def has_parameter(self, top, name):
        """Does the head of the module declare it?"""
        self.needed(top)
        return re.search(rf"\bparameter\b[^,;)]*?\b{name}\s*=", code_of(self.files[top])) is not None

    def digest(self, top):
        """Of the code that a module needs; comments and blanks do not count."""
        text = "\n".join(code_of(file) for file in self.needed(top))
        return hashlib.sha256(text.encode()).hexdigest()[:12]


def module_of(name, folders):
    """(module, folders): NAME may also be a file, whose folder is then looked into first."""
    if name.endswith(".sv"):
        file = pathlib.Path(name)
        if not file.is_file():
            raise CannotSynthesize(f"there is no file {name}")
        return file.stem, [*folders, file.parent]
    return name, folders
