"""What a scene's `experiment()` returns: the model's side of what a class tries, shown beside the class's own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.records.language import speaking
from explorer.records.wording import rests
from explorer.room.question import LANGUAGES
from explorer.scenes.spec import Scene
from explorer.ui.scene import predict

#: Places of a curve that are sent: as many as a wall can show.
_PLACES = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The model's side of an experiment.

    Attributes:
        values: fills the placeholders of `Experiment.why`.
        reveals: the state that shows it, by widget key; all other controls return to their defaults.
    """

    values: Mapping[str, str]
    reveals: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class BestNumber(Found):
    """A number, and the curve that says why it is this one.

    Attributes:
        right: the number, in the units of the question.
        x: of the curve, in the same units, ascending.
        y: of the curve; NaN where there is none.
        says: what `y` is, in the language of now.
        points: x and y of points through which a phone draws a Gaussian kernel regression of the width that is tried.
    """

    right: float
    x: npt.NDArray[Any]
    y: npt.NDArray[Any]
    says: str
    points: tuple[npt.NDArray[Any], npt.NDArray[Any]] | None = None

    def given(self) -> dict[str, Any]:
        """Return what phones get."""
        return {} if self.points is None else {"points": [axis.round(4).tolist() for axis in self.points]}

    def shown(self) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Return what is shown at the reveal, without its words, and those."""
        some = np.unique(np.linspace(0, len(self.x) - 1, min(len(self.x), _PLACES)).round().astype(int))
        heights = [round(float(each), 4) if np.isfinite(each) else None for each in self.y[some]]
        return {"value": self.right, "x": self.x[some].round(4).tolist(), "y": heights}, (self.says,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Maps(Found):
    """Weights of words on words.

    Attributes:
        rows: words that ask.
        columns: words that are asked.
        maps: weights of 0…1, `[rows, columns]`, by their names in the language of now; the first is shown first.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    maps: Mapping[str, npt.NDArray[Any]]

    def given(self) -> dict[str, Any]:
        """Return what phones get."""
        return {"rows": list(self.rows), "columns": list(self.columns)}

    def shown(self) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Return what is shown at the reveal, without its words, and those."""
        weights = [{"weights": np.clip(each.astype(float), 0, 1).round(4).tolist()} for each in self.maps.values()]
        return {"maps": weights}, tuple(self.maps)


def compute(scene: Scene, experiment: Callable[[], BestNumber | Maps]) -> tuple[dict[str, Any], Mapping[str, Any]]:
    """Return what the room is told of an experiment, its words in every language, and the state that shows it."""
    assert scene.experiment is not None
    why, words = {}, []
    for language in LANGUAGES:
        with speaking(language):
            found = experiment()
            why[language] = predict.because(scene.experiment, found.values)
            right, said = found.shown()
            words.append(said)
    texts = [dict(zip(LANGUAGES, each, strict=True)) for each in zip(*words, strict=True)]
    if isinstance(found, BestNumber):
        right["says"] = texts[0]
    else:
        for one, name in zip(right["maps"], texts, strict=True):
            one["name"] = name
    return {"given": found.given(), "right": right, "why": why}, found.reveals


def over_words(rows: Sequence[str], columns: Sequence[str], maps: Mapping[str, npt.NDArray[Any]], **found: Any) -> Maps:
    """Return maps without punctuation and special tokens, at which nobody would look; rows sum to 1 again."""
    asks, asked = ([at for at, label in enumerate(side) if _is_word(label)] for side in (rows, columns))
    kept = {name: each[np.ix_(asks, asked)] for name, each in maps.items()}
    shares = {name: each / np.maximum(each.sum(-1, keepdims=True), 1e-9) for name, each in kept.items()}
    return Maps(rows=tuple(rows[at] for at in asks), columns=tuple(columns[at] for at in asked), maps=shares, **found)


def _is_word(label: str) -> bool:
    return any(map(str.isalnum, label)) and not rests(label)
