"""Write the book without a server: `python -m explorer.site OUT` makes a folder that any host can serve."""

import argparse
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from explorer import scenes
from explorer.site import kept
from explorer.site.build import build, silence, write
from explorer.site.folder import FolderRefused, replacing
from explorer.site.sweeps import MOST
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
    silence()
    lessons = [each for each in scenes.LESSONS if each.stem in given.lessons]
    languages = {words: LANGUAGES[words] for words in given.lang}
    keep = None if given.anew else kept.folder()
    try:
        with _ending_as_interrupted(), replacing(given.out) as folder:
            lost = build(folder, lessons, languages, given.app or "", given.stops, keep, given.jobs)
            if given.space:
                write(folder / "README.md", _SPACE)
    except (FolderRefused, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except BrokenProcessPool:
        sys.stderr.write("A process ended before its lesson was done, perhaps for lack of memory: try --jobs 1.\n")
        return 2
    except KeyboardInterrupt as ended:
        again = "" if given.anew else " The same command goes on from the scenes that are done."
        sys.stderr.write(f"\nInterrupted: {given.out} is as it was.{again}\n")
        return 128 + (ended.args[0] if ended.args else signal.SIGINT)
    for each in lost:
        sys.stderr.write(f"not shown, as a model could not be read: {each}\n")
    size = sum(file.stat().st_size for file in given.out.rglob("*"))
    sys.stdout.write(f"{given.out / 'index.html'}: {len(lessons)} lessons, {size / 1e6:.1f} MB\n")
    return 0


@contextmanager
def _ending_as_interrupted() -> Iterator[None]:
    """Have what ends a program, as a container's stop or a terminal that is closed, clean up as an interrupt does."""

    def end(number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt(number)

    ends = [each for name in ("SIGTERM", "SIGHUP") if (each := getattr(signal, name, None))]
    heeded = [each for each in ends if signal.getsignal(each) is not signal.SIG_IGN]  # `nohup` has one ignored
    before = [(each, signal.signal(each, end)) for each in heeded]
    try:
        yield
    finally:
        for each, handler in before:
            signal.signal(each, handler)


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
    parser.add_argument(
        "--anew", action="store_true", help=f"take nothing from {kept.folder()}, and keep nothing there"
    )
    parser.add_argument("--space", action="store_true", help="with the README.md of a static Space of the Hub")
    return parser


if __name__ == "__main__":
    sys.exit(main())
