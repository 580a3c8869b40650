"""One head over the sentence: ribbons as wide as its weights."""

from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from explorer.lessons import multi_head as lesson
from explorer.lessons.multi_head import finding, readings, state, wording
from explorer.lessons.multi_head.figures import maps
from explorer.lessons.multi_head.ui import controls as widgets
from explorer.lessons.multi_head.ui import tables
from explorer.nn.attention import MultiHeadAttention
from explorer.records.token_views import mean_over_heads
from explorer.ui import choice
from explorer.ui.language import t
from explorer.ui.live import ribbons
from explorer.ui.scene import picture, predict, rail

CODE = (MultiHeadAttention.forward,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Settings of the stage; `whole`: the mean over the heads of the layer."""

    params: lesson.Params
    view: lesson.View
    whole: bool


def controls() -> Chosen:
    """Ask for the head by its name; the sentence and what a head does in the fold."""
    name, rest = st.container(), st.container()
    with rest, rail.more():
        result = widgets.sentence()
        widgets.examples()
        view = widgets.pair(result, widgets.finder(result))
        names = {"lines": t("this head"), "all": t("mean of its layer")}
        chosen = choice.segmented(t("Ribbons of"), names, key="mh_look", default=widgets.DEFAULTS["mh_look"])
    with name:
        widgets.picker(result, view, tiles=True)
    return Chosen(params=result.params, view=replace(view, merge=True), whole=chosen == "all")


def stage(chosen: Chosen) -> None:
    """Draw the ribbons of whole words."""
    result, view = widgets.computed(chosen.params), chosen.view
    if chosen.whole:
        record = mean_over_heads(state.viewed_attention(result, view))
        note = t("layer {layer} · mean of {heads} heads").format(layer=view.layer, heads=result.n_heads)
    else:
        record = state.one_head(result, view)
        note = t("layer {layer} · head {head}").format(layer=view.layer, head=view.head)
    title = wording.site_title(view.site, t)
    rows = tables.token_places(result, view)[0]
    with st.container(key="mh_ribbons"):
        tables.title(title, note)
        ribbons.draw(
            record,
            key="mh_words",
            sentence=t("{query} looks most at {key}, with {weight} of its weight."),
            hint=t("Point at any word below."),
            pinned=state.shown_row(result, view),
            on_pin=lambda row: st.session_state.update({"mh_query": str(rows[row])}),
        )
        picture.remark(
            "mh_ribbons",
            partial(maps.head, record, row=state.shown_row(result, view), t=t),
            title=title,
            reading=readings.describe_head(result, view, t),
            provenance=record.provenance,
        )


def answer() -> predict.Answer:
    """Follow two neighbouring words of the first example to where their ribbons end."""
    result = widgets.example()
    known = finding.swaps(result)
    view = replace(finding.find(result, "swap", lesson.View(site="cross")), merge=True)
    record = state.one_head(result, view)
    first = known[0].first[0] if known else 0
    columns = [int(record.weights[0, row].argmax()) for row in (first, first + 1)]
    right = "same" if columns[0] == columns[1] else "cross" if columns[0] > columns[1] else "parallel"
    said = {}
    for name, row, column in zip(("first", "second"), (first, first + 1), columns, strict=True):
        said[name] = wording.token(record.query_labels[row], t)
        said[f"{name}_key"] = wording.token(record.key_labels[column], t)
        said[f"{name}_weight"] = f"{record.weights[0, row, column]:.0%}"
    return right, said
