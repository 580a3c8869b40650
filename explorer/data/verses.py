"""Famous couplets of the Tang: the second line answers the first, mostly word for word.

`verses.tsv` is a selection of this project: both lines, a tab between them, in simplified characters. The poems are in
the public domain. Each pair was looked up in the Complete Tang Poems of chinese-poetry, where the second line follows
the first; poets of the Song are not in that collection, and so not here.
"""

from functools import lru_cache
from pathlib import Path

from explorer.data.files import read_utf8
from explorer.data.parallel.pairs import Pair
from explorer.data.text import TextError

FILE = Path(__file__).with_name("verses.tsv")


@lru_cache(maxsize=1)
def verses() -> tuple[Pair, ...]:
    """Read all couplets, as `(first line, second line)`.

    Raises:
        TextError: the file cannot be read.
    """
    rows = (row.partition("\t") for row in read_utf8(FILE, TextError).splitlines())
    return tuple(Pair(first, (second,)) for first, _, second in rows)
