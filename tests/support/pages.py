"""Runs pages as users get them: the home page first, then a switch."""

import contextlib
import html
import inspect
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest, local_script_runner

from explorer.checkpoints import hub, store
from explorer.inference.translator.request import CHECKPOINT
from explorer.lessons.architectures.compute import AT_ONCE
from explorer.lessons.efficient_attention import measured
from explorer.service.background_jobs import short_jobs
from explorer.service.kept import list_kept
from explorer.ui import job_progress
from explorer.ui.messages.plain import JOINER
from tests.checkpoints.conftest import tiny_model, tiny_tokenizer, write
from tests.conftest import ROOT

OpenPage = Callable[..., AppTest]


@pytest.fixture(scope="session", autouse=True)
def _packages_scanned_once() -> Iterator[None]:
    """Every new `AppTest` looks for components in whatever is installed: two thirds of the time to open a page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        patch.setattr(local_script_runner, "require_widgets_deltas", _wait)
        yield


def _wait(runner: local_script_runner.LocalScriptRunner, timeout: float) -> None:
    """Wait for a script to end; Streamlit asks a thousand times a second, which takes the script's time."""
    runner._script_thread.join(timeout)
    if not runner.script_stopped():
        runner.request_stop()
        raise RuntimeError(f"the page took longer than {timeout} s")


@pytest.fixture
def open_page(request: pytest.FixtureRequest) -> Iterator[OpenPage]:
    """`open_page("pages/…", lang="zh", kr_width="2.5")` runs a page with these URL parameters.

    What a test has computed the next one finds, but where something is replaced: there all is computed afresh.
    """
    afresh = "monkeypatch" in request.fixturenames
    if afresh:
        _forget()

    def run(file: str, **parameters: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
        for name, value in parameters.items():
            app.query_params[name] = value
        if file != "app.py":
            app.switch_page(file)
        return app.run()

    with contextlib.chdir(ROOT), pytest.MonkeyPatch.context() as patch:
        for patience in ("ALONE_S", "IN_LINE_S"):  # nobody looks again here
            patch.setattr(job_progress, patience, 60.0)
        patch.setattr(measured, "AT_ONCE", 512)  # how long is measured, the lessons' tests hold
        for axis, size in {"n": 256, "d": 128}.items():
            patch.setitem(AT_ONCE, axis, size)
        yield run
    if afresh:
        _forget()


def _forget() -> None:
    """Forget what pages have computed."""
    list_kept().forget()
    short_jobs.cache_clear()


@pytest.fixture
def bundled_tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tiny random translator stands in for the shipped one, where the weights do not matter."""
    folder = tmp_path / "bundled" / CHECKPOINT
    folder.parent.mkdir()
    write(folder, tiny_model(tiny_tokenizer().vocab_size))
    for module in (store, hub):
        monkeypatch.setattr(module, "BUNDLED", folder.parent)
    return folder


def chosen(app: AppTest, key: str, value: str) -> AppTest:
    """Set a field of the link, as a control or a picture does."""
    app.session_state[key] = value
    return app.run()


def said(app: AppTest) -> str:
    """Everything the page says in Markdown and under its figures, for searching."""
    kinds = (app.markdown, app.caption, app.error, app.info, app.warning)
    lines = [element.value for kind in kinds for element in kind]
    return "\n".join([*lines, *(html.unescape(each.proto.body) for each in app.get("html"))])


def plain(app: AppTest) -> str:
    """The same, without the escapes of Markdown."""
    return said(app).replace("\\", "").replace(JOINER, "")


def question(app: AppTest) -> str:
    """Of the scene that is open."""
    assert not app.exception, [each.value for each in app.exception]
    return next(each.proto.body for each in app.get("html") if 'class="question"' in each.proto.body)


def live(app: AppTest, key: str) -> bytes:
    """What Python sent to the live picture of this key; fails if there is none."""
    (found,) = (each for each in app.get("bidi_component") if getattr(each, "key", None) == key)
    sent: bytes = found.proto.SerializeToString()
    return sent


def shows_the_lines_of(app: AppTest, *functions: Callable[..., Any]) -> bool:
    """Open the fold of functions' lines, named after the first of them: whether they are their sources."""
    first = functions[0]
    app.session_state[f"code_{first.__module__}_{first.__qualname__}".replace(".", "_")] = True
    app.run()
    return [inspect.getsource(each).rstrip() for each in functions] == [block.value for block in app.code]
