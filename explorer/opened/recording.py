"""Record a model's looks: `python -m explorer.opened.recording FOLDER --address org/name --made-from "…"`.

Takes an ordinary folder of transformers, or a translator of this project, and writes
`explorer/opened/recordings/<name>.npz`; with `--what corpus`, what every head does over two hundred sentences; with
`--what rounded`, how far maps move when weights are rounded; with `--what without`, what the model says without all
heads of a rule; with `--what weakened`, with less of each; with `--what carried`, with each head's output carried over
between two texts.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import torch

from explorer.inference.vision.samples import middle_square, sample
from explorer.opened import corpus, recorded
from explorer.opened.cards import our_card
from explorer.opened.passes import effects, lens, loader, looks, ours, rounding, several
from explorer.opened.passes.loader import OpenedModel
from explorer.opened.passes.looks import Given
from explorer.opened.recorded import RecordedModel, RecordedText, Weakened
from explorer.opened.refused import ModelRefused
from explorer.records.attention import AttentionRecord
from explorer.records.opened import texts, wire
from explorer.records.opened.look import MOST_CELLS, ModelLook, code, decode, pool
from explorer.records.opened.prediction import HeadEffects, LensRecord, SiteEffects, SlopesRecord, WithoutRecord
from explorer.records.opened.several import ComparedModels, CorpusLook

R = TypeVar(
    "R", ModelLook, LensRecord, SiteEffects, SlopesRecord, WithoutRecord, AttentionRecord, CorpusLook, ComparedModels
)
#: Of recordings that are no looks.
FOLDERS = {
    "corpus": "corpora", "rounded": "rounded", "without": "without", "weakened": "weakened", "carried": "carried",
}  # fmt: skip
#: To which weights are rounded.
BITS = (8, 4, 3, 2)
#: Cells of a tile of a long text: its squares are stored, and read again, only as pictures.
SMALL = MOST_CELLS // 2
#: Tokens of a text.
MOST = 256
#: The attention whose maps are whole for the long text, where there is one: SmolLM2's induction heads lie there.
SITE = 17


def record(folder: Path, address: str, made_from: str, licence: str = "") -> RecordedModel:
    """Return what the lesson shows of a model first.

    Args:
        licence: of the model at its address, where the folder names none.

    Raises:
        ModelRefused: it is no model that is opened.
    """
    opened = loader.load(folder)
    return RecordedModel(
        card=replace(opened.card, licence=opened.card.licence or licence),
        address=address,
        made_from=made_from,
        texts={texts.CAPITALS: _whole(opened, made_from), texts.GETTYSBURG: _long(opened, made_from)},
    )


def record_ours(folder: Path) -> RecordedModel:
    """Return what the lesson shows of a translator of this project first.

    Raises:
        ModelRefused: it is none that is looked at.
    """
    card = our_card.read(folder)
    if card.kind == "vision":
        said = {recorded.picture_key(each): _picture(folder, each, card.name) for each in list_pictures()}
    else:
        said = {text: RecordedText(look=ours.look(folder, text, MOST, card.name)) for text in (texts.SOFA, texts.MISS)}
    return RecordedModel(card=card, address="", made_from="", texts=said)


def list_pictures() -> list[npt.NDArray[np.uint8]]:
    """Return the squares of the pictures that come along."""
    return [middle_square(sample(name), name) for name in texts.PICTURES]


def _picture(folder: Path, picture: npt.NDArray[np.uint8], name: str) -> RecordedText:
    """Return a picture's look with small tiles, and all its maps."""
    look = ours.look(folder, picture, MOST, name)
    small = tuple(code(pool(decode(each), SMALL)) for each in look.tiles)
    every = (ours.attention(folder, picture, MOST, name, site.number) for site in look.sites)
    maps = {str(number): recorded.encode_maps(each) for number, each in enumerate(every)}
    return RecordedText(look=replace(look, tiles=small), maps=maps)


def _whole(opened: OpenedModel, note: str) -> RecordedText:
    """Return everything of the short text."""
    given = looks.read_text(opened, texts.CAPITALS, MOST)
    sites = tuple(_noted(effects.each_without(opened, given, site.number, "nothing"), note) for site in opened.sites)
    heads = max(site.heads for site in opened.sites)
    return RecordedText(
        look=_noted(looks.look(opened, given), note),
        lens=_noted(lens.lens(opened, given), note) if opened.predicts else None,
        effects=HeadEffects(sites=sites, n_sites=len(sites), n_heads=heads),
        slopes=_noted(effects.slopes(opened, given), note) if opened.predicts else None,
    )


def _long(opened: OpenedModel, note: str) -> RecordedText:
    """Return rules, small tiles, and the maps of one attention where it has so many."""
    given: Given = looks.read_text(opened, texts.GETTYSBURG, MOST)
    look = _noted(looks.look(opened, given), note)
    small = tuple(code(pool(decode(each), SMALL)) for each in look.tiles)
    sites = [SITE] if len(opened.sites) > SITE else []
    maps = {str(site): recorded.encode_maps(_noted(looks.attention(opened, given, site), note)) for site in sites}
    return RecordedText(look=replace(look, tiles=small), maps=maps)


