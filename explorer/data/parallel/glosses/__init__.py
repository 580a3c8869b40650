"""What a word of a foreign language means: for readers who do not speak it.

A word and its gloss stand in `<language>.tsv.gz`, a line each, as `counting` wrote them: English for the others, and
Chinese for English.
"""

import gzip
import re
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
HAN, WORD = re.compile("[\u4e00-\u9fff]+"), re.compile(r"[a-zà-öø-ɏ]+")
#: What is elided before a word: “n'aime” means what “aime” does.
_ELIDED = re.compile(r".*['’](?=\w)")
#: The language beside which the others were counted.
_ENGLISH = "en"


def gloss(word: str, language: str, into: str) -> str:
    """Return what a word means, in the reader's language; empty if that is not known, or is the word itself.

    Args:
        word: as it stands in a text, or a piece of it: signs around it do not count.
        language: of the word: `fr`, `de`, `zh`.
        into: the reader's: `en`, or `zh`, which is reached over English.
    """
    if language in (into, _ENGLISH):
        return ""
    found = HAN.search(word) if language == "zh" else WORD.search(_ELIDED.sub("", word.lower()))
    said = _table(language).get(found[0], "") if found else ""
    return {"i": "I"}.get(said, said) if into == _ENGLISH else _table(_ENGLISH).get(said, "")


@cache
def _table(language: str) -> dict[str, str]:
    path = HERE / f"{language}.tsv.gz"
    lines = gzip.decompress(path.read_bytes()).decode().splitlines() if path.is_file() else []
    return dict(line.split("\t") for line in lines)
