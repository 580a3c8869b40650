"""All files of a site: lessons are computed side by side, and a scene only where it is not kept as it would be."""

import logging
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from datetime import UTC, datetime
from importlib.metadata import version
from multiprocessing import active_children, get_context
from pathlib import Path

from tqdm import tqdm

from explorer import project, scenes
from explorer.figures import export
from explorer.scenes.spec import Lesson
from explorer.site import pages
from explorer.site.depends import hash_scenes
from explorer.site.kept import SiteCache


def build(
    folder: Path,
    lessons: Sequence[Lesson],
    languages: Mapping[str, str],
    app: str,
    stops: int,
    keep: Path | None = None,
    jobs: int = 1,
) -> list[str]:
    """Write all files of a site into an empty folder.

    Args:
        stops: of a slider, at most.
        keep: folder of what was computed before (`explorer.site.kept`), which this site adds to; none if None.
        jobs: processes that compute lessons side by side; one is this process.

    Returns:
        Names of scenes that could not be shown.

    Raises:
        OSError: a file could not be written.
    """
    lost, plotly = list[str](), False
    kept = SiteCache(keep, hash_scenes(lessons, list(languages), stops) if keep else {})
    write(folder / pages.STYLE, pages.style())
    write(folder / "index.html", pages.front(languages))
    (folder / "cards").mkdir()
    for lesson in lessons:
        for name, drawn in pages.cards(lesson).items():
            write(folder / "cards" / name, drawn)
    editions = [
        pages.Edition(words=words, languages=languages, lessons=lessons, app=app, build=_build(), stops=stops)
        for words in languages
    ]
    for edition in editions:
        (folder / edition.words).mkdir()
        write(folder / edition.words / "index.html", pages.home_page(edition))
    with tqdm(total=len(lessons) * len(editions), unit=" pages", disable=None) as bar:
        for stem, edition, made in _make(lessons, editions, kept, jobs):
            page = f"{edition.words}/{stem}"
            _put(made, folder / page)
            lost += [f"{page}/{name}" for name in made.lost]
            plotly |= made.plotly
            bar.update()
    kept.forget()
    if plotly:
        write(folder / pages.PLOTLY, export.script())
    return lost


def _make(
    lessons: Sequence[Lesson], editions: Sequence[pages.Edition], kept: SiteCache, jobs: int
) -> Iterator[tuple[str, pages.Edition, pages.Made]]:
    """Yield pages as they are done."""
    jobs = min(jobs, len(lessons))
    if jobs < 2:
        for each in lessons:
            yield from _make_lesson(each.stem, editions, kept)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_begin) as pool:
        try:
            with ThreadPoolExecutor(1) as beside:  # an interrupt reaches the main thread: no process is left half begun
                asked = beside.submit(_submit, pool, lessons, editions, kept).result()
            for done in as_completed(asked):
                yield from done.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in active_children():  # nobody waits for what has begun: a scene that is done is kept
                child.terminate()
            raise


def _submit(
    pool: ProcessPoolExecutor, lessons: Sequence[Lesson], editions: Sequence[pages.Edition], kept: SiteCache
) -> list[Future[list[tuple[str, pages.Edition, pages.Made]]]]:
    """Begin a pool's processes, and give them the lessons."""
    return [pool.submit(_make_lesson, each.stem, editions, kept) for each in lessons]


def _make_lesson(
    stem: str, editions: Sequence[pages.Edition], kept: SiteCache
) -> list[tuple[str, pages.Edition, pages.Made]]:
    """Return a lesson's pages, one language after the other: its numbers are kept."""
    return [(stem, edition, pages.lesson_page(scenes.lesson(stem), edition, kept)) for edition in editions]


def _begin() -> None:
    """Begin a process that computes lessons: who reads a terminal's interrupt is the process that began it."""
    silence()
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def silence() -> None:
    """Have Streamlit say nothing of the server that is not there: that is meant."""
    logging.getLogger("streamlit").disabled = True


def _put(made: pages.Made, where: Path) -> None:
    """Write a lesson's page, and what lies in its folder."""
    write(where.with_name(f"{where.name}.html"), made.page)
    where.mkdir()
    for name, content in made.beside.items():
        (where / name).write_bytes(content)


def write(file: Path, text: str) -> None:
    """Write a text as UTF-8, with the same line ends everywhere."""
    file.write_text(text, encoding="utf8", newline="\n")


def _build() -> str:
    """Return what built the site: the commit, if git knows it, or the version that is installed, and the day."""
    git, commit = shutil.which("git"), ""
    if project.INSTALLED:
        commit = version("attention-explorer")
    elif git:
        asked = [git, "-C", str(project.ROOT), "describe", "--always", "--dirty"]
        commit = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()  # noqa: S603
    return " · ".join(part for part in ("Attention Explorer", commit, f"{datetime.now(UTC):%Y-%m-%d}") if part)
