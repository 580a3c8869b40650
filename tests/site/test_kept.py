"""A site is made again scene by scene: what would be the same is taken as it was, also after an interrupt."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from explorer import project, scenes
from explorer.site import __main__ as command, depends, kept, pages, parts
from explorer.site.states import Sight
from explorer.site.sweeps import SweptSlider
from tests.conftest import ROOT

LESSONS = ("kernel_regression", "masked_softmax")
ALL = sorted(f"en/{stem}/{scene.name}" for stem in LESSONS for scene in scenes.lesson(stem).scenes)
OWN = [each for each in ALL if each.startswith("en/kernel_regression")]
Depends = Callable[[], dict[str, str]]


class Maker:
    """Computes scenes that hold little, and lists them; an error breaks one of them."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self.broken_by: tuple[str, BaseException] | None = None
        self.lost = False

    def __call__(self, lesson: scenes.Lesson, scene: scenes.Scene, words: str, *_: object) -> parts.ComputedScene:
        if self.broken_by and self.broken_by[0] == scene.name:
            raise self.broken_by[1]
        self.made.append(f"{words}/{lesson.stem}/{scene.name}")
        return (
            parts.ComputedScene()
            if self.lost
            else parts.ComputedScene(sights=[Sight(({"title": "", "reading": "read"},), {})] * 9)
        )

    def found(self) -> list[str]:
        """Return what was made since it was last asked."""
        made, self.made = sorted(self.made), []
        return made


@pytest.fixture
def maker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Maker:
    found = Maker()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(parts, "compute", found)
    monkeypatch.setattr(pages, "_prose", lambda *_: "prose")
    monkeypatch.setattr(pages, "home_page", lambda _edition: "home")
    monkeypatch.setattr(pages.exercises, "values", lambda _lesson: {})
    return found


def build(tmp_path: Path, *more: str) -> int:
    return command.main([str(tmp_path / "site"), "--lang", "en", "--jobs", "1", "--lessons", *LESSONS, *more])


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package's modules and words in a folder in which they may be changed."""
    top = tmp_path_factory.mktemp("copied")
    for file in (ROOT / "explorer").rglob("*"):
        if file.is_file() and file.suffix in (".py", ".js", ".md", ".po", ".json", ".tsv"):
            into = top / file.relative_to(ROOT)
            into.parent.mkdir(parents=True, exist_ok=True)
            into.write_bytes(file.read_bytes())
    (top / "checkpoints" / "tiny").mkdir(parents=True)
    (top / "checkpoints" / "tiny" / "manifest.json").write_text("{}")
    return top


@pytest.fixture
def changed_by(copied: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], set[str]]:
    """Change a file, and return which scenes of all lessons depend on it, in English."""
    monkeypatch.setattr(depends, "_EXPLORER", copied / "explorer")
    monkeypatch.setattr(project, "CHECKPOINTS", copied / "checkpoints")
    found = [depends.hash_scenes(scenes.LESSONS, ["en", "zh"], 21)]

    def run(name: str) -> set[str]:
        with (copied / name).open("a", encoding="utf8") as file:
            file.write("\n# another\n")
        found.append(depends.hash_scenes(scenes.LESSONS, ["en", "zh"], 21))
        assert found[-1].keys() == found[-2].keys()
        return {what for what, each in found[-1].items() if each != found[-2][what]}

    return run


def stems(found: set[str]) -> set[str]:
    return {each.split("/")[1] for each in found}


