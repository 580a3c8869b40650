"""`pip install .`: a wheel, built without a network, that holds every file, the app too, and works from any folder."""

import os
import subprocess
import sys
import tomllib
import urllib.request
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from explorer.checkpoints import manifest
from explorer.checkpoints.store import SHIPPED
from explorer.install import command, wheel
from tests.support.browser import free_port, wait_until_healthy

#: Refuses packages, then draws each picture.
DRAWS = """
import sys
class Refused:
    def find_spec(name, path=None, target=None):
        if name in {refused}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Refused)
sys.path.insert(0, {site!r})
import numpy as np
from explorer import show
weights, few = np.full((2, 3, 4, 4), 1 / 4), np.eye(3)
made = [show.heads(weights), show.text(weights, layer=0), show.ribbons(weights[0]), show.journey(few, few, few)]
made += [show.mask(few), show.regression([0, 1], [1, 2])]
show.heatmaps(few)
print(show.__file__, *(each.html(f"{{position}}.html") for position, each in enumerate(made)))
"""


def modules_beside(*packages: str) -> set[str]:
    """Modules of all that is installed here and that some packages do not need."""
    needed: set[str] = set()
    waiting = [canonicalize_name(each) for each in packages]
    while waiting:
        name = waiting.pop()
        if name in needed:
            continue
        needed.add(name)
        asked = map(Requirement, metadata.distribution(name).requires or ())
        waiting += [canonicalize_name(each.name) for each in asked if not each.marker or each.marker.evaluate()]
    owners = metadata.packages_distributions().items()
    return {module for module, whose in owners if not needed & {canonicalize_name(each) for each in whose}}


def run(*command: str, cwd: Path, **environment: str) -> str:
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def packed(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel, made where what setuptools leaves behind disturbs nobody."""
    source, made = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "README.md", "LICENSE", "app.py", "explorer", "pages", ".streamlit", "checkpoints"):
        (source / name).symlink_to(root / name)
    wanted = ("--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(made))
    run(sys.executable, "-m", "pip", "wheel", *wanted, ".", cwd=source)
    (found,) = made.glob("attention_explorer-*.whl")
    return found


@pytest.fixture(scope="module")
def site(packed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what pip installs of it."""
    target = tmp_path_factory.mktemp("site")
    wanted = ("--no-deps", "--no-index", "--no-compile", "--target", str(target))
    run(sys.executable, "-m", "pip", "install", "-q", *wanted, str(packed), cwd=target)
    return target


def test_every_file_is_in_the_wheel_and_nothing_compiled(packed: Path, root: Path) -> None:
    listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard", "explorer", cwd=root).splitlines()
    files = [name for name in listed if (root / name).is_file()]
    assert len(files) > 500
    held = zipfile.ZipFile(packed).namelist()
    assert set(files) <= set(held)
    assert not [name for name in held if name.endswith(".pyc")]
    assert {name.split("/")[0].split("-")[0] for name in held} == {"explorer", "attention_explorer"}


def test_the_app_and_the_small_checkpoints_are_in_it_and_of_the_others_what_can_be_fetched(
    packed: Path, root: Path
) -> None:
    held = {name.removeprefix("explorer/shipped/"): each.file_size for name, each in entries(packed)}
    pages = [f"pages/{path.name}" for path in (root / "pages").glob("*.py")]
    assert {"app.py", ".streamlit/config.toml", *pages} <= held.keys()
    assert sum(size for name, size in held.items() if name.startswith("checkpoints/")) < 60_000_000
    for name in (name for family in SHIPPED.values() for name in family):
        there = {each.split("/")[2] for each in held if each.startswith(f"checkpoints/{name}/")}
        here = {path.name for path in (root / "checkpoints" / name).iterdir()}
        out = {*manifest.FILES, manifest.MANIFEST}
        assert there == ((here - out) | {manifest.LEFT_OUT} if name in wheel.STAY else here), name
    assert (wheel.MANIFEST, wheel.LEFT_OUT) == (manifest.MANIFEST, manifest.LEFT_OUT)
    assert wheel.WEIGHTS == manifest.FILES


def entries(packed: Path) -> list[tuple[str, zipfile.ZipInfo]]:
    found = zipfile.ZipFile(packed).infolist()
    return [(each.filename, each) for each in found if each.filename.startswith("explorer/shipped/")]


def test_every_picture_is_drawn_by_what_a_notebook_installs_alone(site: Path, tmp_path: Path) -> None:
    refused = modules_beside("numpy", "plotly", "anywidget")
    assert {"torch", "streamlit", "babel", "pandas", "scipy"} <= refused
    code = DRAWS.format(refused=refused, site=str(site))
    file, *pages = run(sys.executable, "-I", "-c", code, cwd=tmp_path).split()
    assert Path(file).is_relative_to(site)
    assert pages == [f"{position}.html" for position in range(6)]
    assert "lessons/open_model/live/every_head.js" in (tmp_path / "0.html").read_text("utf8")


@pytest.mark.parametrize("word", ["", *command.MODULES])
def test_the_command_says_how_it_is_called(site: Path, tmp_path: Path, word: str) -> None:
    asked = [str(site / "bin" / "attention-explorer"), *([word] if word else []), "--help"]
    said = run(sys.executable, *asked, cwd=tmp_path, PYTHONPATH=str(site))
    assert said.startswith("usage:" if word else "`attention-explorer` starts the app")


def test_the_command_refuses_other_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["sight"]) == 2
    assert "'sight' is none of site, train" in capsys.readouterr().err


