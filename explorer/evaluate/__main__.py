"""Score a trained model on held-out data: `explorer.evaluate.options` says how it is asked."""

import argparse
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from explorer.checkpoints.hub import locate, open_checkpoint
from explorer.checkpoints.manifest import CheckpointError, read_manifest, write_manifest
from explorer.checkpoints.package import unpack
from explorer.checkpoints.store import Loaded
from explorer.data.blanks import read_sentences
from explorer.data.corpus import read_corpus
from explorer.data.images import ImagesError, read_images
from explorer.data.parallel.directions import FIRST, Direction, backwards, parse_directions, read_part
from explorer.data.parallel.everyday import read_everyday
from explorer.data.parallel.multi30k import read_references
from explorer.data.parallel.pairs import Pair, PairsError, read_pairs
from explorer.data.task_source import whole
from explorer.data.task_tokenizer import TaskTokenizer
from explorer.data.text import TextError
from explorer.evaluate import everyday
from explorer.evaluate.blanks import one_by_one
from explorer.evaluate.kept_numbers import count_kept
from explorer.evaluate.options import NOT_EVERYDAY, TRANSLATOR, USUAL, parser
from explorer.evaluate.text import WINDOWS_AT_ONCE, text_loss
from explorer.evaluate.translations import score, score_unseen, translate_all, translate_texts
from explorer.inference.device import DeviceRefused, pick_device
from explorer.inference.engine.prepared import prepare
from explorer.inference.lab.exact_match import exact_match
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.translator.scripts import restrict_scripts
from explorer.inference.vision.classify import correct
from explorer.models.cnn import CNN
from explorer.models.gpt import GPT
from explorer.models.masked import MaskedEncoder
from explorer.models.seq2seq import Seq2Seq
from explorer.models.translator import Translator
from explorer.models.vit import ViT


