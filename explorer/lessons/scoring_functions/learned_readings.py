"""What figures of the fitted scoring functions say, computed from their numbers."""

import numpy as np

from explorer.lessons.scoring_functions.readings import names
from explorer.records.language import Translate, english
from explorer.records.scoring import FittedScorersRecord

#: From which correlation with the dot product on a fitted scorer counts as the same, as nearly, as partly the same.
SAME, NEARLY, PARTLY = 0.99, 0.8, 0.3


def describe_fit(record: FittedScorersRecord, t: Translate = english) -> str:
    """Say where the curves end."""
    said = names(t)
    ends = t(", ").join(
        f"{said[name]} {loss:.3f}" for name, loss in zip(record.scorers, record.final_loss[1:], strict=True)
    )
    return t(
        "Loss on unseen queries after {steps} steps: {ends}; best possible {best:.3f}, guessing {guess:.3f}."
    ).format(steps=record.steps[-1], ends=ends, best=record.final_loss[0], guess=record.guess_loss)


def describe_example(record: FittedScorersRecord, t: Translate = english) -> str:
    """Say how much weight falls on the right key."""
    said = names(t)
    right = [float(np.trace(weights)) / len(weights) for weights in record.example_weights]
    parts = [f"{said[name]} {share:.2f}" for name, share in zip(("best", *record.scorers), right, strict=True)]
    return t("Mean weight on the right key, the diagonal: {parts}.").format(parts=t(", ").join(parts))


def describe_bilinear(record: FittedScorersRecord, t: Translate = english) -> str:
    """Say how close the fitted W is to a multiple of the identity."""
    return t("Cosine between W and the identity: {cosine:.3f}. The mean of its diagonal is {scale:.3f}.").format(
        cosine=record.identity_alignment, scale=record.bilinear_scale
    )


def describe_compared(record: FittedScorersRecord, t: Translate = english) -> str:
    """Say how many of the fitted functions became the dot product, or nearly."""
    close = sum(float(r) >= NEARLY for r in record.correlation[1:])
    return t(
        "Functions that score like the dot product on {unseen} unseen queries: {close} of {all} (correlation at least "
        "{r:g}). A row’s mean is left out: softmax does not see it."
    ).format(close=close, all=len(record.scorers), unseen=record.unseen, r=NEARLY)


def answer(record: FittedScorersRecord, t: Translate = english) -> tuple[str, ...]:
    """Say whether the fitted functions ended up like the dot product, from the measured correlation."""
    said = names(t)
    return tuple(
        t(
            "{name}: {verdict} (correlation {r:.3f}, same key in {agreement:.0%} of the queries, {right:.0%} right)"
        ).format(name=said[name], verdict=verdict(r, t), r=round(float(r), 3) + 0.0, agreement=agreement, right=right)
        for name, r, agreement, right in zip(
            record.scorers, record.correlation[1:], record.agreement[1:], record.final_accuracy[1:], strict=True
        )
    )


def verdict(r: float, t: Translate = english) -> str:
    """Say what a correlation with the dot product amounts to."""
    if r >= SAME:
        return t("yes, it became the dot product")
    if r >= NEARLY:
        return t("nearly")
    return t("only in part") if r >= PARTLY else t("no, it did not")
