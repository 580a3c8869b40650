"""Steps of a recurrent decoder as a film: memory, weights, context and the next word of each."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from explorer.figures.look import look
from explorer.lessons.seq2seq_attention import numbers, readings
from explorer.lessons.seq2seq_attention.figures.columns import plain_names
from explorer.lessons.seq2seq_attention.live.german import explain_german
from explorer.records import wording
from explorer.records.arrays import Float32
from explorer.records.recurrent import DecoderStep, RecurrentRecord
from explorer.ui.live.film import Film

Rows = list[tuple[str, Float32]]
PICTURE = Film(Path(__file__).with_suffix(".js"))
#: Words that could be written next.
LIKELIEST = 5


def show(
    record: RecurrentRecord,
    shown: str,
    step: int,
    strips: Sequence[Rows],
    *,
    key: str,
    of: object,
    link_key: str,
    after: bool = False,
    **taken: Any,
) -> None:
    """Show the steps, and below them what is said of the one that is shown.

    Args:
        record: what a model wrote.
        shown: `step` for all of it, `scores`, `sum` of the context, or `state`.
        step: that is shown, from 0.
        strips: vectors and what they are called, a list for each step; for `sum` and `state`.
        key: as of `Film.show`, as are link_key and what is taken away.
        of: what the record depends on.
        link_key: of the step.
        after: whether the memory after a step asks, and not the one before it.
        taken: title and table.
    """
    positions = range(len(record.trace.steps))
    PICTURE.show(
        key,
        partial(pack, record, shown, strips, after=after),
        step=step,
        link_key=link_key,
        positions=positions,
        sentences=lambda: [_sentence(record, shown, position) for position in positions],
        of=(of, shown),
        counted=1,
        provenance=record.provenance,
        **taken,
    )


def pack(record: RecurrentRecord, shown: str, strips: Sequence[Rows], *, after: bool = False) -> dict[str, Any]:
    """Return every step; arguments as of `show`."""
    trace = record.trace
    return {
        "shown": shown,
        "looks": trace.steps[0].weights is not None,
        "words": plain_names(trace.source.word_labels),
        "written": plain_names(trace.written.labels, None),
        "next": [_likeliest(each) for each in trace.steps],
        "chosen": [each.chosen for each in trace.steps],
        "rows": [[name for name, _ in rows] for rows in strips],
        "ruled": {"sum": -1, "state": 2}.get(shown, -2),
        "inks": (look().query, look().paper, look().key),
        "numbers": trace.summary.size,
        "drawn": min(numbers.DRAWN, trace.summary.size),
        "arrays": arrays(record, strips, after=after),
    } | explain_german([record])


def arrays(
    record: RecurrentRecord, strips: Sequence[Rows], *, after: bool = False
) -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]:
    """Return what the browser draws: `scores` and weights, `shares`, of words, `[steps, words]`, and vectors."""
    steps = record.trace.steps
    none = np.full(len(record.trace.source.words), np.nan, np.float32)
    by_word = [numbers.of_words(record, step) for step in steps]
    scored = [numbers.word_scores(record.trace, step) for step in steps]
    return {
        "scores": np.stack([none if each is None else each for each in scored]),
        "shares": np.stack([shares for shares, _ in by_word]),
        "states": np.stack([states[:, : numbers.DRAWN] for _, states in by_word]),
        "memory": np.stack([(step.after if after else step.before)[: numbers.DRAWN] for step in steps]),
        "context": np.stack([step.context[: numbers.DRAWN] for step in steps]),
        **({"strips": _padded(strips)} if strips else {}),
    }


def _padded(strips: Sequence[Rows]) -> np.ndarray[Any, np.dtype[np.float32]]:
    made = np.full((len(strips), max(map(len, strips)), strips[0][0][1].size), np.nan, np.float32)
    for position, rows in enumerate(strips):
        made[position, : len(rows)] = [vector for _, vector in rows]
    return made


def _likeliest(step: DecoderStep) -> list[tuple[str, float, str]]:
    some = step.likeliest[:LIKELIEST]
    shown = plain_names([each.label for each in some])
    return [(name, each.probability, wording.percent(each.probability)) for name, each in zip(shown, some, strict=True)]


def _sentence(record: RecurrentRecord, shown: str, position: int) -> str:
    step = record.trace.steps[position]
    if shown == "sum":
        said = readings.describe_context(record, step)
    elif shown == "state":
        said = readings.describe_state(step)
    elif shown == "scores" and step.scores is not None:
        said = readings.describe_scores(record, step)
    else:
        said = readings.describe_step(record, position)
    return said
