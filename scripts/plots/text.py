"""Text in figures: names that users gave, as the fonts here can draw them, and what a figure is about."""
import textwrap
import unicodedata

MOST_LETTERS = 240   # of a name; the middle of longer ones is left out
MOST_FONTS = 6       # beside the first one
FIRST_FONT = "DejaVu Sans"  # comes with matplotlib


def drawable(text):
    """The text without line breaks, control characters and halves of characters."""
    kept = []
    for letter in str(text):
        kind = unicodedata.category(letter)
        kept.append(" " if kind in ("Cc", "Zl", "Zp") else "\N{REPLACEMENT CHARACTER}" if kind == "Cs" else letter)
    text = "".join(kept).strip()
    if len(text) > MOST_LETTERS:
        text = text[:MOST_LETTERS * 2 // 3] + " ... " + text[-MOST_LETTERS // 3:]
    return text


def wrapped(text, letters):
    """Lines of at most so many letters; several blanks stay several."""
    lines = textwrap.wrap(text, letters, break_on_hyphens=False, replace_whitespace=False, drop_whitespace=True)
    return "\n".join(lines) or text


def axis_title(text, letters):
    """A title that fits beside its axis, broken first where a new thought begins."""
    if len(text) > letters:
        for mark in (": ", " ("):
            head, found, tail = text.partition(mark)
            if found:
                return wrapped(head + found.rstrip(" ("), letters) + "\n" + wrapped(found.lstrip(": ") + tail, letters)
    return wrapped(text, letters)


def texts_of(value):
    """All texts in something that was read from JSON."""
    if isinstance(value, dict):
        return {text for part in value.values() for text in texts_of(part)} | set(value)
    if isinstance(value, list):
        return {text for part in value for text in texts_of(part)}
    return {value} if isinstance(value, str) else set()


class Fonts:
    """Chooses fonts for all letters of some texts. A letter that no font here has is written as its number."""

    def __init__(self, matplotlib):
        self.matplotlib, self.replaced = matplotlib, {}

    def prepare(self, texts):
        """Returns the letters that no font has, as a set."""
        from matplotlib import font_manager
        first = font_manager.get_font(font_manager.findfont(FIRST_FONT))
        wanted = {letter for text in texts for letter in text
                  if ord(letter) > 0x7e and not first.get_char_index(ord(letter))}
        # What only joins or varies letters is nothing by itself.
        joining = {letter for letter in wanted if unicodedata.category(letter) in ("Cf", "Mn")}
        self.replaced = dict.fromkeys(joining, "")
        wanted -= joining
        families = [FIRST_FONT]
        for entry in sorted(font_manager.fontManager.ttflist, key=lambda e: (e.style != "normal", e.weight != 400, e.name)):
            if not wanted or len(families) > MOST_FONTS:
                break
            found = covered(font_manager, entry, wanted)
            if found:
                families.append(entry.name)
                wanted -= found
        self.matplotlib.rcParams["font.family"] = families
        self.replaced.update((letter, f"[U+{ord(letter):04X}]") for letter in wanted)
        return wanted

    def text(self, text):
        """The text with every letter replaced that cannot be drawn."""
        return "".join(self.replaced.get(letter, letter) for letter in text) if self.replaced else text


def covered(font_manager, entry, letters):
    """Those of the letters that a font can draw; none if it cannot be read (fonts of pictures)."""
    try:
        font = font_manager.get_font(entry.fname)
        found = {letter for letter in letters if font.get_char_index(ord(letter))}
        for letter in found:
            font.set_size(10, 72)
            font.load_char(ord(letter))
        return found if "lastresort" not in entry.name.lower().replace(" ", "") else set()
    except (OSError, RuntimeError, ValueError):
        return set()


def missing_text(letters):
    """What a user can do about letters that no font has."""
    names = ", ".join(f"U+{ord(letter):04X}" for letter in sorted(letters)[:8])
    more = f" and {len(letters) - 8} more" if len(letters) > 8 else ""
    return (f"no font on this machine has {names}{more}; written as [U+....] in the figures; install a font that has "
            "them (Debian: apt-get install fonts-noto-cjk fonts-symbola)")


# --- what a figure is about -------------------------------------------------------------------------------

def below(value, path):
    """The value at a path of keys inside a value; nothing if there is none."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def overrides(results, point):
    """(key, value) that make this point out of the configuration; what chooses a kind comes first."""
    config = results.get("config") or {}
    given = {}
    for key, values in (config.get("sweep") or {}).items():
        if isinstance(values, list) and len(values) == 1:
            given[key] = values[0]
    series = [s.get("set") or {} for s in config.get("compare") or [] if isinstance(s, dict)]
    for key in series[0] if series else ():
        if all(s.get(key) == series[0][key] for s in series):
            given[key] = series[0][key]
    given.update(point.get("set") or {})
    return sorted(given.items(), key=lambda item: not item[0].endswith(".kind"))


def setting(results, point, key):
    """What the configuration of a point says for a key, 'topology' for one."""
    path = key.split(".")
    value = below(results.get("config") or {}, path)
    for other, given in overrides(results, point):
        there = other.split(".")
        if path[:len(there)] == there:
            value = below(given, path[len(there):])
        elif there[:len(path)] == path:
            rest = there[len(path):]
            if rest == ["kind"]:
                value = value if isinstance(value, dict) and value.get("kind") == given else {"kind": given}
            else:
                value = with_value(value, rest, given)
    return value


def with_value(section, path, value):
    section = dict(section) if isinstance(section, dict) else {}
    section[path[0]] = value if len(path) == 1 else with_value(section.get(path[0]), path[1:], value)
    return section


def network_text_of(results, point):
    """The network of a point; of several planes, how many they are."""
    planes = setting(results, point, "planes")
    if not isinstance(planes, dict) or not planes:
        return network_text(setting(results, point, "topology"))
    text = f"{len(planes)} planes" if len(planes) > 1 else "1 plane"
    own = any(key.split(".")[0] in ("topology", "without") for plane in planes.values() if isinstance(plane, dict)
              for key in (plane.get("set") or {}))
    return text if own else f"{text} of {network_text(setting(results, point, 'topology'))}"


def network_text(topology):
    """"15x15 torus", "ring of 8"."""
    if isinstance(topology, str):
        return topology
    if not isinstance(topology, dict) or "kind" not in topology:
        return ""
    kind, radix = str(topology["kind"]).replace("_", " "), topology.get("radix")
    if isinstance(radix, list) and radix:
        return "x".join(map(str, radix)) + f" {kind}"
    if "nodes" in topology:
        return f"{kind} of {topology['nodes']}"
    if "dimensions" in topology:
        return f"{kind} of {topology['dimensions']} dimensions"
    if isinstance(topology.get("file"), str):
        return f"{kind} of {topology['file'].rsplit('/', 1)[-1]}"
    return kind


def subject(results, points):
    """Network and traffic, as far as all these points have them in common: "8x8 torus, uniform traffic, 5-flit
    packets". What traffic it is, the program says in `caption`: it knows which keys count."""
    captions = [p.get("caption") if isinstance(p.get("caption"), dict) else {} for p in points]
    columns = [{network_text_of(results, p) for p in points}]
    columns += [{str(caption.get(part, "")) for caption in captions} for part in ("pattern", "packets", "source")]
    return ", ".join(text for texts in columns if len(texts) == 1 and (text := texts.pop()))
