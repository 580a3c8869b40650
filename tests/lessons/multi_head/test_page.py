"""What is typed, linked and chosen in the scenes, and heads that are found by what they do."""

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from explorer.lessons import multi_head as lesson
from explorer.lessons.multi_head import ablation, finding, state
from explorer.lessons.multi_head.ui import one_head, tables, what_heads_do
from explorer.records.heads import PARTS, head_names
from explorer.scenes.multi_head import EXAMPLE, LESSON
from explorer.ui import job_progress
from tests.lessons.translator.test_page import HOSTILE
from tests.pages.test_every_page import healthy
from tests.support.pages import OpenPage, said

PAGE = "pages/06_multi_head.py"


@pytest.fixture
def tiny(bundled_tiny: Path) -> Iterator[Path]:
    """A tiny translator, and nothing that was kept of another."""
    job_progress.background_jobs.cache_clear()
    yield bundled_tiny
    job_progress.background_jobs.cache_clear()


@pytest.fixture(scope="module")
def result() -> lesson.Result:
    """What the scenes begin with, through the shipped translator."""
    return lesson.compute(lesson.Params(text=EXAMPLE))


def opened(open_page: OpenPage, **parameters: str) -> AppTest:
    app = open_page(PAGE, **parameters)
    assert healthy(app)
    return app


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_anything_typed_gets_its_heads_or_a_message(open_page: OpenPage, tiny: Path, text: str) -> None:
    assert not opened(open_page, mh_text=text).error


@pytest.mark.parametrize("text", ["   ", "\u200b\u200d"])
def test_nothing_typed_asks_for_a_sentence(open_page: OpenPage, tiny: Path, text: str) -> None:
    app = opened(open_page, mh_text=text)
    asked = [each.value.replace("\\", "") for each in app.info]
    assert asked == ["There is nothing to translate yet: type a sentence. Until then the first example stands."]


def test_what_must_be_copied_comes_through(open_page: OpenPage) -> None:
    app = opened(open_page, scene="one_head", mh_text="Open {name} ❤️")
    assert '→ <span lang="fr">Ouvrir {name} ❤️</span>' in said(app)
    assert "“{name}” is read as “Tom”, and put back; “❤️” is not read, and copied" in said(app)


@pytest.mark.parametrize("value", ["", "-1", "99999999999999999999", "1.5", "²", "<script>", "C0.0", "x" * 3000])
def test_nonsense_in_the_link_falls_back(open_page: OpenPage, tiny: Path, value: str) -> None:
    for scene in LESSON.scenes:
        keys = [key for key, usual in scene.defaults.items() if isinstance(usual, str)]
        assert not opened(open_page, scene=scene.name, **dict.fromkeys(keys, value)).error


@pytest.mark.parametrize(
    ("text", "heads"),
    [("–", 0), ("E0.1", 1), ("c1.0, E0.1 E0.1;D1.1", 3), ("E9.9 C0.99 <b>E</b> ²", 0), ("E0.1 " * 900, 1), ("most", 1)],
)
def test_the_notation_of_heads_is_read_safely(open_page: OpenPage, tiny: Path, text: str, heads: int) -> None:
    app = opened(open_page, scene="switch_off", mh_off=text)
    assert len(app.multiselect(key="mh_off_shown").value) == heads


@pytest.mark.parametrize(
    ("key", "value", "scene"),
    [("mh_look", "all", "one_head"), ("mh_off", "E0.1", "switch_off"), ("mh_width", "64", "untrained"),
     ("mh_sort", "entropy", "what_heads_do"), ("mh_summary", "flow", "one_map")],
)  # fmt: skip
def test_an_old_link_opens_the_scene_of_its_controls(
    open_page: OpenPage, tiny: Path, key: str, value: str, scene: str
) -> None:
    assert LESSON.scene(scene).question in said(opened(open_page, **{key: value}))


def test_an_old_link_shows_the_head_that_it_names(open_page: OpenPage, tiny: Path) -> None:
    app = opened(open_page, mh_site="cross", mh_layer="1", mh_head="1")
    assert app.text_input(key="mh_find").value == "own"
    assert "layer 1 · head 1" in said(app)


@pytest.mark.parametrize(
    ("look", "shown"),
    [("lines", (3,)), ("all", tuple(range(8))), ("0.2.5", (0, 2, 5)), ("9", (3,)), ("", (3,)), ("²", (3,)),
     ("1.99999999", (1,))],
)  # fmt: skip
def test_a_link_says_which_heads_are_shown(look: str, shown: tuple[int, ...]) -> None:
    assert one_head.shown_heads(look, 3, 8) == shown


def test_a_missing_checkpoint_says_what_to_do(open_page: OpenPage, tiny: Path) -> None:
    (tiny / "manifest.json").unlink()
    for text in ("A dog.", "   "):
        assert "missing or damaged" in opened(open_page, mh_text=text).error[0].value


