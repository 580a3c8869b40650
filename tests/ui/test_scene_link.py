"""The address that a page shows to others."""

from types import SimpleNamespace

import pytest

from explorer.ui.scene import link


@pytest.mark.parametrize(
    ("opened", "bound", "shown"),
    [
        ("http://localhost:8501/vision?scene=look", None, "http://10.0.0.7:8501/vision"),
        ("http://127.0.0.1:8501/vision", "0.0.0.0", "http://10.0.0.7:8501/vision"),
        ("http://localhost/vision", None, "http://10.0.0.7/vision"),
        ("http://[::1]:8501/vision", None, "http://10.0.0.7:8501/vision"),
        ("http://localhost:8501/vision?scene=look", "localhost", "http://localhost:8501/vision"),
        ("https://some-one.hf.space/vision?scene=look#top", "0.0.0.0", "https://some-one.hf.space/vision"),
        ("http://192.168.1.5:8501/", None, "http://192.168.1.5:8501/"),
        (None, None, ""),
    ],
)
def test_students_are_sent_to_the_teachers_machine_and_not_to_their_own(
    opened: str | None, bound: str | None, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = SimpleNamespace(context=SimpleNamespace(url=opened), get_option={"server.address": bound}.get)
    monkeypatch.setattr(link, "st", asked)
    monkeypatch.setattr(link.net_util, "get_internal_ip", lambda: "10.0.0.7")
    assert link.base() == shown


def test_students_get_the_state_but_not_the_presentation(monkeypatch: pytest.MonkeyPatch) -> None:
    query = {"scene": "look", "vi_head": "1", "present": "1", "way": "short"}
    monkeypatch.setattr(link, "st", SimpleNamespace(query_params=SimpleNamespace(to_dict=lambda: query)))
    monkeypatch.setattr(link, "base", lambda: "http://x/vision")
    assert link.whole() == "http://x/vision?scene=look&vi_head=1&way=short"
    monkeypatch.setattr(link, "st", SimpleNamespace(query_params=query))
    assert link.kept() == {"present": "1", "way": "short"}
