"""What several scenes make of their controls."""

from collections.abc import Mapping
from typing import Any

from explorer.lessons import scoring_functions as lesson
from explorer.lessons.scoring_functions import state
from explorer.records.language import t
from explorer.ui import messages


def make_params(asked: Mapping[str, Any]) -> lesson.Params:
    """Return what is scored; keys as long as the queries have no length of their own."""
    d_key = asked["d_query"] if asked["d_key"] == "same" else int(asked["d_key"])
    return lesson.Params(**{**asked, "d_key": d_key, "valid_lengths": read_lengths(asked.get("valid_lengths", ""))})


def refusal(said: str) -> None:
    """Say, above the stage, why some functions are missing; nothing where none is."""
    if said:
        messages.info(said, ":material/straighten:")


def read_lengths(typed: str) -> tuple[int, ...]:
    """Return how many keys each query may see; none, and a message, where that cannot be read."""
    try:
        return state.parse_valid_lengths(typed)
    except state.ValidLengthsError:
        messages.warning(
            t("Valid lengths must be at most four whole numbers, such as 3, 5, 8. Until then every key is valid."),
            ":material/edit:",
        )
        return ()
