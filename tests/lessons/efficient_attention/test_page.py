"""The page as a reader gets it, beyond what holds for every scene."""

import re
import time

import pytest

from explorer.attention.efficient.variants import Variant
from explorer.lessons import efficient_attention as lesson
from explorer.lessons.efficient_attention import length_sweep, readings, replacement, state, task
from explorer.records.wording import typeset
from explorer.ui import job_progress
from tests.support.pages import OpenPage, live, plain

PAGE = "pages/14_efficient_attention.py"


def text_of(app) -> str:
    return plain(app).replace("<b>", "").replace("</b>", "")


def finished(app, key: str) -> None:
    """Run until long work has ended."""
    for _ in range(200):
        if not [each for each in app.button if each.key == f"{key}_stop"]:
            break
        time.sleep(0.1)
        app.run()
    assert not app.exception


@pytest.mark.parametrize("name", state.MECHANISMS)
def test_every_mechanism_shows_itself(open_page: OpenPage, name: str) -> None:
    app = open_page(PAGE, scene="beside", ea_name=name)
    assert not app.exception
    assert typeset(readings.describe_weights(lesson.compute(lesson.Params(name=name)).record)) in text_of(app)


@pytest.mark.parametrize(
    ("shown", "title"),
    [
        ("weights", "Weights: exact, and grouped queries"),
        ("difference", "What changes against exact attention"),
        ("errors", "Error, query by query"),
        ("costs", "All of them on the same queries, keys and values"),
    ],
)
def test_an_old_link_brings_scene_and_state_back(open_page: OpenPage, shown: str, title: str) -> None:
    app = open_page(PAGE, ea_source="encoder", ea_text="The cat sat.", ea_name="grouped", ea_groups="4", ea_shown=shown)
    assert not app.exception
    assert title in text_of(app)
    assert app.session_state["ea_groups"] == "4"


@pytest.mark.parametrize(("step", "first"), [("3", "17 "), ("99999", "17 "), ("-1", "17 "), ("abc", "17 ")])
def test_flash_shows_a_tile_that_exists_and_offers_its_rows(open_page: OpenPage, step: str, first: str) -> None:
    app = open_page(PAGE, scene="flash", ea_step=step, ea_rows="16", ea_columns="8", ea_rows_drawn="all")
    assert "of 1,024 scores exist" in text_of(app)
    rows = app.selectbox(key="ea_row_shown").options
    assert len(rows) == 16
    assert rows[0].startswith(first)


@pytest.mark.parametrize("scene", ["leave_out", "flash", "measured", "trained", "beside"])
@pytest.mark.parametrize("nonsense", ["", "💥", "-1e999", "<b>n</b>", "17.5"])
def test_nonsense_in_the_link_falls_back(open_page: OpenPage, scene: str, nonsense: str) -> None:
    keys = ("source", "layer", "head", "name", "width", "shown", "rows", "columns", "step", "row", "n", "length")
    app = open_page(PAGE, scene=scene, **{f"ea_{key}": nonsense for key in keys})
    assert not app.exception
    assert live(app, "ea_one_row_live") if scene == "flash" else app.get("plotly_chart")


@pytest.mark.parametrize("scene", ["leave_out", "flash"])
@pytest.mark.parametrize("source", ["gpt", "encoder"])
@pytest.mark.parametrize("text", ["", "\u200b", "x", "<script>alert(1)</script>", "مرحبا", "💥" * 60, "$x$ `y`"])
def test_any_text_is_read_or_refused_with_a_word(open_page: OpenPage, scene: str, source: str, text: str) -> None:
    app = open_page(PAGE, scene=scene, ea_source=source, ea_text=text)
    assert not app.exception
    assert app.info or (live(app, "ea_one_row_live") if scene == "flash" else app.get("plotly_chart"))
    assert "<script>" not in str([chart.proto.spec for chart in app.get("plotly_chart")])


def test_random_numbers_need_no_text(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="leave_out", ea_source="random", ea_seed="7")
    assert not app.exception
    assert not [each for each in app.text_input if each.key == "ea_text"]


def test_chinese_says_the_same(open_page: OpenPage) -> None:
    app = open_page(PAGE, lang="zh", scene="leave_out", ea_name="longformer")
    assert "高效注意力" in app.title[0].value
    assert re.search("只算 \\d+% 的格子，这个头丢失", text_of(app))


def test_measuring_fills_the_charts_and_the_exponents(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    small = length_sweep.LengthSweep(backends=("math", "flash"), values=(128, 256, 512), rounds=2)
    monkeypatch.setattr(length_sweep, "sweep", lambda: small)
    job_progress.background_jobs.cache_clear()
    app = open_page(PAGE, scene="measured")
    assert "8 ways at 3 lengths" in text_of(app)
    app.button(key="ea_measure_start").click().run()
    finished(app, "ea_measure")
    assert "memory full at n" in text_of(app)
    again = open_page(PAGE, ea_allowed="16384", ea_shown_beside="memory")  # another session: it is there already
    assert "16 GiB" in text_of(again)
    job_progress.background_jobs.cache_clear()


def test_a_device_that_is_not_there_is_said(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPLORER_DEVICE", "cuda:99")
    app = open_page(PAGE, scene="measured")
    assert not app.exception
    assert "is not there" in app.error[0].value


def test_the_cost_of_a_task_is_there_and_can_be_computed_again(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(task, "AGAIN", (Variant(name="window", width=4),))
    job_progress.background_jobs.cache_clear()
    app = open_page(PAGE, ea_windows="2")
    assert task.describe_task(task.read_evaluation()[0]) in text_of(app)
    app.button(key="ea_again_start").click().run()
    finished(app, "ea_again")
    assert "Computed here, on a sample" in text_of(app)
    assert task.describe_longer(task.read_evaluation()[1]) in text_of(open_page(PAGE, ea_length="512"))
    job_progress.background_jobs.cache_clear()


@pytest.mark.parametrize("scene", ["leave_out", "trained"])
def test_a_missing_evaluation_says_so(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, scene: str) -> None:
    monkeypatch.setattr(replacement, "FILE", "nothing.json")
    task.point.cache_clear()
    app = open_page(PAGE, scene=scene)
    assert not app.exception
    assert "checkpoints/positions-rotary is missing or damaged" in text_of(app)
    assert any("nothing.json of positions-rotary is missing" in each.value for each in app.text)
