"""“Recurrent attention”: BLEU by the length of the source, as it was measured on the test set, and anew on a sample."""

import csv
import io
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.checkpoints.manifest import CheckpointDamaged, CheckpointError, CheckpointMissing
from explorer.data.parallel.multi30k import OWN_CAPTIONS, PARTS, lower, read_multi30k, tokenised
from explorer.data.parallel.pairs import PairsError
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.seq2seq import translate as seq2seq
from explorer.inference.seq2seq.bleu import caption_bleu, caption_bleu_by_length, outputs
from explorer.lessons.seq2seq_attention.records import LengthCurve, LengthGroup
from explorer.lessons.seq2seq_attention.state import RecurrentModel
from explorer.records.language import Translate, english
from explorer.records.provenance import Provenance
from explorer.training.seq2seq.export import lengths_table

SEARCHES = {"greedy": DecodingOptions(beam=1), "beam 5": DecodingOptions(beam=5, length_penalty=1.0)}
LENGTHS_FILE = "lengths.csv"
#: Scores a checkpoint again, and writes that file.
MEASURE_COMMAND = (
    "python -m explorer.training seq2seq-score --data <folder>/multi30k --write-lengths --out checkpoints/{name}"
)
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

    def explain(self, t: Translate = english) -> str:
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


def measured(there: Sequence[RecurrentModel], search: str) -> tuple[LengthCurve, ...]:
    """Return what was measured on the whole test set for each checkpoint, from the file beside its weights."""
    lost = unmeasured(there)
    curves = [_curve(each, search) for each in there if each.name not in lost]
    return tuple(curve for curve in curves if curve.groups)


def unmeasured(there: Sequence[RecurrentModel]) -> dict[str, CheckpointError]:
    """Return what is wrong with the measurements that cannot be shown, by the name of the checkpoint."""
    lost = {}
    for model in there:
        try:
            _groups(model)
        except CheckpointError as error:
            lost[model.name] = error
    return lost


def _groups(model: RecurrentModel) -> list[tuple[str, LengthGroup]]:
    """Return the rows of the file beside the weights: way of searching and group.

    Raises:
        CheckpointMissing: it is not there.
        CheckpointDamaged: it is none, or of other weights.
    """
    name, again = f"checkpoints/{model.name}/{LENGTHS_FILE}", MEASURE_COMMAND.format(name=model.name)
    try:
        text = (model.folder / LENGTHS_FILE).read_text("utf-8")
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        found = [(row["search"], _group(row)) for row in rows]
        revisions = {row["revision"] for row in rows}
    except OSError as error:
        raise CheckpointMissing(f"{name} is missing: run `{again}`.") from error
    except (KeyError, ValueError, TypeError) as error:
        raise CheckpointDamaged(f"{name} cannot be read: check the project out again, or run `{again}`.") from error
    if revisions != {model.manifest.revision}:
        raise CheckpointDamaged(f"{name} measured other weights: run `{again}`.")
    if found[-1][1].last is not None:  # the longest sentences stand last
        raise CheckpointDamaged(f"{name} ends before its last row: check the project out again, or run `{again}`.")
    return found


def _group(row: dict[str, str]) -> LengthGroup:
    return LengthGroup(
        first=int(row["words_from"]),
        last=int(row["words_to"]) if row["words_to"] else None,
        sentences=int(row["sentences"]),
        bleu=float(row["bleu"]),
    )


def _curve(model: RecurrentModel, search: str) -> LengthCurve:
    groups = tuple(group for how, group in _groups(model) if how == search)
    said = Provenance.of(
        lengths_table,
        model=model.name,
        revision=model.manifest.revision,
        detail=f"{PARTS['test']}, {search}, lower-cased tokenised BLEU, {sum(g.sentences for g in groups)} lines",
    )
    return LengthCurve(model=model.name, mechanism=model.mechanism, groups=groups, provenance=said)


def own_sample() -> tuple[tuple[str, str], ...]:
    """Return forty captions written for this page, of 3 to 33 words."""
    return _pairs(OWN_CAPTIONS.read_text("utf8"))


def local_sample(most: int) -> tuple[tuple[str, str], ...]:
    """Return captions of the test set, spread evenly over it, where the reader has it; none otherwise."""
    folder = os.environ.get(FOLDER_VARIABLE, "")
    for place in (Path(folder) / "multi30k", Path(folder)) if folder else ():
        try:
            every = read_multi30k(place, "test")
        except PairsError:
            continue
        n = min(most, len(every))
        chosen = (every[place * len(every) // n] for place in range(n))
        return tuple((pair.source, pair.targets[0]) for pair in chosen)
    return ()


def file_sample(content: bytes) -> tuple[tuple[str, str], ...]:
    """Return the pairs of a reader's TSV or CSV.

    Raises:
        SampleRefused: it is not such a file, or too large.
    """
    if len(content) > MOST_SAMPLE_BYTES:
        raise SampleRefused("bytes", found=len(content), limit=MOST_SAMPLE_BYTES)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SampleRefused("text") from None
    if "\x00" in text:
        raise SampleRefused("text")
    return _pairs(text)


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    """Return two columns, split by tabs where there is a tab, else by commas."""
    text = "\n".join(text.splitlines())
    tabs = "\t" in text
    lines = io.StringIO(text)
    reader = csv.reader(lines, "excel-tab", quoting=csv.QUOTE_NONE) if tabs else csv.reader(lines)
    try:
        rows = [(reader.line_num, row) for row in reader]
    except csv.Error:  # of more letters than Python reads in a cell
        raise SampleRefused("long", line=reader.line_num, limit=MOST_SAMPLE_CHARACTERS) from None
    found = []
    for line, row in rows:
        if not any(cell.strip() for cell in row):
            continue
        if len(row) < 2 or not row[0].strip() or not row[1].strip():
            raise SampleRefused("columns", line=line)
        if max(len(row[0]), len(row[1])) > MOST_SAMPLE_CHARACTERS:
            raise SampleRefused("long", line=line, limit=MOST_SAMPLE_CHARACTERS)
        found.append((row[0].strip(), row[1].strip()))
        if len(found) > MOST_SAMPLE_PAIRS:
            raise SampleRefused("pairs", limit=MOST_SAMPLE_PAIRS)
    if not found:
        raise SampleRefused("empty")
    return tuple(found)


def recompute(params: SampleParams) -> Iterator[SampleResult]:
    """Translate a sample with every model, and score it by length, ever more of it.

    Raises:
        CheckpointError: a checkpoint cannot be used.
    """
    sources = [lower(source) for source, _ in params.pairs]
    references = [tokenised(target) for _, target in params.pairs]
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
