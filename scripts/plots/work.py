"""Draws many figures, each in a process of its own, and keeps a record of what shows which results."""
import hashlib
import json
import os
import signal
import sys
import time

RECORD = "drawn.json"  # in the folder of the plots: digest of the results, names of the files that show them
SUFFIXES = ("svg", "png", "pdf")  # the last where it is asked for
CAPTION = "txt"  # of a figure for a paper
INTERVAL = {True: 0.2, False: 30.0}  # seconds between two reports: on a terminal, elsewhere


class Progress:
    """How many figures are drawn: a line that is rewritten on a terminal; elsewhere, where it is asked for, a line
    at the start, every 30 seconds and at the end."""

    def __init__(self, total, asked, quiet):
        self.terminal = sys.stderr.isatty()
        self.total, self.shown, self.last = total, not quiet and (asked or self.terminal), None

    def tell(self, done, now):
        if not self.shown or (self.last is not None and done < self.total and now - self.last < INTERVAL[self.terminal]):
            return
        self.last = now
        text = f"plots: {done}/{self.total} figures drawn"
        print(f"\r{text}\x1b[K" if self.terminal else text, end="" if self.terminal else "\n", file=sys.stderr, flush=True)

    def clear(self):
        if self.shown and self.terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def draw_here(plotter, figure):
    """In the child. Exit code: was it drawn?"""
    code = 1
    try:
        getattr(plotter, figure.method)(*figure.arguments, **figure.options)
        code = 0
    except Exception as problem:  # whatever it is: it has the name of the figure, and costs no other one
        print(f"plot: {figure.name} could not be drawn: {type(problem).__name__}: {problem}", file=sys.stderr)
    finally:
        sys.stderr.flush()
        os._exit(code)


def draw(plotter, figures, jobs, progress):
    """Draws, `jobs` figures at once. (files, names of the figures that failed), in the order given."""
    failed, running, waiting, done = set(), {}, list(enumerate(figures)), 0
    try:
        while waiting or running:
            progress.tell(done, time.monotonic())
            while waiting and len(running) < jobs:
                number, figure = waiting.pop(0)
                remove(files_of(plotter.out, figure))
                sys.stdout.flush()
                child = os.fork()
                if child == 0:
                    signal.signal(signal.SIGINT, signal.SIG_DFL)
                    draw_here(plotter, figure)
                running[child] = number
            child, status = os.waitpid(-1, os.WNOHANG)
            if child == 0:
                time.sleep(0.02)
                continue
            number, done = running.pop(child), done + 1
            if status != 0:
                failed.add(number)
                remove(files_of(plotter.out, figures[number]))
            if os.WIFSIGNALED(status):
                progress.clear()
                print(f"plot: {figures[number].name} is not drawn: its process was ended by signal "
                      f"{os.WTERMSIG(status)}", file=sys.stderr)
        progress.tell(done, time.monotonic())
    finally:
        progress.clear()
        for child in running:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    drawn = [file for figure in figures for file in files_of(plotter.out, figure) if file.is_file()]
    return drawn, [figures[number].name for number in sorted(failed)]


def files_of(out, figure):
    return [out / f"{figure.name}.{suffix}" for suffix in (*SUFFIXES, CAPTION)]


def remove(files):
    for file in files:
        file.unlink(missing_ok=True)


# --- what earlier drawing left ----------------------------------------------------------------------------

def digest_of(folder):
    return hashlib.sha256((folder / "results.json").read_bytes()).hexdigest()


def read_record(out):
    """(digest of the results, names of files) of the last drawing into this folder."""
    try:
        record = json.loads((out / RECORD).read_text(encoding="utf-8"))
        names = [name for name in record["files"] if "/" not in name and name.endswith((*SUFFIXES, CAPTION))]
        return record["results"], names
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None, []


def remove_stale(folder, out, drawn):
    """Takes away what an earlier drawing left of other results, and records what shows these. Names of what was
    taken away."""
    results, names = read_record(out)
    now = digest_of(folder)
    fresh = {file.name for file in drawn}
    stale = [] if results == now else [name for name in names if name not in fresh and (out / name).is_file()]
    remove(out / name for name in stale)
    kept = names if results == now else []
    text = json.dumps({"results": now, "files": sorted(fresh | set(kept))}, indent=1)
    (out / RECORD).write_text(text + "\n", encoding="utf-8")
    return stale
