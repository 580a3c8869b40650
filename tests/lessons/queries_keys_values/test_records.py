"""The notation of the dictionary, and the records of the page."""

import numpy as np
import pytest

from explorer.lessons.queries_keys_values.records.lookup import (
    MAX_KEYS,
    Entry,
    InputError,
    LookupRecord,
    move_entry,
    read_entries,
    write_entry,
    write_value,
)
from explorer.lessons.queries_keys_values.records.scene import SceneRecord
from explorer.records import AttentionRecord, Provenance

HERE = Provenance(computed_by="tests")


def test_an_entry_is_a_name_two_numbers_and_a_value() -> None:
    entries, complaints = read_entries("a -1.5 .5 #0072B2\n\n  b,2;0\t#fff \n")
    assert complaints == ()
    assert entries == (
        Entry(name="a", x=-1.5, y=0.5, value=(0.0, 114.0, 178.0)),
        Entry(name="b", x=2.0, y=0.0, value=(255.0, 255.0, 255.0)),
    )
    assert read_entries("键，−1；２") == ((), (InputError(line=1, text="键，−1；２", reason="parts"),))
    assert read_entries("键，−1；2 3e2")[0] == (Entry(name="键", x=-1.0, y=2.0, value=(300.0,)),)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("a 1 2", "parts"),
        ("a 1 2 3 4", "parts"),
        ("a one 2 3", "place"),
        ("a nan 2 3", "place"),
        ("a 1 inf 3", "place"),
        ("a ١ 2 3", "place"),
        ("a 4.01 0 3", "outside"),
        ("a 0 -1e9 3", "outside"),
        ("a 1 2 blue", "value"),
        ("a 1 2 #12345", "value"),
        ("a 1 2 1e7", "value"),
        ("a 1 2 nan", "value"),
        ("a 1 2 " + "9" * 400, "value"),
        ("<b>x</b>\x00 💥 2 3", "place"),
    ],
)
def test_a_line_that_cannot_be_read_says_why_and_the_others_stand(line: str, reason: str) -> None:
    entries, complaints = read_entries(f"good 0 0 1\n{line}\nfine 1 1 2")
    assert [entry.name for entry in entries] == ["good", "fine"]
    assert complaints == (InputError(line=2, text=line, reason=reason),)


def test_values_are_of_the_first_ones_kind() -> None:
    entries, complaints = read_entries("a 0 0 1\nb 1 1 #fff\nc 2 2 3")
    assert [entry.name for entry in entries] == ["a", "c"]
    assert [(each.line, each.reason) for each in complaints] == [(2, "kind")]


def test_the_dictionary_is_bounded() -> None:
    entries, complaints = read_entries("\n".join(f"{'x' * 99} 0 0 {number}" for number in range(20)))
    assert len(entries) == MAX_KEYS
    assert {each.reason for each in complaints} == {"many"}
    assert {len(entry.name) for entry in entries} == {12}


def test_what_is_written_reads_back() -> None:
    for text in ("a -1.5 1 #0072b2", "b 0.25 -4 -17.5", "c 0 0 123.4567"):
        (entry,), _ = read_entries(text)
        assert write_entry(entry) == text
    assert write_value(np.array([0.4, 254.6, 300.0])) == "#00ffff"
    assert write_value((1234567.0,)) == "1.235e+06"


def test_moving_an_entry_leaves_the_other_lines_as_they_were_typed() -> None:
    text = "a 0 0 1\n# nonsense\n  b, 1, 1, 2  \n"
    assert move_entry(text, 1, -2.5, 3.0) == "a 0 0 1\n# nonsense\nb -2.5 3 2"
    assert move_entry(text, 0, 4.0, 0.05) == "a 4 0.05 1\n# nonsense\n  b, 1, 1, 2  "
    assert move_entry("a 0 0 12345.6", 0, 1.0, 1.0) == "a 1 1 12345.6"
    assert move_entry(text, 2, 0.0, 0.0) == move_entry(text, -1, 0.0, 0.0) == text


def lookup(**changed: object) -> LookupRecord:
    given: dict[str, object] = {
        "entries": (
            Entry(name="a", x=0.0, y=0.0, value=(1.0,)),
            Entry(name="b", x=3.0, y=4.0, value=(2.0,)),
            Entry(name="a", x=0.0, y=0.0, value=(3.0,)),
        ),
        "query": np.zeros(2),
        "score": "dot",
        "temperature": 1.0,
        "scores": np.zeros(3),
        "weights": np.full((3, 3), 1 / 3),
        "outputs": np.full((3, 1), 2.0),
        "axis": np.array([-1.0, 1.0]),
        "answers": np.zeros((2, 2, 1)),
        "temperatures": np.array([1.0]),
        "path": np.full((1, 3), 1 / 3),
        "provenance": HERE,
    }
    return LookupRecord(**(given | changed))  # type: ignore[arg-type]


def test_a_lookup_knows_its_twins_and_distances() -> None:
    record = lookup()
    assert record.twins == ((0, 2),)
    assert record.distances.tolist() == [0.0, 5.0, 0.0]
    assert not record.is_colour
    with pytest.raises(ValueError, match="read-only"):
        record.weights[0, 0] = 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"weights": np.full((3, 3), 0.5)},
        {"path": np.full((1, 3), 0.5)},
        {"weights": np.full((2, 3), 1 / 3)},
        {"outputs": np.zeros((3, 3))},
        {"answers": np.zeros((2, 3, 1))},
    ],
)
def test_a_lookup_that_does_not_fit_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"fit|sum to 1"):
        lookup(**wrong)


def scene(**changed: object) -> SceneRecord:
    keys, queries = np.array([[1.0, 0.5], [0.0, 1.0]]), np.array([[1.0, 0.0], [0.5, 2.0]])
    given: dict[str, object] = {
        "features": ("salience", "red"),
        "keys": keys,
        "queries": queries,
        "positions": np.zeros((2, 2)),
        "scores": queries @ keys.T,
        "attention": AttentionRecord(
            site="test",
            kind="scored",
            weights=np.full((1, 2, 2), 0.5, np.float32),
            query_labels=("without", "with"),
            key_labels=("cup", "pen"),
            query_role="read",
            provenance=HERE,
        ),
        "gaze": np.zeros((2, 2)),
        "temperature": 1.0,
    }
    return SceneRecord(**(given | changed))  # type: ignore[arg-type]


def test_a_scene_takes_its_scores_apart() -> None:
    record = scene()
    assert record.parts.tolist() == [[[1.0, 0.0], [0.0, 0.0]], [[0.5, 1.0], [0.0, 2.0]]]
    assert record.objects == ("cup", "pen")


@pytest.mark.parametrize("wrong", [{"scores": np.ones((2, 2))}, {"positions": np.zeros((3, 2))}])
def test_a_scene_that_does_not_fit_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"sum of its parts|do not fit"):
        scene(**wrong)
