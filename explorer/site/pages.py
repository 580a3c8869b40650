"""The pages of a site in one language: home, and one of each lesson."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from explorer import scenes
from explorer.figures.live import file, modules
from explorer.figures.look import DARK, LIGHT, drawing_in, tokens
from explorer.records.language import t
from explorer.scenes.spec import Lesson, Scene
from explorer.site import parts
from explorer.site.kept import SiteCache
from explorer.site.parts import ComputedScene, list_pieces
from explorer.site.states import Packed, Sight, picture_of
from explorer.site.sweeps import MOST
from explorer.ui import card_picture, catalogue, home, language, layout
from explorer.ui.messages import NO_MODEL
from explorer.ui.paper import written
from explorer.ui.paper.collected import Collected
from explorer.ui.scene import exercises, in_the_book, off_page, style as style_sheets

_HERE = Path(__file__).parent
_SCRIPT = _HERE / "page.js"
#: And what must not begin the next line.
_FORMULA = re.compile("(<math.*?</math>)([,.;:!?)，。；：！？）]*)", re.DOTALL)
#: Parts of a formula that may be wider than a phone.
_LONG = 20
#: Beside the folders of the languages.
STYLE, PLOTLY = "site.css", "plotly.min.js"
#: In the folder of a lesson: what its pictures draw in other states, and at the stops of sliders.
_LATER, _STOPS = "states.js", "stops.js"
#: Nothing is fetched from elsewhere, and nothing is sent. Scripts stand in the page ('unsafe-inline'), and its import
#: map holds modules as data: browsers refuse modules that a page from a folder (`file://`) imports from files. Plotly
#: and pictures write styles of their own.
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' data:; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'"
)
#: What the script of a page reads of one state: its pictures, and which piece holds its prose, if that changes.
PageState = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """One language of a site: its pages share this.

    Attributes:
        words: the language.
        languages: of the whole site, by what an address calls them.
        lessons: in order.
        app: address of the app, without a slash at its end; empty if there is none.
        build: what made the site, and when.
        stops: of a slider, at most.
    """

    words: str
    languages: Mapping[str, str]
    lessons: Sequence[Lesson]
    app: str
    build: str
    stops: int = MOST


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """One lesson's page, and what it needs.

    Attributes:
        page: HTML.
        beside: files of its folder, by name: numbers as CSV, and what its pictures draw in other states.
        lost: names of scenes whose model cannot be read.
        plotly: whether a picture is drawn by Plotly.
    """

    page: str
    beside: Mapping[str, bytes]
    lost: Sequence[str]
    plotly: bool


@dataclass(frozen=True, slots=True)
class _Told:
    """One scene on its page."""

    scene: Scene
    part: ComputedScene
    why: Markup
    link: str


def style() -> str:
    """Return the style sheet of all pages."""
    with drawing_in(DARK):
        dark = tokens()
    with drawing_in(LIGHT):
        light = tokens()
    sheet = style_sheets.sheet("everywhere") + (_HERE / STYLE).read_text(encoding="utf8")
    scheme = "color-scheme:light dark"
    return f":root{{{light}{scheme}}}@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n{sheet}"


def front(languages: Mapping[str, str]) -> str:
    """Return the page that leads to the reader's own language."""
    return str(written.templates(_HERE).get_template("index.html").render(languages=languages, policy=_POLICY))


def home_page(edition: Edition) -> str:
    """Return the home page of a language."""
    return off_page.run(partial(_home, edition), edition.words)


def _home(edition: Edition) -> str:
    packed = Packed()
    try:
        pictures = [picture_of(Collected("", "", element=home.living()), packed)]
    except NO_MODEL:
        pictures = []
    lessons = [
        {
            "file": f"{lesson.stem}.html",
            "number": catalogue.PAGES.index(catalogue.page(lesson.stem)) + 1,
            "title": t(catalogue.page(lesson.stem).title),
            "question": t(catalogue.page(lesson.stem).question),
            "stem": lesson.stem,
        }
        for lesson in edition.lessons
    ]
    drawn = _drawing(pictures, {"pieces": packed.pieces, "scenes": {"living": [{"pictures": pictures, "why": ""}]}})
    return _filled(edition, "home.html", "index.html", t(catalogue.HOME.title), lessons=lessons, **drawn)


def cards(lesson: Lesson) -> dict[str, str]:
    """Return the small pictures of a lesson for both looks, by the names of their files."""
    found = {}
    for name, look in (("light", LIGHT), ("dark", DARK)):
        with drawing_in(look):
            found[f"{lesson.stem}-{name}.svg"] = card_picture.svg(card_picture.numbers()[lesson.stem])
    return found


