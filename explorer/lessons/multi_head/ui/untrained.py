"""Trained and untrained: a layer that has learned nothing, on the same sentence, beside a trained one."""

from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from explorer.figures import head_grid
from explorer.figures.look import look
from explorer.lessons import multi_head as lesson
from explorer.lessons.multi_head import readings, untrained, wording
from explorer.lessons.multi_head.ui import controls as widgets, tables
from explorer.nn.attention import MultiHeadAttention
from explorer.records import AttentionRecord
from explorer.records.language import t
from explorer.ui import cache, choice, messages, tables as common
from explorer.ui.scene import beside, picture

CODE = (MultiHeadAttention.__init__,)
Chosen = tuple[untrained.UntrainedParams, int]


def controls() -> Chosen:
    """Ask for the fresh layer, and for the trained one that it is compared with."""
    own, result = widgets.own_and_sentence()
    with own:
        width = choice.select_slider(t("Width, d_model"), untrained.WIDTHS, key="mh_width")
        count = choice.select_slider(t("Heads"), untrained.HEADS, key="mh_count")
        used = untrained.nearest_heads(width, count)
        if used != count:
            said = t("{width} numbers cannot be cut into {count} equal parts. {used} heads are drawn instead.")
            messages.caption(said.format(width=width, count=count, used=used))
        seed = choice.slider(t("Seed"), 0, untrained.MOST_SEED, key="mh_seed")
        layers = result.n_layers("encoder")
        layer = choice.number(t("Trained layer"), layers, key="mh_trained")
    fresh = untrained.UntrainedParams(params=result.params, d_model=width, n_heads=count, seed=seed)
    return fresh, layer


def stage(chosen: Chosen) -> None:
    """Draw both layers, and the means of their measures."""
    tables.style()
    params, layer = chosen
    result, fresh = widgets.compute_sentence(params.params), cache.compute(untrained.attend_untrained, params)
    record = result.trace.layers("encoder")[layer]
    first, second = st.columns(2, gap="medium")
    with first:
        picture.show_chart(
            "mh_trained_map",
            partial(_montage, record),
            title=t("Trained: encoder, layer {layer}").format(layer=layer),
            reading=tables.describe_layer([row for row in result.measures if row.head.site == record.site]),
            table=lambda: common.every_head(record),
            of=(result.params, layer),
            height=picture.Height(less=53, less_low=89, most=640),
        )
    with second:
        picture.show_chart(
            "mh_fresh_map",
            partial(_montage, fresh.record),
            title=t("Untrained: {heads} heads, d_model {width}, seed {seed}").format(
                heads=params.n_heads, width=params.d_model, seed=params.seed
            ),
            reading=readings.describe_untrained(result, fresh, layer),
            table=lambda: common.every_head(fresh.record),
            of=params,
            height=picture.Height(less=53, less_low=89, most=640),
        )
    beside.show_table(compare_measures(result, fresh, layer).set_index(t("mean over heads")), wraps=True)


def _montage(record: AttentionRecord) -> Any:
    words = tuple(wording.token(label) for label in record.key_labels)
    figure = head_grid.montage(replace(record, query_labels=words, key_labels=words))
    return figure.update_traces(colorscale=look().weights, showscale=False).update_layout(margin={"t": 30})


def compare_measures(result: lesson.Result, fresh: untrained.Untrained, layer: int) -> pd.DataFrame:
    """Return the means over heads of every measure, trained and untrained."""
    rows, names = untrained.comparison(result, fresh, layer), tables.measure_names()
    return pd.DataFrame(
        {
            t("mean over heads"): [names[row.measure] for row in rows],
            t("trained"): [f"{row.trained:.3f}" for row in rows],
            t("untrained"): [f"{row.untrained:.3f}" for row in rows],
        }
    )
