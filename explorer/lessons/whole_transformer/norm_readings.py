"""What the pictures of pre-norm and post-norm say, computed from their records."""

from collections.abc import Mapping, Sequence

import numpy as np

from explorer.lessons.whole_transformer.records import (
    Build,
    CourseRecord,
    GradientRecord,
    LineRecord,
    NormalisedRecord,
)
from explorer.records.language import t
from explorer.records.wording import capitalise, join_sentences

#: A line that is so many times as long at its end as at its beginning has grown.
GROWN = 1.5


def grows(record: LineRecord) -> bool:
    """Return whether the lines of both stacks grow."""
    return min(record.growth("enc"), record.growth("dec")) > GROWN


def describe_lines(records: Sequence[LineRecord], called: Mapping[Build, str]) -> str:
    """Say by how much the lines grow."""
    said = [
        t("**×{encoder:.1f}** and **×{decoder:.1f}** ({build})").format(
            build=called[each.build], encoder=each.growth("enc"), decoder=each.growth("dec")
        )
        for each in records
    ]
    return t("From its first to its last point in encoder and decoder a line grows {all}.").format(
        all=t("; ").join(said)
    )


def describe_begin(records: Sequence[LineRecord], called: Mapping[Build, str]) -> str:
    """Say how long the vectors are before the first layer."""
    said = [
        t("**{length:.0f}** ({build})").format(build=called[each.build], length=float(each.length[0]))
        for each in records
    ]
    return t("Before the first layer a vector is about as long in both: {all}.").format(all=t("; ").join(said))


def describe_written(records: Sequence[LineRecord], called: Mapping[Build, str]) -> str:
    """Say what was written."""
    said = [
        t("{build} writes “{text}”").format(build=called[each.build], text=each.written.removesuffix("."))
        for each in records
    ]
    return t("{all}.").format(all=t("; ").join(said))


def describe_courses(records: Sequence[CourseRecord], called: Mapping[Build, str]) -> str:
    """Say what each training reached."""
    said = [
        t("{build} hesitates between **{pieces:.0f}** pieces").format(
            build=called[each.build], pieces=float(np.exp(each.dev_loss[-1]))
        )
        for each in records
    ]
    text = t("After {steps} steps {all}.")
    return text.format(steps=int(records[0].step[-1]), all=t("; ").join(said))


def describe_gradients(records: Sequence[GradientRecord], called: Mapping[Build, str]) -> str:
    """Say how unequal the first gradients are, and how many layers get none."""
    said = [
        t("**{spread:.1f}** times the smallest ({build})").format(build=called[each.build], spread=each.spread())
        for each in records
        if not each.starved
    ]
    starved = [
        (
            t("{build}: **one** layer gets less than a thousandth of the largest.")
            if each.starved == 1
            else t("{build}: **{n}** layers get less than a thousandth of the largest.")
        ).format(build=capitalise(called[each.build]), n=each.starved)
        for each in records
        if each.starved
    ]
    text = t("Of {layers} untrained layers’ gradients the largest is {all}.")
    first = text.format(layers=len(records[0].layers), all=t("; ").join(said)) if said else ""
    return join_sentences([first, *starved])


def describe_normalised(record: NormalisedRecord, row: int, column: int) -> str:
    """Follow one number through the norm, and say how many move without the last sentence."""
    group = row if record.over == "layer" else column
    mean = float(record.mean[group])
    after = float(record.after[row, column])
    if np.isnan(after):
        first = t("This row is padding and does not count.")
    else:
        first = t("({before:.3f} − {mean}) ÷ {scale:.3f} = **{after:.3f}**.").format(
            before=float(record.before[row, column]),
            mean=f"{mean:.3f}" if mean >= 0 else f"({mean:.3f})",
            scale=float(record.scale[group]),
            after=after,
        )
    moved, known = record.moved
    second = t("Without the last sentence **{moved}** of the others’ {known} numbers move.")
    return join_sentences([first, second.format(moved=moved, known=known) if known else ""])
