"""A scene is computed at its defaults, or in another state, in a session without a browser."""

import importlib
from collections.abc import Callable, Mapping
from typing import TypeVar

from explorer.scenes.spec import Lesson, Scene, State
from explorer.ui.paper.collected import Collected, collect
from explorer.ui.scene import predict, state
from explorer.ui.streamlit_internals import own_session

R = TypeVar("R")
#: What a stage shows, and what fills the placeholders of its scene's prose.
Shown = tuple[list[Collected], Mapping[str, str]]


def run(make: Callable[[], R], words: str) -> R:
    """Return what a function makes in a session of its own.

    Args:
        make: may call whatever a page calls.
        words: language of the session.
    """
    return own_session.run(make, {"language": words, "language_chosen": True})


def show(lesson: Lesson, scene: Scene, set_to: State | None = None, *, answered: bool) -> Shown:
    """Run a scene, inside `run`.

    Args:
        lesson: that has the scene.
        scene: whose controls and stage are run.
        set_to: as a preset's; at its defaults if None.
        answered: whether the stage may show what answers the prediction.
    """
    module = importlib.import_module(lesson.module(scene.name))
    if answered:
        predict.skip(lesson, scene)
    if set_to is not None:
        state.put(lesson, scene, set_to)
    with collect() as shown:
        values = module.stage(module.controls())
    return shown, values or {}
