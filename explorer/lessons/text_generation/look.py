"""“Text generation”: into the step that wrote one token."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypedDict

import numpy as np
import numpy.typing as npt
from torch import Tensor

from explorer.data.corpus import CorpusKind
from explorer.inference.gpt.generate import LoadedGPT, load
from explorer.inference.gpt.induction import induction, make_repeated_text
from explorer.inference.gpt.sampling import TextSampler, draw, next_tokens
from explorer.inference.gpt.trace import GPTTrace, logit_lens, next_token, trace
from explorer.inference.gpt.writing import first_seen
from explorer.lessons.text_generation.state import STOPS, Result, View, clamp_place
from explorer.records.attention import AttentionRecord
from explorer.records.generation import InductionRecord, NextRecord
from explorer.records.residual_stream import StreamRecord
from explorer.service.kept import made_once

#: Tokens that a picture of many heads shows before the chosen one; what lies further back is one column.
#: Chinese characters are as wide as two others.
MOST_KEYS: dict[CorpusKind, int] = {"text": 44, "verse": 24}
#: Tokens of the lens's map.
MOST_LENS = 16
BACK = "⋯"
#: Bars and parts of the draw at a place, besides what was taken there; narrower parts are not seen.
MOST_BARS, MOST_PARTS, LEAST_PART = 7, 14, 5e-4


class PlaceStep(TypedDict):
    """Alternatives at one place, as the browser draws them.

    Attributes:
        bars: name, the model's probability, that of the draw, and whether it can be drawn; the likeliest first.
        chosen: which of them stands there; None at the end.
        strip: name of a token, and from where to where its share of the draw reaches, 0…1; the likeliest first.
        die: where the die of this place fell, 0…1.
        ranks: place of what stands there among all tokens, from 1; how many there are; how many cannot be drawn.
    """

    bars: list[tuple[str, float, float, bool]]
    chosen: int | None
    strip: list[tuple[str, float, float]]
    die: float
    ranks: tuple[int, int, int]


class Rows(NamedTuple):
    """Attention of one step in every layer and head.

    Attributes:
        weights: `[layers · heads, keys]`, layer by layer.
        heads: name of each row, such as `1.3`.
        keys: the tokens; the first may stand for all further back.
        first: place of the first key that is a token of its own.
    """

    weights: npt.NDArray[np.float32]
    heads: tuple[str, ...]
    keys: tuple[str, ...]
    first: int


@made_once
def _looked(checkpoint: str, ids: tuple[int, ...], following: int | None) -> GPTTrace:
    """Run one pass, kept for whoever looks at the next token of the same text."""
    return trace(load(checkpoint), ids, following)


@made_once
def _lens(checkpoint: str, ids: tuple[int, ...], following: int | None) -> StreamRecord:
    return logit_lens(load(checkpoint), _looked(checkpoint, ids, following))


def stretch(result: Result, position: int) -> tuple[int, GPTTrace]:
    """Return the pass in which the token of a place was written: where it begins, and what it computed.

    One pass serves every place that has the same beginning.
    """
    return _stretch(result.checkpoint, result.ids, result.window, clamp_place(result, position))


def _stretch(checkpoint: str, ids: tuple[int, ...], window: int, position: int) -> tuple[int, GPTTrace]:
    end, begin = position, first_seen(position, window)
    while end < len(ids) and first_seen(end + 1, window) == begin:
        end += 1
    return begin, _looked(checkpoint, ids[begin:end], ids[end] if end < len(ids) else None)


def next_at(result: Result, view: View) -> NextRecord:
    """Return what could have stood at the chosen place, and what the sampler made of it."""
    position = clamp_place(result, view.position)
    begin, looked = stretch(result, position)
    written = result.ids[position] if position < len(result.ids) else None
    logits = looked.logits[position - 1 - begin]
    sampler = result.params.sampler
    return next_token(
        load(result.checkpoint), next_tokens(logits, result.ids[begin:position], sampler), sampler, written
    )


def rows(result: Result, view: View) -> Rows:
    """Return where every head looked when the chosen token was written."""
    position = clamp_place(result, view.position)
    begin, looked = stretch(result, position)
    row = position - 1 - begin
    weights = np.concatenate([record.weights[:, row, : row + 1] for record in looked.attentions])
    keys: Sequence[str] = looked.attentions[0].key_labels[: row + 1]
    n_heads, first = looked.attentions[0].n_heads, begin
    cut = len(keys) - MOST_KEYS[result.kind]
    if cut > 0:
        weights = np.concatenate([weights[:, :cut].sum(1, keepdims=True), weights[:, cut:]], axis=1)
        keys, first = (BACK, *keys[cut:]), begin + cut
    names = tuple(f"{layer}.{head}" for layer in range(len(looked.attentions)) for head in range(n_heads))
    return Rows(weights, names, tuple(keys), first)


def looked_at(result: Result, view: View) -> npt.NDArray[np.float32]:
    """Return how much the step that wrote the chosen token looked at each token; NaN where it could not."""
    position = clamp_place(result, view.position)
    first, looked = stretch(result, position)
    row = position - 1 - first
    weights = np.full(len(result.ids), np.nan, np.float32)
    weights[first:position] = _weights(looked.attentions, *clamp_head(looked, view))[row, : row + 1]
    return weights


def every_look(result: Result, view: View) -> npt.NDArray[np.float32]:
    """Return how much each step looked at each token, a row for each token after the first and one for the next."""
    weights = np.zeros((len(result.ids), len(result.ids)), np.float32)
    position = 1
    while position <= len(result.ids):
        first, looked = stretch(result, position)
        found = _weights(looked.attentions, *clamp_head(looked, view))
        after = first + len(found) + 1
        weights[position - 1 : after - 1, first : after - 1] = found[position - 1 - first :]
        position = after
    return weights


def every_step(result: Result) -> tuple[PlaceStep, ...]:
    """Return what could have stood at each place after the first, and at the next one."""
    return _steps(result.checkpoint, result.ids, result.window, result.params.sampler)


@made_once
def _steps(checkpoint: str, ids: tuple[int, ...], window: int, sampler: TextSampler) -> tuple[PlaceStep, ...]:
    gpt, found = load(checkpoint), list[PlaceStep]()
    while len(found) < len(ids):
        position = len(found) + 1
        first, looked = _stretch(checkpoint, ids, window, position)
        for logits in looked.logits[position - 1 - first :]:
            found.append(_step(gpt, ids, first, len(found) + 1, logits, sampler))
    return tuple(found)


def at_each_stop(result: Result, position: int, setting: str) -> tuple[PlaceStep, ...]:
    """Return how the token of a place would be drawn at each of `STOPS` of a setting, after the same text.

    Args:
        position: clamped to the text; at its end nothing is drawn.
        setting: a field of the sampler.
    """
    gpt, position, end = load(result.checkpoint), clamp_place(result, position), len(result.ids)
    first, looked = stretch(result, position)
    logits, before, found = looked.logits[position - 1 - first], result.ids[:position], list[PlaceStep]()
    for stop in STOPS[setting]:
        change: dict[str, Any] = {setting: stop}
        sampler = replace(result.params.sampler, **change)
        drawn = [draw(next_tokens(logits, before[first:], sampler), sampler.die(position))] if position < end else []
        found.append(_step(gpt, (*before, *drawn), first, position, logits, sampler))
    return tuple(found)


def _step(
    gpt: LoadedGPT, ids: tuple[int, ...], first: int, position: int, logits: Tensor, sampler: TextSampler
) -> PlaceStep:
    offered = next_tokens(logits, ids[first:position], sampler)
    written = ids[position] if position < len(ids) else None
    record = next_token(gpt, offered, sampler, written)
    sorted_, tokens = offered.drawn.cpu().double().sort(descending=True, stable=True)
    shares, ends, order = sorted_.tolist(), sorted_.cumsum(0).tolist(), tokens.tolist()
    parts = [
        each
        for each, token in enumerate(order)
        if shares[each] > 0 and ((each < MOST_PARTS and shares[each] >= LEAST_PART) or token == written)
    ]
    names = gpt.tokenizer.pieces([order[each] for each in parts])
    bars = list(record.likeliest[:MOST_BARS])
    chosen = record.chosen
    if chosen is not None and chosen >= MOST_BARS:
        bars.append(record.likeliest[chosen])
        chosen = MOST_BARS
    return {
        "bars": [(each.label, _short(each.model), _short(each.drawn), each.fate == "kept") for each in bars],
        "chosen": chosen,
        "strip": [
            (name, _short(ends[each - 1]) if each else 0.0, _short(ends[each]))
            for name, each in zip(names, parts, strict=True)
        ],
        "die": _short(sampler.die(position)),
        "ranks": (1 if record.rank is None else record.rank + 1, record.n_tokens, record.n_tokens - record.n_kept),
    }


def _short(number: float) -> float:
    """Round to six digits: a class is sent hundreds of places at once."""
    return float(f"{number:.6g}")


def head_map(result: Result, view: View) -> AttentionRecord:
    """Return every token's row of the chosen head, or the mean over all heads of the chosen layer or of all."""
    _, looked = stretch(result, view.position)
    return _of_heads(looked, view)


