"""Look at a checkpoint of this project as at a model of others: its tape gives the maps."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from explorer.checkpoints.hub import open_checkpoint
from explorer.checkpoints.manifest import CheckpointError
from explorer.data.images import normalise
from explorer.data.pictures import resize
from explorer.inference.masked.fill import encode, log_probabilities
from explorer.inference.refused import InputRefused
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.translator.translate import load, translate
from explorer.models.gpt import GPT
from explorer.models.masked import MaskedEncoder
from explorer.models.vit import ViT
from explorer.nn.tape import Tape
from explorer.opened.cards import our_card
from explorer.opened.passes import rules
from explorer.opened.refused import ModelRefused
from explorer.records.attention import AttentionRecord
from explorer.records.heads import Part
from explorer.records.opened import wire
from explorer.records.opened.card import ModelCard
from explorer.records.opened.look import ModelLook, OpenedTokens, Site, code, patch_tokens, pool
from explorer.records.provenance import Provenance
from explorer.records.sequence import TokenRow

#: A text, or the pixels of a picture: `[rows, columns, 3]`.
Given = str | npt.NDArray[np.uint8]


class Read(NamedTuple):
    """One pass: tokens, and the maps in the order of the sites, `[heads, queries, keys]`."""

    keys: OpenedTokens
    queries: OpenedTokens
    sites: tuple[Site, ...]
    maps: tuple[Tensor, ...]
    written: OpenedTokens | None = None


def answer(order: Mapping[str, Any]) -> Any:
    """Carry an order of `explorer.opened.studio` out for a checkpoint of this project: transformers is not needed.

    Raises:
        ModelRefused: it cannot be done, and why.
    """
    folder = Path(order["folder"])
    given = wire.loads(order["picture"]) if "picture" in order else order.get("text", "")
    asked = given, order["most"], order.get("name", "")
    if order["what"] == "open":
        return our_card.read(folder)
    if order["what"] == "rows":
        return rows(folder, given, order["query"])
    if order["what"] == "look":
        return look(folder, *asked)
    if order["what"] == "attention":
        return attention(folder, *asked, order["site"])
    raise ModelRefused("own_lesson", family=our_card.read(folder).family)


def look(folder: Path, given: Given, most: int, name: str) -> ModelLook:
    """Look at a text or a picture.

    Raises:
        ModelRefused: the checkpoint cannot be used, or there is nothing to read.
    """
    card, read = _read(folder, given, most)
    judged, tiles = [], []
    for site, weights in zip(read.sites, read.maps, strict=True):
        queries, keys = _tokens(read, site)
        judged.append(rules.judge(weights, queries, keys, _allowed(site, weights)))
        tiles.append(code(pool(weights.numpy())))
    return ModelLook(
        keys=read.keys,
        queries=read.queries,
        written=read.written,
        sites=read.sites,
        rules=tuple(judged),
        tiles=tuple(tiles),
        value_norms=(np.zeros((0, 0), np.float32),) * len(tiles),
        switchable=False,
        predicts=False,
        provenance=_provenance(card, name, look, ""),
    )


def attention(folder: Path, given: Given, most: int, name: str, number: int) -> AttentionRecord:
    """Return the maps of one attention.

    Raises:
        ModelRefused: as `look`, or there is no such site.
    """
    card, read = _read(folder, given, most)
    if not 0 <= number < len(read.sites):
        raise ModelRefused("number", name="site", value=number, least=0, limit=len(read.sites) - 1)
    site = read.sites[number]
    queries, keys = _tokens(read, site)
    allowed = _allowed(site, read.maps[number])
    return AttentionRecord(
        site=site.name,
        kind="cross" if site.part == "cross" else "self" if allowed is None else "causal",
        weights=read.maps[number].numpy(),
        query_labels=queries.row.labels,
        key_labels=keys.row.labels,
        query_role="read",
        provenance=_provenance(card, name, attention, site.name),
        layer=site.layer,
        allowed=None if allowed is None else np.asarray(allowed.numpy()),
    )


def rows(folder: Path, picture: npt.NDArray[np.uint8], query: int) -> list[npt.NDArray[np.float32]]:
    """Return what one token of a picture looks at in every attention: `[heads, keys]` of each.

    Raises:
        ModelRefused: as `look`, or there is no such token.
    """
    _, read = _read(folder, picture, 0)
    if not 0 <= query < len(read.queries):
        raise ModelRefused("number", name="token", value=query, least=0, limit=len(read.queries) - 1)
    return [each[:, query].numpy() for each in read.maps]


def _read(folder: Path, given: Given, most: int) -> tuple[ModelCard, Read]:
    card = our_card.read(folder)
    if isinstance(given, str) and card.kind == "vision":
        raise ModelRefused("vision")
    if not isinstance(given, str) and card.kind != "vision":
        raise ModelRefused("picture", what=f"{card.name} reads text")
    if isinstance(given, str) and not given.strip():
        raise ModelRefused("text")
    try:
        if not isinstance(given, str):
            return card, _seen(folder, given)
        reads: Callable[[Path, str, int], Read] = _translated if card.kind == "encoder-decoder" else _of_one_stack
        return card, reads(folder, given, min(most, card.longest or most))
    except CheckpointError as error:
        raise ModelRefused("broken", what=str(error)) from error
    except (InputRefused, ValueError) as error:
        raise ModelRefused("broken", what=str(error)) from error


@torch.inference_mode()
def _of_one_stack(folder: Path, text: str, most: int) -> Read:
    _, model, tokenizer = open_checkpoint(str(folder))
    tape = Tape()
    if isinstance(model, MaskedEncoder):
        ids = encode(tokenizer, text)[:most]
        log_probabilities(model, ids, tape=tape)
    else:
        assert isinstance(model, GPT)
        ids = tokenizer.encode(text)[:most]
        list(model.states(torch.tensor([ids]), tape=tape))
    tokens = _named(tokenizer.pieces(ids), ids, getattr(tokenizer, "special_ids", frozenset()))
    maps = tuple(tape[site].weights[0].float() for site in tape.sites)
    part: Part = "encoder" if isinstance(model, MaskedEncoder) else "decoder"
    sites = _numbered([(part, site) for site in tape.sites], maps)
    return Read(tokens, tokens, sites, maps)


@torch.inference_mode()
def _seen(folder: Path, picture: npt.NDArray[np.uint8]) -> Read:
    _, model, _ = open_checkpoint(str(folder))
    assert isinstance(model, ViT)
    config, tape = model.config, Tape()
    pixels = torch.from_numpy(resize(picture, config.image_size).copy()).permute(2, 0, 1)
    model(normalise(pixels[None]), tape=tape)
    tokens = patch_tokens(["[CLS]"], config.grid, config.grid)
    maps = tuple(tape[site].weights[0].float() for site in tape.sites)
    return Read(tokens, tokens, _numbered([("encoder", site) for site in tape.sites], maps), maps)


def _translated(folder: Path, text: str, most: int) -> Read:
    trace = translate(load(str(folder)), text, DecodingOptions(beam=1, max_length=most)).trace
    keys = OpenedTokens(row=trace.source, ids=trace.source_ids)
    queries = OpenedTokens(row=trace.read, ids=(-1, *trace.written_ids[:-1]))
    maps = tuple(torch.from_numpy(each.weights.copy()) for each in trace.attentions)
    parts: list[tuple[Part, str]] = [
        ("cross" if each.kind == "cross" else "decoder" if each.kind == "causal" else "encoder", each.site)
        for each in trace.attentions
    ]
    written = OpenedTokens(row=trace.written, ids=trace.written_ids)
    return Read(keys, queries, _numbered(parts, maps), maps, written)


def _named(labels: Sequence[str], ids: Sequence[int], special: frozenset[int]) -> OpenedTokens:
    row = TokenRow(
        labels=tuple(labels),
        words=tuple((position,) for position in range(len(labels))),
        word_labels=tuple(labels),
        special=tuple(each in special for each in ids),
    )
    return OpenedTokens(row=row, ids=tuple(ids))


def _numbered(parts: Sequence[tuple[Part, str]], maps: Sequence[Tensor]) -> tuple[Site, ...]:
    names = [part for part, _ in parts]
    return tuple(
        Site(number=at, part=part, layer=names[:at].count(part), path=path, heads=len(maps[at]), kv_heads=len(maps[at]))
        for at, (part, path) in enumerate(parts)
    )


def _tokens(read: Read, site: Site) -> tuple[OpenedTokens, OpenedTokens]:
    return {"encoder": (read.keys, read.keys), "cross": (read.queries, read.keys)}.get(
        site.part, (read.queries, read.queries)
    )


def _allowed(site: Site, weights: Tensor) -> Tensor | None:
    return torch.ones(weights.shape[-2:], dtype=torch.bool).tril() if site.part == "decoder" else None


def _provenance(card: ModelCard, name: str, computation: Callable[..., object], detail: str) -> Provenance:
    return Provenance.of(computation, model=name or card.name, revision=card.revision, detail=detail)
