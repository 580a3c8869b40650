"""What is settled once for the whole server process."""

import gc
import sys
from functools import lru_cache


def settle() -> None:
    """Make reruns cheap; call at the start of every page. Does its work once before torch is there and once after.

    Streamlit collects garbage after every script run, which costs 0.1 s with torch imported; freezing what the imports
    left takes that away. Every rerun is a new thread, so an OpenMP team each would fight over the cores: one thread.
    """
    _settle("torch" in sys.modules)


@lru_cache(maxsize=2)
def _settle(with_torch: bool) -> None:
    if with_torch:
        sys.modules["torch"].set_num_threads(1)
    gc.collect()
    gc.freeze()