def test_a_file_changes_the_scenes_that_depend_on_it(changed_by: Callable[[str], set[str]]) -> None:
    lesson = "explorer/lessons/kernel_regression"
    assert changed_by(f"{lesson}/ui/kernels.py") == {f"{words}/kernel_regression/kernels" for words in ("en", "zh")}
    assert {"en/kernel_regression/one_query", "zh/kernel_regression/exercises"} < changed_by(f"{lesson}/compute.py")
    assert changed_by(f"{lesson}/live/regression.js") == set(), "pages hold scripts, and are always written"
    assert changed_by("explorer/locale/content/en/kernel_regression.md") == set(), "and prose"
    po = changed_by("explorer/locale/zh_CN/LC_MESSAGES/kernel_regression.po")
    assert po == {f"zh/{each.removeprefix('en/')}" for each in OWN} | {"zh/kernel_regression/exercises"}
    shell = changed_by("explorer/locale/zh_CN/LC_MESSAGES/shell.po")
    assert len(stems(shell)) == len(scenes.LESSONS)
    assert {each[:2] for each in shell} == {"zh"}
    models = changed_by("checkpoints/tiny/manifest.json")
    assert "kernel_regression" not in stems(models)
    assert {"translator", "vision", "text_generation"} < stems(models)
    assert len(stems(changed_by("explorer/site/states.py"))) == len(scenes.LESSONS)
    assert changed_by("explorer/cluster/__init__.py") == set()
    assert "open_model" in stems(changed_by("explorer/opened/worker.py")), "a process that is started by its name"
    kit = changed_by("explorer/figures/live/ribbons.py")
    assert 0 < len(kit) < len(changed_by("explorer/ui/scene/picture.py"))


def test_what_a_scene_says_of_itself_changes_it_alone() -> None:
    lesson = scenes.lesson(LESSONS[0])
    first, *rest = lesson.scenes
    other = replace(lesson, scenes=(replace(first, presets=first.presets[1:]), *rest))
    before, after = (depends.hash_scenes([each], ["en"], 21) for each in (lesson, other))
    assert {what for what in before if before[what] != after[what]} == {f"en/{lesson.stem}/{first.name}"}
    assert not set(before.values()) & set(depends.hash_scenes([lesson], ["en"], 5).values())
    code = "import setuptools; from explorer import scenes; from explorer.site import depends; "
    code += f"print(*depends.hash_scenes([scenes.lesson({lesson.stem!r})], ['en'], 21).values())"
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert said.split() == list(before.values()), "in every process the same"


