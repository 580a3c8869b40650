"""Everything that a Transformer computes in one pass, part by part."""

from collections.abc import Mapping
from dataclasses import dataclass

from explorer.records.arrays import Float32
from explorer.records.provenance import Provenance
from explorer.records.sequence import Step, TokenRow


@dataclass(frozen=True, slots=True, kw_only=True)
class WholePass:
    """One pass of a translator over a sentence and its finished translation (teacher forcing).

    Arrays by name; `enc` stands for the encoder, `dec` for the decoder, and `enc.0` for a layer:

    - `enc.embed`, `enc.place`, `enc.x`: token vector, code of the place, their sum `[tokens, d_model]`;
    - `enc.0.self.mean`, `.scale`: of the layer norm before a part `[tokens]`; parts are `self`, `cross` and `net`;
    - `enc.0.self.q`, `.k`, `.v`, `.joined` `[tokens, d_model]`: a row joins the heads, each a slice of it;
    - `enc.0.self.scores`, `.weights` `[heads, queries, keys]`;
    - `enc.0.net.units` `[tokens, d_ff]`: after the activation;
    - `enc.0.self.added`, `.after` `[tokens, d_model]`: what a part adds, and the sum;
    - `enc.end`, `dec.end`: normalised at the end of a stack, with `enc.end.mean` and `enc.end.scale`.

    Attributes:
        arrays: by name.
        logits: `[read tokens, vocabulary]`.
        source: tokens that the encoder read.
        read: tokens that the decoder read.
        written: tokens that it wrote.
        steps: how likely they were.
        n_heads: of every attention.
        n_encoder: layers of the encoder.
        n_decoder: layers of the decoder.
    """

    arrays: Mapping[str, Float32]
    logits: Float32
    source: TokenRow
    read: TokenRow
    written: TokenRow
    steps: tuple[Step, ...]
    n_heads: int
    n_encoder: int
    n_decoder: int
    provenance: Provenance

    def __getitem__(self, name: str) -> Float32:
        """Return an array by its name."""
        return self.arrays[name]

    @property
    def sites(self) -> tuple[str, ...]:
        """Return every attention, in the order of the pass."""
        return tuple(name.removesuffix(".weights") for name in self.arrays if name.endswith(".weights"))

    @property
    def nets(self) -> tuple[str, ...]:
        """Return every feed-forward net, in the order of the pass."""
        return tuple(name.removesuffix(".units") for name in self.arrays if name.endswith(".units"))
