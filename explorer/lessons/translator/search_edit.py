"""A piece of the translation replaced, and what is written on from there."""

import unicodedata
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from explorer.inference.search.decode import Hypothesis, length_factor
from explorer.inference.translator.request import translator_for
from explorer.inference.translator.search_tree import record_search, with_room
from explorer.inference.translator.teacher_forcing import next_tokens, score_targets
from explorer.inference.translator.trace import AnyTokenizer
from explorer.inference.translator.translate import InputRefused, LoadedTranslator, clean
from explorer.lessons.translator.search import SearchParams, score_hypotheses
from explorer.records.provenance import Provenance
from explorer.records.readonly import record
from explorer.records.search import ScoredText
from explorer.records.sequence import match_tokens

#: How many other tokens are offered at a place.
N_ALTERNATIVES = 8
MOST_EDIT_CHARACTERS = 200
#: Scripts that write no spaces begin here.
CJK = 0x2E80
#: Written without a space before it.
CLOSING = ".,…)]}、。，！？）"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceParams:
    """A piece of a translation.

    Attributes:
        asked: what was translated, and how it is searched.
        target: tokens of the translation.
        position: of the piece, from 0.
    """

    asked: SearchParams
    target: tuple[int, ...]
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EditParams:
    """A piece, and what stands there instead: a token, or words.

    Attributes:
        at: the piece.
        token: stands there instead; None where words do.
    """

    at: PlaceParams
    token: int | None = None
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """A token that could stand at a place, and how likely it is there."""

    id: int
    label: str
    probability: float


@record
class Rewritten:
    """A translation before and after a piece of it was replaced.

    Attributes:
        before: as it was.
        after: the best that begins with what was given.
        kept: for each token of both, whether it stands in the other too.
        position: of the piece, from 0.
        given: how many tokens of `after` were given: those before the piece, and what replaced it.
    """

    before: ScoredText
    after: ScoredText
    kept: tuple[tuple[bool, ...], tuple[bool, ...]]
    position: int
    given: int
    provenance: Provenance

    @property
    def replaced_by(self) -> str:
        """Return the given text that differs from the old translation; empty if the translation ends there."""
        old, new = self.before.candidate.ids, self.after.candidate.ids[: self.given]
        same = next((n for n, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), len(new))
        return "".join(self.after.surface[same : self.given]).strip()

    @property
    def same(self) -> bool:
        """Tell whether the given text is what stood there already."""
        return self.after.candidate.ids[: self.given] == self.before.candidate.ids[: self.given]

    @property
    def change(self) -> float:
        """Return the change of the log-probability, in nats."""
        return self.after.candidate.log_probability - self.before.candidate.log_probability


def place_id(target: Sequence[int], position: int) -> str:
    """Return what a link calls a piece of a translation; it fits no other, so no other is edited by mistake."""
    return f"{position}-{zlib.crc32(repr(tuple(target)).encode()):08x}"


def alternatives(at: PlaceParams) -> tuple[Alternative, ...]:
    """Return the likeliest tokens at a place but the one that was written there, the best first.

    Raises:
        CheckpointError: the checkpoint cannot be used.
    """
    return with_room(translator_for(at.asked.params), lambda model: _alternatives(model, at))


def _alternatives(translator: LoadedTranslator, at: PlaceParams) -> tuple[Alternative, ...]:
    found = next_tokens(translator.prepared, at.asked.source, at.target[: at.position], N_ALTERNATIVES + 1)
    others = [each for each in found if each.id != at.target[at.position]][:N_ALTERNATIVES]
    labels = translator.tokenizer.pieces([each.id for each in others])
    return tuple(
        Alternative(id=each.id, label=label, probability=each.probability)
        for each, label in zip(others, labels, strict=True)
    )


def rewrite(edit: EditParams) -> Rewritten:
    """Keep what stands before a piece, put something else in its place, and let the translator write on.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the checkpoint cannot be used.
    """
    return with_room(translator_for(edit.at.asked.params), lambda model: _rewrite(model, edit))


def _rewrite(translator: LoadedTranslator, edit: EditParams) -> Rewritten:
    at, prefix = edit.at, _prefix(translator, edit)
    if prefix[-1] == translator.tokenizer.eos_id:
        found, provenance = _hypothesis(translator, at, prefix), translator.provenance
    else:
        hypotheses, record = record_search(translator, at.asked.source, at.asked.options, prefix=prefix)
        found, provenance = hypotheses[0], record.provenance
    own = _hypothesis(translator, at, at.target)
    detail = f"{provenance.detail}, written on from token {at.position + 1}".removeprefix(", ")
    before, after = score_hypotheses(translator, at.asked.source, {"before": own, "after": found})
    return Rewritten(
        before=before,
        after=after,
        kept=match_tokens(before.candidate.labels, after.candidate.labels),
        position=at.position,
        given=len(prefix),
        provenance=replace(provenance, detail=detail),
    )


def _prefix(translator: LoadedTranslator, edit: EditParams) -> tuple[int, ...]:
    at, limit = edit.at, translator.prepared.config.max_length - 1
    if edit.token is not None:
        prefix = (*at.target[: at.position], edit.token)
        if len(prefix) > limit and edit.token != translator.tokenizer.eos_id:
            raise InputRefused("too_long", length=len(prefix), limit=limit)
        return prefix
    if len(edit.text) > MOST_EDIT_CHARACTERS:
        raise InputRefused("too_long", length=len(edit.text), limit=MOST_EDIT_CHARACTERS, unit="characters")
    prefix = with_text(translator.tokenizer, at.target, at.position, clean(edit.text))
    if len(prefix) >= limit:
        raise InputRefused("too_long", length=len(prefix), limit=limit - 1)
    return prefix


def with_text(tokenizer: AnyTokenizer, target: Sequence[int], position: int, text: str) -> tuple[int, ...]:
    """Return the tokens of a translation up to a piece, and then of a text in its place.

    A space stands between them where one stood before the piece; after the last piece, where the script has spaces;
    and never before a stop. The tokens before the piece stay as they are, unless the text goes on with a word that has
    begun.
    """
    joined = tokenizer.decode(target[:position]) + _space(tokenizer, target, position, text) + text
    whole = tokenizer.encode(joined)
    return tuple(whole) if tokenizer.decode(whole) == joined else (*target[:position], *tokenizer.encode(text))


def _space(tokenizer: AnyTokenizer, target: Sequence[int], position: int, text: str) -> str:
    before, after = tokenizer.decode(target[:position]), tokenizer.decode(target[: position + 1])
    if not before or text[0] in CLOSING:
        return ""
    if target[position] != tokenizer.eos_id:
        return " " if after.removeprefix(before).startswith(" ") else ""
    return " " if unicodedata.category(text[0])[0] in "LN" and ord(text[0]) < CJK else ""


def _hypothesis(translator: LoadedTranslator, at: PlaceParams, ids: Sequence[int]) -> Hypothesis:
    """Return a text that is there already, as if it had been searched."""
    (row,) = score_targets(translator.prepared, at.asked.source, [ids])
    total = float(row.sum())
    return Hypothesis(
        ids=tuple(ids),
        log_probability=total,
        score=total / length_factor(len(ids), at.asked.params.length_penalty),
        finished=ids[-1] == translator.tokenizer.eos_id,
    )
