"""The question of a scene as phones get it: in every language, without its answer."""

from typing import Any

from explorer import scenes
from explorer.records.language import speaking, t

LANGUAGES = ("en", "zh")


def say_in_each_language(message: str) -> dict[str, str]:
    """Return a message in every language."""
    found = {}
    for language in LANGUAGES:
        with speaking(language):
            found[language] = t(message)
    return found


def question(scene: str) -> dict[str, Any]:
    """Return what a scene asks.

    Args:
        scene: such as `kernel_regression/one_query`.

    Raises:
        KeyError: there is none of that name.
        ValueError: it asks nothing.
    """
    lesson, _, name = scene.partition("/")
    asked = scenes.lesson(lesson).scene(name).prediction
    if asked is None:
        raise ValueError("this scene asks nothing")
    answers = {key: say_in_each_language(words) for key, words in asked.answers.items()}
    return {"id": f"{lesson}.{name}", "text": say_in_each_language(asked.question), "answers": answers}
