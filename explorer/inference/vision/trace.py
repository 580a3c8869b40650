"""Look at a model that sees while it reads one picture: every attention, every gate, and what goes when parts go."""

import copy
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
import torch
from jaxtyping import Float, UInt8
from torch import Tensor

from explorer.attention.channel_spatial import apply_gate
from explorer.attention.image_measures import even_distance, mean_distance, similarity
from explorer.attention.rollout_flow import rollout
from explorer.data.images import normalise
from explorer.inference.vision.classify import LoadedVision, probabilities
from explorer.models.cnn import CNN
from explorer.models.vit import ViT
from explorer.nn.attention import MultiHeadAttention
from explorer.nn.channel_spatial import GateTape
from explorer.nn.tape import Tape
from explorer.records.image import ChannelGates, Classification, Hidden, PatchAttention, PositionCodes, SpatialGate

#: A head by layer and number.
HeadPlace = tuple[int, int]


def cover_patches(
    pixels: UInt8[Tensor, "3 rows columns"], patches: Collection[int], grid: int
) -> UInt8[Tensor, "3 rows columns"]:
    """The picture with some patches, numbered row by row from 0, painted in its mean colour (Zeiler & Fergus 2014)."""
    painted, mean = pixels.clone(), pixels.float().mean((1, 2)).round().to(torch.uint8)[:, None, None]
    side = pixels.shape[-1] // grid
    for patch in patches:
        top, left = (position * side for position in divmod(patch, grid))
        painted[:, top : top + side, left : left + side] = mean
    return painted


def without_heads(model: ViT, heads: Collection[HeadPlace]) -> ViT:
    """A copy of a vision Transformer in which some heads add nothing: their columns of W^O are 0.

    Raises:
        IndexError: there is no such head.
    """
    if not heads:
        return model
    private = copy.deepcopy(model)
    with torch.no_grad():
        for layer, head in heads:
            _columns(private, layer, head).zero_()
    return private


def _columns(model: ViT, layer: int, head: int) -> Tensor:
    """Return the columns of W^O that a head's output meets, as a view."""
    if not (0 <= layer < model.config.n_layers and 0 <= head < model.config.n_heads):
        raise IndexError(f"there is no head {layer}.{head}")
    attention = model.layers[layer].get_submodule("self_attention")
    assert isinstance(attention, MultiHeadAttention)
    d_key = model.config.d_model // model.config.n_heads
    return attention.output.weight[:, head * d_key : (head + 1) * d_key]


@torch.inference_mode()
def answer(
    loaded: LoadedVision, pixels: UInt8[Tensor, "3 rows columns"], heads: Collection[HeadPlace] = ()
) -> Classification:
    """Classify a picture, with some heads of a Transformer taken away."""
    model = without_heads(loaded.model, heads) if isinstance(loaded.model, ViT) else loaded.model
    detail = ", ".join(f"without head {layer}.{head}" for layer, head in sorted(heads))
    return _classification(loaded, probabilities(model, pixels[None])[0], detail)


def _classification(loaded: LoadedVision, found: Float[Tensor, " classes"], detail: str = "") -> Classification:
    provenance = loaded.provenance(probabilities, detail)
    return Classification(classes=loaded.classes.names, probabilities=found.numpy(), provenance=provenance)


@torch.inference_mode()
def patch_attention(
    loaded: LoadedVision, pixels: UInt8[Tensor, "3 rows columns"]
) -> tuple[Classification, PatchAttention]:
    """Answer and every self-attention of one pass of a vision Transformer."""
    assert isinstance(loaded.model, ViT)
    tape, config = Tape(), loaded.model.config
    logits = loaded.model(normalise(pixels[None].to(loaded.device)), tape=tape)[0].cpu()
    weights = torch.stack([tape[site].weights[0] for site in tape.sites]).cpu()
    rolled = [rollout(weights[: layer + 1].mean(1)) for layer in range(len(weights))]
    attention = PatchAttention(
        weights=weights.numpy(),
        rollout=torch.stack(rolled).numpy(),
        distances=mean_distance(weights, config.grid, config.patch_size).numpy(),
        even_distance=even_distance(config.grid, config.patch_size),
        grid=config.grid,
        patch_size=config.patch_size,
        provenance=loaded.provenance(ViT.forward),
    )
    return _classification(loaded, torch.softmax(logits.float(), -1)), attention


