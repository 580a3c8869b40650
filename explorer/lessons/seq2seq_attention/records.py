"""Records of a decoder's wiring and start, of BLEU against the length of the source, and of the cost of a training."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.records.provenance import Provenance
from explorer.records.readonly import record


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """The wiring of one decoder step, in the words of a recurrent model's configuration.

    Attributes:
        query: which state asks, the one `before` the step or the one `after` it.
        context: where the context enters: the cell's `input`, the `output` beside the new state, or there and the
            `next` step's cell too.
        readout: what the next word is read off: the state, what the context gave, and the last word where the cell
            reads the context (`mixed`), or the state alone (`bare`).
    """

    query: str
    context: str
    readout: str = "mixed"

    @classmethod
    def of(cls, config: Mapping[str, object]) -> "Wiring":
        """Return the wiring of a model, from the configuration in its manifest."""
        return cls(
            query=str(config["query"]), context=str(config["context"]), readout=str(config.get("readout", "mixed"))
        )

    @property
    def waits(self) -> bool:
        """Tell whether a step reads what only the step before can know, even where all right words are given."""
        return self.context != "output"


@record
class FirstState:
    """The ends of both directions of an encoder, and the decoder's first state that is made of them.

    Attributes:
        forward: of each layer what the direction that ended at the last token carries, hidden and cell state.
        backward: of each layer what the direction that ended at the first token carries.
        first: the decoder's.
        source: the tokens that were read.

    Raises:
        ValueError: the parts are not alike.
    """

    forward: npt.NDArray[np.float32]
    backward: npt.NDArray[np.float32]
    first: npt.NDArray[np.float32]
    source: tuple[str, ...]
    provenance: Provenance

    def __post_init__(self) -> None:
        if not self.forward.shape == self.backward.shape == self.first.shape or self.first.shape[1] != 2:
            raise ValueError(f"parts of {self.forward.shape}, {self.backward.shape}, {self.first.shape}")


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


@record
class TrainingCost:
    """The course of one training, report by report, and what came of it.

    Attributes:
        model: name of the checkpoint.
        step: of each report.
        seconds: of the processor, up to each report.
        dev_loss: cross-entropy of a target token in nats, of held-out pairs, the right words given.
        bleu: of the whole test part, beam 5, as the manifest has it.
        minutes: of the processor, in all.

    Raises:
        ValueError: if there is no report.
    """

    model: str
    step: npt.NDArray[np.int64]
    seconds: npt.NDArray[np.float32]
    dev_loss: npt.NDArray[np.float32]
    bleu: float
    minutes: float
    provenance: Provenance

    def __post_init__(self) -> None:
        if not self.step.size:
            raise ValueError(f"{self.model} has no report")
