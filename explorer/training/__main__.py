"""Train a model: `python -m explorer.training translator --data <folder> --out checkpoints/<name>`.

On several processes: `torchrun --nproc-per-node 2 -m explorer.training translator …`.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from explorer.data.pairs import PairsError
from explorer.models.translator import TranslatorConfig
from explorer.training import seq2seq_command
from explorer.training.config import TrainingConfig
from explorer.training.process import join, leave, rank
from explorer.training.recipes import TranslatorRecipe, export_translator, train_translator
from explorer.training.state import ResumeError

SHAPE = ("d_model", "n_heads", "n_encoder_layers", "n_decoder_layers", "d_ff", "dropout")
COURSE = ("seed", "steps", "tokens_per_batch", "learning_rate", "warmup", "decay_share", "report_every")


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, then write the checkpoint. Returns 2 and says why when the data or the run cannot be used."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] and words[0] in seq2seq_command.WHAT:
        return seq2seq_command.main(words)
    given = _parser().parse_args(words)
    run = given.run_folder or Path("runs") / given.out.name
    try:
        if given.what == "translator":
            device = join(given.threads)
            train_translator(given.data, run, _recipe(given), device=device, resume=given.resume)
        if rank() == 0:
            manifest = export_translator(
                run,
                given.out,
                data=given.data,
                credit=given.credit or f"Sentence pairs from {given.data.name}.",
                licence=given.licence,
                command=given.command or _command(given),
                hardware=given.hardware,
            )
            sys.stdout.write(f"{given.out} @ {manifest.revision}: {dict(manifest.metrics)}\n")
    except (PairsError, ResumeError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    finally:
        leave()
    return 0


def _recipe(given: argparse.Namespace) -> TranslatorRecipe:
    shape = {name: getattr(given, name) for name in SHAPE}
    course = {name: getattr(given, name) for name in COURSE}
    return TranslatorRecipe(
        shape=shape,
        vocab_size=given.vocab_size,
        training=TrainingConfig(**course, minutes=given.minutes, bf16=not given.float32),
    )


def _command(given: argparse.Namespace) -> str:
    """The command that was given, with what differs from the defaults and without this machine's folders."""
    parser, words = _parser(), ["python -m explorer.training", given.what, f"--data <folder>/{given.data.name}"]
    for name in (*SHAPE, *COURSE, "vocab_size", "minutes"):
        value = getattr(given, name)
        if value != parser.get_default(name) or name == "seed":
            words.append(f"--{name.replace('_', '-')} {value}")
    return " ".join([*words, f"--out checkpoints/{given.out.name}"])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m explorer.training", description=__doc__)
    parser.add_argument("what", choices=("translator", "export"), help="train and export, or export a run as it stands")
    parser.add_argument("--data", type=Path, required=True, help="folder with train, dev and test .tsv or .tsv.gz")
    parser.add_argument("--out", type=Path, required=True, help="folder of the checkpoint")
    parser.add_argument("--run-folder", type=Path, help="of state and history (default: runs/<name of out>)")
    parser.add_argument("--resume", action="store_true", help="continue the run from its last saved state")
    parser.add_argument("--minutes", type=float, help="train as many steps as fit into this time, instead of --steps")
    parser.add_argument("--vocab-size", type=int, default=8000)
    parser.add_argument("--threads", type=int, help="of each process on the CPU")
    parser.add_argument("--float32", action="store_true", help="no bfloat16 autocast")
    parser.add_argument("--credit", default="", help="what the data is, with the attribution its licence asks for")
    parser.add_argument("--licence", default="not stated", help="of the data")
    parser.add_argument("--hardware", default="", help="a sentence for the model card")
    parser.add_argument("--command", default="", help="the training command, if the run was started in another way")
    for name, default in {**_defaults(TranslatorConfig, SHAPE), **_defaults(TrainingConfig, COURSE)}.items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(default), default=default, help=f"({default})")
    return parser


def _defaults(config: Any, names: Sequence[str]) -> dict[str, Any]:
    return {each.name: each.default for each in fields(config) if each.name in names}


if __name__ == "__main__":
    sys.exit(main())
