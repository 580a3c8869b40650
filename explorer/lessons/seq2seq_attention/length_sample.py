"""“Recurrent attention”: a sample of sentences, translated anew, and its BLEU by the length of the source."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from explorer.data.documents.tables import TableUnreadable, TextTable
from explorer.data.parallel.multi30k import OWN_CAPTIONS, lower, read_multi30k, tokenise_moses
from explorer.data.parallel.own_pairs import open_pairs
from explorer.data.parallel.pairs import PairsError
from explorer.inference.seq2seq import translate as seq2seq
from explorer.inference.seq2seq.bleu import caption_bleu, caption_bleu_by_length, outputs
from explorer.lessons.seq2seq_attention.records import LengthCurve, LengthGroup
from explorer.records.language import t
from explorer.training.seq2seq.export import SEARCHES

#: Where the corpora lie, for those who have them: the folder that holds `multi30k`.
FOLDER_VARIABLE = "EXPLORER_DATA"
MOST_SAMPLE_PAIRS, MOST_SAMPLE_BYTES, MOST_SAMPLE_CHARACTERS = 500, 500_000, 1000
#: Where a group of a sample begins, in words: a sample is too small for the seven groups of the test set.
SAMPLE_SPANS = (1, 9, 15)
#: Sentences that are decoded between two looks at whether anybody still wants the result.
CHUNK = 8


class SampleRefused(ValueError):
    """A file is no sample; `explain` says why and what to do."""

    def __init__(self, reason: str, **numbers: int) -> None:
        self.reason, self.numbers = reason, numbers
        super().__init__(self.explain())

    def explain(self) -> str:
        """Return the message, in the reader's language."""
        said = {
            "text": t("This is no UTF-8 text. Save the table as TSV or CSV in UTF-8."),
            "bytes": t("The file has {found:,} bytes, and at most {limit:,} are read."),
            "pairs": t("The file has more than {limit:,} pairs: shorten it."),
            "long": t("Line {line} has more than {limit:,} characters in a column: shorten it."),
            "columns": t("Line {line} does not have two filled columns: German, then its English reference."),
            "empty": t("There is no pair in the file: two columns are needed, German, then its English reference."),
        }
        return said[self.reason].format(**self.numbers)


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleParams:
    """Sentences, and the models that translate them.

    Attributes:
        models: names of checkpoints.
        name: of the sample, for the provenance.
        pairs: source and reference.
        search: key of `SEARCHES`.
    """

    models: tuple[str, ...]
    name: str
    pairs: tuple[tuple[str, str], ...]
    search: str = "beam 5"


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleResult:
    """Progress of the sample's translation, and the scores so far.

    Attributes:
        done: translations that are made.
        total: translations in all.
        curves: of every model that has begun.
        overall: BLEU over all of its sentences, by model.
    """

    done: int
    total: int
    curves: tuple[LengthCurve, ...]
    overall: tuple[tuple[str, float], ...]


def own_sample() -> tuple[tuple[str, str], ...]:
    """Return forty captions written for this page, of 3 to 33 words."""
    return _pairs(open_pairs(OWN_CAPTIONS.read_bytes()))


def local_sample(most: int) -> tuple[tuple[str, str], ...]:
    """Return captions of the test set, spread evenly over it, where the reader has it; none otherwise."""
    folder = os.environ.get(FOLDER_VARIABLE, "")
    for position in (Path(folder) / "multi30k", Path(folder)) if folder else ():
        try:
            every = read_multi30k(position, "test")
        except PairsError:
            continue
        n = min(most, len(every))
        chosen = (every[position * len(every) // n] for position in range(n))
        return tuple((pair.source, pair.targets[0]) for pair in chosen)
    return ()


def file_sample(content: bytes | TextTable) -> tuple[tuple[str, str], ...]:
    """Return the pairs of a reader's table.

    Raises:
        SampleRefused: it is not such a file, or too large.
    """
    table = content if isinstance(content, TextTable) else open_pairs(content)
    if table.size > MOST_SAMPLE_BYTES:
        raise SampleRefused("bytes", found=table.size, limit=MOST_SAMPLE_BYTES)
    if table.decoded.damaged:
        raise SampleRefused("text")
    return _pairs(table)


def _pairs(table: TextTable) -> tuple[tuple[str, str], ...]:
    """Return the first two columns."""
    found = []
    try:
        for line, row in table.rows():
            if not any(cell.strip() for cell in row):
                continue
            if len(row) < 2 or not (row[0].strip() and row[1].strip()):
                raise SampleRefused("columns", line=line)
            if max(len(row[0]), len(row[1])) > MOST_SAMPLE_CHARACTERS:
                raise SampleRefused("long", line=line, limit=MOST_SAMPLE_CHARACTERS)
            found.append((row[0].strip(), row[1].strip()))
            if len(found) > MOST_SAMPLE_PAIRS:
                raise SampleRefused("pairs", limit=MOST_SAMPLE_PAIRS)
    except TableUnreadable as error:  # of more letters than are read in a cell
        raise SampleRefused("long", line=error.line, limit=MOST_SAMPLE_CHARACTERS) from None
    if not found:
        raise SampleRefused("empty")
    return tuple(found)


def recompute(params: SampleParams) -> Iterator[SampleResult]:
    """Translate a sample with every model, and score it by length, ever more of it.

    Raises:
        CheckpointError: a checkpoint cannot be used.
    """
    sources = [lower(source) for source, _ in params.pairs]
    references = [tokenise_moses(target) for _, target in params.pairs]
    total = len(params.models) * len(sources)
    curves: dict[str, LengthCurve] = {}
    overall: dict[str, float] = {}
    done = 0
    for name in params.models:
        model = seq2seq.load(name)
        captions: list[str] = []
        while len(captions) < len(sources):
            some = sources[len(captions) : len(captions) + CHUNK]
            captions += outputs(model.prepared, model.tokenizer, some, SEARCHES[params.search])
            curves[name] = _sampled(model, sources, captions, references, params)
            overall[name] = caption_bleu(captions, references[: len(captions)]).score
            done += len(some)
            yield SampleResult(done=done, total=total, curves=tuple(curves.values()), overall=tuple(overall.items()))


def _sampled(
    model: seq2seq.LoadedSeq2Seq,
    sources: list[str],
    captions: list[str],
    references: list[str],
    params: SampleParams,
) -> LengthCurve:
    n = len(captions)
    scores = caption_bleu_by_length(sources[:n], captions, references[:n], lengths=SAMPLE_SPANS)
    return LengthCurve(
        model=model.name,
        mechanism=model.mechanism,
        groups=tuple(
            LengthGroup(first=first, last=last, sentences=found.n_lines, bleu=found.score)
            for (first, last), found in scores.items()
        ),
        provenance=model.provenance.by(
            recompute,
            detail=f"{n} sentences of {params.name}, {params.search}, {next(iter(scores.values())).signature}",
        ),
    )
