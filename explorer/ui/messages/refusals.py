"""Messages where a text, the device or a trained model refuses: why, and what to do."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from explorer.checkpoints.manifest import CheckpointError
from explorer.inference.refused import DeviceRefused, InputRefused
from explorer.opened.refused import ModelRefused
from explorer.records.language import t
from explorer.records.wording import join_sentences
from explorer.ui import cache
from explorer.ui.messages import place
from explorer.ui.messages.checkpoints import no_checkpoint

#: What is raised where a trained model cannot be used: its files, or the device that it is to run on.
NO_MODEL = (CheckpointError, DeviceRefused)
P = TypeVar("P")
R = TypeVar("R")


def compute(function: Callable[[P], R], params: P, checkpoint: str = "", *, empty: str = "") -> R | None:
    """Return what `cache.compute` does; None, and a message, where it is refused. Arguments as of `explained`."""
    with explain(checkpoint, empty=empty):
        return cache.compute(function, params)
    return None


def example_instead(refused: InputRefused) -> None:
    """Say why a text is refused where the example is shown in its place."""
    place.info(join_sentences([refused.explain(), t("Until then the first example stands.")]))


@contextmanager
def explain(checkpoint: str = "", *, empty: str = "") -> Iterator[None]:
    """Say what is refused inside, which ends there; what follows goes on.

    Args:
        checkpoint: name of the model that is needed, if one is.
        empty: said where nothing was typed, translated; what a translator says if not given.
    """
    try:
        yield
    except InputRefused as refused:
        place.info(empty if empty and refused.reason == "empty" else refused.explain())
    except DeviceRefused as refused:
        place.error(str(refused), ":material/memory:")
    except ModelRefused as refused:
        place.warning(refused.explain(), ":material/folder_off:")
    except CheckpointError as error:
        no_checkpoint(checkpoint, error)