@torch.inference_mode()
def position_codes(loaded: LoadedVision) -> PositionCodes:
    """Compare the learned codes of the patches' places. The class token's code is left out."""
    assert isinstance(loaded.model, ViT)
    return PositionCodes(
        cosine=similarity(loaded.model.positions[0, 1:].cpu()).numpy(),
        grid=loaded.model.config.grid,
        provenance=loaded.provenance(similarity),
    )


@torch.inference_mode()
def gates(
    loaded: LoadedVision, pixels: UInt8[Tensor, "3 rows columns"], others: Sequence[UInt8[Tensor, "3 rows columns"]]
) -> tuple[tuple[ChannelGates, ...], tuple[SpatialGate, ...]]:
    """Trace every gate of a convolutional network, in the order of the pass.

    Args:
        others: pictures to say what is usual, each channel's mean over them.
    """
    assert isinstance(loaded.model, CNN)
    tape = GateTape()
    loaded.model(normalise(torch.stack([pixels, *others]).to(loaded.device)), tape=tape)
    channels, positions = [], []
    for site in tape.sites:
        seen = tape[site]
        provenance = loaded.provenance(apply_gate, site)
        if site.endswith(".spatial"):
            read = seen.read[0].cpu()
            maps = {"gate": seen.gate[0, 0].cpu(), "mean": read.mean(0), "strongest": read.amax(0)}
            positions.append(SpatialGate(site=site, provenance=provenance, **{k: v.numpy() for k, v in maps.items()}))
        else:
            gate = seen.gate[:, :, 0, 0].cpu()
            usual = gate[1:].mean(0) if others else torch.full_like(gate[0], torch.nan)
            channels.append(
                ChannelGates(
                    site=site,
                    gate=gate[0].numpy(),
                    usual=usual.numpy(),
                    read=seen.read[0].cpu().numpy(),
                    provenance=replace(provenance, detail=f"{site}, usual: mean over {len(others)} pictures"),
                )
            )
    return tuple(channels), tuple(positions)


@torch.inference_mode()
def measure_removals(loaded: LoadedVision, pixels: UInt8[Tensor, "3 rows columns"]) -> Hidden:
    """Measure how the likeliest class fares without each patch, and without each head: all of them, one at a time."""
    assert isinstance(loaded.model, ViT)
    config, before = loaded.model.config, answer(loaded, pixels)
    chosen = before.order[0]
    painted = torch.stack([cover_patches(pixels, [patch], config.grid) for patch in range(config.grid**2)])
    without = probabilities(loaded.model, painted)[:, chosen].view(config.grid, config.grid)
    heads = _without_each_head(loaded.model, pixels, chosen)
    usual = float(before.probabilities[chosen])
    return Hidden(
        of=before.likeliest,
        before=usual,
        patches=without.numpy() - np.float32(usual),
        heads=heads.numpy() - np.float32(usual),
        provenance=loaded.provenance(measure_removals, before.likeliest),
    )


def _without_each_head(
    model: ViT, pixels: UInt8[Tensor, "3 rows columns"], chosen: int
) -> Float[Tensor, "layers heads"]:
    private, found = copy.deepcopy(model), torch.empty(model.config.n_layers, model.config.n_heads)
    for layer in range(model.config.n_layers):
        for head in range(model.config.n_heads):
            columns = _columns(private, layer, head)
            kept = columns.clone()
            columns.zero_()
            found[layer, head] = probabilities(private, pixels[None])[0, chosen]
            columns.copy_(kept)
    return found
