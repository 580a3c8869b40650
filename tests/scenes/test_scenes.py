"""The list of scenes: whole, short, in step with prose and files, and light enough for the home page."""

import importlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pytest

from explorer import scenes
from explorer.room import kinds
from explorer.room.hub import MOST_TAUGHT
from explorer.room.question import question
from explorer.scenes import thread
from explorer.scenes.book import Section
from explorer.scenes.controls import Control, Select, SelectSlider, Slider, TextInput, find_declared
from explorer.scenes.spec import Lesson, Scene
from explorer.ui import catalogue, language, layout
from explorer.ui.scene import experiment
from tests import translations
from tests.conftest import ROOT
from tests.imports import imported_by

EVERY = [(lesson, scene) for lesson in scenes.LESSONS for scene in lesson.scenes]
NAMES = [f"{lesson.stem}-{scene.name}" for lesson, scene in EVERY]
every_scene = pytest.mark.parametrize(("lesson", "scene"), EVERY, ids=NAMES)
every_lesson = pytest.mark.parametrize("lesson", scenes.LESSONS, ids=lambda lesson: lesson.stem)
#: Answers of predictions and exercises that people recomputed in other ways, but those that measure this machine.
CHECKED = json.loads(Path(__file__).with_name("checked.json").read_text(encoding="utf8"))
#: Of the rail; a prediction's question is measured in the browser.
MOST_WORDS = 12


def test_the_list_imports_neither_torch_nor_streamlit() -> None:
    there = imported_by("import explorer.scenes")
    assert "explorer.scenes.kernel_regression" in there
    assert not {"torch", "streamlit", "plotly"} & set(there)


def test_the_command_prints_a_line_for_each_scene() -> None:
    command = [sys.executable, "-m", "explorer.scenes"]
    lines = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    assert "kernel_regression one_query core /kernel_regression?scene=one_query" in lines
    assert len(lines) == len(EVERY)


def test_lessons_stand_in_the_order_of_the_menu() -> None:
    order = [page.stem for page in catalogue.PAGES]
    positions = [order.index(lesson.stem) for lesson in scenes.LESSONS]
    assert positions == sorted(set(positions))


def test_the_short_way_is_one_scene_of_each_of_its_lessons_in_the_order_of_the_menu() -> None:
    short, whole = scenes.walk(short=True), scenes.walk()
    assert tuple(lesson.stem for lesson, _ in short) == scenes.SHORT
    positions = [whole.index(each) for each in short]
    assert positions == sorted(set(positions))


@every_lesson
def test_core_scenes_come_first_and_names_are_distinct(lesson: Lesson) -> None:
    assert 2 <= len(lesson.core) <= 5
    assert lesson.scenes[: len(lesson.core)] == lesson.core
    assert len({scene.name for scene in lesson.scenes}) == len(lesson.scenes)


@every_scene
def test_a_scene_asks_one_short_question(lesson: Lesson, scene: Scene) -> None:
    assert scene.question.endswith("?")
    assert len(scene.question.split()) <= MOST_WORDS
    assert len(scene.title.split()) <= 7
    assert scene.prediction is not None or not scene.core
    assert len(scene.presets) >= (2 if scene.core else 0)


@every_scene
def test_no_text_calls_a_strong_colour_dark(lesson: Lesson, scene: Scene) -> None:
    """In the dark look, what is strong is light."""
    assert not re.search(r"\bdark(er|est)\b|\bdark cells?\b", repr(scene))


@every_scene
def test_a_preset_sets_controls_of_its_scene_and_changes_something(lesson: Lesson, scene: Scene) -> None:
    known = lesson.every_default
    for preset in scene.presets:
        assert preset.state.keys() <= known.keys(), preset.label
        assert any(value != known[key] for key, value in preset.state.items()), preset.label
        assert preset.look.startswith("Look "), preset.label


@every_lesson
def test_a_declared_control_can_hold_whatever_the_lesson_sets_it_to(lesson: Lesson) -> None:
    for scene in lesson.scenes:
        states = [each.state for each in scene.presets] + [scene.prediction.reveals if scene.prediction else {}]
        for state in (lesson.defaults(scene), *states):
            for key in state.keys() & scenes.CONTROLS.keys():
                assert can_hold(scenes.CONTROLS[key], state[key]), (scene.name, key, state[key])


