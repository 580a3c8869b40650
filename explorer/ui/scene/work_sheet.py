"""A lesson on paper: a work sheet, and a second file with its answers. Both print from any browser, without a network.

Nothing is drawn on the page: every core scene runs at its defaults, and for the answers in the state of each task, in a
session of its own (`off_page`), and what it would have shown is collected.
"""

import importlib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, groupby
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import segno
from markupsafe import Markup

from explorer.figures import export
from explorer.figures.live.modules import import_map
from explorer.figures.look import LIGHT, drawing_in, tokens as tokens_of_look
from explorer.records.language import t
from explorer.scenes.spec import Lesson, Preset, Scene
from explorer.ui import catalogue, language
from explorer.ui.messages import NO_MODEL
from explorer.ui.paper import written
from explorer.ui.paper.collected import Collected
from explorer.ui.scene import beside, exercises, off_page, picture, predict

#: Pixels: the text of an A4 page is 180 mm wide, two figures stand side by side; figures' heights.
_WIDTH, _HALF, _LEAST, _LOW, _HIGH, _HALF_HIGH = 680, 332, 170, 280, 560, 350
#: Heights at which every figure can be read, alone and beside another; tasks that stay where there is no room for it.
_LEGIBLE, _HALF_LEGIBLE, _FEWEST = 400, 300, 2
#: Pixels of a window that a live picture leaves for what stands above and below it on the stage.
_ABOVE = 200
#: Pixels of a page, of the head of the first one, of the code beside the question, of what stands between.
_PAGE, _HEAD, _CODE, _BETWEEN = 1009, 94, 104, 145
#: Pixels of a line of a title and of text, and of what a prediction and a task take besides their lines.
_TITLE, _LINE, _PREDICT, _TASK = 25, 21, 70, 32
#: Lines of what is written beside the figures of a sheet, at most, and rows of a table in the answers.
_SHORT, _ROWS = 4, 8
#: In HTML: elements that begin a line, and any.
_BLOCK, _TAG = re.compile("<(?:p|li|tr|div|dt|h[1-6])\\b"), re.compile("<[^>]*>")
#: Lines to write on that the exercises of a lesson share on their page.
_WRITTEN = 18
#: Letters of a line of text, of one beside the code, and of a title there, in the widest font that may print them.
_WHOLE, _BESIDE, _LARGE = 82, 64, 46


@dataclass(frozen=True, slots=True)
class _Ran:
    """One core scene, run at its defaults.

    Attributes:
        right: id of the prediction's right answer; empty in a sheet.
        why: why it is right.
        readings: title of each picture, empty where it has none, and its reading or what is written there.
        figures: title and picture of each figure, and between them what is written; none in the answers.
        scripts: what its live pictures need.
        tasks: presets that fit beside the figures on one page.
        seen: in the answers, what is read of the pictures of each of these presets, where it differs from the defaults.
    """

    right: str
    why: str
    readings: tuple[tuple[str, Markup], ...]
    figures: tuple[tuple[str, Markup, bool], ...]
    scripts: tuple[Path, ...] = ()
    tasks: tuple[Preset, ...] = ()
    seen: tuple[tuple[Markup, ...], ...] = ()


#: A scene whose model is missing.
_NOT_READ = _Ran("", "", (), ())


def sheet(lesson: Lesson, words: str, address: str) -> str:
    """Return the work sheet as one HTML file.

    Args:
        lesson: one of `explorer.scenes.LESSONS`.
        address: of the lesson's page, without a state; without one the scenes have no links.
    """
    links = {scene.name: _link(address, scene, words) for scene in lesson.core}
    codes = {name: segno.make(link, error="m").svg_inline(scale=3, border=0) for name, link in links.items() if link}
    return _file(
        "work_sheet.html",
        lesson,
        words,
        answered=False,
        script=export.script,
        links=links,
        codes=codes,
        lines_a_page=_WRITTEN,
    )


