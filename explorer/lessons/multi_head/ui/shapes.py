"""Split and join: the shapes on the way, and what each head adds to the output; or the textbook's layer, moving."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from explorer.lessons import multi_head as lesson
from explorer.lessons.multi_head import finding, inside, readings, records, split, split_readings, wording
from explorer.lessons.multi_head.figures import bars, split as figures
from explorer.lessons.multi_head.live import split as film
from explorer.lessons.multi_head.ui import controls as widgets, tables
from explorer.nn.head_parts import head_outputs
from explorer.records.language import t
from explorer.ui import cache, choice, fields
from explorer.ui.live.told import Action, Index
from explorer.ui.scene import beside, heat_map, picture, predict, rail

CODE = (head_outputs, split.transpose_qkv, split.transpose_output)


@dataclass(frozen=True, slots=True, kw_only=True)
class Textbook:
    """The textbook's layer, the step that is shown, and the query whose strips stand out: from 1, 0 for all."""

    params: records.SplitParams
    step: int
    followed: int


Chosen = tuple[lesson.Params, lesson.View] | Textbook


def controls() -> Chosen:
    """Ask whose shapes are shown, then for the attention by one of its heads, or for the layer's inputs."""
    names = {"here": t("this sentence"), "textbook": t("the textbook’s layer")}
    shown = choice.buttons(t("Shapes of"), names, key="mh_shapes_of")
    return _textbook() if shown == "textbook" else _here()


def _here() -> Chosen:
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
        view = widgets.place_pair(result, view, widgets.asker(result, view), finding.MOST)
    return result.params, view


def _textbook() -> Textbook:
    inputs = choice.buttons(t("Inputs"), {"ones": t("all ones"), "random": t("random numbers")}, key="mh_book_inputs")
    skip = choice.toggle(t("Skip the swap of axes"), key="mh_book_skip")
    followed = choice.select(t("Follow"), _queries(), key="mh_book_query")
    with rail.more():
        seed = choice.slider(t("Seed"), 0, records.MOST_SEED, key="mh_book_seed")
    params = records.SplitParams(inputs="random" if inputs == "random" else "ones", swap=not skip, seed=seed)
    last = len(cache.compute(split.split, params).layouts) - 1
    step = choice.step(t("Step"), key="mh_book_step", last=last)
    return Textbook(params=params, step=step, followed=int(followed))


def _queries() -> dict[str, str]:
    """Name every query by its number, from 1 over both sentences."""
    said = t("sentence {sentence}, query {query}")
    positions = range(records.BATCH * records.QUERIES)
    named = [said.format(sentence=each // records.QUERIES + 1, query=each % records.QUERIES + 1) for each in positions]
    return {"0": t("all queries"), **{str(position): name for position, name in enumerate(named, 1)}}


def stage(chosen: Chosen) -> None:
    """Draw the parts of the output, the shapes beside them; or the textbook's layer."""
    tables.style()
    if isinstance(chosen, Textbook):
        _film(chosen)
    else:
        _parts(*chosen)


def _film(chosen: Textbook) -> None:
    record = cache.compute(split.split, chosen.params)
    title = t("The weights of {heads} heads in {batch} sentences").format(heads=records.HEADS, batch=records.BATCH)
    maps: dict[str, Any] = {"title": title, "provenance": record.provenance, "table": lambda: weights(record)}
    reading = split_readings.describe_maps(record)
    if heat_map.instead("mh_book_map", partial(figures.maps, record), reading=reading, of=chosen.params, **maps):
        return
    steps = range(len(record.layouts))
    film.PICTURE.show(
        "mh_book",
        partial(film.pack, record, chosen.followed),
        step=chosen.step,
        link_key="mh_book_step",
        positions=steps,
        sentences=lambda: [split_readings.describe_split(record, each) for each in steps],
        of=chosen.params,
        counted=1,
        tells={"picked": Action(_follow, followed=Index(records.BATCH * records.QUERIES + 1))},
        **maps,
    )


def _follow(followed: int) -> None:
    fields.set_values({"mh_book_query": str(followed)})


def weights(record: records.SplitRecord) -> pd.DataFrame:
    """Return every weight of the textbook's layer: a row for each query of each block."""
    blocks, queries, keys = record.weights.shape
    asks = figures.positions("q", queries)
    names = [f"{split_readings.block_title(record, block)} · {query}" for block in range(blocks) for query in asks]
    return pd.DataFrame(
        figures.seen_weights(record).reshape(-1, keys), index=names, columns=figures.positions("k", keys)
    )


def _parts(params: lesson.Params, view: lesson.View) -> None:
    result = widgets.compute_sentence(params)
    record = inside.contributions(result, view)
    query = wording.token(record.query_labels[view.query])
    first, second = st.columns([5, 4], gap="large")
    with first:
        picture.show_chart(
            "mh_parts",
            partial(bars.contributions, record, view.query, head=view.head),
            title=t("What each head adds to the output of “{query}”").format(query=query),
            reading=readings.describe_contributions(record, view.query),
            table=lambda: tables.contributions(record, view.query),
            provenance=replace(record.provenance, detail=f"{record.provenance.detail}, {query}"),
            of=(params, view),
            height=picture.Height(less=53, less_low=89, most=640),
        )
    with second, st.container(key="mh_shapes"):
        beside.show_markdown(tables.shapes(inside.shapes(result, view)), title=t("Shapes on the way"))


def answer() -> predict.Answer:
    """Look into the first block of what is folded without a swap."""
    record = cache.compute(split.split, records.SplitParams(swap=False))
    block = np.flatnonzero(record.positions[record.layouts.index("blocks")] < records.QUERIES)
    queries, heads = {int(each) // records.HEADS for each in block}, {int(each) % records.HEADS for each in block}
    right = "query" if len(queries) == 1 else "head" if len(heads) == 1 else "mix"
    return right, {"parts": str(len(heads)), "heads": str(records.HEADS)}
