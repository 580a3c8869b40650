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
from explorer.ui import scripts
from explorer.ui.language import t
from explorer.ui.live import film

_film = scripts.component(Path(__file__).with_suffix(".js"))
#: Where a sub-layer looked; None where it does not look.
Looked = Sequence[AttentionRecord | None]


def draw(record: StreamRecord, place: int, looked: Looked, step: int, *, key: str, of: object, **taken: Any) -> None:
    """Draw the way of the piece at a place.

    Args:
        looked: for each point of the way.
        step: point that is shown.
        of: what the record depends on.
        taken: as of `film.show`.
    """
    likeliest = [each[place] for each in record.likeliest]
    written = record.written_labels[place]
    film.show(
        _film,
        {
            "points": [{"name": stream.point_name(each, t), "kind": each.what} for each in record.points],
            "choices": [[name(each.label, t) for each in some] for some in likeliest],
            "written": [[each.label == written for each in some] for some in likeliest],
            "looks": [[] if each is None else [name(label, t) for label, _ in most(each)] for each in looked],
        },
        arrays(record, place, looked),
        key=key,
        step=step,
        sentences=lambda: [_sentence(record, place, number, each) for number, each in enumerate(looked)],
        said=_said(len(record.points) - 1),
        of=(of, place),
        link_key="tr_point",
        **taken,
    )


def arrays(record: StreamRecord, place: int, looked: Looked) -> dict[str, npt.NDArray[np.float32]]:
    """Return `norm` and `added` `[points]`, `lens` `[points, choices]` and the largest `weights` `[points, tokens]`."""
    weights = np.full((len(looked), MOST_LOOKS), np.nan, np.float32)
    for number, each in enumerate(looked):
        if each is not None:
            found = [weight for _, weight in most(each)]
            weights[number, : len(found)] = found
    return {
        "norm": record.norm[:, place].astype(np.float32),
        "added": record.added[:, place].astype(np.float32),
        "lens": np.array([[one.probability for one in each[place]] for each in record.likeliest], np.float32),
        "weights": weights,
    }


def most(looked: AttentionRecord) -> list[tuple[str, float]]:
    """Return what got most of one row, the largest first."""
    weights = looked.weights[0, 0]
    order = np.argsort(-weights, kind="stable")[:MOST_LOOKS].tolist()
    return [(looked.key_labels[each], float(weights[each])) for each in order]


def _sentence(record: StreamRecord, place: int, number: int, looked: AttentionRecord | None) -> str:
    said = [stream.describe_point(record, place, number, t)]
    if looked is not None:
        said.append(stream.describe_looked(looked, t))
    return wording.joined(said, t)


def _said(last: int) -> dict[str, str]:
    return {
        "where": t("Step on the way"),
        "place": t("Step {n} of {m}").format(n="{n}", m=last),
        "alt": t("The vector of one word, what each sub-layer adds to it, and what would be written after it"),
        "lengths": t("Lengths: the vector, and what is added to it"),
        "lens": t("{where}: what the lens reads after it"),
        "looked": t("Where it looked"),
        "nowhere": t("This one looks nowhere: it works on each word alone."),
        "vector": t("the vector"),
        "added": t("added"),
        "probability": t("probability"),
        "weight": t("weight"),
    }
