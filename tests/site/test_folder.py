"""A site takes the place of nothing but a site, and no half of one is ever there."""

from pathlib import Path

import pytest

from explorer.site.__main__ import main
from explorer.site.folder import MARK, FolderRefused, check, replacing


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def write(out: Path, broken: BaseException | None) -> None:
    """Write half of a site, until it breaks or somebody else writes into the folder."""
    with replacing(out) as made:
        (made / "page.html").write_text("half")
        if broken:
            raise broken
        out.mkdir()
        (out / "mine.txt").write_text("mine")


def test_a_folder_that_is_empty_or_not_there_is_filled_at_the_end(tmp_path: Path) -> None:
    for out in (tmp_path / "new" / "site", tmp_path / "empty"):
        (tmp_path / "empty").mkdir(exist_ok=True)
        with replacing(out) as made:
            (made / "page.html").write_text("new")
            assert not out.exists() or not names(out)
        assert names(out) == [MARK, "page.html"]
    assert names(tmp_path) == ["empty", "new"]


def test_a_site_is_replaced_whole(tmp_path: Path) -> None:
    out = tmp_path / "site"
    for name in ("former.html", "now.html"):
        with replacing(out) as made:
            (made / name).write_text(name)
    assert names(out) == [MARK, "now.html"]
    assert names(tmp_path) == ["site"]


def test_what_is_no_site_is_refused_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    thesis, file, link = tmp_path / "thesis", tmp_path / "file", tmp_path / "link"
    thesis.mkdir()
    (thesis / "chapter.txt").write_text("mine")
    file.write_text("mine")
    link.symlink_to(thesis)
    for out in (thesis, file, link):
        with pytest.raises(FolderRefused):
            check(out)
        assert main([str(out), "--lessons", "kernel_regression", "--lang", "en"]) == 2
        assert str(out) in capsys.readouterr().err
    assert (thesis / "chapter.txt").read_text() == file.read_text() == "mine"
    assert names(tmp_path) == ["file", "link", "thesis"]
    assert names(thesis) == ["chapter.txt"]


def test_an_error_or_an_interrupt_leaves_the_former_site(tmp_path: Path) -> None:
    out = tmp_path / "site"
    with replacing(out) as made:
        (made / "page.html").write_text("former")
    for broken in (OSError("No space left on device"), KeyboardInterrupt()):
        with pytest.raises(type(broken)):
            write(out, broken)
        assert (out / "page.html").read_text() == "former"
    assert names(tmp_path) == ["site"]


def test_what_came_meanwhile_is_not_lost(tmp_path: Path) -> None:
    out = tmp_path / "site"
    with pytest.raises(FolderRefused):
        write(out, None)
    assert names(out) == ["mine.txt"]


@pytest.mark.parametrize(
    "wrong",
    [
        ["--lessons", "no_lesson"],
        ["--lang", "xx"],
        ["--app", "javascript:alert(1)"],
        ["--app", "https://example.org/?a=1"],
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_computed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], wrong: list[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([str(tmp_path / "site"), *wrong])
    assert ended.value.code == 2
    assert wrong[1] in capsys.readouterr().err
    assert not names(tmp_path)
