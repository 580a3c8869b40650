"""The first picture of a lesson on the site beside the same in the app, each on a browser that has seen neither.

Both come from a server of this machine; that of the app is warm. Visits take turns, and each is another browser's.
"""

import statistics
import subprocess
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from explorer import scenes
from explorer.site.__main__ import main
from tests.benchmarks.test_scene_speed import DRAWN, VISITS, browser as browser, first_picture
from tests.support.browser import free_port, start_server

STEMS = ("kernel_regression", "queries_keys_values")
#: Of the app's time.
MOST = 0.5
#: Says whether the first scene of a page of the site is drawn.
DRAWN_THERE = "() => document.querySelector('section.scene .stage')?.dataset.drawn === '0'"


@pytest.fixture(scope="module")
def addresses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Servers of the app, and of a site."""
    out, port = tmp_path_factory.mktemp("site") / "site", free_port()
    assert main([str(out), "--lessons", *STEMS, "--lang", "en", "--anew"]) == 0
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", str(out)]
    site = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    app, address = start_server()
    yield {"app": address, "site": f"http://127.0.0.1:{port}/en"}
    for server in (app, site):
        server.terminate()
        server.wait(20)


@pytest.mark.benchmark_run
@pytest.mark.parametrize("stem", STEMS)
def test_the_first_picture_is_there_in_half_the_apps_time(
    addresses: dict[str, str], browser: Browser, stem: str
) -> None:
    name = scenes.lesson(stem).scenes[0].name
    asked = {"app": (f"{addresses['app']}/{stem}?scene={name}", DRAWN)}
    asked["site"] = (f"{addresses['site']}/{stem}.html", DRAWN_THERE)
    took: dict[str, list[float]] = {where: [] for where in asked}
    for _ in range(VISITS):
        for where, (address, drawn) in asked.items():
            took[where].append(first_picture(browser, address, drawn))
    app, site = (statistics.median(took[where]) for where in ("app", "site"))
    sys.stdout.write(f"\n{stem}: app {app:.2f} s, site {site:.2f} s, {site / app:.2f} of it\n")
    assert site < MOST * app
