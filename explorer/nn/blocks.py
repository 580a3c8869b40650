"""The layers of a Transformer, normalised before each step (pre-norm) or after it (post-norm)."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Literal

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional as F

from explorer.attention.attend import Score
from explorer.nn.attention import PLAIN, HeadOptions, MultiHeadAttention
from explorer.nn.dropout import Dropout
from explorer.nn.tape import SiteInputs, Tape

#: What stands between the maps of a feed-forward net: max(0, x); GELU by its tanh formula, as in GPT-2; GELU exactly;
#: x · sigmoid(x) (swish, Ramachandran et al. 2017), as in Marian.
Activation = Literal["relu", "gelu", "gelu_exact", "swish"]
ACTIVATIONS: Mapping[Activation, Callable[[Tensor], Tensor]] = {
    "relu": torch.relu_,
    "gelu": partial(F.gelu, approximate="tanh"),
    "gelu_exact": F.gelu,
    "swish": F.silu,
}


#: Where a layer normalises: what each step reads, or the sum it leaves.
NormPlace = Literal["pre", "post"]


class FeedForward(nn.Module):
    """Two linear maps with a ReLU between, at each position alone: W2 max(0, x W1 + b1) + b2.

    `gelu_exact` puts x Φ(x) in its place, `gelu` the same by the tanh formula (Hendrycks & Gimpel 2016, §2), `swish`
    x σ(x).
    """

    def __init__(self, d_model: int, d_ff: int, activation: Activation = "relu") -> None:
        super().__init__()
        self.activation = activation
        self.expand = nn.Linear(d_model, d_ff)
        self.contract = nn.Linear(d_ff, d_model)
        for linear in (self.expand, self.contract):
            nn.init.xavier_uniform_(linear.weight)
            nn.init.zeros_(linear.bias)

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """Map each position."""
        expanded = ACTIVATIONS[self.activation](self.expand(x))
        contracted: Tensor = self.contract(expanded)
        return contracted


class TransformerLayer(nn.Module):
    """A layer whose steps are normalised and added in one of four ways.

    x ← x + step(norm(x)) (pre-norm, Xiong et al. 2020, fig. 1b) or x ← norm(x + step(x)) (post-norm, Vaswani et al.
    2017, "add & norm"); without the residual connection x ← step(norm(x)) or x ← norm(step(x)).

    Args:
        dropout: of what each step makes.
        norm: where they are normalised.
        residual: whether what a step read is added to what it made.
    """

    feed_forward_norm: nn.LayerNorm
    feed_forward: FeedForward

    def __init__(self, dropout: float, norm: NormPlace, *, residual: bool) -> None:
        super().__init__()
        self.norm_place, self.residual = norm, residual
        self.dropout = Dropout(dropout)

    def sublayer_input(self, norm: nn.LayerNorm, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """Return what a step reads of `x`."""
        return norm(x) if self.norm_place == "pre" else x

    def add_residual(
        self, norm: nn.LayerNorm, x: Float[Tensor, "*batch d_model"], made: Float[Tensor, "*batch d_model"]
    ) -> Float[Tensor, "*batch d_model"]:
        """Return `x` after a step that made `made` of it."""
        joined = x + made if self.residual else made
        return norm(joined) if self.norm_place == "post" else joined

    def feed_forward_sublayer(
        self, x: Float[Tensor, "batch positions d_model"], tape: Tape | None, site: str
    ) -> Float[Tensor, "batch positions d_model"]:
        """Add what the feed-forward net makes of its input."""
        made: Tensor = self.dropout(self.feed_forward(self.sublayer_input(self.feed_forward_norm, x)))
        if tape is not None:
            tape.record_net(site, made)
        return self.add_residual(self.feed_forward_norm, x, made)


class EncoderLayer(TransformerLayer):
    """Self-attention, then a feed-forward net, each added to what it read: the layer of a decoder-only model too."""

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        d_ff: int,
        dropout: float,
        activation: Activation = "relu",
        *,
        norm_eps: float = 1e-5,
        norm: NormPlace = "pre",
        residual: bool = True,
        options: HeadOptions = PLAIN,
    ) -> None:
        super().__init__(dropout, norm, residual=residual)
        self.self_norm = nn.LayerNorm(d_model, eps=norm_eps)
        self.self_attention = MultiHeadAttention(d_model, n_heads, options)
        self.feed_forward_norm = nn.LayerNorm(d_model, eps=norm_eps)
        self.feed_forward = FeedForward(d_model, d_ff, activation)

    def forward(
        self,
        x: Float[Tensor, "batch positions d_model"],
        allowed: Bool[Tensor, "..."] | None = None,
        *,
        score: Score | None = None,
        tape: Tape | None = None,
        site: str = "encoder",
    ) -> Float[Tensor, "batch positions d_model"]:
        """Mix the positions that `allowed` lets see each other.

        Args:
            x: one vector per position.
            allowed: broadcasts to `[batch, heads, queries, keys]`, True = may attend.
            score: of queries and keys of all heads; the attention's own if None.
            tape: records the attention as `{site}.self`.
            site: name of this layer on the tape.
        """
        read = self.sublayer_input(self.self_norm, x)
        attended = self.self_attention(read, read, allowed, score=score)
        if tape is not None:
            tape.record(f"{site}.self", attended, read=SiteInputs(read, read))
        return self.feed_forward_sublayer(
            self.add_residual(self.self_norm, x, self.dropout(attended.output)), tape, site
        )


class DecoderLayer(TransformerLayer):
    """Causal self-attention, cross-attention into the source, then a feed-forward net, each added to what it read."""

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        d_ff: int,
        dropout: float,
        activation: Activation = "relu",
        *,
        norm: NormPlace = "pre",
        residual: bool = True,
        options: HeadOptions = PLAIN,
    ) -> None:
        super().__init__(dropout, norm, residual=residual)
        self.self_norm = nn.LayerNorm(d_model)
        self.self_attention = MultiHeadAttention(d_model, n_heads, options)
        self.cross_norm = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, n_heads, options)
        self.feed_forward_norm = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, activation)

    def forward(
        self,
        x: Float[Tensor, "batch target d_model"],
        memory: Float[Tensor, "batch source d_model"],
        self_allowed: Bool[Tensor, "..."],
        cross_allowed: Bool[Tensor, "..."],
        *,
        self_score: Score | None = None,
        cross_score: Score | None = None,
        tape: Tape | None = None,
        site: str = "decoder",
    ) -> Float[Tensor, "batch target d_model"]:
        """Read the target so far and the source.

        Args:
            x: one vector per target position.
            memory: what the encoder made of the source.
            self_allowed: which target position may see which, True = may attend.
            cross_allowed: which source position may be seen.
            self_score: of queries and keys of all heads in self-attention; its own if None.
            cross_score: the same in cross-attention; target and source have no places in common.
            tape: records the attentions as `{site}.self` and `{site}.cross`.
            site: name of this layer on the tape.
        """
        read = self.sublayer_input(self.self_norm, x)
        attended = self.self_attention(read, read, self_allowed, score=self_score)
        x = self.add_residual(self.self_norm, x, self.dropout(attended.output))
        query_input = self.sublayer_input(self.cross_norm, x)
        crossed = self.cross_attention(query_input, memory, cross_allowed, score=cross_score)
        if tape is not None:
            tape.record(f"{site}.self", attended, read=SiteInputs(read, read))
            tape.record(f"{site}.cross", crossed, read=SiteInputs(query_input, memory))
        return self.feed_forward_sublayer(
            self.add_residual(self.cross_norm, x, self.dropout(crossed.output)), tape, site
        )
