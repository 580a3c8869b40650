"""Page 06: inside one head: how a score comes about, which shapes there are, and what each head adds to the output."""

from explorer.lessons._multi_head_state import Result, View
from explorer.records.heads import ContributionRecord, InsideRecord, ShapeStep


def inside(result: Result, view: View) -> InsideRecord:
    """Query and key of the view's pair of tokens in the view's head, their product, and the score it adds up to."""
    raise NotImplementedError


def shapes(result: Result, view: View) -> tuple[ShapeStep, ...]:
    """Every step from the input to the output of the view's attention, with its shape in the reader's numbers."""
    raise NotImplementedError


def contributions(result: Result, view: View) -> ContributionRecord:
    """What each head of the view's attention adds to its output, for every query token."""
    raise NotImplementedError