@pytest.mark.parametrize("scene", [scene.name for scene in LESSON.scenes])
def test_every_site_and_summary_is_drawn(open_page: OpenPage, tiny: Path, scene: str) -> None:
    for site in PARTS:
        opened(open_page, scene=scene, mh_site=site, mh_of=site, mh_only=site, mh_merge="false", mh_hide="true")
    if scene == "one_map":
        for kind in state.AGGREGATES:
            opened(open_page, scene=scene, mh_summary=kind)


def test_heads_are_found_by_what_they_do(result: lesson.Result) -> None:
    for name, head in finding.label_heads(result).items():
        found = finding.find(result, name, lesson.View())
        assert found.name == head
        scores = [label.score for row in result.measures for label in row.labels if label.name == name]
        assert max(scores) in [label.score for label in state.measure_head(result, head).labels]
    even = finding.find(result, "even", lesson.View())
    best = state.measure_head(result, even.name).evenness
    free = [row.evenness for row in result.measures if row.head.part != "decoder"]
    assert best == max(each for each in free if not math.isnan(each))


def test_a_swap_is_two_words_that_look_in_the_other_order(result: lesson.Result) -> None:
    swap = finding.swaps(result)[0]
    view = lesson.View(site="cross", layer=swap.head.layer, head=swap.head.head, merge=True)
    record = state.one_head(result, view)
    rows, columns = (swap.first[0], swap.second[0]), (swap.first[1], swap.second[1])
    assert rows[1] == rows[0] + 1
    assert columns[1] == columns[0] - 1
    assert [int(record.weights[0, row].argmax()) for row in rows] == list(columns)
    words = [record.query_labels[row] for row in rows] + [record.key_labels[column] for column in columns]
    assert words == ["maison", "blanche", "house", "white"]


def test_most_and_least_are_the_ends_of_a_row(result: lesson.Result) -> None:
    for site in PARTS:
        for end, best in ((finding.MOST, max), (finding.LEAST, min)):
            view = finding.positions(result, lesson.View(site=site), finding.AUTO, end)
            record = state.one_head(result, view)
            row = record.weights[0, view.query]
            free = row if record.allowed is None else row[record.allowed[view.query]]
            assert row[view.key] == best(free)


def test_harmless_heads_cost_next_to_nothing_alone_and_the_needed_one_most(result: lesson.Result) -> None:
    record = ablation.sweep_all(ablation.SweepParams(params=result.params))
    cost = {record.head(*cell): float(record.change[cell]) for cell in np.ndindex(*record.change.shape)}
    harmless = finding.parse_removed(result, finding.HARMLESS, lambda: record)
    assert set(harmless) == {head for head, change in cost.items() if abs(change) < ablation.SMALL}
    assert finding.parse_removed(result, finding.NEEDED, lambda: record) == (min(cost, key=cost.__getitem__),)
    assert finding.parse_removed(result, "E0.3 C9.9 x", lambda: record) == head_names("E0.3")


def test_the_table_sorts_and_filters(result: lesson.Result) -> None:
    every = list(result.measures)
    assert what_heads_do.sorted_heads(every, "model") == every
    spread = [row.entropy for row in what_heads_do.sorted_heads(every, "entropy")]
    assert spread == sorted(spread)
    back = [row.previous for row in what_heads_do.sorted_heads(every, "previous")]
    known = [value for value in back if not math.isnan(value)]
    assert known == sorted(known, reverse=True)
    for label in what_heads_do.label_names(result):
        assert [row for row in every if what_heads_do.has(row, label)]
    assert tables.measures(every).shape == (len(every), 2 + 12)
    assert what_heads_do.rules(result).count("\n|") == 1 + len(tables.SIGNS)


@pytest.mark.parametrize(("merge", "hide"), [(False, False), (True, False), (False, True), (True, True)])
def test_a_click_finds_the_token_under_it(result: lesson.Result, merge: bool, hide: bool) -> None:
    view = lesson.View(site="cross", layer=1, merge=merge, hide=hide)
    record, (rows, columns) = state.viewed_attention(result, view), tables.token_places(result, view)
    assert (len(rows), len(columns)) == record.weights.shape[1:]
    asking, asked = result.trace.tokens("cross")
    for positions, tokens, drawn in ((rows, asking, record.query_labels), (columns, asked, record.key_labels)):
        begun = [tokens.labels[position].removeprefix("‑")[:2] for position in positions]
        assert all(label.removeprefix("‑").startswith(each) for label, each in zip(drawn, begun, strict=True))


def test_a_translation_is_marked_and_escaped() -> None:
    html = tables.mark_removed(("<b>", "x", ",", "a&b", "</s>"), (True, False, True, True, True))
    assert html == "&lt;b&gt; <mark>x</mark>, a&amp;b"
