"""Settings made once for the whole server process."""

import gc
import sys
from functools import lru_cache

from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

_clear = ForwardMsgQueue.clear


def _clear_all_or_nothing(
    queue: ForwardMsgQueue, retain_lifecycle_msgs: bool = False, fragment_ids_this_run: list[str] | None = None
) -> None:
    """Let what a fragment has drawn be sent before it is drawn anew.

    Streamlit 1.67 throws away what a fragment that runs again has not sent yet, but keeps what other fragments have
    drawn within it or behind it. A browser that hears of a second place before the first shows an empty page: at every
    fourth visit to the training lab by a reader with a training of their own, whose browser answers while the page is
    still being drawn.
    """
    if fragment_ids_this_run is None:
        _clear(queue, retain_lifecycle_msgs)
    else:
        queue._delta_index_map = {}  # what is drawn anew comes after it, not in its place


ForwardMsgQueue.clear = _clear_all_or_nothing  # type: ignore[assignment, method-assign]


def configure_server() -> None:
    """Make reruns cheap; call at the start of every page. Does its work only when a page has brought new imports.

    Walking through all that torch's import left costs 0.1 s at every full garbage collection; freezing it takes that
    away. Streamlit's own collection after every script run, which holds up its last messages, is switched off in
    `.streamlit/config.toml`: Python's comes when enough has piled up. Every rerun is a new thread, so an OpenMP team
    each would fight over the cores: one thread.
    """
    _settle("torch" in sys.modules, _lessons(len(sys.modules)))


@lru_cache(maxsize=64)
def _lessons(imported: int) -> int:  # noqa: ARG001 - they are counted anew where anything has been imported
    return sum(name.startswith("explorer.lessons.") for name in tuple(sys.modules))


@lru_cache(maxsize=64)
def _settle(with_torch: bool, lessons: int) -> None:  # noqa: ARG001 - another lesson is another key
    if with_torch:
        sys.modules["torch"].set_num_threads(1)
    gc.collect()
    gc.freeze()
