"""Commands that train a recurrent model on captions (`seq2seq`) or couplets (`couplet`), and one that measures it."""

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import Any

from explorer.models.seq2seq_config import Seq2SeqConfig
from explorer.training.command import Command, values
from explorer.training.options import all_but
from explorer.training.seq2seq.export import (
    LENGTHS_FILE,
    export_seq2seq,
    facts_of_checkpoint,
    lengths_of_checkpoint,
    score_checkpoint,
)
from explorer.training.seq2seq.recipe import Seq2SeqRecipe, train_couplet, train_seq2seq

SHAPE = all_but(Seq2SeqConfig, "vocab_size", "pad_id", "bos_id", "eos_id")
RECIPE = ("vocab_size", "teacher_forcing", "clip")
TRAIN = {"seq2seq": train_seq2seq, "couplet": train_couplet}
CREDITS = {
    "seq2seq": "Multi30k, task 1 (Elliott et al. 2016, W16-3210; Elliott et al. 2017, W17-4718): 29,000 captions of"
    " photographs in German and English to train, 1,014 to develop, test_2016_flickr (1,000) to test."
    " github.com/multi30k/dataset, commit a3d2e0d.",
    "couplet": "Couplets cut from regulated verse of the Tang and Song (251,393;"
    " github.com/chinese-poetry/chinese-poetry, commit 99ebbef, MIT, (c) 2016 JackeyGao; the poems are in the public"
    " domain) and real couplets (47,167; github.com/ZiJianZhao/Couplet-Machine, commit 1344054, and"
    " DendiHust/CoupletAI, the first 1,000 training pairs of wb14123/couplet-dataset). Lines of the test set of"
    " wb14123/couplet-dataset (4,000 pairs) were taken out.",
}
LICENCES = {
    "seq2seq": "the dataset states none; its authors provide the images “solely for researchers and educators who wish"
    " to use the dataset for non-commercial research and/or educational purposes”, and the weights are given for the"
    " same use.",
    "couplet": "MIT for the collection of verse; the collection of couplets states none (gathered from the web). The"
    " weights are given for teaching.",
}
#: Where a recurrent model differs from the configurations' defaults.
DEFAULTS = {
    "dropout": 0.2,
    "steps": 1800,
    "tokens_per_batch": 3072,
    "learning_rate": 2e-3,
    "warmup": 150,
    "decay_share": 0.5,
    "average_decay": 0.995,
    "report_every": 150,
}


def add(parsers: Any) -> None:
    """Add the words of both families."""
    for family, train in TRAIN.items():
        Command(
            shapes={Seq2SeqConfig: SHAPE},
            recipe=(Seq2SeqRecipe, RECIPE),
            make=lambda given, course: Seq2SeqRecipe(
                shape=values(given, SHAPE), training=course, **values(given, RECIPE)
            ),
            train=train,
            export=partial(export_seq2seq, family),
            data="folder of Multi30k, or of .tsv files",
            credit=CREDITS[family],
            licence=LICENCES[family],
            defaults=DEFAULTS,
            always=("mechanism", "seed"),
        ).add(parsers, family, export=f"{family}-export")
        parser = parsers.add_parser(f"{family}-score", help="measure a checkpoint")
        parser.add_argument("--data", type=Path, required=True, help="folder of Multi30k, or of .tsv files")
        parser.add_argument("--out", type=Path, required=True, help="folder of the checkpoint")
        wanted = f"write BLEU by length to {LENGTHS_FILE} of the checkpoint"
        parser.add_argument("--write-lengths", action="store_true", help=wanted)
        parser.set_defaults(action=_score)


def _score(given: argparse.Namespace) -> None:
    for (part, how), found in score_checkpoint(given.out, given.data).items():
        sys.stdout.write(f"{part:>12}  {how:<24} BLEU {found.score:.2f}  ({found.n_lines:,} lines)\n")
    for name, number in facts_of_checkpoint(given.out, given.data).items():
        sys.stdout.write(f"{name} {number}\n")
    lengths = lengths_of_checkpoint(given.out, given.data)
    sys.stdout.write(lengths)
    if given.write_lengths and lengths:
        (given.out / LENGTHS_FILE).write_text(lengths)