def answers(lesson: Lesson, words: str, address: str) -> str:
    """Return the answers to the work sheet as one HTML file; arguments as of `sheet`."""
    links = {scene.name: _link(address, scene, words) for scene in lesson.core}
    return _file("work_sheet_answers.html", lesson, words, answered=True, links=links)


def _file(template: str, lesson: Lesson, words: str, *, answered: bool, **parts: Any) -> str:
    """Run every core scene in a session of its own (scenes share the keys of widgets), then fill the template."""
    with drawing_in(LIGHT):
        tokens = tokens_of_look()
    ran = {scene.name: off_page.run(partial(_run, lesson, scene, answered), words) for scene in lesson.core}
    if answered:
        ran = {scene.name: _with_tasks(lesson, scene, ran[scene.name], words) for scene in lesson.core}

    def page() -> str:
        values, lost = dict[str, str](), False
        if answered and lesson.exercises:
            try:
                values.update(exercises.values(lesson))
            except NO_MODEL:
                lost = True
        shared = {
            "lost": lost,
            "lesson": lesson,
            "words": words,
            "t": t,
            "said": _words(),
            "look": LIGHT,
            "tokens": tokens,
            "ran": ran,
            "modules": import_map(*dict.fromkeys(script for each in ran.values() for script in each.scripts)),
            "zip": zip,
        }
        section = partial(language.fill_placeholders, lesson.stem, **values)
        title = t(catalogue.page(lesson.stem).title)
        return (
            written.templates(Path(__file__).parent)
            .get_template(template)
            .render(**shared, title=title, section=section, **parts)
        )

    return off_page.run(page, words)


def _with_tasks(lesson: Lesson, scene: Scene, ran: _Ran, words: str) -> _Ran:
    """Add what is read of each task's state, run in a session of its own; nothing where a model is missing."""
    usual = [reading for _, reading in ran.readings]
    try:
        read = [off_page.run(partial(_readings, lesson, scene, preset), words) for preset in ran.tasks]
    except NO_MODEL:
        return ran
    return replace(ran, seen=tuple(tuple(each for each in readings if each not in usual) for readings in read))


def _readings(lesson: Lesson, scene: Scene, preset: Preset) -> list[Markup]:
    return [_said(each) for each in off_page.show(lesson, scene, preset.state, answered=True)[0] if not each.folded]


def _said(shown: Collected) -> Markup:
    """Return what is read of a picture, or written beside it."""
    said = beside.to_html(shown, _ROWS) if shown.is_written else f"<p>{picture.emphasise(shown.reading)}</p>"
    return Markup(said)  # noqa: S704 - the stage has escaped what it writes


def _run(lesson: Lesson, scene: Scene, answered: bool) -> _Ran:
    """Run a scene at its defaults."""
    module = importlib.import_module(lesson.module(scene.name))
    if hasattr(module, "find_unusable") and module.find_unusable():
        return _NOT_READ
    try:
        shown = [each for each in off_page.show(lesson, scene, answered=answered)[0] if not each.folded]
        # A long list would leave no room for the figures: it stands in the answers.
        fitting = [each for each in shown if _written_lines(each) <= _SHORT]
        tasks, high = _layout(lesson, scene, fitting)
        if not answered or scene.prediction is None:
            needed = tuple(script for each in fitting if each.element for script in each.element.scripts)
            return _Ran("", "", (), tuple(_figures(scene, fitting, high)), needed, tasks)
        right, values = module.answer()
    except NO_MODEL:
        return _NOT_READ
    why = predict.because(scene.prediction, values)
    return _Ran(right, why, tuple((each.title, _said(each)) for each in shown), (), (), tasks)


