"""Multi30k: image captions in German, English and French (Elliott et al. 2016), and its tokenised references."""

import re
from pathlib import Path

from explorer.data.files import read_utf8
from explorer.data.parallel.pairs import Pair, PairsError

#: Captions of our own in German and English, of the same kind.
OWN_CAPTIONS = Path(__file__).parents[1] / "captions_own.tsv"
#: Our names of the parts, and the files' names.
PARTS = {"train": "train", "dev": "val", "test": "test_2016_flickr"}
#: Quotation marks and dashes for which the references have plain ones.
PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "–": "-", "—": "-", "…": "..."})


def read_multi30k(folder: Path, part: str) -> list[Pair]:
    """Read the German captions of a part with their English ones, in lower case; errors as of `read_captions`."""
    pairs = read_captions(folder, part, source="de", target="en")
    return [Pair(pair.source.lower(), (pair.targets[0].lower(),)) for pair in pairs]


def read_captions(folder: Path, part: str, *, source: str, target: str) -> list[Pair]:
    """Read the captions of a part as pairs, as they were written but for plain quotation marks and single spaces.

    Raises:
        PairsError: a file is missing or damaged, or the languages have different numbers of lines.
    """
    name = PARTS[part]
    sources, targets = (read_lines(folder / f"{name}.{language}.gz") for language in (source, target))
    if len(sources) != len(targets):
        raise PairsError(f"{folder}: {name} has {len(sources)} lines of {source} and {len(targets)} of {target}")
    return [
        Pair(plain(one), (plain(other),))
        for one, other in zip(sources, targets, strict=True)
        if one.strip() and other.strip()
    ]


def read_references(folder: Path, *, target: str = "en") -> list[str]:
    """Read the authors' lower-cased, normalised, tokenised references of the test part, a line each; none without them.

    Raises:
        PairsError: the file is damaged.
    """
    path = folder / "tok" / f"{PARTS['test']}.lc.norm.tok.{target}.gz"
    return read_lines(path) if path.is_file() else []


def read_lines(path: Path) -> list[str]:
    """Read the lines of a gzipped text.

    Raises:
        PairsError: it is missing or damaged.
    """
    if not path.is_file():
        raise PairsError(f"{path} does not exist; expected the files of github.com/multi30k/dataset")
    return read_utf8(path, PairsError).rstrip("\n").split("\n")


def plain(text: str) -> str:
    """Return a caption with plain quotation marks and single spaces."""
    return " ".join(text.translate(PLAIN).split())


def lower(text: str) -> str:
    """Return a caption as the recurrent models read and write it: plain, in lower case."""
    return plain(text).lower()


def tokenise_moses(text: str, language: str = "en") -> str:
    """Return a text as the references of the test part have it: Moses' tokens, in lower case, a space between.

    Covers what occurs in captions: punctuation stands alone except inside words and numbers; an apostrophe inside a
    word begins a token in English (`man 's`), ends one in French (`l' homme`) and stands alone in other languages.
    Moses writes quotation marks as `&quot;` and `&apos;`.
    """
    text = lower(text)
    if language == "en":
        text = re.sub(r'"([,.]+)', r'\1"', text)  # as Moses normalises English
    text = re.sub(r"([^\w\s.,'\-])", r" \1 ", text)
    text = re.sub(r"(?<!\d),|,(?!\d)", " , ", text)
    inside = {"en": " '", "fr": "' "}.get(language, " ' ")
    text = re.sub(r"((?<=[^\W\d_])'(?=[^\W\d_]))|'", lambda mark: inside if mark[1] else " ' ", text)
    text = re.sub(r"(?<![.\s])(\.+)(?=[\s\"']*$)", r" \1", text)
    return " ".join(text.replace('"', "&quot;").replace("'", "&apos;").split())
