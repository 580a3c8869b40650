"""Read a matrix of the reader's own, pasted or from a CSV or NPY file, and make attention of it; no model is needed."""

import csv
import io
import json
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from explorer.opened.refused import ModelRefused
from explorer.records.arrays import Float64
from explorer.records.attention import ROW_SUM_TOLERANCE, AttentionRecord
from explorer.records.language import t
from explorer.records.provenance import Provenance
from explorer.records.readonly import record

#: What the numbers are: weights whose rows sum to 1, or scores of which a softmax makes weights.
Meaning = Literal["weights", "scores"]
#: Bytes that are read, matrices (heads) of a file, rows and columns of each.
MOST_BYTES, MOST_HEADS, MOST_SIDE = 20_000_000, 64, 512
_MOST = (MOST_HEADS, MOST_SIDE, MOST_SIDE)
_NPY = b"\x93NUMPY"


@record
class OwnMatrix:
    """Numbers that a reader brought.

    Attributes:
        numbers: `[heads, rows, columns]`, finite.
        row_labels: of the file, or numbers from 1.
        column_labels: likewise.
    """

    numbers: Float64
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowCheck:
    """Rows counted that can be weights, and those that cannot.

    Attributes:
        rows: of all matrices together.
        off: rows that do not sum to 1.
        outside: numbers below 0 or above 1.
    """

    rows: int
    off: int
    outside: int

    @property
    def are_weights(self) -> bool:
        """Return whether every row is a distribution."""
        return not self.off and not self.outside


def read(data: bytes | str) -> OwnMatrix:
    """Read what was pasted or uploaded: an NPY file, JSON, or rows of numbers with commas, semicolons, tabs or blanks.

    A first row or column that is no number labels the others.

    Raises:
        ModelRefused: it is no matrix, too large, or holds what is not finite.
    """
    if len(data) > MOST_BYTES:
        raise ModelRefused("too_many", what="bytes", asked=len(data), limit=MOST_BYTES)
    if isinstance(data, bytes) and data.startswith(_NPY):
        return _made(_npy(data))
    try:
        text = data if isinstance(data, str) else data.decode("utf-8-sig")
        if text.lstrip().startswith("["):
            return _made(np.array(json.loads(text), dtype=np.float64))
        return _table(text)
    except (ValueError, TypeError, RecursionError, csv.Error) as error:
        raise ModelRefused("matrix", what=str(error)[:120]) from error


def check(matrix: OwnMatrix) -> RowCheck:
    """Say whether the numbers can be weights."""
    sums = matrix.numbers.sum(-1)
    outside = (matrix.numbers < 0) | (matrix.numbers > 1 + ROW_SUM_TOLERANCE)
    off = ~np.isclose(sums, 1, atol=ROW_SUM_TOLERANCE) & (sums != 0)
    return RowCheck(rows=sums.size, off=int(off.sum()), outside=int(outside.sum()))


def attention(matrix: OwnMatrix, meaning: Meaning, temperature: float = 1.0) -> AttentionRecord:
    """Return the numbers as attention.

    Args:
        temperature: scores are divided by it before the softmax; above 0.

    Raises:
        ModelRefused: they are to be weights, and `check` says that they are none.
    """
    found = check(matrix)
    if meaning == "weights" and not found.are_weights:
        raise ModelRefused("matrix", what=f"{found.off} of {found.rows} rows do not sum to 1")
    detail = "" if meaning == "weights" else f"softmax of scores, temperature {temperature:g}"
    return AttentionRecord(
        site="matrix",
        kind="scored" if meaning == "scores" else "self",
        weights=_softmax(matrix.numbers / temperature) if meaning == "scores" else matrix.numbers.astype(np.float32),
        query_labels=matrix.row_labels,
        key_labels=matrix.column_labels,
        query_role="read",
        provenance=Provenance.of(attention, dtype="float64" if meaning == "scores" else "float32", detail=detail),
    )


def _softmax(scores: Float64) -> npt.NDArray[np.float32]:
    raised = np.exp(scores - scores.max(-1, keepdims=True))
    weights: npt.NDArray[np.float32] = (raised / raised.sum(-1, keepdims=True)).astype(np.float32)
    return weights


def _npy(data: bytes) -> Float64:
    """Read an NPY file: its header first, so that no shape asks for more than is there; no pickle."""
    file = io.BytesIO(data)
    try:
        version = np.lib.format.read_magic(file)
        header = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}[version]
        shape, _, dtype = header(file)
    except Exception as error:  # whatever the reader of headers makes of a stranger's bytes
        raise ModelRefused("matrix", what=t("the file is no NPY file")) from error
    if dtype.kind not in "biuf" or len(shape) not in (2, 3):
        raise ModelRefused("matrix", what=f"{dtype}, shape {shape}")
    if int(np.prod(shape, dtype=object)) * dtype.itemsize > len(data):
        raise ModelRefused("matrix", what=t("the file is shorter than its header says"))
    found: Float64 = np.load(io.BytesIO(data), allow_pickle=False).astype(np.float64)
    return found


def _table(text: str) -> OwnMatrix:
    lines = [line for line in text.strip().splitlines() if line.strip()]
    delimiter = next((each for each in "\t;," if each in text), None)
    rows = list(csv.reader(lines, delimiter=delimiter)) if delimiter else [line.split() for line in lines]
    rows = [[cell.strip() for cell in row] for row in rows]
    if len(rows) > MOST_SIDE + 1:
        raise ModelRefused("too_many", what="rows", asked=len(rows), limit=MOST_SIDE)
    head = rows.pop(0) if rows and not all(map(_is_number, rows[0][1:] or rows[0])) else None
    beside = [row.pop(0) for row in rows] if rows and not all(_is_number(row[0]) for row in rows if row) else None
    if not any(rows):
        raise ModelRefused("matrix", what=t("there are no numbers"))
    if len({len(row) for row in rows}) > 1:
        said = t("its rows have {least} to {most} numbers")
        raise ModelRefused("matrix", what=said.format(least=min(map(len, rows)), most=max(map(len, rows))))
    wrong = next((cell for row in rows for cell in row if not _is_number(cell)), None)
    if wrong is not None:
        raise ModelRefused("matrix", what=t("“{cell}” is no number").format(cell=wrong[:40]))
    numbers = np.array([[float(cell) for cell in row] for row in rows], dtype=np.float64)
    above = None if head is None else head[-numbers.shape[-1] :]
    return _made(numbers, beside, above)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _made(numbers: Float64, rows: list[str] | None = None, columns: list[str] | None = None) -> OwnMatrix:
    if numbers.ndim not in (2, 3) or not numbers.size:
        raise ModelRefused("matrix", what=f"shape {numbers.shape}")
    every = numbers if numbers.ndim == 3 else numbers[None]
    for what, size, limit in zip(("heads", "rows", "columns"), every.shape, _MOST, strict=True):
        if size > limit:
            raise ModelRefused("too_many", what=what, asked=size, limit=limit)
    if not np.isfinite(every).all():
        raise ModelRefused("matrix", what=t("a number is infinite, or none at all"))
    return OwnMatrix(
        numbers=every,
        row_labels=tuple(rows or (str(each + 1) for each in range(every.shape[1]))),
        column_labels=tuple(columns or (str(each + 1) for each in range(every.shape[2]))),
    )
