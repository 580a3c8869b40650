"""“Kernel regression”: what its figures say, computed from their numbers."""

import math

import numpy as np

from explorer.lessons.kernel_regression.compute import Result
from explorer.lessons.kernel_regression.records import RegressionRecord
from explorer.lessons.kernel_regression.state import View
from explorer.records.arrays import Float64
from explorer.records.language import t
from explorer.records.wording import join_sentences


def kernel_names() -> dict[str, str]:
    """Return the kernels by name, in the reader's language."""
    return {
        "gaussian": t("Gaussian"),
        "boxcar": t("Boxcar"),
        "triangular": t("Triangular"),
        "epanechnikov": t("Epanechnikov"),
    }


def truth_names() -> dict[str, str]:
    """Return where points come from, in the reader's language."""
    return {
        "classic": t("2 sin x + x^0.8 (the classic)"),
        "line": t("A line, y = x"),
        "step": t("A step at x = 2.5"),
        "waves": t("Waves that quicken, 2 sin(x²/2)"),
        "own": t("Your own points"),
    }


def describe_answer(fit: RegressionRecord, query: float) -> str:
    """Say what comes of one query, and of how many points it is the mean."""
    row = fit.row(query)
    at = f"{fit.queries[row]:.4g}"
    if not fit.weights[row].any():
        message = t("At **{query}** there is no answer: no key lies within {width}.")
        return message.format(query=at, width=f"{fit.width:.3g}")
    message = t("At **{query}** the answer is **{prediction}**: the mean of about **{effective}** of {n} points.")
    answer, many = among(fit.prediction[row], fit.points.y), f"{effective(fit)[row]:.0f}"
    said = message.format(query=at, prediction=answer, effective=many, n=len(fit.points.x))
    return f"{said} {_gaps(fit)}" if fit.undefined else said


def effective(fit: RegressionRecord) -> Float64:
    """Return over how many keys each query averages, 1 / Σ w²; NaN where none is within reach."""
    squares = (fit.weights.astype(np.float64) ** 2).sum(-1)
    return np.where(squares > 0, 1 / np.where(squares > 0, squares, 1), np.nan)


def total_variation(fit: RegressionRecord) -> float:
    """Return how far the prediction goes up and down in all, Σ |Δŷ|: small where the curve is smooth."""
    return float(np.nansum(np.abs(np.diff(fit.prediction))))


def describe_smoothness(before: RegressionRecord, after: RegressionRecord) -> str:
    """Say how far both curves go up and down, and over how many points they average."""
    if number(before.width) == number(after.width):
        return t("Learning left the width at **{end}**: the curve stays as it is.").format(end=number(after.width))
    message = t(
        "Learning took the width from {start} to **{end}**: a query averages over {more} points before and **{fewer}** "
        "after; the curve goes up and down by {calm} before and **{lively}** after."
    )
    return message.format(
        start=number(before.width),
        end=number(after.width),
        more=number(float(np.nanmean(effective(before)))),
        fewer=number(float(np.nanmean(effective(after)))),
        calm=f"{total_variation(before):.1f}",
        lively=f"{total_variation(after):.1f}",
    )


def describe_sharpness(before: RegressionRecord, after: RegressionRecord) -> str:
    """Say how large the largest weight of a query is, on average, before and after."""
    one, other = (float(record.weights.max(-1).mean()) for record in (before, after))
    message = t("Largest weight of a query, mean: {before} before, **{after}** after.")
    return message.format(before=f"{one:.3f}", after=f"{other:.3f}")


def family_names() -> dict[str, str]:
    """Return the families of kernels of one's own by name, in the reader's language."""
    return {
        "fades": t("fades: exp(−q |u|^p)"),
        "ends": t("ends at h: (1 − |u|^p)^q"),
        "tails": t("long tails: 1 / (1 + |u|^p)^q"),
        "ring": t("a ring: listens at distance p"),
    }


def _power(base: str, exponent: str) -> str:
    """Write a power as it is printed, where one character can say it."""
    return base + {"1": "", "2": "²", "3": "³"}.get(exponent, f"^{exponent}")


def describe_formula(kernel: str) -> str:
    """Write a kernel of one's own down, with its numbers."""
    family, p, q = kernel.split()
    p, q = f"{float(p):g}", f"{float(q):g}"
    shaped = _power("|u|", p)
    formulas = {
        "fades": f"exp(−{q} {shaped})",
        "ends": _power(f"(1 − {shaped})", q),
        "tails": "1 / " + _power(f"(1 + {shaped})", q),
        "ring": f"exp(−½ (4 · {q} (|u| − {p}))²)",
    }
    return t("K(u) ∝ **{formula}**, u the distance in widths; both curves have area 1.").format(
        formula=formulas[family]
    )


def describe_own(result: Result, gaussian: RegressionRecord) -> str:
    """Say which width is best for the reader's kernel by leave-one-out, and compare its error with the Gaussian's."""
    sweep, best = result.sweep, result.sweep.best_leave_one_out
    parts = [_gaps(result.fit)] if result.fit.undefined else []
    if best is None:
        return join_sentences([*parts, t("No width lets it reach every point.")])
    truth = result.fit.truth
    if truth is not None and not result.fit.undefined:
        own, other = (float(np.mean((each.prediction - truth) ** 2)) for each in (result.fit, gaussian))
        message = t("Error against the truth: yours **{own}**, the Gaussian’s {gaussian}.")
        parts.append(message.format(own=number(own), gaussian=number(other)))
    message = t("Yours is best at h = **{width}**, by leave-one-out.")
    parts.append(message.format(width=f"{sweep.widths[best]:.3g}"))
    return join_sentences(parts)


