"""Masked softmax: a batch of sentences, every way to forbid, and what becomes of a query that may see nothing."""

import torch
from jaxtyping import Bool
from torch import Tensor

from explorer.attention import masking
from explorer.attention.attend import attend
from explorer.lessons.masked_softmax import implementations as ways
from explorer.lessons.masked_softmax.batch import PAD, hand_drawn, pad, padding_rule, project
from explorer.lessons.masked_softmax.records import MaskRecord
from explorer.lessons.masked_softmax.rows import provenance
from explorer.lessons.masked_softmax.state import D_KEY, Params, Result
from explorer.records import AttentionRecord, Provenance


def compute(params: Params) -> Result:
    """Mask a batch of sentences and attend; then do the same as other code does."""
    tokens = pad(params.sentences, left=params.left)
    inputs = project(tokens, params.seed, D_KEY)
    rules = forbidding(params)
    hand = hand_drawn(params.hand, params.n)
    allowed = torch.stack([torch.ones_like(hand).expand(len(tokens), -1, -1), *rules.values()]).all(0) ^ hand
    attended = attend(*inputs, allowed=allowed)
    masks = tuple(
        MaskRecord(
            allowed=allowed[row].numpy(),
            forbidden_by={name: ~rule[row].numpy() for name, rule in rules.items()},
            by_hand=hand.numpy(),
            query_labels=labels,
            key_labels=labels,
            provenance=Provenance.of(masking, dtype="bool"),
        )
        for row, labels in enumerate(tokens)
    )
    return Result(
        scores=attended.scores.numpy(),
        masks=masks,
        records=tuple(_record(row, mask, attended.weights[row], params.seed) for row, mask in enumerate(masks)),
        outputs=attended.output.numpy(),
        fills={added: ways.fill_values(attended.scores, allowed, added=added) for added in (False, True)},
        blind=ways.fully_masked_rows(inputs.query, inputs.key, allowed),
        conventions=ways.conventions(inputs.query, inputs.key, allowed),
        seed=params.seed,
    )


def forbidding(params: Params) -> dict[str, Bool[Tensor, "batch n n"]]:
    """Return the rules that are on, by the reason they give for forbidding a cell; True = may attend."""
    batch, n = len(params.sentences), params.n
    rules = {}
    if params.padding:
        counts = [len(sentence) for sentence in params.sentences]
        rules["padding"] = padding_rule(counts, params.lengths, n, left=params.left)
    if params.causal:
        rules["future"] = masking.causal(n, n).expand(batch, -1, -1)
    if params.window:
        rules["window"] = masking.window(n, n, params.window).expand(batch, -1, -1)
    return rules


def _record(row: int, mask: MaskRecord, weights: Tensor, seed: int) -> AttentionRecord:
    return AttentionRecord(
        site=f"masked_softmax.sentence.{row}",
        kind="self",
        weights=weights[None].numpy(),
        query_labels=mask.query_labels,
        key_labels=mask.key_labels,
        query_role="read",
        provenance=provenance(attend, seed),
        allowed=mask.allowed,
    )


def sentence(mask: MaskRecord) -> str:
    """Return a sentence of the batch as it was typed: without its padding."""
    return " ".join(label for label in mask.query_labels if label != PAD)
