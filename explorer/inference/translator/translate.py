"""Translate what somebody typed, whatever it is."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import nn

from explorer.checkpoints.hub import locate
from explorer.checkpoints.manifest import WEIGHTS, Manifest, Probe, display_source
from explorer.data.marian.sentencepieces import SentencePieces
from explorer.data.parallel.directions import Direction, parse_directions
from explorer.data.parallel.normalisation import PLAIN, Normalised, visible
from explorer.data.tokenizer import Tokenizer
from explorer.inference.device import pick_device
from explorer.inference.engine.layout import Precision
from explorer.inference.engine.prepared import Prepared, prepare
from explorer.inference.loaded import loaded_once, open_family
from explorer.inference.refused import InputRefused as InputRefused
from explorer.inference.search.batching import decode_all
from explorer.inference.search.decode import DecodingOptions, Hypothesis
from explorer.inference.translator.piece import Piece
from explorer.inference.translator.pieces import readings
from explorer.inference.translator.scripts import restrict_scripts
from explorer.inference.translator.subwords import candidates, tag_of
from explorer.inference.translator.trace import AnyTokenizer, trace
from explorer.models.translator import Translator
from explorer.records.provenance import Provenance
from explorer.records.sequence import TranslationRecord

#: Longest source in sub-words, some thirty times the mean of the training data; longest text that is looked at at all.
MAX_SOURCE_TOKENS, MAX_CHARACTERS = 128, 10_000
#: Bytes of weights above which a translator takes so much memory (half a gigabyte and more) that fewer are kept.
LARGE = 100_000_000


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

    @property
    def of_others(self) -> bool:
        """Return whether somebody else made it: a Marian translator that was converted."""
        return isinstance(self.tokenizer, SentencePieces)

    @property
    def rewritten(self) -> Direction | None:
        """Return the direction for which a text is rewritten before it is read, such as its names and slips.

        None where its languages have no names, and for a model of others, which reads what is typed.
        """
        return None if self.of_others else self.direction

    def towards(self, direction: Direction) -> "LoadedTranslator":
        """Return the same, for one of its directions.

        Raises:
            ValueError: it was not trained for that.
        """
        if direction not in self.directions:
            raise ValueError(
                f"{display_source(self.name)} translates {self.prepared.config.directions or 'no named language'}"
            )
        return replace(self, direction=direction)

    @property
    def provenance(self) -> Provenance:
        """Return the provenance of everything this translator computes."""
        return Provenance.of(
            translate,
            device=str(self.prepared.device),
            dtype=self.prepared.arithmetic,
            model=display_source(self.name),
            revision=self.manifest.revision,
        )

    @property
    def traced_by(self) -> Provenance:
        """Return the provenance of one pass over a finished translation: the model itself, whatever searched for it."""
        return replace(self.provenance, dtype=str(self.prepared.model.embedding.weight.dtype).removeprefix("torch."))


def load(checkpoint: str, precision: Precision = "full") -> LoadedTranslator:
    """Return a translator on the best device there is, for its first direction: the one place that keeps models.

    It is loaded once for the whole process, and again when the checkpoint's folder changes; who asks for one that is
    being loaded waits for it.

    Args:
        checkpoint: a bundled name, a folder, or `org/name@revision` on the Hub.
        precision: of the search; what came of it is in the provenance.

    Raises:
        CheckpointError: it cannot be used.
        DeviceRefused: `EXPLORER_DEVICE` names a device that is not there.
    """
    return (_load_large if _is_large(checkpoint) else _load)(checkpoint, precision, pick_device())


def _is_large(checkpoint: str) -> bool:
    try:
        return (Path(locate(checkpoint)) / WEIGHTS).stat().st_size > LARGE
    except OSError:
        return False


def _opened(checkpoint: str, precision: Precision, device: torch.device) -> LoadedTranslator:
    manifest, model, tokenizer = open_family(checkpoint, Translator, "a translator")
    directions = parse_directions(model.config.directions)
    return LoadedTranslator(
        name=checkpoint,
        manifest=manifest,
        tokenizer=tokenizer,
        prepared=restrict_scripts(prepare(model, device, precision=precision), tokenizer),
        direction=directions[0] if directions else None,
    )


_load_large, _load = loaded_once(2)(_opened), loaded_once(6)(_opened)


def translate(translator: LoadedTranslator, text: str, options: DecodingOptions) -> TranslationRecord:
    """Translate a text in one pass and trace how: whatever is typed, in bounded time and memory.

    Raises:
        InputRefused: nothing visible was typed, or too much.
    """
    clean(text)
    for piece in readings(text, translator.tokenizer, translator.rewritten, _cleaned):
        found = translate_read(translator, piece.text, options, piece)
        if piece.kept(found.best.text):
            break
    return found


def _cleaned(text: str) -> Normalised:
    return Normalised(text=clean(text), changes=())


def translate_read(
    translator: LoadedTranslator, text: str, options: DecodingOptions, piece: Piece | None = None
) -> TranslationRecord:
    """Translate a text as it was read before.

    Raises:
        InputRefused: there is too much of it.
    """
    source = encode_source(translator, text)
    (found,) = decode_all(translator.prepared, [source], options)
    return finish_translation(translator, text, source, found, options, piece)


def finish_translation(
    translator: LoadedTranslator,
    text: str,
    source: Sequence[int],
    found: Sequence[Hypothesis],
    options: DecodingOptions,
    piece: Piece | None = None,
) -> TranslationRecord:
    """Return what was found for a text, in words, and the trace of the best.

    Args:
        piece: how it was read, where something may have been read as something else.
    """
    detail = f"beam {options.beam}, length penalty {options.length_penalty:g}"
    written = candidates(translator.tokenizer, found)
    return TranslationRecord(
        source=text,
        candidates=written,
        typed=piece.typed if piece else text,
        said=tuple(piece.restored(each.text) if piece else each.text for each in written),
        replaced=piece.replaced if piece else (),
        trace=trace(translator.prepared, translator.tokenizer, source, found[0].ids, translator.traced_by),
        provenance=replace(translator.provenance, detail=detail),
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
