"""Find every attention of a model, by the smallest pass: in which order, in which part, with how many heads."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch
from torch import Tensor

from explorer.opened.passes import capture
from explorer.records.heads import Part
from explorer.records.opened.card import ModelCard
from explorer.records.opened.look import Site

#: Modules of cross-attention, by a part of their path: equal lengths hide it from shapes, and flags differ by family.
_CROSS = {"encoder_attn", "EncDecAttention", "crossattention", "cross_attn"}


class FirstPass(NamedTuple):
    """The smallest pass of a model.

    Attributes:
        sites: every attention, in order.
        trunk: the module whose last hidden state the prediction head reads.
    """

    sites: tuple[Site, ...]
    trunk: Any


@torch.inference_mode()
def through_ours(model: Any, card: ModelCard) -> FirstPass | None:
    """Run a model whose attentions are to pass through our function; None where not every one does."""
    paths = {module: path for path, module in model.named_modules()}
    found: list[tuple[str, int, int]] = []

    def take(call: capture.Call) -> None:
        found.append((paths[call.module], call.weights.shape[1], call.values.shape[1]))

    with capture.watching(take), _trunk(model) as trunk:
        try:
            model(**example(model, card))
        except KeyError:  # a table of attentions that is asked at each pass
            return None
    every = len(found) >= card.layers + 2 * card.decoder_layers
    return FirstPass(_numbered(found, card), trunk[-1]) if every else None


@torch.inference_mode()
def by_name(model: Any, card: ModelCard) -> FirstPass:
    """Run a model of a family that computes attention by itself, and is asked for it by name: layer by layer."""
    with _trunk(model) as trunk:
        result = model(**example(model, card), output_attentions=True)
    layers = [path for path, _ in model.named_modules() if path.rpartition(".")[2].isdecimal()]
    weights: Sequence[Tensor] = [each for each in result.get("attentions") or () if each is not None]
    heads = [each.shape[1] for each in weights]
    found = [(path, number, min(card.kv_heads, number)) for path, number in zip(layers, heads)]  # noqa: B905
    return FirstPass(_numbered(found, card), trunk[-1])


@contextmanager
def _trunk(model: Any) -> Iterator[list[Any]]:
    """Note the outermost part of a model that is called: OPT's head asks the decoder, past the model around it."""
    called: list[Any] = [model]
    parts = [each for each in (getattr(model.base_model, "decoder", None), model.base_model) if each is not None]
    handles = [each.register_forward_hook(lambda module, *_: called.append(module)) for each in parts]
    try:
        yield called
    finally:
        for handle in handles:
            handle.remove()


def example(model: Any, card: ModelCard) -> dict[str, Tensor]:
    """Return the smallest input."""
    if card.kind == "vision":
        size = model.config.image_size
        height, width = size if isinstance(size, list | tuple) else (size, size)
        return {"pixel_values": torch.zeros(1, getattr(model.config, "num_channels", 3), height, width)}
    ids = torch.zeros(1, 3, dtype=torch.long)
    return {"input_ids": ids, "decoder_input_ids": ids} if card.kind == "encoder-decoder" else {"input_ids": ids}


def _numbered(found: Sequence[tuple[str, int, int]], card: ModelCard) -> tuple[Site, ...]:
    parts = [_part(path.split("."), card) for path, _, _ in found]
    return tuple(
        Site(number=at, part=part, layer=parts[:at].count(part), path=path, heads=heads, kv_heads=kv_heads)
        for at, (part, (path, heads, kv_heads)) in enumerate(zip(parts, found, strict=True))
    )


def _part(path: list[str], card: ModelCard) -> Part:
    if _CROSS.intersection(path):
        return "cross"
    if card.kind == "encoder-decoder":
        return "encoder" if "encoder" in path else "decoder"
    return "decoder" if card.kind in ("decoder", "unknown") else "encoder"
