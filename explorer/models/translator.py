"""The Transformer that translates (Vaswani et al. 2017), with one embedding for everything."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import get_args

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from explorer.attention.attend import Score
from explorer.attention.scoring import scaled_dot
from explorer.models.limits import check
from explorer.nn.attention import Heads, MultiHeadAttention, Scoring
from explorer.nn.blocks import DecoderLayer, EncoderLayer, NormPlace
from explorer.nn.dropout import Dropout
from explorer.nn.embeddings import TokenEmbedding, TokenTable, autocast
from explorer.nn.intervention import Steering, steered
from explorer.nn.positions import IN_SCORE, POSITION_KINDS, LearnedPositions, PositionKind, position_score
from explorer.nn.tape import Tape


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslatorConfig:
    """The shape of a translator.

    Attributes:
        vocab_size: tokens, shared by both languages.
        d_model: length of a token's vector.
        n_heads: divides `d_model`.
        n_encoder_layers: at least 1.
        n_decoder_layers: at least 1.
        d_ff: width inside a feed-forward net.
        dropout: while training, of embeddings and of what each step adds.
        attention_dropout: while training, of attention weights. The shipped translators have none: on a CPU the mask
            costs more than the attention.
        max_length: most tokens of a source or target, special ones included.
        position: how a token knows its place (`explorer.nn.positions`). Rotary and ALiBi positions act in
            self-attention; ALiBi's distances do not tell the encoder left from right.
        directions: what it was trained to translate, such as `en-fr fr-en`; empty where its languages have no names.
            With more than one, a source begins with the tag of the language to write.
        norm: where the layers normalise: before each step (`pre`) or after it (`post`); the last normalisation of
            encoder and decoder is there in both cases, as in `torch.nn.Transformer`.
        residual: whether what a step read is added to what it made.
        scoring: how heads compare queries with keys (`explorer.nn.attention.Heads`); rotary and ALiBi positions act in
            the scaled dot product alone.
        pad_id: fills short rows.
        bos_id: starts every target.
        eos_id: ends every source and target.

    Raises:
        ValueError: naming the field that is out of range.
    """

    vocab_size: int
    d_model: int = 256
    n_heads: int = 8
    n_encoder_layers: int = 4
    n_decoder_layers: int = 3
    d_ff: int = 1024
    dropout: float = 0.1
    max_length: int = 256
    position: PositionKind = "sinusoidal"
    directions: str = ""
    norm: NormPlace = "pre"
    residual: bool = True
    attention_dropout: float = 0.0
    scoring: Scoring = "scaled_dot"
    pad_id: int = 0
    bos_id: int = 1
    eos_id: int = 2

    def __post_init__(self) -> None:
        check(self, "vocab_size", "d_model", "n_heads", "n_encoder_layers", "n_decoder_layers", "d_ff", "max_length")
        choices = {"position": POSITION_KINDS, "norm": get_args(NormPlace), "scoring": get_args(Scoring)}
        for name, known in choices.items():
            if getattr(self, name) not in known:
                raise ValueError(f"{name} {getattr(self, name)!r} is not known; choose one of {', '.join(known)}")
        if self.scoring == "additive" and self.position in IN_SCORE:
            raise ValueError(f"{self.position} positions act in a dot product; additive scores have none")
        if self.position == "rotary" and self.d_key % 2:
            raise ValueError(f"rotary positions turn pairs: d_model / n_heads is {self.d_key}; it must be even")
        special = (self.pad_id, self.bos_id, self.eos_id)
        if len(set(special)) < 3 or not all(0 <= token < self.vocab_size for token in special):
            raise ValueError(f"pad_id, bos_id, eos_id {special} must be three ids below vocab_size {self.vocab_size}")
        if max(self.never_written) >= self.vocab_size:
            raise ValueError(f"{len(self.directions.split())} directions have more tags than vocab_size has room for")

    @property
    def usual(self) -> bool:
        """Return whether it is built as the fast decoding expects: sinusoidal positions, pre-norm, residuals, dots."""
        dots = self.scoring == "scaled_dot"
        return self.position == "sinusoidal" and self.norm == "pre" and self.residual and dots

    @property
    def d_key(self) -> int:
        """Return the width of a head."""
        return self.d_model // self.n_heads

    @property
    def never_written(self) -> tuple[int, ...]:
        """Return the ids that stand in no target: `<pad>`, `<s>`, and the tags, whose ids follow the special ones."""
        languages = {direction.partition("-")[2] for direction in self.directions.split()}
        n_tags = len(languages) if len(self.directions.split()) > 1 else 0
        first = max(self.pad_id, self.bos_id, self.eos_id) + 1
        return (self.pad_id, self.bos_id, *range(first, first + n_tags))


class Stack(nn.Module):
    """Layers that read the source or write the target, and a last normalisation."""

    def __init__(self, layer: Callable[..., nn.Module], n_layers: int, config: TranslatorConfig) -> None:
        super().__init__()
        how = Heads(scoring=config.scoring, dropout=config.attention_dropout)
        shape = (config.d_model, config.n_heads, config.d_ff, config.dropout)
        self.layers = nn.ModuleList(
            layer(*shape, norm=config.norm, residual=config.residual, how=how) for _ in range(n_layers)
        )
        self.norm = nn.LayerNorm(config.d_model)


class Translator(nn.Module):
    """Encoder and decoder over one vocabulary.

    Tape sites: `encoder.layers.{i}.self`, `decoder.layers.{i}.self`, `decoder.layers.{i}.cross`.
    """

    def __init__(self, config: TranslatorConfig) -> None:
        super().__init__()
        self.config = config
        shape = (config.vocab_size, config.d_model)
        self.embedding: TokenTable = (
            TokenEmbedding(*shape, config.max_length) if config.position == "sinusoidal" else TokenTable(*shape)
        )
        learned = config.position == "learned"
        self.positions = LearnedPositions(config.max_length, config.d_model) if learned else None
        self.dropout = Dropout(config.dropout)
        self.encoder = Stack(EncoderLayer, config.n_encoder_layers, config)
        self.decoder = Stack(DecoderLayer, config.n_decoder_layers, config)

    def read(self, ids: Int[Tensor, "batch positions"]) -> Float[Tensor, "batch positions d_model"]:
        """Embed tokens for the first layer: √d_model · E[token], plus the code of the place where the model adds one.

        Raises:
            BeyondTable: if positions are learned and the sequence is longer than their table.
        """
        x: Tensor = self.embedding(ids)  # a `TokenEmbedding` adds sinusoidal codes itself
        return autocast(x if self.positions is None else x + self.positions(ids.shape[1]))

    @property
    def codes(self) -> Float[Tensor, "positions d_model"]:
        """Return the sinusoidal code of every place.

        Raises:
            TypeError: its positions are of another kind.
        """
        if not isinstance(self.embedding, TokenEmbedding):
            raise TypeError(f"positions are {self.config.position}, not sinusoidal")
        return self.embedding.positions

    def self_score(self, ids: Int[Tensor, "batch positions"]) -> Score:
        """Return the score by which the self-attentions of all layers compare the places of a sequence."""
        config = self.config
        return position_score(
            config.position, ids.shape[1], d_key=config.d_key, n_heads=config.n_heads, device=ids.device
        )

    def encode(
        self,
        source_ids: Int[Tensor, "batch source"],
        source_allowed: Bool[Tensor, "batch source"],
        *,
        tape: Tape | None = None,
        steering: Steering | None = None,
    ) -> Float[Tensor, "batch source d_model"]:
        """Read the source.

        Args:
            source_ids: padded tokens, each row ending in `eos_id`.
            source_allowed: True where there is a token, False where there is padding.
            tape: records every self-attention.
            steering: what some attentions do differently in this pass.
        """
        x, score = self.dropout(self.read(source_ids)), self.self_score(source_ids)
        allowed = source_allowed[:, None, None, :]  # [batch, heads, queries, source]
        for i, layer in enumerate(self.encoder.layers):
            site = f"encoder.layers.{i}"
            own = steered(steering, f"{site}.self", _score_of(layer, "self", score))
            x = layer(x, allowed, score=own, tape=tape, site=site)
        memory: Tensor = self.encoder.norm(x)
        return memory

    def hidden(
        self,
        target_ids: Int[Tensor, "batch target"],
        memory: Float[Tensor, "batch source d_model"],
        source_allowed: Bool[Tensor, "batch source"],
        *,
        tape: Tape | None = None,
        steering: Steering | None = None,
    ) -> Float[Tensor, "batch target d_model"]:
        """Read the target and the source up to the vectors that `score` turns into logits.

        Padding follows the tokens of its row, so that the causal mask alone keeps it out of theirs.
        """
        x, score = self.dropout(self.read(target_ids)), self.self_score(target_ids)
        n_target = target_ids.shape[1]
        causal = torch.ones(n_target, n_target, dtype=torch.bool, device=x.device).tril()
        allowed = source_allowed[:, None, None, :]  # [batch, heads, target, source]
        for i, layer in enumerate(self.decoder.layers):
            site = f"decoder.layers.{i}"
            own = steered(steering, f"{site}.self", _score_of(layer, "self", score))
            cross = steered(steering, f"{site}.cross", _score_of(layer, "cross", scaled_dot))
            x = layer(x, memory, causal, allowed, self_score=own, cross_score=cross, tape=tape, site=site)
        hidden: Tensor = self.decoder.norm(x)
        return hidden

    def score(self, hidden: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch vocab"]:
        """Return the logits of the next token."""
        return self.embedding.score(hidden)

    def decode(
        self,
        target_ids: Int[Tensor, "batch target"],
        memory: Float[Tensor, "batch source d_model"],
        source_allowed: Bool[Tensor, "batch source"],
        *,
        tape: Tape | None = None,
        steering: Steering | None = None,
    ) -> Float[Tensor, "batch target vocab"]:
        """Return the logits of the token after each target position, in one parallel pass.

        Args:
            target_ids: padded tokens, each row starting with `bos_id`.
            tape: records every self- and cross-attention.
        """
        return self.score(self.hidden(target_ids, memory, source_allowed, tape=tape, steering=steering))

    def forward(
        self,
        source_ids: Int[Tensor, "batch source"],
        target_ids: Int[Tensor, "batch target"],
        *,
        tape: Tape | None = None,
        steering: Steering | None = None,
    ) -> Float[Tensor, "batch target vocab"]:
        """Return the logits of the token after each target position, given the source."""
        source_allowed = source_ids != self.config.pad_id
        memory = self.encode(source_ids, source_allowed, tape=tape, steering=steering)
        return self.decode(target_ids, memory, source_allowed, tape=tape, steering=steering)


def _score_of(layer: nn.Module, part: str, usual: Score) -> Score:
    """Return the score of an attention of a layer: its own where it has parameters."""
    attention: MultiHeadAttention = getattr(layer, f"{part}_attention")
    return attention.scorer or usual
