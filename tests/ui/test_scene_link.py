"""The address that a page shows to others."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from explorer import scenes
from explorer.ui.scene import link, present

#: Address that the page was opened by, what the server hears, what its owner says, and the address that others see.
REACHED = [
    ("http://localhost:8501/vision?scene=look", {}, "", "http://10.0.0.7:8501/vision"),
    ("http://127.0.0.1:8501/vision", {"server.address": "0.0.0.0"}, "", "http://10.0.0.7:8501/vision"),
    ("http://localhost/vision", {}, "", "http://10.0.0.7/vision"),
    ("http://[::1]:8501/vision", {}, "", "http://10.0.0.7:8501/vision"),
    ("https://some-one.hf.space/vision?scene=look#top", {}, "container", "https://some-one.hf.space/vision"),
    ("http://192.168.1.5:9000/", {}, "SSH_CONNECTION", "http://192.168.1.5:9000/"),
    ("http://localhost:9000/vision", {"browser.serverAddress": "desk"}, "container", "http://desk:8501/vision"),
    (
        "http://localhost:9000/a/vision",
        {"browser.serverAddress": "desk", "browser.serverPort": 80},
        "KUBERNETES_SERVICE_HOST",
        "http://desk:80/a/vision",
    ),
    ("http://localhost:8501/", {"browser.serverAddress": "localhost"}, "", "http://localhost:8501/"),
    (None, {}, "", ""),
]
ALONE = [
    ("http://localhost:8501/vision?scene=look", {"server.address": "localhost"}, "", "http://localhost:8501/vision"),
    ("http://localhost:9000/vision", {}, "", "http://localhost:9000/vision"),
    ("http://localhost:8501/vision", {}, "container", "http://localhost:8501/vision"),
    *(("http://localhost:8501/", {}, each, "http://localhost:8501/") for each in link._REMOTE),
    ("http://localhost:8501/", {}, "no network", "http://127.0.0.1:8501/"),
]


@pytest.mark.parametrize(
    ("opened", "told", "runs", "shown", "others"),
    [(*each, True) for each in REACHED] + [(*each, False) for each in ALONE],
)
def test_others_are_sent_here_and_not_to_their_own_machine(
    opened: str | None,
    told: dict[str, str | int],
    runs: str,
    shown: str,
    others: bool,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    options = {"server.port": 8501, "browser.serverPort": 8501, "browser.serverAddress": "localhost", **told}
    monkeypatch.setattr(link, "st", SimpleNamespace(context=SimpleNamespace(url=opened), get_option=options.get))
    monkeypatch.setattr(link.settings, "is_set", told.__contains__)
    monkeypatch.setattr(link.settings, "network_address", lambda: "127.0.0.1" if runs == "no network" else "10.0.0.7")
    monkeypatch.setattr(link, "_CONTAINERS", (str(tmp_path if runs == "container" else tmp_path / "none"),))
    for name in link._REMOTE:
        monkeypatch.delenv(name, raising=False)
    if runs in link._REMOTE:
        monkeypatch.setenv(runs, "1")
    assert link.base() == shown
    assert link.reaches_others() == others


def test_students_get_the_state_but_not_the_presentation(monkeypatch: pytest.MonkeyPatch) -> None:
    query = {"scene": "look", "vi_head": "1", "present": "1", "way": "short"}
    monkeypatch.setattr(link, "st", SimpleNamespace(query_params=SimpleNamespace(to_dict=lambda: query)))
    monkeypatch.setattr(link, "base", lambda: "http://x/vision")
    assert link.whole() == "http://x/vision?scene=look&vi_head=1&way=short"
    monkeypatch.setattr(link, "st", SimpleNamespace(query_params=query))
    assert link.kept_parts() == {"present": "1", "way": "short"}


@pytest.mark.parametrize("others", [True, False])
def test_a_code_that_would_lead_nobody_here_is_not_drawn(others: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    for name, value in {"base": "http://x/vision", "whole": "http://x/vision", "reaches_others": others}.items():
        monkeypatch.setattr(link, name, lambda value=value: value)
    monkeypatch.setattr(present.st, "html", drawn.append)
    present.code(scenes.lesson("vision").core[0])
    assert ("<img" in drawn[0]) == others
    assert (link.alone() in drawn[0]) == (not others)
    assert "x/vision" in drawn[0]
