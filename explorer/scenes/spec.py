"""Definition of a scene: one question, one picture, one screen. Plain data: no torch, no Streamlit, no figure.

All texts are English messages; `python -m tests.translations update` collects them by field.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from explorer.scenes.book import Section
from explorer.scenes.controls import Slider, defaults

State = Mapping[str, Any]
#: View on the stage of a scene that has both: its picture, or the heat map of its numbers (`map`).
SIGHT: State = {"sight": "picture"}


@dataclass(frozen=True, slots=True)
class Preset:
    """A state worth seeing.

    Attributes:
        label: of the button, two or three words.
        state: what it sets, by widget key; all other controls of the scene return to their defaults.
        look: one sentence, “Look for …”.
    """

    label: str
    state: State
    look: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """A question that is answered before anything is moved. The scene's file computes which answer is right.

    Attributes:
        question: asked in one or two sentences.
        answers: two to four, by id.
        reveals: the state that shows the right answer, like a preset's.
        why: says why; its `{placeholders}` are filled with what the scene's `answer()` computed.
        told: whether what is said below the picture tells the answer: it then waits for the reader's guess.
    """

    question: str
    answers: Mapping[str, str]
    reveals: State
    why: str
    told: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """A question to a class whose answers together are a picture, beside the model's or below a curve.

    The scene's `experiment()` computes what the model does (`explorer.ui.scene.experiment`).

    Attributes:
        kind: what a phone answers with: a `number`; for each word those `words` at which one would look; for each word
            those that it may see, a `mask`.
        question: asked in one or two sentences.
        why: says what the model does; its `{placeholders}` are filled with what `experiment()` computed.
        number: the slider of a number, None of the others.
        log: whether equal ways on the slider multiply.
    """

    kind: Literal["number", "words", "mask"]
    question: str
    why: str
    number: Slider[float] | None = None
    log: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One question, one picture, one screen.

    Attributes:
        name: in the address (`?scene=`), of the file that draws it, and of its section in the lesson's prose.
        title: on the tab, two or three words.
        question: at most twelve words.
        lead: one to three sentences of Markdown.
        core: whether it belongs to the lesson's first walk; else it goes deeper.
        controls: every widget that belongs to this scene, by key: its declaration, or its default alone.
        presets: states worth seeing; the first may be the defaults themselves.
        prediction: a core scene has one, one that goes deeper may.
        experiment: what a class can try together.
    """

    name: str
    title: str
    question: str
    lead: str
    core: bool = True
    controls: State = field(default_factory=dict)
    presets: tuple[Preset, ...] = ()
    prediction: Prediction | None = None
    experiment: Experiment | None = None

    @property
    def defaults(self) -> dict[str, Any]:
        """Return what its widgets hold at first, by key."""
        return defaults(self.controls)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """The scenes of one page.

    Attributes:
        stem: of the page, as in `explorer.ui.catalogue`.
        scenes: core scenes first.
        book: the sections of *Dive into Deep Learning* that it follows, each with a section `book-…` of the prose.
        shared: every widget that stands in several scenes (data, seed), as a scene's controls.
        exercises: how many sections `exercise_1`, `answer_1`, … the prose has.
        parts: for a key that older links name a part of the page by, the scene that each of its values means.
    """

    stem: str
    scenes: tuple[Scene, ...]
    book: tuple[Section, ...]
    shared: State = field(default_factory=dict)
    exercises: int = 3
    parts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def core(self) -> tuple[Scene, ...]:
        """The scenes of the first walk."""
        return tuple(scene for scene in self.scenes if scene.core)

    @property
    def every_control(self) -> State:
        """Every widget of the lesson, by key; where two scenes differ, the first one's."""
        found = {**SIGHT, **self.shared}
        for scene in self.scenes:
            found = {**scene.controls, **found}
        return found

    @property
    def every_default(self) -> dict[str, Any]:
        """Return what every widget of the lesson holds at first, by key."""
        return defaults(self.every_control)

    def scene(self, name: str) -> Scene:
        """The scene of a name.

        Raises:
            KeyError: if there is none.
        """
        return {scene.name: scene for scene in self.scenes}[name]

    def defaults(self, scene: Scene) -> dict[str, Any]:
        """Every default that a preset of this scene returns to."""
        return defaults({**SIGHT, **self.shared, **scene.controls})

    def module(self, name: str) -> str:
        """Dotted path of a scene's file, or of the lesson's `exercises`."""
        return f"explorer.lessons.{self.stem}.ui.{name}"

    def meant_by(self, keys: frozenset[str]) -> Scene:
        """The scene that an address without a scene means: that of its controls; one that few scenes have says more."""
        owners = {key: sum(key in scene.controls for scene in self.scenes) for key in keys}
        return max(self.scenes, key=lambda scene: sum(1 / owners[key] for key in keys & scene.controls.keys()))
