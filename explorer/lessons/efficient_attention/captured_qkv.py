"""Queries, keys and values of one layer: of a shipped model that reads a text, or random."""

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.attention.positions import rotary_angles, turn
from explorer.inference.gpt.generate import LoadedGPT
from explorer.inference.translator.translate import InputRefused, clean, encode_source, load
from explorer.nn.blocks import EncoderLayer
from explorer.nn.head_parts import project
from explorer.nn.tape import Tape
from explorer.records.provenance import Provenance
from explorer.records.readonly import record


@record
class Captured:
    """Queries, keys and values of one layer's heads, on the CPU in float32.

    Attributes:
        query: with its position, where the model gives it one.
        key: likewise.
        value: what is averaged.
        causal: whether the model lets a position see the past alone.
        provenance: where it comes from.
    """

    query: Float[Tensor, "heads positions d_key"]
    key: Float[Tensor, "heads positions d_key"]
    value: Float[Tensor, "heads positions d_key"]
    labels: tuple[str, ...]
    causal: bool
    provenance: Provenance


@torch.no_grad()
def of_gpt(gpt: LoadedGPT, text: str, *, layer: int) -> Captured:
    """Capture a decoder-only model that reads a text, at most as much as it was trained on.

    The layer is clamped to those there are.

    Raises:
        InputRefused: there is no text.
        ValueError: the model's positions are ALiBi: its scores are more than q·k.
    """
    ids = gpt.tokenizer.encode(text)[: gpt.model.config.max_length]
    if not ids:
        raise InputRefused("empty")
    layer = min(max(layer, 0), gpt.model.config.n_layers - 1)
    tape, module = Tape(), gpt.model.layers[layer]
    gpt.model(torch.tensor([ids], device=gpt.device), tape=tape)
    assert isinstance(module, EncoderLayer)
    read = tape.read(f"layers.{layer}.self").query_input
    query, key, value = project(module.self_attention, read, read)
    query, key, value = (each.cpu() for each in (apply_positions(gpt, query), apply_positions(gpt, key), value))
    return Captured(
        query=query[0],
        key=key[0],
        value=value[0],
        labels=tuple(gpt.tokenizer.pieces(ids)),
        causal=True,
        provenance=gpt.provenance(of_gpt, f"layers.{layer}.self"),
    )


def apply_positions(
    gpt: LoadedGPT, x: Float[Tensor, "*batch positions d_key"]
) -> Float[Tensor, "*batch positions d_key"]:
    """Return queries or keys with their positions, where the model turns them.

    Raises:
        ValueError: the model's positions are ALiBi.
    """
    config = gpt.model.config
    if config.position == "alibi":
        raise ValueError(f"{gpt.name}: ALiBi adds to the scores, which mechanisms that form no scores cannot do")
    if config.position != "rotary":
        return x
    return turn(x, rotary_angles(torch.arange(x.shape[-2], device=x.device), config.d_key))


@torch.no_grad()
def of_encoder(checkpoint: str, text: str, *, layer: int) -> Captured:
    """Capture the translator's encoder as it reads a sentence.

    The text is cleaned first, the layer clamped to those there are.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: it cannot be used.
        DeviceRefused: `EXPLORER_DEVICE` names a device that is not there.
    """
    translator = load(checkpoint)
    model, ids = translator.prepared.model, encode_source(translator, clean(text))
    layer = min(max(layer, 0), len(model.encoder.layers) - 1)
    tape, module = Tape(), model.encoder.layers[layer]
    assert isinstance(module, EncoderLayer)
    tokens = torch.tensor([ids], device=translator.prepared.device)
    model(tokens, torch.tensor([[model.config.bos_id]], device=tokens.device), tape=tape)
    site = f"encoder.layers.{layer}.self"
    read = tape.read(site).query_input[0]
    query, key, value = (each.float().cpu() for each in project(module.self_attention, read, read))
    return Captured(
        query=query,
        key=key,
        value=value,
        labels=tuple(translator.tokenizer.pieces(ids)),
        causal=False,
        provenance=translator.provenance.by(of_encoder, dtype="float32", detail=site),
    )


def draw_normal(*, n: int, heads: int, d: int, seed: int, causal: bool) -> Captured:
    """Draw standard normal numbers: a head that looks for nothing in particular."""
    query, key, value = torch.randn(3, heads, n, d, generator=torch.Generator().manual_seed(seed)).unbind()
    return Captured(
        query=query,
        key=key,
        value=value,
        labels=tuple(str(position) for position in range(n)),
        causal=causal,
        provenance=Provenance.of(draw_normal, seed=seed, detail=f"{heads} heads, n {n}, d {d}"),
    )
