"""A reader's own picture: what is made of it is kept for their session alone."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from explorer.lessons.vision import pictures
from explorer.lessons.vision.state import Frame, Params
from explorer.scenes.vision import HEADS, LESSON
from explorer.ui import cache
from explorer.ui.scene.own_picture import Own
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
    asked = _asked(monkeypatch)
    mine = Own(name="mine", digest="0f" * 32, pixels=np.random.default_rng(7).integers(0, 256, (64, 64, 3), np.uint8))
    app = open_page("pages/13_vision.py", **view)
    for key, value in {
        "vi_picture_own": mine,
        "vi_picture": "own",
        "vi_zoom": 1.0,
        "vi_across": 50,
        "vi_down": 50,
    }.items():
        app.session_state[key] = value
    app.run()
    assert not app.exception
    pixels = repr(Params(pixels=pictures.crop_square(mine.pixels, mine.name, Frame()).seen.tobytes()).pixels)
    own, everybodys = ([key for key, mine in asked if mine == owned] for owned in (True, False))
    assert any(pixels in key for key in own)
    has_figure = view.get("scene") != HEADS.name  # its tiles are drawn in the browser
    assert any(mine.digest in key for key in own) == has_figure
    assert not any(pixels in key or mine.digest in key for key in everybodys)


def _asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """Return what the cache is asked for from now on, and whether for the session alone."""
    found: list[tuple[str, bool]] = []
    kept = cache._kept

    def noted(kind: str, key: str, make: Callable[[], Any], own: bool) -> Any:
        found.append((key, own))
        return kept(kind, key, make, own)

    monkeypatch.setattr(cache, "_kept", noted)
    return found
