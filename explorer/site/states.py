"""States of a scene on its page: its pictures at first, once its question is answered, and with each preset."""

import base64
import hashlib
import json
import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from explorer.figures import look as looks
from explorer.figures.cell_text import find_least_width
from explorer.figures.live import modules
from explorer.inference.refused import InputRefused
from explorer.opened.refused import ModelRefused
from explorer.records import Provenance
from explorer.records.language import t
from explorer.records.wording import typeset
from explorer.scenes.spec import Lesson, Scene, State
from explorer.ui import figure_card
from explorer.ui.paper.collected import Collected, Draw, Element
from explorer.ui.scene import beside, off_page, picture, predict

#: Looks by the name that a page asks for them.
LOOKS = {"light": looks.LIGHT, "dark": looks.DARK}
#: Pixels, where a figure takes what room there is.
_HIGH = 440


@dataclass(frozen=True, slots=True)
class Packed:
    """Pieces of what the pictures of a page draw, each once, compressed, by its name."""

    pieces: dict[str, str] = field(default_factory=dict)

    @property
    def n_bytes(self) -> int:
        """Return how long all of them are."""
        return sum(map(len, self.pieces.values()))

    def add(self, data: bytes) -> str:
        """Keep a piece, and return its name: a prefix of its sha256."""
        name = hashlib.sha256(data).hexdigest()[:12]
        if name not in self.pieces:
            self.pieces[name] = base64.b64encode(zlib.compress(data, 9)).decode()
        return name

    def named(self, names: Collection[str]) -> dict[str, str]:
        """Return the pieces of some names."""
        return {name: piece for name, piece in self.pieces.items() if name in names}


@dataclass(frozen=True, slots=True)
class Sight:
    """One state of a scene on its page.

    Attributes:
        pictures: title, reading (HTML) and provenance of each, and which pieces it draws in each look, or writes.
        values: what fills the placeholders of the scene's prose.
        tables: numbers of each picture as CSV, by its key.
    """

    pictures: tuple[Mapping[str, Any], ...]
    values: Mapping[str, str]
    tables: Mapping[str, bytes] = field(default_factory=dict)


def see(lesson: Lesson, scene: Scene, words: str, packed: Packed) -> list[Sight]:
    """Return what is seen at first, when the question was skipped and when it was answered, and in each preset.

    Args:
        lesson: that has the scene.
        scene: run in a session of its own for each state, as scenes share the keys of widgets.
        words: language.
        packed: takes what is drawn.

    Raises:
        CheckpointError, DeviceRefused: a model cannot be read.
    """
    reveals = scene.prediction.reveals if scene.prediction else {}
    answered: list[State] = [{}, reveals, *(preset.state for preset in scene.presets)]
    states = [({}, False), *((each, True) for each in answered)]
    return [see_one(lesson, scene, each, words, packed, answered=said) for each, said in states]


def see_one(lesson: Lesson, scene: Scene, set_to: State, words: str, packed: Packed, *, answered: bool = True) -> Sight:
    """Return what is seen in one state; arguments as of `see`, and whether the question is answered or skipped."""
    return off_page.run(partial(_see, lesson, scene, set_to, packed, answered=answered), words)


def _see(lesson: Lesson, scene: Scene, set_to: State, packed: Packed, *, answered: bool) -> Sight:
    if not answered:
        predict.hold_back_readings(lesson, scene)
    try:
        shown, values = off_page.show(lesson, scene, set_to, answered=answered)
    except (InputRefused, ModelRefused) as refused:
        return Sight(({"title": "", "reading": picture.emphasise(refused.explain())},), {})
    pictures = tuple(picture_of(each, packed) for each in shown)
    usual = answered and not set_to
    tables = {each.key: figure_card.csv_file(each.table()) for each in shown if each.table and usual}
    return Sight(pictures, {name: typeset(value) for name, value in values.items()}, tables)


def picture_of(shown: Collected, packed: Packed) -> Mapping[str, Any]:
    """Return what the script of a page reads of one picture; call it inside `off_page.run`."""
    read = picture.emphasise(predict.reading_or_prompt(shown.reading)) if shown.reading else ""
    said = {"title": shown.title, "reading": read}
    said |= {"key": shown.key, "computed": _computed(shown.provenance)}
    if shown.element:
        pieces = {name: _live(shown.element, look, packed) for name, look in LOOKS.items()}
        return {**said, "script": modules.script_name(shown.element.script), **pieces}
    if shown.draw:
        figures = {name: _make_figure(shown.draw, look) for name, look in LOOKS.items()}
        least = max(map(find_least_width, figures.values()))
        return {
            **said,
            "plotly": True,
            "least": least,
            **{name: _keep(each, packed) for name, each in figures.items()},
        }
    if shown.is_written:
        piece = [packed.add(beside.to_html(shown).encode())]
        return {**said, "written": True, **dict.fromkeys(LOOKS, piece)}
    return said


def _computed(provenance: Provenance | None) -> str:
    return f"{t('Computed by')} {provenance}" if provenance else ""


def _live(element: Element, look: looks.Look, packed: Packed) -> list[str]:
    """Keep what a live picture draws: its names and its numbers apart, as most looks share the numbers."""
    with looks.drawing_in(look):
        data = element.pack()
    cut = int.from_bytes(data[:4], "little") + 4
    cut += -cut % 8
    return [packed.add(part) for part in (data[:cut], data[cut:]) if part]


def _make_figure(draw: Draw, look: looks.Look) -> Any:
    """Return a figure as a page of the site reads it."""
    with looks.drawing_in(look):
        figure = looks.apply_theme(draw())
        figure.update_layout(height=figure.layout.height or _HIGH)
        whole = json.loads(figure.to_json(remove_uids=True))
    whole["layout"].pop("template", None)
    return whole


def _keep(figure: Any, packed: Packed) -> list[str]:
    return [packed.add(json.dumps(figure, separators=(",", ":")).encode())]
