"""Split and join: the shapes on the way, and what each head adds to the output."""

from dataclasses import replace
from functools import partial

import streamlit as st

from explorer.lessons import multi_head as lesson
from explorer.lessons.multi_head import dropout, finding, inside, readings, wording
from explorer.lessons.multi_head.figures import bars
from explorer.lessons.multi_head.ui import controls as widgets, tables
from explorer.nn.head_parts import head_outputs
from explorer.ui import choice
from explorer.ui.language import t
from explorer.ui.scene import picture, rail

CODE = (head_outputs,)
Chosen = tuple[lesson.Params, lesson.View, str]


def controls() -> Chosen:
    """Ask for the attention by one of its heads, and for the token."""
    head, pair, rest = st.container(), st.container(), st.container()
    with rest, rail.more():
        result = widgets.sentence()
        widgets.examples()
        name = st.container()
    with head:
        view = widgets.finder(result)
    with name:
        widgets.picker(result, view)
    with pair:
        view = widgets.placed(result, view, widgets.asker(result, view), finding.MOST)
        names = {"here": t("this sentence"), "textbook": t("the textbook’s layer")}
        shown = choice.segmented(t("Shapes of"), names, key="mh_shapes_of")
    return result.params, view, shown


def stage(chosen: Chosen) -> None:
    """Draw the parts of the output; the shapes stand beside them."""
    tables.style()
    params, view, shown = chosen
    result = widgets.computed(params)
    record = inside.contributions(result, view)
    query = wording.token(record.query_labels[view.query], t)
    first, second = st.columns([5, 4], gap="large")
    with first:
        picture.show(
            "mh_parts",
            partial(bars.contributions, record, view.query, head=view.head, t=t),
            title=t("What each head adds to the output of “{query}”").format(query=query),
            reading=readings.describe_contributions(result, view, t),
            table=lambda: tables.contributions(record, view.query),
            provenance=replace(record.provenance, detail=f"{record.provenance.detail}, {query}"),
            of=(params, view),
            height=picture.Height(less=53, less_low=89, most=640),
        )
    with second, st.container(key="mh_shapes"):
        note = t("5 heads, 100 numbers, a batch of 2") if shown == "textbook" else ""
        tables.title(t("Shapes on the way"), note)
        steps = dropout.textbook_shapes() if shown == "textbook" else inside.shapes(result, view)
        st.markdown(tables.shapes(steps, t))
