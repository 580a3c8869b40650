"""The recorded trainings, without which no scene of the lab can be drawn."""

from explorer.checkpoints.manifest import CheckpointError
from explorer.training.lab.reference_runs import measured

_PATH = "explorer/training/lab/reference_runs.json"


def lost() -> tuple[str, CheckpointError] | None:
    """Return the file that is missing or damaged, and what is wrong with it; nothing where all is well."""
    try:
        measured()
    except CheckpointError as error:
        return _PATH, error
    return None
