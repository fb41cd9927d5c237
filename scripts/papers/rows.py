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


def within(paper, figure, series, x, quantity, reference, measured, ci95, tolerance):
    """A row that holds if the measured value is within the absolute tolerance of the reference."""
    return Row(paper, figure, series, x, quantity, None, reference, measured, ci95, tolerance,
               abs(measured - reference) <= tolerance)
