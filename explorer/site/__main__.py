"""Write the book without a server: `python -m explorer.site OUT` makes a folder that any host can serve."""

import argparse
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import product
from multiprocessing import get_context
from pathlib import Path

from tqdm import tqdm

from explorer import project, scenes
from explorer.figures import export
from explorer.scenes.spec import Lesson
from explorer.site import pages
from explorer.site.folder import FolderRefused, check, name_unfinished, replacing
from explorer.site.sweeps import MOST
from explorer.site.taken_over import Fingerprints, Ledger, ListedPage, read_ledger
from explorer.ui.language import LANGUAGES
from explorer.ui.scene.elsewhere import read_address

#: What the Hugging Face Hub reads of a Space that it serves as it is.
_SPACE = """---
title: Attention Explorer
emoji: 🔎
colorFrom: blue
colorTo: yellow
sdk: static
license: mit
short_description: Understand attention, every number computed
---
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write a site, and print what it holds."""
    given = _parser().parse_args(arguments)
    _silence()
    lessons = [each for each in scenes.LESSONS if each.stem in given.lessons]
    languages = {words: LANGUAGES[words] for words in given.lang}
    try:
        check(given.out)
        formers = [read_ledger(each) for each in (given.out, name_unfinished(given.out))]
        with replacing(given.out) as folder:
            lost = build(folder, lessons, languages, given.app or "", given.stops, formers, given.jobs)
            if given.space:
                _write(folder / "README.md", _SPACE)
    except (FolderRefused, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except BrokenProcessPool:
        sys.stderr.write("A process ended before its lesson was done, perhaps for lack of memory: try --jobs 1.\n")
        return 2
    except KeyboardInterrupt:
        done = len(read_ledger(name_unfinished(given.out)).pages)
        sys.stderr.write(f"\nInterrupted: {given.out} is as it was. The same command goes on from {done} pages.\n")
        return 130
    for each in lost:
        sys.stderr.write(f"not shown, as a model could not be read: {each}\n")
    size = sum(file.stat().st_size for file in given.out.rglob("*"))
    sys.stdout.write(f"{given.out / 'index.html'}: {len(lessons)} lessons, {size / 1e6:.1f} MB\n")
    return 0


def build(
    folder: Path,
    lessons: Sequence[Lesson],
    languages: Mapping[str, str],
    app: str,
    stops: int,
    formers: Sequence[Ledger] = (),
    jobs: int = 1,
) -> list[str]:
    """Write all files of a site into an empty folder.

    Args:
        stops: of a slider, at most.
        formers: sites whose pages are taken over where they would be made the same.
        jobs: processes that compute lessons side by side; one is this process.

    Returns:
        Names of scenes that could not be shown.

    Raises:
        OSError: a file could not be written.
    """
    lost, plotly, ledger = list[str](), False, Ledger(folder)
    depends = Fingerprints(app=app, stops=stops, lessons=[each.stem for each in lessons], languages=list(languages))
    _write(folder / pages.STYLE, pages.style())
    _write(folder / "index.html", pages.front(languages))
    (folder / "cards").mkdir()
    for lesson in lessons:
        for name, drawn in pages.cards(lesson).items():
            _write(folder / "cards" / name, drawn)
    editions = [
        pages.Edition(words=words, languages=languages, lessons=lessons, app=app, build=_build(), stops=stops)
        for words in languages
    ]
    for edition in editions:
        (folder / edition.words).mkdir()
        _write(folder / edition.words / "index.html", pages.home_page(edition))
    missing = dict[str, list[pages.Edition]]()
    with tqdm(total=len(lessons) * len(editions), unit=" pages", disable=None) as bar:
        for lesson, edition in product(lessons, editions):
            page, of = f"{edition.words}/{lesson.stem}", depends.of(lesson.stem, edition.words)
            if kept := ledger.take(page, of, formers):
                plotly |= kept.plotly
                bar.update()
            else:
                missing.setdefault(lesson.stem, []).append(edition)
        for stem, edition, made in _make(missing, jobs):
            page, of = f"{edition.words}/{stem}", depends.of(stem, edition.words)
            _put(made, folder / page)
            if not made.lost:  # else the model may be there the next time
                ledger.keep(page, ListedPage(of=of, plotly=made.plotly))
            lost += [f"{page}/{name}" for name in made.lost]
            plotly |= made.plotly
            bar.update()
    if plotly:
        _write(folder / pages.PLOTLY, export.script())
    return lost


def _make(missing: Mapping[str, Sequence[pages.Edition]], jobs: int) -> Iterator[tuple[str, pages.Edition, pages.Made]]:
    """Yield pages as they are done; lessons are given by their stems, with the editions that they lack."""
    jobs = min(jobs, len(missing))
    if jobs < 2:
        for each in missing.items():
            yield from _make_lesson(*each)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_silence) as pool:
        try:
            for done in as_completed(pool.submit(_make_lesson, *each) for each in missing.items()):
                yield from done.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)  # what has begun ends
            raise


def _make_lesson(stem: str, editions: Sequence[pages.Edition]) -> list[tuple[str, pages.Edition, pages.Made]]:
    """Return a lesson's pages, one language after the other: its numbers are kept."""
    return [(stem, edition, pages.lesson_page(scenes.lesson(stem), edition)) for edition in editions]


def _silence() -> None:
    """Have Streamlit say nothing of the server that is not there: that is meant."""
    logging.getLogger("streamlit").disabled = True


def _put(made: pages.Made, where: Path) -> None:
    """Write a lesson's page, and what lies in its folder."""
    _write(where.with_name(f"{where.name}.html"), made.page)
    where.mkdir()
    for name, content in made.beside.items():
        (where / name).write_bytes(content)


def _write(file: Path, text: str) -> None:
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


def _address(text: str) -> str:
    try:
        return read_address(text)
    except ValueError as wrong:
        raise argparse.ArgumentTypeError(str(wrong)) from wrong


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m explorer.site", description=__doc__)
    parser.add_argument("out", type=Path, help="a folder that is not there yet, is empty, or holds such a site")
    stems = [each.stem for each in scenes.LESSONS]
    parser.add_argument("--lessons", nargs="+", choices=stems, default=stems, metavar="NAME", help=", ".join(stems))
    parser.add_argument("--lang", nargs="+", choices=LANGUAGES, default=list(LANGUAGES), help="the first one is usual")
    parser.add_argument("--app", type=_address, help="address of the app, which scenes then link to")
    at_most = f"stops of a slider, from 3 to {MOST}; 0: no sliders, a smaller site in less time"
    parser.add_argument("--stops", type=int, choices=(0, *range(3, MOST + 1)), default=MOST, metavar="N", help=at_most)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    several = "lessons that are computed side by side (default: one a core); each takes about a gigabyte of memory"
    parser.add_argument("--jobs", type=int, choices=range(1, 65), default=min(cores, 64), metavar="N", help=several)
    parser.add_argument("--space", action="store_true", help="with the README.md of a static Space of the Hub")
    return parser


if __name__ == "__main__":
    sys.exit(main())
