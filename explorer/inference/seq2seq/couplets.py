"""Answer the first line of a couplet with a second that keeps its form, or follow a second line that is given."""

from collections.abc import Mapping, Sequence
from typing import Literal

import torch
from jaxtyping import Bool
from torch import Tensor

from explorer.data.couplets import MARK, CoupletTokenizer, Form, clean_line, form_of
from explorer.inference.search.batching import decode_all
from explorer.inference.search.constrained import Constrained, only
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.search.hypotheses import bound_length
from explorer.inference.seq2seq.steps import PreparedSeq2Seq
from explorer.inference.seq2seq.translate import (
    NO_WEIGHTS,
    LoadedSeq2Seq,
    Weights,
    encode_source,
    write,
    written_before,
)
from explorer.inference.translator.translate import InputRefused, clean
from explorer.models.seq2seq_parts import NOT_FORCED, Forced
from explorer.nn.alignment import align_fixed
from explorer.records.recurrent import RecurrentRecord

#: Where every step looks: where the model wants, at the character straight across, or at all of them alike.
Weighting = Literal["own", "straight", "evenly"]
WEIGHTINGS: tuple[Weighting, ...] = ("own", "straight", "evenly")


def look_at(look: Weighting, allowed: Bool[Tensor, "batch source"], steps: int) -> Forced:
    """Return weights that stand in for the model's own at every step; none where it looks where it wants.

    Past the end of the first line, straight across is its last token.
    """
    if look == "own":
        return NOT_FORCED
    shares = allowed.float()
    if look == "straight":
        weights = align_fixed(shares[..., None], allowed, first=0, steps=steps).weights  # [batch, steps, source]
    else:
        weights = (shares / shares.sum(-1, keepdim=True))[:, None].expand(-1, steps, -1)  # [batch, steps, source]
    return dict(enumerate(weights.unbind(1)))


class CoupletRule:
    """The form of one first line, as tokens that may come next.

    Args:
        line: the first line.
        tokenizer: gives the tokens.
        kept: ids that the second line begins with, whatever the form says.
    """

    def __init__(self, line: str, tokenizer: CoupletTokenizer, kept: Sequence[int] = ()) -> None:
        self.form: Form = form_of(line)
        self.tokenizer, self.kept = tokenizer, tuple(kept)
        (self._mark,) = tokenizer.encode(MARK)
        special = (tokenizer.pad_id, tokenizer.bos_id, tokenizer.eos_id, tokenizer.unknown_id)
        self._never = [*special, self._mark]
        self._taken = tokenizer.encode("".join(sorted(self.form.taken)))

    def allowed(self, written: Sequence[int], vocab: int) -> Bool[Tensor, " vocab"] | None:
        """The end, a mark, the echo of a character, or any character that is still free."""
        position = len(written)
        if position < len(self.kept):
            return only(self.kept[position], vocab)
        if position >= len(self.form.marks):
            return only(self.tokenizer.eos_id, vocab)
        if self.form.marks[position]:
            return only(self._mark, vocab)
        echo = self.form.echoes[position]
        if echo is not None:
            return only(written[echo], vocab)
        possible = torch.zeros(vocab, dtype=torch.bool)
        possible[: self.tokenizer.vocab_size] = True
        possible[self._never] = False
        free = possible.clone()
        free[[*self._taken, *written]] = False
        return free if bool(free.any()) else possible  # a vocabulary can be used up


def answer(
    seq2seq: LoadedSeq2Seq,
    line: str,
    options: DecodingOptions,
    *,
    weights: Weights = NO_WEIGHTS,
    kept: Sequence[int] = (),
    formal: bool = True,
    look: Weighting = "own",
) -> RecurrentRecord:
    """Write a second line to a first, and keep every number of it.

    Args:
        seq2seq: a couplet model, from `explorer.inference.seq2seq.translate.load`.
        line: anything; it is cleaned first.
        weights: as for `explorer.inference.seq2seq.translate.write`.
        kept: ids that the second line begins with.
        formal: keep the form of the first line; without it the model is free.
        look: where every step looks; anything but `own` goes before `weights`.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        ValueError: weights do not fit the line.
    """
    line = clean_line(clean(line))
    source = encode_source(seq2seq, line)
    rule = CoupletRule(line, seq2seq.tokenizer, kept) if formal else None
    every = look_at(look, torch.ones(1, len(source), dtype=torch.bool), seq2seq.prepared.config.max_length)
    weights = {step: row[0].tolist() for step, row in every.items()} or weights
    return write(seq2seq, line, source, options, weights=weights, kept=kept, rule=rule)


def follow(seq2seq: LoadedSeq2Seq, line: str, second: str) -> RecurrentRecord:
    """Force a given second line character by character, as in training, and keep every number of it.

    Args:
        seq2seq: a couplet model.
        line: the first line; it is cleaned first.
        second: is written whatever the model would rather write; cleaned, too.

    Raises:
        InputRefused: nothing visible was typed, or too much.
    """
    line = clean_line(clean(line))
    source, given = encode_source(seq2seq, line), seq2seq.tokenizer.encode(clean_line(clean(second)))
    most = bound_length(DecodingOptions(beam=1), len(source)).max_length - 1  # the end takes one
    if not given:
        raise InputRefused("empty")
    if len(given) > most:
        raise InputRefused("too_long", length=len(given), limit=most)
    return write(seq2seq, line, source, DecodingOptions(beam=1), kept=(*given, seq2seq.tokenizer.eos_id))


def force_answer(
    seq2seq: LoadedSeq2Seq,
    record: RecurrentRecord,
    options: DecodingOptions,
    weights: Mapping[int, Sequence[float]],
    *,
    formal: bool = True,
) -> RecurrentRecord:
    """Keep what was written up to a step, put other weights there, and write on in the form of the first line.

    Raises:
        ValueError: a step was not written, the weights do not fit, or the model has none.
    """
    kept = written_before(record, weights)
    return answer(seq2seq, record.source, options, weights=weights, kept=kept, formal=formal)


def answer_all(
    prepared: PreparedSeq2Seq, tokenizer: CoupletTokenizer, lines: Sequence[str], options: DecodingOptions
) -> list[str]:
    """The best second line to each first line, in its form."""
    most = prepared.config.max_length - 1
    sources = [(*tokenizer.encode(line)[:most], tokenizer.eos_id) for line in lines]
    rules = {source: CoupletRule(line, tokenizer) for source, line in zip(sources, lines, strict=True)}
    found = decode_all(Constrained(engine=prepared, rules=dict(rules)), sources, options)
    return [tokenizer.decode(hypotheses[0].ids) for hypotheses in found]
