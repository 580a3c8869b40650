"""What position codes do in trained models: learned tables, distances, permutations, and how they enter."""

import copy
import math
from dataclasses import replace
from functools import lru_cache

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from explorer.attention.positions import rotary_angles, turn, wavelengths
from explorer.data.text import excerpt
from explorer.inference.gpt import LoadedGPT, loaded
from explorer.inference.translator import LoadedTranslator, clean, encode_source
from explorer.models.gpt import GPT
from explorer.models.translator import Translator
from explorer.nn.blocks import EncoderLayer
from explorer.nn.positions import POSITION_KINDS, LearnedPositions, PositionKind
from explorer.nn.tape import Tape
from explorer.records.positions import (
    DecayRecord,
    EntryRecord,
    LearnedTableRecord,
    PermutationRecord,
    RotaryPairRecord,
)
from explorer.records.provenance import Provenance

HERE = "explorer.inference.positions"
#: Windows of the excerpt that `decay` reads.
DECAY_WINDOWS = 16


class PairRefused(ValueError):
    """A pair of characters cannot be scored: the key must not come after the query, and both must be there."""


def checkpoint(kind: PositionKind) -> str:
    """Name of the bundled model that was trained with a kind of positions."""
    return f"positions-{kind}"


def kinds() -> tuple[PositionKind, ...]:
    """Every kind that a bundled model was trained with."""
    return POSITION_KINDS


@torch.inference_mode()
def learned_table(gpt: LoadedGPT) -> LearnedTableRecord:
    """The position codes that a model learned.

    Raises:
        ValueError: if its positions are not learned.
    """
    table = gpt.model.positions
    if not isinstance(table, LearnedPositions):
        raise ValueError(f"{gpt.name} has {gpt.model.config.position} positions, not learned ones")
    codes = table(table.weight.shape[0])
    unit = F.normalize(codes.double(), dim=-1)
    similarity = unit @ unit.T
    by_offset = [float(similarity.diagonal(offset).mean()) for offset in range(len(codes))]
    return LearnedTableRecord(
        codes=codes.numpy(),
        similarity=similarity.float().numpy(),
        by_offset=np.array(by_offset),
        provenance=gpt.provenance(f"{HERE}.learned_table"),
    )


@torch.inference_mode()
def rotary_pair(
    gpt: LoadedGPT, text: str, *, query: int, key: int, layer: int, head: int, furthest: int = 256
) -> RotaryPairRecord:
    """Take a query and a key from a rotary model that reads a text, and score them at every distance.

    Args:
        gpt: a model with rotary positions.
        text: at most the training length is read.
        query: place of the asking character in the text.
        key: place of the asked one, not after the query.
        layer: clamped to those there are.
        head: clamped to those there are.
        furthest: largest distance.

    Raises:
        ValueError: if the model's positions are not rotary.
        PairRefused: if a place lies outside the text, or the key after the query.
    """
    config = gpt.model.config
    if config.position != "rotary":
        raise ValueError(f"{gpt.name} has {config.position} positions, not rotary ones")
    ids = gpt.tokenizer.encode(text)[: config.max_length]
    if not 0 <= key <= query < len(ids):
        raise PairRefused(f"key {key} and query {query} must be places of the {len(ids)} characters, the key first")
    layer, head = min(max(layer, 0), config.n_layers - 1), min(max(head, 0), config.n_heads - 1)
    tape = Tape()
    q, k = _projected(gpt.model, torch.tensor([ids]), layer, tape)
    q, k = q[head, query].double(), k[head, key].double()
    distances = torch.arange(furthest + 1)
    turned = turn(q.expand(len(distances), -1), rotary_angles(distances, config.d_key))
    parts = (turned * k).view(len(distances), -1, 2).sum(-1) / math.sqrt(config.d_key)  # [distances, pairs]
    ours, theirs = torch.view_as_complex(q.view(-1, 2)), torch.view_as_complex(k.view(-1, 2))
    labels = gpt.tokenizer.pieces(ids)
    return RotaryPairRecord(
        query_label=labels[query],
        key_label=labels[key],
        layer=layer,
        head=head,
        actual=query - key,
        distances=distances.numpy(),
        scores=parts.sum(-1).numpy(),
        parts=parts.T.numpy(),
        amplitude=((ours.abs() * theirs.abs()) / math.sqrt(config.d_key)).numpy(),
        phase=(ours * theirs.conj()).angle().numpy(),
        wavelengths=wavelengths(config.d_key).numpy(),
        unturned=float(q @ k) / math.sqrt(config.d_key),
        computed=float(tape[f"layers.{layer}.self"].scores[0, head, query, key]),
        trained_length=config.max_length,
        provenance=gpt.provenance(f"{HERE}.rotary_pair", f"layers.{layer}.self, head {head}"),
    )


