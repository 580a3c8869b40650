"""“Efficient attention”: what its figures say, computed from their numbers."""

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from explorer.lessons.efficient_attention.records.comparison import FeatureSweep, VariantCost, VariantRecord
from explorer.records.language import t
from explorer.records.wording import capitalise, minus, said_size

#: Below this a difference is rounding in float32.
ROUNDING = 1e-5


def mechanism_names() -> dict[str, str]:
    """Return the mechanisms in the reader's language."""
    return {
        "plain": t("exact attention"),
        "window": t("sliding window"),
        "dilated": t("dilated window"),
        "strided": t("strided"),
        "global": t("global tokens"),
        "longformer": t("Longformer"),
        "block": t("block-sparse"),
        "bigbird": t("BigBird"),
        "linear": t("linear (elu + 1)"),
        "performer": t("Performer"),
        "grouped": t("grouped queries"),
        "flash": t("flash"),
    }


def setting_names() -> dict[str, str]:
    """Return the settings in the reader's language."""
    return {
        "width": t("width w"),
        "gap": t("gap"),
        "stride": t("stride"),
        "n_global": t("global"),
        "block": t("block"),
        "reach": t("blocks to each side"),
        "n_random": t("random blocks"),
        "n_features": t("features m"),
        "groups": t("groups"),
        "tile_queries": t("queries to a tile"),
        "tile_keys": t("keys to a tile"),
        "seed": t("seed"),
    }


def said_settings(settings: Iterable[tuple[str, int]]) -> str:
    """Say a mechanism's settings in words; a dash where it has none."""
    names = setting_names()
    return t(", ").join(f"{names[name]} {value}" for name, value in settings) or "–"


def describe_weights(record: VariantRecord) -> str:
    """Say what the mechanism does to the weights, and what that does to the output."""
    cost, names = record.cost, mechanism_names()
    if cost.share is None:
        parts = [t("{name}: every cell is used.").format(name=capitalise(names[cost.name]))]
    else:
        text = t("{name}: {share:.0%} of the cells are used; these hold {held:.0%} of the exact weight.")
        held = float(np.where(record.allowed, record.exact, 0).sum(-1).mean())
        parts = [text.format(name=capitalise(names[cost.name]), share=cost.share, held=held)]
    if cost.output_error == 0:
        return " ".join([*parts, t("Its output is the exact one.")])
    if cost.output_error < ROUNDING:
        text = t("Its output is the exact one: it differs by {error:.0e} of its length, which is rounding.")
        return " ".join([*parts, text.format(error=cost.output_error)])
    text = t("On average {moved:.0%} of a query’s weight lies elsewhere, and the output is off by {error:.0%}.")
    return " ".join([*parts, text.format(moved=cost.weight_error, error=cost.output_error)])


def describe_shared(costs: Sequence[VariantCost]) -> str:
    """Say how much weight lies elsewhere when keys are shared, of the head that moves most and on average."""
    moved = [cost.weight_error for cost in costs]
    if max(moved) < ROUNDING:
        return t("Every head has keys of its own: nothing changes.")
    text = t("On average **{mean:.0%}** of a head’s weight lies elsewhere; of head {head} it is {most:.0%}.")
    return text.format(mean=sum(moved) / len(moved), head=moved.index(max(moved)), most=max(moved))


def describe_kept_bytes(choices: Mapping[int, VariantCost], groups: int) -> str:
    """Say what a decoder keeps with this number of heads of keys and values, beside one for each head."""
    now, whole = choices[groups].kept_bytes, choices[max(choices)].kept_bytes
    if now == whole:
        text = t("With {groups} heads of keys and values a decoder keeps **{now}**: nothing is saved.")
    elif groups == 1:
        text = t("With one head of keys and values a decoder keeps **{now}** instead of {whole}.")
    else:
        text = t("With {groups} heads of keys and values a decoder keeps **{now}** instead of {whole}.")
    return text.format(groups=groups, now=said_size(now), whole=said_size(whole))


def describe_features(sweep: FeatureSweep, at: int) -> str:
    """Say what the features buy as queries and keys are, and what they would buy if these were shorter."""
    if sweep.median.max() < ROUNDING or not all(map(math.isfinite, sweep.slopes)):
        return t("With these queries and keys the output is exact, whatever the features: there is no error to shrink.")
    position, slopes = sweep.features.index(at), [minus(f"{slope:.2f}") for slope in sweep.slopes]
    other = 0 if at == sweep.features[-1] else -1
    said = t(
        "In the middle of {draws} draws the output is off by **{now:.0%}** with {at} features, by {then:.0%} with "
        "{other}: the error goes as m to the power {slope}. For vectors {times:.0f} times shorter: {short}."
    )
    return said.format(
        draws=sweep.errors.shape[1],
        at=at,
        now=sweep.median[0, position],
        other=sweep.features[other],
        then=sweep.median[0, other],
        slope=slopes[0],
        times=1 / sweep.lengths[-1],
        short=slopes[-1],
    )


def describe_errors(record: VariantRecord) -> str:
    """Say which query suffers most, and how many not at all."""
    worst = int(np.argmax(record.output_error))
    untouched = int((record.output_error < ROUNDING).sum())
    if untouched == len(record.labels):
        return t("No query loses anything.")
    return t(
        "Most is lost at position {position} (“{token}”): its output is off by {error:.0%}, and {moved:.0%} of its "
        "weight lies elsewhere. Queries that lose nothing: {untouched} of {count}."
    ).format(
        position=worst,
        token=record.labels[worst],
        error=float(record.output_error[worst]),
        moved=float(record.weight_error[worst]),
        untouched=untouched,
        count=len(record.labels),
    )


def describe_costs(costs: Sequence[VariantCost]) -> str:
    """Say the cheapest, and the closest of those that are cheaper than exact attention."""
    names = mechanism_names()
    exact = next(cost for cost in costs if cost.name == "plain")
    others = [cost for cost in costs if cost.name != "plain"]
    cheaper = [cost for cost in others if cost.operations < exact.operations and cost.output_error >= ROUNDING]
    least = min(others, key=lambda cost: cost.operations)
    parts = [
        t("Fewest multiply-adds: {name}, {share:.0%} of what exact attention needs; its output is off by {error:.0%}.")
    ]
    parts[0] = parts[0].format(
        name=names[least.name], share=least.operations / exact.operations, error=least.output_error
    )
    if cheaper:
        best = min(cheaper, key=lambda cost: cost.output_error)
        text = t("Closest of those that need fewer: {name}, off by {error:.1%} with {share:.0%} of the multiply-adds.")
        share = best.operations / exact.operations
        parts.append(text.format(name=names[best.name], error=best.output_error, share=share))
    text = t("Exact attention needs {operations:,} and holds {peak} at once.")
    parts.append(text.format(operations=exact.operations, peak=said_size(exact.peak_bytes)))
    return " ".join(parts)
