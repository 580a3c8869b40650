"""One query of a recurrent decoder past every source token: what its journey shows, number by number."""

from dataclasses import replace

import torch

from explorer.attention.attend import attend
from explorer.inference.seq2seq.translate import LoadedSeq2Seq
from explorer.nn.scorers import Additive, Concat
from explorer.records.journey import JourneyRecord
from explorer.records.recurrent import RecurrentTrace


@torch.inference_mode()
def one_query(seq2seq: LoadedSeq2Seq, trace: RecurrentTrace, step: int) -> JourneyRecord | None:
    """Return how one step scored, weighed and averaged the states of the source; None if nothing is compared.

    Args:
        trace: of what the model wrote.
        step: that asks, from 0.
    """
    alignment, config = seq2seq.prepared.model.alignment, seq2seq.prepared.config
    if alignment is None or trace.alignment is None:
        return None
    at, device = trace.steps[step], seq2seq.prepared.device
    state = at.before if config.query == "before" else at.after
    query, states = (torch.from_numpy(each.copy()).to(device)[None] for each in (state[None], trace.states))
    offered, scorer = alignment.offer(states), alignment.scorer
    output, weights, scores = (
        part[0].float().cpu().numpy() for part in attend(query, offered, states, score=alignment.score)
    )
    written = trace.written.labels[step]
    return JourneyRecord(
        attention=replace(trace.alignment, weights=weights[None], allowed=None, query_labels=(written,)),
        query=alignment.ask(query)[0].cpu().numpy(),
        key=offered[0].cpu().numpy(),
        value=trace.states,
        scores=scores,
        output=output,
        asker=written,
        mixer=scorer.v.float().cpu().numpy() if isinstance(scorer, Additive | Concat) else None,
        divided=config.mechanism == "scaled_dot",
    )
