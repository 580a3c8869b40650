"""“Positional encoding”: what the figures of trained models say, computed from their numbers."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from explorer.lessons.positional_encoding.readings import number
from explorer.lessons.positional_encoding.records.extrapolation import BeyondRecord, Kind, Over
from explorer.lessons.positional_encoding.records.trained import (
    DecayRecord,
    EntryRecord,
    LearnedTableRecord,
    PermutationRecord,
    RotaryPairRecord,
)
from explorer.lessons.positional_encoding.trained import kind_names
from explorer.records.language import t
from explorer.records.wording import join_sentences, times, token

#: An output counts as changed from here on, as a share of its length.
CHANGED = 0.005
#: Neighbours count as alike if their mean cosine is above that of distant positions by this much.
ALIKE = 0.1


def describe_order(record: PermutationRecord) -> str:
    """Say by how much the outputs change without codes and with them, and the word that changed most."""
    if not record.moved.any():
        return t("This order is the sentence itself: drag a word to another position, or type more words.")
    most, count = int(record.change[1].argmax()), int((record.change[1] >= CHANGED).sum())
    said = t("Without codes every word keeps its output, wherever it stands.")
    if count == len(record.moved_labels):
        changed = t("With codes all outputs change, most that of “{word}”: by **{change}**.")
    elif count:
        changed = t("With codes {n} of {all} outputs change, most that of “{word}”: by **{change}**.")
    else:
        return join_sentences([said, t("With codes no output changes by half a percent either.")])
    changed = changed.format(
        n=count,
        all=len(record.moved_labels),
        word=token(record.moved_labels[most]),
        change=f"{record.change[1, most]:.0%}",
    )
    return join_sentences([said, changed])


def describe_entry(record: EntryRecord) -> str:
    """Say which part is the longer, what it would be without the factor, and how they lie to each other."""
    said = t("On average the embedding is **{ratio}** times as long as the code ({token} against {code}).").format(
        ratio=number(float((record.scaled / record.position).mean())),
        token=number(float(record.scaled.mean())),
        code=number(float(record.position.mean())),
    )
    bare = t("Without the factor √d = {factor} its length would be {raw}, less than that of the code.").format(
        factor=number(record.factor), raw=number(float(record.raw.mean()))
    )
    cosine = t("Their mean cosine is {cosine}.").format(cosine=f"{float(record.cosine.mean()):.2f}")
    short = record.raw.mean() < record.position.mean()
    return join_sentences([said, *([bare] if short else []), cosine])


def describe_table(record: LearnedTableRecord) -> str:
    """Say where the table ends, and whether neighbours became alike."""
    near, distant = float(record.by_offset[1]), float(record.by_offset[len(record.by_offset) // 2])
    said = t("The table ends after **{n}** rows.").format(n=len(record.codes))
    if near < distant + ALIKE:
        alike = t("Neighbours are hardly more alike (cosine {near}) than distant positions.")
    else:
        alike = t("That neighbours are alike (cosine **{near}**) was learned: nothing asked for it.")
    return join_sentences([said, alike.format(near=f"{near:.2f}")])


def table_reach(record: LearnedTableRecord) -> float:
    """Return where the colours of the codes end: above 99 % of the numbers, so that no outlier hides a pattern."""
    return float(np.percentile(np.abs(record.codes), 99)) or 1.0


def describe_by_offset(record: LearnedTableRecord) -> str:
    """Say how far likeness is from depending on the offset alone, as that of sinusoidal codes does."""
    n = len(record.similarity)
    spread = float(np.mean([record.similarity.diagonal(offset).std() for offset in range(1, n // 2)]))
    if spread < ALIKE:
        said = t(
            "At one offset the cosine spreads by only **{spread}** from position to position: nearly the sinusoidal "
            "rule."
        )
    else:
        said = t(
            "At one offset the cosine spreads by **{spread}** from position to position; for sinusoidal codes by 0."
        )
    return said.format(spread=f"{spread:.2f}")


def describe_pair(record: RotaryPairRecord) -> str:
    """Say the score where the two really stand, and its range over the distances of the training."""
    trained = record.scores[: record.trained_length]
    return t(
        "“{query}” looks at “{key}”, {distance} back: score **{score}**. Over all distances of the training it would "
        "lie between {low} and {high}."
    ).format(
        query=record.query_label,
        key=record.key_label,
        distance=record.actual,
        score=f"{record.scores[record.actual]:.2f}",
        low=f"{trained.min():.2f}",
        high=f"{trained.max():.2f}",
    )


def describe_decay(records: Sequence[DecayRecord]) -> str:
    """Say which model looks nearest and which farthest."""
    names = kind_names()
    reach = {record.kind: float(record.reach.mean()) for record in records}
    near, far = min(reach, key=reach.__getitem__), max(reach, key=reach.__getitem__)
    if len(reach) == 1:
        return t("{kind}: half of the weight lies within {near} characters, mean over heads.").format(
            kind=names[near], near=number(reach[near])
        )
    return t(
        "Half of the weight lies within {near} characters for {first} and within {far} for {last}, mean over layers "
        "and heads."
    ).format(first=names[near], near=number(reach[near]), last=names[far], far=number(reach[far]))


def describe_beyond(records: Sequence[BeyondRecord], over: Over = "length") -> str:
    """Say between how many characters each model hesitates within its training length, and far beyond it.

    Args:
        records: one for each kind, at least one.
        over: `length` for whole texts, `position` for the last positions of the longest text.
    """
    names, said, first = kind_names(), [], records[0]
    for record in records:
        if not record.possible(int(record.lengths[-1])):
            said.append(t("{kind} cannot go beyond {limit}").format(kind=names[record.kind], limit=record.limit))
            continue
        within, far = record.at(record.trained_length), float(record.loss[-1])
        if over == "place":
            within = float(record.bucket_loss[int(np.searchsorted(record.edges, record.trained_length)) - 1])
            far = float(record.bucket_loss[-1])
        said.append(f"{names[record.kind]} {math.exp(within):.2f} → {math.exp(far):.2f}")
    if over == "place":
        return t(
            "Between how many characters they hesitate, at the last positions of the training length and at {start} to "
            "{end}: {changes}."
        ).format(start=int(first.edges[-2]), end=int(first.edges[-1]) - 1, changes=t(", ").join(said))
    return t(
        "Between how many characters they hesitate, on texts of {trained}, as in training, and of {last}: {changes}."
    ).format(last=int(first.lengths[-1]), trained=first.trained_length, changes=t(", ").join(said))


def describe_unsure(records: Sequence[BeyondRecord], values: Mapping[Kind, float], read: int) -> str:
    """Say which model is surest of the next character at a position, and which least; nothing where none can read.

    Args:
        records: one for each kind, at least one.
        values: between how many characters each hesitates there; NaN where it cannot read.
        read: the position.
    """
    names = kind_names()
    known = {kind: value for kind, value in values.items() if np.isfinite(value)}
    if not known:
        return ""
    best, worst = min(known, key=known.__getitem__), max(known, key=known.__getitem__)
    said = t(
        "Around character **{read}** the surest model ({best}) hesitates between **{few}** characters, the least "
        "sure ({worst}) between **{many}**."
    ).format(read=read, best=names[best], few=times(known[best]), worst=names[worst], many=times(known[worst]))
    if read > records[0].trained_length:
        return said
    return join_sentences([said, t("Up to here all positions occurred in training.")])
