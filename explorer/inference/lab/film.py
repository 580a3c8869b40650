"""Film of a lab run: what its models make of one text, step after step."""

import base64
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from explorer.inference.lab.trace import alignment
from explorer.records.arrays import Float32
from explorer.records.training_run import LabFilm, LabFrame, LabTrace

#: Weights and probabilities of a stored film are whole numbers of so many parts.
PARTS = 255


def frame(trace: LabTrace, layer: int = -1, head: int | None = None) -> LabFrame:
    """Return one look as a frame.

    Args:
        layer: of the attention; the last one if there are not so many.
        head: from 0; None for the mean over heads.
    """
    rows = tuple(each.label for each in trace.written)
    weights = np.zeros((len(rows), 0), np.float32)
    if trace.crosses:
        record = trace.crosses[min(layer, len(trace.crosses) - 1)]
        weights = record.weights.mean(0) if head is None else record.weights[min(head, record.n_heads - 1)]
    sure = np.array([each.probability for each in trace.written], np.float32)
    return LabFrame(step=trace.step, output=trace.output, rows=rows, sure=sure, weights=weights)


def film(folder: Path, steps: Iterable[int], text: str, expected: str | None) -> LabFilm:
    """Return what the models of a run's steps make of a text, and where they look while they read its right answer.

    The weights are those of the last layer, the mean over heads.

    Raises:
        SnapshotMissing: there are no weights of one of these steps.
        TextRefused: nothing visible was typed, or too much.
    """
    traces = [alignment(folder, step, text, expected=expected, reading="expected") for step in steps]
    columns = traces[-1].crosses[-1].key_labels if traces[-1].crosses else ()
    return LabFilm(source=traces[-1].source, expected=expected, columns=columns, frames=tuple(map(frame, traces)))


def pack(film: LabFilm) -> dict[str, Any]:
    """Return a film as JSON, its weights rounded to parts of `PARTS`. All frames have the same rows."""
    return {
        "source": film.source,
        "expected": film.expected,
        "columns": list(film.columns),
        "rows": list(film.frames[0].rows),
        "steps": list(film.steps),
        "outputs": [each.output for each in film.frames],
        "sure": _packed(np.stack([each.sure for each in film.frames])),
        "weights": _packed(np.stack([each.weights for each in film.frames])),
    }


def unpack(content: dict[str, Any]) -> LabFilm:
    """Read what `pack` returned.

    Raises:
        ValueError: it is something else.
        KeyError: a part is missing.
    """
    rows, columns, steps = tuple(content["rows"]), tuple(content["columns"]), content["steps"]
    sure = _unpacked(content["sure"], (len(steps), len(rows)))
    weights = _unpacked(content["weights"], (len(steps), len(rows), len(columns)))
    frames = tuple(
        LabFrame(step=int(step), output=str(output), rows=rows, sure=sure[position], weights=weights[position])
        for position, (step, output) in enumerate(zip(steps, content["outputs"], strict=True))
    )
    return LabFilm(source=content["source"], expected=content["expected"], columns=columns, frames=frames)


def _packed(values: Float32) -> str:
    parts = np.rint(PARTS * values).astype(np.uint8).tobytes()
    return base64.b85encode(zlib.compress(parts, 9)).decode("ascii")


def _unpacked(text: str, shape: tuple[int, ...]) -> Float32:
    try:
        parts = np.frombuffer(zlib.decompress(base64.b85decode(text)), np.uint8)
    except zlib.error as error:
        raise ValueError(f"no film: {error}") from error
    return (parts.reshape(shape) / PARTS).astype(np.float32)
