"""Every scene opens, every preset and prediction works, and every figure hands out its numbers."""

import re
from pkgutil import resolve_name
from typing import Any
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from explorer import scenes
from explorer.lessons import multi_head
from explorer.lessons.multi_head import ablation, finding
from explorer.records.sequence import GOES_ON
from explorer.scenes.multi_head import EXAMPLE
from explorer.scenes.spec import Lesson, Scene
from explorer.ui import catalogue, choice, figure_card, language, layout
from explorer.ui.scene import picture
from tests.support.pages import OpenPage, said

EVERY = [(lesson, scene) for lesson in scenes.LESSONS for scene in lesson.scenes]
every_scene = pytest.mark.parametrize(
    ("lesson", "scene"), EVERY, ids=[f"{lesson.stem}-{scene.name}" for lesson, scene in EVERY]
)
#: Core scenes in which the model's own pieces have a line, or a vector, each.
OF_PIECES = {"whole_transformer/whole", "whole_transformer/layer", "whole_transformer/head", "multi_head/one_score"}
ASKING = [(lesson, scene) for lesson, scene in EVERY if scene.prediction]
#: What the prose links to with a state, in either language: lesson, scene, state.
LINKED = sorted(
    {
        (link["lesson"], link["scene"], link["state"])
        for prose in (language.LOCALE / "content").glob("*/*.md")
        for link in layout.LINK.finditer(prose.read_text("utf8"))
        if link["state"]
    }
)


def meant(app: AppTest, field: str, value: str) -> str:
    """What the control of a field holds for a value of the link: where that is a word for heads, the heads it finds."""
    if not isinstance(app.session_state[field], list):
        return value
    result = multi_head.compute(multi_head.Params(text=EXAMPLE))
    heads = finding.parse_removed(result, value, lambda: ablation.sweep_all(ablation.SweepParams(params=result.params)))
    return str(list(heads))


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
def test_a_scene_opens_and_its_figures_hand_out_their_numbers(
    open_page: OpenPage, lesson: Lesson, scene: Scene
) -> None:
    """In Chinese and presented; in English and not, `tests/browser/test_scenes.py` opens every scene."""
    taken: dict[str, bytes] = {}
    worded: dict[str, str] = {}

    def take(key: str, shown: Any, table: Any, provenance: Any, _files: Any) -> None:
        resolve_name(provenance.computed_by)  # raises if there is no such function
        for words in (shown.title, shown.reading):  # what is quoted, and a name alone, may be Latin
            bare = re.sub("“[^”]*”", "", words)
            assert len(re.findall("[A-Za-z]{2,}", bare)) < 6 or re.search("[\u4e00-\u9fff]", bare), words
        taken[key], worded[key] = figure_card.csv_file(table()), f"{shown.title} {shown.reading}"

    with pytest.MonkeyPatch.context() as patch:  # of one's own: what is computed stays as it is
        patch.setattr(picture, "_behind", take)
        app = opened(open_page, lesson, scene, lang="zh", present="1")
    text = said(app)
    assert any("\u4e00" <= letter <= "\u9fff" for letter in app.title[0].value)
    assert taken
    assert all(len(numbers.splitlines()) > 2 for numbers in taken.values())
    assert scene.question.replace("'", "&#x27;") not in text
    if scene.core and f"{lesson.stem}/{scene.name}" not in OF_PIECES:
        cut = [key for key, numbers in taken.items() if GOES_ON in numbers.decode() + worded[key]]
        assert not cut, "words stand there whole"
    assert "data:image/svg+xml" in text  # the link as a picture
    assert {"walk_back", "walk_on", "walk_end"} <= {each.key for each in app.button}


@pytest.mark.parametrize(
    ("lesson", "scene"),
    [(lesson, scene) for lesson, scene in EVERY if not scene.core and scene.presets],
    ids=[f"{lesson.stem}-{scene.name}" for lesson, scene in EVERY if not scene.core and scene.presets],
)
def test_every_preset_can_be_set_and_is_marked(open_page: OpenPage, lesson: Lesson, scene: Scene) -> None:
    """Those of the core scenes, `tests/browser/test_scenes.py` presses."""
    app = opened(open_page, lesson, scene)
    for position, preset in enumerate(scene.presets):
        assert preset.look in said(press(app, f"try_{scene.name}_{position}"))


@pytest.mark.parametrize(("lesson", "scene"), ASKING, ids=[f"{lesson.stem}-{scene.name}" for lesson, scene in ASKING])
def test_a_prediction_is_judged_reveals_and_is_remembered(open_page: OpenPage, lesson: Lesson, scene: Scene) -> None:
    """By one answer: which one it is makes but the verdict's first word, which the test below reads."""
    assert scene.prediction
    app = press(opened(open_page, lesson, scene), f"answer_{scene.name}_{next(iter(scene.prediction.answers))}")
    verdicts = [each.proto.body for each in app.get("html") if "<details" in each.proto.body]
    assert len(verdicts) == 1
    assert "{" not in verdicts[0]
    assert not [each for each in app.button if str(each.key).startswith("answer_")]
    for key, value in scene.prediction.reveals.items():
        assert app.session_state[key] == value


