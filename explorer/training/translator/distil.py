"""Let a trained translator write training data: `python -m explorer.training distil <checkpoint> --data … --out …`.

Sentences of one language, from wherever they come, get the translation that the model itself prefers, and become pairs
for the next model, or for itself (Kim & Rush 2016, arXiv:1606.07947; He et al. 2020, arXiv:1909.13788). With a model of
the other direction, of the hypotheses of a search the one is chosen from which the sentence is best guessed again: the
noisy channel (Yee et al. 2019, arXiv:1908.05731).
"""

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any

from tqdm import tqdm

from explorer.checkpoints.hub import open_checkpoint
from explorer.data.blanks import fold_case
from explorer.data.parallel.directions import FIRST, Direction, parse_directions, read_part
from explorer.data.tokenizer import Tokenizer
from explorer.inference.device import pick_device
from explorer.inference.engine.prepared import Prepared, prepare
from explorer.inference.search.batching import decode_all
from explorer.inference.search.decode import DecodingOptions, length_factor
from explorer.inference.translator.subwords import cut_source
from explorer.inference.translator.teacher_forcing import score_target_pairs
from explorer.models.translator import Translator
from explorer.training.process import use_threads
from explorer.training.translator.recipe import PairFolder

#: Sentences translated before the bar moves, and pairs scored at once.
BLOCK, PAIRS_AT_ONCE = 1024, 128


@dataclass(frozen=True, slots=True)
class Teacher:
    """A translator in one of its directions."""

    prepared: Prepared
    tokenizer: Tokenizer
    direction: Direction

    def read(self, text: str) -> list[int]:
        """Encode a text as the model reads it, cut to what it can read."""
        return cut_source(self.tokenizer, self.prepared.config, self.direction, text)

    def written(self, text: str) -> list[int]:
        """Encode a text as the model would have written it, cut to what it can write."""
        return [*self.tokenizer.encode(text)[: self.prepared.config.max_length - 1], self.tokenizer.eos_id]


def teacher(checkpoint: str, direction: Direction | None = None) -> Teacher:
    """Open a trained translator, ready to translate in a direction (its first if none is given).

    Raises:
        CheckpointError: it cannot be used.
        DeviceRefused: the device that was asked for is not there.
        ValueError: it is no translator, or not one of this direction.
    """
    loaded = open_checkpoint(checkpoint)
    if not isinstance(loaded.model, Translator) or not isinstance(loaded.tokenizer, Tokenizer):
        raise ValueError(f"{checkpoint} is no translator of sub-words")
    known = parse_directions(loaded.model.config.directions)
    if not known or (direction and direction not in known):
        raise ValueError(f"{checkpoint} translates {loaded.model.config.directions or 'no named language'}")
    return Teacher(prepare(loaded.model, pick_device()), loaded.tokenizer, direction or known[0])


def distil(
    texts: Sequence[str], forward: Teacher, back: Teacher | None, options: DecodingOptions
) -> list[tuple[str, float]]:
    """Translate each text as a model, or two of opposite directions, find best; with the score.

    Args:
        forward: translates them.
        back: of the opposite direction; its log-probability of the text given the hypothesis, over the same length
            factor as the hypothesis's own, is added to the hypothesis's score.
    """
    hypotheses = decode_all(forward.prepared, [forward.read(text) for text in texts], options)
    each = [[(forward.tokenizer.decode(one.ids), one.score) for one in found] for found in hypotheses]
    if back is None:
        return [found[0] for found in each]
    flat = [(text, guess) for text, found in zip(texts, each, strict=True) for guess, _ in found]
    again = iter(_guessed_again(flat, back, options.length_penalty))
    both = [[(guess, score + next(again)) for guess, score in found] for found in each]
    return [max(found, key=itemgetter(1)) for found in both]


def best_share(pairs: Sequence[tuple[str, str, float]], share: float) -> list[tuple[str, str]]:
    """Return the pairs with the highest scores, in the order they come in."""
    order = sorted(range(len(pairs)), key=lambda i: -pairs[i][2])
    return [pairs[i][:2] for i in sorted(order[: round(len(pairs) * share)])]


