"""The page as a reader gets it, beyond what holds for every scene."""

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from explorer.inference.benchmark import timing
from explorer.inference.benchmark.timing import measure
from explorer.lessons.architectures.ui import measured
from explorer.ui import job_progress
from tests.support.pages import OpenPage, chosen, plain, said

PAGE = "pages/08_architectures.py"


@pytest.fixture(autouse=True)
def _fresh_office() -> Iterator[None]:
    job_progress.background_jobs.cache_clear()
    yield
    job_progress.background_jobs.cache_clear()


def test_an_old_link_brings_scene_and_state_back(open_page: OpenPage) -> None:
    text = plain(open_page(PAGE, ar_from="15", ar_to="3", ar_step="4"))
    assert "recurrence: no way back" in text
    text = plain(open_page(PAGE, scene="costs", ar_n="1024", ar_d="128", ar_kernel="7", ar_heads="8"))
    assert f"{4 * 1024 * 128**2 + 2 * 1024**2 * 128:,}" in text


@pytest.mark.parametrize("scene", ["paths", "costs", "measured"])
@pytest.mark.parametrize("nonsense", ["", "💥", "-1e999", "<b>n</b>", "17.5"])
def test_nonsense_in_the_link_falls_back(open_page: OpenPage, scene: str, nonsense: str) -> None:
    keys = ("n", "d", "kernel", "heads", "axis", "from", "to", "step", "counted")
    app = open_page(PAGE, scene=scene, **{f"ar_{key}": nonsense for key in keys})
    assert not app.exception
    assert app.get("plotly_chart" if scene == "measured" else "bidi_component")


def test_a_link_opens_the_step_that_it_names(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="paths", ar_step="15")
    assert "recurrence: under way" in plain(app)
    chosen(app, "ar_step", "16")
    assert "recurrence: arrived after" in plain(app)


def test_measuring_fills_the_exponents(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "SAMPLE_SECONDS", 0.0)
    app = open_page(PAGE, scene="measured", ar_axis="d", ar_n="16")
    assert "each timed up to 9 times" in plain(app)
    app.button(key="ar_measure_d_start").click().run()
    for _ in range(200):
        if not [each for each in app.button if each.key == "ar_measure_d_stop"]:
            break
        time.sleep(0.1)
        app.run()
    assert not app.exception
    assert "counted, same sizes" in plain(app)
    again = open_page(PAGE, scene="measured", ar_axis="d", ar_n="16", ar_d="256")  # another session: the same sweep
    assert not [each for each in again.button if each.key.startswith("ar_measure")]


def test_measuring_can_be_stopped(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    real = measure

    def slow(sweep):
        for step in real(replace(sweep, rounds=2)):
            time.sleep(0.05)
            yield step

    slow.__module__, slow.__qualname__ = real.__module__, real.__qualname__
    monkeypatch.setattr(measured, "measure", slow)
    app = open_page(PAGE, scene="measured", ar_d="16")
    app.button(key="ar_measure_n_start").click().run()
    app.button(key="ar_measure_n_stop").click().run()
    for _ in range(100):
        app.run()
        if "Stopped" in said(app) and any(each.key == "ar_measure_n_start" for each in app.button):
            break
        time.sleep(0.05)
    assert not app.exception
    assert "Stopped: what was computed until then is shown." in said(app)
    assert app.button(key="ar_measure_n_start")


@pytest.mark.parametrize("scene", ["measured", "mislead"])
def test_a_device_that_is_not_there_is_said(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, scene: str) -> None:
    monkeypatch.setenv("EXPLORER_DEVICE", "cuda:99")
    app = open_page(PAGE, scene=scene)
    assert not app.exception
    assert "is not there" in app.error[0].value
    assert not [each for each in app.button if str(each.key).startswith("ar_measure")]


def test_chinese_says_the_same(open_page: OpenPage) -> None:
    text = plain(open_page(PAGE, lang="zh", scene="paths", ar_from="15", ar_to="2", ar_step="16"))
    assert "循环层：无法往回走" in text
    assert "共 27 个测量点" in plain(open_page(PAGE, lang="zh", scene="measured"))