def test_a_scene_is_computed_once_and_again_where_it_has_changed(
    tmp_path: Path, maker: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert build(tmp_path) == 0
    assert maker.found() == ALL
    first = (tmp_path / "site" / "en" / f"{LESSONS[0]}.html").read_text("utf8")
    assert build(tmp_path, "--app", "https://example.org") == 0
    assert maker.found() == []
    again = (tmp_path / "site" / "en" / f"{LESSONS[0]}.html").read_text("utf8")
    assert "https://example.org/kernel_regression?scene=one_query" in again
    assert "example.org" not in first
    hashes, one = command.build.__globals__["hash_scenes"], "en/kernel_regression/one_query"
    monkeypatch.setitem(command.build.__globals__, "hash_scenes", lambda *of: {**hashes(*of), one: "another"})
    assert build(tmp_path) == 0
    assert maker.found() == [one]
    assert build(tmp_path, "--anew") == 0
    assert maker.found() == ALL


def test_an_interrupt_loses_no_scene_that_is_done_and_leaves_the_former_site(
    tmp_path: Path, maker: Maker, capsys: pytest.CaptureFixture[str]
) -> None:
    out, last = tmp_path / "site", scenes.lesson(LESSONS[1]).scenes[-1].name
    maker.broken_by = last, KeyboardInterrupt()
    assert build(tmp_path) == 130
    assert "goes on from the scenes that are done" in capsys.readouterr().err
    assert [each.name for each in tmp_path.iterdir()] == ["cache"]
    maker.made.clear()
    maker.broken_by = None
    assert build(tmp_path) == 0
    assert maker.found() == [f"en/{LESSONS[1]}/{last}"]
    maker.broken_by = last, OSError(28, "No space left on device")
    former = (out / "en" / f"{LESSONS[0]}.html").read_text("utf8")
    assert build(tmp_path, "--anew") == 2
    assert "No space left" in capsys.readouterr().err
    assert (out / "en" / f"{LESSONS[0]}.html").read_text("utf8") == former
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cache", "site"]


def test_a_scene_whose_model_was_missing_is_computed_again(tmp_path: Path, maker: Maker) -> None:
    maker.lost = True
    assert build(tmp_path) == 0
    assert maker.found() == ALL
    maker.lost = False
    assert build(tmp_path) == 0
    assert maker.found() == ALL


@pytest.mark.skipif(sys.platform == "win32", reason="ends a program without asking it")
def test_a_program_that_is_ended_leaves_nothing_behind(tmp_path: Path) -> None:
    def heard() -> None:  # a shell that started the tests in its background has it ignored
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    for name, number in (("a", signal.SIGTERM), ("b", signal.SIGINT)):
        out = tmp_path / name / "site"
        asked = [sys.executable, "-m", "explorer.site", str(out), "--lessons", *LESSONS, "--jobs", "2"]
        environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
        running = subprocess.Popen(
            asked, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True, preexec_fn=heard
        )
        until = time.monotonic() + 120
        while not out.parent.is_dir() or not list(out.parent.glob(".site-*/made/en")):
            assert running.poll() is None
            assert time.monotonic() < until
            time.sleep(0.05)
        running.send_signal(number)
        _, said = running.communicate(timeout=60)
        assert running.returncode == 128 + number, said
        assert (
            said.strip() == f"Interrupted: {out} is as it was. The same command goes on from the scenes that are done."
        )
        assert list(out.parent.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="ends a program without asking it")
def test_a_program_that_is_ended_while_its_processes_begin_says_no_more(tmp_path: Path) -> None:
    out = tmp_path / "site"
    program = f"""
import os, signal, sys, time
from multiprocessing import util
from explorer.site.__main__ import main
begin = util.spawnv_passfds
def begin_and_end(*arguments):
    process = begin(*arguments)
    if "spawn_main" in str(arguments):
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0.2)  # what a process is to do has not been written to it
    return process
util.spawnv_passfds = begin_and_end
sys.exit(main([{str(out)!r}, "--lessons", *{LESSONS!r}, "--jobs", "2"]))
"""
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    asked = [sys.executable, "-c", program]
    ran = subprocess.run(asked, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert ran.returncode == 128 + signal.SIGTERM, ran.stderr
    assert ran.stderr.strip().startswith("Interrupted:")
    assert "Traceback" not in ran.stderr
    assert not out.exists()


def test_a_part_is_read_as_it_was_written() -> None:
    pictures = ({"title": "Über", "light": ["a", "b"], "dark": ["a", "c"]}, {"reading": "<b>1</b>", "least": 3})
    first = Sight(pictures, {"n": "−1"}, {"key": "\ufeffx,y\n1,é\n".encode()})
    slider = SweptSlider(label="σ", more=True, written=["0", "1"], sights=[first, Sight((), {})], at=1)
    part = parts.ComputedScene(sights=[first], sliders=[slider], right="a", because="so", pieces={"a": "00"})
    assert parts.read(parts.write(part)) == part


def test_a_scene_that_was_kept_is_the_one_that_was_computed() -> None:
    lesson = scenes.lesson("kernel_regression")
    made = parts.compute(lesson, lesson.scenes[0], "zh", 3, lambda sight, packed: None)
    assert made.sliders
    assert made.tables
    again = parts.read(parts.write(made))
    assert again.tables == made.tables
    assert again.pieces == made.pieces
    assert parts.write(again) == parts.write(made)
    drawn = {name for sight in [*made.sights, *made.stops] for name in parts.list_pieces(sight.pictures)}
    assert drawn == made.pieces.keys()


def test_texts_are_kept_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = kept.SiteCache(tmp_path / "cache", {"a": "1", "b": "2"})
    here.keep("a", "text")
    assert (here.find("a"), here.find("b")) == ("text", None)
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    here.keep("b", "half")
    assert [each.name for each in (tmp_path / "cache").iterdir()] == ["1.json"]
    here.forget()
    assert here.find("a") == "text"
    os.utime(tmp_path / "cache" / "1.json", (0, 0))
    here.forget()
    assert here.find("a") is None
    (tmp_path / "file").touch()
    kept.SiteCache(tmp_path / "file", {"a": "1"}).keep("a", "costs time alone")
    nowhere = kept.SiteCache(None, {})
    nowhere.keep("a", "text")
    nowhere.forget()
    assert nowhere.find("a") is None
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert kept.folder() == tmp_path / "attention-explorer" / "site"
