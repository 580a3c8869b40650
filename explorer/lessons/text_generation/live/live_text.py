"""A text that can be asked, in the browser: every number of every character comes from Python, at once."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from explorer.figures.look import look as look_of_now
from explorer.lessons import text_generation as lesson
from explorer.lessons.text_generation import look, state
from explorer.ui import cache
from explorer.ui.live.live import Live

PICTURE = Live(Path(__file__).with_suffix(".js"))
Mode = Literal["watch", "surprise", "attention"]
R = TypeVar("R")
#: Share of the colour from which a letter on it is as the paper: below, as the text it has more contrast; light, dark.
_DENSE = (0.93, 0.7)
#: Sliders of the page that the draw at one place follows.
_FOLLOWED: dict[Mode, tuple[str, ...]] = {
    "watch": ("temperature",),
    "surprise": ("temperature", "top_p"),
    "attention": (),
}


def pack(result: lesson.Result, view: lesson.View, mode: Mode) -> dict[str, Any]:
    """Return the text, its steps and what could have stood at each place.

    It tells `asked`, the `position` of a character that the reader chose.

    Args:
        view: which character asks first; whose weights are shown.
        mode: `watch` plays the writing; the others show the whole text, coloured by surprise or attention.
    """
    moved = state.clamp_place(result, result.text.n_given if mode == "watch" else view.position)
    surprise = np.nan_to_num(result.text.surprisal, nan=-1.0).round(3).tolist()
    return {
        "labels": [*result.text.labels, "…"],
        "given": result.text.n_given,
        "surprise": [*surprise, -1],
        "weights": once(lambda: _weights(result, view), result, "weights", view.layer, view.head),
        "whose": (result.checkpoint, view.layer, view.head),
        "steps": steps(result),
        "moved": moved,
        "stops": {setting: state.STOPS[setting] for setting in _FOLLOWED[mode]},
        "drawn": _drawn(result, moved, mode) if _FOLLOWED[mode] else "",
        "mode": mode,
        "dense": _DENSE[look_of_now().dark],
        "position": state.clamp_place(result, view.position),
    }


def steps(result: lesson.Result) -> str:
    """Return what could have stood at each place, as the browser reads it; computed once for a text."""
    return once(lambda: json.dumps(look.every_step(result), separators=(",", ":")), result, "steps")


def _drawn(result: lesson.Result, position: int, mode: Mode) -> str:
    """Return the step of a place at each stop of the sliders that are followed, as the browser reads it."""

    def made() -> str:
        found = {setting: look.at_each_stop(result, position, setting) for setting in _FOLLOWED[mode]}
        return json.dumps(found, separators=(",", ":"))

    return once(made, result, "drawn", position, mode)


def once(make: Callable[[], R], result: lesson.Result, *what: object) -> R:
    """Return what is made of a text: looked up if it was before, for it takes a traced pass.

    Args:
        what: it is, and all else that it depends on, such as the language of a sentence.
    """
    return cache.once(make, "tg", result.checkpoint, result.ids, result.params.sampler, *what)


def _weights(result: lesson.Result, view: lesson.View) -> npt.NDArray[np.float32]:
    """Return for each step the weights of all characters before it, row after row: nothing looks ahead."""
    weights = look.every_look(result, view)
    return weights[np.tril_indices(len(weights))]
