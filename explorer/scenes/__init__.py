"""List of scenes, the only one: it feeds tabs, presenting, home page, work sheets and tests.

It imports neither torch nor Streamlit; `python -m explorer.scenes` prints it. A lesson joins by a file of its own here,
which holds its `LESSON`, and one line below.
"""

from collections.abc import Mapping
from typing import Any

from explorer.scenes.architectures import LESSON as ARCHITECTURES
from explorer.scenes.book import Section
from explorer.scenes.controls import Control, find_declared
from explorer.scenes.efficient_attention import LESSON as EFFICIENT_ATTENTION
from explorer.scenes.kernel_regression import LESSON as KERNEL_REGRESSION
from explorer.scenes.masked_softmax import LESSON as MASKED_SOFTMAX
from explorer.scenes.multi_head import LESSON as MULTI_HEAD
from explorer.scenes.open_model import LESSON as OPEN_MODEL
from explorer.scenes.positional_encoding import LESSON as POSITIONAL_ENCODING
from explorer.scenes.queries_keys_values import LESSON as QUERIES_KEYS_VALUES
from explorer.scenes.scoring_functions import LESSON as SCORING_FUNCTIONS
from explorer.scenes.seq2seq_attention import LESSON as SEQ2SEQ_ATTENTION
from explorer.scenes.spec import Lesson, Scene
from explorer.scenes.text_generation import LESSON as TEXT_GENERATION
from explorer.scenes.training_lab import LESSON as TRAINING_LAB
from explorer.scenes.translator import LESSON as TRANSLATOR
from explorer.scenes.vision import LESSON as VISION
from explorer.scenes.whole_transformer import LESSON as WHOLE_TRANSFORMER

#: In the order of the menu.
LESSONS: tuple[Lesson, ...] = (
    QUERIES_KEYS_VALUES,
    KERNEL_REGRESSION,
    SCORING_FUNCTIONS,
    MASKED_SOFTMAX,
    SEQ2SEQ_ATTENTION,
    MULTI_HEAD,
    POSITIONAL_ENCODING,
    ARCHITECTURES,
    WHOLE_TRANSFORMER,
    TRANSLATOR,
    TRAINING_LAB,
    TEXT_GENERATION,
    VISION,
    EFFICIENT_ATTENTION,
    OPEN_MODEL,
)
#: Default of every widget, by key.
DEFAULTS: Mapping[str, Any] = {key: each for lesson in LESSONS for key, each in lesson.every_default.items()}
#: What each declared widget asks, by key.
CONTROLS: Mapping[str, Control] = {
    key: each for lesson in LESSONS for key, each in find_declared(lesson.every_control).items()
}

#: Lessons whose first scenes lead in twenty minutes from one query to a translator (`?way=short`).
SHORT = ("queries_keys_values", "kernel_regression", "seq2seq_attention", "multi_head", "translator")


def walk(*, short: bool = False) -> tuple[tuple[Lesson, Scene], ...]:
    """Return the core scenes of all lessons in order, or the first one of each lesson on the short way."""
    if short:
        return tuple((lesson(stem), lesson(stem).core[0]) for stem in SHORT)
    return tuple((each, scene) for each in LESSONS for scene in each.core)


def lesson(stem: str) -> Lesson:
    """The scenes of a page.

    Raises:
        KeyError: if it has none.
    """
    return {each.stem: each for each in LESSONS}[stem]


def first_with(section: Section) -> Lesson:
    """Return the lesson that answers the exercises of a section of the book: the first that names it."""
    return next(each for each in LESSONS if section in each.book)


def rows() -> list[tuple[str, str, str, str]]:
    """Lesson, scene, core or deeper, and link of every scene."""
    return [
        (each.stem, scene.name, "core" if scene.core else "deeper", f"/{each.stem}?scene={scene.name}")
        for each in LESSONS
        for scene in each.scenes
    ]
