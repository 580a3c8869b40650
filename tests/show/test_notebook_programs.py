"""The example notebook in the programs that people have: JupyterLab, nbconvert's HTML, marimo's export.

nbconvert is among what tests install. JupyterLab and marimo bring too much for every run: they are taken from the
Python that `NOTEBOOK_PYTHON` names, which needs NumPy, Plotly and anywidget besides, and a test whose package is not
there is skipped.
"""

import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.conftest import ROOT
from tests.support.browser import free_port, listen

PYTHON = os.environ.get("NOTEBOOK_PYTHON", sys.executable)
DRAWN = "() => document.querySelector('.live')?.shadowRoot?.querySelector('svg, canvas, button')"
BOOK, PICTURES = "own_numbers.ipynb", 7
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "JUPYTER_PLATFORM_DIRS": "1"}


def run(*command: str, cwd: Path) -> None:
    done = subprocess.run(
        [PYTHON, *command], cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder with the notebook, where the packages are that a test names by `needs`."""
    for package in request.node.get_closest_marker("parametrize").args[1][0]:
        found = subprocess.run([PYTHON, "-c", f"import {package}"], env=ENVIRONMENT, capture_output=True, check=False)
        if found.returncode:
            pytest.skip(f"no {package}: pip install it, or name a Python that has it in NOTEBOOK_PYTHON")
    shutil.copy(ROOT / "examples" / BOOK, tmp_path)
    return tmp_path


@pytest.fixture
def page(usual: BrowserContext) -> Iterator[Page]:
    opened = usual.new_page()
    listen(opened)
    yield opened
    opened.close()


@pytest.mark.parametrize("needs", [("nbconvert", "ipykernel")])
def test_a_page_of_nbconvert_holds_every_picture_alive(folder: Path, page: Page, needs: tuple[str, ...]) -> None:
    without_widgets = "--ExecutePreprocessor.store_widget_state=False"
    run("-m", "nbconvert", "--to", "html", "--execute", without_widgets, BOOK, cwd=folder)
    page.goto((folder / BOOK).with_suffix(".html").as_uri())
    expect(page.locator("iframe")).to_have_count(PICTURES)
    for frame in page.frames[1:]:
        frame.wait_for_function(DRAWN)
    high = [each.evaluate("each => each.offsetHeight") for each in page.locator("iframe").all()]
    assert all(100 < each < 1000 for each in high), "as high as what stands in it"


@pytest.mark.parametrize("needs", [("marimo",)])
def test_marimo_exports_every_picture(folder: Path, needs: tuple[str, ...]) -> None:
    run("-m", "marimo", "convert", BOOK, "-o", "own.py", cwd=folder)
    run("-m", "marimo", "export", "html", "own.py", "-o", "own.html", cwd=folder)
    exported = (folder / "own.html").read_text("utf8")
    assert len(re.findall(r"\\u003Cmarimo-anywidget", exported)) == PICTURES
    assert (folder / "heads.html").is_file(), "the last cell has run"


@pytest.mark.parametrize("needs", [("jupyterlab", "ipykernel")])
def test_jupyterlab_draws_every_picture_and_a_cell_below_reads_what_is_chosen(
    folder: Path, page: Page, needs: tuple[str, ...]
) -> None:
    port = free_port()
    options = [f"--port={port}", "--no-browser", "--allow-root", "--IdentityProvider.token="]
    options += ["--LabApp.expose_app_in_browser=True", "--LabApp.extension_manager=readonly"]
    lab = subprocess.Popen(
        [PYTHON, "-m", "jupyterlab", *options],
        cwd=folder,
        env=ENVIRONMENT | {"JUPYTER_CONFIG_DIR": str(folder / "config"), "HOME": str(folder)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        address = f"http://127.0.0.1:{port}"
        until_it_answers(f"{address}/api")
        page.goto(f"{address}/lab/tree/{BOOK}")
        page.wait_for_function("() => window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel")
        run_all = "() => window.jupyterapp.commands.execute('notebook:run-all-cells')"
        page.evaluate(run_all)
        expect(page.locator(".jp-OutputArea .live")).to_have_count(PICTURES, timeout=90_000)
        heads = page.locator(".jp-OutputArea .live").first
        heads.locator(".stepper").first.get_by_text("›").click()
        expect(heads.locator(".stepper b").first).to_have_text("1")
        page.evaluate(
            "() => { const {commands, shell} = window.jupyterapp; const {content} = shell.currentWidget;"
            " content.activeCellIndex = content.widgets.length - 1;"
            " content.activeCell.model.sharedModel.setSource('print(\"chosen\", heads.head)');"
            " return commands.execute('notebook:run-cell'); }"
        )
        expect(page.get_by_text("chosen (1, 0)")).to_be_visible()
    finally:
        lab.terminate()
        lab.wait(20)


def until_it_answers(address: str) -> None:
    for _ in range(300):
        try:
            urllib.request.urlopen(address).close()
            return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError("JupyterLab did not start")
