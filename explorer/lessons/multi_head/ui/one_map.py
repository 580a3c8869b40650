"""One map for all: summaries of many heads, and beside them what happens when a source token is hidden."""

import math
from functools import partial
from typing import Any, cast

import numpy as np
import pandas as pd
import streamlit as st

from explorer.attention import rollout_flow
from explorer.figures import weight_map
from explorer.figures.look import look
from explorer.lessons import multi_head as lesson
from explorer.lessons.multi_head import aggregates, effects, readings, removal_readings, state, wording
from explorer.lessons.multi_head.ui import controls as widgets, tables
from explorer.records.ablation import EffectRecord
from explorer.records.heads import PARTS, Part
from explorer.records.language import t
from explorer.records.wording import said_change, typeset
from explorer.ui import cache, choice, job_progress
from explorer.ui.scene import beside, picture

CODE = (rollout_flow.rollout,)
Chosen = tuple[lesson.Params, lesson.View]
#: With at most this many cells, source times target, the effects are there without asking: less than a second.
CELLS_AT_ONCE = 256


def controls() -> Chosen:
    """Ask for the summary, the attention, its layer and the token; the sentence in the fold."""
    own, result = widgets.own_and_sentence()
    with own:
        kind = choice.select(t("Summary"), summary_names(), key="mh_summary")
        sites: dict[str, str] = {part: wording.site_title(part) for part in PARTS}
        site = cast("Part", choice.select(t("Who looks at whom?"), sites, key="mh_of"))
        layers = result.n_layers(site)
        layer = choice.number(t("Layer (for mean and maximum)"), layers, key="mh_of_layer")
        labels = result.trace.tokens(site)[0].labels
        names = {str(position): f"{position} · {wording.token(label)}" for position, label in enumerate(labels)}
        query = choice.select(t("Which token asks?"), names, key="mh_written")
    view = lesson.View(site=site, layer=layer, query=int(query), aggregate=cast("state.Aggregate", kind))
    return result.params, state.clamp_view(result, view)


def stage(chosen: Chosen) -> None:
    """Draw the summary, the experiment beside it, and how well they agree."""
    tables.style()
    params, view = chosen
    result = widgets.compute_sentence(params)
    first, second = st.columns(2, gap="medium")
    with first:
        _summary(result, view, chosen)
    with second:
        if len(result.source_ids) * len(result.target_ids) <= CELLS_AT_ONCE:
            _effects(result, cache.compute(effects.effects, params), view)
        else:
            draw = partial(_effects, result, view=view)
            label = t("Hide every source token in turn")
            job_progress.watch("mh_effects", effects.measure_effects, params, draw, label=label)
    beside.show_prose("multi_head", f"meaning_{view.aggregate}")


def _summary(result: lesson.Result, view: lesson.View, chosen: Chosen) -> None:
    summary = aggregates.aggregate(result, view)
    picture.show_chart(
        "mh_summary_map",
        partial(_drawn, summary, view),
        title=summary_names()[view.aggregate],
        reading=readings.describe_aggregate(summary, view.aggregate),
        of=chosen,
        height=picture.Height(less=108, less_low=144, most=640, across=47),
    )


def _drawn(summary: aggregates.AggregateMap, view: lesson.View) -> Any:
    """Draw the map with the chosen row framed; flow has one row only."""
    row = view.query if len(summary.query_labels) > 1 else None
    weights = summary.weights.astype(np.float32)
    return weight_map.draw_weights(weights, summary.query_labels, summary.key_labels, row=row)


def _effects(result: lesson.Result, record: EffectRecord, view: lesson.View) -> None:
    """Draw how much each written token falls, source token by source token; and how well the maps agree with it."""
    done, crosses = record.done == record.total, view.site == "cross"
    part = t("{done} of {total} source tokens hidden so far.").format(done=record.done, total=record.total)
    picture.show_chart(
        "mh_effect_map",
        partial(_fallen, record, view.query if crosses else None),
        title=t("What hiding a source token does"),
        reading=removal_readings.describe_effect(result, record, view) if done else part,
        of=(result.params, view, record.done),
        height=picture.Height(less=108, less_low=144, most=640, across=47),
    )
    if done and crosses:
        title = t("How well each map ranks the source tokens")
        beside.show_table(agreement(result, record, view).set_index(t("map")), title=title, wraps=True)
    elif done:
        beside.show_caption(t("Choose “French looks at English” to compare its summaries with this effect in numbers."))


def _fallen(record: EffectRecord, row: int | None) -> Any:
    known = abs(record.drop[~pd.isna(record.drop)])
    reach = max(float(known.max(initial=0.0)), 1e-3)
    said = t("without “{key}”, “{query}” becomes {change}").format(key="%{x}", query="%{y}", change="%{customdata}")
    drawn = np.clip(record.drop / reach, -1, 1).astype(np.float32)
    figure = weight_map.draw_weights(drawn, record.query_labels, record.key_labels, row=row)
    figure.data = figure.data[:1]  # numbers would be shares of the largest fall
    scale = [(0.0, look().value), (0.5, look().paper), (1.0, look().output)]
    hover = f"{said}<extra></extra>"
    told = [["" if np.isnan(each) else said_change(-each) for each in row] for row in record.drop.tolist()]
    return figure.update_traces(
        z=record.drop, zmin=-reach, zmax=reach, colorscale=scale, hovertemplate=hover, customdata=told
    )


def summary_names() -> dict[str, str]:
    """Name the ways to make one map of many."""
    names = {
        "mean": t("Mean over heads"),
        "max": t("Maximum over heads"),
        "layers": t("Mean over heads and layers"),
        "rollout": t("Rollout"),
        "flow": t("Flow"),
    }
    return {kind: names[kind] for kind in state.AGGREGATES}


def agreement(result: lesson.Result, record: EffectRecord, view: lesson.View) -> pd.DataFrame:
    """Rank correlation of the effect with each map, for the chosen token and on average."""
    names, rows = summary_names(), effects.agreements(result, record, view)
    return pd.DataFrame(
        {
            t("map"): [names[row.name] for row in rows],
            t("rank correlation, chosen token"): [_printed(row.here) for row in rows],
            t("mean over tokens"): [_printed(row.mean) for row in rows],
            t("same token first"): ["–" if math.isnan(row.top) else f"{row.top:.0%}" for row in rows],
        }
    )


def _printed(correlation: float) -> str:
    return "–" if math.isnan(correlation) else typeset(f"{correlation:.2f}")