def can_hold(control: Control, value: Any) -> bool:
    """Whether its widget has this value."""
    match control:
        case Slider(low=low, high=high):
            return type(value) is type(low) and low <= value <= high
        case SelectSlider(options=options):
            return value in options
        case Select(names=names):
            return value in names
        case TextInput(most=most):
            return len(value) <= most
    return isinstance(value, bool)


@every_lesson
def test_a_key_is_declared_once(lesson: Lesson) -> None:
    for controls in (lesson.shared, *(scene.controls for scene in lesson.scenes)):
        for key, each in find_declared(controls).items():
            assert each is scenes.CONTROLS[key], key


@every_scene
def test_the_right_answer_is_computed_and_fills_the_why(lesson: Lesson, scene: Scene) -> None:
    module = importlib.import_module(lesson.module(scene.name))
    assert callable(module.controls)
    assert callable(module.stage)
    if scene.prediction is None:
        return
    right, values = module.answer()
    assert right in scene.prediction.answers
    assert right == CHECKED["predictions"].get(f"{lesson.stem}.{scene.name}", right)
    assert 2 <= len(scene.prediction.answers) <= 4
    assert scene.prediction.reveals.keys() <= lesson.every_default.keys()
    assert translations.placeholders(scene.prediction.why) == set(values)


#: Lessons in which a class tries something together, and what it tries.
TRYING = [(lesson, scene) for lesson, scene in EVERY if scene.experiment]


def test_lessons_one_to_seven_and_ten_have_an_experiment_of_every_kind_together() -> None:
    tried = {
        lesson.stem: {scene.experiment.kind for scene in lesson.scenes if scene.experiment} for lesson, _ in TRYING
    }
    assert {lesson.stem for lesson in (*scenes.LESSONS[:7], scenes.LESSONS[9])} <= tried.keys()
    assert set().union(*tried.values()) == {"number", "words", "mask"}


@pytest.mark.parametrize(("lesson", "scene"), TRYING, ids=[f"{lesson.stem}-{scene.name}" for lesson, scene in TRYING])
def test_what_a_class_tries_is_computed_fits_a_message_and_fills_the_why(lesson: Lesson, scene: Scene) -> None:
    assert scene.experiment
    module = importlib.import_module(lesson.module(scene.name))
    told, reveals = experiment.compute(scene, module.experiment)
    asked = question(f"{lesson.stem}/{scene.name}", tries=True)
    asked |= kinds.check_given(asked, told["given"])
    right = kinds.check_right(asked, told["right"])
    assert len(json.dumps({"do": "ask", "scene": asked["id"], **told}, ensure_ascii=False)) < MOST_TAUGHT
    assert translations.placeholders(scene.experiment.why) == set(module.experiment().values)
    for key, value in reveals.items():
        assert key in lesson.every_default
        assert key not in scenes.CONTROLS or can_hold(scenes.CONTROLS[key], value), key
    if scene.experiment.kind == "number":
        assert right["value"] == pytest.approx(told["right"]["value"], rel=1e-3)
        assert asked["low"] < right["value"] < asked["high"]
        assert right["value"] != asked["start"]  # where the slider stands tells nothing
    elif scene.experiment.kind == "words":
        for each in right["maps"]:
            assert np.allclose(np.sum(each["weights"], -1), 1, atol=2e-3)


@every_lesson
def test_the_prose_has_a_section_for_each_scene_and_the_answers_are_filled(lesson: Lesson) -> None:
    text = (language.LOCALE / "content" / "en" / f"{lesson.stem}.md").read_text("utf8")
    sections = {name: body for name, (_, body) in language.sections(text).items()}
    assert {scene.name for scene in lesson.scenes} | {"takeaway"} <= sections.keys()
    answers = [sections[f"answer_{number}"] for number in range(1, lesson.exercises + 1)]
    answers += [sections[prose] for section in lesson.book for prose, _ in answered(lesson, section)]
    assert all(f"exercise_{number}" in sections for number in range(1, lesson.exercises + 1))
    needed = set().union(*map(translations.placeholders_of_prose, answers))
    values = importlib.import_module(lesson.module("exercises")).values()
    assert needed, "an answer is computed"
    assert needed == set(values)
    for name, checked in CHECKED["exercises"][lesson.stem].items():
        assert alike(values[name], checked), name


def alike(found: str, checked: str) -> bool:
    """Whether they are the same, or numbers that another processor may round otherwise."""
    try:
        return float(found) == pytest.approx(float(checked), rel=0.02)
    except ValueError:
        return found == checked


