"""A matrix of the reader's own: read in every usual form, refused where it is none, never unpickled."""

import io

import numpy as np
import pytest

from explorer.opened import matrix
from explorer.opened.refused import ModelRefused

WEIGHTS = np.array([[0.5, 0.5], [0.25, 0.75], [1, 0]])


def npy(array: np.ndarray, **options: bool) -> bytes:
    file = io.BytesIO()
    np.save(file, array, **options)
    return file.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        "0.5 0.5\n0.25 0.75\n1 0", "0.5,0.5\n0.25,0.75\n1,0\n", "0.5\t0.5\r\n0.25\t0.75\r\n1\t0",
        "0.5;0.5\n.25;.75\n1;0",
        "[[0.5, 0.5], [0.25, 0.75], [1, 0]]", npy(WEIGHTS), npy(WEIGHTS.astype(np.float16)), npy(WEIGHTS[None]),
        b"\xef\xbb\xbf0.5,0.5\n0.25,0.75\n1,0",
    ],
    ids=range(9),
)  # fmt: skip
def test_every_usual_form_is_read(data: str | bytes) -> None:
    found = matrix.read(data)
    assert np.array_equal(found.numbers, WEIGHTS[None])
    assert found.row_labels == ("1", "2", "3")
    assert matrix.check(found).are_weights
    assert np.array_equal(matrix.attention(found, "weights").weights[0], WEIGHTS.astype(np.float32))


def test_the_first_row_and_column_may_be_labels() -> None:
    found = matrix.read(",le,chat\nthe,0.9,0.1\ncat,0.2,0.8")
    assert found.column_labels == ("le", "chat")
    assert found.row_labels == ("the", "cat")
    assert matrix.read("le,chat\n0.9,0.1\n0.2,0.8").column_labels == ("le", "chat")


def test_rows_that_do_not_sum_to_one_are_counted_and_a_softmax_makes_weights_of_them() -> None:
    found = matrix.read("1 2\n3 4\n0.5 0.5")
    checked = matrix.check(found)
    assert (checked.rows, checked.off, checked.outside) == (3, 2, 3)
    with pytest.raises(ModelRefused, match="2 of 3 rows do not sum to 1"):
        matrix.attention(found, "weights")
    made = matrix.attention(found, "scores", 2.0).weights[0]
    scores = np.array([[1, 2], [3, 4], [0.5, 0.5]]) / 2
    assert made == pytest.approx(np.exp(scores) / np.exp(scores).sum(-1, keepdims=True))
    moved = matrix.attention(matrix.read("11 12\n3 4\n0.5 0.5"), "scores", 2.0).weights[0]
    assert moved == pytest.approx(made)


class Evil:
    def __reduce__(self) -> object:
        raise SystemExit("it was unpickled")


def lying(shape: bytes) -> bytes:
    return npy(WEIGHTS).replace(b"(3, 2)", shape)


@pytest.mark.parametrize(
    "data",
    [
        "", "   ", "a b\nc d", "1 2\n3", "1 nan\n2 3", "1 inf\n2 3", "[1, 2]", "[[1], [2, 3]]", "[" * 100_000,
        b"\xff\xfe\x00",
        npy(np.array([[object()]], dtype=object), allow_pickle=True),
        npy(np.zeros((2, 2), complex)), npy(np.zeros(3)),
        npy(WEIGHTS)[:90], lying(b"(9, 9)"), lying(b"(9, 9,"), b"\x93NUMPY\x09\x00",
        "1 2\n" * 600, npy(np.zeros((65, 2, 2))), "1e999 1\n1 1",
    ],
    ids=range(20),
)  # fmt: skip
def test_what_is_no_matrix_is_refused(data: str | bytes) -> None:
    with pytest.raises(ModelRefused):
        matrix.read(data)
