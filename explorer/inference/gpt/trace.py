"""Look into a decoder-only model that wrote a text: one pass over what it saw, with a tape."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.inference.gpt.generate import LoadedGPT
from explorer.inference.gpt.sampling import NextTokens, TextSampler
from explorer.nn.tape import Tape
from explorer.records.attention import AttentionRecord
from explorer.records.generation import FATES, NextRecord, NextToken
from explorer.records.residual_stream import Point, StreamRecord
from explorer.records.sequence import Likely

#: What stands for the token after the end.
NEXT = "…"
#: How many next tokens are named: by the model, and by the lens at each point.
N_NAMED, N_LENS = 12, 5


class GPTTrace(NamedTuple):
    """One pass over a stretch of text.

    Attributes:
        ids: that were read.
        following: the token after the last; None if there is none yet.
        attentions: of each layer; row i is labelled by the token that followed `ids[i]`, so that was produced there.
        logits: after each token; on the CPU, as `added` is.
        added: to each vector: the embedding, then what each layer's attention and net add in turn.
    """

    ids: tuple[int, ...]
    following: int | None
    attentions: tuple[AttentionRecord, ...]
    logits: Float[Tensor, "positions vocab"]
    added: Float[Tensor, "points positions d_model"]


@torch.inference_mode()
def trace(gpt: LoadedGPT, ids: Sequence[int], following: int | None) -> GPTTrace:
    """Read a stretch of text again, with everything kept.

    The causal mask makes row i exactly what the model computed when it had read `ids[: i + 1]` and was to go on: the
    finished text need not be read token by token.

    Args:
        ids: what it saw, at most its window.
        following: the token after the last, for its label; None if there is none yet.
    """
    model, tape = gpt.model, Tape(feed_forward=True)
    read = torch.tensor([list(ids)], device=gpt.device)
    states = list(model.states(read, tape=tape))
    labels = gpt.tokenizer.pieces(ids)
    produced = (*labels[1:], NEXT if following is None else gpt.tokenizer.pieces([following])[0])
    allowed = torch.ones(len(ids), len(ids), dtype=torch.bool).tril().numpy()
    attentions = tuple(
        AttentionRecord(
            site=site,
            kind="causal",
            layer=layer,
            weights=tape[site].weights[0].cpu().numpy(),
            query_labels=produced,
            key_labels=tuple(labels),
            query_role="produced",
            allowed=allowed,
            provenance=gpt.provenance(trace, site),
        )
        for layer, site in enumerate(tape.sites)
    )
    logits = model.logits(model.norm(states[-1]))[0].cpu()
    added = [states[0][0]]
    for layer in range(model.config.n_layers):
        added += [tape[f"layers.{layer}.self"].output[0], tape.net(f"layers.{layer}")[0]]
    return GPTTrace(tuple(ids), following, attentions, logits, torch.stack(added).cpu())


@torch.inference_mode()
def logit_lens(gpt: LoadedGPT, looked: GPTTrace) -> StreamRecord:
    """Return the way of every vector through the layers, and what the model would write after each sub-layer."""
    model, ids = gpt.model, looked.ids
    after = [looked.added[0]]
    for each in looked.added[1:]:
        after.append(after[-1] + each)
    written = torch.tensor([*ids[1:], ids[-1] if looked.following is None else looked.following])
    likeliest, shares, ranks = [], [], []
    for vectors in after:
        logs = model.logits(model.norm(vectors.to(gpt.device))).log_softmax(-1).cpu()
        mine = logs.gather(-1, written[:, None])
        likeliest.append(_named(gpt, logs))
        shares.append(mine[:, 0].exp())
        ranks.append((logs > mine).sum(-1))
    points = [Point(what="read")]
    for layer in range(model.config.n_layers):
        points += [Point(what="self", layer=layer), Point(what="net", layer=layer)]
    tokens = model.embedding(torch.tensor(list(ids), device=gpt.device)).cpu()
    codes = None if model.positions is None else model.positions(len(ids)).cpu()
    return StreamRecord(
        points=tuple(points),
        read_labels=tuple(gpt.tokenizer.pieces(ids)),
        written_labels=looked.attentions[0].query_labels,
        norm=torch.stack(after).norm(dim=-1).numpy(),
        added=looked.added.norm(dim=-1).numpy(),
        token_norm=tokens.norm(dim=-1).numpy(),
        position_norm=None if codes is None else codes.norm(dim=-1).numpy(),
        likeliest=tuple(likeliest),
        share=torch.stack(shares).numpy(),
        rank=torch.stack(ranks).numpy(),
        provenance=gpt.provenance(logit_lens, "one traced pass"),
    )


def _named(gpt: LoadedGPT, logs: Float[Tensor, "positions vocab"]) -> tuple[tuple[Likely, ...], ...]:
    best, ids = logs.topk(min(N_LENS, logs.shape[-1]))
    return tuple(
        tuple(
            Likely(label=label, probability=share)
            for label, share in zip(gpt.tokenizer.pieces(row), shares, strict=True)
        )
        for row, shares in zip(ids.tolist(), best.exp().tolist(), strict=True)
    )


@torch.inference_mode()
def next_token(gpt: LoadedGPT, offered: NextTokens, sampler: TextSampler, written: int | None) -> NextRecord:
    """The next token of one place, and what the sampler makes of it.

    Args:
        offered: what can stand there.
        sampler: that has said so.
        written: the token that stands there; None at the end of the text.
    """
    order = offered.model.sort(descending=True, stable=True).indices
    shown = order[:N_NAMED].tolist()
    if written is not None and written not in shown:
        shown.append(written)
    rank = None if written is None else int((order == written).nonzero()[0, 0])
    return NextRecord(
        likeliest=tuple(
            NextToken(
                label=label,
                model=float(offered.model[token]),
                drawn=float(offered.drawn[token]),
                fate=FATES[int(offered.cut[token])],
            )
            for token, label in zip(shown, gpt.tokenizer.pieces(shown), strict=True)
        ),
        chosen=None if written is None else shown.index(written),
        rank=rank,
        n_kept=int((offered.drawn > 0).sum()),
        n_tokens=len(order) - 1,
        provenance=replace(gpt.provenance(next_token, str(sampler)[len("TextSampler(") : -1])),
    )
