"""Every scene opens in both languages, every preset and prediction works, and every figure hands out its numbers."""

from pkgutil import resolve_name
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from explorer import scenes
from explorer.scenes.spec import Lesson, Scene
from explorer.ui import catalogue, figure_card
from explorer.ui.scene import picture
from tests.support.pages import OpenPage, said

KEEP_COMPUTED = True
EVERY = [(lesson, scene) for lesson in scenes.LESSONS for scene in lesson.scenes]
every_scene = pytest.mark.parametrize(
    ("lesson", "scene"), EVERY, ids=[f"{lesson.stem}-{scene.name}" for lesson, scene in EVERY]
)
asking_scenes = pytest.mark.parametrize(
    ("lesson", "scene"),
    [(lesson, scene) for lesson, scene in EVERY if scene.prediction],
    ids=[f"{lesson.stem}-{scene.name}" for lesson, scene in EVERY if scene.prediction],
)


def opened(open_page: OpenPage, lesson: Lesson, scene: Scene, **parameters: str) -> AppTest:
    app = open_page(catalogue.page(lesson.stem).file, scene=scene.name, **parameters)
    assert not app.exception, [each.value for each in app.exception]
    return app


def press(app: AppTest, key: str) -> AppTest:
    """Press a button of the scene; it runs alone, and afterwards `AppTest` shows nothing else."""
    next(each for each in app.button if each.key == key).click().run()
    assert not app.exception, [each.value for each in app.exception]
    return app


@every_scene
@pytest.mark.parametrize(("language", "present"), [("en", ""), ("zh", "1")], ids=["en", "zh-presented"])
def test_a_scene_opens_and_its_figures_hand_out_their_numbers(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, lesson: Lesson, scene: Scene, language: str, present: str
) -> None:
    taken: dict[str, bytes] = {}

    def take(key: str, _draw: Any, _title: str, _reading: str, table: Any, provenance: Any, _more: Any = None) -> None:
        resolve_name(provenance.computed_by)  # raises if there is no such function
        taken[key] = figure_card.csv_file(table(), provenance)

    monkeypatch.setattr(picture, "_behind", take)
    app = opened(open_page, lesson, scene, lang=language, present=present)
    text = said(app)
    assert any("\u4e00" <= letter <= "\u9fff" for letter in app.title[0].value) == (language == "zh")
    assert taken
    assert all(len(numbers.splitlines()) > 2 for numbers in taken.values())
    question = scene.question.replace("'", "&#x27;")
    assert (question in text) == (language == "en")
    assert ("data:image/svg+xml" in text) == bool(present)  # the link as a picture
    assert ({"walk_back", "walk_on", "walk_end"} <= {each.key for each in app.button}) == bool(present)


@pytest.mark.parametrize(
    ("lesson", "scene"),
    [(lesson, scene) for lesson, scene in EVERY if not scene.core],
    ids=[f"{lesson.stem}-{scene.name}" for lesson, scene in EVERY if not scene.core],
)
def test_every_preset_can_be_set_and_is_marked(open_page: OpenPage, lesson: Lesson, scene: Scene) -> None:
    """Those of the core scenes, `tests/browser/test_scenes.py` presses."""
    for place, preset in enumerate(scene.presets):
        app = press(opened(open_page, lesson, scene), f"try_{scene.name}_{place}")
        assert preset.look in said(app)


@asking_scenes
def test_a_prediction_is_judged_reveals_and_is_remembered(open_page: OpenPage, lesson: Lesson, scene: Scene) -> None:
    assert scene.prediction
    for name in scene.prediction.answers:
        app = press(opened(open_page, lesson, scene), f"answer_{scene.name}_{name}")
        verdicts = [each.proto.body for each in app.get("html") if "<details" in each.proto.body]
        assert len(verdicts) == 1
        assert "{" not in verdicts[0]
        assert not [each for each in app.button if str(each.key).startswith("answer_")]
        for key, value in scene.prediction.reveals.items():
            assert app.session_state[key] == value


@asking_scenes
def test_a_prediction_can_be_skipped(open_page: OpenPage, lesson: Lesson, scene: Scene) -> None:
    app = press(opened(open_page, lesson, scene), "skip")
    assert not [each for each in app.button if str(each.key).startswith("answer_")]


@pytest.mark.parametrize("lesson", scenes.LESSONS, ids=lambda lesson: lesson.stem)
def test_the_exercises_answer_when_they_are_opened(open_page: OpenPage, lesson: Lesson) -> None:
    app = opened(open_page, lesson, lesson.core[-1])
    assert len([each for each in app.expander if each.label == "Answer"]) == lesson.exercises
