"""Translate what somebody typed, whatever it is."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import nn

from explorer.checkpoints.manifest import Manifest, Probe, said
from explorer.data.parallel.directions import Direction, parse_directions
from explorer.data.parallel.normalisation import PLAIN, visible
from explorer.data.tokenizer import Tokenizer
from explorer.inference.device import pick_device
from explorer.inference.engine.layout import Precision
from explorer.inference.engine.prepared import Prepared, prepare
from explorer.inference.loaded import loaded_once, opened
from explorer.inference.search.batching import decode_all
from explorer.inference.search.decode import DecodingOptions, Hypothesis
from explorer.inference.translator.scripts import restricted
from explorer.inference.translator.subwords import candidates, tag_of
from explorer.inference.translator.trace import AnyTokenizer, trace
from explorer.models.translator import Translator
from explorer.records.language import Translate, english
from explorer.records.provenance import Provenance
from explorer.records.sequence import TranslationRecord

#: Longest source in sub-words; some thirty times the mean of the training data.
MAX_SOURCE_TOKENS = 128
#: Longest text that is looked at at all.
MAX_CHARACTERS = 10_000


class InputRefused(ValueError):
    """A text cannot be translated; `explain` says why and what to do.

    Attributes:
        reason: `empty` if nothing visible was typed, `too_long` otherwise.
        length: of the text.
        limit: for it.
        unit: of both.
    """

    def __init__(
        self,
        reason: Literal["empty", "too_long"],
        *,
        length: int = 0,
        limit: int = 0,
        unit: Literal["sub-words", "characters", "sentences", "clauses"] = "sub-words",
    ) -> None:
        self.reason, self.length, self.limit, self.unit = reason, length, limit, unit
        super().__init__(self.explain())

    def explain(self, t: Translate = english) -> str:
        """Return the message, in the reader's language."""
        if self.reason == "empty":
            return t("There is nothing to translate yet: type a sentence.")
        if self.unit == "characters":
            return t("The text has {length:,} characters, and at most {limit:,} are read: shorten it.").format(
                length=self.length, limit=self.limit
            )
        if self.unit == "sentences":
            return t(
                "The text has {length:,} sentences, and at most {limit:,} are translated here at a time: give it as a"
                " document, further down."
            ).format(length=self.length, limit=self.limit)
        if self.unit == "clauses":
            said = t("The text has {length:,} clauses, and at most {limit:,} are translated at a time: shorten it.")
            return said.format(length=self.length, limit=self.limit)
        return t(
            "A sentence has {length:,} sub-words, and the translator reads at most {limit:,}: cut it into shorter ones."
        ).format(length=self.length, limit=self.limit)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LoadedTranslator:
    """A translator ready to run; shared by all sessions, so nothing here is ever written to.

    Attributes:
        direction: from which language into which; None where its languages have no names.
    """

    name: str
    manifest: Manifest
    tokenizer: AnyTokenizer
    prepared: Prepared
    direction: Direction | None = None

    @property
    def directions(self) -> tuple[Direction, ...]:
        """Return what it can translate, the usual direction first; none if its languages have no names."""
        return parse_directions(self.prepared.config.directions)

    def towards(self, direction: Direction) -> "LoadedTranslator":
        """Return the same, for one of its directions.

        Raises:
            ValueError: it was not trained for that.
        """
        if direction not in self.directions:
            raise ValueError(f"{said(self.name)} translates {self.prepared.config.directions or 'no named language'}")
        return replace(self, direction=direction)

    @property
    def provenance(self) -> Provenance:
        """Return the provenance of everything this translator computes."""
        return Provenance.of(
            translate,
            device=str(self.prepared.device),
            dtype=self.prepared.arithmetic,
            model=said(self.name),
            revision=self.manifest.revision,
        )

    @property
    def traced_by(self) -> Provenance:
        """Return the provenance of one pass over a finished translation: the model itself, whatever searched for it."""
        return replace(self.provenance, dtype=str(self.prepared.dtype).removeprefix("torch."))


