"""Positions at work in a trained translator's encoder: a shuffled sentence, and what enters at each token."""

import copy
import math
from collections.abc import Callable, Sequence
from itertools import permutations

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from explorer.inference.search.hypotheses import ALLOWANCE, GROWTH
from explorer.inference.translator.translate import LoadedTranslator, clean, encode_source
from explorer.lessons.positional_encoding.records.trained import EntryRecord, OrdersRecord, PermutationRecord
from explorer.models.translator import Translator
from explorer.records.provenance import Computation, Provenance

#: Components of every output that are kept to be drawn.
COMPONENTS = 6
#: Words whose every order is translated: 120 sentences.
MOST_WORDS = 5


@torch.inference_mode()
def permutation_test(
    translator: LoadedTranslator, text: str, arrange: Callable[[int], Sequence[int]], *, seed: int | None = None
) -> PermutationRecord:
    """Let a trained encoder read a sentence and its words in another order: what changes at each word?

    Without positions the encoder reads √d_model · E[token] alone. Words move whole, `</s>` stays last. The decoder
    writes from either reading; its own positions stay.

    Args:
        translator: its weights are used as they are, in float32.
        arrange: says, for so many words, which of them stands at each position.
        seed: of the order, if it was drawn.

    Raises:
        InputRefused: nothing visible was typed, or too much.
    """
    model, tokenizer = _float32(translator.prepared.model), translator.tokenizer
    ids = encode_source(translator, clean(text))
    groups = tokenizer.word_groups(ids[:-1])
    order = np.array([*(position for word in arrange(len(groups)) for position in groups[word]), len(ids) - 1])
    moved_ids = [ids[position] for position in order]
    tokens = torch.tensor([ids, moved_ids], device=model.embedding.weight.device)
    read = torch.stack([_encoded(model, tokens, positions=positions) for positions in (False, True)])
    before, after = read[:, 0, torch.from_numpy(order)].cpu().double(), read[:, 1].cpu().double()  # [2, tokens, d]
    written = _written(translator, model, read[:, 1])
    return PermutationRecord(
        labels=tuple(tokenizer.pieces(ids)),
        moved_labels=tuple(tokenizer.pieces(moved_ids)),
        words=tuple(tokenizer.decode([ids[position] for position in group]).strip() for group in groups),
        sizes=tuple(map(len, groups)),
        order=order,
        before=before[..., :COMPONENTS].float().numpy(),
        after=after[..., :COMPONENTS].float().numpy(),
        change=((after - before).norm(dim=-1) / before.norm(dim=-1)).numpy(),
        cosine=F.cosine_similarity(after, before, dim=-1).numpy(),
        residual=(after - before).abs().amax((1, 2)).numpy(),
        n_components=after.shape[-1],
        written=(written[0], written[1]),
        provenance=_provenance(translator, model, permutation_test, "encoder", seed),
    )


@torch.inference_mode()
def every_order(translator: LoadedTranslator, text: str) -> OrdersRecord:
    """Translate every order of a sentence's words, without position codes and with them.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        ValueError: there are more than `MOST_WORDS` words.
    """
    model, tokenizer = _float32(translator.prepared.model), translator.tokenizer
    ids = encode_source(translator, clean(text))
    groups = tokenizer.word_groups(ids[:-1])
    if len(groups) > MOST_WORDS:
        raise ValueError(f"{len(groups)} words have too many orders; at most {MOST_WORDS} words")
    orders = [[*(ids[position] for group in order for position in group), ids[-1]] for order in permutations(groups)]
    tokens = torch.tensor(orders, device=model.embedding.weight.device)
    without, with_codes = (
        _written(translator, model, _encoded(model, tokens, positions=positions)) for positions in (False, True)
    )
    return OrdersRecord(
        without=tuple(without),
        with_codes=tuple(with_codes),
        provenance=_provenance(translator, model, every_order, f"{len(orders)} orders"),
    )


def _written(
    translator: LoadedTranslator, model: Translator, memory: Float[Tensor, "batch source d_model"]
) -> list[str]:
    """Write from what was read, always the likeliest token."""
    config = model.config
    never = list(config.never_written)
    allowed = torch.ones(memory.shape[:2], dtype=torch.bool, device=memory.device)
    ids = torch.full((len(memory), 1), config.bos_id, device=memory.device)
    for _ in range(min(GROWTH * memory.shape[1] + ALLOWANCE, config.max_length - 1)):
        logits = model.logits(model.hidden(ids, memory, allowed)[:, -1]).index_fill(
            1, torch.tensor(never, device=memory.device), -math.inf
        )
        ended = (ids == config.eos_id).any(1)
        following = logits.argmax(-1).masked_fill(ended, config.eos_id)
        ids = torch.cat([ids, following[:, None]], dim=1)
        if bool((ids == config.eos_id).any(1).all()):
            break
    rows: list[list[int]] = ids[:, 1:].tolist()
    return [translator.tokenizer.decode([token for token in row if token != config.eos_id]) for row in rows]


@torch.inference_mode()
def entry(translator: LoadedTranslator, text: str) -> EntryRecord:
    """Measure what enters a trained encoder at each token of a sentence: the token's part and the position's.

    Raises:
        InputRefused: nothing visible was typed, or too much.
    """
    model, tokenizer = _float32(translator.prepared.model), translator.tokenizer
    ids = encode_source(translator, clean(text))
    raw = model.embedding.weight[ids].cpu().double()
    codes = model.positional_encodings[: len(ids)].cpu().double()
    factor = math.sqrt(raw.shape[1])
    return EntryRecord(
        labels=tuple(tokenizer.pieces(ids)),
        raw=raw.norm(dim=-1).numpy(),
        scaled=(factor * raw).norm(dim=-1).numpy(),
        position=codes.norm(dim=-1).numpy(),
        total=(factor * raw + codes).norm(dim=-1).numpy(),
        cosine=F.cosine_similarity(raw, codes, dim=-1).numpy(),
        factor=factor,
        provenance=_provenance(translator, model, entry, "embedding"),
    )


def _encoded(
    model: Translator, ids: Int[Tensor, "batch tokens"], *, positions: bool
) -> Float[Tensor, "batch tokens d_model"]:
    """Encode tokens, with or without the codes of their positions."""
    table = model.embedding
    x = F.embedding(ids, table.weight) * math.sqrt(table.weight.shape[1])
    if positions:
        x = x + model.positional_encodings[: ids.shape[1]]
    for layer in model.encoder.layers:
        x = layer(x)
    encoded: Tensor = model.encoder.norm(x)
    return encoded


def _float32(model: Translator) -> Translator:
    """Return the model itself where it computes in float32, else a copy that does: residuals should be small."""
    if model.embedding.weight.dtype == torch.float32:
        return model
    return copy.deepcopy(model).float()


def _provenance(
    translator: LoadedTranslator, model: Translator, function: Computation, detail: str, seed: int | None = None
) -> Provenance:
    device = model.embedding.weight.device
    return translator.provenance.by(function, device=device.type, dtype="float32", detail=detail, seed=seed)
