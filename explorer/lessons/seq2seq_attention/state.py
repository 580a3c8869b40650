"""“Recurrent attention”: which models there are, what is asked of them, what is shown, and what came out."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from explorer.checkpoints import store
from explorer.checkpoints.manifest import CheckpointError, Manifest, read_manifest
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.seq2seq.couplets import WEIGHTINGS, Weighting
from explorer.nn.alignment import MECHANISMS
from explorer.records.readonly import record
from explorer.records.recurrent import RecurrentRecord
from explorer.scenes.seq2seq_attention import (
    BALL,
    BRIDGE,
    BROCADE,
    CAR,
    DRESSES,
    FLOWERS,
    LONG,
    ORIOLES,
    PAINTINGS,
    REPEATED,
    RIDER,
    SOFA,
    STAIRS,
)

Task = Literal["de-en", "couplet", "lab"]
#: The German models whose numbers questions and exercises ask for: one vector, and Bahdanau's attention.
NO_ATTENTION, FIXED, ADDITIVE = "seq2seq-de-en-none", "seq2seq-de-en-fixed", "seq2seq-de-en-additive"
#: Tasks by the family that a manifest names.
TASKS: Mapping[str, Task] = {"seq2seq": "de-en", "couplet": "couplet", "lab_recurrent": "lab"}
MOST_BEAM = 8
MOST_LENGTH_PENALTY = 2.0
#: Models that are read at once.
MOST_MODELS = 8
#: Mechanisms that are shown before anybody chooses: nothing, word for word, and attention.
FIRST = ("none", "fixed", "additive")
EXAMPLES: Mapping[Task, tuple[str, ...]] = {
    "de-en": (
        SOFA,
        CAR,
        BALL,
        STAIRS,
        "Der Mann hat sich auf die Bank gesetzt und liest eine Zeitung.",
        DRESSES,
        "Eine Fußballmannschaft in roten Trikots feiert nach dem Spiel auf dem Rasen.",
        PAINTINGS,
        RIDER,
        FLOWERS,
        LONG,
    ),
    "couplet": (ORIOLES, "日落观风景", "秋空连碧海", "细流归大海", BRIDGE, REPEATED, BROCADE),
}


@record
class RecurrentModel:
    """A recurrent model that can be chosen; its weights are not loaded yet.

    Attributes:
        name: what `explorer.inference.seq2seq.translate.load` takes.
    """

    name: str
    task: Task
    manifest: Manifest

    @property
    def mechanism(self) -> str:
        """Return how its decoder looks at the source."""
        return str(self.manifest.config["mechanism"])

    @property
    def folder(self) -> Path:
        """Return the folder of the checkpoint, if it came with the project."""
        return store.BUNDLED / self.name


def models(more: Sequence[str] = ()) -> tuple[RecurrentModel, ...]:
    """Return every recurrent model that is there, task by task, from no look at the source to the first attention.

    A folder whose manifest cannot be read is left out, and so is what scenes of its own compare; a model of the lab is
    there only if it is named.

    Args:
        more: further checkpoints, by folder: what a reader trained or uploaded.
    """
    manifests = {name: each for name, each in store.read_bundled_manifests().items() if name not in store.COMPARED}
    for name in more:
        with suppress(CheckpointError):
            manifests[name] = read_manifest(Path(name))
    found = _known(manifests, more)
    order: list[str] = [*MECHANISMS]
    tasks = list(TASKS.values())
    return tuple(sorted(found, key=lambda each: (tasks.index(each.task), order.index(each.mechanism), each.name)))


def list_compared(names: Sequence[str]) -> tuple[RecurrentModel, ...]:
    """Return those of some models that scenes of their own compare, as far as their manifests can be read."""
    there = store.read_bundled_manifests()
    return tuple(_known({name: there[name] for name in names if name in there}))


def _known(manifests: Mapping[str, Manifest], more: Sequence[str] = ()) -> list[RecurrentModel]:
    found = []
    for name, manifest in manifests.items():
        known = manifest.family in TASKS and (name in more or TASKS[manifest.family] != "lab")
        if known and manifest.config.get("mechanism") in MECHANISMS:
            found.append(RecurrentModel(name=name, task=TASKS[manifest.family], manifest=manifest))
    return found


def find_unusable(compared: Sequence[str] = ()) -> dict[str, CheckpointError]:
    """Return what is wrong with those that came with the project and are not there, by name.

    Args:
        compared: those of `store.COMPARED` that are needed, too.
    """
    gone = store.find_unreadable("seq2seq", "couplet")
    return {name: error for name, error in gone.items() if name not in store.COMPARED or name in compared}


def first_shown(there: Sequence[RecurrentModel]) -> tuple[str, ...]:
    """Return the models of one task that are shown before anybody chooses."""
    some = tuple(each.name for each in there if each.mechanism in FIRST)
    return some or tuple(each.name for each in there)


@dataclass(frozen=True, slots=True, kw_only=True)
class Params:
    """A text, the models that read it, and the way the output is searched; numbers are clamped to their ranges.

    Attributes:
        task: German to English, the second line of a couplet, or whatever a model of the lab has learnt.
        text: anything.
        models: names of checkpoints, each once; the first that are shown if there are none.
        beam: hypotheses kept at each step, 1…`MOST_BEAM`.
        length_penalty: exponent of the length factor, 0…`MOST_LENGTH_PENALTY`.
        formal: whether a second line must keep the form of the first.
        second: a couplet's second line that the first model is made to write, beside the one that it writes itself.
        looks: where every step of a couplet looks; the first model answers once for each. None: each model answers
            once, looking where it wants.
    """

    task: Task = "de-en"
    text: str = EXAMPLES["de-en"][0]
    models: tuple[str, ...] = ()
    beam: int = 5
    length_penalty: float = 1.0
    formal: bool = True
    second: str = ""
    looks: tuple[Weighting, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "beam", min(max(self.beam, 1), MOST_BEAM))
        object.__setattr__(self, "length_penalty", min(max(self.length_penalty, 0.0), MOST_LENGTH_PENALTY))
        object.__setattr__(self, "looks", tuple(look for look in WEIGHTINGS if look in self.looks))
        object.__setattr__(self, "models", tuple(dict.fromkeys(self.models))[:MOST_MODELS])

    @property
    def options(self) -> DecodingOptions:
        """Return how the output is searched."""
        return DecodingOptions(beam=self.beam, length_penalty=self.length_penalty)


@record
class Result:
    """Output of every model for the text, in the order they were asked.

    Attributes:
        records: by model; by where it looked, where that was asked; `own` and `given`, where a second line was given.
    """

    params: Params
    records: Mapping[str, RecurrentRecord]
