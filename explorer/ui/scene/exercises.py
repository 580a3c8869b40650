"""What the answers of a lesson's exercises are filled with."""

import importlib
from collections.abc import Mapping

from explorer.records.wording import typeset
from explorer.scenes.spec import Lesson


def values(lesson: Lesson) -> Mapping[str, str]:
    """Return what fills the placeholders of the answers, typeset: `values()` of the lesson's file `exercises`."""
    found: Mapping[str, str] = importlib.import_module(lesson.module("exercises")).values()
    return {name: typeset(value) for name, value in found.items()}
