"""A site is made again page by page: what would be the same is taken over, also from an interrupted one."""

import json
from pathlib import Path

import pytest

from explorer import project
from explorer.site import __main__ as command, pages, taken_over
from explorer.site.folder import MARK, name_unfinished

LESSONS = ("kernel_regression", "queries_keys_values", "masked_softmax")


class Maker:
    """Makes pages that hold little, and counts them; interrupts before one of them."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self.broken_by: tuple[str, BaseException] | None = None
        self.lost: tuple[str, ...] = ()

    def __call__(self, lesson: object, edition: pages.Edition) -> pages.Made:
        stem = lesson.stem  # type: ignore[attr-defined]
        if self.broken_by and self.broken_by[0] == stem:
            raise self.broken_by[1]
        self.made.append(f"{edition.words}/{stem}")
        return pages.Made(page=f"{stem}, {len(self.made)}", beside={"states.js": b"1"}, lost=self.lost, plotly=True)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stands for the package: a file of each kind."""
    top = tmp_path / "explorer"
    for stem in LESSONS:
        (top / "lessons" / stem / "live").mkdir(parents=True)
        (top / "lessons" / stem / "compute.py").write_text(stem)
        (top / "lessons" / stem / "live" / "picture.js").write_text(stem)
    (top / "locale" / "content" / "en").mkdir(parents=True)
    (top / "locale" / "content" / "en" / f"{LESSONS[0]}.md").write_text("prose")
    (top / "shared.py").write_text("shared")
    (tmp_path / "checkpoints" / "tiny").mkdir(parents=True)
    (tmp_path / "checkpoints" / "tiny" / "manifest.json").write_text("{}")
    monkeypatch.setattr(taken_over, "_EXPLORER", top)
    monkeypatch.setattr(project, "CHECKPOINTS", tmp_path / "checkpoints")
    return tmp_path


@pytest.fixture
def maker(tree: Path, monkeypatch: pytest.MonkeyPatch) -> Maker:
    assert tree
    found = Maker()
    monkeypatch.setattr(pages, "lesson_page", found)
    monkeypatch.setattr(pages, "cards", lambda lesson: {f"{lesson.stem}-light.svg": "<svg/>"})
    monkeypatch.setattr(pages, "home_page", lambda _edition: "home")
    return found


def build(tree: Path, *more: str) -> int:
    return command.main([str(tree / "site"), "--lang", "en", "--jobs", "1", "--lessons", *LESSONS, *more])


@pytest.mark.parametrize(
    ("file", "changed"),
    [
        ("explorer/lessons/kernel_regression/compute.py", LESSONS[:1]),
        ("explorer/locale/content/en/kernel_regression.md", LESSONS[:1]),
        ("explorer/lessons/kernel_regression/live/picture.js", LESSONS),
        ("explorer/shared.py", LESSONS),
        ("checkpoints/tiny/manifest.json", LESSONS),
    ],
)
def test_a_page_is_made_anew_where_what_it_depends_on_has_changed(
    tree: Path, maker: Maker, file: str, changed: tuple[str, ...]
) -> None:
    assert build(tree) == 0
    assert sorted(maker.made) == sorted(f"en/{stem}" for stem in LESSONS)
    first = {stem: (tree / "site" / "en" / f"{stem}.html").read_text() for stem in LESSONS}
    maker.made.clear()
    assert build(tree) == 0
    assert maker.made == []
    assert {stem: (tree / "site" / "en" / f"{stem}.html").read_text() for stem in LESSONS} == first
    (tree / file).write_text("another")
    assert build(tree) == 0
    assert sorted(maker.made) == sorted(f"en/{stem}" for stem in changed)
    maker.made.clear()
    assert build(tree, "--app", "https://example.org") == 0
    assert len(maker.made) == len(LESSONS)
    assert (tree / "site" / pages.PLOTLY).is_file(), "a page that is taken over needs it, too"


def test_an_interrupt_loses_no_page_that_is_done_and_leaves_the_former_site(
    tree: Path, maker: Maker, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tree / "site"
    maker.broken_by = LESSONS[2], KeyboardInterrupt()
    assert build(tree) == 130
    assert "goes on from 2 pages" in capsys.readouterr().err
    assert not out.exists()
    maker.broken_by = None
    maker.made.clear()
    assert build(tree) == 0
    assert len(maker.made) == 1
    assert not name_unfinished(out).exists()
    assert len(json.loads((out / MARK).read_text())) == 3
    (tree / "explorer" / "shared.py").write_text("another")
    maker.broken_by = LESSONS[2], OSError(28, "No space left on device")
    former = (out / "en" / f"{LESSONS[0]}.html").read_text()
    assert build(tree) == 2
    assert "No space left" in capsys.readouterr().err
    assert (out / "en" / f"{LESSONS[0]}.html").read_text() == former
    assert sorted(path.name for path in tree.iterdir()) == ["checkpoints", "explorer", "site"]


def test_a_page_that_lacks_a_scene_or_a_file_is_made_again(tree: Path, maker: Maker) -> None:
    maker.lost = ("a_scene",)
    assert build(tree) == 0
    maker.lost = ()
    maker.made.clear()
    assert build(tree) == 0
    assert len(maker.made) == len(LESSONS)
    (tree / "site" / "en" / f"{LESSONS[0]}.html").unlink()
    maker.made.clear()
    assert build(tree) == 0
    assert maker.made == [f"en/{LESSONS[0]}"]


@pytest.mark.parametrize("mark", ["", "[]", "{", '{"en/kernel_regression": {"of": 1}}', '{"en": 3}'])
def test_a_mark_that_lists_nothing_costs_time_and_nothing_else(tree: Path, maker: Maker, mark: str) -> None:
    (tree / "site").mkdir()
    (tree / "site" / MARK).write_text(mark)
    assert build(tree) == 0
    assert len(maker.made) == len(LESSONS)
