"""All heads: every map small, the chosen one large."""

from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from explorer.lessons import multi_head as lesson
from explorer.lessons.multi_head import finding, readings, resting, state, wording
from explorer.lessons.multi_head.figures import maps
from explorer.lessons.multi_head.live import head_tiles
from explorer.lessons.multi_head.ui import controls as widgets, tables
from explorer.nn.attention import MultiHeadAttention
from explorer.records.heads import PARTS, HeadName
from explorer.records.language import t
from explorer.records.wording import said_strongest
from explorer.scenes.multi_head import ALL_HEADS, LESSON
from explorer.ui import cache, choice, plot_clicks
from explorer.ui.live.told import Action, OneOf
from explorer.ui.scene import beside, picture, predict, rail, state as scene_state

CODE = (MultiHeadAttention.forward,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Settings of the stage."""

    params: lesson.Params
    view: lesson.View
    marks: bool
    unseen: bool


def controls() -> Chosen:
    """Ask for the sentence and a head; the rest in the fold."""
    result = widgets.sentence()
    view = widgets.pair(result, widgets.finder(result))
    with rail.more():
        marks = choice.toggle(t("Mark the heads that follow a rule"), key="mh_marks")
        unseen = choice.toggle(t("Translate while nobody may look at “end”"), key="mh_unseen")
        widgets.examples()
        widgets.picker(result, view)
        merge, hide = choice.ask("mh_merge"), choice.ask("mh_hide")
    return Chosen(params=result.params, view=replace(view, merge=merge, hide=hide), marks=marks, unseen=unseen)


def stage(chosen: Chosen) -> None:
    """Draw the tiles, and the map of one of them."""
    result, view = widgets.compute_sentence(chosen.params), chosen.view
    if chosen.unseen:
        with st.spinner(t("Translating …")):
            tables.without_end(cache.compute(resting.hide_end, chosen.params))
    else:
        tables.translation(result)
    small, large = st.columns([9, 11], gap="medium")
    with small:
        tiles(result, view, marks=chosen.marks)
    with large:
        _map(result, chosen)


def tiles(result: lesson.Result, view: lesson.View, *, marks: bool) -> None:
    """Draw every head small; the signs of the rules that hold, if they are asked for."""
    groups = {wording.site_title(part): state.overview(result, view, sites=(part,)) for part in PARTS}
    signs = {
        (PARTS.index(row.head.part), row.head.layer, row.head.head): (
            tables.SIGNS[row.label.name],
            wording.label_score(row.label),
        )
        for row in result.measures
        if row.label
    }
    chosen = (PARTS.index(view.site), view.layer, view.head)
    drawn = partial(head_tiles.pack, groups, chosen=chosen, marks=signs if marks else None)
    opened = Action(lambda position: widgets.open_head(head_at(position)), position=OneOf(head_tiles.positions(groups)))
    told = {"chosen": opened}
    head_tiles.PICTURE.draw("mh_tiles", drawn, tells=told, title=t("All heads"), provenance=result.provenance)
    if marks:
        beside.show_caption(tables.symbols_explained(result))


def head_at(position: head_tiles.Place) -> HeadName:
    """Name the head of a tile."""
    part, layer, head = position
    return HeadName(part=PARTS[part], layer=layer, head=head)


def _map(result: lesson.Result, chosen: Chosen) -> None:
    view = chosen.view
    if not predict.is_settled(LESSON, ALL_HEADS) and scene_state.holds(LESSON, ALL_HEADS, {}):
        view = finding.positions(result, view, "0", finding.MOST)  # the look that the question is about
    record = state.one_head(result, view)
    row = state.shown_row(result, view)
    label = state.measure_head(result, view.name).label
    note = t("layer {layer} · head {head}").format(layer=view.layer, head=view.head)
    picture.show_chart(
        "mh_one",
        partial(maps.head, record, row=row, column=state.shown_column(result, view)),
        title=wording.site_title(view.site),
        note=f"{note} · {wording.label_score(label)}" if label else note,
        reading=said_strongest(record) if row is None else readings.describe_row(record, row),
        of=(chosen.params, view),
        height=picture.Height(
            less=158 if chosen.unseen else 82, less_low=158 if chosen.unseen else 82, most=700, across=52
        ),
    )

    plot_clicks.listen("mh_one", partial(tables.ask_pair, result, view))


def answer() -> predict.Answer:
    """Translate the first example while nobody may look at its end."""
    record = cache.compute(resting.hide_end, widgets.example().params)
    same = record.after.labels == record.before.labels
    return "same" if same else "on" if record.goes_on else "other", {
        "before": str(len(record.before_words)),
        "after": str(len(record.after_words)),
        "times": wording.times(record.end_lost),
    }
