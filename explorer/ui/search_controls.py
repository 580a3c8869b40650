"""The two numbers of a beam search, on every page whose model writes."""

from explorer.records.language import t
from explorer.ui import choice


def beam(key: str, most: int) -> int:
    """Ask how many outputs are followed at once, at most so many."""
    said = t("How many unfinished outputs are kept at each step; 1 always takes the likeliest next token.")
    return choice.slider(t("Beam size"), 1, most, key=key, help=said)


def length_penalty(key: str, most: float) -> float:
    """Ask what length is worth when outputs are ranked, at most so much."""
    said = t("0 ranks by the sum of log-probabilities, which favours short outputs; more favours long ones.")
    return choice.slider(t("Length penalty"), 0.0, most, 0.1, key=key, help=said)
