"""One detail of a sentence through several models, as a film whose steps are the details."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from explorer.lessons.seq2seq_attention import details, numbers, readings
from explorer.lessons.seq2seq_attention.figures.columns import plain_names
from explorer.lessons.seq2seq_attention.live.german import explain_german
from explorer.records.language import t
from explorer.records.recurrent import RecurrentRecord
from explorer.ui.live.film import Film
from explorer.ui.scene import predict

PICTURE = Film(Path(__file__).with_suffix(".js"))
#: A longer word is cut; the browser breaks a shorter one where it does not fit.
MOST_LETTERS = 40
#: Letters of what stands in the list of details.
MOST_TOLD = 22


def show(
    records: Mapping[str, RecurrentRecord],
    step: int,
    *,
    key: str,
    of: object,
    link_key: str,
    across: int,
    waits: bool = False,
) -> None:
    """Show what each model made of the detail of a step.

    Args:
        records: of one sentence, by what the model is called.
        step: number of the detail, from 0.
        key: English name, unique on the page.
        of: what the records depend on.
        link_key: key of the hidden field that carries the step in the link.
        across: models that stand side by side.
        waits: whether what became of the details is not shown yet.
    """
    steps = _steps(records, of)
    if waits:
        steps |= {"sentences": lambda: [predict.prompt()] * len(steps["positions"]), "of": (of, waits)}
    PICTURE.show(key, partial(pack, records, across=across, waits=waits), step=step, link_key=link_key, **steps)


def remark(title: str, record: RecurrentRecord, step: int, *, key: str, of: object, **taken: Any) -> None:
    """Show what is said of one of the models, and the icon, which hands it out alone; arguments as of `show`."""
    records = {title: record}
    PICTURE.remark(
        key,
        partial(pack, records, across=1),
        step=step,
        **_steps(records, of),
        title=title,
        **taken,
        provenance=record.provenance,
    )


def pack(records: Mapping[str, RecurrentRecord], *, across: int, waits: bool = False) -> dict[str, Any]:
    """Return what each model made of every detail; arguments as of `show`."""
    arrays = {}
    for position, record in enumerate(records.values()):
        arrays[f"weights_{position}"] = numbers.looks(record, pieces=False)[1].astype(np.float32)
        arrays[f"vector_{position}"] = record.trace.summary[: numbers.DRAWN].astype(np.float32)
    return {
        "columns": [_head(title, record, waits=waits) for title, record in records.items()],
        "across": across,
        "arrays": arrays,
    } | explain_german(records.values())


def _steps(records: Mapping[str, RecurrentRecord], of: object) -> dict[str, Any]:
    every = details.details(next(iter(records.values())))
    return {
        "positions": range(len(every)),
        "sentences": lambda: [readings.describe_detail(records, each) for each in every],
        "of": of,
        "counted": 1,
    }


def _head(title: str, record: RecurrentRecord, *, waits: bool) -> dict[str, Any]:
    trace = record.trace
    return {
        "title": title,
        "note": readings.says_how(record),
        "source": plain_names(trace.source.word_labels, MOST_LETTERS),
        "written": plain_names(trace.written.word_labels, MOST_LETTERS),
        "looks": trace.alignment is not None,
        "vector": t("{n} numbers").format(n=trace.summary.size),
        "details": [(_unknown if waits else _detail)(record, each) for each in details.details(record)],
    }


def _unknown(_: RecurrentRecord, detail: details.Detail) -> dict[str, Any]:
    """Return a detail of which it is not shown yet what became."""
    label = plain_names([detail.label], MOST_TOLD)[0]
    return {"label": label, "mark": "", "source": detail.source, "rows": [], "instead": ""}


def _detail(record: RecurrentRecord, detail: details.Detail) -> dict[str, Any]:
    rows = details.said_by(record, detail)
    lost = bool(detail.said) and not rows
    rows = rows or details.looking_at(record, detail)
    words = " ".join(plain_names([record.trace.written.word_labels[row] for row in rows]))
    told = words if len(words) <= MOST_TOLD else f"{words[:MOST_TOLD]}…"
    return {
        "label": plain_names([detail.label], MOST_TOLD)[0],
        "mark": "lost" if lost else "kept" if detail.said else "",
        "source": detail.source,
        "rows": rows,
        "instead": t("“{text}”").format(text=told) if words and (lost or not detail.said) else "",
    }
