"""The shape of the Transformer that translates."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

from explorer.attention.positions import SineOrder
from explorer.models.limits import check
from explorer.nn.attention import Scoring
from explorer.nn.blocks import Activation, NormPlace
from explorer.nn.positions import IN_SCORE, POSITION_KINDS, PositionKind

_CHOICES: Mapping[str, tuple[str, ...]] = {
    "position": POSITION_KINDS,
    "norm": get_args(NormPlace),
    "activation": get_args(Activation),
    "sine_order": get_args(SineOrder),
    "scoring": get_args(Scoring),
}


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
        norm: where the layers normalise: before each step (`pre`) or after it (`post`).
        last_norm: whether encoder and decoder end in a normalisation, as in `torch.nn.Transformer`; Marian's do not.
        activation: what stands between the maps of a feed-forward net.
        sine_order: whether a sinusoidal code has sines and cosines in turns, or all sines first, as Marian's.
        score_bias: whether each token's score has a number of its own added to it.
        residual: whether what a step read is added to what it made.
        scoring: how heads compare queries with keys (`explorer.nn.attention.Heads`); rotary and ALiBi positions act in
            the scaled dot product alone.
        pad_id: fills short rows.
        bos_id: starts every target; it may be `pad_id`, as in Marian.
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
    last_norm: bool = True
    activation: Activation = "relu"
    sine_order: SineOrder = "pairs"
    score_bias: bool = False
    residual: bool = True
    attention_dropout: float = 0.0
    scoring: Scoring = "scaled_dot"
    pad_id: int = 0
    bos_id: int = 1
    eos_id: int = 2

    def __post_init__(self) -> None:
        check(self, "vocab_size", "d_model", "n_heads", "n_encoder_layers", "n_decoder_layers", "d_ff", "max_length")
        for name, known in _CHOICES.items():
            if getattr(self, name) not in known:
                raise ValueError(f"{name} {getattr(self, name)!r} is not known; choose one of {', '.join(known)}")
        if self.scoring == "additive" and self.position in IN_SCORE:
            raise ValueError(f"{self.position} positions act in a dot product; additive scores have none")
        if self.position == "rotary" and self.d_key % 2:
            raise ValueError(f"rotary positions turn pairs: d_model / n_heads is {self.d_key}; it must be even")
        special = (self.pad_id, self.bos_id, self.eos_id)
        if self.eos_id in special[:2] or not all(0 <= token < self.vocab_size for token in special):
            raise ValueError(
                f"pad_id, bos_id, eos_id {special} must be ids below vocab_size {self.vocab_size}, and the last unlike"
                " the others"
            )
        if max(self.never_written) >= self.vocab_size:
            raise ValueError(f"{len(self.directions.split())} directions have more tags than vocab_size has room for")

    @property
    def is_standard(self) -> bool:
        """Return whether it is built as the fast decoding expects: sinusoidal positions, residuals, dots."""
        return self.position == "sinusoidal" and self.residual and self.scoring == "scaled_dot"

    @property
    def d_key(self) -> int:
        """Return the width of a head."""
        return self.d_model // self.n_heads

    @property
    def never_written(self) -> tuple[int, ...]:
        """Return the ids that stand in no target: `<pad>`, `<s>`, and the tags, whose ids follow the special ones.

        Where `<pad>` begins targets (Marian), tags stand anywhere in the vocabulary, and are not among them.
        """
        languages = {direction.partition("-")[2] for direction in self.directions.split()}
        n_tags = len(languages) if len(self.directions.split()) > 1 and self.pad_id != self.bos_id else 0
        first = max(self.pad_id, self.bos_id, self.eos_id) + 1
        return (self.pad_id, self.bos_id, *range(first, first + n_tags))
