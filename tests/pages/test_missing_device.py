"""`EXPLORER_DEVICE` may name what is not there: every scene whose model cannot run says so, and the page goes on."""

import pytest

from explorer import scenes
from explorer.scenes.spec import Lesson, Scene
from tests.pages.test_every_page import healthy
from tests.pages.test_missing_checkpoints import forget
from tests.pages.test_scenes import EVERY, opened
from tests.pages.test_work_sheets import made
from tests.support.pages import OpenPage, said


@pytest.mark.parametrize(("lesson", "scene"), EVERY, ids=[f"{lesson.stem}-{scene.name}" for lesson, scene in EVERY])
def test_a_device_that_is_not_there_is_a_message(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, lesson: Lesson, scene: Scene
) -> None:
    forget()
    monkeypatch.setenv("EXPLORER_DEVICE", "toaster")
    app = opened(open_page, lesson, scene)
    assert lesson.stem not in ("text_generation", "vision") or "choose one of" in said(app)
    answers = [each for each in app.button if str(each.key).startswith(f"answer_{scene.name}_")]
    if answers:
        assert healthy(answers[0].click().run())


@pytest.mark.parametrize("lesson", scenes.LESSONS, ids=[lesson.stem for lesson in scenes.LESSONS])
def test_answers_and_work_sheets_go_without_it(monkeypatch: pytest.MonkeyPatch, lesson: Lesson) -> None:
    forget()
    monkeypatch.setenv("EXPLORER_DEVICE", "toaster")
    assert all("</html>" in each for each in made(lesson.stem, "en"))
