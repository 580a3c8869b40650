"""Search: what its figures say, computed from their numbers."""

import math

import numpy as np

from explorer.inference.translator.request import MOST_LENGTH_PENALTY
from explorer.lessons.translator.names import name
from explorer.lessons.translator.search import Ways, rank_hypotheses
from explorer.lessons.translator.search_edit import Rewritten
from explorer.records.language import t
from explorer.records.search import SearchRecord
from explorer.records.wording import join_sentences, said_change, times


def describe_tree(record: SearchRecord, step: int) -> str:
    """Say how many hypotheses stand after a step, and where the one that finally won stood."""
    step = min(max(step, 1), record.n_steps)
    finished = sum(record.nodes[number].step <= step for number in record.finished)
    pruned = sum(node.fate == "pruned" and node.step < step for node in record.nodes)
    said = t("After step {step} of {n}: hypotheses kept {kept}, finished {finished}, pruned {pruned}.").format(
        step=step, n=record.n_steps, kept=len(record.kept(step)), finished=finished, pruned=pruned
    )
    return f"{said} {_standing(record, step)}"


def _standing(record: SearchRecord, step: int) -> str:
    way = [record.nodes[number] for number in record.path(record.found[0])]
    if step < len(way):
        return t("The one that finally won stands in place {position} here.").format(position=way[step - 1].rank + 1)
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
        t("The translation that won stood only in place {position} at step {step}.").format(
            position=worst.rank + 1, step=worst.step
        )
        + " "
        + ended
    )


def describe_ways(found: Ways) -> str:
    """Say which of the ways wrote the likeliest text, and how far the samples lie behind it."""
    greedy, beam, *drawn = found.texts
    gap = beam.candidate.log_probability - greedy.candidate.log_probability
    if greedy.candidate.ids == beam.candidate.ids:
        said = t("Greedy and beam search wrote the same.")
    else:
        said = (
            t("Beam search wrote a text {ratio} times as likely as greedy search.")
            if gap >= 0
            else t("Beam search wrote a text {ratio} times less likely than greedy search.")
        ).format(ratio=times(math.exp(abs(gap))))
    behind = beam.candidate.log_probability - max(each.candidate.log_probability for each in drawn)
    factor = times(math.exp(min(abs(behind), 700)))
    sampled = t("The likeliest sample is **{ratio} times** as likely.")
    if behind > 0:
        sampled = t("The likeliest sample is **{ratio} times** less likely than that.")
    if factor == "1":
        sampled = t("The likeliest sample is as likely.")
    return join_sentences([said, sampled.format(ratio=factor)])


def describe_ranking(record: SearchRecord, penalty: float) -> str:
    """Say which finished hypothesis is first under a length penalty, and where the first place changes hands."""
    order = rank_hypotheses(record, penalty)
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
    positions = ", ".join(f"{each:.2f}" for each in changes)
    return f"{said} " + t("The first place changes hands at α = {positions}.").format(positions=positions)


def turning_points(record: SearchRecord) -> tuple[float, ...]:
    """Return the length penalties, to a hundredth, from which on another hypothesis is first."""
    grid = np.linspace(0, MOST_LENGTH_PENALTY, round(100 * MOST_LENGTH_PENALTY) + 1)
    first = [rank_hypotheses(record, float(penalty))[0].node for penalty in grid] if record.finished else []
    return tuple(float(grid[at]) for at in range(1, len(first)) if first[at] is not first[at - 1])


def describe_rewritten(found: Rewritten) -> str:
    """Say what the replacement cost, and how much of what followed is as it was."""
    before, after = found.before.candidate, found.after.candidate
    if after.ids == before.ids:
        return t("The same stands at position {position} already: nothing is changed.").format(
            position=found.position + 1
        )
    if found.same:
        said = t(
            "The same stands at position {position} already: nothing is changed up to there. Written on from there,"
        )
    else:
        said = t("With “{new}” instead of “{old}” at position {position},")
    said = said.format(
        new=found.replaced_by or name("</s>"), old=name(before.labels[found.position]), position=found.position + 1
    )
    costs = t("the whole becomes {change}.").format(change=said_change(found.change, strong=True))
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
