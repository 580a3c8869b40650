"""Inside one score: query times key, number by number, and what softmax makes of it."""

from functools import partial

import numpy as np
import streamlit as st

from explorer.lessons import multi_head as lesson
from explorer.lessons.multi_head import finding, inside, readings, state, wording
from explorer.lessons.multi_head.figures import bars, maps
from explorer.lessons.multi_head.ui import controls as widgets, tables
from explorer.lessons.multi_head.ui.one_head import explain_french
from explorer.nn.head_parts import project
from explorer.records.heads import InsideRecord
from explorer.records.language import t
from explorer.records.wording import minus, percent
from explorer.scenes import DEFAULTS
from explorer.ui import choice
from explorer.ui.live import journey
from explorer.ui.scene import heat_map, picture, predict, rail

CODE = (project,)
Chosen = tuple[lesson.Params, lesson.View, str]
#: Share of what is added and taken away that makes “mostly”; a sum this small beside the most wanted word’s is “zero”.
MOSTLY, CLOSE = 0.75, 0.1


def controls() -> Chosen:
    """Ask for the pair of tokens and the head; the sentence in the fold."""
    pair, rest = st.container(), st.container()
    with rest, rail.more():
        result = widgets.sentence()
        widgets.examples()
        view = widgets.finder(result)
        widgets.picker(result, view)
    with pair:
        names = {"pair": t("one pair"), "journey": t("the whole journey")}
        shown = choice.buttons(t("Show"), names, key="mh_inside")
        return result.params, widgets.tokens(result, view), shown


def stage(chosen: Chosen) -> dict[str, str]:
    """Draw one pair, its product beside the scores of all keys; or the query's journey past every key."""
    tables.style()
    params, view, shown = chosen
    result = widgets.compute_sentence(params)
    pair = inside.inside(result, view)
    row, column = state.shown_row(result, view), state.shown_column(result, view)
    record = state.one_head(result, view)
    if not heat_map.instead(
        "mh_score_map",
        partial(maps.head, record, row=row, column=column),
        title=t("“{query}” asks “{key}”").format(
            query=wording.token(pair.query_label), key=wording.token(pair.key_label)
        ),
        note=_which(view),
        reading=readings.describe_inside(pair, view.key),
        of=chosen,
        on_click=partial(tables.ask_pair, result, view),
        **explain_french(record, view.site),
    ):
        (_journey if shown == "journey" else _pair)(result, view, pair)
    return {"sum": tables.sum_of(pair)}


def _which(view: lesson.View) -> str:
    """Name the head."""
    site = wording.site_title(view.site)
    return t("{site} · layer {layer} · head {head}").format(site=site, layer=view.layer, head=view.head)


def _journey(result: lesson.Result, view: lesson.View, pair: InsideRecord) -> None:
    record = inside.journey(result, view)
    title = t("“{query}” and every key").format(query=wording.token(pair.query_label))
    with st.container(key="mh_travel"):
        picture.heading(title, _which(view))
        journey.PICTURE.show(
            "mh_journey",
            lambda: {**journey.pack(record), **explain_french(record.attention, view.site)},
            title=title,
            reading=tables.describe_scores(pair, view.key),
            table=lambda: tables.scores(pair),
            provenance=record.attention.provenance,
        )


def _pair(result: lesson.Result, view: lesson.View, pair: InsideRecord) -> None:
    of = (result.params, view)
    first, second = st.columns([6, 5], gap="medium")
    asks, asked = wording.token(pair.query_label), wording.token(pair.key_label)
    with first:
        picture.show_chart(
            "mh_product",
            partial(bars.product, pair),
            title=t("“{query}” asks “{key}”").format(query=asks, key=asked),
            note=_which(view),
            reading=readings.describe_inside(pair, view.key),
            table=lambda: tables.inside(pair),
            of=of,
            height=picture.Height(less=53, less_low=89, most=640),
        )
    with second:
        picture.show_chart(
            "mh_scores",
            partial(bars.scores, pair, view.key),
            title=t("“{query}” and every key").format(query=asks),
            reading=tables.describe_scores(pair, view.key),
            table=lambda: tables.scores(pair),
            of=of,
            height=picture.Height(less=53, less_low=89, most=640),
        )


def answer() -> predict.Answer:
    """Take the products of the key that is looked at least, beside those of the one looked at most."""
    result = widgets.example()
    head = finding.find(result, DEFAULTS["mh_find"], lesson.View())
    least, most = (
        inside.inside(result, finding.positions(result, head, finding.AUTO, end))
        for end in (finding.LEAST, finding.MOST)
    )
    scaled = least.product / np.sqrt(least.d_key)
    down = scaled < 0
    size = np.abs(scaled).sum()
    if size < CLOSE * np.abs(most.product / np.sqrt(most.d_key)).sum():
        right = "zero"
    elif -scaled[down].sum() >= MOSTLY * size:
        right = "down"
    else:
        right = "cancel"
    return right, {
        "query": wording.token(least.query_label),
        "key": wording.token(least.key_label),
        "ups": str(int((~down).sum())),
        "up": f"{scaled[~down].sum():.2f}",
        "downs": str(int(down.sum())),
        "down": f"{-scaled[down].sum():.2f}",
        "d": str(least.d_key),
        "score": minus(f"{least.score:.2f}"),
        "weight": percent(least.weight),
    }
