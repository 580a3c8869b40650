"""The page as a reader gets it: links, refusals, and what stands beside the component."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from explorer.inference.gpt import writing
from explorer.lessons import text_generation as lesson
from explorer.lessons.text_generation import look, readings
from tests.pages.test_every_page import healthy
from tests.support.hostile import inputs
from tests.support.pages import OpenPage, plain, question, said

PAGE = "pages/12_text_generation.py"
MODEL = "positions-rotary"
SHORT = {"tg_model": MODEL, "tg_length": "20"}


def text(app: Any) -> str:
    """What the page says, without Markdown's backslashes and emphasis."""
    return plain(app).replace("<b>", "").replace("</b>", "")


def charts(app: Any) -> set[str]:
    """Keys of the charts."""
    return {chart.proto.id.rpartition("-")[2] for chart in app.get("plotly_chart")}


@pytest.mark.parametrize(
    ("link", "asks"),
    [
        ({}, "How does a model write"),
        ({"tg_temperature": "0.5", "tg_top_p": "0.9"}, "What else could have stood here"),
        ({"tg_part": "next"}, "What else could have stood here"),
        ({"tg_part": "rows", "tg_place": "12"}, "Where does it look"),
        ({"tg_part": "map", "tg_layer": "1"}, "Where does it look"),
        ({"tg_part": "lens"}, "When does the model know"),
        ({"tg_part": "change", "tg_place": "12", "tg_instead": "w"}, "What if another character"),
        ({"tg_part": "induction"}, "Which heads continue"),
    ],
)
def test_an_old_link_opens_the_scene_of_its_part(open_page: OpenPage, link: dict[str, str], asks: str) -> None:
    assert asks in question(open_page(PAGE, **SHORT, **link))


def test_the_reading_is_that_of_the_text(open_page: OpenPage) -> None:
    result = lesson.compute(lesson.Params(checkpoint=MODEL, length=20))
    assert readings.describe_surprise(result).replace("**", "") in text(open_page(PAGE, **SHORT))
    choices = readings.describe_choices(result).replace("**", "")
    assert choices in text(open_page(PAGE, **SHORT, scene="alternatives"))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("scene", ["watch", "alternatives", "looked", "what_if", "lens"])
def test_a_page_does_not_write_itself(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, scene: str, lang: str
) -> None:
    """Forty that write at the same time are slower than one after the other, and keep each other's pages waiting."""
    own = set[str]()

    def watched(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **more: Any) -> Any:
            own.update(each.function for each in inspect.stack() if each.function in {"stage", "controls"})
            return function(*given, **more)

        return call

    monkeypatch.setattr(writing, "write", watched(writing.write))
    monkeypatch.setattr(look, "every_step", watched(look.every_step))
    app = open_page(PAGE, **SHORT, scene=scene, tg_seed=str(40 + len(scene) + (20 if lang == "zh" else 0)), lang=lang)
    assert not own
    assert charts(app) or app.get("bidi_component")


@pytest.mark.parametrize(("part", "key"), [("rows", "tg_rows_chart"), ("map", "tg_map_chart")])
def test_heads_and_map_are_charts(open_page: OpenPage, part: str, key: str) -> None:
    app = open_page(PAGE, **SHORT, scene="looked", tg_part=part, tg_layer="1", tg_head="2")
    assert charts(app) == {key}
    assert "layer 1, head 2" in text(app) or part == "rows"


def test_what_if_puts_the_likeliest_other_character_there_until_another_is_asked_for(open_page: OpenPage) -> None:
    app = open_page(PAGE, **SHORT, scene="what_if", tg_place="10")
    assert "instead of “a”" in text(app)
    button = next(each for each in app.button if each.key == "tg_likely_1")
    other = button.label
    button.click().run()
    assert f"with “{other}” instead of “a”" in text(app)
    assert "with “w” instead of “a”" in text(open_page(PAGE, **SHORT, scene="what_if", tg_place="10", tg_instead="w"))


def test_a_step_beside_the_lens_goes_to_the_next_character(open_page: OpenPage) -> None:
    app = open_page(PAGE, **SHORT, scene="lens", tg_place="20")
    next(each for each in app.button if each.key == "tg_forth").click().run()
    assert app.session_state["tg_place"] == "21"
    assert "21 · " in text(app)


@pytest.mark.parametrize("nonsense", ["💥", "-1", "99999", "<b>"])
def test_nonsense_in_the_link_falls_back(open_page: OpenPage, nonsense: str) -> None:
    keys = ("place", "part", "layer", "head", "model", "instead", "lens")
    for scene in ("watch", "looked", "what_if", "lens", "induction"):
        app = open_page(PAGE, tg_length="20", scene=scene, **{f"tg_{key}": nonsense for key in keys})
        assert healthy(app), scene


def test_unknown_characters_are_named(open_page: OpenPage) -> None:
    app = open_page(PAGE, **SHORT, tg_text="Hello 💜 注 \x07")
    (warning,) = [each.value.replace("\\", "") for each in app.warning]
    assert "💜, 注, ⟨U+0007⟩" in warning


def test_a_long_beginning_is_cut_and_it_is_said(open_page: OpenPage) -> None:
    app = open_page(PAGE, **SHORT)
    app.text_area[0].set_value("long " * 20_000).run()
    assert healthy(app)
    assert "This model sees 128 characters" in app.info[0].value.replace("\\", "")


def test_hostile_beginnings_leave_the_page_alive(open_page: OpenPage) -> None:
    app = open_page(PAGE, **SHORT)
    for prompt in inputs(40)[::8]:
        app.text_area[0].set_value(prompt.replace("\ud83d", "�")).run()
        assert healthy(app), ascii(prompt)
        assert "equally likely characters" in text(app), ascii(prompt)


def test_a_preset_that_names_no_model_is_marked_and_says_what_to_look_for(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="watch", tg_temperature="1.6", tg_place="150")
    assert "Look for words that do not exist" in said(app)
