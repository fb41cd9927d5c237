"""Rows of a reproduction: one measured value beside the paper's and a reference, with its tolerance."""
import dataclasses
from typing import Optional


class CannotRun(Exception):
    """A sentence for the user."""


@dataclasses.dataclass
class Row:
    paper: str
    figure: str
    series: str
    x: Optional[float]
    quantity: str
    paper_value: object = None
    reference: Optional[float] = None
    measured: object = None
    ci95: Optional[float] = None
    tolerance: object = None  # absolute, or a sentence where it is not a number
    holds: bool = True

    def as_json(self):
        return dataclasses.asdict(self)


def served(point):
    """Is the load not shown to be too much? The papers and the independent models know stable and saturated only; near
    saturation a window can also be too short to tell, which is not_converged."""
    return point["status"] in ("stable", "not_converged")


def accepted(point, unit):
    """Accepted throughput over all terminals, as the papers count it: mean and interval. It stands apart only where
    some terminals are silent."""
    found = point["accepted"]
    return found.get(f"{unit}_all_terminals", found[unit])


def within(paper, figure, series, x, quantity, reference, measured, ci95, tolerance):
    """A row that holds if the measured value is within the absolute tolerance of the reference."""
    return Row(paper, figure, series, x, quantity, None, reference, measured, ci95, tolerance,
               abs(measured - reference) <= tolerance)