def opened_from(text: str) -> list[Scene]:
    """The scenes that links of the prose open."""
    links = list(layout.LINK.finditer(text))
    assert len(links) == text.count("[](")
    return [scenes.lesson(link["lesson"]).scene(link["scene"]) for link in links]


@pytest.mark.parametrize("words", language.LANGUAGES)
@every_lesson
def test_a_lesson_names_its_sections_of_the_book_and_the_first_answers_every_exercise(
    lesson: Lesson, words: str
) -> None:
    sections = language.sections((language.LOCALE / "content" / words / f"{lesson.stem}.md").read_text("utf8"))
    assert lesson.book
    for _, text in sections.values():
        opened_from(text)
    for section in lesson.book:
        for prose, count in answered(lesson, section):
            text = sections[prose][1]
            exercises = [str(number) for number in range(1, count + 1)]
            assert re.findall(r"^\*\*(\d+)\.\*\* \*\S", text, re.MULTILINE) == exercises
        first = scenes.first_with(section)
        if lesson is not first:
            assert first.core[-1] in opened_from(text), "says below which scene the exercises are answered"


def answered(lesson: Lesson, section: Section) -> list[tuple[str, int]]:
    """The sections of a lesson's prose that speak of a section of the book, and how many exercises each answers."""
    if lesson is not scenes.first_with(section):
        return [(section.prose, 0)]
    english = [(section.prose, section.exercises)]
    chinese = section.chinese
    return [*english, (chinese.prose, chinese.exercises)] if chinese and chinese.exercises else english


@pytest.mark.parametrize("words", language.LANGUAGES)
@every_lesson
def test_a_link_of_the_prose_opens_another_state_that_its_scene_has(lesson: Lesson, words: str) -> None:
    text = (language.LOCALE / "content" / words / f"{lesson.stem}.md").read_text("utf8")
    for link in layout.LINK.finditer(text):
        opened, scene = scenes.lesson(link["lesson"]), scenes.lesson(link["lesson"]).scene(link["scene"])
        usual = opened.defaults(scene)
        state = dict(parse_qsl(link["state"] or "", strict_parsing=bool(link["state"])))
        assert state.keys() <= usual.keys(), link[0]
        given = {key: value == "True" if isinstance(usual[key], bool) else value for key, value in state.items()}
        assert not state or any(type(usual[key])(value) != usual[key] for key, value in given.items()), link[0]


def test_the_chapter_of_the_lecture_notes_is_answered_whole() -> None:
    chapter = {section.chinese.number: section for each in scenes.LESSONS for section in each.book if section.chinese}
    assert sorted(chapter) == [f"10.{number}" for number in range(1, 8)]
    counts = [chapter[f"10.{number}"].chinese.exercises or chapter[f"10.{number}"].exercises for number in range(1, 8)]
    assert counts == [2, 4, 3, 2, 2, 3, 6]  # the third of 10.6 is the English edition's alone


@pytest.mark.parametrize("words", language.LANGUAGES)
@every_lesson
def test_each_answer_of_the_lecture_notes_chapter_opens_where_a_learner_does_it(lesson: Lesson, words: str) -> None:
    sections = language.sections((language.LOCALE / "content" / words / f"{lesson.stem}.md").read_text("utf8"))
    for section in lesson.book:
        if section.chinese and scenes.first_with(section) is lesson:
            prose = section.chinese.prose if section.chinese.exercises else section.prose
            _, *answers = re.split(r"^(?=\*\*\d+\.\*\* )", sections[prose][1], flags=re.MULTILINE)
            assert answers
            assert all(map(opened_from, answers)), prose


@every_lesson
def test_an_old_link_means_the_scene_of_its_controls(lesson: Lesson) -> None:
    assert lesson.meant_by(frozenset()) is lesson.scenes[0]
    for scene in lesson.scenes:
        alone = scene.controls.keys() - set().union(
            *(other.controls.keys() for other in lesson.scenes if other is not scene)
        )
        if alone:
            assert lesson.meant_by(frozenset(alone)) is scene


def test_the_thread_runs_through_all_lessons() -> None:
    assert list(thread.ANSWERS) == [lesson.stem for lesson in scenes.LESSONS]
    words = set(re.findall(r"\w+", thread.SENTENCE)) | {"its"}
    assert all(words & set(re.findall(r"\w+", answer)) - {"The"} for answer in thread.ANSWERS.values())
