import pytest

from explorer.lessons import scoring_functions as lesson
from explorer.lessons.scoring_functions import readings
from explorer.lessons.scoring_functions.figures import bars


def test_equal_names_keep_their_own_bars() -> None:
    figure = bars.horizontal(["the", "cat", "the"], [1.0, 2.0, 3.0])
    assert list(figure.data[0].x) == [1, 2, 3]
    assert list(figure.data[0].y) == [0, 1, 2]
    assert list(figure.layout.yaxis.ticktext) == ["the", "cat", "the"]
    assert figure.layout.yaxis.autorange == "reversed"


def test_numbers_stand_at_the_bars_and_beside_a_bar_of_no_length() -> None:
    figure = bars.horizontal(["a", "b", "c"], [0.0, 12345.0, 0.123456])
    assert list(figure.data[0].text) == ["0", "12,345", "0.1235"]
    assert [(note.y, note.text) for note in figure.layout.annotations] == [(0, "0")]


def test_markup_in_names_is_shown_not_obeyed() -> None:
    assert "<b>" not in bars.horizontal(["<b>x</b>"], [1.0]).to_json()


def test_a_name_for_every_value() -> None:
    with pytest.raises(ValueError, match="2 names for 1 values"):
        bars.horizontal(["a", "b"], [1.0])


@pytest.mark.parametrize("measure", readings.MEASURES)
def test_measures_draw_the_records_numbers(measure: str) -> None:
    result = lesson.compute(lesson.Params())
    figure = bars.measures(result.records, measure, names=readings.names(), title="measure")
    assert list(figure.data[0].x) == [getattr(record.measures, measure) for record in result.records]
    assert figure.layout.xaxis.title.text == "measure"