def test_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "streamlit.web", None)
    assert command.main([]) == 2
    assert "pip install 'attention-explorer[app]'" in capsys.readouterr().err


def test_what_was_left_out_says_so_and_how_large_it_is(site: Path, tmp_path: Path) -> None:
    fetch = [sys.executable, "-m", "explorer.checkpoints", "fetch"]
    said = run(*fetch, cwd=tmp_path, PYTHONPATH=str(site))
    assert [line.split()[2] for line in said.splitlines()[:-1]] == sorted(wheel.STAY)
    assert said.splitlines()[-1].startswith("Nothing was fetched: add --from")
    code = "from explorer.checkpoints import store; lost = store.find_unreadable('translator'); "
    code += "print(*store.list_bundled()); print(*lost.values())"
    there, lost = run(sys.executable, "-c", code, cwd=tmp_path, PYTHONPATH=str(site)).splitlines()
    assert "translator-en-fr" in there.split()
    assert not set(there.split()) & set(wheel.STAY)
    assert "`attention-explorer checkpoints fetch translator-de-en`" in lost


def test_the_app_starts_from_another_folder(site: Path, tmp_path: Path) -> None:
    port = free_port()
    options = ["--server.port", str(port), "--server.headless", "true", "--server.address", "127.0.0.1"]
    server = subprocess.Popen(
        [sys.executable, str(site / "bin" / "attention-explorer"), *options],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(site)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        address = wait_until_healthy(server, port)
        assert b"__streamlit" in urllib.request.urlopen(f"{address}/kernel_regression").read()
    finally:
        server.terminate()
        server.wait(20)
    code = "from streamlit.testing.v1 import AppTest; from explorer import project; "
    code += "app = AppTest.from_file(str(project.APP), default_timeout=120); app.run(); print(project.APP); "
    code += "print([each.value for each in app.exception]); app.switch_page('pages/02_kernel_regression.py').run(); "
    code += "print([each.value for each in [*app.exception, *app.error]])"
    file, *wrong = run(sys.executable, "-c", code, cwd=tmp_path, PYTHONPATH=str(site)).splitlines()
    assert Path(file).is_relative_to(site)
    assert wrong == ["[]", "[]"]


@pytest.mark.benchmark_run  # a minute or two
def test_the_first_scene_of_every_lesson_is_drawn_by_what_travels(site: Path, tmp_path: Path) -> None:
    code = "from functools import partial; from explorer import scenes; from explorer.ui.scene import off_page as off; "
    code += "[off.run(partial(off.show, each, each.scenes[0], answered=True), 'en') for each in scenes.LESSONS]; "
    code += "print(len(scenes.LESSONS))"
    assert int(run(sys.executable, "-c", code, cwd=tmp_path, PYTHONPATH=str(site))) == 15


def test_what_is_pinned_is_what_the_wheel_asks_for(site: Path, root: Path) -> None:
    (told,) = site.glob("*.dist-info/METADATA")
    lines = told.read_text("utf8").splitlines()
    asked = [Requirement(line.split(": ", 1)[1]) for line in lines if line.startswith("Requires-Dist")]
    assert sorted(each.name for each in asked if each.marker is None) == ["anywidget", "numpy", "plotly"]
    pins = (line for line in (root / "requirements.txt").read_text("utf8").splitlines() if not line.startswith("#"))
    pinned = dict(line.split("==") for line in pins)
    beside = {each.name for each in asked if each.marker and "cluster" in str(each.marker)}
    assert beside == {"ray"}, "who has a cluster installs what it runs on"
    asked = [each for each in asked if each.name not in beside]
    assert sorted(each.name for each in asked) == sorted(pinned)
    assert [str(each) for each in asked if not each.specifier.contains(pinned[each.name])] == []
    assert [str(each) for each in asked if "==" in str(each.specifier)] == [], "a notebook keeps the versions it has"
    python = tomllib.loads((root / "pyproject.toml").read_text("utf8"))["project"]["requires-python"]
    assert f"Requires-Python: {python}" in lines