def _projected(
    model: GPT, ids: Int[Tensor, "1 positions"], layer: int, tape: Tape
) -> tuple[Float[Tensor, "heads positions d_key"], Float[Tensor, "heads positions d_key"]]:
    """Queries and keys of one layer before they are turned, computed from what the layer read."""
    read = list(model.states(ids, tape=tape))[layer]
    module = model.layers[layer]
    assert isinstance(module, EncoderLayer)
    attention, normed = module.self_attention, module.self_norm(read)
    query, key = (
        projection(normed)[0].view(ids.shape[1], attention.n_heads, -1).transpose(0, 1)
        for projection in (attention.query, attention.key)
    )
    return query, key


@lru_cache(maxsize=16)
def decay(kind: PositionKind, furthest: int = 64, n_windows: int = DECAY_WINDOWS) -> DecayRecord:
    """Mean weight and centred score by distance, of the bundled model of a kind on windows of the excerpt.

    Args:
        kind: of positions.
        furthest: largest distance; clamped to the training length less one. Queries before it do not count.
        n_windows: of the training length.
    """
    gpt = loaded(checkpoint(kind))
    length = gpt.model.config.max_length
    furthest = min(max(furthest, 1), length - 1)
    ids = torch.tensor(gpt.tokenizer.encode(excerpt())[: n_windows * length]).view(-1, length)
    queries = torch.arange(furthest, length)
    places = queries[:, None] - torch.arange(furthest + 1)  # [queries, distances]
    tape = Tape()
    with torch.inference_mode():
        gpt.model(ids, tape=tape)
        found = [_by_distance(tape[site].weights, tape[site].scores, queries, places) for site in tape.sites]
    weights, scores, spread = (torch.stack(each).numpy() for each in zip(*found, strict=True))
    share = weights.cumsum(-1) / weights.sum(-1, keepdims=True)
    return DecayRecord(
        kind=kind,
        distances=np.arange(furthest + 1),
        weights=weights,
        scores=scores,
        spread=spread,
        reach=(share < 0.5).sum(-1).astype(np.float64),
        n_queries=len(ids) * len(queries),
        trained_length=length,
        provenance=gpt.provenance(f"{HERE}.decay", f"{len(ids)} windows of {length} characters of the excerpt"),
    )


def _by_distance(
    weights: Float[Tensor, "windows heads positions positions"],
    scores: Float[Tensor, "windows heads positions positions"],
    queries: Int[Tensor, " queries"],
    places: Int[Tensor, "queries distances"],
) -> tuple[Float[Tensor, "heads distances"], Float[Tensor, "heads distances"], Float[Tensor, "heads distances"]]:
    """Mean weight, mean and spread of the centred score at each distance."""
    at = weights[:, :, queries[:, None], places].double()  # [windows, heads, queries, distances]
    raw = scores[:, :, queries[:, None], places].double()
    centred = raw - raw.mean(-1, keepdim=True)
    return at.mean((0, 2)), centred.mean((0, 2)), centred.std((0, 2), correction=0)


