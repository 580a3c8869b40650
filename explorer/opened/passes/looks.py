"""Look at a text with an opened model: every head's rule and tile, and the maps of one attention."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from transformers import GenerationConfig

from explorer.opened.passes import capture, rules, words
from explorer.opened.passes.capture import Call
from explorer.opened.passes.loader import OpenedModel
from explorer.opened.refused import ModelRefused
from explorer.records.attention import AttentionRecord
from explorer.records.opened.look import ModelLook, OpenedTokens, Site, code, pool
from explorer.records.provenance import Provenance

Inputs = Mapping[str, Tensor]
#: What its configuration says of writing that is heeded; a folder's own settings of decoding are not.
_WRITING = ("decoder_start_token_id", "bos_token_id", "eos_token_id", "pad_token_id", "forced_bos_token_id")
#: Words that a model of two stacks writes at most.
MOST_WRITTEN = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The input of one pass, and the tokens of it; `written` as of `ModelLook`."""

    inputs: Inputs
    keys: OpenedTokens
    queries: OpenedTokens
    written: OpenedTokens | None = None


@dataclass(frozen=True, slots=True)
class Attention:
    """One attention of a pass, of the first text of the batch.

    Attributes:
        weights: `[heads, queries, keys]`, float32.
        value_norms: `[kv_heads, keys]`; empty where the family does not show its values.
        allowed: True = may attend; None where everything may.
    """

    site: Site
    weights: Tensor
    value_norms: Tensor
    allowed: Tensor | None


def read_text(opened: OpenedModel, text: str, most: int, start: str = "") -> Given:
    """Cut a text for a model; one of two stacks also writes its answer, which its decoder then reads.

    Args:
        most: tokens.
        start: the token that the answer begins with where a model writes several languages, such as `__fr__`.

    Raises:
        ModelRefused: there is nothing to read, the model reads pictures, or it has no such token to begin with.
    """
    if opened.tokenizer is None:
        raise ModelRefused("vision")
    most = most_tokens(opened, most)
    kind = opened.card.kind
    cut = words.read(opened.tokenizer, text, most, goes_on=kind in ("decoder", "unknown"))
    inputs = {"input_ids": torch.tensor([cut.ids])}
    if kind != "encoder-decoder":
        return Given(inputs=inputs, keys=cut, queries=cut)
    if not opened.predicts:
        raise ModelRefused("no_head")
    ids = write(opened, inputs, min(most, MOST_WRITTEN), start)
    read = {**inputs, "decoder_input_ids": torch.tensor([ids[:-1]])}
    queries, written = (words.written_tokens(opened.tokenizer, part) for part in (ids[:-1], ids[1:]))
    return Given(inputs=read, keys=cut, queries=queries, written=written)


@torch.inference_mode()
def write(opened: OpenedModel, inputs: Inputs, most: int, start: str) -> list[int]:
    """Return what a model of two stacks writes, the likeliest word at each step, its start included.

    Attentions are taken afterwards in one pass over source and answer: they are those of the steps.
    """
    said = {name: getattr(opened.model.config, name, None) for name in _WRITING}
    if start:
        said["forced_bos_token_id"] = _token_id(opened, start)
    begin = ("decoder_start_token_id", "bos_token_id", "pad_token_id")
    said["decoder_start_token_id"] = next((said[name] for name in begin if said[name] is not None), 0)
    opened.model.generation_config = GenerationConfig(max_new_tokens=most, num_beams=1, do_sample=False, **said)
    ids: list[int] = opened.model.generate(**inputs)[0].tolist()
    return ids


def _token_id(opened: OpenedModel, token: str) -> int:
    found = opened.tokenizer.convert_tokens_to_ids(token)
    if found is None or found == opened.tokenizer.unk_token_id:
        raise ModelRefused("no_start", token=token)
    return int(found)


def most_tokens(opened: OpenedModel, most: int) -> int:
    """Return how many tokens are read: some families number the first place 2."""
    longest = opened.card.longest
    return min(most, longest - 2) if longest > 2 else most


