"""Figures of the page by structure."""

import numpy as np
import plotly.graph_objects as go
import pytest

from explorer.lessons.positional_encoding.figures import kinds, sinusoidal as figures
from explorer.lessons.positional_encoding.records.relative import BiasRecord, PhaseRecord
from explorer.lessons.positional_encoding.records.sinusoidal import (
    CodesRecord,
    CounterRecord,
)
from explorer.records import Provenance

HERE = Provenance(computed_by="tests")


def codes(positions: int = 6, pairs: int = 3) -> CodesRecord:
    angles = np.arange(positions)[:, None] / 10.0 ** np.arange(pairs)
    code = np.stack([np.sin(angles), np.cos(angles)], -1).reshape(positions, -1).astype(np.float32)
    fine = np.linspace(0, positions - 1, 50)
    return CodesRecord(
        code=code,
        wavelengths=2 * np.pi * 10.0 ** np.arange(pairs),
        fine=fine,
        waves=np.stack([wave(fine / 10.0 ** np.arange(pairs)[:, None]) for wave in (np.sin, np.cos)]),
        provenance=HERE,
    )


def test_the_matrix_is_drawn_as_it_is_with_the_pair_framed_and_wavelengths_above() -> None:
    record = codes()
    figure = figures.codes(record, 1)
    cells, lengths = figure.data
    assert np.array_equal(cells.z, record.code)
    assert (cells.zmin, cells.zmax) == (-1, 1)
    frame, level = figure.layout.shapes
    assert (frame.x0, frame.x1) == (1.5, 3.5)
    assert (level.y0, level.y1) == (6, 6), "as many positions as are drawn"
    np.testing.assert_allclose(lengths.y, record.wavelengths, rtol=1e-6)
    assert lengths.marker.size[1] > lengths.marker.size[0]
    assert figure.layout.yaxis.autorange == "reversed", "position 0 stands on top"


def test_the_counter_has_three_blocks_with_gaps() -> None:
    sines = np.sin(np.arange(4)[:, None] * np.array([1.0, 0.5])).astype(np.float32)
    bits = np.array([[0, 0], [1, 0], [0, 1], [1, 1]], np.uint8)
    record = CounterRecord(bits=bits, pairs=(0, 5), wavelengths=(6.28, 12.6), sines=sines, provenance=HERE)
    figure = figures.counter(record)
    (cells,) = figure.data
    assert cells.z.shape == (4, 2 + 1 + 2 + 1 + 2)
    assert np.isnan(cells.z[:, [2, 5]]).all()
    assert np.array_equal(cells.text[:, :2], bits.astype(str))
    assert np.array_equal(cells.text[:, 3:5], (sines < 0).astype(int).astype(str))
    np.testing.assert_array_equal(cells.z[:, 6:], sines)
    assert figure.layout.yaxis.ticktext[2] == "2 = 10"
    assert list(figure.layout.xaxis.tickvals) == [0, 1, 3, 4, 6, 7]


def test_the_turn_says_its_angle_under_the_pointer() -> None:
    degrees = np.array([[0.0, -30.0], [30.0, 0.0]])
    record = PhaseRecord(
        pair=0,
        wavelengths=np.array([12.0]),
        degrees=degrees,
        cosine=np.cos(np.radians(degrees)).astype(np.float32),
        residual=0.0,
        provenance=HERE,
    )
    (cells,) = kinds.phase(record).data
    np.testing.assert_array_equal(cells.customdata, degrees.astype(np.float32))
    assert "%{customdata:.1f}°" in cells.hovertemplate


def test_the_future_has_no_bias_and_the_chosen_head_stands_out() -> None:
    slopes = np.array([0.5, 0.25])
    bias = np.where(np.tri(3, dtype=bool), -0.25 * np.subtract.outer(range(3), range(3)), -np.inf).astype(np.float32)
    record = BiasRecord(slopes=slopes, head=1, bias=bias, provenance=HERE)
    (cells,) = kinds.bias(record).data
    assert np.isnan(cells.z[0, 1:]).all()
    assert cells.zmax == 0.5
    assert len(kinds.bias(record).layout.shapes) == 2, "the future is hatched"
    lines = kinds.penalties(record).data
    assert [line.line.width for line in lines] == [2, 5]
    np.testing.assert_allclose(lines[0].y, np.exp(-0.5 * np.arange(3)), rtol=1e-6)
    assert all(isinstance(line, go.Scatter) for line in lines)


@pytest.mark.parametrize("changed", [{"waves": np.zeros((2, 50))}, {"code": np.zeros((6, 5), np.float32)}])
def test_a_record_that_does_not_fit_is_refused(changed: dict[str, np.ndarray]) -> None:
    sound = codes()
    given = {name: getattr(sound, name) for name in ("code", "wavelengths", "fine", "waves", "provenance")}
    with pytest.raises(ValueError, match="not"):
        CodesRecord(**(given | changed))
