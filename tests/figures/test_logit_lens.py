"""The lens, by structure: what is drawn is what the record holds, also with repeated tokens."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.figures import logit_lens as figures
from explorer.records.provenance import Provenance
from explorer.records.residual_stream import Point, StreamRecord
from explorer.records.sequence import Likely

NAMES = ["before", "after 0"]


@pytest.fixture
def record() -> StreamRecord:
    points = (Point(what="read"), *(Point(what=what, layer=0) for what in ("self", "cross", "net")))
    random = np.random.default_rng(0)
    shares = random.uniform(0, 1, (4, 3)).astype(np.float32)

    def likeliest(point: int, position: int) -> tuple[Likely, ...]:
        return Likely(label="<b>le</b>", probability=float(shares[point, position])), Likely(
            label="la", probability=0.0
        )

    return StreamRecord(
        points=points,
        read_labels=("<s>", "le", "le"),
        written_labels=("le", "le", "</s>"),
        norm=np.arange(12, dtype=np.float32).reshape(4, 3),
        added=np.arange(12, dtype=np.float32).reshape(4, 3)[::-1].copy(),
        token_norm=np.ones(3, np.float32),
        position_norm=None,
        likeliest=tuple(tuple(likeliest(point, position) for position in range(3)) for point in range(4)),
        share=shares,
        rank=np.array([[5, 0, 2], [4, 0, 1], [3, 0, 0], [0, 0, 7]]),
        provenance=Provenance(computed_by="test"),
    )


def test_the_lens_map_has_a_row_for_each_layer_and_keeps_equal_tokens_apart(record: StreamRecord) -> None:
    (cells,) = figures.lens_map(record, names=NAMES).data
    np.testing.assert_array_equal(cells.z, record.share[[0, 3]])
    assert cells.text[1][1].startswith("<b>&lt;b&gt;le")
    assert not cells.text[1][2].startswith("<b>")
    assert cells.customdata[0][0][1] == "6"
    axis = figures.lens_map(record, names=NAMES).layout.xaxis
    assert list(axis.ticktext) == ["le", "le", "<i>end</i>"]
    assert list(axis.tickvals) == [0, 1, 2]


def test_the_choices_are_those_of_one_token(record: StreamRecord) -> None:
    (cells,) = figures.choices(record, 2, names=NAMES).data
    np.testing.assert_allclose(cells.z[:, 0], record.share[[0, 3], 2])
    assert cells.customdata[0][0] == "&lt;b&gt;le&lt;/b&gt;"


def test_numbers_of_another_shape_are_refused(record: StreamRecord) -> None:
    with pytest.raises(ValueError, match="4 points by 3 tokens"):
        replace(record, norm=np.zeros((1, 1), np.float32))