@pytest.mark.parametrize(("stem", "name", "state"), LINKED)
def test_a_link_of_the_prose_opens_the_state_that_it_names(
    open_page: OpenPage, stem: str, name: str, state: str
) -> None:
    """A value that a control or a film does not know becomes another one, and a text that cannot be read is refused."""
    lesson, stepped, step = scenes.lesson(stem), dict[str, str](), choice.step

    def reach(label: str, *, key: str, last: int, first: int = 0) -> int:
        found = step(label, key=key, last=last, first=first)
        stepped[key] = str(found + first)
        return found

    asked = dict(parse_qsl(state, strict_parsing=True))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choice, "step", reach)
        app = opened(open_page, lesson, lesson.scene(name), **asked)
    shown = {key: f"{key}_shown" if f"{key}_shown" in app.session_state else key for key in asked}
    held = {key: stepped.get(key, str(app.session_state[control])) for key, control in shown.items()}
    assert held == {key: meant(app, shown[key], value) for key, value in asked.items()}
    assert "Until then" not in said(app)


def test_what_a_reader_had_before_the_answer_comes_back(open_page: OpenPage) -> None:
    lesson = scenes.lesson("translator")
    scene = lesson.core[0]
    assert scene.prediction
    answer = f"answer_{scene.name}_{next(iter(scene.prediction.answers))}"
    mine = {"tr_text": "My uncle has a green boat."}
    app = press(opened(open_page, lesson, scene, **mine), answer)
    assert app.session_state["tr_text"] == lesson.every_default["tr_text"]
    press(app, "own_again")
    assert app.session_state["tr_text"] == mine["tr_text"]
    app = press(opened(open_page, lesson, scene), answer)
    assert "own_again" not in {each.key for each in app.button}, "nothing was the reader's own"


def test_one_answer_is_right_and_a_prediction_can_be_skipped(open_page: OpenPage) -> None:
    lesson, scene = ASKING[0]
    assert scene.prediction
    verdicts = [
        said(press(opened(open_page, lesson, scene), f"answer_{scene.name}_{name}"))
        for name in scene.prediction.answers
    ]
    assert sum("✓ Right: " in verdict for verdict in verdicts) == 1
    assert sum("<b>No. The answer is: " in verdict for verdict in verdicts) == len(verdicts) - 1
    app = press(opened(open_page, lesson, scene), "skip")
    assert not [each for each in app.button if str(each.key).startswith("answer_")]
    assert not [each for each in app.get("html") if "<details" in each.proto.body]


@pytest.mark.parametrize(
    ("lesson", "scene"),
    [(lesson, scene) for lesson, scene in ASKING if scene.prediction and scene.prediction.told],
    ids=lambda each: getattr(each, "name", getattr(each, "stem", "")),
)
def test_readings_that_tell_the_answer_are_there_once_it_is_skipped(
    open_page: OpenPage, lesson: Lesson, scene: Scene
) -> None:
    app = opened(open_page, lesson, scene)
    assert "Answer the question first" in said(app)
    assert "Answer the question first" not in said(press(app, "skip"))


def test_what_tells_the_answer_waits_for_the_guess(open_page: OpenPage) -> None:
    lesson = scenes.lesson("kernel_regression")
    scene = lesson.scene("every_query")
    assert scene.prediction
    assert scene.prediction.told
    app = opened(open_page, lesson, scene)
    waits, told = "Answer the question first", "A query averages over"
    assert waits in said(app)
    assert told not in said(app)
    moved = opened(open_page, lesson, scene, kr_query="4")
    for acted in (press(app, f"answer_{scene.name}_edge"), press(opened(open_page, lesson, scene), "skip"), moved):
        assert waits not in said(acted)
        assert told in said(acted)


@pytest.mark.parametrize(
    ("stem", "counted", "on"),
    [
        ("kernel_regression", "Picture 2 of 5", "Next: One vector or a look back"),
        ("translator", "Picture 5 of 5", "All lessons"),
        ("vision", "Lesson 13 of 15", None),  # off the way
    ],
)
def test_the_short_way_counts_its_pictures_and_ends(
    open_page: OpenPage, stem: str, counted: str, on: str | None
) -> None:
    lesson = scenes.lesson(stem)
    app = opened(open_page, lesson, lesson.core[0], way="short")
    assert counted in [each.value for each in app.caption]
    links = [each.proto.label for each in app.get("page_link") if each.proto.label.startswith(("Next: ", "All "))]
    ends = ["Next: cross out a word, and see what the translator loses"] if on == "All lessons" else []
    assert links == ([on, *ends, on] if on else [])  # beside the title, and at the end
    assert bool(ends) == ("What you have seen" in [each.value for each in app.subheader])


@pytest.mark.parametrize("lesson", scenes.LESSONS, ids=lambda lesson: lesson.stem)
def test_the_exercises_answer_when_they_are_opened(open_page: OpenPage, lesson: Lesson) -> None:
    app = opened(open_page, lesson, lesson.core[-1])
    assert len([each for each in app.expander if each.label == "Answer"]) == lesson.exercises
