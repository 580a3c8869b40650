"""Sends lessons texts that differ, one after the other, as one reader: `python -m tests.service.text_memory`.

Says how many megabytes the process holds after the first tenth of them, and after all.
"""

import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from explorer.lessons import multi_head, seq2seq_attention, text_generation, translator
from explorer.lessons.text_generation import look
from explorer.models.translator import Translator, TranslatorConfig
from explorer.ui import cache
from tests.checkpoints.conftest import tiny_tokenizer, write

TEXTS = 100
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _translator() -> str:
    """Write a small translator whose heads are as many as a real one's: what is kept follows from these."""
    folder = Path(tempfile.mkdtemp()) / "small"
    config = TranslatorConfig(
        vocab_size=tiny_tokenizer().vocab_size,
        d_model=32,
        n_heads=8,
        n_encoder_layers=2,
        n_decoder_layers=2,
        d_ff=32,
        max_length=40,
    )
    write(folder, Translator(config).eval())
    return str(folder)


def _written(text: str) -> None:
    result = cache.compute(text_generation.compute, text_generation.Params(prompt=4 * text, length=1))
    look.stretch(result, len(result.ids) - 1)


def ways() -> dict[str, Callable[[str], Any]]:
    """Return what lessons make of a text, through the caches that their pages ask: one for each kind of kept result.

    Those are of a translator and of a recurrent model (`cache.compute`), what a page makes by itself (`cache.once`),
    and what a function keeps (`made_once`). Each text would leave a third of a megabyte at least, were there no bound.
    """
    small = _translator()
    return {
        "multi_head": lambda text: cache.compute(
            multi_head.compute, multi_head.Params(text=text, beam=1, checkpoint=small)
        ),
        "translator": lambda text: cache.once(
            lambda: translator.compute(translator.Params(text=text, beam=1, checkpoint=small)), text
        ),
        "seq2seq_attention": lambda text: cache.compute(
            seq2seq_attention.compute, seq2seq_attention.Params(text=text, beam=1)
        ),
        "text_generation": _written,
    }


def held() -> int:
    """Return the megabytes that this process holds now."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) // 1000


def main() -> None:
    """Send every lesson the texts, and say what is held."""
    torch.set_num_threads(1)
    for lesson, make in ways().items():
        chance, found = random.Random(0), []
        for number in range(TEXTS):
            make(" ".join("".join(chance.choices(_LETTERS, k=4)) for _ in range(6)))
            if number + 1 in (TEXTS // 10, TEXTS):
                found.append(held())
        sys.stdout.write(f"{lesson} {found[0]} {found[1]}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
