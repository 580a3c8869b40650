"""A file can be fetched for a while after its page has named another."""

import pytest
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.media_file_storage import MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from explorer.ui.streamlit_internals import lasting_files

#: Streamlit's own: another test of this process may have begun a server, and so repaired them.
_OWN = {
    method: getattr(MediaFileManager, method)
    for method in ("_get_inactive_file_ids", "_remove_orphaned_deferred_callables")
}


def unrepaired(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have Streamlit's own methods until the test ends."""
    for method, own in _OWN.items():
        monkeypatch.setattr(MediaFileManager, method, own)


@pytest.fixture
def files() -> MediaFileManager:
    return MediaFileManager(MemoryMediaFileStorage("/media"))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """With the repair; its only number is the time."""
    now = [0.0]
    unrepaired(monkeypatch)
    monkeypatch.setattr(lasting_files.time, "monotonic", lambda: now[0])
    lasting_files.repair()
    return now


def name(files: MediaFileManager, data: bytes) -> str:
    """Have the one button of a page hand this out."""
    url = files.add(data, "text/csv", "0.0", "a.csv", is_for_static_download=True)
    return url.rpartition("/")[2].partition(".")[0]


def runs_end(files: MediaFileManager, count: int = 3) -> None:
    for _ in range(count):
        files.remove_orphaned_files()


def test_a_file_outlives_the_runs_that_follow(files: MediaFileManager, clock: list[float]) -> None:
    first, second = name(files, b"1"), name(files, b"2")
    runs_end(files)
    assert files.read_file(first)
    clock[0] += lasting_files.LASTS_S + 1
    runs_end(files)
    assert not files.read_file(first)
    assert files.read_file(second)


def test_a_file_that_was_named_again_lasts_as_long_again(files: MediaFileManager, clock: list[float]) -> None:
    first = name(files, b"1")
    name(files, b"2")
    runs_end(files)
    clock[0] += lasting_files.LASTS_S - 1
    name(files, b"1")
    runs_end(files)
    name(files, b"2")
    clock[0] += 2
    runs_end(files)
    assert files.read_file(first)


def maker(files: MediaFileManager) -> str:
    """Have that button make its file when it is pressed."""
    return files.add_deferred(lambda: b"1", "text/csv", "0.0", "a.csv")


def test_a_file_that_is_made_again_lasts_as_long_again(files: MediaFileManager, clock: list[float]) -> None:
    button = maker(files)
    for _ in range(2):
        made = files.execute_deferred(button).rpartition("/")[2].partition(".")[0]
        runs_end(files)
        assert files.read_file(made)
        clock[0] += lasting_files.LASTS_S + 1


def test_what_makes_a_file_outlives_the_runs_that_follow(files: MediaFileManager, clock: list[float]) -> None:
    first, _second = maker(files), maker(files)
    runs_end(files)
    assert files.execute_deferred(first)
    clock[0] += lasting_files.LASTS_S + 1
    runs_end(files)
    with pytest.raises(MediaFileStorageError):
        files.execute_deferred(first)


def test_streamlit_still_needs_it(files: MediaFileManager, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once this fails, `lasting_files` can go."""
    unrepaired(monkeypatch)
    first, made_by = name(files, b"1"), maker(files)
    name(files, b"2")
    runs_end(files, 2)
    assert not files.read_file(first)
    with pytest.raises(MediaFileStorageError):
        files.execute_deferred(made_by)
