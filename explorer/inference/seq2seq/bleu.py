"""BLEU of a recurrent model's outputs, as its task is usually measured."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sacrebleu

from explorer.data.parallel.multi30k import tokenise_moses
from explorer.inference.search.batching import decode_all
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.search.protocols import Engine

#: Where a group of sources begins, in words. Each has some hundred of Multi30k's thousand test captions.
LENGTHS = (1, 8, 10, 12, 14, 17, 21)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bleu:
    """A BLEU score.

    Attributes:
        score: 0…100.
        signature: how it was computed, so that others can compare.
        n_lines: how many outputs were scored.
    """

    score: float
    signature: str
    n_lines: int


def outputs(prepared: Engine, tokenizer: Any, texts: Sequence[str], options: DecodingOptions) -> list[str]:
    """The best output for each text. A text longer than the model can read is cut."""
    most = prepared.config.max_length - 1
    sources = [[*tokenizer.encode(text)[:most], prepared.config.eos_id] for text in texts]
    return [tokenizer.decode(found[0].ids) for found in decode_all(prepared, sources, options)]


def caption_bleu(captions: Sequence[str], references: Sequence[str], language: str = "en") -> Bleu:
    """Lower-cased, tokenised BLEU: outputs are tokenised as the references are, and compared as they stand.

    Args:
        references: one for each, tokenised already (`explorer.data.parallel.multi30k.read_references`, or `tokenised`).
        language: of both.
    """
    return _bleu([tokenise_moses(caption, language) for caption in captions], references, lowercase=True)


def couplet_bleu(lines: Sequence[str], references: Sequence[str]) -> Bleu:
    """BLEU over characters."""
    return _bleu([" ".join(line) for line in lines], [" ".join(line) for line in references], lowercase=False)


def couplet_sentence_bleu(lines: Sequence[str], references: Sequence[str]) -> Bleu:
    """Mean of the lines' own BLEU over characters, one added to the counts of every length (Lin & Och 2004).

    This is what the code of TransCouplet (arXiv 2112.01707, `utils/evaluation.py`, NLTK's `method2` of its day)
    computes. It lies far above BLEU over the corpus: a line of seven with one right character has 19 already.
    """
    each = [_one_added(line, reference) for line, reference in zip(lines, references, strict=True)]
    signature = "mean of sentence BLEU over characters, one added to all counts"
    return Bleu(score=100 * sum(each) / len(each), signature=signature, n_lines=len(lines))


def caption_bleu_by_length(
    sources: Sequence[str], captions: Sequence[str], references: Sequence[str], *, lengths: Sequence[int] = LENGTHS
) -> dict[tuple[int, int | None], Bleu]:
    """BLEU for short and long sources, by first and last number of words (None: any more).

    Args:
        sources: what was translated; a word is what stands between spaces.
        lengths: where each group begins, in words.
    """
    found = {}
    for first, last in zip(lengths, [*(length - 1 for length in lengths[1:]), None], strict=True):
        rows = [
            number
            for number, source in enumerate(sources)
            if first <= len(source.split()) and (last is None or len(source.split()) <= last)
        ]
        if rows:
            found[first, last] = caption_bleu([captions[row] for row in rows], [references[row] for row in rows])
    return found


def _one_added(line: str, reference: str) -> float:
    """BLEU of one line, in 0…1; 0 if no character is right."""
    if not set(line) & set(reference):
        return 0.0
    logs = []
    for n in range(1, 5):
        ours, theirs = (Counter(text[i : i + n] for i in range(len(text) - n + 1)) for text in (line, reference))
        logs.append(math.log(((ours & theirs).total() + 1) / (max(1, ours.total()) + 1)))
    return math.exp(sum(logs) / 4 + min(0.0, 1 - len(reference) / len(line)))


def _bleu(found: Sequence[str], references: Sequence[str], *, lowercase: bool) -> Bleu:
    metric = sacrebleu.BLEU(tokenize="none", lowercase=lowercase, force=True)
    score = metric.corpus_score(list(found), [list(references)])
    return Bleu(score=float(score.score), signature=str(metric.get_signature()), n_lines=len(found))
