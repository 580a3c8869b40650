"""Numbers in the prose about bounds, from the code that keeps them."""

from explorer.service.lab.queue import (
    FORGOTTEN_AFTER_S,
    MOST_OWN,
    MOST_OWN_ACTIVE,
    MOST_PAUSE_S,
    MOST_TRAINING,
    MOST_WAITING,
)
from explorer.service.lab.worker import MEMORY_BYTES
from explorer.training.lab.recipe import BOUNDS


def values() -> dict[str, str]:
    """Return what fills the placeholders."""
    return {
        "most_training": str(MOST_TRAINING),
        "most_waiting": str(MOST_WAITING),
        "most_active": str(MOST_OWN_ACTIVE),
        "most_own": str(MOST_OWN),
        "most_steps": f"{BOUNDS['steps'][1]:,}",
        "most_minutes": f"{BOUNDS['minutes'][1]:g}",
        "memory": f"{MEMORY_BYTES / 1e9:g} GB",
        "pause_minutes": f"{MOST_PAUSE_S / 60:g}",
        "gone_minutes": f"{FORGOTTEN_AFTER_S / 60:g}",
    }
