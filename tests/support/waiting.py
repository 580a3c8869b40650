"""Wait for what another thread or process brings about."""

import threading
import time
from collections.abc import Callable


def until(holds: Callable[[], object], seconds: float = 240.0) -> None:
    """Return as soon as something holds; on a crowded machine that may take its time."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, [thread.name for thread in threading.enumerate()]
        time.sleep(0.005)
