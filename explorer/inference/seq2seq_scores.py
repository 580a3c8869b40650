"""How good the outputs of a recurrent model are: BLEU as its task is usually measured."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sacrebleu

from explorer.data.multi30k import tokenised
from explorer.inference.batching import decode_all
from explorer.inference.decoding import DecodingOptions
from explorer.inference.engine import Engine


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


def caption_bleu(captions: Sequence[str], references: Sequence[str]) -> Bleu:
    """Lower-cased, tokenised BLEU: outputs are tokenised as the references are, and compared as they stand.

    Args:
        captions: outputs, as text.
        references: one for each, tokenised already (`explorer.data.multi30k.read_references`, or `tokenised`).
    """
    return _bleu([tokenised(caption) for caption in captions], references, lowercase=True)


def couplet_bleu(lines: Sequence[str], references: Sequence[str]) -> Bleu:
    """BLEU over characters."""
    return _bleu([" ".join(line) for line in lines], [" ".join(line) for line in references], lowercase=False)


def _bleu(found: Sequence[str], references: Sequence[str], *, lowercase: bool) -> Bleu:
    metric = sacrebleu.BLEU(tokenize="none", lowercase=lowercase, force=True)
    score = metric.corpus_score(list(found), [list(references)])
    return Bleu(score=float(score.score), signature=str(metric.get_signature()), n_lines=len(found))
