"""The Transformer that translates (Vaswani et al. 2017), with one embedding for everything."""

from collections.abc import Callable

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from explorer.attention.attend import Score
from explorer.attention.scoring import scaled_dot
from explorer.models.translator_config import TranslatorConfig as TranslatorConfig
from explorer.nn.attention import HeadOptions, MultiHeadAttention
from explorer.nn.blocks import DecoderLayer, EncoderLayer
from explorer.nn.dropout import Dropout
from explorer.nn.embeddings import TokenEmbedding, TokenTable, autocast
from explorer.nn.intervention import Steering, steer
from explorer.nn.positions import LearnedPositions, position_score
from explorer.nn.tape import Tape


class Stack(nn.Module):
    """Layers that read the source or write the target, and a last normalisation where the model has one."""

    def __init__(self, layer: Callable[..., nn.Module], n_layers: int, config: TranslatorConfig) -> None:
        super().__init__()
        options = HeadOptions(scoring=config.scoring, dropout=config.attention_dropout)
        shape = (config.d_model, config.n_heads, config.d_ff, config.dropout, config.activation)
        self.layers = nn.ModuleList(
            layer(*shape, norm=config.norm, residual=config.residual, options=options) for _ in range(n_layers)
        )
        self.norm = nn.LayerNorm(config.d_model) if config.last_norm else nn.Identity()


class Translator(nn.Module):
    """Encoder and decoder over one vocabulary.

    Tape sites: `encoder.layers.{i}.self`, `decoder.layers.{i}.self`, `decoder.layers.{i}.cross`.
    """

    def __init__(self, config: TranslatorConfig) -> None:
        super().__init__()
        self.config = config
        shape = (config.vocab_size, config.d_model)
        self.embedding: TokenTable = (
            TokenEmbedding(*shape, config.max_length, config.sine_order)
            if config.position == "sinusoidal"
            else TokenTable(*shape)
        )
        self.score_bias = nn.Parameter(torch.zeros(config.vocab_size)) if config.score_bias else None
        learned = config.position == "learned"
        self.positions = LearnedPositions(config.max_length, config.d_model) if learned else None
        self.dropout = Dropout(config.dropout)
        self.encoder = Stack(EncoderLayer, config.n_encoder_layers, config)
        self.decoder = Stack(DecoderLayer, config.n_decoder_layers, config)

    def embed(self, ids: Int[Tensor, "batch positions"]) -> Float[Tensor, "batch positions d_model"]:
        """Embed tokens for the first layer: √d_model · E[token], plus the code of the place where the model adds one.

        Raises:
            PositionOutOfRange: if positions are learned and the sequence is longer than their table.
        """
        x: Tensor = self.embedding(ids)  # a `TokenEmbedding` adds sinusoidal codes itself
        return autocast(x if self.positions is None else x + self.positions(ids.shape[1]))

    @property
    def positional_encodings(self) -> Float[Tensor, "positions d_model"]:
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
        x, score = self.dropout(self.embed(source_ids)), self.self_score(source_ids)
        allowed = source_allowed[:, None, None, :]  # [batch, heads, queries, source]
        for i, layer in enumerate(self.encoder.layers):
            site = f"encoder.layers.{i}"
            own = steer(steering, f"{site}.self", _score_of(layer, "self", score))
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
        x, score = self.dropout(self.embed(target_ids)), self.self_score(target_ids)
        n_target = target_ids.shape[1]
        causal = torch.ones(n_target, n_target, dtype=torch.bool, device=x.device).tril()
        allowed = source_allowed[:, None, None, :]  # [batch, heads, target, source]
        for i, layer in enumerate(self.decoder.layers):
            site = f"decoder.layers.{i}"
            own = steer(steering, f"{site}.self", _score_of(layer, "self", score))
            cross = steer(steering, f"{site}.cross", _score_of(layer, "cross", scaled_dot))
            x = layer(x, memory, causal, allowed, self_score=own, cross_score=cross, tape=tape, site=site)
        hidden: Tensor = self.decoder.norm(x)
        return hidden

    def logits(self, hidden: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch vocab"]:
        """Return the logits of the next token."""
        logits = self.embedding.logits(hidden)
        return logits if self.score_bias is None else logits + self.score_bias

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
        return self.logits(self.hidden(target_ids, memory, source_allowed, tape=tape, steering=steering))

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
