"""“Recurrent attention”: BLEU by the length of the source, as it was measured on the test set."""

import csv
import io
from collections.abc import Sequence

from explorer.checkpoints.manifest import CheckpointDamaged, CheckpointError, CheckpointMissing
from explorer.data.parallel.multi30k import PARTS
from explorer.lessons.seq2seq_attention.records import LengthCurve, LengthGroup
from explorer.lessons.seq2seq_attention.state import RecurrentModel
from explorer.records.provenance import Provenance
from explorer.training.seq2seq.export import lengths_table

LENGTHS_FILE = "lengths.csv"
#: Scores a checkpoint again, and writes that file.
MEASURE_COMMAND = (
    "python -m explorer.training seq2seq-score --data <folder>/multi30k --write-lengths --out checkpoints/{name}"
)


def read_measurements(there: Sequence[RecurrentModel], search: str) -> tuple[LengthCurve, ...]:
    """Return what was measured on the whole test set for each checkpoint, from the file beside its weights."""
    lost = find_unmeasured(there)
    curves = [_curve(each, search) for each in there if each.name not in lost]
    return tuple(curve for curve in curves if curve.groups)


def find_unmeasured(there: Sequence[RecurrentModel]) -> dict[str, CheckpointError]:
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
