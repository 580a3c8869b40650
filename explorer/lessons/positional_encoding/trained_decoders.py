"""Position codes at work in trained decoder-only models: learned tables, a pair at any distance, decay."""

import math
from functools import lru_cache

import numpy as np
import torch
from torch.nn import functional as F

from explorer.attention.positions import rotary_angles, turn, wavelengths
from explorer.data.text import excerpt
from explorer.inference.gpt.generate import LoadedGPT, load
from explorer.lessons.positional_encoding.records.trained import DecayRecord, LearnedTableRecord, RotaryPairRecord
from explorer.nn.blocks import EncoderLayer
from explorer.nn.head_parts import project
from explorer.nn.positions import LearnedPositions, PositionKind
from explorer.nn.tape import Tape

#: Windows of the excerpt that `decay` reads.
DECAY_WINDOWS = 16


class PairRefused(ValueError):
    """A pair of characters cannot be scored: the key must not come after the query, and both must be there."""


def checkpoint(kind: PositionKind) -> str:
    """Return the name of the bundled model that was trained with a kind of positions."""
    return f"positions-{kind}"


@torch.inference_mode()
def learned_table(gpt: LoadedGPT) -> LearnedTableRecord:
    """Return the position codes that a model learned.

    Raises:
        ValueError: if its positions are not learned.
    """
    table = gpt.model.positions
    if not isinstance(table, LearnedPositions):
        raise ValueError(f"{gpt.name} has {gpt.model.config.position} positions, not learned ones")
    codes = table(table.weight.shape[0]).cpu()
    unit = F.normalize(codes.double(), dim=-1)
    similarity = unit @ unit.T
    by_offset = [float(similarity.diagonal(offset).mean()) for offset in range(len(codes))]
    return LearnedTableRecord(
        codes=codes.numpy(),
        similarity=similarity.float().numpy(),
        by_offset=np.array(by_offset),
        provenance=gpt.provenance(learned_table),
    )


@torch.inference_mode()
def rotary_pair(
    gpt: LoadedGPT, text: str, *, query: int, key: int, layer: int, head: int, furthest: int = 256
) -> RotaryPairRecord:
    """Take a query and a key from a rotary model that reads a text, and score them at every distance.

    Args:
        gpt: a model with rotary positions.
        text: at most the training length is read.
        query: position of the asking character in the text.
        key: position of the asked one, not after the query.
        layer: clamped to those there are.
        head: clamped to those there are.
        furthest: largest distance.

    Raises:
        ValueError: if the model's positions are not rotary.
        PairRefused: if a position lies outside the text, or the key after the query.
    """
    config = gpt.model.config
    if config.position != "rotary":
        raise ValueError(f"{gpt.name} has {config.position} positions, not rotary ones")
    ids = gpt.tokenizer.encode(text)[: config.max_length]
    if not 0 <= key <= query < len(ids):
        raise PairRefused(f"key {key} and query {query} must be positions of the {len(ids)} characters, the key first")
    layer, head = min(max(layer, 0), config.n_layers - 1), min(max(head, 0), config.n_heads - 1)
    tape, module = Tape(), gpt.model.layers[layer]
    gpt.model(torch.tensor([ids], device=gpt.device), tape=tape)
    assert isinstance(module, EncoderLayer)
    read = tape.read(f"layers.{layer}.self").query_input[0]
    found = project(module.self_attention, read, read)  # before they are turned
    q, k = found.query[head, query].cpu().double(), found.key[head, key].cpu().double()
    distances = torch.arange(furthest + 1)
    turned = turn(q.expand(len(distances), -1), rotary_angles(distances, config.d_key))
    parts = (turned * k).view(len(distances), -1, 2).sum(-1) / math.sqrt(config.d_key)  # [distances, pairs]
    labels = gpt.tokenizer.pieces(ids)
    return RotaryPairRecord(
        query_label=labels[query],
        key_label=labels[key],
        actual=query - key,
        distances=distances.numpy(),
        scores=parts.sum(-1).numpy(),
        parts=parts.T.numpy(),
        amplitude=(q.view(-1, 2).norm(dim=-1) * k.view(-1, 2).norm(dim=-1) / math.sqrt(config.d_key)).numpy(),
        wavelengths=wavelengths(config.d_key).numpy(),
        computed=float(tape[f"layers.{layer}.self"].scores[0, head, query, key]),
        trained_length=config.max_length,
        provenance=gpt.provenance(rotary_pair, f"layers.{layer}.self, head {head}"),
    )


@lru_cache(maxsize=16)
def decay(kind: PositionKind, furthest: int = 64, n_windows: int = DECAY_WINDOWS) -> DecayRecord:
    """Return the mean weight by distance, of the bundled model of a kind on windows of the excerpt.

    Args:
        furthest: largest distance; clamped to the training length less one. Queries before it do not count.
    """
    gpt = load(checkpoint(kind))
    length = gpt.model.config.max_length
    furthest = min(max(furthest, 1), length - 1)
    ids = torch.tensor(gpt.tokenizer.encode(excerpt())[: n_windows * length], device=gpt.device).view(-1, length)
    queries = torch.arange(furthest, length, device=gpt.device)
    positions = queries[:, None] - torch.arange(furthest + 1, device=gpt.device)  # [queries, distances]
    tape = Tape()
    with torch.inference_mode():
        gpt.model(ids, tape=tape)
        found = [
            tape[site].weights[:, :, queries[:, None], positions].cpu().double().mean((0, 2)) for site in tape.sites
        ]
    weights = torch.stack(found).numpy()  # [layers, heads, distances]
    share = weights.cumsum(-1) / weights.sum(-1, keepdims=True)
    return DecayRecord(
        kind=kind,
        distances=np.arange(furthest + 1),
        weights=weights,
        reach=(share < 0.5).sum(-1).astype(np.float64),
        trained_length=length,
        provenance=gpt.provenance(decay, f"{len(ids)} windows of {length} characters of the excerpt"),
    )
