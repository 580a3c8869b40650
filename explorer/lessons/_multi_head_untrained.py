"""Page 06: the same sentence through a layer that has learned nothing."""

from dataclasses import dataclass

from explorer.lessons._multi_head_state import Result
from explorer.lessons._translator_state import Params
from explorer.records.attention import AttentionRecord
from explorer.records.heads import HeadMeasures

WIDTHS = (16, 32, 64, 128, 256, 512)
HEADS = (1, 2, 4, 8, 16)
MOST_SEED = 999


@dataclass(frozen=True, slots=True, kw_only=True)
class UntrainedParams:
    """Which fresh layer reads which sentence. Numbers are clamped to what is offered.

    Attributes:
        params: the translation whose source is read.
        d_model: one of `WIDTHS` (the nearest is taken).
        n_heads: one of `HEADS` (the nearest is taken); divides every width.
        seed: of the embeddings and of the layer, 0…`MOST_SEED`.
    """

    params: Params = Params()  # noqa: RUF009 - frozen
    d_model: int = 256
    n_heads: int = 8
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "d_model", min(WIDTHS, key=lambda width: abs(width - self.d_model)))
        object.__setattr__(self, "n_heads", min(HEADS, key=lambda heads: abs(heads - self.n_heads)))
        object.__setattr__(self, "seed", min(max(self.seed, 0), MOST_SEED))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Untrained:
    """A fresh layer's self-attention over the source, and what each of its heads measures.

    Attributes:
        params: what was asked.
        record: labels are those of the encoder's self-attention.
        measures: one per head, named as heads of the encoder's layer 0.
    """

    params: UntrainedParams
    record: AttentionRecord
    measures: tuple[HeadMeasures, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One measure, mean over heads: the view's trained layer beside the untrained one."""

    measure: str
    trained: float
    untrained: float


def untrained(params: UntrainedParams) -> Untrained:
    """Let a fresh layer attend over the same tokens.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the checkpoint, whose tokenizer is needed, cannot be used.
    """
    raise NotImplementedError


def comparison(result: Result, fresh: Untrained, layer: int) -> tuple[Comparison, ...]:
    """Measures of one trained encoder layer and of the untrained one, each the mean over its heads."""
    raise NotImplementedError
