"""What a scene asks a class, as phones get it: in every language, without its answer."""

from typing import Any

from explorer import scenes
from explorer.records.language import speaking, t
from explorer.scenes.spec import Prediction

LANGUAGES = ("en", "zh")


def say_in_each_language(message: str) -> dict[str, str]:
    """Return a message in every language."""
    found = {}
    for language in LANGUAGES:
        with speaking(language):
            found[language] = t(message)
    return found


def question(scene: str, *, tries: bool = False) -> dict[str, Any]:
    """Return what a scene asks.

    Args:
        scene: such as `kernel_regression/one_query`.
        tries: whether its experiment is wanted, not its prediction.

    Raises:
        KeyError: there is none of that name.
        ValueError: it asks nothing of this kind.
    """
    lesson, _, name = scene.partition("/")
    found = scenes.lesson(lesson).scene(name)
    asked = found.experiment if tries else found.prediction
    if asked is None:
        raise ValueError("this scene asks nothing of this kind")
    said = {"id": f"{lesson}.{name}", "text": say_in_each_language(asked.question)}
    if isinstance(asked, Prediction):
        answers = {key: say_in_each_language(words) for key, words in asked.answers.items()}
        return {**said, "kind": "choice", "answers": answers}
    if asked.number is None:
        return {**said, "kind": asked.kind}
    number = asked.number
    within = {"low": number.low, "high": number.high, "step": number.step, "start": number.default}
    return {**said, "kind": asked.kind, **within, "label": say_in_each_language(number.label), "log": asked.log}
