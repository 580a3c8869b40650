"""One head of a vision Transformer: the query of one token past the keys of all."""

import torch
from jaxtyping import UInt8
from torch import Tensor

from explorer.data.images import normalise
from explorer.inference.one_query import one_query
from explorer.inference.vision.classify import LoadedVision
from explorer.models.vit import ViT
from explorer.nn.attention import MultiHeadAttention
from explorer.nn.head_parts import project
from explorer.nn.tape import Tape
from explorer.records.attention import AttentionRecord
from explorer.records.journey import JourneyRecord


@torch.inference_mode()
def journey(
    loaded: LoadedVision,
    pixels: UInt8[Tensor, "3 rows columns"],
    *,
    layer: int,
    head: int,
    query: int,
    names: tuple[str, ...],
) -> JourneyRecord:
    """Return what a token meets in a head.

    Args:
        layer: from 0.
        head: from 0.
        query: 0 is the class token, then the patches row by row.
        names: of all tokens.
    """
    assert isinstance(loaded.model, ViT)
    model, tape, site = loaded.model, Tape(), f"layers.{layer}.self"
    model(normalise(pixels[None].to(loaded.device)), tape=tape)
    read = tape.read(site).context[0]
    attention = model.get_submodule(f"layers.{layer}.self_attention")
    assert isinstance(attention, MultiHeadAttention)
    traced = AttentionRecord(
        site=site,
        kind="self",
        layer=layer,
        weights=tape[site].weights[0].cpu().numpy(),
        query_labels=names,
        key_labels=names,
        query_role="read",
        provenance=loaded.provenance(ViT.forward, f"{site}, head {head}, query {query}"),
    )
    return one_query(project(attention, read[query : query + 1], read), head, names[query], names, traced)
