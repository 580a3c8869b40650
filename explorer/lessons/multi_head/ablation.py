"""“Multi-head and self-attention”: heads taken away, by hand or one after the other."""

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import torch

from explorer.inference.engine.prepared import prepare
from explorer.inference.translator.ablation import (
    head_sites,
    memory_of,
    next_token_logs,
    remove_heads,
    score_written,
    without,
)
from explorer.inference.translator.request import Params
from explorer.inference.translator.trace import token_row
from explorer.inference.translator.translate import LoadedTranslator, encode_source, load, translate, translate_read
from explorer.models.translator import Translator
from explorer.records.ablation import AblationRecord, AblationSweepRecord, How
from explorer.records.heads import HeadName, in_order
from explorer.records.provenance import Provenance
from explorer.records.sequence import TranslationRecord, match_tokens
from explorer.service.kept import made_once

#: A change of a log-probability below this (nats) is called none: the probability changes by less than a tenth.
SMALL = 0.1
HOWS: tuple[How, ...] = ("off", "uniform")


@dataclass(frozen=True, slots=True, kw_only=True)
class AblationParams:
    """A translation and the heads that are taken away from it; heads are sorted, each kept once.

    Attributes:
        heads: those taken away; heads the model does not have are ignored.
        how: `off`, they add nothing; `uniform`, they weigh all they may see the same.
    """

    params: Params = Params()  # noqa: RUF009 - frozen
    heads: tuple[HeadName, ...] = ()
    how: How = "off"

    def __post_init__(self) -> None:
        object.__setattr__(self, "heads", tuple(sorted(set(self.heads), key=in_order)))


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepParams:
    """A translation that is measured, and what is done to each head."""

    params: Params = Params()  # noqa: RUF009 - frozen
    how: How = "off"


def ablate(params: AblationParams) -> AblationRecord:
    """Translate without some heads, and ask how likely the old translation still is.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the checkpoint cannot be used.
    """
    whole, before = load(params.params.checkpoint), translate_whole(params.params)
    there = set(head_sites(whole.prepared.model))
    heads = tuple(head for head in params.heads if head in there)
    private = remove_heads(whole.prepared.model, heads, params.how)
    laid_out = prepare(private, whole.prepared.device, whole.prepared.dtype)
    laid_out = whole.prepared.restricting(laid_out)  # it still writes no letter of a foreign script
    after = translate_read(replace(whole, prepared=laid_out), before.source, params.params.options)
    source, target = encode_source(whole, before.source), before.best.ids
    words = token_row(whole.tokenizer, target), token_row(whole.tokenizer, after.best.ids)
    kept = match_tokens(words[0].word_labels, words[1].word_labels)
    return AblationRecord(
        heads=heads,
        how=params.how,
        before=before.best,
        after=after.best,
        before_words=words[0].word_labels,
        after_words=words[1].word_labels,
        before_kept=kept[0],
        after_kept=kept[1],
        log_probability_before=words[0].add_pieces(_written(whole.prepared.model, source, target)),
        log_probability_after=words[0].add_pieces(_written(private, source, target)),
        provenance=_provenance(whole, f"{len(heads)} of {len(there)} heads {params.how}, beam {params.params.beam}"),
    )


@made_once
def translate_whole(params: Params) -> TranslationRecord:
    """Return the whole model's translation, which every choice of heads is compared with."""
    return translate(load(params.checkpoint), params.text, params.options)


def sweep(params: SweepParams) -> Iterator[AblationSweepRecord]:
    """Take away every head alone: after each, the importance map so far. For `explorer.ui.job_progress.watch`.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the checkpoint cannot be used.
    """
    whole, translation = load(params.params.checkpoint), translate_whole(params.params)
    source, target = encode_source(whole, translation.source), translation.best.ids
    heads = head_sites(whole.prepared.model)
    sites = tuple(dict.fromkeys(head.site for head in heads))
    logs = next_token_logs(whole.prepared.model, source, target)
    intact, likeliest = score_written(logs, target)[0].cpu().numpy(), logs[0].argmax(-1)
    change = np.full((len(sites), whole.prepared.config.n_heads, len(target)), np.nan, np.float32)
    flips = np.full(change.shape[:2], np.nan, np.float32)
    private, memory = copy.deepcopy(whole.prepared.model), memory_of(whole.prepared.model, source)
    for done, head in enumerate(heads, 1):
        cell = sites.index(head.site), head.head
        with without(private, head, params.how):
            logs = next_token_logs(private, source, target, memory=None if head.part == "encoder" else memory)
        change[cell] = score_written(logs, target)[0].cpu().numpy() - intact
        flips[cell] = float((logs[0].argmax(-1) != likeliest).sum())
        yield AblationSweepRecord(
            done=done,
            total=len(heads),
            sites=sites,
            token_change=change,
            flips=flips,
            provenance=_provenance(whole, f"each head alone {params.how}, old translation read again"),
        )


def sweep_all(params: SweepParams) -> AblationSweepRecord:
    """Return all of `sweep` at once: for short sentences."""
    *_, last = sweep(params)
    return last


def _written(model: Translator, source: Sequence[int], target: Sequence[int]) -> npt.NDArray[np.float32]:
    logs: torch.Tensor = score_written(next_token_logs(model, source, target), target)[0]
    return logs.cpu().numpy()


def _provenance(translator: LoadedTranslator, detail: str) -> Provenance:
    return translator.provenance.by(remove_heads, detail=detail)
