"""The look of every figure: titles above the axes, legend and footnote below them, nothing clipped."""
import textwrap

from .text import Fonts, wrapped
from .work import CAPTION

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#aa4499", "#b8860b", "#56b4e9", "#333333"]
STYLES = ["-", "--", ":", "-."]
MARKERS = ["o", "s", "^", "D", "v", "P", "h"]
INK, QUIET = "#222222", "#8a8a8a"
GAP = 6              # points between what stands above each other
MARGIN = 0.12        # inches around a figure: viewers have other fonts
PAPER_MARGIN = 0.02  # inches, above and below a figure for a paper
PAPER_WIDTH = 3.5    # inches: a column of a paper
LEGEND_LETTERS = {False: 68, True: 44}  # of a line of a legend; for a paper
SIZES = {False: {"title": 11, "note": 8.5, "legend": 9, "footnote": 7, "label": 10, "panel": 9, "line": 1.6, "mark": 5},
         True: {"title": 9, "note": 7, "legend": 7.5, "footnote": 6, "label": 8, "panel": 7.5, "line": 1.2, "mark": 4}}


def series_style(k):
    """Colour, line and marker of series k; no two of the first 196 are alike."""
    turns = k // len(COLOURS)
    return COLOURS[k % len(COLOURS)], STYLES[turns % len(STYLES)], MARKERS[(k + turns) % len(MARKERS)]


def named(artists, text):
    """The first of these artists stands for a series in the legend. Not matplotlib's own label: labels that begin with
    an underscore would be left out."""
    artists = artists if isinstance(artists, list) else [artists]
    artists[0].legend_text = text


class Look:
    """Finishes figures and writes them. paper: so many inches wide, with letters of the size of a paper's, and with a file
    that holds the caption; 0: not for a paper. titles: with what a figure is about above it."""

    def __init__(self, out, plt, suffixes, paper=0.0, titles=True):
        self.out, self.plt, self.suffixes, self.titles = out, plt, suffixes, titles
        self.paper, self.width = paper > 0, paper
        self.fonts, self.sizes = Fonts(plt.matplotlib), SIZES[paper > 0]

    def figure_size(self, width, height, least=1.6):
        """Inches; for a paper of the width that is asked for."""
        return (self.width, max(least, height * self.width / width)) if self.paper else (width, height)

    def letters(self, of_paper_or_not):
        """Letters of a line, from those of a column of a paper and of other figures."""
        return round(of_paper_or_not[True] * self.width / PAPER_WIDTH) if self.paper else of_paper_or_not[False]

    def finish(self, figure, name, title, note="", footnote=""):
        """Puts title and note above the axes, the legend of their labelled artists and the footnote below them, and
        writes the files."""
        for text in figure.findobj(self.plt.Text):
            if text.get_text():
                text.set_text(self.fonts.text(text.get_text()))
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        stack = Stack(figure)
        if note and self.titles:
            stack.above(self.fonts.text(wrapped(note, stack.letters(self.sizes["note"]))), self.sizes["note"], color=QUIET)
        if self.titles:
            stack.above(self.fonts.text(wrapped(title, stack.letters(self.sizes["title"]) * 9 // 10)),
                        self.sizes["title"], fontweight="bold")
        self.legend(figure, stack)
        if footnote:
            lines = (line for text in footnote.split("\n") for line in
                     textwrap.wrap(text, stack.letters(self.sizes["footnote"])))
            stack.below(self.fonts.text("\n".join(lines)), self.sizes["footnote"], color=QUIET)
        self.write(figure, name, stack)
        if self.paper:
            parts = (" ".join(text.split()).rstrip(".") for text in (title, note, self.sources()))
            (self.out / f"{name}.{CAPTION}").write_text(". ".join(part for part in parts if part) + ".\n", encoding="utf-8")

    def sources(self):
        """What a caption says of where the figures come from."""
        return ""

    def legend(self, figure, stack):
        """One legend for all axes, in as many columns as fit below them."""
        named = {}
        for axes in figure.axes:
            for artist in [*axes.lines, *axes.patches, *axes.collections]:
                label = getattr(artist, "legend_text", None)
                if label is not None:
                    named.setdefault(label, artist)
        if not named:
            return
        texts = [self.fonts.text(wrapped(label, self.letters(LEGEND_LETTERS))) for label in named]
        for columns in range(min(4, len(texts)), 0, -1):
            legend = figure.legend(named.values(), ["x"] * len(texts), fontsize=self.sizes["legend"], ncol=columns,
                                   borderaxespad=0, borderpad=0, loc="upper left",
                                   bbox_to_anchor=stack.fraction(stack.next_below()))
            for text, label in zip(legend.get_texts(), texts):
                text.set_text(label)
            box = legend.get_window_extent(figure.canvas.get_renderer())
            if columns == 1 or box.width <= stack.box.width:
                break
            legend.remove()
        stack.add(box)

    def write(self, figure, name, stack):
        box = stack.box.transformed(figure.dpi_scale_trans.inverted())
        if self.paper:
            height = (box.y0 - PAPER_MARGIN, box.y1 + PAPER_MARGIN)
            box = type(box).from_extents(0, height[0], max(self.width, box.x1), height[1])
        else:
            box = box.padded(MARGIN)
        undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
        for suffix in self.suffixes:
            file = self.out / f"{name}.{suffix}"
            metadata = undated.get(suffix)
            figure.savefig(file, bbox_inches=box, metadata=metadata)
        self.plt.close(figure)


class Stack:
    """What stands above and below the axes of a figure, in pixels. `box` holds it all."""

    def __init__(self, figure):
        from matplotlib.transforms import Bbox
        self.figure, self.union = figure, Bbox.union
        renderer = figure.canvas.get_renderer()
        boxes = [axes.get_tightbbox(renderer) for axes in figure.axes if axes.get_visible()]
        boxes += [axis.label.get_window_extent(renderer) for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)
                  if axis.get_visible() and axis.label.get_text()]
        boxes += [text.get_window_extent(renderer) for text in figure.texts if text.get_text()]
        self.box = self.union([box for box in boxes if box is not None])
        self.gap = GAP * figure.dpi / 72

    def letters(self, size):
        """How many letters of a size fit beside each other."""
        return max(30, int(self.box.width * 72 / self.figure.dpi / (0.56 * size)))

    def fraction(self, place):
        """Of the figure's width and height: what holds at any resolution."""
        return tuple(self.figure.transFigure.inverted().transform(place))

    def add(self, box):
        self.box = self.union([self.box, box])

    def next_below(self):
        return (self.box.x0, self.box.y0 - self.gap)

    def above(self, text, size, **style):
        self.put(self.box.x0, self.box.y1 + self.gap * 0.7, text, size, va="bottom", **style)

    def below(self, text, size, **style):
        self.put(*self.next_below(), text, size, va="top", **style)

    def put(self, x, y, text, size, **style):
        drawn = self.figure.text(*self.fraction((x, y)), text, fontsize=size, ha="left", linespacing=1.25, **style)
        self.add(drawn.get_window_extent(self.figure.canvas.get_renderer()))
