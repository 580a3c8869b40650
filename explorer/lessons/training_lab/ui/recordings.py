"""The recorded trainings, without which no scene of the lab can be drawn."""

from collections.abc import Callable

from explorer.checkpoints.manifest import CheckpointError
from explorer.training.lab.reference_runs import read_runs


def find_unusable() -> tuple[str, CheckpointError] | None:
    """Return the file that is missing or damaged, and what is wrong with it; nothing where all is well."""
    return lost_file(read_runs, "reference_runs.json")


def lost_file(read: Callable[[], object], name: str) -> tuple[str, CheckpointError] | None:
    """Return the file of the lab that is read, and what is wrong with it; nothing where all is well."""
    try:
        read()
    except CheckpointError as error:
        return f"explorer/training/lab/{name}", error
    return None
