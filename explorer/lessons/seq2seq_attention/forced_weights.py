"""“Recurrent attention”: other weights at one step, and what is written from there on."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.inference.seq2seq import couplets, translate as seq2seq
from explorer.lessons.seq2seq_attention.state import Params
from explorer.records.readonly import record
from explorer.records.recurrent import RecurrentRecord
from explorer.records.sequence import match_tokens
from explorer.records.wording import parse_int


@dataclass(frozen=True, slots=True, kw_only=True)
class Forced:
    """Weights of one step, as a link carries them.

    Attributes:
        step: number of the output token, from 0.
        weights: one for each source token; they need not sum to 1.
    """

    step: int
    weights: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceParams:
    """An output, the model that wrote it, and what is put in place of its weights."""

    params: Params
    model: str
    forced: Forced


@record
class ForceResult:
    """A model's own output and the one that was decoded on from a forced step.

    Attributes:
        own: what the model wrote.
        forced: what it wrote with other weights at one step.
        step: that step.
        own_kept: for each word of the model's own output, whether it stands in the other too.
        forced_kept: the same the other way round.
    """

    own: RecurrentRecord
    forced: RecurrentRecord
    step: int
    own_kept: tuple[bool, ...]
    forced_kept: tuple[bool, ...]


def force(params: ForceParams) -> ForceResult:
    """Keep what was written before a step, put other weights there, and decode on.

    Raises:
        ValueError: the step was not written, the weights do not fit, or the model has none.
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the checkpoint cannot be used.
    """
    asked, model = params.params, seq2seq.load(params.model)
    weights = {params.forced.step: params.forced.weights}
    own = write_forced(asked, params.model)
    if asked.task == "couplet":
        other = couplets.force_answer(model, own, asked.options, weights, formal=asked.formal)
    else:
        other = seq2seq.force(model, own, asked.options, weights)
    kept = match_tokens(own.trace.written.word_labels, other.trace.written.word_labels)
    return ForceResult(own=own, forced=other, step=params.forced.step, own_kept=kept[0], forced_kept=kept[1])


def write_forced(params: Params, model: str, look: couplets.Weighting = "own") -> RecurrentRecord:
    """Return what one model makes of the text; a couplet's steps all look as they are told.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the checkpoint cannot be used.
    """
    ready = seq2seq.load(model)
    if params.task == "couplet":
        return couplets.answer(ready, params.text, params.options, formal=params.formal, look=look)
    return seq2seq.translate(ready, params.text, params.options)


def read_given_line(params: Params, model: str) -> RecurrentRecord:
    """Return how one model reads the second line that it is made to write.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the checkpoint cannot be used.
    """
    return couplets.follow(seq2seq.load(model), params.text, params.second)


def format_forced(forced: Forced) -> str:
    """Return a forced step as a link carries it: `3@5` (all weight on source token 5) or `3=0,20,80`."""
    whole = [position for position, weight in enumerate(forced.weights) if weight]
    if len(whole) == 1:
        return f"{forced.step}@{whole[0]}"
    return f"{forced.step}={','.join(f'{weight:.4g}' for weight in forced.weights)}"


def parse_forced(note: str, record: RecurrentRecord) -> Forced | None:
    """Return what a link's note forces; None if it fits nothing that the model wrote, whatever it is."""
    n_source, n_steps = len(record.trace.source.labels), len(record.trace.steps)
    step, mark, rest = note.partition("@" if "@" in note else "=")
    number = parse_int(step)
    if number is None or number >= n_steps or not mark or record.trace.alignment is None:
        return None
    if mark == "@":
        position = parse_int(rest)
        return one_hot(number, position, n_source) if position is not None and position < n_source else None
    try:
        weights = tuple(float(part) for part in rest.split(","))
    except ValueError:
        return None
    return None if is_invalid(weights, n_source) else Forced(step=number, weights=weights)


def one_hot(step: int, position: int, n_source: int) -> Forced:
    """Return all weight on one source token."""
    return Forced(step=step, weights=tuple(float(each == position) for each in range(n_source)))


def on_word(step: int, word: Sequence[int], n_source: int) -> Forced:
    """Return all weight on the tokens of one source word, in equal shares."""
    return Forced(step=step, weights=tuple(float(each in word) for each in range(n_source)))


def is_invalid(weights: Sequence[float], n_source: int) -> bool:
    """Return whether weights cannot be scaled to sum to 1: too few, too many, negative, not finite, or all 0."""
    fit = len(weights) == n_source and all(math.isfinite(weight) and weight >= 0 for weight in weights)
    return not fit or not any(weights)
