"""BLEU against the length of the source: where a model that keeps a sentence in one vector falls behind."""

from dataclasses import dataclass

from explorer.records.provenance import Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthGroup:
    """The sources of one range of lengths.

    Attributes:
        first: fewest words.
        last: most words; None if there is no bound.
        sentences: how many there are.
        bleu: of their translations, 0…100.
    """

    first: int
    last: int | None
    sentences: int
    bleu: float

    @property
    def name(self) -> str:
        """Return the range as it stands on an axis."""
        return f"≥ {self.first}" if self.last is None else f"{self.first}–{self.last}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthCurve:
    """BLEU of one model, by the length of the source.

    Attributes:
        model: name of the checkpoint.
        mechanism: how it looks at the source.
        groups: the ranges, the shortest first; those without a sentence are left out.
    """

    model: str
    mechanism: str
    groups: tuple[LengthGroup, ...]
    provenance: Provenance
