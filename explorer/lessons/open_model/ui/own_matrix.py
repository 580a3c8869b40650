"""A matrix of the reader's own: numbers as they are, or attention made of them; no model is needed."""

import hashlib
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import numpy as np
import streamlit as st

from explorer.figures import weight_map
from explorer.lessons.open_model import readings
from explorer.opened import matrix
from explorer.opened.matrix import Meaning, OwnMatrix
from explorer.records import token_views
from explorer.records.attention import AttentionRecord
from explorer.records.language import t
from explorer.records.provenance import Provenance
from explorer.records.wording import typeset
from explorer.scenes.open_model import RAISED, SCORES
from explorer.ui import cache, choice, messages, uploads
from explorer.ui.live import ribbons
from explorer.ui.scene import picture, predict

CODE = (matrix.attention,)
MOST_LETTERS = 4000
#: Rows and columns that ribbons can tell apart.
MOST_RIBBONS = 16
#: Places of the temperature.
TEMPERATURES = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Settings of the stage.

    Attributes:
        given: what was typed, or is in the file.
        own: whether it came in a file, which no link holds.
        digest: tells one from another.
    """

    given: str | bytes = field(repr=False)
    own: bool
    digest: str
    meaning: Meaning
    temperature: float


def controls() -> Chosen:
    """Ask for the numbers, and what they are."""
    typed = choice.area(t("Numbers"), MOST_LETTERS, key="om_numbers", height=100)
    file = uploads.file(t("A file instead (CSV or NPY)"), ["csv", "tsv", "txt", "json", "npy"], key="om_file")
    names = {"scores": t("scores"), "weights": t("weights")}
    meaning = cast("Meaning", choice.buttons(t("These are"), names, key="om_meaning"))
    off = meaning == "weights"
    temperature = choice.select_slider(t("Temperature"), TEMPERATURES, key="om_temperature", disabled=off)
    given: str | bytes = typed if file is None else file.getvalue()
    digest = hashlib.sha256(given.encode() if isinstance(given, str) else given).hexdigest()
    return Chosen(given=given, own=file is not None, digest=digest, meaning=meaning, temperature=temperature)


def stage(chosen: Chosen) -> None:
    """Draw the weights, and ribbons where there are few; the numbers as they are where they are no weights."""
    if chosen.own:
        messages.info(t("The numbers of a file are in no link."), ":material/link_off:")
    own = cache.once(partial(matrix.read, chosen.given), "own matrix", chosen.digest, own=True)
    head = _head(own)
    found = matrix.check(own)
    if chosen.meaning == "weights" and not found.are_weights:
        _numbers(chosen, own, head)
        return
    record = matrix.attention(own, chosen.meaning, chosen.temperature)
    narrow = max(record.weights.shape[1:]) <= MOST_RIBBONS
    first, second = st.columns([6, 5], gap="medium") if narrow else (st.container(), None)
    with first:
        _weights(chosen, record, head)
    if second is not None:
        with second:
            _ribbons(record, head)


def _head(own: OwnMatrix) -> int:
    """Ask for one of several matrices."""
    heads = len(own.numbers)
    return 0 if heads == 1 else int(st.selectbox(t("Head"), range(heads), key="om_own_head"))


def _shown(chosen: Chosen, head: int) -> dict[str, Any]:
    return {"title": t("Your matrix"), "of": (chosen, head), "own": True}


def _weights(chosen: Chosen, record: AttentionRecord, head: int) -> None:
    temperature = chosen.temperature if chosen.meaning == "scores" else None
    weights = record.weights[head]
    picture.show_chart(
        "om_matrix",
        partial(weight_map.draw_weights, weights, record.query_labels, record.key_labels),
        reading=readings.describe_matrix(record, head, temperature),
        provenance=record.provenance,
        **_shown(chosen, head),
    )


def _numbers(chosen: Chosen, own: OwnMatrix, head: int) -> None:
    picture.show_chart(
        "om_matrix",
        partial(weight_map.draw_scores, own.numbers[head], own.row_labels, own.column_labels),
        reading=readings.describe_no_weights(matrix.check(own)),
        provenance=Provenance.of(matrix.check, dtype="float64"),
        **_shown(chosen, head),
    )


def _ribbons(record: AttentionRecord, head: int) -> None:
    title = t("The same as ribbons")
    picture.heading(title)
    sentence, hint = t("{query} looks most at {key}."), t("Point at a row.")
    drawn = partial(ribbons.pack, token_views.one_head(record, head), sentence=sentence, hint=hint)
    ribbons.PICTURE.draw("om_ribbons", drawn, title=title, provenance=record.provenance)


def answer() -> predict.Answer:
    """Say what becomes of the weights of a row to whose scores 10 was added."""
    before, after = (matrix.attention(matrix.read(each), "scores").weights for each in (SCORES, RAISED))
    apart = float(np.abs(before - after).max())
    right = "same" if apart < 1e-3 else "grow" if after.sum() > before.sum() + 1e-3 else "sharper"
    return right, {"apart": typeset(f"{apart:.1g}")}
