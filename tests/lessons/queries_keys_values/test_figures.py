"""Drawings of the desk, colours of values, the three ways of answering."""

import re

import numpy as np
import plotly.graph_objects as go
import pytest

from explorer.figures.look import LIGHT
from explorer.lessons.queries_keys_values.figures import colours, drawings
from explorer.lessons.queries_keys_values.figures.ways import ways
from explorer.lessons.queries_keys_values.live import desk
from explorer.lessons.queries_keys_values.records.lookup import Entry, LookupRecord
from explorer.records import Provenance

HERE = Provenance(computed_by="tests")


COLOURED = (
    Entry(name="a", x=-1.0, y=0.0, value=(0.0, 0.0, 16.0)),
    Entry(name="a", x=1.0, y=2.0, value=(255.0, 0.0, 0.0)),
    Entry(name="<i>%{x}", x=1.0, y=2.0, value=(0.0, 255.0, 0.0)),
)
NUMBERED = tuple(
    Entry(name=entry.name, x=entry.x, y=entry.y, value=(float(position),)) for position, entry in enumerate(COLOURED)
)


def lookup(entries: tuple[Entry, ...] = COLOURED) -> LookupRecord:
    n, values = len(entries), np.array([entry.value for entry in entries])
    weights = np.vstack([np.eye(n)[0], np.linspace(1, 2, n) / np.linspace(1, 2, n).sum(), np.full(n, 1 / n)])
    axis = np.linspace(-4, 4, 5)
    return LookupRecord(
        entries=entries,
        query=np.array([0.5, -0.5]),
        score="dot",
        temperature=0.5,
        scores=np.zeros(n),
        weights=weights,
        outputs=weights @ values,
        axis=axis,
        answers=np.broadcast_to((weights @ values)[1], (5, 5, values.shape[1])).copy(),
        temperatures=np.array([0.001, 1.0, 1000.0]),
        path=weights,
        provenance=HERE,
    )


def test_every_object_of_the_lesson_has_a_drawing_on_the_desk() -> None:
    from explorer.lessons.queries_keys_values.state import OBJECTS

    assert set(drawings.DRAWINGS) == set(OBJECTS)
    for name, ((x, y), _) in OBJECTS.items():
        for outline in drawings.DRAWINGS[name]:
            pairs = [tuple(map(float, pair)) for pair in re.findall(r"(-?[\d.]+),(-?[\d.]+)", outline.path)]
            assert pairs, name
            assert all(abs(a) <= 1.1 and abs(b) <= 1.1 for a, b in pairs), name
            left, right, low, high = desk.EDGES
            assert all(left <= x + a <= right and low <= y + b <= high for a, b in pairs), name


def test_a_number_is_painted_from_a_tint_to_the_value_colour() -> None:
    record = lookup(NUMBERED)
    low, middle, high = (colours.of(record, (number,)) for number in (0.0, 1.0, 2.0))
    assert high == LIGHT.value
    assert low != LIGHT.paper
    assert len({low, middle, high}) == 3
    assert all(colour.startswith("rgb(") for colour in colours.every(record, None))


@pytest.mark.parametrize("entries", [COLOURED, NUMBERED], ids=["colours", "numbers"])
def test_three_columns_of_weights_and_what_they_answer(entries: tuple[Entry, ...]) -> None:
    record = lookup(entries)
    figure = ways(record)
    bars = [each for each in figure.data if isinstance(each, go.Bar)]
    answers = [each for each in figure.data if isinstance(each, go.Scatter)]
    np.testing.assert_allclose([bar.x for bar in bars], record.weights, atol=1e-6)
    assert len({bar.xaxis for bar in bars}) == 3
    titles = [axis.title.text.replace("<br>", " ") for axis in figure.select_xaxes()]
    assert titles == ["hard look-up", "attention", "average pooling"]
    assert list(figure.layout.yaxis.ticktext) == ["a", "a", "&lt;i&gt;%{x}", "answer"]
    expected = ["", "", ""] if entries is COLOURED else ["0", "1.222", "1"]  # a colour is painted
    assert [answer.text[0].strip() for answer in answers] == expected
    painted = ["rgb(0,0,16)", "rgb(85,113,4)", "rgb(85,85,5)"]
    assert entries is NUMBERED or [answer.marker.color[0] for answer in answers] == painted
    assert list(bars[0].text) == ["1", "0", "0"], "exact ends look exact"
