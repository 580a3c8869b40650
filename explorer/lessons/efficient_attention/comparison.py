"""Run a variant on captured queries, keys and values: what it costs, and how far it is from exact attention."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from explorer.attention.attend import attend
from explorer.attention.efficient import flash
from explorer.attention.efficient.performer import performer
from explorer.attention.efficient.variants import Variant
from explorer.attention.masking import causal as past
from explorer.inference.benchmark.flops import MatrixProducts
from explorer.inference.benchmark.layers import Layer
from explorer.inference.benchmark.peak_memory import peak_bytes
from explorer.lessons.efficient_attention.captured_qkv import Captured
from explorer.lessons.efficient_attention.length_sweep import Calling
from explorer.lessons.efficient_attention.records.comparison import (
    FeatureSweep,
    FlashRecord,
    FlashStep,
    VariantCost,
    VariantRecord,
)


@torch.no_grad()  # not inference mode, where the counters would see less
def compare(captured: Captured, variant: Variant, *, head: int) -> VariantRecord:
    """Return one head's exact weights and output beside a variant's.

    The head is clamped.

    Raises:
        ValueError: if a setting does not fit these heads.
    """
    given, causal = (captured.query, captured.key, captured.value), captured.causal
    head, n = min(max(head, 0), len(captured.query) - 1), len(captured.labels)
    whole = past(n, n) if causal else torch.ones(n, n, dtype=torch.bool)
    exact = attend(*given, allowed=whole)
    weights = variant.weights(captured.query, captured.key, causal=causal)[head]
    output = variant.attend(*given, causal=causal)[head]
    wrong = output - exact.output[head]
    mask = variant.mask(n, causal=causal)
    moved = (weights - exact.weights[head]).abs().sum(-1) / 2
    cost = VariantCost(
        name=variant.name,
        settings=tuple(variant.own().items()),
        share=None if mask is None else float(mask.sum() / whole.sum()),
        operations=operations(captured, variant),
        peak_bytes=peak_bytes(Layer(module=Calling(variant.attend, causal=causal), inputs=given)),
        kept_bytes=kept_bytes(captured, variant),
        weight_error=float(moved.mean()),
        output_error=float(wrong.norm() / exact.output[head].norm()),
    )
    provenance = captured.provenance
    detail = f"{provenance.detail}, head {head}, {' '.join(f'{name} {value}' for name, value in cost.settings)}"
    return VariantRecord(
        cost=cost,
        labels=captured.labels,
        causal=causal,
        exact=exact.weights[head].numpy(),
        weights=weights.numpy(),
        allowed=(whole if mask is None else mask).numpy(),
        weight_error=moved.numpy(),
        output_error=(wrong.norm(dim=-1) / exact.output[head].norm(dim=-1)).numpy(),
        provenance=provenance.by(compare, detail=detail.rstrip(", ")),
    )


@torch.inference_mode()
def feature_sweep(
    captured: Captured, features: Sequence[int], lengths: Sequence[float], *, head: int, draws: int
) -> FeatureSweep:
    """Return how one head's error falls with the number of a Performer's random features.

    The variance of a feature grows exponentially with the squared length of q + k (Choromanski et al. 2021, lemma 2):
    so the same vectors are tried shortened too.

    Queries and keys are multiplied by each of the `lengths` in turn; directions are drawn with seeds 0, 1, ….
    """
    head, n, causal = min(max(head, 0), len(captured.query) - 1), len(captured.labels), captured.causal
    query, key, value = (each[head] for each in (captured.query, captured.key, captured.value))
    errors = np.zeros((len(lengths), draws, len(features)), np.float32)
    for row, length in enumerate(lengths):
        given = (length * query, length * key, value)
        exact = attend(*given, allowed=past(n, n) if causal else None).output
        for seed in range(draws):
            for column, count in enumerate(features):
                wrong = performer(*given, causal=causal, n_features=count, seed=seed) - exact
                errors[row, seed, column] = float(wrong.norm() / exact.norm())
    detail = f"{captured.provenance.detail}, head {head}, seeds 0 to {draws - 1}"
    return FeatureSweep(
        features=tuple(features),
        lengths=tuple(lengths),
        errors=errors,
        provenance=captured.provenance.by(feature_sweep, detail=detail.lstrip(", ")),
    )


def operations(captured: Captured, variant: Variant) -> int:
    """Return multiply-adds in matrix products, counted in a real run of all heads."""
    with torch.no_grad(), MatrixProducts() as counter:
        variant.attend(captured.query, captured.key, captured.value, causal=captured.causal)
    return int(counter.operations)


def kept_bytes(captured: Captured, variant: Variant) -> int:
    """Return what a decoder has to keep of the tokens it has read.

    Keys and values; of a window the last ones; of linear attention the state, a matrix and a vector for each head.
    """
    heads, n, d = captured.key.shape
    width = captured.key.element_size()
    if variant.name in ("linear", "performer"):
        features = d if variant.name == "linear" else variant.n_features
        return heads * features * (d + 1) * width
    if variant.name == "window":
        n = min(n, variant.width)
    if variant.name == "grouped":
        heads = variant.groups
    return 2 * heads * n * d * width


@torch.inference_mode()
def flash_steps(captured: Captured, *, head: int, tile_queries: int, tile_keys: int) -> FlashRecord:
    """Return flash attention of one head, tile by tile.

    Raises:
        ValueError: if a tile is below 1.
    """
    head, n, causal = min(max(head, 0), len(captured.query) - 1), len(captured.labels), captured.causal
    query, key, value = (each[head] for each in (captured.query, captured.key, captured.value))
    sizes = {"tile_queries": tile_queries, "tile_keys": tile_keys}
    exact = attend(query, key, value, allowed=past(n, n) if causal else None)
    kept = flash.flash_partial(query, key, value, causal=causal, **sizes)
    scores = exact.scores.masked_fill(~past(n, n), torch.nan) if causal else exact.scores
    tiles = flash.tiles(query, key, value, causal=causal, **sizes)
    detail = f"{captured.provenance.detail}, head {head}, tiles of {tile_queries} × {tile_keys}"
    return FlashRecord(
        labels=captured.labels,
        scores=scores.numpy(),
        values=value.numpy(),
        steps=tuple(_step(tile, exact.output) for tile in tiles),
        tiles=(tile_queries, tile_keys),
        difference=float((kept.output - exact.output).abs().max()),
        d=value.shape[-1],
        provenance=captured.provenance.by(flash.tiles, detail=detail.lstrip(", ")),
    )


def _step(tile: flash.Tile, exact: Tensor) -> FlashStep:
    final = exact[tile.queries.start : tile.queries.stop]
    wrong = flash.finalize(tile.after).output - final
    rescale = (tile.before.maximum - tile.after.maximum).exp()
    return FlashStep(
        queries=(tile.queries.start, tile.queries.stop),
        keys=(tile.keys.start, tile.keys.stop),
        maximum_before=tile.before.maximum.numpy(),
        maximum=tile.after.maximum.numpy(),
        total_before=tile.before.total.numpy(),
        total=tile.after.total.numpy(),
        rescale=rescale.numpy(),
        error=(wrong.norm(dim=-1) / final.norm(dim=-1)).numpy(),
    )
