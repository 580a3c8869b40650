"""Translations of held-out sentences, and their BLEU and chrF."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sacrebleu
from tqdm import tqdm

from explorer.data.parallel.directions import Direction
from explorer.data.parallel.near_duplicates import near_duplicates
from explorer.data.parallel.normalisation import simplify
from explorer.data.parallel.pairs import Pair
from explorer.data.tokenizer import Tokenizer
from explorer.inference.engine.prepared import Prepared, prepare
from explorer.inference.search.batching import decode_all
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.seq2seq.bleu import caption_bleu
from explorer.inference.translator.pieces import again, join_pieces, pieces
from explorer.inference.translator.subwords import cut_source
from explorer.models.translator import Translator


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """The scores of a set of translations.

    Attributes:
        bleu: sacreBLEU, 0…100, against all references (Post 2018).
        chrf: chrF2, 0…100 (Popović 2015).
        bleu_signature: how BLEU was computed, so that others can compare.
        chrf_signature: how chrF was computed.
        n_lines: how many sentences were translated.
        tokenised: lower-cased BLEU over Moses' tokens, where the data brings references that are tokenised so.
        unseen: the same without the sources that a training source nearly is, where the training data was given.
    """

    bleu: float
    chrf: float
    bleu_signature: str
    chrf_signature: str
    n_lines: int
    tokenised: float | None = None
    unseen: "Scores | None" = None

    @property
    def near(self) -> float | None:
        """The share of the sources that a training source nearly is."""
        return None if self.unseen is None else 1 - self.unseen.n_lines / self.n_lines

    def __str__(self) -> str:
        """Return a line for each, number and signature."""
        lines = [
            f"BLEU {self.bleu:.2f}  ({self.n_lines:,} lines, {self.bleu_signature})",
            f"chrF {self.chrf:.2f}  ({self.chrf_signature})",
        ]
        if self.tokenised is not None:
            how = "lower-cased, Moses' tokens, the data's own tokenised references"
            lines.append(f"BLEU {self.tokenised:.2f}  ({how})")
        if self.unseen is not None:
            lines.append(
                f"BLEU {self.unseen.bleu:.2f}  ({self.unseen.n_lines:,} lines, without near-duplicates: {self.near:.1%}"
                " of the sources are at most one word away from a training source)"
            )
        return "\n".join(lines)


def translate_all(
    prepared: Prepared,
    tokenizer: Tokenizer,
    texts: Sequence[str],
    options: DecodingOptions,
    *,
    direction: Direction | None = None,
    progress: bool = False,
) -> list[str]:
    """Return the best translation of each text. A text longer than the model can read is cut."""
    sources = [cut_source(tokenizer, prepared.config, direction, text) for text in texts]
    with tqdm(total=len(sources), unit=" sentences", disable=not progress) as bar:
        found = decode_all(prepared, sources, options, on_progress=bar.update)
    return [tokenizer.decode(hypotheses[0].ids) for hypotheses in found]


def translate_texts(
    prepared: Prepared, tokenizer: Tokenizer, texts: Sequence[str], options: DecodingOptions, *, direction: Direction
) -> list[str]:
    """Translate texts as the page does: normalised, cut into sentences and clauses, and joined again."""
    said: list[str] = [""] * len(texts)
    attempts: dict[int, Mapping[int, int]] = {n: {} for n in range(len(texts))}
    while attempts:
        parts = [pieces(texts[n], tokenizer, direction, attempts=each) for n, each in attempts.items()]
        flat = [piece.text for each in parts for piece in each]
        found = iter(translate_all(prepared, tokenizer, flat, options, direction=direction))
        written = [[next(found) for _ in each] for each in parts]
        for n, part, each in zip(attempts, parts, written, strict=True):
            said[n] = join_pieces(part, each)
        more = (again(part, each) for part, each in zip(parts, written, strict=True))
        attempts = {n: each for n, each in zip(attempts, more, strict=True) if each}
    return said


def score(
    translations: Sequence[str], pairs: Sequence[Pair], language: str = "", tokenised: Sequence[str] = ()
) -> Scores:
    """Compare translations with all references of their pairs.

    Args:
        translations: of the sources, in their order.
        pairs: the sources with their references.
        language: of the translations; Chinese (`zh`) is cut into characters for BLEU, on both sides simplified ones.
        tokenised: a lower-cased, tokenised reference for each source, where there are such.
    """
    same = simplify if language == "zh" else str
    most = max(len(pair.targets) for pair in pairs)
    streams: list[Any] = [
        [same(pair.targets[i]) if i < len(pair.targets) else None for pair in pairs] for i in range(most)
    ]
    translations = [same(each) for each in translations]
    bleu, chrf = sacrebleu.BLEU(tokenize="zh" if language == "zh" else None), sacrebleu.CHRF()
    return Scores(
        bleu=float(bleu.corpus_score(translations, streams).score),
        chrf=float(chrf.corpus_score(translations, streams).score),
        bleu_signature=str(bleu.get_signature()),
        chrf_signature=str(chrf.get_signature()),
        n_lines=len(pairs),
        tokenised=caption_bleu(translations, tokenised, language).score if tokenised else None,
    )


def score_unseen(
    translations: Sequence[str], pairs: Sequence[Pair], training: Iterable[str], direction: Direction
) -> Scores | None:
    """Return the scores without the sources that a training source nearly is; None if no other is left."""
    near = near_duplicates([pair.source for pair in pairs], training, direction.source)
    kept = [position for position, is_near in enumerate(near) if not is_near]
    others = [pairs[position] for position in kept]
    return score([translations[position] for position in kept], others, direction.target) if kept else None


def bleu(model: Translator, tokenizer: Tokenizer, pairs: Sequence[Pair], direction: Direction) -> float:
    """Compute greedy BLEU of a model while it trains, on its own device, in its own dtype; the model stays as it is."""
    here = next(model.parameters())
    prepared, texts = prepare(model, here.device, here.dtype), [pair.source for pair in pairs]
    found = translate_all(prepared, tokenizer, texts, DecodingOptions(beam=1), direction=direction)
    return score(found, pairs, direction.target).bleu
