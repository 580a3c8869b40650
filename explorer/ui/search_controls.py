"""The two numbers of a beam search, on every page whose model writes."""

from typing import Any

from streamlit.delta_generator import DeltaGenerator

from explorer.ui.language import t


def beam(column: DeltaGenerator, key: str, default: int, most: int, **bound: Any) -> int:
    """Draw the control for how many outputs are followed at once.

    Args:
        column: where it is drawn.
        default: its value at first.
        most: its largest value.
        bound: further arguments of `st.slider`.
    """
    said = t("How many unfinished outputs are kept at each step; 1 always takes the likeliest next token.")
    return int(column.slider(t("Beam size"), 1, most, default, key=key, help=said, **bound))


def length_penalty(column: DeltaGenerator, key: str, default: float, most: float, **bound: Any) -> float:
    """Draw the control for what length is worth when outputs are ranked; arguments as of `beam`."""
    said = t("0 ranks by the sum of log-probabilities, which favours short outputs; more favours long ones.")
    return float(column.slider(t("Length penalty"), 0.0, most, default, 0.1, key=key, help=said, **bound))
