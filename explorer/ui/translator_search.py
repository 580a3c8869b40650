"""Page 09: how the search went, other ways to choose, and the length penalty. Fragments: each reruns alone."""

import pandas as pd
import streamlit as st

from explorer.figures import translator_search as figures
from explorer.lessons import translator as lesson
from explorer.records.search import SearchRecord
from explorer.ui import cached, card, layout
from explorer.ui.controls import translator_search as controls
from explorer.ui.language import t

#: A tree that is wider than its column is scrolled, not squeezed.
_WIDE = """<style>.st-key-tr_tree_chart{{overflow-x:auto}}
.st-key-tr_tree_chart>[data-testid="stFullScreenFrame"]{{min-width:{pixels}px}}</style>"""


def how_it_went(result: lesson.Result) -> None:
    """The sections on the search of one translation."""
    layout.prose("translator_search", "tree")
    grown(result.params)


@st.fragment
def grown(params: lesson.Params) -> None:
    """The tree of hypotheses as it grew."""
    record = cached.compute(lesson.search, params)
    step = controls.step(record)
    st.html(_WIDE.format(pixels=figures.width(record)))
    card.show(
        "tr_tree",
        figures.tree(record, step=step, dropped=controls.dropped(), t=t),
        title=t("The hypotheses after step {step}: beam {beam}").format(step=step, beam=record.beam),
        reading=lesson.reading_tree(record, step, t),
        table=lambda: nodes(record, step),
        provenance=record.provenance,
    )


def nodes(record: SearchRecord, step: int) -> pd.DataFrame:
    """Every hypothesis that was looked at up to a step, one a row."""
    shown = [(number, node) for number, node in enumerate(record.nodes) if node.step <= step]
    return pd.DataFrame(
        {
            t("step"): [node.step for _, node in shown],
            t("place"): [node.rank + 1 for _, node in shown],
            t("token"): [node.label for _, node in shown],
            t("text so far"): [node.text for _, node in shown],
            t("log-probability of the token (nats)"): [node.log_probability for _, node in shown],
            t("sum (nats)"): [node.total for _, node in shown],
            t("score"): [node.score for _, node in shown],
            t("continues row"): [node.parent for _, node in shown],
            t("what became of it"): [
                figures.fate(record, node, record.fate(number, step), t) for number, node in shown
            ],
        }
    )
