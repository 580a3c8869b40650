"""A model that somebody else made, before anything of it is loaded."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

#: The stacks of a model: one that reads, one that writes, both; one that sees; none that attends.
ModelKind = Literal["encoder", "decoder", "encoder-decoder", "vision", "none", "unknown"]
#: Memory of the worker itself: the interpreter, torch and transformers.
LIBRARY_BYTES = 380_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCard:
    """A model before anything is loaded: read from `config.json` and from the headers of its weights.

    Attributes:
        name: of its folder or repository.
        revision: commit of the Hub, 40 hexadecimal digits; of a folder, a prefix of what its headers hash to.
        family: `model_type` of the configuration.
        layers: of the encoder, or of the only stack.
        decoder_layers: 0 where there is no second stack.
        kv_heads: heads of keys and values; fewer than `heads` where query heads share them.
        head_width: length of one query.
        window: how many keys a sliding window shows; None where every key is seen.
        tied: whether the prediction head is the embedding.
        counted: parameters, counted in the headers.
        stored: bytes of the files of weights.
        dtypes: how many parameters are stored in each type.
        pickled: files of weights that are never opened, because opening them runs code.
        licence: as its README says; empty if it says none.
        gated: whether the Hub asks for an agreement first.
        tasks: names of the architectures that it was saved as.
    """

    name: str
    revision: str = ""
    family: str
    kind: ModelKind
    layers: int
    decoder_layers: int = 0
    heads: int
    kv_heads: int
    width: int
    head_width: int
    ffn: int
    vocabulary: int
    longest: int
    window: int | None = None
    tied: bool = True
    counted: int = 0
    stored: int = 0
    dtypes: Mapping[str, int]
    pickled: tuple[str, ...] = ()
    licence: str = ""
    gated: bool = False
    tasks: tuple[str, ...] = ()

    @property
    def maps(self) -> int:
        """Return how many maps one text makes."""
        return self.heads * (self.layers + 2 * self.decoder_layers)

    @property
    def loaded(self) -> int:
        """Return the bytes of the weights in float32."""
        return 4 * self.counted

    def weight_bytes(self, bits: int) -> int:
        """Return the bytes of all parameters, of so many bits each."""
        return self.counted * bits // 8

    def map_bytes(self, tokens: int) -> int:
        """Return the bytes of all maps of a text in float32."""
        return 4 * self.maps * tokens**2

    def peak_bytes(self, tokens: int) -> int:
        """Estimate the memory that one text takes: weights, in float32 and as stored, three maps of a layer, libraries.

        Measured with SmolLM2-135M: 1,217 MB; estimated: 1,187.
        """
        return self.loaded + self.stored + 3 * 4 * self.heads * tokens**2 + LIBRARY_BYTES
