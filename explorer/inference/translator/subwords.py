"""Between a text and the sub-words that a model reads and writes."""

from collections.abc import Iterable

from explorer.data.marian.sentencepieces import SentencePieces
from explorer.data.parallel.directions import Direction
from explorer.data.tokenizer import Tokenizer
from explorer.inference.search.hypotheses import Hypothesis
from explorer.inference.translator.trace import AnyTokenizer
from explorer.models.translator import TranslatorConfig
from explorer.records.sequence import Candidate


def tag_of(tokenizer: AnyTokenizer, direction: Direction | None) -> tuple[int, ...]:
    """Return what begins a source in a direction: the tag of the target language, where the vocabulary has tags.

    A model may be offered for fewer directions than it was trained on, down to one; it still asks for the tag.
    """
    tags = tokenizer.tags if isinstance(tokenizer, Tokenizer | SentencePieces) else {}
    return () if direction is None or not tags else (tags[direction.tag],)


def cut_source(tokenizer: Tokenizer, config: TranslatorConfig, direction: Direction | None, text: str) -> list[int]:
    """A text as a translator reads it: tag, sub-words, `</s>`; what is beyond the longest it can read is left out."""
    tag = tag_of(tokenizer, direction)
    return [*tag, *tokenizer.encode(text)[: config.max_length - 1 - len(tag)], tokenizer.eos_id]


def candidates(tokenizer: AnyTokenizer, hypotheses: Iterable[Hypothesis]) -> tuple[Candidate, ...]:
    """Join what was found into words; of each text the first: words cut into other sub-words are no other text."""
    first: dict[str, Candidate] = {}
    for hypothesis in hypotheses:
        text = tokenizer.decode(hypothesis.ids)
        if text not in first:
            first[text] = candidate(tokenizer, hypothesis)
    return tuple(first.values())


def candidate(tokenizer: AnyTokenizer, hypothesis: Hypothesis) -> Candidate:
    """A hypothesis as text."""
    return Candidate(
        text=tokenizer.decode(hypothesis.ids),
        labels=tuple(tokenizer.pieces(hypothesis.ids)),
        log_probability=hypothesis.log_probability,
        score=hypothesis.score,
        finished=hypothesis.finished,
        ids=hypothesis.ids,
    )