def _guessed_again(pairs: Sequence[tuple[str, str]], back: Teacher, alpha: float) -> list[float]:
    """Score how well each text is guessed from its translation: log-probability over the length factor."""
    rows = [(back.read(guess), back.written(text)) for text, guess in pairs]
    order = sorted(range(len(rows)), key=lambda i: (len(rows[i][0]), len(rows[i][1])))
    found = [0.0] * len(rows)
    for start in range(0, len(order), PAIRS_AT_ONCE):
        now = order[start : start + PAIRS_AT_ONCE]
        scores = score_target_pairs(back.prepared, [rows[i][0] for i in now], [rows[i][1] for i in now])
        for i, score in zip(now, scores, strict=True):
            found[i] = float(score.sum()) / length_factor(len(score), alpha)
    return found


def sentences(corpora: Iterable[PairFolder], language: str, beside: Iterable[Path], other: str) -> list[str]:
    """Read the sentences of a language in folders' training parts, each once, apart from case and punctuation.

    Args:
        corpora: folders of pairs of English and their `language`.
        beside: folders whose sentences, of all parts, are left out: those they are to be used beside.
        other: the language that the folders beside are translated into.

    Raises:
        PairsError: a part is missing or malformed.
    """
    left_out = set()
    for folder in beside:
        for part in ("train", "dev", "test"):
            left_out |= {fold_case(pair.source) for pair in read_part(folder, part, Direction(language, other))}
    found: dict[str, str] = {}
    for corpus in corpora:
        direction = Direction(language, corpus.language if language == FIRST else FIRST)
        for pair in read_part(corpus.folder, "train", direction):
            found.setdefault(fold_case(pair.source), " ".join(pair.source.split()))
    return [text for key, text in found.items() if key and key not in left_out]


def add(parsers: Any) -> None:
    """Add the word that writes training data."""
    parser = parsers.add_parser("distil", help="let a translator write training data", description=__doc__)
    parser.add_argument("checkpoint", help="of the translator that writes: a bundled name or a folder")
    parser.add_argument("--back", default="", help="checkpoint of the opposite direction, to choose by")
    parser.add_argument(
        "--data", nargs="+", required=True, help="folders whose sentences are translated, as <language>=<folder>"
    )
    parser.add_argument(
        "--beside", nargs="+", type=Path, default=[], help="folders of true pairs: what stands there is left out"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for train.tsv")
    parser.add_argument("--keep", type=float, default=1.0, help="share of the pairs, those with the best scores")
    parser.add_argument("--beam", type=int, default=4)
    parser.add_argument("--threads", type=int, help="on the CPU")
    parser.set_defaults(action=_run)


def _run(given: argparse.Namespace) -> None:
    """Write `train.tsv`.

    Raises:
        ValueError: the share or the number of threads cannot be, or the folder has training data already.
    """
    if not 0 < given.keep <= 1:
        raise ValueError(f"--keep is {given.keep}; it must be above 0 and at most 1")
    if any((given.out / name).exists() for name in ("train.tsv", "train.tsv.gz")):
        raise ValueError(f"{given.out} has training data already: choose another --out")
    use_threads(given.threads)
    forward = teacher(given.checkpoint)
    source, target = forward.direction
    back = teacher(given.back, Direction(target, source)) if given.back else None
    texts = sentences([PairFolder.named(word) for word in given.data], source, given.beside, target)
    pairs = []
    with tqdm(total=len(texts), unit=" sentences") as bar:
        for start in range(0, len(texts), BLOCK):
            block = texts[start : start + BLOCK]
            found = distil(block, forward, back, DecodingOptions(beam=given.beam))
            pairs += [(text, " ".join(guess.split()), score) for text, (guess, score) in zip(block, found, strict=True)]
            bar.update(len(block))
    kept = best_share([pair for pair in pairs if pair[1]], given.keep)
    lines = ("\t".join(pair if source == FIRST else reversed(pair)) for pair in kept)
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "train.tsv").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
