"""Changes that a reader may make to a translation, as a link carries them and as a model takes them."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from explorer.inference.translator.intervention import Intervention
from explorer.nn.intervention import Steering
from explorer.records.heads import HeadName, in_order
from explorer.records.wording import parse_int

#: Temperatures that are offered.
TEMPERATURES = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 100.0)
_SITE = re.compile(r"([EDC])(\d{1,3})", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A change of a translation. What a translation does not have is ignored where it is applied.

    Attributes:
        masked: source words that nobody may look at, by number.
        off: heads that add nothing.
        warmed: the attention whose scores are divided by `temperature`, such as `C2`: cross-attention of layer 2 (`E`
            and `D` are the self-attentions of encoder and decoder); empty for none.
        temperature: above 0.
        step: number of the written token whose row of the cross-attention is overwritten; None for none.
        word: number of the source word that gets the whole row.
        layer: in which the row is overwritten; in all if None.
    """

    masked: tuple[int, ...] = ()
    off: tuple[HeadName, ...] = ()
    warmed: str = ""
    temperature: float = 1.0
    step: int | None = None
    word: int | None = None
    layer: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "masked", tuple(sorted(set(self.masked))))
        object.__setattr__(self, "off", tuple(sorted(set(self.off), key=in_order)))
        object.__setattr__(self, "temperature", min(max(self.temperature, 1e-3), 1e3))

    @property
    def overwrites(self) -> bool:
        """Return whether a row is overwritten; a word that is masked cannot be looked at."""
        return self.step is not None and self.word is not None and self.word not in self.masked

    @property
    def does_nothing(self) -> bool:
        """Return whether all is as the model has it."""
        warmed = bool(self.warmed) and self.temperature != 1
        return not (self.masked or self.off or warmed or self.overwrites)

    @property
    def code(self) -> str:
        """Return a short form for the provenance."""
        parts = [
            "masked words " + " ".join(map(str, self.masked)) if self.masked else "",
            "off " + " ".join(head.code for head in self.off) if self.off else "",
            f"temperature of {self.warmed} {self.temperature:g}" if self.warmed and self.temperature != 1 else "",
            f"token {self.step} looks at word {self.word} in {self._where}" if self.overwrites else "",
        ]
        return ", ".join(part for part in parts if part) or "nothing changed"

    @property
    def _where(self) -> str:
        return "all layers" if self.layer is None else f"layer {self.layer}"


def interference(
    change: Change, words: Sequence[Sequence[int]], n_target: int, there: Collection[HeadName], n_layers: int
) -> Intervention:
    """Return what a change is to a model.

    Args:
        change: of a translation.
        words: the source tokens of each source word.
        n_target: tokens that were written.
        there: every head of the model.
    """
    n_source = sum(len(word) for word in words)
    hidden = tuple(position for number in change.masked if number < len(words) for position in words[number])
    temperatures = {site: change.temperature for site in (warmed_site(change.warmed, there),) if site}
    rows = {}
    step, word = change.step, change.word
    if change.overwrites and step is not None and word is not None and step < n_target and word < len(words):
        row = tuple((position in words[word]) / len(words[word]) for position in range(n_source))
        layers = range(n_layers) if change.layer is None or change.layer >= n_layers else (change.layer,)
        rows = {f"decoder.layers.{layer}.cross": {step: row} for layer in layers}
    return Intervention(
        hidden=hidden,
        off=tuple(head for head in change.off if head in there),
        steering=Steering(temperatures=temperatures, rows=rows),
    )


def warmed_site(code: str, there: Collection[HeadName]) -> str:
    """Return the dotted name of the attention that `C2` stands for; empty if the model has none of that name."""
    found = _SITE.fullmatch(code)
    if not found:
        return ""
    parts = {"E": "encoder", "D": "decoder", "C": "cross"}
    return next(
        (head.site for head in there if head.part == parts[found[1]] and head.layer == int(found[2])),
        "",
    )


def read_row(note: str) -> tuple[int, int] | None:
    """Return token and word of a link's `5@3`; None if it is no such thing."""
    step, word = (parse_int(part) for part in note.partition("@")[::2])
    return None if step is None or word is None else (step, word)


def read_words(note: str, count: int) -> tuple[int, ...]:
    """Return numbers of words of a link's `3 5`; whatever is none of them is ignored."""
    found = {number for number in map(parse_int, note.split()) if number is not None and number < count}
    return tuple(sorted(found))
