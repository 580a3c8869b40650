"""A reader's own picture: what is made of it is kept for their session alone."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from streamlit.runtime.caching import cache_resource_api

from explorer.lessons.vision import pictures
from explorer.lessons.vision.state import Frame, Params
from explorer.lessons.vision.ui.picture import Own
from explorer.scenes.vision import HEADS, LESSON
from explorer.ui import cache
from tests.support.pages import OpenPage

VIEWS = [
    *({"scene": scene.name} for scene in LESSON.scenes),
    *({"scene": "hide", "vi_worth": each, "vi_hidden": "3"} for each in ("patches", "heads")),
    {"scene": "whole", "vi_more": "distance"},
]


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: "-".join(view.values()))
def test_nothing_made_of_it_is_kept_for_everybody(
    view: dict[str, str], open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    results, everybodys, own = (_keys(monkeypatch, name) for name in ("_results", "_for_everybody", "_for_session"))
    mine = Own(name="mine", digest="0f" * 32, pixels=np.random.default_rng(7).integers(0, 256, (64, 64, 3), np.uint8))
    app = open_page("pages/13_vision.py", **view)
    for key, value in {"vi_own": mine, "vi_picture": "own", "vi_zoom": 1.0, "vi_across": 50, "vi_down": 50}.items():
        app.session_state[key] = value
    app.run()
    assert not app.exception
    pixels = repr(Params(pixels=pictures.framed(mine.pixels, mine.name, Frame()).seen.tobytes()).pixels)
    assert any(pixels in key for key in own)
    has_figure = view.get("scene") != HEADS.name  # its tiles are drawn in the browser
    assert any(mine.digest in key for key in own) == has_figure
    assert not any(pixels in key or mine.digest in key for key in (*results, *everybodys))


def _keys(monkeypatch: pytest.MonkeyPatch, name: str) -> list[str]:
    """What a cache is asked for, from now on."""
    found: list[str] = []
    kept: Callable[..., Any] = getattr(cache, name)

    def noted(key: str, make: Callable[[], Any]) -> Any:
        found.append(key)
        return kept(key, make)

    monkeypatch.setattr(cache, name, noted)
    return found


def test_what_a_session_keeps_no_other_session_gets(monkeypatch: pytest.MonkeyPatch) -> None:
    mine, everybodys = [], []
    for session in ("one", "one", "two"):
        monkeypatch.setattr(cache_resource_api, "get_session_id_or_throw", partial(str, session))
        mine.append(cache.once(object, "test of sessions", own=True))
        everybodys.append(cache.once(object, "test of sessions"))
    assert mine[0] is mine[1] is not mine[2]
    assert everybodys[0] is everybodys[1] is everybodys[2]
