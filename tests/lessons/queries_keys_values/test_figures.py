"""The desk, the scores taken apart, the ribbons, the plane, the three ways, the shares over the temperature."""

import numpy as np
import plotly.graph_objects as go
import pytest

from explorer.figures.look import DARK, LIGHT
from explorer.lessons.queries_keys_values.figures import colours, desk, drawings, ribbons, score
from explorer.lessons.queries_keys_values.figures.plane import plane
from explorer.lessons.queries_keys_values.figures.shares import shares
from explorer.lessons.queries_keys_values.figures.ways import ways
from explorer.lessons.queries_keys_values.records.lookup import Entry, LookupRecord
from explorer.lessons.queries_keys_values.records.scene import WITH, SceneRecord
from explorer.records import AttentionRecord, Provenance

HERE = Provenance(computed_by="tests")
NAMES = {"cup": "<b>cup</b>", "pen": "same", "cat": "same"}
FEATURES = {"salience": "salience", "red": "red", "alive": "%{x}"}


def scene() -> SceneRecord:
    keys = np.array([[0.9, 1.0, 0.0], [0.2, 0.0, 0.0], [0.6, 0.1, 1.0]])
    queries = np.array([[1.0, 0.0, 0.0], [0.5, -1.0, 0.0]])
    scores = queries @ keys.T
    weights = np.array([[0.64, 0.0, 0.36], [0.25, 0.5, 0.25]], np.float32)
    places = np.array([[2.0, 6.0], [6.0, 2.0], [9.0, 6.0]])
    return SceneRecord(
        features=tuple(FEATURES),
        keys=keys,
        queries=queries,
        places=places,
        scores=scores,
        attention=AttentionRecord(
            site="test",
            kind="scored",
            weights=weights[None],
            query_labels=("without", "with"),
            key_labels=tuple(NAMES),
            query_role="read",
            provenance=HERE,
        ),
        gaze=weights @ places,
        temperature=1.0,
    )


