"""Attention beside the effect of removal: each source token is hidden, and the output's likelihood falls."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Literal

import numpy as np
import numpy.typing as npt
import torch

from explorer.attention.softmax_measures import rank_correlation
from explorer.inference.translator.ablation import next_token_logs, score_written
from explorer.inference.translator.request import Params
from explorer.inference.translator.translate import encode_source, load, translate
from explorer.lessons.multi_head.aggregates import mean_of_layers, roll_out
from explorer.lessons.multi_head.state import Result, View, clamp_view
from explorer.records.ablation import Agreement, EffectRecord

#: Target positions that are read at once: each asks for logits of the whole vocabulary.
POSITIONS_PER_STEP = 384
#: Summaries that give every source token a number.
Map = Literal["mean", "max", "layers", "rollout"]


def measure_effects(params: Params) -> Iterator[EffectRecord]:
    """Hide every source token alone; after some, the fall of every output token's log-probability so far.

    A generator for `explorer.ui.job_progress.watch`. Nothing that is written changes: the old translation is read again
    with one column of the encoder's self-attention and of cross-attention forbidden.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the checkpoint cannot be used.
    """
    translator = load(params.checkpoint)
    model, translation = translator.prepared.model, translate(translator, params.text, params.options)
    source, target = encode_source(translator, translation.source), translation.best.ids
    whole = score_written(next_token_logs(model, source, target), target)[0]
    drop = np.full((len(target), len(source)), np.nan, np.float32)
    others = ~torch.eye(len(source), dtype=torch.bool)
    step = max(1, POSITIONS_PER_STEP // len(target))
    for start in range(0, len(source), step):
        hidden = others[start : start + step]
        logs = score_written(next_token_logs(model, source, target, source_allowed=hidden), target)
        drop[:, start : start + step] = (whole - logs).T.cpu().numpy()
        yield EffectRecord(
            done=start + len(hidden),
            total=len(source),
            drop=drop,
            query_labels=translation.trace.written.labels,
            key_labels=translation.trace.source.labels,
            provenance=translator.provenance.by(
                next_token_logs, detail="each source token hidden from every attention, old translation read again"
            ),
        )


def effects(params: Params) -> EffectRecord:
    """Return all of `measure_effects` at once: for short sentences."""
    *_, last = measure_effects(params)
    return last


def agreements(result: Result, effect: EffectRecord, view: View) -> tuple[Agreement, ...]:
    """Correlate (Spearman) the effect with cross-attention's maps, for the view's output token and all.

    Maps: mean and maximum over the heads of the view's layer, the mean over all heads and layers, rollout. The view's
    `query` is the place of the output token (clamped).
    """
    position = crossing(result, view).query
    found = []
    for name, weights in maps(result, view).items():
        each = rank_correlation(torch.from_numpy(weights.copy()), torch.from_numpy(effect.drop.copy())).numpy()
        known = np.isfinite(each)
        alike = weights.argmax(-1) == effect.drop.argmax(-1)
        mean, top = (float(of[known].mean()) if known.any() else float("nan") for of in (each, alike))
        found.append(Agreement(name=name, here=float(each[position]), mean=mean, tokens=int(known.sum()), top=top))
    return tuple(found)


def maps(result: Result, view: View) -> Mapping[Map, npt.NDArray[np.float32]]:
    """Return the maps that `agreements` compares, `[target, source]` each."""
    view = crossing(result, view)
    layer = result.trace.layers("cross")[view.layer].weights
    return {
        "mean": layer.mean(0),
        "max": layer.max(0),
        "layers": mean_of_layers(result, "cross").weights[0],
        "rollout": roll_out(result, "cross").weights[0],
    }


def crossing(result: Result, view: View) -> View:
    """Return the view turned to cross-attention: its layer, head and query clamped to what is there."""
    return clamp_view(result, replace(view, site="cross"))
