"""Messages where a text, the device or a trained model refuses: why, and what to do."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import streamlit as st

from explorer.checkpoints.manifest import CheckpointError
from explorer.inference.device import DeviceRefused
from explorer.inference.translator.translate import InputRefused
from explorer.ui import cache, figure_card, messages
from explorer.ui.language import t

P = TypeVar("P")
R = TypeVar("R")


def compute(function: Callable[[P], R], params: P, checkpoint: str = "", *, empty: str = "") -> R | None:
    """Return what `cache.compute` does; None, and a message, where it is refused. Arguments as of `explained`."""
    with explained(checkpoint, empty=empty):
        return cache.compute(function, params)
    return None


@contextmanager
def explained(checkpoint: str = "", *, empty: str = "") -> Iterator[None]:
    """Say what is refused inside, which ends there; what follows goes on.

    Args:
        checkpoint: name of the model that is needed, if one is.
        empty: said where nothing was typed, translated; what a translator says if not given.
    """
    try:
        yield
    except InputRefused as refused:
        said = empty if empty and refused.reason == "empty" else refused.explain(t)
        st.info(figure_card.escape(said), icon=":material/edit:")
    except DeviceRefused as refused:
        st.error(figure_card.escape(str(refused)), icon=":material/memory:")
    except CheckpointError as error:
        messages.no_checkpoint(checkpoint, error)