def main(arguments: Sequence[str] | None = None) -> int:
    """Score a checkpoint on held-out data and print the scores."""
    given = parser().parse_args(arguments)
    try:
        loaded = _opened(given.checkpoint)
        found = _scored(loaded, given)
    except (CheckpointError, ImagesError, PairsError, TextError, DeviceRefused, ValueError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(f"{given.checkpoint} @ {loaded.manifest.revision}, {found}\n")
    return 0


def _opened(checkpoint: str) -> Loaded:
    """Open a checkpoint, or a package of one as the training lab gives it away."""
    if not checkpoint.endswith(".zip"):
        return open_checkpoint(checkpoint)
    with tempfile.TemporaryDirectory() as folder:
        return unpack(Path(checkpoint).read_bytes(), Path(folder))


def _scored(loaded: Loaded, given: argparse.Namespace) -> str:
    """Return what is printed of a model, by its family."""
    model, device = loaded.model, pick_device()
    _refuse_unread(loaded, given)
    if isinstance(model, GPT):
        held_out = read_corpus(given.data).held_out
        loss = text_loss(model.to(device), loaded.tokenizer, held_out)
        return f"{device}, float32\nloss {loss:.4f} nats per character ({len(held_out):,} held-out characters)"
    if isinstance(model, MaskedEncoder):
        _, _, sentences = read_sentences([(given.data, "de")])
        return f"{device}, float32\n{one_by_one(model.to(device), loaded.tokenizer, sentences)}"
    if isinstance(model, ViT | CNN):
        images = read_images(given.data / "test.npz" if given.data.is_dir() else given.data)
        return f"{device}, float32\naccuracy {correct(model.to(device), images):.2%} ({len(images):,} pictures)"
    if isinstance(model, Seq2Seq | Translator) and isinstance(loaded.tokenizer, TaskTokenizer):
        pairs = read_pairs(given.data)
        batches = whole(pairs, loaded.tokenizer, max_length=model.config.max_length, rows=WINDOWS_AT_ONCE)
        loss, accuracy = exact_match(model.to(device), batches)
        exact = f"exact match {accuracy:.2%} (greedy, {len(pairs):,} lines), loss {loss:.4f} nats per token"
        return f"{device}, float32\n{exact}"
    if isinstance(model, Translator):
        return _scored_everyday(loaded, model, given) if given.everyday else _scored_pairs(loaded, model, given)
    raise CheckpointError(f"{given.checkpoint} is a {loaded.manifest.family}; nothing is known to score it on.")


def _refuse_unread(loaded: Loaded, given: argparse.Namespace) -> None:
    """Refuse options that would not be read.

    Raises:
        ValueError: naming them.
    """
    translates = isinstance(loaded.model, Translator) and not isinstance(loaded.tokenizer, TaskTokenizer)
    unread, options = (NOT_EVERYDAY if given.everyday else ()) if translates else TRANSLATOR, parser()
    found = [f"--{name.replace('_', '-')}" for name in unread if getattr(given, name) != options.get_default(name)]
    if found:
        what = "with --everyday" if translates else f"of a {loaded.manifest.family}"
        raise ValueError(f"{', '.join(found)}: not read {what}")


def _scored_pairs(loaded: Loaded, model: Translator, given: argparse.Namespace) -> str:
    """Score the translations of pairs, and of those without near-duplicates where the training data is given."""
    direction = next(iter(_directions(model, given.direction)), None)
    if given.record:
        raise ValueError("--record keeps what --everyday counts: give both")
    if given.as_typed and direction is None:
        raise ValueError("--as-typed needs languages with names: those of this checkpoint have none")
    if given.record_as and direction is None:
        raise ValueError("--record-as needs languages with names: those of this checkpoint have none")
    pairs, tokenised = _pairs(given.data, "test", direction), _references(given.data, direction)
    chosen = [n * len(pairs) // given.limit for n in range(given.limit)] if 0 < given.limit < len(pairs) else ()
    if chosen:
        pairs, tokenised = [pairs[n] for n in chosen], [tokenised[n] for n in chosen if tokenised]
    prepared = restrict_scripts(prepare(model, pick_device(), precision=given.precision), loaded.tokenizer)
    options, texts = _search(given), [pair.source for pair in pairs]
    begun = time.perf_counter()
    if given.as_typed is not False and direction:
        translations = translate_texts(prepared, loaded.tokenizer, texts, options, direction=direction)
    else:
        translations = translate_all(prepared, loaded.tokenizer, texts, options, direction=direction, progress=True)
    speed = sum(len(loaded.tokenizer.encode(each)) for each in translations) / (time.perf_counter() - begun)
    _write(translations, given.out)
    scores = score(translations, pairs, direction.target if direction else "", tokenised)
    more = f"{speed:,.0f} tokens/s"
    if direction:
        kept, total = count_kept(texts, translations, *direction)
        more = f"numbers {kept / max(total, 1):.1%} kept ({kept:,} of {total:,})\n{more}"
        if given.record_as:
            facts = {"bleu": scores.bleu, "chrf": scores.chrf, "numbers_kept": kept / max(total, 1)}
            named = {f"{given.record_as}_{name}_{direction}": value for name, value in facts.items()}
            _record(Path(locate(given.checkpoint)), named)
    if given.training:
        training = (pair.source for path in given.training for pair in _pairs(path, "train", direction))
        unseen = score_unseen(translations, pairs, training, direction or Direction("", ""))
        scores = replace(scores, unseen=unseen)
        if unseen is None:
            sys.stderr.write("Every source is at most one word away from a training source: none is left to score.\n")
    return f"{direction or 'translator'}, {prepared.device}, {prepared.arithmetic}, {options}\n{scores}\n{more}"


def _record(folder: Path, metrics: Mapping[str, float]) -> None:
    """Write scores into a checkpoint's manifest."""
    manifest = read_manifest(folder)
    rounded = {name: round(value, 4) for name, value in metrics.items()}
    write_manifest(folder, replace(manifest, metrics={**manifest.metrics, **rounded}))


def _scored_everyday(loaded: Loaded, model: Translator, given: argparse.Namespace) -> str:
    """Count what is wrong in each kind of sentence: of all directions, if a folder is given and no direction asked."""
    directions = _directions(model, given.direction)
    if not directions:
        raise ValueError("the languages of this checkpoint have no names")
    options = _search(given)
    if given.record and (options != USUAL or given.precision != "full"):
        raise ValueError("what is recorded is counted with the usual search: leave out --beam and the like")
    prepared = restrict_scripts(prepare(model, pick_device(), precision=given.precision), loaded.tokenizer)
    found, written = [], []
    for direction in directions if given.data.is_dir() else directions[:1]:
        sentences = read_everyday(given.data / f"everyday_{direction}.tsv" if given.data.is_dir() else given.data)
        texts = [sentence.source for sentence in sentences]
        translations = translate_texts(prepared, loaded.tokenizer, texts, options, direction=direction)
        counts = everyday.count(sentences, translations, direction.target)
        if given.record:
            everyday.record(Path(locate(given.checkpoint)), str(direction), counts)
        written += translations
        found.append(f"{direction}, {prepared.device}, {prepared.arithmetic}, {options}\n{everyday.table(counts)}")
    _write(written, given.out)
    return "\n".join(found)


def _search(given: argparse.Namespace) -> DecodingOptions:
    return DecodingOptions(beam=given.beam, length_penalty=given.length_penalty)


def _write(translations: Sequence[str], out: Path | None) -> None:
    if out:
        out.write_text("".join(f"{' '.join(each.split())}\n" for each in translations), encoding="utf-8")


def _pairs(data: Path, part: str, direction: Direction | None) -> list[Pair]:
    """Read the pairs of a file, or of a part of a folder."""
    if data.is_dir() and direction is not None:
        return read_part(data, part, direction)
    pairs = read_pairs(data)
    return backwards(pairs) if direction is not None and direction.target == FIRST else pairs


def _references(data: Path, direction: Direction | None) -> list[str]:
    """Read the tokenised references that lie beside a folder's test part, if there are such."""
    return read_references(data, target=direction.target) if data.is_dir() and direction is not None else []


def _directions(model: Translator, asked: str) -> tuple[Direction, ...]:
    """Return the direction that is asked for, or all that the model was trained for.

    Raises:
        ValueError: it is not one, or the model was not trained for it.
    """
    known = parse_directions(model.config.directions)
    if not asked:
        return known
    found = parse_directions(asked)
    if len(found) != 1:
        raise ValueError(f"--direction takes one, such as fr-en, and not {asked!r}")
    if found[0] not in known:
        raise ValueError(f"this checkpoint translates {model.config.directions or 'no named language'}, not {asked}")
    return found


if __name__ == "__main__":
    sys.exit(main())
