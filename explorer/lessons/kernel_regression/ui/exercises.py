"""Numbers in the answers of the exercises."""

import numpy as np

from explorer.lessons import kernel_regression as lesson
from explorer.lessons.kernel_regression import state
from explorer.lessons.kernel_regression.compute import halves
from explorer.lessons.kernel_regression.learned_bandwidth import WidthFit
from explorer.ui import cache


def values() -> dict[str, str]:
    """Return what fills the placeholders of the answers."""
    result = cache.compute(lesson.compute, lesson.Params())
    copying = WidthFit(leave_one_out=False, learning_rate=25.0, epochs=100)
    learned = cache.compute(lesson.compute, lesson.Params(learning=copying)).learning
    return {
        "best": _width(result.sweep.widths, result.sweep.best_against_truth),
        "chosen": _width(result.sweep.widths, result.sweep.best_leave_one_out),
        "own_weight": f"{learned.own_weight[-1]:.0%}",
        **_halves(),
        **_more_points(),
    }


def _more_points() -> dict[str, str]:
    """Return the error against the truth, of few points and of many: at width 1, and at the best by leave-one-out."""
    errors: dict[str, str] = {}
    for name, n in (("few", 50), ("many", 500)):
        data = state.Data(n=n)
        sweep = cache.compute(lesson.compute, lesson.Params(data=data)).sweep
        assert sweep.best_leave_one_out is not None
        widths = {"wide": 1.0, "best": float(sweep.widths[sweep.best_leave_one_out])}
        errors |= {f"{kind}_{name}": f"{np.mean(halves(data, width)):.3f}" for kind, width in widths.items()}
    return errors


def _halves() -> dict[str, str]:
    """The waves, slow half and fast half: the error at width 0.5, and the best width."""
    data = state.Data(source="waves")
    wide = halves(data, 0.5)
    widths = cache.compute(lesson.compute, lesson.Params(data=data)).sweep.widths
    errors = np.array([halves(data, float(width)) for width in widths])
    best = {f"{side}_best": _width(widths, int(errors[:, position].argmin())) for position, side in enumerate(_SIDES)}
    return best | {f"{side}_wide": f"{error:.2f}" for side, error in zip(_SIDES, wide, strict=True)}


_SIDES = ("left", "right")


def _width(widths: np.ndarray, position: int | None) -> str:
    return "–" if position is None else f"{widths[position]:.2f}"
