"""Count what a long input costs, before anything is computed."""

from dataclasses import dataclass

from explorer.inference.translator.request import Params
from explorer.inference.translator.translate import LoadedTranslator, clean, encode_source
from explorer.records.language import t

#: Inputs with more tokens than this are announced.
LONG = 48


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The size of what tracing a translation keeps, if the translation gets as long as its source.

    Attributes:
        tokens: of the source, `</s>` included.
        cells: weights of all layers and heads.
    """

    tokens: int
    cells: int
    size_bytes: int

    @property
    def is_long(self) -> bool:
        """Return whether the reader should be told."""
        return self.tokens > LONG


def budget(translator: LoadedTranslator, params: Params) -> Budget:
    """Count before computing: heads · (encoder layers + 2 · decoder layers) · tokens² weights of 4 bytes.

    Raises:
        InputRefused: nothing visible was typed, or too much.
    """
    config = translator.prepared.config
    tokens = len(encode_source(translator, clean(params.text)))
    cells = config.n_heads * (config.n_encoder_layers + 2 * config.n_decoder_layers) * tokens**2
    return Budget(tokens=tokens, cells=cells, size_bytes=4 * cells)


def announcement(cost: Budget) -> str:
    """Return what a long input costs, in words."""
    return t(
        "A long input: {tokens} tokens, so about {cells:,} attention weights ({megabytes:.1f} MB). One map is drawn at"
        " a time; its labels are small, so point at a cell to read it."
    ).format(tokens=cost.tokens, cells=cost.cells, megabytes=cost.size_bytes / 1e6)
