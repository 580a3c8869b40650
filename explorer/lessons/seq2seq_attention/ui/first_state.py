"""The start of the notes' decoder: where both directions of the encoder ended, and their sum."""

from functools import partial

import streamlit as st

from explorer.lessons.seq2seq_attention import notes, numbers
from explorer.lessons.seq2seq_attention.figures import strips as figures
from explorer.lessons.seq2seq_attention.live.step import Rows
from explorer.lessons.seq2seq_attention.records import FirstState
from explorer.records.language import t
from explorer.records.recurrent import RecurrentRecord
from explorer.records.wording import token
from explorer.ui import cache
from explorer.ui.scene import picture


def draw(record: RecurrentRecord) -> None:
    """Draw where both directions of the encoder ended, and their sum, with which the decoder starts."""
    found: FirstState = cache.once(
        partial(notes.first_state, notes.BASE, record), "seq2seq_attention.notes.first_state", record.trace.source_ids
    )
    said = (
        t(
            "One LSTM reads to the last token, another back to the first. Their last hidden states are **added up**: "
            "the decoder’s first one."
        ),
        t("Cell states alike. Nothing is learned in between, so both sides must have as many layers, as wide."),
    )
    titles = (t("Hidden states: two directions, and their sum"), t("Cell states: two directions, and their sum"))
    for part, (column, title, reading) in enumerate(zip(st.columns(2, gap="medium"), titles, said, strict=True)):
        with column:
            picture.show_chart(
                f"sa_notes_start_{part}",
                partial(figures.strips, _ends_of(found, part), value_title=t("value"), ruled=(2,)),
                title=title,
                reading=reading,
                provenance=found.provenance,
                of=(record.trace.source_ids, part),
            )


def _ends_of(found: FirstState, part: int) -> Rows:
    """Return the last layer's vectors by what they are called: each direction, to where it read, and the sum."""
    named = (
        (f"→ {token(found.source[-1])}", found.forward),
        (f"← {token(found.source[0])}", found.backward),
        (t("sum"), found.first),
    )
    return [(name, values[-1, part, : numbers.DRAWN]) for name, values in named]