def lesson_page(lesson: Lesson, edition: Edition, kept: SiteCache) -> Made:
    """Compute what is not kept of a lesson's scenes in all their states, and write its page."""
    packed = Packed()
    told = [_scene(lesson, scene, edition, kept) for scene in lesson.scenes]
    for each in told:
        packed.pieces.update(each.part.pieces)
    states, stops = off_page.run(partial(_states, lesson, edition, told, packed), edition.words)
    first = _pieces([each[0] for each in states.values()], prose=False)
    later = _pieces([state for each in states.values() for state in each]) - first
    last = _pieces([state for each in stops.values() for state in each]) - first - later
    given = {"pieces": packed.named(first), "scenes": states, "later": f"{lesson.stem}/{_LATER}"}
    beside = {_LATER: f"laterPieces = {_json(packed.named(later))};\n"}
    if stops:
        given["stops"] = f"{lesson.stem}/{_STOPS}"
        beside[_STOPS] = f"stopPieces = {_json(packed.named(last))};\nstops = {_json(stops)};\n"
    pictures = [shown for each in told for sight in each.part.sights for shown in sight.pictures]
    tables = {f"{each.scene.name}-{key}.csv": csv for each in told for key, csv in each.part.tables.items()}
    filled = off_page.run(partial(_exercises, lesson, edition, kept), edition.words)
    return Made(
        page=off_page.run(partial(_lesson, lesson, edition, told, filled, pictures, given), edition.words),
        beside={**{name: text.encode() for name, text in beside.items()}, **tables},
        lost=[each.scene.name for each in told if not each.part.sights],
        plotly=any("plotly" in shown for shown in pictures),
    )


def _states(
    lesson: Lesson, edition: Edition, told: Sequence[_Told], packed: Packed
) -> tuple[dict[str, list[PageState]], dict[str, list[PageState]]]:
    """Return what the script of the page reads of each scene: its states, and those at the stops of its sliders."""
    states, stops = {}, {}
    for each in told:
        if each.part.sights:
            sights = [*each.part.sights, *each.part.stops]
            why = partial(_packed_prose, edition, lesson, each.scene, packed)
            changes = any(sight.values != sights[0].values for sight in sights)
            said: list[PageState] = [{"pictures": one.pictures, "why": why(one) if changes else ""} for one in sights]
            states[each.scene.name] = said[: len(each.part.sights)]
            if each.part.stops:
                stops[each.scene.name] = said[len(each.part.sights) :]
    return states, stops


def _packed_prose(edition: Edition, lesson: Lesson, scene: Scene, packed: Packed, sight: Sight) -> str:
    """Keep the prose of a scene in a state, and return the name of the piece; inside `off_page.run`."""
    return packed.add(_prose(edition, lesson, scene.name, sight.values).encode())


def _pieces(states: Sequence[PageState], *, prose: bool = True) -> set[str]:
    """Return what some states draw, on light paper and on dark, and with the prose or without."""
    drawn = {piece for state in states for piece in list_pieces(state["pictures"])}
    return drawn | {state["why"] for state in states if prose and state["why"]}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _scene(lesson: Lesson, scene: Scene, edition: Edition, kept: SiteCache) -> _Told:
    """Return what was computed of a scene in all its states, now or before, and its prose."""
    what = f"{edition.words}/{lesson.stem}/{scene.name}"

    def weigh(sight: Sight, packed: Packed) -> None:
        off_page.run(partial(_packed_prose, edition, lesson, scene, packed, sight), edition.words)

    text = kept.find(what)
    part = parts.read(text) if text else parts.compute(lesson, scene, edition.words, edition.stops, weigh)
    if not text and part.sights:  # else the model may be there the next time
        kept.keep(what, parts.write(part))
    values = part.sights[0].values if part.sights else {}
    why = off_page.run(partial(_prose, edition, lesson, scene.name, values), edition.words)
    query = urlencode({"scene": scene.name, "lang": edition.words})
    link = f"{edition.app}/{lesson.stem}?{query}" if edition.app else ""
    return _Told(scene, part, why, link)


def _exercises(lesson: Lesson, edition: Edition, kept: SiteCache) -> Mapping[str, str] | None:
    """Return what fills the answers of a lesson, computed now or before; None where a model cannot be read."""
    what = f"{edition.words}/{lesson.stem}/exercises"
    if text := kept.find(what):
        found: Mapping[str, str] = json.loads(text)
        return found
    try:
        values = exercises.values(lesson)
    except NO_MODEL:
        return None
    kept.keep(what, json.dumps(values))
    return values


def _prose(edition: Edition, lesson: Lesson, section: str, values: Mapping[str, str]) -> Markup:
    """Return a section of a lesson's prose as HTML, with links to scenes of this site, or else of the app."""
    stems = {each.stem for each in edition.lessons}

    def link(stem: str, scene: str, state: str | None) -> str:
        title = t(scenes.lesson(stem).scene(scene).title)
        title = title if stem == lesson.stem else f"{t(catalogue.page(stem).title)}: {title}"
        title = language.closed_up(title)
        if stem in stems and not state:
            return f"[{title}]({stem}.html#{scene})"
        if not edition.app:
            return f"[{title}]({stem}.html#{scene})" if stem in stems else title
        set_to = f"&{state}" if state else ""
        return f"[{title}]({edition.app}/{stem}?scene={scene}{set_to}&lang={edition.words})"

    text = language.fill_placeholders(lesson.stem, section, **values)
    text = layout.LINK.sub(lambda found: link(found["lesson"], found["scene"], found["state"]), text)
    return _reachable(written.markdown(text))


