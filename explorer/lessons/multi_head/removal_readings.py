"""“Multi-head and self-attention”: what its figures about removal say, computed from their numbers."""

import math

import numpy as np

from explorer.lessons.multi_head.ablation import SMALL
from explorer.lessons.multi_head.effects import agreements, crossing, maps
from explorer.lessons.multi_head.state import Result, View
from explorer.lessons.multi_head.wording import head_title, token
from explorer.records.ablation import AblationRecord, AblationSweepRecord, EffectRecord
from explorer.records.language import t
from explorer.records.wording import join_sentences, said_change


def describe_ablation(record: AblationRecord) -> str:
    """Say how many words were lost, and how much less likely the old translation is."""
    if not record.heads:
        return t("No head is taken away yet: choose some.")
    lost = record.before_kept.count(False)
    change = said_change(record.total_change, strong=True)
    if record.before.labels == record.after.labels:
        return t("The translation stays the same; it is now {change}.").format(change=change)
    return t("Lost words: {lost}; the old translation is now {change}.").format(lost=lost, change=change)


def describe_sweep(record: AblationSweepRecord) -> str:
    """Say which head the old translation needs most."""
    change = record.change
    known = change[np.isfinite(change)]
    if not known.size:
        return t("Nothing is measured yet.")
    row, column = np.unravel_index(int(np.nanargmin(change)), change.shape)
    most = t("No head is needed alone: without any one of them the old translation is about as likely.")
    if change[row, column] <= -SMALL:
        most = t("The translation needs {head} most: without it it becomes {change}.").format(
            head=head_title(record.head(int(row), int(column))), change=said_change(change[row, column], strong=True)
        )
    so_far = t("Measured so far: {done} of {total}.").format(done=record.done, total=record.total)
    return join_sentences([most, so_far if record.done < record.total else ""])


def describe_effect(result: Result, effect: EffectRecord, view: View) -> str:
    """Say which source token the output token needed most, which the summary points at, and how well both agree."""
    position = crossing(result, view).query
    drop = effect.drop[position]
    if not np.isfinite(drop).any():
        return t("Nothing is measured yet.")
    worst = int(np.nanargmax(drop))
    first = t("“{query}” needs “{key}” most: when that is hidden, it becomes {change}.").format(
        query=token(effect.query_labels[position]),
        key=token(effect.key_labels[worst]),
        change=said_change(-float(drop[worst]), strong=True),
    )
    beside = next((each for each in agreements(result, effect, view) if each.name == view.aggregate), None)
    if view.site != "cross" or beside is None or math.isnan(beside.here):
        return first
    looked = maps(result, view)[beside.name][position]
    order = t(
        "The summary looks most at “{pointed}” (**{weight}**). The rank correlation of both orders is {here}."
    ).format(
        pointed=token(effect.key_labels[int(looked.argmax())]),
        weight=f"{looked.max():.2f}",
        here=f"{beside.here:.2f}",
    )
    return join_sentences([first, order])
