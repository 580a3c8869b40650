"""Follow the vectors of a decoder from sub-layer to sub-layer, and read each as if it were the last (logit lens)."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F

from explorer.inference.engine.prepared import Prepared
from explorer.inference.translator.trace import AnyTokenizer, log_probabilities, token_row
from explorer.models.translator import Translator, TranslatorConfig
from explorer.nn.blocks import DecoderLayer
from explorer.nn.embeddings import TokenEmbedding
from explorer.nn.tape import Tape
from explorer.records.provenance import Provenance
from explorer.records.residual_stream import SUB_LAYERS, Point, StreamRecord
from explorer.records.sequence import Likely

#: How many next tokens the lens names at each point.
N_NAMED = 5


class Stream(NamedTuple):
    """The vectors of one pass.

    `after[k] == after[k - 1] + added[k]`, bit for bit; after post-norm, that sum normalised as the sub-layer does it.
    """

    tokens: Float[Tensor, "target d_model"]
    positions: Float[Tensor, "target d_model"] | None
    added: Float[Tensor, "points target d_model"]
    after: Float[Tensor, "points target d_model"]


@torch.inference_mode()
def stream(prepared: Prepared, source: Sequence[int], target: Sequence[int]) -> Stream:
    """Return the residual stream while the finished target was read in one traced pass (teacher forcing).

    Returns:
        `added` begins with what the first layer reads, √d · E[token] + P[position]; then come self-attention,
        cross-attention and feed-forward net of each layer.

    Raises:
        ValueError: the model has no residual connections: then there is no such stream.
    """
    expect_stream(prepared.config)
    model, config, tape = prepared.model, prepared.config, Tape(feed_forward=True)
    read = torch.tensor([[config.bos_id, *target[:-1]]], device=prepared.device)
    model(torch.tensor([list(source)], device=prepared.device), read, tape=tape)
    added = [model.embed(read)[0]]
    after = [added[0]]
    for number, layer in enumerate(each for each in model.decoder.layers if isinstance(each, DecoderLayer)):
        site = f"decoder.layers.{number}"
        added += [tape[f"{site}.self"].output[0], tape[f"{site}.cross"].output[0], tape.net(site)[0]]
        for norm, each in zip((layer.self_norm, layer.cross_norm, layer.feed_forward_norm), added[-3:], strict=True):
            after.append(layer.add_residual(norm, after[-1], each))
    tokens = F.embedding(read[0], model.embedding.weight) * math.sqrt(config.d_model)
    return Stream(tokens, _positions(model, len(target)), torch.stack(added), torch.stack(after))


def expect_stream(config: TranslatorConfig) -> None:
    """Raise ValueError where sub-layers add to nothing: without residual connections."""
    if not config.residual:
        raise ValueError("only a model with residual connections has a stream to which each sub-layer adds")


def lens(prepared: Prepared, vectors: Float[Tensor, "target d_model"]) -> Float[Tensor, "target vocab"]:
    """Log-probabilities of the next token if the decoder ended here: its last normalisation and its output, at once.

    softmax(norm(x) Eᵀ) (nostalgebraist 2020, “interpreting GPT: the logit lens”), over the tokens decoding may write.
    """
    return log_probabilities(prepared, prepared.model.logits(prepared.model.decoder.norm(vectors)))


@torch.inference_mode()
def follow(
    prepared: Prepared, tokenizer: AnyTokenizer, source: Sequence[int], target: Sequence[int], provenance: Provenance
) -> StreamRecord:
    """Lengths of the stream and of what each sub-layer adds, and what the lens reads at every point."""
    found = stream(prepared, source, target)
    written = torch.tensor(list(target), device=prepared.device)
    likeliest, shares, ranks = [], [], []
    for vectors in found.after:  # one point at a time: all logits at once would be many
        logs = lens(prepared, vectors)
        mine = logs.gather(-1, written[:, None])
        likeliest.append(_named(logs, tokenizer))
        shares.append(mine[:, 0].exp())
        ranks.append((logs > mine).sum(-1))
    layers = range(prepared.config.n_decoder_layers)
    return StreamRecord(
        points=(Point(what="read"), *(Point(what=what, layer=layer) for layer in layers for what in SUB_LAYERS)),
        read_labels=token_row(tokenizer, [prepared.config.bos_id, *target[:-1]]).labels,
        written_labels=token_row(tokenizer, target).labels,
        norm=found.after.float().norm(dim=-1).cpu().numpy(),
        added=found.added.float().norm(dim=-1).cpu().numpy(),
        token_norm=found.tokens.float().norm(dim=-1).cpu().numpy(),
        position_norm=None if found.positions is None else found.positions.float().norm(dim=-1).cpu().numpy(),
        likeliest=tuple(likeliest),
        share=torch.stack(shares).cpu().numpy(),
        rank=torch.stack(ranks).cpu().numpy(),
        provenance=provenance.by(follow, detail="one traced pass"),
    )


def _positions(model: Translator, n: int) -> Float[Tensor, "target d_model"] | None:
    """Return the codes that the model adds to its tokens; None where positions act elsewhere, or nowhere."""
    if isinstance(model.embedding, TokenEmbedding):
        return model.positional_encodings[:n]
    return None if model.positions is None else model.positions(n)


def _named(logs: Float[Tensor, "target vocab"], tokenizer: AnyTokenizer) -> tuple[tuple[Likely, ...], ...]:
    best, ids = logs.topk(min(N_NAMED, logs.shape[-1]))
    named = []
    for row, shares in zip(ids.tolist(), best.exp().tolist(), strict=True):
        pairs = zip(tokenizer.pieces(row), shares, strict=True)
        named.append(tuple(Likely(label=label, probability=share) for label, share in pairs))
    return tuple(named)
