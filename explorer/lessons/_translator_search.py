"""Page 09: how the search for a translation went, and other ways to choose the next token."""

from dataclasses import dataclass, replace

from explorer.inference.batching import bounded
from explorer.inference.decoding import DecodingOptions, Hypothesis, decode, length_factor
from explorer.inference.forcing import given
from explorer.inference.sampling import SamplingOptions, sample
from explorer.inference.searching import recorded
from explorer.inference.translator import LoadedTranslator, clean, encode_source, loaded
from explorer.lessons._translator_state import MOST_LENGTH_PENALTY, Params
from explorer.records.provenance import Provenance
from explorer.records.search import ScoredText, SearchNode, SearchRecord
from explorer.records.sequence import Candidate

MOST_SAMPLES = 6
LEAST_TEMPERATURE, MOST_TEMPERATURE = 0.1, 2.0
MOST_TOP_K = 100
LEAST_TOP_P = 0.05
MOST_SEED = 99


@dataclass(frozen=True, slots=True, kw_only=True)
class WaysParams:
    """A translation to write in several ways. Numbers are clamped to their ranges.

    Attributes:
        params: what is translated, and the beam to compare with.
        temperature: of the samples.
        top_k: likeliest tokens that can be drawn; 0 lets all.
        top_p: probability of the smallest set that can be drawn; 1 lets all.
        seed: of the samples.
        samples: how many.
    """

    params: Params
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
        """How to draw."""
        return SamplingOptions(
            temperature=self.temperature, top_k=self.top_k, top_p=self.top_p, seed=self.seed, samples=self.samples
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ways:
    """The same text, translated in several ways.

    Attributes:
        texts: greedy, beam, then the samples.
        provenance: of all of them.
    """

    texts: tuple[ScoredText, ...]
    provenance: Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A finished hypothesis under a length penalty.

    Attributes:
        node: of the tree.
        score: under this penalty.
        place: from 0.
        before: its place under the penalty that the search had.
    """

    node: SearchNode
    score: float
    place: int
    before: int


def search(params: Params) -> SearchRecord:
    """The tree of the search that translates a text.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the checkpoint cannot be used.
    """
    translator = loaded(params.checkpoint)
    return recorded(translator, encode_source(translator, clean(params.text)), options(params))[1]


def ways(asked: WaysParams) -> Ways:
    """Greedy search, beam search and samples of one text, each with what the model gave every token of it.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the checkpoint cannot be used.
    """
    translator, params = loaded(asked.params.checkpoint), asked.params
    source = encode_source(translator, clean(params.text))
    within = bounded(options(params), len(source))
    ((greedy, *_),) = decode(translator.prepared, [source], replace(within, beam=1))
    ((beam, *_),) = decode(translator.prepared, [source], within)
    drawn = sample(translator.prepared, source, within, asked.sampling)
    names = ["greedy", "beam", *(f"sample-{number}" for number in range(1, len(drawn) + 1))]
    how = asked.sampling
    detail = (
        f"greedy; beam {params.beam}; {how.samples} samples with temperature {how.temperature:g},"
        f" top-k {how.top_k or 'off'}, top-p {how.top_p:g}; length penalty {params.length_penalty:g}"
    )
    return Ways(
        texts=scored(translator, source, dict(zip(names, [greedy, beam, *drawn], strict=True))),
        provenance=replace(
            translator.provenance, computed_by="explorer.inference.sampling.sample", seed=how.seed, detail=detail
        ),
    )


def ranked(record: SearchRecord, penalty: float) -> tuple[Ranked, ...]:
    """Every finished hypothesis of a search under another length penalty, the best first; nothing is decoded."""
    numbers = record.finished
    then = sorted(numbers, key=lambda number: -record.nodes[number].score)
    now = sorted(numbers, key=lambda number: -rescored(record.nodes[number], penalty))
    return tuple(
        Ranked(
            node=record.nodes[number],
            score=rescored(record.nodes[number], penalty),
            place=place,
            before=then.index(number),
        )
        for place, number in enumerate(now)
    )


def rescored(node: SearchNode, penalty: float) -> float:
    """The score of a hypothesis under another length penalty."""
    return node.total / length_factor(node.step, min(max(penalty, 0.0), MOST_LENGTH_PENALTY))


def options(params: Params) -> DecodingOptions:
    """How the page searches."""
    return DecodingOptions(beam=params.beam, length_penalty=params.length_penalty)


def scored(translator: LoadedTranslator, source: list[int], found: dict[str, Hypothesis]) -> tuple[ScoredText, ...]:
    """Hypotheses with what the model gives each of their tokens, by one pass over all of them."""
    rows = given(translator.prepared, source, [each.ids for each in found.values()])
    return tuple(
        ScoredText(name=name, candidate=candidate(translator, each), log_probabilities=row)
        for (name, each), row in zip(found.items(), rows, strict=True)
    )


def candidate(translator: LoadedTranslator, found: Hypothesis) -> Candidate:
    """A hypothesis as text."""
    return Candidate(
        text=translator.tokenizer.decode(found.ids),
        labels=tuple(translator.tokenizer.pieces(found.ids)),
        log_probability=found.log_probability,
        score=found.score,
        finished=found.finished,
        ids=found.ids,
    )
