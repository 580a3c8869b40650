"""“Masked softmax”: what its figures say, in a line each, computed from their numbers."""

import numpy as np
import numpy.typing as npt

from explorer.lessons.masked_softmax.records import HeadRecord, RowsRecord, display_tokens, names, way_names
from explorer.lessons.masked_softmax.rows import convention_rows, fill_rows, fully_masked_rows
from explorer.lessons.masked_softmax.state import Result, View
from explorer.records.language import t
from explorer.records.wording import join_sentences


def describe_head(record: HeadRecord) -> str:
    """Say which row loses most to the mask, and which least; rows of punctuation are passed over."""
    if record.allowed.all():
        return t("No cell is forbidden: every row shares its weight among all {count} words.").format(
            count=len(record.labels)
        )
    lost, said = record.lost[: record.n_words], names(record)
    rows = [row for row in range(len(lost)) if any(sign.isalnum() for sign in said[row])] or list(range(len(lost)))
    if not any(lost[row] for row in rows):
        rows = list(range(len(lost)))  # only punctuation loses anything
    most, least = max(rows, key=lost.__getitem__), min(rows, key=lost.__getitem__)
    share, little = _share(float(lost[most])), _share(float(lost[least]))
    untouched = sum(lost[row] == 0 for row in rows)
    if share != little and untouched > 1:
        return t(
            "Not counting punctuation, “{most}” loses most to the mask: **{share}** of its weight. {count} words lose "
            "**nothing**."
        ).format(most=said[most], share=share, count=untouched)
    if share == little:
        return t("Every word loses the same share of its weight to the mask: **{share}**.").format(share=share)
    return t("Not counting punctuation, “{most}” loses most to the mask: **{share}** of its weight.").format(
        most=said[most], share=share
    )


def _share(weight: float) -> str:
    """Return a share in per cent; what is not nothing, or not all, is not called that."""
    if 0 < weight < 0.005:
        return "< 1%"
    return "> 99%" if 0.995 <= weight < 1 - 1e-6 else f"{weight:.0%}"  # sums of float32 fall short of 1


def describe_forbidden(record: HeadRecord, what: str) -> str:
    """Say what is hatched: in words, for the other picture has the numbers."""
    if record.allowed.all():
        return describe_head(record)
    return t("Hatched is {what}: nobody may look there.").format(what=what)


def describe_row(record: HeadRecord, row: int, what: str, *, masked: bool) -> str:
    """Say what the mask takes from a row, and by what it multiplies the rest."""
    lost, words = float(record.lost[row]), {"word": names(record)[row], "what": what}
    words |= {"share": _share(lost), "factor": f"{record.factor(row):.2f}"}
    if not masked:
        return t("Without the mask “{word}” spends **{share}** of its weight on {what}.").format(**words)
    if not record.allowed[row].any():
        return t("“{word}” may see nothing: all weights are **0**, and so is its output.").format(**words)
    if record.allowed[row].all():
        return t("The mask takes nothing from “{word}”: both bars are **equal**.").format(**words)
    if record.allowed[row].sum() == 1:
        return t(
            "The mask takes **{share}** of its weight from “{word}”: "
            "the only word that stays becomes **{factor} times** as heavy."
        ).format(**words)
    return t(
        "The mask takes **{share}** of its weight from “{word}”: "
        "each word that stays becomes **{factor} times** as heavy."
    ).format(**words)


def describe_scores(result: Result, view: View) -> str:
    """Say how often the best fit is a key that may not be seen."""
    scores, mask = result.scores[view.batch], result.masks[view.batch]
    best = scores.argmax(-1)
    lost = int((~mask.allowed[np.arange(len(best)), best]).sum())
    return t(
        "Scores from {low} to {high}, computed for every pair; "
        "in {lost} of {rows} rows the best fit is a key that may not be seen."
    ).format(low=f"{scores.min():.2f}", high=f"{scores.max():.2f}", lost=lost, rows=len(best))


def describe_mask(result: Result, view: View) -> str:
    """Say how many cells are allowed, and what forbids the others."""
    mask = result.masks[view.batch]
    said = {
        "padding": t("padding forbids {count}"),
        "future": t("the future {count}"),
        "window": t("the window {count}"),
    }
    parts = [said[name].format(count=int(rule.sum())) for name, rule in mask.forbidden_by.items()]
    if mask.by_hand.any():
        parts.append(t("changed by hand: {count}").format(count=int(mask.by_hand.sum())))
    count = {"allowed": int(mask.allowed.sum()), "cells": mask.allowed.size}
    if not parts:
        return t("{allowed} of {cells} cells are allowed.").format(**count)
    said_all = t("{allowed} of {cells} cells are allowed: {parts}. Rules may overlap.")
    return said_all.format(parts=t(", ").join(parts), **count)


def describe_weights(result: Result, view: View) -> str:
    """Say the largest weight, and the rows that may see nothing."""
    record, mask = result.records[view.batch], result.masks[view.batch]
    weights = record.weights[0]
    blind = len(mask.blind)
    said = []
    if blind < len(weights):
        query, key = np.unravel_index(weights.argmax(), weights.shape)
        weight, alike = f"{weights[query, key]:.3f}", int((weights > weights.max() - 1e-6).sum())
        largest, labels = t("Largest weight: “{query}” gives {weight} to “{key}”."), display_tokens(record.key_labels)
        if alike > 1:
            largest = t("Largest weight: {weight}, in {count} cells.")
        said.append(largest.format(query=labels[query], key=labels[key], weight=weight, count=alike))
    if not mask.allowed.all():
        forbidden = float(weights[~mask.allowed].sum())
        said.append(t("All forbidden cells together weigh {weight}.").format(weight=_number(forbidden)))
    if blind:
        output = float(np.abs(result.outputs[view.batch][mask.blind]).max())
        nothing = t("Queries that may see nothing: {count}; weights 0, largest output {output}.")
        said.append(nothing.format(count=blind, output=_number(output)))
    return join_sentences(said)