def describe_error(fit: RegressionRecord) -> str:
    """Say how far the curve is from the truth, where it is known, and where the curve says nothing."""
    parts = [_gaps(fit)] if fit.undefined else []
    if fit.truth is not None and fit.undefined < len(fit.queries):
        defined = ~np.isnan(fit.prediction)
        error, base = (
            float(np.mean((guess - fit.truth[defined]) ** 2)) for guess in (fit.prediction[defined], fit.average)
        )
        message = t("Mean squared error against the truth: {error}, and {base} for average pooling.")
        parts.append(message.format(error=number(error), base=number(base)))
    message = t("Width {width}.")
    return " ".join([message.format(width=f"{fit.width:.3g}"), *parts])


def describe_matrix(fit: RegressionRecord) -> str:
    """Say how many keys a query effectively averages over."""
    seeing = fit.weights.any(-1)
    weights = fit.weights[seeing].astype(np.float64)
    if not len(weights):
        return t("No query has a key within reach: the matrix is empty.")
    effective = 1 / (weights**2).sum(-1)
    least, most = int(effective.argmin()), int(effective.argmax())
    queries = fit.queries[seeing]
    if effective[most] - effective[least] < 0.05:
        return t("Every query averages over {mean} of {n} keys (1 / Σ w²).").format(
            mean=f"{effective.mean():.1f}", n=weights.shape[1]
        )
    message = t(
        "A query averages over {mean} of {n} keys on average (1 / Σ w²): fewest, {least}, at x = {at_least}, "
        "most, {most}, at x = {at_most}."
    )
    return message.format(
        mean=f"{effective.mean():.1f}",
        n=weights.shape[1],
        least=f"{effective[least]:.1f}",
        at_least=f"{queries[least]:.4g}",
        most=f"{effective[most]:.1f}",
        at_most=f"{queries[most]:.4g}",
    )


def describe_kernel(result: Result) -> str:
    """Say how far the chosen kernel reaches."""
    name, width = kernel_names()[result.params.kernel], f"{result.params.width:.4g}"
    if result.params.kernel == "gaussian":
        message = t(
            "{name}: width {width} is its standard deviation; it reaches every key, the less the farther it is."
        )
    else:
        message = t("{name}: width {width} is half its base; a key farther than that counts nothing.")
    return message.format(name=name, width=width)


def describe_sweep(result: Result) -> str:
    """Say which width is best, by the truth and by leave-one-out."""
    sweep, parts = result.sweep, []
    truth, own = sweep.best_against_truth, sweep.best_leave_one_out
    if truth is not None and sweep.against_truth is not None:
        message = t("Best against the truth: width {width}, error {error}.")
        parts.append(message.format(width=f"{sweep.widths[truth]:.3g}", error=number(sweep.against_truth[truth])))
    if own is not None:
        message = t("Leave-one-out, which needs no truth, chooses width {width}; its error {error} includes the noise.")
        if result.params.data.noise == 0 and truth is not None:
            message = t("Leave-one-out, which needs no truth, chooses width {width}, with error {error}.")
        parts.append(message.format(width=f"{sweep.widths[own]:.3g}", error=number(sweep.leave_one_out[own])))
    missing = int(np.isnan(sweep.leave_one_out).sum())
    if missing:
        message = t("At {count} of {n} widths some point has no other within reach: no error is drawn there.")
        parts.append(message.format(count=missing, n=len(sweep.widths)))
    return " ".join(parts)


def said_attention(result: Result, view: View) -> dict[str, str]:
    """Write the prediction out as a weighted sum, and say how far `attend` is from it."""
    fit = result.fit
    row = fit.row(view.query)
    weights = fit.weights[row].astype(np.float64)
    heaviest = [int(i) for i in np.argsort(-weights, kind="stable")[:3] if weights[i] > 0]
    terms = [f"{weights[i]:.3f} · {among(fit.points.y[i], fit.points.y, 3)}" for i in heaviest]
    left = int((weights > 0).sum()) - len(heaviest)
    if left:
        terms.append(t("… ({count} more)").format(count=left))
    answer = among(fit.prediction[row], fit.points.y, 3)
    total = f"{answer} = {' + '.join(terms)}" if terms else t("undefined: no key within reach")
    return {"query": f"{fit.queries[row]:.4g}", "sum": total, "gap": f"{result.attention_gap:.1e}"}


def _gaps(fit: RegressionRecord) -> str:
    message = t(
        "At {count} of {n} queries no key is within reach: the curve has gaps there, and the error counts the rest."
    )
    return message.format(count=fit.undefined, n=len(fit.queries))


def among(value: float, numbers: Float64, digits: int = 2) -> str:
    """Write one of several numbers as the picture does: `among` of numbers.js."""
    return f"{value:.{digits}f}" if np.ptp(numbers) >= 0.1 else number(value)


def number(value: float) -> str:
    """Write a number to three digits; a dash where there is none."""
    return "–" if math.isnan(value) else f"{value:.3g}"
