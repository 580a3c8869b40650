"""Heads over the sentence: words, ribbons, bars and map of one layer, and the translation without some of its heads."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from explorer.inference.translator.ablation import remove_heads
from explorer.lessons import multi_head as lesson
from explorer.lessons.multi_head import ablation, finding, readings, state, wording
from explorer.lessons.multi_head.figures import maps
from explorer.lessons.multi_head.ui import controls as widgets, tables
from explorer.nn.attention import MultiHeadAttention
from explorer.records import AttentionRecord
from explorer.records.heads import HeadName, codes, head_names
from explorer.records.language import t
from explorer.records.token_views import mean_over_heads
from explorer.records.wording import clamp, head_title, parse_int, said_strongest, token
from explorer.scenes import DEFAULTS
from explorer.scenes.multi_head import IT, MEANT, WHOM
from explorer.ui import cache, choice, fields, tables as common
from explorer.ui.live import text
from explorer.ui.live.glosses import explain_words
from explorer.ui.live.told import Action, Index, ListOf
from explorer.ui.scene import experiment as trial, heat_map, picture, predict, rail

CODE = (MultiHeadAttention.forward, remove_heads)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Settings of the stage.

    Attributes:
        params: of the translation.
        view: with whole words, and the head that was found.
        shown: heads of the view's layer that are drawn.
        off: heads that are switched off, of whatever layer.
        pinned: whether the reader chose the word that asks.
    """

    params: lesson.Params
    view: lesson.View
    shown: tuple[int, ...]
    off: tuple[HeadName, ...]
    pinned: bool


def controls() -> Chosen:
    """Ask for attention and layer; the sentence and what a head does in the fold."""
    name, rest = st.container(), st.container()
    with rest, rail.more():
        result = widgets.sentence()
        widgets.examples()
        view = widgets.pair(result, widgets.finder(result))
    with name:
        widgets.picker(result, view, head=False)
    notes = {key: choice.hidden_param(key, key=key, most=5000) for key in ("mh_look", "mh_without")}
    there = {row.head for row in result.measures}
    return Chosen(
        params=result.params,
        view=replace(view, merge=True),
        shown=shown_heads(notes["mh_look"], view.head, result.n_heads),
        off=tuple(head for head in head_names(notes["mh_without"]) if head in there),
        pinned=st.session_state["mh_query"] != finding.AUTO,
    )


def shown_heads(look: str, head: int, n_heads: int) -> tuple[int, ...]:
    """Return the heads that a link shows: `lines` the one that it names, `all`, or several as `0.3.5`."""
    if look == "all":
        return tuple(range(n_heads))
    several = {each for each in map(parse_int, look.split(".")) if each is not None and each < n_heads}
    return tuple(sorted(several)) or (head,)


def stage(chosen: Chosen) -> None:
    """Draw the heads of the layer over whole words; one that is switched off on its tile changes the translation."""
    result, view = widgets.compute_sentence(chosen.params), chosen.view
    layer = state.viewed_attention(result, view)
    off = [head.head for head in chosen.off if (head.part, head.layer) == (view.site, view.layer)]
    title, row = wording.site_title(view.site), state.shown_row(result, view)
    rows = tables.token_places(result, view)[0]
    left = [head for head in chosen.shown if head not in off] or list(chosen.shown)
    drawn, note, reading = _drawn(result, view, left)
    draw = partial(maps.head, drawn, row=row)
    shown: dict[str, Any] = {"title": title, "reading": reading, "table": lambda: common.attention(drawn, 0)}

    def ask(row: int) -> None:
        fields.set_values({"mh_query": str(rows[clamp(row, len(rows))])})

    if heat_map.instead(
        "mh_ribbons_map",
        draw,
        of=chosen,
        note=note,
        on_click=lambda position: ask(round(position["y"])),
        **shown,
        **explain_french(drawn, view.site),
    ):
        return
    with st.container(key="mh_heads"):
        _translation(result, chosen.off)
        picture.heading(title, note)
        text.PICTURE.show(
            "mh_ribbons",
            lambda: (
                text.pack(
                    layer,
                    start=two(row or 0) if len(left) == 1 else (row or 0,),
                    pinned=row if chosen.pinned else None,
                    shown=chosen.shown,
                    off=off,
                    keeps=True,
                    waits=predict.is_held_back(),
                )
                | explain_french(layer, view.site)
            ),
            tells={
                "pinned": Action(ask, row=Index(len(layer.query_labels))),
                "shown": Action(partial(_show, result, view), heads=ListOf(Index(layer.n_heads), 1, layer.n_heads)),
                "switched": Action(partial(_switch, chosen.off, view), head=Index(layer.n_heads)),
            },
            provenance=drawn.provenance,
            **shown,
        )


