"""Settings made once for the whole server process."""

import gc
import sys
from functools import lru_cache


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
