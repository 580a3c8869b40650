"""“Text generation”: what is written by whom and how, what is shown of it, what came out."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from explorer.checkpoints import store
from explorer.checkpoints.manifest import (
    TOKENIZER,
    UNUSABLE,
    CheckpointDamaged,
    CheckpointError,
    Manifest,
    file_of,
)
from explorer.data.corpus import CorpusKind
from explorer.data.text import CharacterTokenizer
from explorer.data.verse import AFTER, as_typed
from explorer.inference.gpt.generate import LoadedGPT
from explorer.inference.gpt.sampling import TextSampler
from explorer.records.generation import TextRecord
from explorer.records.provenance import Provenance
from explorer.records.readonly import record
from explorer.scenes.text_generation import PROMPTS, SLIDERS

#: The first of these that is there writes before anybody chooses.
FIRST = ("gpt-shakespeare", "positions-rotary")
#: Of the sliders that a picture follows.
STOPS = {
    "temperature": tuple(step / 10 for step in range(21)),
    "top_p": tuple(step / 20 for step in range(1, 21)),
}
#: What is kept of a prompt; no model sees more.
MOST_CHARACTERS = 4000
Writes = Literal["plays", "verse", "letters"]
#: What every text begins with, unseen: an end of line, so that the first character typed has a probability too.
START = "\n"


@record
class TextModel:
    """A decoder-only model that can be chosen; its weights are not loaded yet.

    Attributes:
        name: what `explorer.inference.gpt.generate.load` takes.
        kind: of the text it learnt.
    """

    name: str
    kind: CorpusKind
    manifest: Manifest

    @property
    def writes(self) -> Writes:
        """Return what it writes: Shakespeare, verse, or random letters that are repeated."""
        if self.kind == "verse":
            return "verse"
        return "plays" if "Shakespeare" in self.manifest.data else "letters"

    @property
    def window(self) -> int:
        """Return the longest text it was trained on."""
        return int(self.manifest.config["max_length"])


def models() -> tuple[TextModel, ...]:
    """List the decoder-only models of the project, the first to write first, those of “Positional encoding” last.

    A folder that cannot be read is left out.
    """
    found = [each for each in _found().values() if isinstance(each, TextModel)]
    first = first_model()
    return tuple(sorted(found, key=lambda each: (each.name != first, not each.name.startswith("gpt-"), each.name)))


def first_model() -> str:
    """Return the model that writes before anybody chooses, whether or not one is there."""
    found = _found()
    return next((name for name in FIRST if isinstance(found.get(name), TextModel)), FIRST[0])


def find_unusable() -> dict[str, CheckpointError]:
    """Return what is wrong with those that came with the project and are not among them, by name."""
    return store.find_unreadable("gpt") | {
        name: each for name, each in _found().items() if isinstance(each, CheckpointError)
    }


def _found() -> dict[str, TextModel | CheckpointError]:
    """Return the models whose tokenizers tell what they write, and what is wrong with the others, by name."""
    found = dict[str, TextModel | CheckpointError]()
    for name, manifest in store.read_bundled_manifests().items():
        if manifest.family == "gpt":
            vocabulary = store.BUNDLED / name / TOKENIZER
            try:
                found[name] = TextModel(name=name, kind=_kind(vocabulary), manifest=manifest)
            except (*UNUSABLE, OSError) as error:
                found[name] = CheckpointDamaged(f"{file_of(vocabulary)} cannot be read ({type(error).__name__}).")
    return found


@lru_cache(maxsize=64)
def _kind(vocabulary: Path) -> CorpusKind:
    return kind_of(CharacterTokenizer.load(vocabulary))


def kind_of(tokenizer: CharacterTokenizer) -> CorpusKind:
    """Return verse, if it knows the mark that ends a couplet of lines."""
    return "verse" if AFTER in tokenizer.characters else "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Params:
    """A prompt, the model that writes on, and the way each token is drawn; numbers are clamped to their ranges.

    Attributes:
        checkpoint: a bundled name, a folder, or `org/name@revision`; the first of `models()` if empty.
        prompt: anything; its last `MOST_CHARACTERS` are kept.
        length: characters to write.
        temperature: 0 takes the likeliest.
        top_k: 0 lets all tokens be drawn.
        top_p: 1 lets all.
        min_p: 0 lets all.
        penalty: for repetition; 1 is none.
    """

    checkpoint: str = ""
    prompt: str = PROMPTS["tg_text"]
    length: int = 160
    temperature: float = 0.8
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    penalty: float = 1.0
    seed: int = 1

    def __post_init__(self) -> None:
        for key, slider in SLIDERS.items():
            name = slider.field_of(key)
            object.__setattr__(self, name, min(max(getattr(self, name), slider.low), slider.high))
        object.__setattr__(self, "prompt", self.prompt[-MOST_CHARACTERS:])

    @property
    def sampler(self) -> TextSampler:
        """Return how each token is drawn."""
        return TextSampler(
            repetition_penalty=self.penalty,
            temperature=self.temperature,
            top_k=self.top_k,
            top_p=self.top_p,
            min_p=self.min_p,
            seed=self.seed,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A text that goes on otherwise: up to a place as it was, there another character, and from there anew.

    Attributes:
        kept: its tokens before the place.
        character: what stands at the place instead.
        length: characters to write after it.
    """

    params: Params
    kept: tuple[int, ...]
    character: str
    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Choices of what is shown; numbers beyond what there is are clamped when the view is applied.

    Attributes:
        position: of the token that is looked at, from 1 (the first is the unseen start); one past the last is the next.
        layer: from 0; None is the mean over all layers and heads.
        head: from 0; None is the mean over all heads of the layer.
    """

    position: int = 1
    layer: int | None = None
    head: int | None = None


@record
class Result:
    """A text that was written.

    Attributes:
        kind: of the text the model learnt.
        window: the longest text the model sees.
        params: what was asked, the sampler among it.
        ids: of all tokens, the unseen start first.
        text: the same with names and surprisal.
        writing: the whole text as it reads.
        unknown: characters of the prompt that the model has no number for.
        dropped: how many characters at the beginning of the prompt are beyond the window.
        seconds: that the writing took.
    """

    checkpoint: str
    kind: CorpusKind
    window: int
    params: Params
    ids: tuple[int, ...]
    text: TextRecord
    writing: str
    unknown: tuple[str, ...]
    dropped: int
    seconds: float

    @property
    def done(self) -> int:
        """Return characters that are written."""
        return len(self.ids) - self.text.n_given

    @property
    def provenance(self) -> Provenance:
        """Return the provenance of the writing."""
        return self.text.provenance


def prompt_ids(gpt: LoadedGPT, prompt: str) -> tuple[tuple[int, ...], int]:
    """Return the tokens of a prompt after the unseen start, as many as the model sees, and how many do not fit."""
    text = as_typed(prompt) if kind_of(gpt.tokenizer) == "verse" else prompt
    ids = gpt.tokenizer.encode(text)
    room = gpt.model.config.max_length - 1
    start = gpt.tokenizer.encode(START)
    return (*start, *ids[-room:]), max(0, len(ids) - room)


def clamp_place(result: Result, view_place: int) -> int:
    """Return a place that can be looked at: the first has nothing before it."""
    return min(max(view_place, 1), len(result.ids))