def _layout(lesson: Lesson, scene: Scene, shown: Sequence[Collected]) -> tuple[tuple[Preset, ...], int]:
    """Return the presets that are tasks, and how high a figure may be: of its presets a scene keeps two at least."""
    alone = sum(each.is_figure for each in shown) < 2
    stands = (each.is_figure for each in shown if each.is_figure or each.is_written)
    rows = sum((len(list(run)) + 1) // 2 for drawn, run in groupby(stands) if drawn)
    words = _LINE * sum(map(_written_lines, shown))
    tasks, (least, most) = scene.presets, (_LEGIBLE, _HIGH) if alone else (_HALF_LEGIBLE, _HALF_HIGH)
    while True:
        room = _room(scene, tasks) - words - (_HEAD if scene is lesson.core[0] else 0) - 30 * (rows - 1)
        high = min(room // max(rows, 1), most)
        if high >= least or len(tasks) <= _FEWEST or not rows:
            break
        tasks = tasks[:-1]
    return tasks, most if high < _LEAST else high  # the words fill the page: the last of them go on to a second one


def _written_lines(shown: Collected) -> int:
    """Return how many lines what is written beside the figures may take."""
    if not shown.is_written:
        return 0
    written = beside.to_html(replace(shown, style=""), _ROWS)
    blocks = len(_BLOCK.findall(written))
    return max(blocks, _lines(_TAG.sub("", written), _WHOLE)) + bool(shown.title)


def _figures(scene: Scene, shown: Sequence[Collected], high: int) -> Iterator[tuple[str, Markup, bool]]:
    """Yield title and picture of every figure of a scene, and what is written, and whether it is a figure."""
    width = _WIDTH if sum(each.is_figure for each in shown) < 2 else _HALF
    places = count()
    for each in shown:
        if each.is_written:
            yield each.title, _said(each), False
        if not each.is_figure:
            continue
        name = f"{scene.name}-{next(places)}"
        with drawing_in(LIGHT):
            if each.element:
                size = export.printed_size(width)
                style = f"width:{width / size:.0f}px;zoom:{size};--screen:{size}"
                made = f"<div inert style='{style}'>{each.element.make(name, round(high / size) + _ABOVE)}</div>"
            else:
                assert each.draw
                made = export.on_paper(each.draw(), name, width=width, heights=(min(_LOW, high), high))
        yield each.title, Markup(made), True  # noqa: S704 - Plotly's own, or a script's: both escape what they are given


def _room(scene: Scene, presets: Sequence[Preset]) -> int:
    """Return the height in pixels that a scene's words leave for its figures on their page."""
    top = _TITLE * _lines(t(scene.question), _LARGE) + _LINE * _lines(t(scene.lead), _BESIDE) + 14
    tasks = sum(_TASK + _LINE * _lines(f"{t(each.label)} · {t(each.look)}", _WHOLE) for each in presets)
    asked = scene.prediction
    predict = _PREDICT + _LINE * _lines(t(asked.question), _WHOLE) if asked else 0
    if asked:
        boxes = sum(_columns(t(each)) + 7 for each in asked.answers.values())
        predict += _LINE * (-(-boxes // _WHOLE) - 1)
    return _PAGE - max(top, _CODE) - _BETWEEN - predict - tasks


def _lines(text: str, columns: int) -> int:
    """Return how many lines a text may take."""
    return max(1, -(-_columns(text) // columns))


def _columns(text: str) -> int:
    """Return the width of a text in letters: a Chinese character is as wide as two."""
    return sum(2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text)


def _words() -> dict[str, str]:
    """Return the words of the templates."""
    return {
        "sheet": t("Work sheet"),
        "answers": t("Answers to the work sheet"),
        "name": t("Name"),
        "date": t("Date"),
        "predict": t("Predict first"),
        "tasks": t("Tasks: press the button of each name, and write what you see"),
        "seen": t("What can be seen after each task"),
        "scene": t("This scene:"),
        "exercises": t("Exercises"),
        "answer": t("Answer"),
        "right": t("Right: {answer}."),
        "takeaway": t("What you know now"),
        "lost": t("The answer needs a model that cannot be read."),
    }


def _link(address: str, scene: Scene, words: str) -> str:
    return f"{address}?{urlencode({'scene': scene.name, 'lang': words})}" if address else ""
