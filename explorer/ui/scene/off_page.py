"""A scene is computed at its defaults, in a session without a browser."""

from collections.abc import Callable
from typing import TypeVar

from explorer.ui.streamlit_internals import own_session

R = TypeVar("R")


def run(make: Callable[[], R], words: str) -> R:
    """Return what a function makes in a session of its own.

    Args:
        make: may call whatever a page calls.
        words: language of the session.
    """
    return own_session.run(make, {"language": words, "language_chosen": True})
