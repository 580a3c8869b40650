"""`pip install .`: a wheel, built without a network, that holds every file and works from any folder."""

import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement


def run(*command: str, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def site(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel installs."""
    source, made = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(root / name, source)
    shutil.copytree(root / "explorer", source / "explorer")
    wanted = ("--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(made))
    run(sys.executable, "-m", "pip", "wheel", *wanted, ".", cwd=source)
    (wheel,) = made.glob("attention_explorer-*.whl")
    unpacked = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(unpacked)
    return unpacked


def test_every_file_is_in_the_wheel_and_nothing_compiled(site: Path, root: Path) -> None:
    listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard", "explorer", cwd=root).splitlines()
    files = [name for name in listed if (root / name).is_file()]
    assert len(files) > 500
    assert [name for name in files if not (site / name).is_file()] == []
    assert list(site.rglob("*.pyc")) == []
    assert {path.name.split("-")[0] for path in site.iterdir()} == {"explorer", "attention_explorer"}


def test_it_is_imported_from_any_folder(site: Path, tmp_path: Path) -> None:
    code = f"import sys; sys.path.insert(0, {str(site)!r}); from explorer import show; "
    code += "print(show.__file__, len(show.heatmaps([[1, 0], [0, 1]]).data[0].z), 'streamlit' in sys.modules)"
    file, rows, streamlit = run(sys.executable, "-I", "-c", code, cwd=tmp_path).split()
    assert Path(file).is_relative_to(site)
    assert (rows, streamlit) == ("2", "False")


@pytest.mark.parametrize("name", ["attention-explorer-train", "attention-explorer-evaluate"])
def test_a_command_is_there_and_says_how_it_is_called(site: Path, tmp_path: Path, name: str) -> None:
    code = f"import sys; sys.path.insert(0, {str(site)!r}); from importlib.metadata import entry_points; "
    code += f"(found,) = entry_points(group='console_scripts', name={name!r}); sys.argv = [{name!r}, '--help']; "
    said = run(sys.executable, "-I", "-c", code + "found.load()()", cwd=tmp_path)
    assert said.startswith("usage:")


def test_a_live_picture_finds_its_scripts_wherever_it_is_installed(site: Path, tmp_path: Path) -> None:
    code = f"import sys; sys.path.insert(0, {str(site)!r}); from explorer import show; "
    code += "print(show.heads([[[1, 0], [0, 1]]], ['a', 'b']).html('heads.html'))"
    assert run(sys.executable, "-I", "-c", code, cwd=tmp_path).strip() == "heads.html"
    assert "lessons/open_model/live/every_head.js" in (tmp_path / "heads.html").read_text("utf8")


def test_what_is_pinned_is_what_the_wheel_asks_for(site: Path, root: Path) -> None:
    (metadata,) = site.glob("*.dist-info/METADATA")
    lines = metadata.read_text("utf8").splitlines()
    asked = [Requirement(line.split(": ")[1]) for line in lines if line.startswith("Requires-Dist")]
    pins = (line for line in (root / "requirements.txt").read_text("utf8").splitlines() if not line.startswith("#"))
    pinned = dict(line.split("==") for line in pins)
    assert sorted(each.name for each in asked) == sorted(pinned)
    assert [str(each) for each in asked if not each.specifier.contains(pinned[each.name])] == []
    assert [str(each) for each in asked if "==" in str(each.specifier)] == [], "a notebook keeps the versions it has"
    python = tomllib.loads((root / "pyproject.toml").read_text("utf8"))["project"]["requires-python"]
    assert f"Requires-Python: {python}" in lines
