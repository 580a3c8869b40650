"""Search: what its figures say, computed from their numbers."""

import math

import numpy as np

from explorer.inference.translator.request import MOST_LENGTH_PENALTY
from explorer.lessons.translator.names import name
from explorer.lessons.translator.search import Ways, ranked
from explorer.lessons.translator.search_edit import Rewritten
from explorer.records.language import Translate, english
from explorer.records.search import SearchRecord


def describe_tree(record: SearchRecord, step: int, t: Translate = english) -> str:
    """Say how many hypotheses stand after a step, and where the one that finally won stood."""
    step = min(max(step, 1), record.n_steps)
    finished = sum(record.nodes[number].step <= step for number in record.finished)
    pruned = sum(node.fate == "pruned" and node.step < step for node in record.nodes)
    said = t("After step {step} of {n}: hypotheses kept {kept}, finished {finished}, pruned {pruned}.").format(
        step=step, n=record.n_steps, kept=len(record.kept(step)), finished=finished, pruned=pruned
    )
    return f"{said} {_standing(record, step, t)}"


def _standing(record: SearchRecord, step: int, t: Translate) -> str:
    way = [record.nodes[number] for number in record.path(record.found[0])]
    if step < len(way):
        return t("The one that finally won stands in place {place} here.").format(place=way[step - 1].rank + 1)
    if step < record.n_steps:
        return t("The one that finally won has finished, at step {step}; the others are still being searched.").format(
            step=len(way)
        )
    worst = max(way, key=lambda node: node.rank)
    ended = (
        t("The search stopped because nothing unfinished could win any more.")
        if record.stopped == "beaten"
        else t("The search stopped because the length ran out.")
    )
    if worst.rank == 0:
        return t("The translation that won stood first at every step.") + " " + ended
    return (
        t("The translation that won stood only in place {place} at step {step}.").format(
            place=worst.rank + 1, step=worst.step
        )
        + " "
        + ended
    )


def describe_ways(found: Ways, t: Translate = english) -> str:
    """Say which of the ways wrote the likeliest text, and how far the samples lie behind it."""
    greedy, beam, *drawn = found.texts
    gap = beam.candidate.log_probability - greedy.candidate.log_probability
    if greedy.candidate.ids == beam.candidate.ids:
        said = t("Greedy and beam search wrote the same ({total:.2f} nats).").format(
            total=beam.candidate.log_probability
        )
    elif gap >= 0:
        said = t("Beam search wrote a text {ratio} times as likely as greedy search.").format(ratio=_times(gap))
    else:
        said = t("Beam search wrote a text {ratio} times less likely than greedy search.").format(ratio=_times(-gap))
    totals = [each.candidate.log_probability for each in drawn]
    if len(totals) == 1:
        return f"{said} " + t("The one sample has {low:.1f} nats.").format(low=totals[0])
    distinct = len({each.candidate.text for each in drawn})
    return f"{said} " + t(
        "Samples: {n}; different texts among them: {distinct}, of {low:.1f} to {high:.1f} nats."
    ).format(n=len(drawn), distinct=distinct, low=min(totals), high=max(totals))


def describe_ranking(record: SearchRecord, penalty: float, t: Translate = english) -> str:
    """Say which finished hypothesis is first under a length penalty, and where the first place changes hands."""
    order = ranked(record, penalty)
    if not order:
        return t("None finished, so there is nothing to rank.")
    said = t("With α = {penalty:.2f}, “{text}” is first with a score of {score:.2f}.").format(
        penalty=penalty, text=order[0].node.text, score=order[0].score
    )
    changes = turning_points(record)
    if not changes:
        return f"{said} " + t("No length penalty from 0 to {most:g} changes the first place.").format(
            most=MOST_LENGTH_PENALTY
        )
    places = ", ".join(f"{each:.2f}" for each in changes)
    return f"{said} " + t("The first place changes hands at α = {places}.").format(places=places)


def turning_points(record: SearchRecord) -> tuple[float, ...]:
    """Return the length penalties, to a hundredth, from which on another hypothesis is first."""
    grid = np.linspace(0, MOST_LENGTH_PENALTY, round(100 * MOST_LENGTH_PENALTY) + 1)
    first = [ranked(record, float(penalty))[0].node for penalty in grid] if record.finished else []
    return tuple(float(grid[at]) for at in range(1, len(first)) if first[at] is not first[at - 1])


def describe_rewritten(found: Rewritten, t: Translate = english) -> str:
    """Say what the replacement cost, and how much of what followed is as it was."""
    before, after = found.before.candidate, found.after.candidate
    if after.ids == before.ids:
        return t("The same stands at place {place} already: nothing is changed.").format(place=found.place + 1)
    if found.same:
        said = t("The same stands at place {place} already: nothing is changed up to there. Written on from there,")
    else:
        said = t("With “{new}” instead of “{old}” at place {place},")
    said = said.format(
        new=found.replaced_by or name("</s>", t), old=name(before.labels[found.place], t), place=found.place + 1
    )
    if found.change >= 0:
        cost = t("the whole is {ratio} times as likely as before ({old:.2f} → {new:.2f} nats).")
    else:
        cost = t("the whole is {ratio} times less likely than before ({old:.2f} → {new:.2f} nats).")
    costs = cost.format(ratio=_times(abs(found.change)), old=before.log_probability, new=after.log_probability)
    written = found.kept[1][found.given :]
    if not written:
        return f"{said} {costs}"
    if len(written) == 1:
        one = (
            t("The one token written on from there stood in the old one too.")
            if written[0]
            else t("The one token written on from there did not stand in the old one.")
        )
        return f"{said} {costs} {one}"
    return f"{said} {costs} " + t("Of the {n} tokens written on from there, {same} stood in the old one too.").format(
        n=len(written), same=sum(written)
    )


def _times(nats: float) -> str:
    """Say a difference of log-probabilities as a ratio."""
    ratio = math.exp(min(nats, 700.0))
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:,.0f}" if ratio < 1e9 else f"10^{nats / math.log(10):.0f}"
