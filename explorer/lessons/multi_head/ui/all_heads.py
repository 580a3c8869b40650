"""All heads: every map small, the chosen one large."""

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from explorer.lessons import multi_head as lesson
from explorer.lessons.multi_head import readings, state, wording
from explorer.lessons.multi_head.figures import maps
from explorer.lessons.multi_head.ui import controls as widgets, head_tiles, tables
from explorer.nn.attention import MultiHeadAttention
from explorer.records.heads import PARTS, HeadName
from explorer.records.wording import clamped
from explorer.ui import choice, fields, plot_clicks
from explorer.ui.language import t
from explorer.ui.scene import picture, predict, rail

CODE = (MultiHeadAttention.forward,)
#: Share of the heads that each answer stands for.
ANSWERS = {"few": 1 / 8, "some": 0.4, "most": 0.95}


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Settings of the stage."""

    params: lesson.Params
    view: lesson.View
    marks: bool


def controls() -> Chosen:
    """Ask for the sentence and a head; the rest in the fold."""
    result = widgets.sentence()
    top = st.container()
    marks = choice.toggle(t("Mark the heads that follow a rule"), key="mh_marks")
    with top:
        view = widgets.pair(result, widgets.finder(result))
    with rail.more():
        widgets.examples()
        widgets.picker(result, view)
        merge, hide = widgets.words()
    return Chosen(params=result.params, view=replace(view, merge=merge, hide=hide), marks=marks)


def stage(chosen: Chosen) -> None:
    """Draw the tiles, and the map of one of them."""
    result, view = widgets.computed(chosen.params), chosen.view
    tables.translation(result)
    small, large = st.columns([9, 11], gap="medium")
    with small:
        tiles(result, view, marks=chosen.marks)
    with large:
        _map(result, chosen)


def tiles(result: lesson.Result, view: lesson.View, *, marks: bool) -> None:
    """Draw every head small; the signs of the rules that hold, if they are asked for."""
    groups = {wording.site_title(part, t): state.overview(result, view, sites=(part,)) for part in PARTS}
    signs = {
        (PARTS.index(row.head.part), row.head.layer, row.head.head): (
            tables.SIGNS[row.label.name],
            wording.label_score(row.label, t),
        )
        for row in result.measures
        if row.label
    }
    head_tiles.draw(
        groups,
        key="mh_tiles",
        chosen=(PARTS.index(view.site), view.layer, view.head),
        on_choose=lambda place: widgets.open_head(HeadName(part=PARTS[place[0]], layer=place[1], head=place[2])),
        marks=signs if marks else None,
    )
    if marks:
        st.caption(tables.symbols_explained(result, t))


def _map(result: lesson.Result, chosen: Chosen) -> None:
    view = chosen.view
    record = state.one_head(result, view)
    label = state.measured(result, state.head_name(result, view)).label
    note = t("layer {layer} · head {head}").format(layer=view.layer, head=view.head)
    picture.show(
        "mh_one",
        partial(maps.head, record, row=state.shown_row(result, view), column=state.shown_column(result, view), t=t),
        title=wording.site_title(view.site, t),
        note=f"{note} · {wording.label_score(label, t)}" if label else note,
        reading=readings.describe_head(result, view, t),
        of=(chosen.params, view),
        height=picture.Height(less=82, less_low=82, most=700, across=52),
    )

    def clicked(place: plot_clicks.Place) -> None:
        rows, columns = tables.token_places(result, view)
        new = {"mh_query": _at(rows, place["y"]), "mh_key": _at(columns, place["x"])}
        fields.put({key: str(value) for key, value in new.items()})

    plot_clicks.listen("mh_one", clicked)


def _at(places: tuple[int, ...], drawn: float) -> int:
    """Return the token, as the model has it, of a row or column as drawn."""
    return places[clamped(round(drawn), len(places))]


def answer() -> predict.Answer:
    """Count the heads that keep a rule."""
    result = widgets.example()
    labels = [row.label.name for row in result.measures if row.label]
    share = len(labels) / len(result.measures)
    most = Counter(labels).most_common(1)
    said = {
        "labelled": str(len(labels)),
        "heads": str(len(result.measures)),
        "common": wording.label_name(most[0][0], t) if most else "–",
        "count": str(most[0][1]) if most else "0",
    }
    return min(ANSWERS, key=lambda name: abs(ANSWERS[name] - share)), said