def record_corpus(opened: OpenedModel, note: str) -> CorpusLook:
    """Return every head over the sentences that come with the project."""
    return _noted(several.over_texts(opened, corpus.sentences(), MOST), note)


def record_rounded(folder: Path, note: str) -> dict[str, ComparedModels]:
    """Return how far the maps of the short text move, by the number of bits that weights are rounded to."""
    found = {}
    for bits in BITS:
        other = rounding.round_weights(loader.load(folder), bits)
        found[str(bits)] = _noted(several.compare(loader.load(folder), other, texts.CAPITALS, MOST), note)
    return found


def record_without(opened: OpenedModel, note: str) -> dict[str, WithoutRecord]:
    """Return what the model says of the short text without all heads of a rule, by the rule."""
    given = looks.read_text(opened, texts.CAPITALS, MOST)
    look = looks.look(opened, given)
    rules = dict.fromkeys(each.rule for judged in look.rules for each in judged)
    return {rule: _noted(effects.without(opened, given, look.heads(rule), 0.0, "nothing"), note) for rule in rules}


def record_weakened(opened: OpenedModel, note: str) -> dict[str, Weakened]:
    """Return what the model says of the short text with less of each head, and of all of a rule, by percent."""
    given = looks.read_text(opened, texts.CAPITALS, MOST)
    look = looks.look(opened, given)
    rules = dict.fromkeys(each.rule for judged in look.rules for each in judged)
    heads = max(site.heads for site in opened.sites)
    found = {}
    for percent in recorded.STOPS:
        left = percent / 100
        sites = tuple(
            _noted(effects.each_without(opened, given, site.number, "nothing", left), note) for site in opened.sites
        )
        alone = HeadEffects(sites=sites, n_sites=len(sites), n_heads=heads)
        together: dict[str, WithoutRecord] = {
            rule: _noted(effects.without(opened, given, look.heads(rule), left, "nothing"), note) for rule in rules
        }
        found[str(percent)] = Weakened(alone=alone, together=together)
    return found


def record_carried(opened: OpenedModel, note: str) -> dict[str, HeadEffects]:
    """Return what each head carries over from one of two texts into the other, and back.

    Raises:
        ModelRefused: the model predicts no words.
    """
    found = {}
    heads = max(site.heads for site in opened.sites)
    for pair in ((texts.FRANCE, texts.ITALY), (texts.ITALY, texts.FRANCE)):
        given, other = (looks.read_text(opened, text, MOST) for text in pair)
        sites = tuple(_noted(effects.each_carried(opened, given, other, site.number), note) for site in opened.sites)
        found[recorded.pair_key(*pair)] = HeadEffects(sites=sites, n_sites=len(sites), n_heads=heads)
    return found


def _noted(made: R, note: str) -> R:
    """Return a record whose provenance says what the folder was made from."""
    known = made.provenance
    detail = ", ".join(each for each in (known.detail, note) if each)
    return replace(made, provenance=replace(known, detail=detail))


def main(arguments: Sequence[str] | None = None) -> int:
    """Record; return 2 and say why when the folder cannot be used."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="with config.json, model.safetensors and tokenizer.json")
    parser.add_argument("--address", default="", help="of the model on the Hub, org/name")
    parser.add_argument("--made-from", default="", help="what the folder was made from, for its provenance")
    parser.add_argument("--licence", default="", help="of the model at its address, where the folder names none")
    parser.add_argument("--what", choices=("looks", *FOLDERS), default="looks")
    given = parser.parse_args(arguments)
    torch.set_num_threads(1)
    try:
        file = _write(given)
    except (ModelRefused, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(f"{file.name}: {file.stat().st_size:,} bytes\n")
    return 0


def _write(given: argparse.Namespace) -> Path:
    """Record what is asked for, and return the file."""
    made: RecordedModel | CorpusLook | Mapping[str, ComparedModels | WithoutRecord | Weakened | HeadEffects]
    if given.what == "looks":
        is_ours = our_card.is_ours(given.folder)
        made = (
            record_ours(given.folder)
            if is_ours
            else record(given.folder, given.address, given.made_from, given.licence)
        )
        file = recorded.FOLDER / f"{made.card.name}.npz"
    else:
        opened = loader.load(given.folder)
        file = recorded.FOLDER / FOLDERS[given.what] / f"{opened.card.name}.npz"
        if given.what == "rounded":
            made = record_rounded(given.folder, given.made_from)
        elif given.what == "corpus":
            made = record_corpus(opened, given.made_from)
        elif given.what == "without":
            made = record_without(opened, given.made_from)
        elif given.what == "weakened":
            made = record_weakened(opened, given.made_from)
        else:
            made = record_carried(opened, given.made_from)
    file.parent.mkdir(parents=True, exist_ok=True)
    wire.save(file, made)
    return file


if __name__ == "__main__":
    sys.exit(main())
