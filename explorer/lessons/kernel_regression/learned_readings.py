"""“Kernel regression”: what is said of a width that is learned, computed from its records."""

import math

from explorer.lessons.kernel_regression.compute import Result
from explorer.lessons.kernel_regression.readings import number
from explorer.lessons.kernel_regression.records import LearningRecord, ShapeLearningRecord, WidthSweepRecord
from explorer.lessons.kernel_regression.state import View
from explorer.records.language import t

#: Sums that a reading tells: one for each epoch of the textbook's recipe.
MOST_SUMS = 5


def describe_epoch(result: Result, epoch: int) -> str:
    """Say which width an epoch has."""
    learning = result.learning
    epoch = min(epoch, learning.epochs)
    message = t("After {epoch} epochs the width is **{width}**.")
    return message.format(epoch=epoch, width=number(learning.widths[epoch]))


def describe_learned(result: Result, epoch: int) -> str:
    """Say where the error went up to an epoch, the loss where the truth is not known, and what keeps it from falling.

    What is said of the end waits for the last epoch.
    """
    learning = result.learning
    epoch = min(epoch, learning.epochs)
    errors, message = learning.loss, t("The loss goes from {first} to **{last}**.")
    if learning.against_truth is not None and not math.isnan(learning.against_truth[epoch]):
        errors, message = learning.against_truth, t("The error against the truth goes from {first} to **{last}**.")
    if epoch == 0 and learning.epochs:
        message = t("Nothing is learned yet: the error is **{last}**. Press Play.")
    said = [message.format(first=number(errors[0]), last=number(errors[epoch]))]
    if epoch == learning.epochs:
        grown = t("The loss has grown: the steps are too large.") if learning.loss[-1] > learning.loss[0] else ""
        said += [grown, _sums(result), _verdict(learning)]
    return " ".join(each for each in (*said, _lost(result)) if each)


def sums_before_steps(result: Result) -> list[float]:
    """Return the sum of the squares before each epoch, as the textbook's recipe prints it: not their mean."""
    n, learning = len(result.fit.points.x), result.learning
    return [float(loss) * (n - int(lost)) for loss, lost in zip(learning.loss[:-1], learning.lost[:-1], strict=True)]


def _sums(result: Result) -> str:
    """Say the sums of the first epochs where the step follows the sum."""
    sums = sums_before_steps(result)[:MOST_SUMS] if result.params.learning.summed else []
    said = t("As sums over the {n} points, before each epoch: {sums}.")
    return said.format(n=len(result.fit.points.x), sums=", ".join(f"{each:.2f}" for each in sums)) if sums else ""


def describe_learning(result: Result, view: View) -> str:
    """Say where w went, and what that did to the loss and to the truth."""
    learning = result.learning
    message = t(
        "After epoch {epochs}, w has gone from {start} to {end}, the width to {width}; the loss from {first} to {last}."
    )
    parts = [
        message.format(
            epochs=learning.epochs,
            start=number(learning.w[0]),
            end=number(learning.w[-1]),
            width=number(learning.widths[-1]),
            first=number(learning.loss[0]),
            last=number(learning.loss[-1]),
        ),
        _verdict(learning),
        _lost(result),
    ]
    if learning.against_truth is not None and not math.isnan(learning.against_truth[-1]):
        message = t("Error against the truth: {first} at the start, {last} at the end.")
        first, last = (number(learning.against_truth[i]) for i in (0, -1))
        parts.append(message.format(first=first, last=last))
    epoch = min(view.epoch, learning.epochs)
    message = t("Marked: epoch {epoch}, w = {w}.")
    parts.append(message.format(epoch=epoch, w=number(learning.w[epoch])))
    return " ".join(part for part in parts if part)


def _lost(result: Result) -> str:
    """Say how many points have no say in the loss, if there are any."""
    lost = int(result.learning.lost[-1])
    said = t("Points without another key within reach: {lost} of {n}; they have no say in the loss.")
    return said.format(lost=lost, n=len(result.fit.points.x)) if lost else ""


def describe_copying(kept: LearningRecord, left: LearningRecord) -> str:
    """Say what keeping a point among its own keys does."""
    if kept.kernel == "boxcar":
        return _verdict(kept)
    message = t(
        "Kept in, a point ends with **{own}** of the weight on itself; the training loss falls to {loss}{truth}."
    )
    truth, errors = "", [each.against_truth[-1] for each in (kept, left) if each.against_truth is not None]
    if len(errors) == 2 and all(map(math.isfinite, errors)):
        said = t(", the error against the truth is **{kept}** instead of **{left}**")
        truth = said.format(kept=number(errors[0]), left=number(errors[1]))
    return message.format(own=f"{kept.own_weight[-1]:.0%}", loss=number(kept.loss[-1]), truth=truth)


def said_leave_one_out(result: Result) -> dict[str, str]:
    """Say both ways of learning in numbers, after the last epoch."""
    ways = sorted((result.learning, result.contrast), key=lambda way: way.leave_one_out)
    said = {"epochs": str(result.params.learning.epochs)}
    for name, way in zip(("kept", "left"), ways, strict=True):
        truth = math.nan if way.against_truth is None else float(way.against_truth[-1])
        own = float(way.own_weight[-1])
        numbers = {"w": way.w[-1], "width": way.widths[-1], "loss": way.loss[-1], "truth": truth}
        said |= {f"{name}_{what}": number(float(value)) for what, value in numbers.items()}
        said[f"{name}_own"] = f"{own:.0%}"
    return said


def _verdict(learning: LearningRecord) -> str:
    if learning.kernel == "boxcar":
        return t("The boxcar is flat: moving its edge a little changes no weight, the gradient is 0, and w stays.")
    if learning.leave_one_out:
        return ""
    message = t(
        "Each point is among its own keys and gives itself {first} of its weight at the start, {last} at the end."
    )
    return message.format(first=f"{learning.own_weight[0]:.0%}", last=f"{learning.own_weight[-1]:.0%}")


def describe_shape(learning: ShapeLearningRecord, step: int, gaussian: WidthSweepRecord | None) -> str:
    """Say where p, q and the width stand after a step, and how well the points predict each other.

    Args:
        gaussian: its errors by width on the same points; None where it was not asked about the same.
    """
    message = t(
        "After step {step}: p = **{p}**, q = **{q}**, h = **{width}**. Each point, predicted from the others, errs by "
        "**{loss}**; at the start by {first}."
    )
    said = message.format(
        step=step,
        p=f"{learning.p[step]:.2f}",
        q=f"{learning.q[step]:.2f}",
        width=number(learning.widths[step]),
        loss=f"{learning.loss[step]:.3f}",
        first=f"{learning.loss[0]:.3f}",
    )
    if gaussian is None or gaussian.best_leave_one_out is None:
        return said
    best = f"{gaussian.leave_one_out[gaussian.best_leave_one_out]:.3f}"
    return said + " " + t("The Gaussian at its best width errs by {best}.").format(best=best)