def begin(result: Result, view: View) -> int:
    """Return the place of the first token of the stretch in which the chosen one was written."""
    return first_seen(clamp_place(result, view.position), result.window)


def _of_heads(looked: GPTTrace, view: View) -> AttentionRecord:
    """Return one head of a layer, or the mean over all heads of a layer or of the model, as a record of one head."""
    layer, head = clamp_head(looked, view)
    record = looked.attentions[layer or 0]
    whose = "mean over all heads" if layer is None else "mean over heads" if head is None else f"head {head}"
    said = f"{record.provenance.detail}, {whose}" if layer is not None else whose
    weights = _weights(looked.attentions, layer, head)[None]
    return replace(record, weights=weights, provenance=replace(record.provenance, detail=said))


def _weights(attentions: Sequence[AttentionRecord], layer: int | None, head: int | None) -> npt.NDArray[np.float32]:
    """Return the weights of one head, or their mean over a layer or over all layers."""
    layers = attentions if layer is None else attentions[layer : layer + 1]
    every = np.stack([each.weights for each in layers])
    found: npt.NDArray[np.float32] = every.mean((0, 1)) if head is None else every[0, head].copy()
    return found


def clamp_head(looked: GPTTrace, view: View) -> tuple[int | None, int | None]:
    """Return layer and head that there are; a head is one of a layer."""
    if view.layer is None:
        return None, None
    layer = min(max(view.layer, 0), len(looked.attentions) - 1)
    head = None if view.head is None else min(max(view.head, 0), looked.attentions[0].n_heads - 1)
    return layer, head


