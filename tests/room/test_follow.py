"""Where a page goes that follows a wall: what of a wall's link is believed."""

import math
from urllib.parse import urlencode

import pytest

from explorer import scenes
from explorer.scenes.controls import Slider, TextInput
from explorer.scenes.spec import Lesson
from explorer.ui.catalogue import page
from explorer.ui.scene import follow
from tests.support.pages import OpenPage


def test_a_wall_s_link_is_a_scene_and_a_state_that_its_controls_take() -> None:
    found = follow.read("/kernel_regression?scene=every_query&kr_width=0.3&kr_query=1.5")
    assert found
    lesson, scene, state = found
    assert (lesson.stem, scene.name) == ("kernel_regression", "every_query")
    assert state == {"kr_width": 0.3, "kr_query": 1.5}


def test_every_preset_of_every_scene_can_be_followed() -> None:
    for lesson in scenes.LESSONS:
        for scene in lesson.scenes:
            for preset in scene.presets:
                said = "&".join(f"{key}={value}" for key, value in preset.state.items() if not isinstance(value, str))
                found = follow.read(f"/{lesson.stem}?scene={scene.name}&{said}")
                assert found
                assert found[1] is scene
                expected = {key: value for key, value in preset.state.items() if not isinstance(value, str)}
                assert found[2] == expected, (lesson.stem, scene.name, preset.label)
                assert all(type(value) is type(scenes.DEFAULTS[key]) for key, value in found[2].items())


@pytest.mark.parametrize(
    "link",
    [
        "",
        "None",
        "/",
        "/nowhere?scene=one_query",
        "//elsewhere.example/kernel_regression?scene=one_query",
        "https://elsewhere.example/kernel_regression",
        "javascript:alert(1)",
        "/kernel_regression/../x",
        "http://[",
    ],
)
def test_what_leads_to_no_lesson_is_not_followed(link: str) -> None:
    assert follow.read(link) is None


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "x", "", "[1]", "1e999", "0x10"])
def test_a_value_that_is_none_leaves_its_control_as_it_begins(value: str) -> None:
    found = follow.read(f"/kernel_regression?scene=one_query&kr_width={value}&kr_step={value}&kr_points=x")
    assert found
    assert found[2] == {}


def test_a_number_is_held_within_the_bounds_of_its_control() -> None:
    for key, control in scenes.CONTROLS.items():
        if not isinstance(control, Slider):
            continue
        lesson = next(each for each in scenes.LESSONS if key in each.every_control)
        scene = next(each for each in lesson.scenes if key in lesson.defaults(each))
        for said in ("1e300", "-1e300"):
            found = follow.read(f"/{lesson.stem}?scene={scene.name}&{key}={said}")
            assert found
            assert found[2][key] in (control.low, control.high)
            assert math.isfinite(found[2][key])


@pytest.mark.parametrize("lesson", scenes.LESSONS, ids=lambda lesson: lesson.stem)
def test_a_link_made_by_hand_leaves_no_page_broken_though_a_control_s_bounds_depend_on_data(
    lesson: Lesson, open_page: OpenPage
) -> None:
    app = open_page(page(lesson.stem).file)
    for number, text in (("1e300", "999999"), ("-1e300", "-1")):
        for scene in lesson.scenes:
            usual = {**lesson.every_default, **lesson.defaults(scene)}
            said = {key: text if isinstance(value, str) else number for key, value in usual.items()}
            found = follow.read(f"/{lesson.stem}?{urlencode({'scene': scene.name, **said})}")
            assert found
            app.query_params["scene"] = scene.name
            for key, value in found[2].items():
                if not isinstance(scenes.CONTROLS.get(key), TextInput):
                    app.session_state[key] = value
            app.run()
            assert not app.exception, (scene.name, number, [each.message for each in app.exception])
