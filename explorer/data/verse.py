"""Chinese regulated verse: four or eight lines of equally five or seven characters, a poem on each line of the text."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from explorer.data.files import read_utf8
from explorer.data.text import TextError

#: A line of verse, of five or of seven characters, ends in one of these; the laid out text knows the first two alone.
BETWEEN, AFTER = "，", "。"
MARKS = re.compile("[，。？！；、]")
N_LINES = (4, 8)
N_CHARACTERS = (5, 7)
#: One poem in so many is held out.
HELD_OUT_EVERY = 10

Poem = tuple[str, ...]
#: What else readers type for the two marks, or between lines.
_TYPED = str.maketrans(dict.fromkeys(",、;；", BETWEEN) | dict.fromkeys(".．!！?？", AFTER))


def as_typed(text: str) -> str:
    """Return what a reader typed, in the layout of the corpus: its two marks alone, and nothing between lines."""
    return "".join(text.split()).translate(_TYPED)


def find_verse(folder: Path) -> Path | None:
    """Return the poems of a data folder, if it has some: lines of title, author and text between tabs."""
    return next(iter(sorted(folder.glob("*.tsv.gz")) or sorted(folder.glob("*.tsv"))), None)


def read_poems(path: Path) -> list[Poem]:
    """Read the regulated poems of a file, each once, as lines without marks.

    Raises:
        TextError: the file cannot be read, or has no regulated poem.
    """
    text = read_utf8(path, TextError)
    poems = dict.fromkeys(verse_lines(row.rpartition("\t")[2]) for row in text.splitlines())
    regulated = [poem for poem in poems if is_regulated(poem)]
    if not regulated:
        raise TextError(f"{path} has no poem of 4 or 8 lines of 5 or 7 characters in the last of its columns")
    return regulated


def verse_lines(text: str) -> Poem:
    """Return a text cut at its marks."""
    return tuple(line for line in MARKS.split(text.strip()) if line)


def is_regulated(poem: Sequence[str]) -> bool:
    """Return whether there are four or eight lines of equally five or seven characters."""
    lengths = {len(line) for line in poem}
    return len(poem) in N_LINES and len(lengths) == 1 and lengths <= set(N_CHARACTERS)


def lay_out(poems: Iterable[Poem]) -> str:
    """Lay out a poem a line, its own lines ending in ，and 。by turns: an end of line begins and ends a poem."""
    return "\n" + "".join(f"{format_poem(poem)}\n" for poem in poems)


def format_poem(poem: Poem) -> str:
    """Return one poem with its marks."""
    return "".join(line + (AFTER if number % 2 else BETWEEN) for number, line in enumerate(poem))


def keeps_form(text: str, opening: str) -> bool:
    """Return whether a whole poem keeps what its opening line promises.

    The text is the opening, then lines of its length that end in ，and 。by turns, four or eight in all.
    """
    poem = verse_lines(text)
    return text.startswith(opening) and is_regulated(poem) and text == format_poem(poem)


def split(poems: Sequence[Poem]) -> tuple[list[Poem], list[Poem]]:
    """Return poems to train on and poems held out: every tenth, if it shares no line with the others.

    The corpus has poems twice, under two names and with a character or two that differ; a split by number alone would
    hold out poems that were read in training.
    """
    train = [poem for number, poem in enumerate(poems, 1) if number % HELD_OUT_EVERY]
    known = {line for poem in train for line in poem}
    return train, [poem for poem in poems[HELD_OUT_EVERY - 1 :: HELD_OUT_EVERY] if known.isdisjoint(poem)]
