"""Every lesson makes its work sheet and its answers, in both languages: all asked here, all answered there."""

import html
import importlib
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext
from streamlit.testing.v1 import AppTest

from explorer import scenes
from explorer.records.language import speaking, t
from explorer.records.wording import typeset
from explorer.scenes.spec import Lesson
from explorer.ui import language
from explorer.ui.paper.collected import collect
from explorer.ui.scene import picture

pytestmark = pytest.mark.slow
ADDRESS = "https://example.org/lesson"
#: How much each live picture has drawn: nodes of SVG, words that are seen, colours on canvases.
DRAWN = """all => all.map(({ shadowRoot }) => {
  const words = node => !node.closest('svg, style, .unseen') && node.checkVisibility({ visibilityProperty: true })
    && [...node.childNodes].some(each => each.nodeType === Node.TEXT_NODE && each.data.trim());
  const colours = canvas => new Set(new Uint32Array(
    canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size - 1;
  const every = kind => [...shadowRoot.querySelectorAll(kind)];
  return every('svg *').length + every('*').filter(words).length
    + every('canvas').reduce((sum, each) => sum + colours(each), 0);
})"""
#: How many tasks a scene has at least, where figures that can be read leave no room for more.
FEWEST_TASKS = 2


def _page(stem: str, words: str, address: str) -> None:
    import streamlit as st

    from explorer import scenes
    from explorer.ui.scene import work_sheet

    lesson = scenes.lesson(stem)
    st.session_state["made"] = [make(lesson, words, address) for make in (work_sheet.sheet, work_sheet.answers)]


def made(stem: str, words: str) -> tuple[str, str]:
    """Sheet and answers, made while a page is open in English."""
    app = AppTest.from_function(_page, args=(stem, words, ADDRESS), default_timeout=300)
    app.session_state["language"] = "en"
    app.run()
    assert not app.exception, [each.value for each in app.exception]
    sheet, answers = app.session_state["made"]
    return sheet, answers


def read(page: str) -> str:
    """What a reader sees of a file, without spaces and line ends."""
    bare = re.sub(r"<(script|style|math).*?</\1>", "", page, flags=re.DOTALL)
    return packed(html.unescape(re.sub(r"<[^>]+>", "", bare)))


def packed(text: str) -> str:
    return re.sub(r"\s", "", text)


def plain(markdown: str) -> list[str]:
    """Pieces of a Markdown text between its marks and placeholders, long enough to be its own."""
    pieces = re.split(r"\$[^$]+\$|:\w+\[|[*`\[\]_\\]|\{\w+\}|^\d+\. |^- ", markdown, flags=re.MULTILINE)
    return [packed(piece) for piece in pieces if len(packed(piece)) >= 8]


def translate(words: str) -> Callable[[str], str]:
    def said(message: str) -> str:
        with speaking(words):
            return t(message)

    return said


def sections(lesson: Lesson, words: str) -> dict[str, str]:
    text = (language.LOCALE / "content" / words / f"{lesson.stem}.md").read_text("utf8")
    return {name: body for name, (_, body) in language.sections(text).items()}


def asks_everything_and_answers_nothing(lesson: Lesson, words: str, asked: str, answered: str) -> None:
    t, prose = translate(words), sections(lesson, words)
    for scene in lesson.core:
        assert scene.prediction
        for said in (scene.question, scene.prediction.question, *scene.prediction.answers.values()):
            assert packed(t(said)) in asked
        tasks = [preset for preset in scene.presets if packed(f"{t(preset.label)} · {t(preset.look)}") in asked]
        assert tasks == list(scene.presets[: len(tasks)])
        assert len(tasks) >= min(FEWEST_TASKS, len(scene.presets)), scene.name
        told = [preset for preset in tasks if packed(f"{t(preset.label)} · {t(preset.look)}") in answered]
        assert told, scene.name  # of some, only what moves is another: players tell their steps in the browser
        why = plain(t(scene.prediction.why))
        assert all(piece in answered for piece in why)
        assert not why or not all(piece in asked for piece in why)
    for number in range(1, lesson.exercises + 1):
        for piece in plain(prose[f"exercise_{number}"]):
            assert piece in asked
            assert piece in answered
        answer = plain(prose[f"answer_{number}"])
        assert all(piece in answered for piece in answer)
        assert not answer or not all(piece in asked for piece in answer)
    assert all(piece in answered for piece in plain(prose["takeaway"]))
    assert "{" not in answered


