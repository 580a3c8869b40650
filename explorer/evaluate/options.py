"""Score a trained model on held-out data.

A translator on sentence pairs: `python -m explorer.evaluate checkpoints/translator-en-fr test.tsv.gz`; a decoder-only
model on the end of a text: `python -m explorer.evaluate checkpoints/positions-rotary input.txt.gz`; a model of the
training lab, a folder or the .zip that the page gives away, on pairs of its task; a model of pictures on the `test.npz`
of a folder.
"""

import argparse
from pathlib import Path
from typing import get_args

from explorer.inference.engine.layout import Precision
from explorer.inference.search.decode import DecodingOptions

#: The search whose counts a card shows.
USUAL = DecodingOptions()
#: Options that are read of translators alone, and those of them that --everyday does not read.
NOT_EVERYDAY = ("as_typed", "training", "record_as", "limit")
TRANSLATOR = ("direction", "everyday", *NOT_EVERYDAY, "record", "beam", "length_penalty", "precision", "out")


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command."""
    parser = argparse.ArgumentParser(prog="python -m explorer.evaluate", description=__doc__)
    parser.add_argument(
        "checkpoint", help="a bundled name, a folder, a .zip of the training lab, or org/name@revision on the Hub"
    )
    parser.add_argument(
        "data",
        type=Path,
        help="for a translator or a model of the lab, lines 'source TAB reference [TAB reference …]' (for a translator"
        " also a folder as `explorer.training` takes it, whose test part is scored); for a"
        " decoder-only model, the text or the verse it was trained on, whose held-out part is scored; plain or gzipped;"
        " for an encoder that fills in blanks, the first folder it was trained on;"
        " for a model of pictures, a folder with test.npz",
    )
    parser.add_argument(
        "--direction",
        default="",
        help="such as fr-en, of a translator with several (its first); into English, the lines are read backwards",
    )
    parser.add_argument(
        "--everyday",
        action="store_true",
        help="of a translator: data is a file like tests/data/everyday_en-fr.tsv, or their folder; print what is wrong"
        " with each kind of sentence",
    )
    parser.add_argument(
        "--as-typed",
        action=argparse.BooleanOptionalAction,
        help="of a translator whose languages have names: prepare and join the sentences as the page does (so it does"
        " by default), or have each read as it is",
    )
    parser.add_argument(
        "--limit",
        type=int,
        default=0,
        help="of a translator: score so many pairs alone, spread evenly",
    )
    parser.add_argument(
        "--record-as",
        default="",
        metavar="NAME",
        help="of a translator: write the scores on these pairs into the checkpoint's manifest, such as news_bleu_en-fr",
    )
    parser.add_argument(
        "--record",
        action="store_true",
        help="with --everyday: write the counts into the checkpoint's manifest and card",
    )
    parser.add_argument("--beam", type=int, default=USUAL.beam)
    parser.add_argument("--length-penalty", type=float, default=USUAL.length_penalty)
    parser.add_argument(
        "--precision", choices=get_args(Precision), default="full", help="of the translator's linear maps, on a CPU"
    )
    parser.add_argument(
        "--training",
        type=Path,
        nargs="+",
        default=[],
        help="what a translator was trained on, files or folders as above: BLEU is printed without near-duplicates, too"
        " (sources at most one word away from a source there)",
    )
    parser.add_argument("--out", type=Path, help="write the translations here, one a line")
    return parser