def load(checkpoint: str, precision: Precision = "full") -> LoadedTranslator:
    """Return a translator on the best device there is, for its first direction: the one place that keeps models.

    It is loaded once for the whole process, and again when the checkpoint's folder changes; who asks for one that is
    being loaded waits for it.

    Args:
        checkpoint: a bundled name, a folder, or `org/name@revision` on the Hub.
        precision: of the linear maps; what came of it is in the provenance.

    Raises:
        CheckpointError: it cannot be used.
        DeviceRefused: `EXPLORER_DEVICE` names a device that is not there.
    """
    return _load(checkpoint, precision, pick_device())


@loaded_once(6)
def _load(checkpoint: str, precision: Precision, device: torch.device) -> LoadedTranslator:
    manifest, model, tokenizer = opened(checkpoint, Translator, "a translator")
    directions = parse_directions(model.config.directions)
    return LoadedTranslator(
        name=checkpoint,
        manifest=manifest,
        tokenizer=tokenizer,
        prepared=restricted(prepare(model, device, precision=precision), tokenizer),
        direction=directions[0] if directions else None,
    )


def translate(translator: LoadedTranslator, text: str, options: DecodingOptions) -> TranslationRecord:
    """Translate a text and trace how: whatever is typed, in bounded time and memory.

    Raises:
        InputRefused: nothing visible was typed, or too much.
    """
    text = clean(text)
    source = encode_source(translator, text)
    (found,) = decode_all(translator.prepared, [source], options)
    return finished(translator, text, source, found, options)


def finished(
    translator: LoadedTranslator,
    text: str,
    source: Sequence[int],
    found: Sequence[Hypothesis],
    options: DecodingOptions,
) -> TranslationRecord:
    """Return what was found for a text, in words, and the trace of the best."""
    provenance = replace(
        translator.provenance, detail=f"beam {options.beam}, length penalty {options.length_penalty:g}"
    )
    return TranslationRecord(
        source=text,
        candidates=candidates(translator.tokenizer, found),
        trace=trace(translator.prepared, translator.tokenizer, source, found[0].ids, translator.traced_by),
        provenance=provenance,
    )


def clean(text: str) -> str:
    """Bring a text into the form of the training data.

    NFC; quotation marks and apostrophes plain; control, zero-width, bidirectional and surrogate characters left out;
    all white space one space.

    Raises:
        InputRefused: nothing visible is left, or the text is beyond `MAX_CHARACTERS`.
    """
    if len(text) > MAX_CHARACTERS:
        raise InputRefused("too_long", length=len(text), limit=MAX_CHARACTERS, unit="characters")
    text = visible(text).translate(PLAIN)
    if not text:
        raise InputRefused("empty")
    return text


def encode_source(translator: LoadedTranslator, text: str) -> list[int]:
    """Ids of a cleaned text: the tag of the direction where the vocabulary has tags, and `</s>` last.

    Raises:
        InputRefused: the text has more sub-words than the translator reads.
    """
    ids = translator.tokenizer.encode(text)
    tag = tag_of(translator.tokenizer, translator.direction)
    limit = min(MAX_SOURCE_TOKENS, translator.prepared.config.max_length - 1 - len(tag))
    if not ids:
        raise InputRefused("empty")
    if len(ids) > limit:
        raise InputRefused("too_long", length=len(ids), limit=limit)
    return [*tag, *ids, translator.tokenizer.eos_id]


def probe(model: nn.Module, tokenizer: Tokenizer, text: str) -> Probe:
    """Return what a translator's manifest promises: the greedy translation of a text, float32 on the CPU.

    Raises:
        TypeError: the model is no translator.
    """
    if not isinstance(model, Translator):
        raise TypeError(f"{type(model).__name__} is no translator")
    first = next(iter(parse_directions(model.config.directions)), None)
    source = [*tag_of(tokenizer, first), *tokenizer.encode(clean(text)), tokenizer.eos_id]
    prepared = prepare(model, torch.device("cpu"), torch.float32)
    ((best,),) = decode_all(prepared, [source], DecodingOptions(beam=1))
    return Probe(given=text, expected=tokenizer.decode(best.ids), score=best.log_probability)
