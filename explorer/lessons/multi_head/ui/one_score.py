"""Inside one score: query times key, number by number, and what softmax makes of it."""

from functools import partial

import numpy as np
import streamlit as st

from explorer.lessons import multi_head as lesson
from explorer.lessons.multi_head import finding, inside, readings, wording
from explorer.lessons.multi_head.figures import bars
from explorer.lessons.multi_head.ui import controls as widgets, tables
from explorer.nn.head_parts import projected
from explorer.records.heads import InsideRecord
from explorer.records.wording import minus, percent
from explorer.scenes import DEFAULTS
from explorer.ui import choice
from explorer.ui.language import t
from explorer.ui.live import journey
from explorer.ui.scene import picture, predict, rail

CODE = (projected,)
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
        shown = choice.segmented(t("Show"), names, key="mh_inside")
        return result.params, widgets.tokens(result, view), shown


def stage(chosen: Chosen) -> dict[str, str]:
    """Draw one pair, its product beside the scores of all keys; or the query's journey past every key."""
    tables.style()
    params, view, shown = chosen
    result = widgets.computed(params)
    pair = inside.inside(result, view)
    (_journey if shown == "journey" else _pair)(result, view, pair)
    return {"sum": tables.sum_of(pair)}


def _journey(result: lesson.Result, view: lesson.View, pair: InsideRecord) -> None:
    record = inside.journey(result, view)
    note = t("{site} · layer {layer} · head {head}").format(
        site=wording.site_title(view.site, t), layer=view.layer, head=view.head
    )
    title = t("“{query}” and every key").format(query=wording.token(pair.query_label, t))
    with st.container(key="mh_travel"):
        tables.title(title, note)
        journey.draw(record, key="mh_journey", asks=0, begun=True)
        picture.remark(
            "mh_journey",
            partial(bars.scores, pair, view.key, t=t),
            title=title,
            reading=tables.describe_scores(pair, view.key, t),
            table=lambda: tables.scores(pair),
            provenance=record.attention.provenance,
        )


def _pair(result: lesson.Result, view: lesson.View, pair: InsideRecord) -> None:
    of = (result.params, view)
    first, second = st.columns([6, 5], gap="medium")
    asks, asked = wording.token(pair.query_label, t), wording.token(pair.key_label, t)
    note = t("{site} · layer {layer} · head {head}").format(
        site=wording.site_title(view.site, t), layer=view.layer, head=view.head
    )
    with first:
        picture.show(
            "mh_product",
            partial(bars.product, pair, t=t),
            title=t("“{query}” asks “{key}”").format(query=asks, key=asked),
            note=note,
            reading=readings.describe_inside(result, view, t),
            table=lambda: tables.inside(pair),
            of=of,
            height=picture.Height(less=53, less_low=89, most=640),
        )
    with second:
        picture.show(
            "mh_scores",
            partial(bars.scores, pair, view.key, t=t),
            title=t("“{query}” and every key").format(query=asks),
            reading=tables.describe_scores(pair, view.key, t),
            table=lambda: tables.scores(pair),
            of=of,
            height=picture.Height(less=53, less_low=89, most=640),
        )


def answer() -> predict.Answer:
    """Take the products of the key that is looked at least, beside those of the one looked at most."""
    result = widgets.example()
    head = finding.find(result, DEFAULTS["mh_find"], lesson.View())
    least, most = (
        inside.inside(result, finding.places(result, head, finding.AUTO, end)) for end in (finding.LEAST, finding.MOST)
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
        "query": wording.token(least.query_label, t),
        "key": wording.token(least.key_label, t),
        "ups": str(int((~down).sum())),
        "up": f"{scaled[~down].sum():.2f}",
        "downs": str(int(down.sum())),
        "down": f"{-scaled[down].sum():.2f}",
        "d": str(least.d_key),
        "score": minus(f"{least.score:.2f}"),
        "weight": percent(least.weight),
    }
