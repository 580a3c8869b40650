"""An encoder alone that fills in blanks (Devlin et al. 2019): every place reads all others, with one table."""

from dataclasses import dataclass

from jaxtyping import Float, Int
from torch import Tensor, nn

from explorer.models.limits import check
from explorer.nn.blocks import EncoderLayer
from explorer.nn.dropout import Dropout
from explorer.nn.embeddings import TokenEmbedding
from explorer.nn.tape import Tape


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskedConfig:
    """The shape of an encoder that fills in blanks.

    Attributes:
        vocab_size: tokens.
        d_model: length of a token's vector.
        n_heads: divides `d_model`.
        n_layers: at least 1.
        d_ff: width inside a feed-forward net.
        dropout: while training, of what is read and of what each step adds; not of attention weights.
        max_length: most tokens of a sentence, special ones included.
        pad_id: fills short rows.

    Raises:
        ValueError: naming the field that is out of range.
    """

    vocab_size: int
    d_model: int = 192
    n_heads: int = 6
    n_layers: int = 4
    d_ff: int = 576
    dropout: float = 0.1
    max_length: int = 64
    pad_id: int = 0

    def __post_init__(self) -> None:
        check(self, "vocab_size", "d_model", "n_heads", "n_layers", "d_ff", "max_length")
        if not 0 <= self.pad_id < self.vocab_size:
            raise ValueError(f"pad_id {self.pad_id} is no id below vocab_size {self.vocab_size}")


class MaskedEncoder(nn.Module):
    """Layers of self-attention over one sentence, in which every token may look at every other, before and after it.

    Tape sites: `layers.{i}.self`.
    """

    def __init__(self, config: MaskedConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = TokenEmbedding(config.vocab_size, config.d_model, config.max_length)
        self.dropout = Dropout(config.dropout)
        shape = (config.d_model, config.n_heads, config.d_ff, config.dropout)
        self.layers = nn.ModuleList(EncoderLayer(*shape) for _ in range(config.n_layers))
        self.norm = nn.LayerNorm(config.d_model)

    def hidden(
        self, ids: Int[Tensor, "batch positions"], *, tape: Tape | None = None
    ) -> Float[Tensor, "batch positions d_model"]:
        """Read padded sentences up to the vectors that `score` turns into logits.

        Args:
            ids: tokens; at a blank the token that stands for one.
            tape: records every self-attention.
        """
        x = self.dropout(self.embedding(ids))
        allowed = (ids != self.config.pad_id)[:, None, None, :]  # [batch, heads, queries, keys]
        for i, layer in enumerate(self.layers):
            x = layer(x, allowed, tape=tape, site=f"layers.{i}")
        hidden: Tensor = self.norm(x)
        return hidden

    def logits(self, hidden: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch vocab"]:
        """Return the logits of the token that stands at a place."""
        return self.embedding.logits(hidden)

    def forward(
        self, ids: Int[Tensor, "batch positions"], *, tape: Tape | None = None
    ) -> Float[Tensor, "batch positions vocab"]:
        """Return the logits of the token that stands at each place."""
        return self.logits(self.hidden(ids, tape=tape))