def describe_blind(result: Result, view: View) -> str:
    """Say which code answers 0, which spreads the weight over forbidden keys, which gives NaN and where that ends."""
    rows = fully_masked_rows(result, view)
    said = _fates(way_names(rows.ways), rows.weights)
    spoilt = rows.facts["NaN rows after one more layer"]
    worst = max(spoilt)
    if worst:
        said.append(
            t("One layer later the NaN has reached {spoilt} of {rows} rows.").format(
                spoilt=worst, rows=len(rows.key_labels)
            )
        )
    return t("With nothing to see, “{query}” gets: {answers}").format(
        query=display_tokens((rows.query_label,))[0], answers=join_sentences(said)
    )


def describe_fills(result: Result, view: View, *, nothing: bool) -> str:
    """Say what weight the fills leave on forbidden keys."""
    rows = fill_rows(result, view, nothing=nothing)
    if nothing:
        return _briefly(rows) or join_sentences(_fates(way_names(rows.ways), rows.weights))
    if rows.allowed.all():
        return t("The mask leaves this row whole: no fill is used, only rounding differs.")
    if not rows.allowed.any():
        return t("The mask leaves this row nothing, so both tables show the same.")
    leak = float(np.nanmax(rows.weights[:, ~rows.allowed]))
    apart = float(np.nanmax(np.ptp(rows.weights[:, rows.allowed], axis=0)))
    if leak == 0 and not np.isnan(rows.weights).any():
        return t(
            "As long as one key is allowed, every fill works: forbidden keys get exactly 0 in all {count} rows, "
            "and the dtypes differ by at most {apart}."
        ).format(count=len(rows.ways), apart=_number(apart))
    return t("The largest weight on a forbidden key is {leak}.").format(leak=_number(leak))


def describe_conventions(result: Result, view: View) -> str:
    """Say how far the calls agree, and how far the mask turned round leads astray."""
    rows = convention_rows(result, view)
    if not result.masks[view.batch].allowed.any():
        return t(
            "No query may see any key: this app and PyTorch’s function give 0, its layer gives NaN; with the mask the "
            "wrong way round every key is allowed."
        )
    differences = rows.facts["largest difference"]
    agree = max(differences[:-1])
    wrong = differences[-1]
    if np.isnan(wrong):
        spoilt = np.isnan([*result.conventions.values()][-1][view.batch]).any(-1)
        end = t("the mask the wrong way round gives NaN in {spoilt} of {rows} rows: who may see all then sees nothing.")
        end = end.format(spoilt=int(spoilt.sum()), rows=len(spoilt))
    else:
        end = t("the mask the wrong way round moves a weight of some row by {wrong}.").format(wrong=_number(wrong))
    said = t("The first three agree exactly") if agree == 0 else t("The first three agree to {agree}")
    if blind := int((~result.masks[view.batch].allowed.any(-1)).sum()):
        said = t(
            "{said} where a query may see a key; of queries that may see none ({blind}), PyTorch’s layer makes NaN"
        ).format(said=said, blind=blind)
    return t("{said}; {end}").format(said=said.format(agree=_number(agree)), end=end)


def _briefly(rows: RowsRecord) -> str:
    """Say what ours does, and how many fills fail in which way; empty if they do anything else."""
    ours = np.array([way.endswith(" ours") for way in rows.ways])
    broken = np.isnan(rows.weights).any(-1)
    even = ~broken & (np.ptp(rows.weights, axis=-1) == 0) & (rows.weights > 0).all(-1)
    if (rows.weights[ours] != 0).any() or not (broken | even | ours).all():
        return ""
    keys = rows.weights.shape[-1]
    said = (
        t(
            "Only this app gives **0**. Of the {fills} other rows **{even}** share the weight among the forbidden "
            "keys, 1/{keys} each, and **{broken}** give NaN, no number at all."
        )
        if keys > 1
        else t(
            "Only this app gives **0**. Of the {fills} other rows **{even}** give the only key all the weight, though "
            "it is forbidden, and **{broken}** give NaN, no number at all."
        )
    )
    return said.format(fills=int((~ours).sum()), even=int(even.sum()), keys=keys, broken=int(broken.sum()))


def _fates(names: tuple[str, ...], weights: npt.NDArray[np.float32]) -> list[str]:
    """Group the ways by what they do with a row in which nothing is allowed."""
    broken = np.asarray(np.isnan(weights).any(-1))
    zero = ~broken & (weights == 0).all(-1)
    even = ~broken & ~zero & (np.ptp(weights, axis=-1) == 0)
    other = ~broken & ~zero & ~even
    keys = weights.shape[-1]
    shared = t("1/{keys} for every forbidden key from {ways}.") if keys > 1 else t("1 for the only key from {ways}.")
    kinds = (
        (zero, t("0 from {ways}.")),
        (broken, t("NaN from {ways}.")),
        (even, shared),
        (other, t("Nearly as if nothing were forbidden: {ways}.")),
    )
    return [
        said.format(ways=t("; ").join(name for name, hit in zip(names, chosen, strict=True) if hit), keys=keys)
        for chosen, said in kinds
        if chosen.any()
    ]


def _number(value: float) -> str:
    return "0" if value == 0 else f"{value:.2g}"
