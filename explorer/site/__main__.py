"""Write the book without a server: `python -m explorer.site OUT` makes a folder that any host can serve."""

import argparse
import logging
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from tqdm import tqdm

from explorer import scenes
from explorer.figures import export
from explorer.scenes.spec import Lesson
from explorer.site import pages
from explorer.site.folder import FolderRefused, check, replacing
from explorer.ui.language import LANGUAGES

_ROOT = Path(__file__).parents[2]
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
    logging.getLogger("streamlit").setLevel(logging.ERROR)  # that no server runs is meant
    lessons = [each for each in scenes.LESSONS if each.stem in given.lessons]
    languages = {words: LANGUAGES[words] for words in given.lang}
    try:
        check(given.out)
        with replacing(given.out) as folder:
            lost = build(folder, lessons, languages, given.app or "")
            if given.space:
                _write(folder / "README.md", _SPACE)
    except (FolderRefused, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    for each in lost:
        sys.stderr.write(f"not shown, as a model could not be read: {each}\n")
    size = sum(file.stat().st_size for file in given.out.rglob("*"))
    sys.stdout.write(f"{given.out / 'index.html'}: {len(lessons)} lessons, {size / 1e6:.1f} MB\n")
    return 0


def build(folder: Path, lessons: Sequence[Lesson], languages: Mapping[str, str], app: str) -> list[str]:
    """Write all files of a site into an empty folder.

    Returns:
        Names of scenes that could not be shown.

    Raises:
        OSError: a file could not be written.
    """
    lost, plotly = [], False
    _write(folder / pages.STYLE, pages.style())
    _write(folder / "index.html", pages.front(languages))
    (folder / "cards").mkdir()
    for lesson in lessons:
        for name, drawn in pages.cards(lesson).items():
            _write(folder / "cards" / name, drawn)
    with tqdm(total=len(lessons) * len(languages), unit=" pages", disable=None) as bar:
        for words in languages:
            edition = pages.Edition(words=words, languages=languages, lessons=lessons, app=app, build=_build())
            here = folder / words
            here.mkdir()
            _write(here / "index.html", pages.home_page(edition))
            for lesson in lessons:
                made = pages.lesson_page(lesson, edition)
                _write(here / f"{lesson.stem}.html", made.page)
                (here / lesson.stem).mkdir()
                for name, content in made.beside.items():
                    (here / lesson.stem / name).write_bytes(content)
                lost += [f"{words}/{lesson.stem}/{name}" for name in made.lost]
                plotly |= made.plotly
                bar.update()
    if plotly:
        _write(folder / pages.PLOTLY, export.script())
    return lost


def _write(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf8", newline="\n")


def _build() -> str:
    """Return what built the site: the commit, if git knows it, and the day."""
    git = shutil.which("git")
    commit = ""
    if git:
        asked = [git, "-C", str(_ROOT), "describe", "--always", "--dirty"]
        commit = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()  # noqa: S603
    return " · ".join(part for part in ("Attention Explorer", commit, f"{datetime.now(UTC):%Y-%m-%d}") if part)


def _address(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        raise argparse.ArgumentTypeError(f"{text!r} is no address such as https://example.org/app")
    return text.rstrip("/")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m explorer.site", description=__doc__)
    parser.add_argument("out", type=Path, help="a folder that is not there yet, is empty, or holds such a site")
    stems = [each.stem for each in scenes.LESSONS]
    parser.add_argument("--lessons", nargs="+", choices=stems, default=stems, metavar="NAME", help=", ".join(stems))
    parser.add_argument("--lang", nargs="+", choices=LANGUAGES, default=list(LANGUAGES), help="the first one is usual")
    parser.add_argument("--app", type=_address, help="address of the app, which scenes then link to")
    parser.add_argument("--space", action="store_true", help="with the README.md of a static Space of the Hub")
    return parser


if __name__ == "__main__":
    sys.exit(main())