@torch.inference_mode()
def attend(opened: OpenedModel, inputs: Inputs, take: Callable[[Attention], None]) -> None:
    """Run one pass and show each of its attentions; words are not predicted, which takes as long as several layers.

    A family whose code does not pass through our function is asked for its weights by name.
    """
    if opened.own:
        with capture.watching(lambda call: take(_seen(opened, call))):
            opened.model.base_model(**inputs)
        return
    result = opened.model(**inputs, output_attentions=True)
    causal = opened.card.kind in ("decoder", "unknown")
    for site, weights in zip(opened.sites, result.attentions, strict=True):
        allowed = torch.ones(weights.shape[-2:], dtype=torch.bool).tril() if causal else None
        take(Attention(site, weights[0].float(), torch.zeros(0, 0), allowed))


def _seen(opened: OpenedModel, call: Call) -> Attention:
    return Attention(
        opened.sites[call.number], call.weights[0].float(), call.values[0].float().norm(dim=-1), call.allowed
    )


def look(opened: OpenedModel, given: Given) -> ModelLook:
    """Look at a text: rules, tiles and values of every head; maps are let go layer by layer."""
    found: list[Attention] = []
    judged, tiles = [], []

    def take(each: Attention) -> None:
        queries, keys = tokens(given, each.site)
        judged.append(rules.judge(each.weights, queries, keys, each.allowed))
        tiles.append(code(pool(each.weights.numpy())))
        found.append(Attention(each.site, each.weights.new_zeros(0), each.value_norms, None))

    attend(opened, given.inputs, take)
    return ModelLook(
        keys=given.keys,
        queries=given.queries,
        written=given.written,
        sites=tuple(each.site for each in found),
        rules=tuple(judged),
        tiles=tuple(tiles),
        value_norms=tuple(each.value_norms.numpy() for each in found),
        switchable=opened.own,
        predicts=opened.predicts,
        provenance=provenance(opened, look),
    )


def attention(opened: OpenedModel, given: Given, number: int) -> AttentionRecord:
    """Return the maps of one attention, whole, in float32.

    Raises:
        ModelRefused: there is no such site.
    """
    taken: list[Attention] = []
    attend(opened, given.inputs, lambda each: taken.append(each) if each.site.number == number else None)
    if not taken:
        raise ModelRefused("number", name="site", value=number, least=0, limit=opened.card.layers - 1)
    return as_record(opened, given, taken[0])


def rows(opened: OpenedModel, given: Given, query: int) -> list[npt.NDArray[np.float32]]:
    """Return what one token looks at in every attention: `[heads, keys]` of each.

    Raises:
        ModelRefused: there is no such token.
    """
    if not 0 <= query < len(given.queries):
        raise ModelRefused("number", name="token", value=query, least=0, limit=len(given.queries) - 1)
    found: list[npt.NDArray[np.float32]] = []
    attend(opened, given.inputs, lambda each: found.append(each.weights[:, query].numpy()))
    return found


def as_record(opened: OpenedModel, given: Given, each: Attention) -> AttentionRecord:
    """Return an attention as every figure of the app takes it."""
    queries, keys = tokens(given, each.site)
    cross = each.site.part == "cross"
    return AttentionRecord(
        site=each.site.name,
        kind="cross" if cross else "self" if each.allowed is None else "causal",
        weights=each.weights.numpy(),
        query_labels=queries.row.labels,
        key_labels=keys.row.labels,
        query_role="read",
        provenance=provenance(opened, attention, detail=each.site.name),
        layer=each.site.layer,
        allowed=None if each.allowed is None else np.asarray(each.allowed.numpy()),
    )


def provenance(opened: OpenedModel, computation: Callable[..., object], detail: str = "") -> Provenance:
    """Return where the numbers of an opened model come from."""
    return Provenance.of(computation, model=opened.card.name, revision=opened.card.revision, detail=detail)


def tokens(given: Given, site: Site) -> tuple[OpenedTokens, OpenedTokens]:
    """Return the tokens of the rows (queries) and of the columns (keys) of an attention."""
    if site.part == "encoder":
        return given.keys, given.keys
    return (given.queries, given.keys) if site.part == "cross" else (given.queries, given.queries)
