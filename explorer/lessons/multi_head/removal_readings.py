"""“Multi-head and self-attention”: what its figures about removal say, computed from their numbers."""

import math

import numpy as np

from explorer.lessons.multi_head.ablation import SMALL
from explorer.lessons.multi_head.effects import agreements, crossing, maps
from explorer.lessons.multi_head.state import Result, View
from explorer.lessons.multi_head.wording import head_title, times, token
from explorer.records.ablation import AblationRecord, AblationSweepRecord, EffectRecord
from explorer.records.language import Translate, english
from explorer.records.wording import joined, percent


def describe_ablation(record: AblationRecord, t: Translate = english) -> str:
    """Say whether the translation changed, and how much less likely the old one is."""
    if not record.heads:
        return t("No head is taken away yet: choose some.")
    lost = record.before_kept.count(False)
    changed = (
        t("The translation stays the same.")
        if record.before.labels == record.after.labels
        else t("Of the {n} tokens of the old translation gone: {lost}; new: {new}.").format(
            lost=lost, n=len(record.before_kept), new=record.after_kept.count(False)
        )
    )
    ratio = times(math.exp(min(abs(record.total_change), 700)))
    if ratio == "1":
        said = t("The old translation is about as likely as before.")
    elif record.total_change < 0:
        said = t("The old translation has become **{ratio} times** less likely.").format(ratio=ratio)
    else:
        said = t("The old translation has become **{ratio} times** as likely.").format(ratio=ratio)
    place = int(record.change.argmin())
    worst = t("“{token}” loses most: {before} became {after}.").format(
        token=token(record.before.labels[place], t),
        before=percent(math.exp(record.log_probability_before[place])),
        after=percent(math.exp(record.log_probability_after[place])),
    )
    return joined([changed, said, worst if record.change[place] < -SMALL else ""], t)


def describe_sweep(record: AblationSweepRecord, t: Translate = english) -> str:
    """Say which head the old translation needs most, and how many it hardly needs."""
    change = record.change
    known = change[np.isfinite(change)]
    if not known.size:
        return t("Nothing is measured yet.")
    row, column = np.unravel_index(int(np.nanargmin(change)), change.shape)
    most = (
        ""
        if change[row, column] > -SMALL
        else t("The translation needs {head} most: without it it is **{ratio} times** less likely.").format(
            head=head_title(record.head(int(row), int(column)), t),
            ratio=times(math.exp(-change[row, column])),
        )
    )
    hardly = t("{count} of {n} heads change its log-probability by less than {small} nats, each alone.").format(
        count=int((np.abs(known) < SMALL).sum()), n=known.size, small=SMALL
    )
    count = int((np.nan_to_num(record.flips) > 0).sum())
    flipped = (
        t("{count} of {n} heads, each off alone, make another token the likeliest one somewhere.").format(
            count=count, n=known.size
        )
        if count
        else t("No likeliest token becomes another one.")
    )
    so_far = t("Measured so far: {done} of {total}.").format(done=record.done, total=record.total)
    return joined([most, hardly, flipped, so_far if record.done < record.total else ""], t)


def describe_effect(result: Result, effect: EffectRecord, view: View, t: Translate = english) -> str:
    """Say which source token the output token needed most, which the summary points at, and how well both agree."""
    place = crossing(result, view).query
    drop = effect.drop[place]
    if not np.isfinite(drop).any():
        return t("Nothing is measured yet.")
    worst = int(np.nanargmax(drop))
    first = t("Writing “{query}”, hiding “{key}” costs most (**{drop}** nats).").format(
        query=token(effect.query_labels[place], t),
        key=token(effect.key_labels[worst], t),
        drop=f"{drop[worst]:.2f}",
    )
    beside = next((each for each in agreements(result, effect, view) if each.name == view.aggregate), None)
    if view.site != "cross" or beside is None or math.isnan(beside.here):
        return first
    looked = maps(result, view)[beside.name][place]
    order = t(
        "The summary looks most at “{pointed}” (**{weight}**). The rank correlation of both orders is {here}."
    ).format(
        pointed=token(effect.key_labels[int(looked.argmax())], t),
        weight=f"{looked.max():.2f}",
        here=f"{beside.here:.2f}",
    )
    return joined([first, order], t)