def explain_french(record: AttentionRecord, site: str) -> dict[str, Any]:
    """Return what French words that ask mean."""
    asks, asked = (list(map(token, labels)) for labels in (record.query_labels, record.key_labels))
    return {} if site == "encoder" else explain_words(asks, "fr", others=asked if site == "cross" else ())


def two(row: int) -> tuple[int, int]:
    """Return two neighbouring rows that ask together: the one that was found for this head, and the one before it."""
    return (row - 1, row) if row else (0, 1)


def _drawn(result: lesson.Result, view: lesson.View, heads: list[int]) -> tuple[AttentionRecord, str, str]:
    """Return the map of one head or the mean of several, with its name and its reading."""
    if len(heads) == 1:
        view = replace(view, head=heads[0])
        note = t("layer {layer} · head {head}").format(layer=view.layer, head=view.head)
        record = state.one_head(result, view)
        return record, note, said_strongest(record)
    layer = state.viewed_attention(result, view)
    seen = replace(layer, weights=layer.weights[heads])
    note = t("layer {layer} · mean of {heads} heads").format(layer=view.layer, heads=len(heads))
    said = readings.describe_favourites(seen, state.shown_row(result, view) or 0)
    return mean_over_heads(seen), note, said


def _translation(result: lesson.Result, off: tuple[HeadName, ...]) -> None:
    """Show the translation; of one without some heads, what is new is marked."""
    if not off:
        tables.translation(result)
        return
    with st.spinner(t("Translating …")):
        tables.both(cache.compute(ablation.ablate, ablation.AblationParams(params=result.params, heads=off)))


def _show(result: lesson.Result, view: lesson.View, heads: list[int]) -> None:
    """Keep in the link which heads are shown; in a callback."""
    heads = sorted(set(heads))
    if len(heads) == 1:
        widgets.open_head(HeadName(part=view.site, layer=view.layer, head=heads[0]))
    looks = {1: "lines", result.n_heads: "all"}
    fields.set_values({"mh_look": looks.get(len(heads), ".".join(map(str, heads)))})


def _switch(off: tuple[HeadName, ...], view: lesson.View, head: int) -> None:
    """Switch one head of a layer off, or on again; in a callback."""
    fields.set_values({"mh_without": codes({*off} ^ {HeadName(part=view.site, layer=view.layer, head=head)})})


def answer() -> predict.Answer:
    """Follow the two words of the first example that ask first to where their ribbons end."""
    result = widgets.example()
    found = finding.find(result, DEFAULTS["mh_find"], lesson.View())
    view = replace(finding.positions(result, found, finding.AUTO, finding.MOST), merge=True)
    record, rows = state.one_head(result, view), two(state.shown_row(result, view) or 0)
    columns = [int(record.weights[0, row].argmax()) for row in rows]
    right = "same" if columns[0] == columns[1] else "cross" if columns[0] > columns[1] else "parallel"
    said = {}
    for name, row, column in zip(("first", "second"), rows, columns, strict=True):
        said[name] = wording.token(record.query_labels[row])
        said[f"{name}_key"] = wording.token(record.key_labels[column])
        said[f"{name}_weight"] = f"{record.weights[0, row, column]:.0%}"
    return right, said


def experiment() -> trial.Maps:
    """Look where a pronoun looks in the encoder: all heads together, and the one that looks most at what it means."""
    result = cache.compute(lesson.compute, lesson.Params(text=MEANT))
    layers = state.overview(result, lesson.View(merge=True, hide=True), sites=("encoder",))
    row, column = layers[0].query_labels.index(IT), layers[0].key_labels.index(WHOM)
    weights = np.stack([record.weights[:, row] for record in layers])
    layer, head = map(int, np.unravel_index(weights[..., column].argmax(), weights.shape[:2]))
    name, mean = HeadName(part="encoder", layer=layer, head=head), weights.mean((0, 1))
    return trial.over_words(
        (IT,),
        layers[0].key_labels,
        {
            t("Mean of all {n} heads").format(n=weights[..., 0].size): mean[None],
            head_title(name).capitalize(): weights[layer, head, None],
        },
        values={
            "heads": str(weights[..., 0].size),
            "whom": WHOM,
            "mean": f"{mean[column]:.0%}",
            "head": head_title(name),
            "share": f"{weights[layer, head, column]:.0%}",
        },
        reveals={
            "mh_text": MEANT,
            "mh_find": "own",
            "mh_layer": str(layer),
            "mh_head": str(head),
            "mh_query": str(result.trace.tokens("encoder")[0].labels.index(IT)),
        },
    )
