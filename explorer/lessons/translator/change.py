"""Somebody interferes with a translation, and what becomes of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from explorer.inference.engine.prepared import Prepared
from explorer.inference.search.decode import DecodingOptions, Hypothesis, search_steps
from explorer.inference.search.hypotheses import bound_length
from explorer.inference.translator.ablation import head_sites
from explorer.inference.translator.intervention import (
    Intervention,
    InterventionResult,
    ReadAgain,
    intervene,
    read_again,
)
from explorer.inference.translator.subwords import candidate
from explorer.inference.translator.trace import token_row
from explorer.inference.translator.translate import LoadedTranslator
from explorer.lessons.translator.change_state import Change, interference
from explorer.lessons.translator.finished import FinishedTranslation
from explorer.lessons.translator.records import ChangeRecord
from explorer.records.attention import AttentionRecord
from explorer.records.provenance import Provenance
from explorer.service.kept import made_once


@dataclass(frozen=True, slots=True, kw_only=True)
class InterventionParams:
    """A translation, and how it is interfered with.

    Attributes:
        beam: hypotheses kept while decoding anew.
    """

    written: FinishedTranslation
    beam: int = 4
    length_penalty: float = 0.6
    change: Change = Change()  # noqa: RUF009 - frozen


def change(params: InterventionParams) -> ChangeRecord:
    """Return the whole of `change_steps`, at once.

    Raises:
        CheckpointError: the checkpoint cannot be used.
    """
    *_, last = change_steps(params)
    return last


def under(params: InterventionParams) -> ChangeRecord:
    """Return what is known before anything is decoded anew.

    Raises:
        CheckpointError: the checkpoint cannot be used.
    """
    return next(change_steps(params))


def change_steps(params: InterventionParams) -> Iterator[ChangeRecord]:
    """Read the old translation again under the interference, then decode anew, token by token. For `ui.jobs.watch`.

    Where nothing is changed, the old translation is the new one: it is not decoded anew.

    Where an attention scores otherwise, the search reads its whole prefix again at every step: slow, and exact.

    Raises:
        CheckpointError: the checkpoint cannot be used.
    """
    whole, asked = params.written.model(), params.written
    source, target = asked.source_ids, asked.written_ids
    applied = _applied(whole, params)
    engine = intervene(whole.prepared, applied)
    before = _untouched(whole.prepared, source, target)
    under = before if params.change.does_nothing else read_again(engine, source, target)
    provenance = whole.provenance.by(intervene, detail=f"{params.change.code}, beam {params.beam}")
    total = float(before.logs.cpu().double().sum())  # not every device has float64
    old = Hypothesis(ids=target, log_probability=total, score=total, finished=target[-1:] == (whole.tokenizer.eos_id,))
    words = token_row(whole.tokenizer, target)
    record = ChangeRecord(
        done=0,
        total=1,
        before=candidate(whole.tokenizer, old),
        after=None,
        before_words=words.word_labels,
        log_probability_before=words.add_pieces(before.logs.cpu().numpy()),
        log_probability_after=words.add_pieces(under.logs.cpu().numpy()),
        cross_before=_cross(whole, source, target, before.crossed, replace(provenance, detail="nothing changed")),
        cross_under=_cross(whole, source, target, under.crossed, provenance, hidden=applied.hidden),
        cross_after=None,
        provenance=provenance,
    )
    if params.change.does_nothing:
        yield replace(record, done=1, after=record.before, cross_after=record.cross_before)
        return
    yield record
    found = None
    for done, total, hypothesis in _anew(engine, source, params):
        found = hypothesis
        after = candidate(whole.tokenizer, found)
        yield replace(record, done=done, total=total, after=after)
    assert found is not None  # a search finds something
    again = under if found.ids == target else read_again(engine, source, found.ids)
    yield replace(
        record,
        done=1,
        total=1,
        after=candidate(whole.tokenizer, found),
        cross_after=_cross(whole, source, found.ids, again.crossed, provenance, hidden=applied.hidden),
    )


@made_once
def _untouched(prepared: Prepared, source: tuple[int, ...], target: tuple[int, ...]) -> ReadAgain:
    """Read a translation again as it was written: every change of it is compared with that."""
    return read_again(intervene(prepared, Intervention()), source, target)


def _applied(whole: LoadedTranslator, params: InterventionParams) -> Intervention:
    """Return the change as this model takes it."""
    words = token_row(whole.tokenizer, params.written.source_ids).words
    model = whole.prepared.model
    heads, layers = set(head_sites(model)), model.config.n_decoder_layers
    return interference(params.change, words, len(params.written.written_ids), heads, layers)


def _anew(
    engine: InterventionResult, source: Sequence[int], params: InterventionParams
) -> Iterator[tuple[int, int, Hypothesis]]:
    """Yield the leading hypothesis after each step; the best at the end."""
    options = bound_length(DecodingOptions(beam=params.beam, length_penalty=params.length_penalty), len(source))
    search = None
    for search in search_steps(engine, [source], options):
        yield search.step, search.max_steps + 1, search.leading()[0]
    assert search is not None
    yield 1, 1, search.results()[0][0]


def _cross(
    whole: LoadedTranslator,
    source: Sequence[int],
    target: Sequence[int],
    crossed: torch.Tensor,
    provenance: Provenance,
    *,
    hidden: tuple[int, ...] = (),
) -> AttentionRecord:
    """Average all heads and layers; hidden source tokens are masked."""
    allowed = np.ones((len(target), len(source)), bool)
    allowed[:, list(hidden)] = False
    return AttentionRecord(
        site="decoder.cross",
        kind="cross",
        weights=crossed.float().mean((0, 1))[None].cpu().numpy(),
        query_labels=token_row(whole.tokenizer, target).labels,
        key_labels=token_row(whole.tokenizer, source).labels,
        query_role="produced",
        allowed=allowed,
        provenance=replace(provenance, detail=f"{provenance.detail}, mean of all heads and layers"),
    )