def _reachable(prose: Markup) -> Markup:
    """Let the keyboard scroll what a phone may be too narrow for; the short formulas of a line fit, and stay whole."""

    def framed(found: re.Match[str]) -> str:
        formula, mark = found.groups()
        alone = 'display="block"' in formula
        if not alone and formula.count("<m") < _LONG:
            return f'<span class="unbroken">{formula}{mark}</span>' if mark else formula
        kind = "formula" if alone else "formula inline"
        return f'<span class="{kind}" role="group" aria-label="{t("Formula")}" tabindex="0">{formula}</span>{mark}'

    made = _FORMULA.sub(framed, str(prose))  # what is put into Markup would be escaped
    return Markup(made.replace("<table>", '<table tabindex="0">'))  # noqa: S704 - as it was, but for frames


def _lesson(
    lesson: Lesson,
    edition: Edition,
    told: Sequence[_Told],
    filled: Mapping[str, str] | None,
    pictures: Sequence[Mapping[str, Any]],
    given: Mapping[str, Any],
) -> str:
    """Fill the template of a lesson's page; its answers with what was computed, if that could be."""

    def prose(section: str, **values: str) -> Markup:
        return _prose(edition, lesson, section, values)

    def answer(section: str) -> Markup | str:
        return t("The answer needs a model that cannot be read.") if filled is None else prose(section, **filled)

    asked = [(prose(f"exercise_{n}"), answer(f"answer_{n}")) for n in range(1, lesson.exercises + 1)]
    book = [
        (
            in_the_book.label(section),
            [
                part
                for named, section_name in in_the_book.editions(lesson, section)
                for part in (written.markdown(named), answer(section_name) if section_name else "")
            ],
        )
        for section in lesson.book
    ]
    after = edition.lessons[edition.lessons.index(lesson) + 1 :][:1]
    following = [
        (f"{each.stem}.html", t("Next lesson: {what}").format(what=t(catalogue.page(each.stem).title)))
        for each in after
    ]
    return _filled(
        edition,
        "lesson.html",
        f"{lesson.stem}.html",
        t(catalogue.page(lesson.stem).title),
        scenes=told,
        folder=lesson.stem,
        takeaway=prose("takeaway"),
        exercises=asked,
        book=book,
        following=following[0] if following else None,
        **_drawing(pictures, given),
    )


def _drawing(pictures: Sequence[Mapping[str, Any]], given: Mapping[str, Any]) -> dict[str, str]:
    """Return what draws the pictures of a page: modules, once each, the script that begins, and what it is given.

    Args:
        pictures: in all states.
        given: pieces of the first ones, the states of each scene, and the files that hold what comes later.
    """
    drawn = [modules.EXPLORER / name for name in dict.fromkeys(each["script"] for each in pictures if "script" in each)]
    whole = {
        **given,
        "markup": {modules.script_name(each): file.markup(each) for each in drawn},
        "plotly": f"../{PLOTLY}",
        "said": {
            "moved": t("You have moved the picture. The sentence above tells of the state before."),
            "failed": t("This picture could not be drawn:"),
        },
    }
    return {
        "modules": modules.import_map(_SCRIPT, *drawn),
        "script": modules.script_name(_SCRIPT),
        "given": _json(whole).replace("<", "\\u003c"),
    }


def _filled(edition: Edition, template: str, name: str, title: str, **parts: Any) -> str:
    shared = {
        "words": edition.words,
        "languages": edition.languages,
        "file": name,
        "title": title,
        "app": edition.app,
        "build": edition.build,
        "policy": _POLICY,
        "t": t,
        "said": _said(),
    }
    return str(written.templates(_HERE).get_template(template).render(**shared, **parts))


def _said() -> dict[str, str]:
    """Return the words of the templates."""
    return {
        "skip": t("To the content"),
        "site": t("This site"),
        "scenes": t("Scenes"),
        "app": t("Open the app"),
        "about": t("From a weighted average to a working translator. Every number is computed."),
        "lessons": t("Lessons"),
        "predict": t("Predict first"),
        "skip_question": t("Skip"),
        "answer": t("Answer"),
        "right": t("Right: {answer}."),
        "wrong": t("No. The answer is: {answer}."),
        "try": t("Try"),
        "csv": t("The numbers as CSV"),
        "other": t("The states to try were computed when the site was built; other settings need the app."),
        "stops": t("Each slider moves alone, through stops that were computed when the site was built."),
        "more": t("More settings"),
        "open": t("Open this scene in the app"),
        "lost": t("This scene needs a model that could not be read when the site was built."),
        "app_alone": t("What this scene shows is measured while you wait: open it in the app."),
        "why": t("Why it is so"),
        "takeaway": t("What you know now"),
        "exercises": t("Exercises"),
        "book": t("In the book"),
    }
