"""Train a model: `python -m explorer.training translator --data <folder> --out checkpoints/<name>`, or another word.

A translator of several directions: `--data fr=<folder> de=<folder> --directions en-fr fr-en en-de de-en`.
On several processes: `torchrun --nproc-per-node 2 -m explorer.training translator …`.
"""

import argparse
import sys
from collections.abc import Sequence

from explorer.training.gpt.command import GPT
from explorer.training.lab import command as lab
from explorer.training.loss import Diverged
from explorer.training.masked.command import MASKED
from explorer.training.seq2seq import command as seq2seq
from explorer.training.translator import distil
from explorer.training.translator.command import TRANSLATOR
from explorer.training.vision.command import VISION


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, then write the checkpoint. Returns 2 and says why when the data or the run cannot be used."""
    given = parser().parse_args(arguments)
    try:
        given.action(given)
    except (ValueError, OSError, Diverged) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def parser() -> argparse.ArgumentParser:
    """Return the parser of every word of the command."""
    found = argparse.ArgumentParser(
        prog="python -m explorer.training", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    words = found.add_subparsers(required=True, metavar="what")
    TRANSLATOR.add(words, "translator", export="export")
    distil.add(words)
    GPT.add(words, "gpt", export="gpt-export")
    MASKED.add(words, "masked", export="masked-export")
    VISION.add(words, "vision", export="vision-export")
    seq2seq.add(words)
    lab.add(words)
    return found


if __name__ == "__main__":
    sys.exit(main())
