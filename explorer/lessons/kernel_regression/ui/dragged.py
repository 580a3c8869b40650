"""The fit under the pointer: query and width are dragged in the picture, or follow their sliders."""

import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import streamlit as st

from explorer.lessons.kernel_regression.records import RegressionRecord
from explorer.lessons.kernel_regression.ui import controls
from explorer.ui import appearance, fields, scripts
from explorer.ui.language import t

_matrix = scripts.component(Path(__file__).with_name("matrix.js"))
_regression = scripts.component(Path(__file__).with_name("regression.js"))


def draw(
    fit: RegressionRecord, query: float, widths: tuple[float, float], numbers: npt.NDArray[np.int64], *, key: str
) -> None:
    """Draw points, curve, weights and the weighted sum; the browser draws them anew while something is dragged.

    Args:
        fit: gives points, places, truth and kernel.
        query: where is asked.
        widths: the smallest width, which is also the step, and the largest.
        numbers: that each point had before any was moved.
    """
    data, told = _with_sliders(fit, query, widths, numbers, key)
    put = partial(put_point, key, len(numbers))
    _regression(data=data, key=key, on_moved_change=told, on_put_change=put)


def matrix(
    fit: RegressionRecord, query: float, widths: tuple[float, float], numbers: npt.NDArray[np.int64], *, key: str
) -> None:
    """Draw the weights of every query, and what comes of each; arguments as of `draw`."""
    data, told = _with_sliders(fit, query, widths, numbers, key)
    data |= {"scale": appearance.current().weights, "said": data["said"] | _said_of_matrix()}
    _matrix(data=data, key=key, on_moved_change=told)


def _with_sliders(
    fit: RegressionRecord, query: float, widths: tuple[float, float], numbers: npt.NDArray[np.int64], key: str
) -> tuple[dict[str, Any], Callable[[], None]]:
    """Return what a picture draws whose query and width have sliders, and what to do when it tells of them."""
    data = plot(fit, query, numbers)
    data |= {"width": fit.width, "widths": widths, "keys": {"query": "kr_query", "width": "kr_width"}}

    def told() -> None:
        moved = read(getattr(st.session_state.get(key), "moved", None), data["domain"], widths)
        if moved is not None:
            fields.put(dict(zip(("kr_query", "kr_width"), moved, strict=True)))

    return data, told


def plot(fit: RegressionRecord, query: float, numbers: npt.NDArray[np.int64]) -> dict[str, Any]:
    """Return what every picture of a fit draws, whatever the width.

    Args:
        fit: gives points, places, truth and kernel.
        query: where is asked.
        numbers: that each point had before any was moved.
    """
    low, high = float(fit.queries[0]), float(fit.queries[-1])
    return {
        "x": fit.points.x.tolist(),
        "y": fit.points.y.tolist(),
        "numbers": numbers.tolist(),
        "domain": (low, high),
        "at": fit.queries.tolist(),
        "truth": None if fit.truth is None else fit.truth.tolist(),
        "kernel": fit.kernel,
        "query": query,
        "step": (high - low) / (len(fit.queries) - 1),
        "said": _said(),
    }


def put_point(key: str, n: int) -> None:
    """Put a point where the browser has put it; in a callback of the picture `key` with n points."""
    point = read_point(getattr(st.session_state.get(key), "put", None), n)
    if point is not None:
        controls.put(*point)


def read_point(told: Any, n: int) -> tuple[int, float, float] | None:
    """Return the point that the browser put elsewhere: its number, and where; None if it is none of n."""
    found: list[Any] = [told.get(name) for name in ("number", "x", "y")] if isinstance(told, dict) else []
    if len(found) != 3 or not all(isinstance(each, int | float) and math.isfinite(each) for each in found):
        return None
    number, x, y = found
    return (int(number), float(x), float(y)) if number in range(n) else None


def read(told: Any, domain: tuple[float, float], widths: tuple[float, float]) -> tuple[float, float] | None:
    """Return query and width that the browser told, within their ranges; None if they are no numbers."""
    numbers = [told.get(name) for name in ("query", "width")] if isinstance(told, dict) else []
    if len(numbers) != 2 or not all(isinstance(each, int | float) and each == each for each in numbers):
        return None
    query, width = (
        min(max(float(f"{number:.12g}"), low), high)
        for number, (low, high) in zip(numbers, (domain, widths), strict=True)
    )
    return query, width


def _said() -> dict[str, str]:
    return {
        "title": t("The fit, and what one query attends to"),
        "curve": t("prediction"),
        "truth": t("truth"),
        "average": t("average pooling"),
        "points": t("training points"),
        "point": t("point {number}: arrow keys move it, Page Up and Page Down go to the others"),
        "at": t("x {x}, y {y}"),
        "across": t("x (keys and query)"),
        "query": t("query"),
        "width": t("width"),
        "asked": t("query {query}"),
        "wide": t("width {width}"),
        "sum": t("query {query}: {answer}, the mean of about {count} of {n} points"),
        "nobody": t("query {query}: no key within reach"),
    }


def _said_of_matrix() -> dict[str, str]:
    return {
        "title": t("The weight matrix, queries × keys"),
        "queries": t("queries"),
        "keys": t("keys, in the order of x"),
        "weight": t("weight"),
        "gives": t("query {query}: prediction {value}"),
        "cell": t("query {query} gives key {key} the weight {weight}"),
        "hint": t("Drag the row that asks, or point at a cell."),
    }