@torch.inference_mode()
def permutation_test(translator: LoadedTranslator, text: str, *, seed: int) -> PermutationRecord:
    """Let a trained encoder read a sentence and its words shuffled: what changes at each word, apart from its place?

    Without positions the encoder reads √d_model · E[token] alone. Words move whole, `</s>` stays last.

    Args:
        translator: its weights are used as they are, in float32.
        text: the sentence.
        seed: of the order.

    Raises:
        InputRefused: nothing visible was typed, or too much.
    """
    model, tokenizer = _float32(translator.prepared.model), translator.tokenizer
    ids = encode_source(translator, clean(text))
    words = tokenizer.word_groups(ids[:-1])
    draw = np.random.default_rng(seed).permutation(len(words))
    order = np.array([*(place for word in draw for place in words[word]), len(ids) - 1])
    tokens = torch.tensor([ids], device=model.embedding.weight.device)
    moved = torch.from_numpy(order).to(tokens.device)
    found = {}
    for positions in (False, True):
        sentence, shuffled = (_encoded(model, each, positions=positions)[0] for each in (tokens, tokens[:, moved]))
        same = sentence[moved]
        difference = (shuffled - same).abs().amax(-1).double().cpu().numpy()
        found[positions] = difference, F.cosine_similarity(shuffled, same, dim=-1).double().cpu().numpy()
    scale = float(_encoded(model, tokens, positions=True).square().mean().sqrt())
    shuffled_ids = [ids[place] for place in order]
    return PermutationRecord(
        labels=tuple(tokenizer.pieces(ids)),
        shuffled_labels=tuple(tokenizer.pieces(shuffled_ids)),
        order=order,
        text=tokenizer.decode(shuffled_ids),
        without=found[False][0],
        with_positions=found[True][0],
        similarity_without=found[False][1],
        similarity_with=found[True][1],
        scale=scale,
        provenance=_provenance(translator, model, "permutation_test", "encoder", seed),
    )


@torch.inference_mode()
def entry(translator: LoadedTranslator, text: str) -> EntryRecord:
    """Lengths of what enters a trained encoder at each token of a sentence: the token's part and the position's.

    Raises:
        InputRefused: nothing visible was typed, or too much.
    """
    model, tokenizer = _float32(translator.prepared.model), translator.tokenizer
    ids = encode_source(translator, clean(text))
    raw = model.embedding.weight[ids].double().cpu()
    codes = model.embedding.positions[: len(ids)].double().cpu()
    factor = math.sqrt(raw.shape[1])
    lengths = model.embedding.weight.double().norm(dim=-1).cpu() * factor
    low, middle, high = (float(lengths.quantile(share)) for share in (0.05, 0.5, 0.95))
    return EntryRecord(
        labels=tuple(tokenizer.pieces(ids)),
        raw=raw.norm(dim=-1).numpy(),
        scaled=(factor * raw).norm(dim=-1).numpy(),
        position=codes.norm(dim=-1).numpy(),
        total=(factor * raw + codes).norm(dim=-1).numpy(),
        cosine=F.cosine_similarity(raw, codes, dim=-1).numpy(),
        factor=factor,
        vocabulary=(low, middle, high),
        provenance=_provenance(translator, model, "entry", "embedding"),
    )


def _encoded(model: Translator, ids: Int[Tensor, "1 tokens"], *, positions: bool) -> Float[Tensor, "1 tokens d_model"]:
    """What the encoder makes of tokens, with or without the codes of their places."""
    table = model.embedding
    x = F.embedding(ids, table.weight) * math.sqrt(table.weight.shape[1])
    if positions:
        x = x + table.positions[: ids.shape[1]]
    for layer in model.encoder.layers:
        x = layer(x)
    encoded: Tensor = model.encoder.norm(x)
    return encoded


def _float32(model: Translator) -> Translator:
    """The model itself where it computes in float32, else a copy that does: residuals should be small."""
    if model.embedding.weight.dtype == torch.float32:
        return model
    return copy.deepcopy(model).float()


def _provenance(
    translator: LoadedTranslator, model: Translator, function: str, detail: str, seed: int | None = None
) -> Provenance:
    device = model.embedding.weight.device
    return replace(
        translator.provenance,
        computed_by=f"{HERE}.{function}",
        device=device.type,
        dtype="float32",
        detail=detail,
        seed=seed,
    )
