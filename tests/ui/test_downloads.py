"""Files to take away, also while what they hold changes."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest


def script(is_moving: bool, large: bool) -> None:
    from explorer.ui import downloads

    with downloads.while_updating(is_moving):
        downloads.file("CSV", lambda: b"1,2", "a.csv", "text/csv", key="a", said="Numbers", large=large)
    downloads.file("TXT", lambda: b"1", "a.txt", "text/plain", key="b")


def buttons(is_moving: bool, large: bool) -> list[Any]:
    app = AppTest.from_function(script, kwargs={"is_moving": is_moving, "large": large}).run()
    assert not app.exception
    return [each.proto for each in app.get("download_button")]


@pytest.mark.parametrize("large", [False, True])
def test_a_file_is_made_when_it_is_asked_for(large: bool) -> None:
    for button in buttons(is_moving=False, large=large):
        assert button.HasField("deferred_file_id")
        assert not button.disabled


def test_what_is_drawn_again_every_moment_has_its_file_ready() -> None:
    moving, at_rest = buttons(is_moving=True, large=False)
    assert not moving.HasField("deferred_file_id")
    assert moving.url
    assert not moving.disabled
    assert at_rest.HasField("deferred_file_id"), "only what is drawn inside moves"


def test_a_large_file_waits_until_nothing_moves_and_says_so() -> None:
    waiting, _ = buttons(is_moving=True, large=True)
    assert waiting.disabled
    assert "paused" in waiting.help


def test_a_picture_s_file_carries_lesson_and_scene() -> None:
    def named() -> None:
        import streamlit as st

        from explorer.ui import downloads

        alone = downloads.stem("md_map")
        downloads.name_after("masked_softmax-draw")
        st.text(f"{alone} {downloads.stem('md_map')} {downloads.stem('md_draw')}")

    app = AppTest.from_function(named).run()
    assert app.text[0].value == "md_map masked_softmax-draw-map masked_softmax-draw"