COLOURED = (
    Entry(name="a", x=-1.0, y=0.0, value=(0.0, 0.0, 16.0)),
    Entry(name="a", x=1.0, y=2.0, value=(255.0, 0.0, 0.0)),
    Entry(name="<i>%{x}", x=1.0, y=2.0, value=(0.0, 255.0, 0.0)),
)
NUMBERED = tuple(
    Entry(name=entry.name, x=entry.x, y=entry.y, value=(float(place),)) for place, entry in enumerate(COLOURED)
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


@pytest.mark.parametrize("row", [0, 1])
def test_the_area_of_a_disc_is_the_weight_and_that_of_its_ring_the_weight_unasked(row: int) -> None:
    record = scene()
    shapes = {shape.name: shape for shape in desk.desk(record, names=NAMES).layout.shapes if shape.name}
    assert list(shapes) == [*NAMES, *(f"{name} unasked" for name in NAMES)]
    for place, (name, weight) in enumerate(zip(NAMES, record.weights[row].tolist(), strict=True)):
        circle = shapes[name if row == WITH else f"{name} unasked"]
        assert ((circle.x1 - circle.x0) / 2 / desk.RADIUS) ** 2 == pytest.approx(weight)
        assert (circle.line.dash == "dot") == (row != WITH)
        assert (circle.x0 + circle.x1) / 2 == pytest.approx(record.places[place, 0])


def test_a_name_stands_below_both_circles_and_on_the_desk() -> None:
    figure = desk.desk(scene(), names=NAMES)
    captions = next(each for each in figure.data if each.mode == "text")
    ground, *circles = (shape for shape in figure.layout.shapes if shape.name or shape.type == "rect")
    for y, disc, ring in zip(captions.y, circles[:3], circles[3:], strict=True):
        assert ground.y0 < y < min(disc.y0, ring.y0), disc.name


def test_the_desk_names_every_object_and_marks_the_mean_place() -> None:
    record = scene()
    *_, way, gaze, marks, over = desk.desk(record, names=NAMES).data
    assert list(marks.text) == ["&lt;b&gt;cup&lt;/b&gt; <b>0.25</b>", "same <b>0.50</b>", "same <b>0.25</b>"]
    assert (gaze.x[0], gaze.y[0]) == pytest.approx(record.gaze[1])
    np.testing.assert_allclose(np.transpose([way.x, way.y]), record.gaze)
    assert over.text[0] == "&lt;b&gt;cup&lt;/b&gt;: weight 0.250 (unasked 0.640), score -0.55"


def test_the_wood_fits_the_paper() -> None:
    light, dark = (desk.desk(scene(), names=NAMES, look=look).layout.shapes[0].fillcolor for look in (LIGHT, DARK))
    assert light != dark


def test_every_object_of_the_lesson_has_a_drawing_on_the_desk() -> None:
    from explorer.lessons.queries_keys_values.state import OBJECTS

    assert set(drawings.DRAWINGS) == set(OBJECTS)
    for name, ((x, y), _) in OBJECTS.items():
        for shape in drawings.draw(name, x, y):
            pairs = [tuple(map(float, pair)) for pair in drawings._PAIR.findall(shape["path"])]
            assert all(abs(a - x) <= 1.1 and abs(b - y) <= 1.1 for a, b in pairs), name
            assert all(desk.LEFT <= a <= desk.RIGHT and desk.LOW <= b <= desk.HIGH for a, b in pairs), name
    assert drawings.draw("unknown", 0.0, 0.0) == []


def test_the_keys_stand_below_the_query_with_their_numbers() -> None:
    record = scene()
    figure = score.score(record, 2, names=NAMES, features=FEATURES)
    query, keys = (each for each in figure.data if isinstance(each, go.Heatmap))
    np.testing.assert_allclose(query.z, record.queries[1:])
    np.testing.assert_allclose(keys.z, record.keys, atol=1e-6)
    assert (list(query.y), list(keys.y)) == ([0], [1, 2, 3])
    written = [
        each for each in figure.data if isinstance(each, go.Scatter) and each.mode == "text" and each.xaxis is None
    ]
    assert list(written[0].text) == ["0.5", "−1", "0"]
    assert list(written[1].text) == [f"{number:.2g}" for number in record.keys.ravel()]
    assert list(figure.layout.yaxis.ticktext) == ["<b>query</b>", "&lt;b&gt;cup&lt;/b&gt;", "same", "<b>same</b>"]
    assert figure.layout.shapes[0].y0 == 2.5, "the row of the chosen object is framed"


def test_the_parts_of_a_score_are_stacked_and_the_score_written() -> None:
    record = scene()
    figure = score.score(record, 2, names=NAMES, features=FEATURES)
    *bars, weights = (each for each in figure.data if isinstance(each, go.Bar))
    assert [bar.name for bar in bars] == ["salience", "red"], "what nobody asks for adds nothing"
    np.testing.assert_allclose(sum(bar.x for bar in bars), record.scores[1], atol=1e-6)
    assert figure.layout.barmode == "relative"
    (totals,) = (
        each for each in figure.data if isinstance(each, go.Scatter) and each.mode == "text" and each.xaxis == "x2"
    )
    assert [text.strip() for text in totals.text] == ["−0.55", "0.10", "0.20"]
    np.testing.assert_allclose(weights.x, record.weights[1])
    assert list(weights.text) == [".25", ".50", ".25"]
    assert all(list(bar.y) == [1, 2, 3] for bar in (*bars, weights)), "in the rows of the keys"
    low, high = figure.layout.xaxis2.range
    assert low < -1.0
    assert high > 0.45


@pytest.mark.parametrize("entries", [COLOURED, NUMBERED], ids=["colours", "numbers"])
def test_the_ribbons_of_both_sides_have_the_heights_of_the_weights(entries: tuple[Entry, ...]) -> None:
    record = lookup(entries)
    figure = ribbons.ribbons(record)
    mixture = [shape for shape in figure.layout.shapes if (shape.x0, shape.x1) == ribbons.MIXTURE]
    heights = np.array([shape.y1 - shape.y0 for shape in mixture])
    np.testing.assert_allclose(heights / heights.sum(), record.weights[1])
    assert [shape.fillcolor for shape in mixture] == colours.every(record, None, LIGHT)
    bands = [shape.path for shape in figure.layout.shapes if shape.type == "path"]
    assert len(bands) == 6
    answer = next(shape for shape in figure.layout.shapes if (shape.x0, shape.x1) == ribbons.ANSWER)
    assert answer.fillcolor == colours.every(record, [record.outputs[1]], LIGHT)[0]
    words = " ".join(text for each in figure.data if each.mode == "text" for text in each.text)
    assert "&lt;i&gt;%{x}</b> (1, 2)" in words
    assert "distance 1.58<br>score 0" in words


def test_a_number_is_painted_from_a_tint_to_the_value_colour() -> None:
    record = lookup(NUMBERED)
    low, middle, high = (colours.of(record, (number,), LIGHT) for number in (0.0, 1.0, 2.0))
    assert high == LIGHT.value
    assert low != LIGHT.paper
    assert len({low, middle, high}) == 3
    assert all(colour.startswith("rgb(") for colour in colours.every(record, None, DARK))


def test_the_plane_shows_its_colours_true_and_clear_of_streamlits_own() -> None:
    record = lookup()
    figure = plane(record)
    image = figure.data[0]
    assert isinstance(image, go.Image)
    assert image.z.dtype == np.uint8
    assert tuple(image.z[0, 0]) == tuple(record.answers[0, 0].round().astype(np.uint8))
    assert (image.x0, image.dx) == (-4.0, 2.0)
    colours = ("rgb(0,0,16)", "rgb(255,0,0)", "rgb(0,255,0)")
    keys = next(each for each in figure.data[1:] if each.marker.color == colours)
    assert keys.marker.size[1] > keys.marker.size[2], "the later of two twins lies smaller on the earlier"
    assert tuple(figure.layout.yaxis.range) == pytest.approx((-4.35, 4.35)), "y upwards"


def test_rays_are_as_wide_as_the_weights_and_twins_share_a_label() -> None:
    record = lookup()
    figure = plane(record)
    rays = [each for each in figure.data[1:] if each.mode == "lines"]
    widths = [ray.line.width for ray in rays]
    np.testing.assert_allclose(np.array(widths) / sum(widths), record.weights[1], atol=1e-6)
    assert [(ray.x[1], ray.y[1]) for ray in rays] == [(-1, 0), (1, 2), (1, 2)]
    labels = [note.text for note in figure.layout.annotations]
    assert labels == ["a 0.22", "a 0.33<br>&lt;i&gt;%{x} 0.44"]


def test_a_plane_of_numbers_has_a_scale_from_the_smallest_to_the_largest() -> None:
    figure = plane(lookup(NUMBERED))
    assert isinstance(figure.data[0], go.Heatmap)
    assert (figure.data[0].zmin, figure.data[0].zmax) == (0.0, 2.0)


def test_a_dictionary_of_one_number_has_a_scale_all_the_same() -> None:
    figure = plane(lookup(NUMBERED[:1]))
    assert figure.data[0].zmin < figure.data[0].zmax


@pytest.mark.parametrize("entries", [COLOURED, NUMBERED], ids=["colours", "numbers"])
def test_three_columns_of_weights_and_what_they_answer(entries: tuple[Entry, ...]) -> None:
    record = lookup(entries)
    figure = ways(record)
    bars = [each for each in figure.data if isinstance(each, go.Bar)]
    answers = [each for each in figure.data if isinstance(each, go.Scatter)]
    np.testing.assert_allclose([bar.x for bar in bars], record.weights, atol=1e-6)
    assert len({bar.xaxis for bar in bars}) == 3
    assert [axis.title.text for axis in figure.select_xaxes()] == ["hard look-up", "attention", "average pooling"]
    assert list(figure.layout.yaxis.ticktext) == ["a", "a", "&lt;i&gt;%{x}", "answer"]
    expected = ["", "", ""] if entries is COLOURED else ["0", "1.222", "1"]  # a colour is painted
    assert [answer.text[0].strip() for answer in answers] == expected
    painted = ["rgb(0,0,16)", "rgb(85,113,4)", "rgb(85,85,5)"]
    assert entries is NUMBERED or [answer.marker.color[0] for answer in answers] == painted
    assert list(bars[0].text) == ["1", "0", "0"], "exact ends look exact"


@pytest.mark.parametrize("entries", [COLOURED, NUMBERED], ids=["colours", "numbers"])
def test_the_shares_have_an_area_for_every_key_between_both_ends(entries: tuple[Entry, ...]) -> None:
    record = lookup(entries)
    figure = shares(record)
    areas = [each for each in figure.data if isinstance(each, go.Scatter) and each.stackgroup]
    np.testing.assert_allclose([area.y for area in areas], record.path.T, atol=1e-6)
    assert [area.fillcolor for area in areas] == colours.every(record, None, LIGHT)
    assert [note.text for note in figure.layout.annotations] == [
        "<b>hard look-up</b>",
        "<b>attention</b>",
        "<b>average pooling</b>",
    ]
    assert figure.layout.shapes[0].x0 == pytest.approx(np.log10(record.temperature))
    for axis, weights in (("x2", record.weights[0]), ("x3", record.weights[2])):
        bars = [each for each in figure.data if isinstance(each, go.Bar) and each.xaxis == axis and not each.yaxis]
        np.testing.assert_allclose([bar.y[0] for bar in bars], weights)
    strip = next(each for each in figure.data if isinstance(each, go.Bar) and each.xaxis is None)
    assert list(strip.marker.color) == colours.every(record, list(record.path @ colours_of(record)), LIGHT)


def colours_of(record: LookupRecord) -> np.ndarray:
    return np.array([entry.value for entry in record.entries])


def test_the_names_stand_where_the_temperature_cuts_the_areas() -> None:
    record = lookup()
    (names,) = (
        each
        for each in shares(record).data
        if isinstance(each, go.Scatter) and each.mode == "text" and each.yaxis is None
    )
    weights = record.weights[1]
    np.testing.assert_allclose(names.y, np.cumsum(weights) - weights / 2)
    assert names.text[0].strip() == "a <b>.22</b>"
