"""From a run of the translator to a checkpoint: scored as stored, with a card."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch

from explorer.checkpoints.manifest import Manifest
from explorer.data.parallel.directions import Direction, parse_directions
from explorer.data.parallel.multi30k import read_references
from explorer.data.parallel.pairs import Pair, PairsError
from explorer.data.tokenizer import Tokenizer
from explorer.evaluate.translations import Scores, score, score_unseen, translate_all
from explorer.inference.engine.prepared import prepare
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.translator.scripts import restrict_scripts
from explorer.inference.translator.translate import probe
from explorer.models.translator import Translator, TranslatorConfig
from explorer.training.export import Stated, export
from explorer.training.state import load_averaged
from explorer.training.translator.card import card_names
from explorer.training.translator.recipe import PairFolder, read_directions

PROBES = {
    "en": "The children are playing in the garden.",
    "fr": "Les enfants jouent dans le jardin.",
    "de": "Die Kinder spielen im Garten.",
    "zh": "孩子们在花园里玩。",
}
SEARCH = DecodingOptions(beam=4)


def export_translator(run: Path, out: Path, *, data: Sequence[PairFolder], stated: Stated) -> Manifest:
    """Write a run's averaged model as a checkpoint, scored with beam 4 on `dev`, and on `test` if there is one.

    Raises:
        ResumeError: there is no usable state.
    """
    model, tokenizer = load_averaged(run, Translator, TranslatorConfig), Tokenizer.load(run / "tokenizer.json")
    scores = scores_of(model.half().float(), tokenizer, data)  # as stored
    directions = parse_directions(model.config.directions)
    metrics: dict[str, float] = {}
    for (part, direction), found in scores.items():
        which = f"_{direction}" if len(directions) > 1 else ""
        metrics |= {f"{part}_bleu{which}": round(found.bleu, 2), f"{part}_chrf{which}": round(found.chrf, 2)}
        metrics |= {f"{part}_bleu_tokenised{which}": round(found.tokenised, 2)} if found.tokenised is not None else {}
        if found.unseen is not None and found.near is not None:
            metrics[f"{part}_bleu_without_near_duplicates{which}"] = round(found.unseen.bleu, 2)
            metrics[f"{part}_near_duplicates{which}"] = round(found.near, 4)
    given = PROBES.get(directions[0].source, PROBES["en"])
    while given and len(tokenizer.encode(given)) + 2 > model.config.max_length:  # a tag and the end stand around it
        given = given[:-1]
    return export(
        run,
        out,
        model,
        stated,
        kind="translator",
        family="translator",
        metrics=metrics,
        probe=lambda stored, reader: probe(stored, reader, given),
        **card_names(directions, stated.command, scores, run / "history.csv"),
    )


def scores_of(
    model: Translator, tokenizer: Tokenizer, data: Sequence[PairFolder]
) -> dict[tuple[str, Direction], Scores]:
    """Score a model by part of the data (`dev`, and `test` if there is one) and direction, with beam 4."""
    prepared = restrict_scripts(prepare(model, torch.device("cpu"), torch.float32), tokenizer)
    found = {}
    for part in ("dev", "test"):
        for direction, pairs in _there(data, part, parse_directions(model.config.directions)).items():
            texts = [pair.source for pair in pairs]
            translations = translate_all(prepared, tokenizer, texts, SEARCH, direction=direction)
            folder = next(corpus.folder for corpus in data if corpus.serves(direction))
            tokenised = read_references(folder, target=direction.target) if part == "test" else []
            found[part, direction] = score(translations, pairs, direction.target, tokenised)
            if part == "test":
                training = (pair.source for pair in _there(data, "train", [direction]).get(direction, ()))
                unseen = score_unseen(translations, pairs, training, direction)
                found[part, direction] = replace(found[part, direction], unseen=unseen)
    return found


def _there(data: Sequence[PairFolder], part: str, directions: Sequence[Direction]) -> dict[Direction, list[Pair]]:
    """Read the pairs of a part, none where a folder lacks it."""
    try:
        return read_directions(data, part, directions)
    except PairsError:
        return {}
