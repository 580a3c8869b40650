"""Course of the search for a translation, and other ways to choose the next token."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from explorer.inference.search.decode import DecodingOptions, Hypothesis, decode, length_factor
from explorer.inference.search.hypotheses import bound_length
from explorer.inference.translator.request import MOST_LENGTH_PENALTY, Params, translator_for
from explorer.inference.translator.sampling import SamplingOptions, sample
from explorer.inference.translator.search_tree import record_search, with_room
from explorer.inference.translator.subwords import candidate
from explorer.inference.translator.teacher_forcing import score_targets
from explorer.inference.translator.translate import LoadedTranslator
from explorer.lessons.translator.state import Result
from explorer.records.provenance import Provenance
from explorer.records.readonly import record
from explorer.records.search import ScoredText, SearchNode, SearchRecord
from explorer.records.sequence import match_tokens

MOST_SAMPLES = 6
LEAST_TEMPERATURE, MOST_TEMPERATURE = 0.1, 2.0
MOST_TOP_K = 100
LEAST_TOP_P = 0.05
MOST_SEED = 99


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchParams:
    """The parameters of a search.

    Attributes:
        source: tokens of the sentence, `</s>` last.
    """

    params: Params
    source: tuple[int, ...]

    @classmethod
    def of(cls, result: Result) -> "SearchParams":
        """Return the search that found a translation."""
        return cls(params=result.params, source=result.trace.source_ids)

    @property
    def options(self) -> DecodingOptions:
        """Return the search options of the page."""
        return self.params.options


@dataclass(frozen=True, slots=True, kw_only=True)
class WaysParams:
    """A translation to write in several ways. Numbers are clamped to their ranges.

    Attributes:
        asked: what is translated, and the beam to compare with.
        top_k: likeliest tokens that can be drawn; 0 lets all.
        top_p: probability of the smallest set that can be drawn; 1 lets all.
    """

    asked: SearchParams
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 0
    samples: int = 3

    def __post_init__(self) -> None:
        object.__setattr__(self, "temperature", min(max(self.temperature, LEAST_TEMPERATURE), MOST_TEMPERATURE))
        object.__setattr__(self, "top_k", min(max(self.top_k, 0), MOST_TOP_K))
        object.__setattr__(self, "top_p", min(max(self.top_p, LEAST_TOP_P), 1.0))
        object.__setattr__(self, "seed", min(max(self.seed, 0), MOST_SEED))
        object.__setattr__(self, "samples", min(max(self.samples, 1), MOST_SAMPLES))

    @property
    def sampling(self) -> SamplingOptions:
        """Return the sampling options."""
        return SamplingOptions(
            temperature=self.temperature, top_k=self.top_k, top_p=self.top_p, seed=self.seed, samples=self.samples
        )


@record
class Ways:
    """Translations of one text, made in several ways.

    Attributes:
        texts: greedy, beam, then the samples.
        kept: for each token of each text, whether it stands in what beam search wrote.
    """

    texts: tuple[ScoredText, ...]
    kept: tuple[tuple[bool, ...], ...]
    provenance: Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A finished hypothesis under a length penalty.

    Attributes:
        node: of the tree.
        position: from 0.
        before: its place under the penalty that the search had.
    """

    node: SearchNode
    score: float
    position: int
    before: int


def search(asked: SearchParams) -> SearchRecord:
    """Return the tree of the search that translates a text.

    Raises:
        CheckpointError: the checkpoint cannot be used.
    """
    return with_room(translator_for(asked.params), lambda model: record_search(model, asked.source, asked.options)[1])


def ways(how: WaysParams) -> Ways:
    """Translate one text by greedy search, beam search and samples, with what the model gave every token of it.

    Raises:
        CheckpointError: the checkpoint cannot be used.
    """
    return with_room(translator_for(how.asked.params), lambda model: _ways(model, how))


def _ways(translator: LoadedTranslator, how: WaysParams) -> Ways:
    asked, params, source = how.asked, how.asked.params, how.asked.source
    within = bound_length(asked.options, len(source))
    ((greedy, *_),) = decode(translator.prepared, [source], replace(within, beam=1))
    ((beam, *_),) = decode(translator.prepared, [source], within)
    drawn = sample(translator.prepared, source, within, how.sampling)
    names = ["greedy", "beam", *(f"sample-{number}" for number in range(1, len(drawn) + 1))]
    detail = (
        f"greedy; beam {params.beam}; {how.samples} samples with temperature {how.temperature:g},"
        f" top-k {how.top_k or 'off'}, top-p {how.top_p:g}; length penalty {params.length_penalty:g}"
    )
    texts = score_hypotheses(translator, source, dict(zip(names, [greedy, beam, *drawn], strict=True)))
    return Ways(
        texts=texts,
        kept=tuple(match_tokens(texts[1].candidate.labels, each.candidate.labels)[1] for each in texts),
        provenance=translator.provenance.by(sample, seed=how.seed, detail=detail),
    )


def rank_hypotheses(record: SearchRecord, penalty: float) -> tuple[Ranked, ...]:
    """Return every finished hypothesis of a search under another length penalty, the best first; nothing is decoded."""
    numbers = record.finished
    then = sorted(numbers, key=lambda number: -record.nodes[number].score)
    now = sorted(numbers, key=lambda number: -rescore(record.nodes[number], penalty))
    return tuple(
        Ranked(
            node=record.nodes[number],
            score=rescore(record.nodes[number], penalty),
            position=position,
            before=then.index(number),
        )
        for position, number in enumerate(now)
    )


def rescore(node: SearchNode, penalty: float) -> float:
    """Return the score of a hypothesis under another length penalty."""
    return node.total / length_factor(node.step, min(max(penalty, 0.0), MOST_LENGTH_PENALTY))


def score_hypotheses(
    translator: LoadedTranslator, source: Sequence[int], found: Mapping[str, Hypothesis]
) -> tuple[ScoredText, ...]:
    """Return hypotheses with what the model gives each of their tokens, by one pass over all of them."""
    rows = score_targets(translator.prepared, source, [each.ids for each in found.values()])
    return tuple(
        ScoredText(
            name=name,
            candidate=candidate(translator.tokenizer, each),
            surface=surface(translator, each.ids),
            log_probabilities=row,
        )
        for (name, each), row in zip(found.items(), rows, strict=True)
    )


def surface(translator: LoadedTranslator, ids: Sequence[int]) -> tuple[str, ...]:
    """Return what each token adds to the text. Of a character that takes several tokens, the last adds it."""
    texts = [translator.tokenizer.decode(ids[:n]) for n in range(len(ids) + 1)]
    said = [*(text.rstrip("\ufffd") for text in texts[:-1]), texts[-1]]
    return tuple(after.removeprefix(before) for before, after in pairwise(said))
