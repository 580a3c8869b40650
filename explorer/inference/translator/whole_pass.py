"""Record one pass of a translator part by part: what each part read, computed and added."""

from typing import cast

import torch
from jaxtyping import Float
from torch import Tensor, nn

from explorer.inference.translator.logit_lens import expect_stream
from explorer.inference.translator.translate import LoadedTranslator
from explorer.models.translator import Translator
from explorer.nn.attention import MultiHeadAttention
from explorer.nn.blocks import ACTIVATIONS, DecoderLayer, EncoderLayer, FeedForward
from explorer.nn.embeddings import TokenTable
from explorer.nn.tape import Tape
from explorer.records.sequence import Trace
from explorer.records.whole_pass import WholePass

_Vectors = Float[Tensor, "tokens d_model"]


class _Recorder:
    """Collects the arrays of one pass; what the tape does not hold is computed again by the model's own maps."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.arrays: dict[str, Tensor] = {}

    def tokens(self, model: Translator, stack: str, ids: Tensor) -> _Vectors:
        """Record token vectors, codes of the places and their sum; return the sum."""
        embedded = TokenTable.forward(model.embedding, ids)
        self.arrays |= {f"{stack}.embed": embedded, f"{stack}.place": model.positional_encodings[: len(ids)]}
        self.arrays[f"{stack}.x"] = embedded + model.positional_encodings[: len(ids)]
        return self.arrays[f"{stack}.x"]

    def normed(self, name: str, norm: nn.LayerNorm, x: _Vectors) -> _Vectors:
        """Record mean and scale of a layer norm; return what it makes of `x`."""
        self.arrays[f"{name}.mean"] = x.mean(-1)
        self.arrays[f"{name}.scale"] = (x.var(-1, correction=0) + norm.eps).sqrt()
        result: Tensor = norm(x)
        return result

    def attention(self, name: str, site: str, module: MultiHeadAttention, norm: nn.LayerNorm, x: _Vectors) -> _Vectors:
        """Record one attention; return the stream after it."""
        self.normed(name, norm, x)
        observed, inputs = self.tape[site], self.tape.read(site)
        value = module.value(inputs.context[0])
        split = value.view(len(value), module.n_heads, -1).transpose(0, 1)  # [heads, keys, d_key]
        after: Tensor = x + observed.output[0]
        found = {
            "q": module.query(inputs.query_input[0]),
            "k": module.key(inputs.context[0]),
            "v": value,
            "scores": observed.scores[0],
            "weights": observed.weights[0],
            "joined": (observed.weights[0] @ split).transpose(0, 1).flatten(1),
            "added": observed.output[0],
            "after": after,
        }
        self.arrays |= {f"{name}.{each}": array for each, array in found.items()}
        return after

    def net(self, name: str, site: str, module: FeedForward, norm: nn.LayerNorm, x: _Vectors) -> _Vectors:
        """Record one feed-forward net; return the stream after it."""
        units = ACTIVATIONS[module.activation](module.expand(self.normed(name, norm, x)))
        added = self.tape.net(site)[0]
        self.arrays |= {f"{name}.units": units, f"{name}.added": added, f"{name}.after": x + added}
        return x + added


@torch.inference_mode()
def observe(translator: LoadedTranslator, trace: Trace) -> WholePass:
    """Record the pass over a finished translation.

    Raises:
        TypeError: the model's positions are not sinusoidal.
        ValueError: it is no pre-norm model with residual connections.
    """
    prepared = translator.prepared
    model: Translator = prepared.model
    last_norms = model.encoder.norm, model.decoder.norm
    if prepared.config.norm != "pre" or not all(isinstance(norm, nn.LayerNorm) for norm in last_norms):
        raise ValueError("only a model that normalises before each step, and at last, is recorded part by part")
    expect_stream(prepared.config)
    source = torch.tensor(trace.source_ids, device=prepared.device)
    read = torch.tensor([prepared.config.bos_id, *trace.written_ids[:-1]], device=prepared.device)
    tape = Tape(feed_forward=True)
    model(source[None], read[None], tape=tape)
    record = _Recorder(tape)
    x = record.tokens(model, "enc", source)
    for i, encoder_layer in enumerate(model.encoder.layers):
        layer: EncoderLayer | DecoderLayer = cast("EncoderLayer", encoder_layer)
        site, name = f"encoder.layers.{i}", f"enc.{i}"
        x = record.attention(f"{name}.self", f"{site}.self", layer.self_attention, layer.self_norm, x)
        x = record.net(f"{name}.net", site, layer.feed_forward, layer.feed_forward_norm, x)
    record.arrays["enc.end"] = record.normed("enc.end", cast("nn.LayerNorm", model.encoder.norm), x)
    x = record.tokens(model, "dec", read)
    for i, decoder_layer in enumerate(model.decoder.layers):
        layer = cast("DecoderLayer", decoder_layer)
        site, name = f"decoder.layers.{i}", f"dec.{i}"
        x = record.attention(f"{name}.self", f"{site}.self", layer.self_attention, layer.self_norm, x)
        x = record.attention(f"{name}.cross", f"{site}.cross", layer.cross_attention, layer.cross_norm, x)
        x = record.net(f"{name}.net", site, layer.feed_forward, layer.feed_forward_norm, x)
    record.arrays["dec.end"] = hidden = record.normed("dec.end", cast("nn.LayerNorm", model.decoder.norm), x)
    return WholePass(
        arrays={name: array.float().cpu().numpy() for name, array in record.arrays.items()},
        logits=model.logits(hidden).float().cpu().numpy(),
        source=trace.source,
        read=trace.read,
        written=trace.written,
        steps=trace.steps,
        n_heads=trace.n_heads,
        n_encoder=len(model.encoder.layers),
        n_decoder=len(model.decoder.layers),
        provenance=translator.traced_by.by(observe),
    )
