"""A written piece on its way through the decoder as a film: what every sub-layer adds, packed once."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.lessons.translator import stream
from explorer.lessons.translator.figures.bars import MOST_LOOKS
from explorer.lessons.translator.names import name
from explorer.records import AttentionRecord, wording
from explorer.records.residual_stream import StreamRecord
from explorer.ui.live.film import Film

PICTURE = Film(Path(__file__).with_suffix(".js"))
#: Where a sub-layer looked; None where it does not look.
Looked = Sequence[AttentionRecord | None]


def pack(record: StreamRecord, position: int, looked: Looked) -> dict[str, Any]:
    """Return the way of the piece at a place; `looked` is of each point of the way."""
    likeliest = [each[position] for each in record.likeliest]
    written = record.written_labels[position]
    return {
        "points": [{"name": stream.point_name(each), "kind": each.what} for each in record.points],
        "choices": [[name(each.label) for each in some] for some in likeliest],
        "written": [[each.label == written for each in some] for some in likeliest],
        "looks": [[] if each is None else [name(label) for label, _ in most(each)] for each in looked],
        "arrays": arrays(record, position, looked),
    }


def arrays(record: StreamRecord, position: int, looked: Looked) -> dict[str, npt.NDArray[np.float32]]:
    """Return `norm` and `added` `[points]`, `lens` `[points, choices]` and the largest `weights` `[points, tokens]`."""
    weights = np.full((len(looked), MOST_LOOKS), np.nan, np.float32)
    for number, each in enumerate(looked):
        if each is not None:
            found = [weight for _, weight in most(each)]
            weights[number, : len(found)] = found
    return {
        "norm": record.norm[:, position].astype(np.float32),
        "added": record.added[:, position].astype(np.float32),
        "lens": np.array([[one.probability for one in each[position]] for each in record.likeliest], np.float32),
        "weights": weights,
    }


def most(looked: AttentionRecord) -> list[tuple[str, float]]:
    """Return what got most of one row, the largest first."""
    weights = looked.weights[0, 0]
    order = np.argsort(-weights, kind="stable")[:MOST_LOOKS].tolist()
    return [(looked.key_labels[each], float(weights[each])) for each in order]


def sentence(record: StreamRecord, position: int, number: int, looked: AttentionRecord | None) -> str:
    """Say what a point of the way does to the piece at a place, and where it looked."""
    said = [stream.describe_point(record, position, number)]
    if looked is not None:
        said.append(stream.describe_looked(looked))
    return wording.join_sentences(said)