def every_scene_has_a_figure_its_link_and_its_code(lesson: Lesson, words: str, sheet: str, answers: str) -> None:
    for position, scene in enumerate(lesson.core, 1):
        link = f"{ADDRESS}?scene={scene.name}&amp;lang={words}"
        assert link in sheet
        assert link in answers
        part = sheet.split('<section class="page">')[position]
        assert f'id="{scene.name}-0"' in part, scene.name
        assert part.count('<div class="qr"><svg') == 1
    assert sheet.count("Plotly.newPlot(") + sheet.count('class="live"') >= len(lesson.core)
    assert not re.search(r'<(?:script|link|img)[^>]+(?:src|href)="http', sheet + answers)


def a_scene_takes_one_printed_page(usual: BrowserContext, lesson: Lesson, sheet: str) -> None:
    page = usual.new_page()
    page.set_content(sheet, timeout=120_000)
    drawn = page.locator(".live").evaluate_all(DRAWN)
    assert all(shapes > 10 for shapes in drawn), drawn
    printed = page.pdf(prefer_css_page_size=True, print_background=True)
    page.close()
    crowded = sum(f'id="{scene.name}-2"' in sheet for scene in lesson.core)  # a third figure fills the page
    assert len(re.findall(rb"/Type /Page\b", printed)) <= len(lesson.core) + bool(lesson.exercises) + crowded


def the_answers_are_those_that_are_computed(lesson: Lesson, asked: str, answered: str) -> None:
    for scene in lesson.core:
        right, values = importlib.import_module(lesson.module(scene.name)).answer()
        assert scene.prediction
        assert packed(f"Right: {scene.prediction.answers[right]}.") in answered
        why = packed(typeset(scene.prediction.why.format(**values)))
        assert why in answered
        assert why not in asked
    written = "".join(body for name, body in sections(lesson, "en").items() if name.startswith("answer_"))
    for name, value in importlib.import_module(lesson.module("exercises")).values().items():
        if f"{{{name}}}" in written:  # others fill the answers to the book, which is not on paper
            assert all(piece in answered for piece in plain(typeset(value))), name


@pytest.mark.parametrize("lesson", scenes.LESSONS, ids=lambda lesson: lesson.stem)
def test_a_lesson_makes_its_sheet_and_its_answers(
    usual: BrowserContext, subtests: pytest.Subtests, lesson: Lesson
) -> None:
    """All that is asked of them is asked of what is made once; English needs more paper than Chinese."""
    for words in ("en", "zh"):
        sheet, answers = made(lesson.stem, words)
        asked, answered = read(sheet), read(answers)
        with subtests.test("all asked here, all answered there", words=words):
            asks_everything_and_answers_nothing(lesson, words, asked, answered)
        with subtests.test("figure, link and code", words=words):
            every_scene_has_a_figure_its_link_and_its_code(lesson, words, sheet, answers)
        if words == "en":
            with subtests.test("one printed page a scene"):
                a_scene_takes_one_printed_page(usual, lesson, sheet)
            with subtests.test("computed"):
                the_answers_are_those_that_are_computed(lesson, asked, answered)


def test_what_a_stage_shows_is_collected_and_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Any] = []
    monkeypatch.setattr(picture.st, "plotly_chart", drawn.append)
    with collect() as found:
        picture.show_chart("key", lambda **_: None, title="A", reading="1 < **2**", provenance=None, of=())  # type: ignore[arg-type]
        picture.show_reading("alone")
    assert [(each.title, each.reading) for each in found] == [("A", "1 < **2**"), ("", "alone")]
    assert not drawn
    assert picture.emphasise(found[0].reading) == "1 &lt; <b>2</b>"
