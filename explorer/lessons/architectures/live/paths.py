"""The way of a signal as a film: connections, nodes and ways of all four networks, and when each is computed."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.lessons.architectures import readings
from explorer.records.architectures import PathRecord
from explorer.scenes.architectures import SENTENCE
from explorer.ui.live.film import Film

PICTURE = Film(Path(__file__).with_suffix(".js"))
#: From the top.
SHOWN = ("attention", "recurrence", "dilated", "convolution")


def pack(records: Sequence[PathRecord]) -> dict[str, Any]:
    """Return the networks, one below the other, and the way of the signal through each."""
    found, names = {record.name: record for record in records}, readings.names()
    return {
        "words": SENTENCE.split()[: records[0].n],
        "source": records[0].source,
        "target": records[0].target,
        "networks": [
            {
                "name": name,
                "title": names[name],
                "rows": found[name].rows,
                "waits": found[name].waits,
            }
            for name in SHOWN
        ],
        "arrays": {name: array for record in records for name, array in arrays(record).items()},
    }


def arrays(record: PathRecord) -> dict[str, npt.NDArray[np.float32]]:
    """Return what is drawn of a network: `edges` `[edges, 4]`, `nodes` and `path` with their step, `[n, 3]`."""
    nodes = np.array([(row, at) for row in range(record.rows) for at in range(record.n)], np.int16)
    return {
        f"{record.name}_edges": record.edges.astype(np.float32),
        f"{record.name}_nodes": _timed(record, nodes),
        f"{record.name}_path": _timed(record, record.path),
    }


def _timed(record: PathRecord, nodes: npt.NDArray[np.int16]) -> npt.NDArray[np.float32]:
    """Add to each node the step after which it is computed: a layer is one step, and so is a state of a recurrence."""
    row, at = nodes[:, 0], nodes[:, 1]
    when = np.where(row == 0, 0, at + 1) if record.name == "recurrence" else row
    return np.column_stack([row, at, when]).astype(np.float32)
