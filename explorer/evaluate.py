"""Score a translator on sentence pairs: `python -m explorer.evaluate checkpoints/translator-en-fr test.tsv.gz`."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sacrebleu
from tqdm import tqdm

from explorer.checkpoints.hub import open_checkpoint
from explorer.checkpoints.manifest import CheckpointError
from explorer.data.pairs import Pair, PairsError, read_pairs
from explorer.data.tokenizer import Tokenizer
from explorer.inference.batching import decode_all
from explorer.inference.decoding import DecodingOptions
from explorer.inference.device import DeviceRefused, pick_device
from explorer.inference.prepared import Prepared, prepare
from explorer.models.translator import Translator

GREEDY = DecodingOptions(beam=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """How good a set of translations is.

    Attributes:
        bleu: sacreBLEU, 0…100, against all references (Post 2018).
        chrf: chrF2, 0…100 (Popović 2015).
        bleu_signature: how BLEU was computed, so that others can compare.
        chrf_signature: how chrF was computed.
        n_lines: how many sentences were translated.
    """

    bleu: float
    chrf: float
    bleu_signature: str
    chrf_signature: str
    n_lines: int

    def __str__(self) -> str:
        """Two lines, number and signature."""
        return (
            f"BLEU {self.bleu:.2f}  ({self.n_lines:,} lines, {self.bleu_signature})\n"
            f"chrF {self.chrf:.2f}  ({self.chrf_signature})"
        )


def translate_all(
    prepared: Prepared, tokenizer: Tokenizer, texts: Sequence[str], options: DecodingOptions, *, progress: bool = False
) -> list[str]:
    """The best translation of each text. A text longer than the model can read is cut."""
    most = prepared.config.max_length - 1
    sources = [[*tokenizer.encode(text)[:most], tokenizer.eos_id] for text in texts]
    with tqdm(total=len(sources), unit=" sentences", disable=not progress) as bar:
        found = decode_all(prepared, sources, options, on_progress=bar.update)
    return [tokenizer.decode(hypotheses[0].ids) for hypotheses in found]


def score(translations: Sequence[str], pairs: Sequence[Pair]) -> Scores:
    """Compare translations with all references of their pairs."""
    most = max(len(pair.targets) for pair in pairs)
    streams: list[Any] = [[pair.targets[i] if i < len(pair.targets) else None for pair in pairs] for i in range(most)]
    bleu, chrf = sacrebleu.BLEU(), sacrebleu.CHRF()
    return Scores(
        bleu=float(bleu.corpus_score(list(translations), streams).score),
        chrf=float(chrf.corpus_score(list(translations), streams).score),
        bleu_signature=str(bleu.get_signature()),
        chrf_signature=str(chrf.get_signature()),
        n_lines=len(pairs),
    )


def bleu(model: Translator, tokenizer: Tokenizer, pairs: Sequence[Pair], options: DecodingOptions = GREEDY) -> float:
    """BLEU of a model while it trains, on its own device and in its own dtype; the model is left as it is."""
    here = next(model.parameters())
    prepared = prepare(model, here.device, here.dtype)
    return score(translate_all(prepared, tokenizer, [pair.source for pair in pairs], options), pairs).bleu


def main(arguments: Sequence[str] | None = None) -> int:
    """The command: translate a test set with a checkpoint and print its scores."""
    given = _parser().parse_args(arguments)
    try:
        options = DecodingOptions(beam=given.beam, length_penalty=given.length_penalty)
        pairs = read_pairs(given.pairs)
        loaded = open_checkpoint(given.checkpoint)
        if not isinstance(loaded.model, Translator):
            raise CheckpointError(f"{given.checkpoint} is a {loaded.manifest.family}, not a translator.")
        prepared = prepare(loaded.model, pick_device())
    except (CheckpointError, PairsError, DeviceRefused, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    translations = translate_all(prepared, loaded.tokenizer, [pair.source for pair in pairs], options, progress=True)
    if given.out:
        given.out.write_text("".join(f"{' '.join(each.split())}\n" for each in translations), encoding="utf-8")
    sys.stdout.write(
        f"{given.checkpoint} @ {loaded.manifest.revision}, {prepared.device}, {prepared.dtype}, {options}\n"
    )
    sys.stdout.write(f"{score(translations, pairs)}\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m explorer.evaluate", description=__doc__)
    parser.add_argument("checkpoint", help="a bundled name, a folder, or org/name@revision on the Hub")
    parser.add_argument("pairs", type=Path, help="lines: source TAB reference [TAB reference …], plain or gzipped")
    parser.add_argument("--beam", type=int, default=4)
    parser.add_argument("--length-penalty", type=float, default=0.6)
    parser.add_argument("--out", type=Path, help="write the translations here, one a line")
    return parser


if __name__ == "__main__":
    sys.exit(main())
