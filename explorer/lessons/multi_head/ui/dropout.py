"""Dropout on the weights of one row: one draw, and the mean over many."""

from functools import partial

import streamlit as st

from explorer.lessons import multi_head as lesson
from explorer.lessons.multi_head import dropout, finding, readings, wording
from explorer.lessons.multi_head.figures import dropout as figures
from explorer.lessons.multi_head.ui import controls as widgets, tables
from explorer.records.language import t
from explorer.scenes import DEFAULTS
from explorer.ui import choice
from explorer.ui.scene import picture, predict, rail

CODE = (dropout.draw_dropout,)
Chosen = tuple[lesson.Params, lesson.View, dropout.Dropping]


def controls() -> Chosen:
    """Ask for p, the number of draws, the seed and the head; the sentence in the fold."""
    own, rest = st.container(), st.container()
    with own:
        share = choice.slider(t("Dropped share p"), 0.0, 0.9, 0.1, key="mh_p")
        draws = choice.select_slider(t("Draws of the mean"), dropout.DRAWS, key="mh_draws")
        seed = choice.slider(t("Seed"), 0, 99, key="mh_drop_seed")
    with rest, rail.more():
        result = widgets.sentence()
    with own:
        names = {name: words for name, words in widgets.finds(result).items() if name != "own"}
        what = choice.select(t("Show a head that …"), names, key="mh_drop_find")
    view = _viewed(result, what)
    return result.params, view, dropout.Dropping(share=share, draws=draws, seed=seed)


def stage(chosen: Chosen) -> None:
    """Draw the row before and after, and the mean."""
    tables.style()
    params, view, how = chosen
    result = widgets.compute_sentence(params)
    record = dropout.drop(result, view, how)
    query = wording.token(result.trace.layers(view.site)[view.layer].query_labels[view.query])
    picture.show_chart(
        "mh_dropout",
        partial(figures.dropout, record),
        title=t("The weights of “{query}”, dropped and scaled").format(query=query),
        reading=readings.describe_dropout(record),
        of=chosen,
    )


def _viewed(result: lesson.Result, what: str) -> lesson.View:
    """Return the view of a head by what it does; of an even one the word with the most even row."""
    view = finding.find(result, what, lesson.View())
    record = result.trace.layers(view.site)[view.layer]
    words = [row for row, label in enumerate(record.query_labels) if label.isalpha()]
    even = min(words or [0], key=lambda row: float(record.weights[view.head, row].max()))
    return finding.positions(result, view, str(even) if what == "even" else finding.AUTO, finding.MOST)


def answer() -> predict.Answer:
    """Average many draws of the example's row, and compare it with the row and with half of it."""
    result = widgets.example()
    view = _viewed(result, DEFAULTS["mh_drop_find"])
    record = dropout.drop(result, view, dropout.Dropping(draws=10_000))
    row, halved, mean = record.before, record.before * (1 - record.share), record.mean
    far = {"row": abs(mean - row).sum(), "half": abs(mean - halved).sum(), "even": abs(mean - row.mean()).sum()}
    said = {"draws": f"{record.draws:,}", "away": f"{abs(mean - row).max():.4f}", "spread": f"{record.sums.std():.2f}"}
    return min(far, key=lambda name: float(far[name])), said
