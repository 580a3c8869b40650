"""Train a recurrent model: `python -m explorer.training seq2seq --data <multi30k> --out checkpoints/<name>`."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from explorer.models.seq2seq_config import Seq2SeqConfig
from explorer.nn.alignment import MECHANISMS
from explorer.training.config import TrainingConfig
from explorer.training.process import join
from explorer.training.recipes_seq2seq import Seq2SeqRecipe, train_seq2seq

#: What this command does, as the first word after `python -m explorer.training`.
WHAT = ("seq2seq", "seq2seq-export")
SHAPE = ("cell", "n_layers", "d_embedding", "d_hidden", "d_encoder", "d_attention", "context", "query", "dropout")
COURSE = (
    "seed",
    "steps",
    "tokens_per_batch",
    "learning_rate",
    "warmup",
    "decay_share",
    "average_decay",
    "report_every",
)
#: Where a recurrent model differs from the translator's course.
DEFAULTS = {
    "steps": 2400,
    "tokens_per_batch": 3072,
    "learning_rate": 2e-3,
    "warmup": 200,
    "decay_share": 0.4,
    "average_decay": 0.99,
    "report_every": 200,
}


def main(arguments: Sequence[str]) -> int:
    """Train, then write the checkpoint. Returns 2 and says why when the data or the run cannot be used."""
    given = _parser().parse_args(arguments)
    run = given.run_folder or Path("runs") / given.out.name
    try:
        if given.what == "seq2seq":
            device = join(given.threads)
            train_seq2seq(given.data, run, _recipe(given), device=device, resume=given.resume)
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def _recipe(given: argparse.Namespace) -> Seq2SeqRecipe:
    shape = {name: getattr(given, name) for name in ("mechanism", *SHAPE)}
    course = {name: getattr(given, name) for name in COURSE}
    return Seq2SeqRecipe(
        shape=shape,
        vocab_size=given.vocab_size,
        teacher_forcing=given.teacher_forcing,
        clip=given.clip,
        training=TrainingConfig(**course, minutes=given.minutes, bf16=not given.float32),
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m explorer.training", description=__doc__)
    parser.add_argument("what", choices=WHAT, help="train and export, or export a run as it stands")
    parser.add_argument("--data", type=Path, required=True, help="folder of Multi30k, or of .tsv files")
    parser.add_argument("--out", type=Path, required=True, help="folder of the checkpoint")
    parser.add_argument("--run-folder", type=Path, help="of state and history (default: runs/<name of out>)")
    parser.add_argument("--resume", action="store_true", help="continue the run from its last saved state")
    parser.add_argument("--mechanism", choices=MECHANISMS, default="additive")
    parser.add_argument("--bidirectional", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--minutes", type=float, help="train as many steps as fit into this time, instead of --steps")
    parser.add_argument("--vocab-size", type=int, default=4000)
    parser.add_argument("--teacher-forcing", type=float, default=1.0)
    parser.add_argument("--clip", type=float, default=1.0, help="longest gradient")
    parser.add_argument("--threads", type=int, help="on the CPU")
    parser.add_argument("--float32", action="store_true", help="no bfloat16 autocast")
    parser.add_argument("--credit", default="", help="what the data is, with the attribution its licence asks for")
    parser.add_argument("--licence", default="not stated", help="of the data")
    parser.add_argument("--hardware", default="", help="a sentence for the model card")
    parser.add_argument("--command", default="", help="the training command, if the run was started in another way")
    defaults = {**_defaults(Seq2SeqConfig, SHAPE), **_defaults(TrainingConfig, COURSE), **DEFAULTS}
    for name, default in defaults.items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(default), default=default, help=f"({default})")
    return parser


def _defaults(config: Any, names: Sequence[str]) -> dict[str, Any]:
    return {each.name: each.default for each in fields(config) if each.name in names}
