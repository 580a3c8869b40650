"""What figures of the fitted scoring functions say, computed from their numbers."""

from explorer.lessons.scoring_functions.readings import names
from explorer.records.language import t
from explorer.records.scoring import FittedScorersRecord
from explorer.records.wording import percent

#: From which correlation with the dot product on a fitted scorer counts as the same, as nearly, as partly the same.
SAME, NEARLY, PARTLY = 0.99, 0.8, 0.3


def describe_moment(record: FittedScorersRecord, moment: int) -> str:
    """Say how often each scorer finds the right key after so many steps."""
    said = names()
    found = zip(("best", *record.scorers), record.accuracy[moment], strict=True)
    return t(
        "After **{steps} steps**, share of {unseen:,} unseen queries whose right key has the highest score: {shares}."
    ).format(
        steps=record.steps[moment],
        shares=t(", ").join(f"{said[name]} {percent(share)}" for name, share in found),
        unseen=record.unseen,
    )


def describe_example(record: FittedScorersRecord, moment: int) -> str:
    """Say how much weight falls on the right key."""
    said = names()
    right = record.weights[moment].trace(axis1=-2, axis2=-1) / record.weights.shape[-1]
    parts = [f"{said[name]} {share:.2f}" for name, share in zip(("best", *record.scorers), right.tolist(), strict=True)]
    return t("Mean weight on the right key of the queries drawn, the diagonal, after {steps} steps: {parts}.").format(
        steps=record.steps[moment], parts=t(", ").join(parts)
    )


def describe_bilinear(record: FittedScorersRecord, moment: int) -> str:
    """Say how close the fitted W is to a multiple of the identity."""
    return t(
        "Cosine between W and the identity after {steps} steps: {cosine:.3f}. The mean of its diagonal is {scale:.3f}."
    ).format(steps=record.steps[moment], cosine=record.identity_alignment(moment), scale=record.bilinear_scale(moment))


def answer(record: FittedScorersRecord) -> tuple[str, ...]:
    """Say whether the fitted functions ended up like the dot product, from the measured correlation."""
    said, last = names(), -1
    return tuple(
        t("{name}: {verdict} (correlation {r:.3f}, same key in {agreement} of the queries, {right} right)").format(
            name=said[name],
            verdict=verdict(r),
            r=round(float(r), 3) + 0.0,
            agreement=percent(agreement),
            right=percent(right),
        )
        for name, r, agreement, right in zip(
            record.scorers,
            *(each[last, 1:] for each in (record.correlation, record.agreement, record.accuracy)),
            strict=True,
        )
    )


def verdict(r: float) -> str:
    """Say what a correlation with the dot product amounts to."""
    if r >= SAME:
        return t("yes, up to a factor it became the dot product")
    if r >= NEARLY:
        return t("nearly")
    return t("only in part") if r >= PARTLY else t("no, it did not")
