"""“Efficient attention”: attention that scales, on the same queries, keys and values as exact attention."""

from explorer.attention.efficient.variants import SETTINGS, Variant
from explorer.inference.gpt import generate
from explorer.lessons.efficient_attention import captured_qkv, comparison
from explorer.lessons.efficient_attention.captured_qkv import Captured
from explorer.lessons.efficient_attention.flash import FlashParams, steps
from explorer.lessons.efficient_attention.records.comparison import FeatureSweep, FlashRecord, VariantRecord
from explorer.lessons.efficient_attention.state import GPT, RANDOM_D, RANDOM_N, TRANSLATOR, Params, QKVSource, Result
from explorer.scenes.efficient_attention import FEATURE
from explorer.service.kept import made_once


def compute(params: Params) -> Result:
    """Return the chosen mechanism beside exact attention, and the cost of all.

    Raises:
        InputRefused: there is nothing to read, or too much.
        CheckpointError: the model cannot be used.
        DeviceRefused: `EXPLORER_DEVICE` names a device that is not there.
    """
    records = {name: compare(params.source, params.variant(name)) for name in SETTINGS}
    return Result(
        params=params,
        record=records[params.name],
        costs=tuple(record.cost for record in records.values()),
    )


#: How often a Performer's directions are drawn for its curves, and what queries and keys are multiplied by.
DRAWS, LENGTHS = 7, (1.0, 0.5, 0.125)


def feature_sweep(source: QKVSource) -> FeatureSweep:
    """Return the error of a Performer over its features, on the same queries, keys and values; raises as `compute`."""
    return comparison.feature_sweep(capture_qkv(source), FEATURE.options, LENGTHS, head=source.head, draws=DRAWS)


@made_once
def compare(source: QKVSource, variant: Variant) -> VariantRecord:
    """Return a mechanism beside exact attention; it is kept, so that moving one slider computes one mechanism."""
    return comparison.compare(capture_qkv(source), variant, head=source.head)


def flash_steps(params: FlashParams) -> FlashRecord:
    """Return flash attention of the chosen head, tile by tile; raises as `compute`."""
    return steps(params, capture_qkv(params.source))


@made_once
def capture_qkv(source: QKVSource) -> Captured:
    """Return queries, keys and values of a layer; raises as `compute`."""
    if source.kind == "gpt":
        return captured_qkv.of_gpt(generate.load(GPT), source.text, layer=source.layer)
    if source.kind == "encoder":
        return captured_qkv.of_encoder(TRANSLATOR, source.text, layer=source.layer)
    causal = source.kind == "random_causal"
    return captured_qkv.draw_normal(n=RANDOM_N, heads=source.n_heads, d=RANDOM_D, seed=source.seed, causal=causal)
