"""A decoder-only Transformer that writes text (Radford et al. 2019): pre-norm, one table to read and to score."""

from collections.abc import Iterator
from dataclasses import dataclass

from jaxtyping import Float, Int
from torch import Tensor, nn

from explorer.attention.masking import causal
from explorer.models.limits import check
from explorer.nn.blocks import ACTIVATIONS, Activation, EncoderLayer
from explorer.nn.dropout import Dropout
from explorer.nn.embeddings import TokenTable, autocast
from explorer.nn.positions import (
    POSITION_KINDS,
    LearnedPositions,
    PositionKind,
    SinusoidalPositions,
    position_score,
)
from explorer.nn.tape import Tape


@dataclass(frozen=True, slots=True, kw_only=True)
class GPTConfig:
    """The shape of a decoder-only model.

    Attributes:
        vocab_size: tokens.
        d_model: length of a token's vector.
        n_heads: divides `d_model`.
        n_layers: at least 1.
        d_ff: width inside a feed-forward net.
        dropout: while training, of what is read and of what each step adds; not of attention weights.
        max_length: positions it is trained on. Learned codes end there; the others go on.
        position: how a token knows where it stands (`explorer.nn.positions`).
        activation: of the feed-forward nets; `gelu` is GPT-2's.

    Raises:
        ValueError: naming the field that is out of range.
    """

    vocab_size: int
    d_model: int = 128
    n_heads: int = 4
    n_layers: int = 4
    d_ff: int = 512
    dropout: float = 0.1
    max_length: int = 128
    position: PositionKind = "rotary"
    activation: Activation = "relu"

    def __post_init__(self) -> None:
        check(self, "vocab_size", "d_model", "n_heads", "n_layers", "d_ff", "max_length")
        if self.position not in POSITION_KINDS:
            raise ValueError(f"position {self.position!r} is not known; choose one of {', '.join(POSITION_KINDS)}")
        if self.activation not in ACTIVATIONS:
            raise ValueError(f"activation {self.activation!r} is not known; choose one of {', '.join(ACTIVATIONS)}")
        if self.position == "rotary" and self.d_key % 2:
            raise ValueError(f"rotary positions turn pairs: d_model / n_heads is {self.d_key}; it must be even")

    @property
    def d_key(self) -> int:
        """Return the width of a head."""
        return self.d_model // self.n_heads


class GPT(nn.Module):
    """Layers of causal self-attention over one sequence.

    Tape sites: `layers.{i}.self`.
    """

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = TokenTable(config.vocab_size, config.d_model)
        self.positions = _codes(config)
        self.dropout = Dropout(config.dropout)
        shape = (config.d_model, config.n_heads, config.d_ff, config.dropout)
        self.layers = nn.ModuleList(EncoderLayer(*shape, config.activation) for _ in range(config.n_layers))
        self.norm = nn.LayerNorm(config.d_model)

    def embed(self, ids: Int[Tensor, "batch positions"], *, first: int = 0) -> Float[Tensor, "batch positions d_model"]:
        """Embed tokens for the first layer: √d_model · E[token], plus the code of the place where the model adds one.

        Args:
            ids: tokens, one after the other.
            first: place of the first of them.

        Raises:
            PositionOutOfRange: if positions are learned and the sequence is longer than their table.
        """
        x = self.embedding(ids)
        return autocast(x if self.positions is None else x + self.positions(first + ids.shape[1])[first:])

    def states(
        self, ids: Int[Tensor, "batch positions"], *, tape: Tape | None = None
    ) -> Iterator[Float[Tensor, "batch positions d_model"]]:
        """Yield what each layer reads, first to last, and then what the last one leaves.

        Args:
            ids: padding, if any, follows the tokens of its row: the causal mask alone keeps it out of theirs.
            tape: records every self-attention.

        Raises:
            PositionOutOfRange: as for `embed`.
        """
        config, n_positions = self.config, ids.shape[1]
        x = self.dropout(self.embed(ids))
        allowed = causal(n_positions, n_positions).to(ids.device)
        score = position_score(
            config.position, n_positions, d_key=config.d_key, n_heads=config.n_heads, device=ids.device
        )
        for i, layer in enumerate(self.layers):
            yield x
            x = layer(x, allowed, score=score, tape=tape, site=f"layers.{i}")
        yield x

    def hidden(
        self, ids: Int[Tensor, "batch positions"], *, tape: Tape | None = None
    ) -> Float[Tensor, "batch positions d_model"]:
        """Read a sequence up to the vectors that `score` turns into logits: the last of `states`, normalised."""
        for state in self.states(ids, tape=tape):
            last = state
        hidden: Tensor = self.norm(last)
        return hidden

    def logits(self, hidden: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch vocab"]:
        """Return the logits of the next token."""
        return self.embedding.logits(hidden)

    def forward(
        self, ids: Int[Tensor, "batch positions"], *, tape: Tape | None = None
    ) -> Float[Tensor, "batch positions vocab"]:
        """Return the logits of the token after each position.

        Raises:
            PositionOutOfRange: as for `embed`.
        """
        return self.logits(self.hidden(ids, tape=tape))


def _codes(config: GPTConfig) -> nn.Module | None:
    if config.position == "learned":
        return LearnedPositions(config.max_length, config.d_model)
    if config.position == "sinusoidal":
        return SinusoidalPositions(config.max_length, config.d_model)
    return None
