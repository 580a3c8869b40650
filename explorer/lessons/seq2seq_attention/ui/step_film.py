"""Steps of a recurrent decoder as a film: every number packed once, played, stepped and scrubbed in the browser."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from explorer.lessons.seq2seq_attention import numbers, readings
from explorer.lessons.seq2seq_attention.figures.columns import plain_names
from explorer.lessons.seq2seq_attention.figures.whole_step import LIKELIEST
from explorer.records import wording
from explorer.records.recurrent import DecoderStep, RecurrentRecord, Vector
from explorer.ui import appearance, scripts
from explorer.ui.language import t
from explorer.ui.live import film

Rows = list[tuple[str, Vector]]
_film = scripts.component(Path(__file__).with_suffix(".js"))


def draw(
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
    """Draw the steps, and below them what is said of the one that is shown.

    Args:
        shown: `step` for all of it, `scores`, `sum` of the context, or `state`.
        step: that is shown, from 0.
        strips: vectors and what they are called, a list for each step; for `sum` and `state`.
        of: what the record depends on.
        link_key: key of the hidden field that carries the step in the link.
        after: whether the memory after a step asks, and not the one before it.
        taken: as of `film.show`.
    """
    trace, look = record.trace, appearance.current()
    head: dict[str, Any] = {
        "shown": shown,
        "looks": trace.steps[0].weights is not None,
        "words": plain_names(trace.source.word_labels, t),
        "tokens": plain_names(trace.source.labels, t),
        "written": plain_names(trace.written.labels, t, None),
        "next": [_likeliest(each) for each in trace.steps],
        "chosen": [each.chosen for each in trace.steps],
        "rows": [[name for name, _ in rows] for rows in strips],
        "ruled": {"sum": -1, "state": 2}.get(shown, -2),
        "inks": (look.query, look.paper, look.key),
    }
    film.show(
        _film,
        head,
        arrays(record, strips, after=after),
        key=key,
        step=step,
        sentences=lambda: [_sentence(record, shown, place) for place in range(len(trace.steps))],
        said=_said(record, shown),
        of=(of, shown),
        link_key=link_key,
        counted=1,
        **taken,
    )


def arrays(
    record: RecurrentRecord, strips: Sequence[Rows], *, after: bool = False
) -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]:
    """Return what the browser draws: `scores` and `weights` `[steps, tokens]`, `shares` of whole words, and vectors."""
    steps, tokens = record.trace.steps, len(record.trace.source.labels)
    none = np.full(tokens, np.nan, np.float32)
    by_word = [numbers.of_words(record, step) for step in steps]
    return {
        "scores": np.stack([none if step.scores is None else step.scores for step in steps]),
        "weights": np.stack([none if step.weights is None else step.weights for step in steps]),
        "shares": np.stack([shares for shares, _ in by_word]),
        "states": np.stack([states[:, : numbers.DRAWN] for _, states in by_word]),
        "memory": np.stack([(step.after if after else step.before)[: numbers.DRAWN] for step in steps]),
        "context": np.stack([step.context[: numbers.DRAWN] for step in steps]),
        **({"strips": _padded(strips)} if strips else {}),
    }


def _padded(strips: Sequence[Rows]) -> np.ndarray[Any, np.dtype[np.float32]]:
    made = np.full((len(strips), max(map(len, strips)), strips[0][0][1].size), np.nan, np.float32)
    for place, rows in enumerate(strips):
        made[place, : len(rows)] = [vector for _, vector in rows]
    return made


def _likeliest(step: DecoderStep) -> list[tuple[str, float, str]]:
    some = step.likeliest[:LIKELIEST]
    shown = plain_names([each.label for each in some], t)
    return [(name, each.probability, wording.percent(each.probability)) for name, each in zip(shown, some, strict=True)]


def _sentence(record: RecurrentRecord, shown: str, place: int) -> str:
    step = record.trace.steps[place]
    if shown == "sum":
        said = readings.describe_context(record, step, t)
    elif shown == "state":
        said = readings.describe_state(step, t)
    elif shown == "scores" and step.scores is not None:
        said = readings.describe_scores(record, step, t)
    else:
        said = readings.describe_step(record, place, t)
    return said


def _said(record: RecurrentRecord, shown: str) -> dict[str, str]:
    size, count = record.trace.summary.size, len(record.trace.steps)
    return {
        "where": t("Step"),
        "place": t("Step {n} of {m}").format(n="{n}", m=count),
        "alt": t("One step: memory, weights of the words, context, and the next word"),
        "written": t("Written so far (click a word)"),
        "note": _note(size) if shown == "step" else "",
        "memory": t("its memory"),
        "words": t("words"),
        "states": t("states"),
        "context": t("context"),
        "next": t("the next word"),
        "score": t("score"),
        "weight": t("weight"),
    }


def _note(size: int) -> str:
    return t("{n} numbers each, {drawn} drawn").format(n=size, drawn=min(numbers.DRAWN, size))