def lens(result: Result, view: View) -> tuple[StreamRecord, int]:
    """Return the logit lens around the chosen place, and which of its columns is that place."""
    position = clamp_place(result, view.position)
    begin, looked = stretch(result, position)
    row, record = position - 1 - begin, _lens(result.checkpoint, looked.ids, looked.following)
    count = len(record.written_labels)
    first = max(0, min(row - MOST_LENS // 2, count - MOST_LENS))
    here = slice(first, min(first + MOST_LENS, count))
    part = replace(
        record,
        read_labels=record.read_labels[here],
        written_labels=record.written_labels[here],
        norm=record.norm[:, here].copy(),
        added=record.added[:, here].copy(),
        token_norm=record.token_norm[here].copy(),
        position_norm=None if record.position_norm is None else record.position_norm[here].copy(),
        likeliest=tuple(point[here] for point in record.likeliest),
        share=record.share[:, here].copy(),
        rank=record.rank[:, here].copy(),
    )
    return part, row - first


def shape(checkpoint: str) -> tuple[int, int]:
    """Return numbers of layers and of heads in each."""
    config = load(checkpoint).model.config
    return config.n_layers, config.n_heads


@made_once
def heads_on_repetition(checkpoint: str, seed: int) -> InductionRecord:
    """Return what every head does on random sequences that are repeated."""
    return induction(load(checkpoint), seed)


def repetition_map(checkpoint: str, seed: int, view: View) -> AttentionRecord:
    """Return the chosen head on the first of them."""
    return _of_heads(_on_repetition(checkpoint, seed), view)


@made_once
def _on_repetition(checkpoint: str, seed: int) -> GPTTrace:
    gpt = load(checkpoint)
    return trace(gpt, make_repeated_text(gpt, seed), None)
