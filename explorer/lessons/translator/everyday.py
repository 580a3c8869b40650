"""Share of the everyday test sentences that come out wrong: `python -m explorer.lessons.translator.everyday DATA`.

It translates the sentences of every file `everyday_<direction>.tsv` in DATA with each translator of the project that
has the direction, as the page does, and writes `everyday.csv` beside this file.
"""

import csv
import sys
from functools import cache
from pathlib import Path

from explorer.data.parallel.directions import Direction
from explorer.data.parallel.everyday import faults, read_everyday
from explorer.data.tokenizer import Tokenizer
from explorer.evaluate import translate_texts
from explorer.inference.translator.request import Params
from explorer.inference.translator.translate import LoadedTranslator, load
from explorer.lessons.translator import finished

FILE = Path(__file__).with_name("everyday.csv")
COLUMNS = ("checkpoint", "direction", "revision", "sentences", "wrong")


def wrong(translator: LoadedTranslator) -> tuple[int, int] | None:
    """Return how many everyday sentences come out wrong and of how many; None if these weights were not measured."""
    return _measured().get((translator.manifest.revision, str(translator.direction)))


@cache
def _measured() -> dict[tuple[str, str], tuple[int, int]]:
    with FILE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {(row["revision"], row["direction"]): (int(row["wrong"]), int(row["sentences"])) for row in rows}


def measure(checkpoint: str, direction: Direction, path: Path) -> tuple[str, str, str, int, int]:
    """Return a row of the file: translate the sentences, and count those with a fault."""
    translator, sentences = load(checkpoint), read_everyday(path)
    assert isinstance(translator.tokenizer, Tokenizer)
    texts = [each.source for each in sentences]
    written = translate_texts(translator.prepared, translator.tokenizer, texts, Params().options, direction=direction)
    count = sum(bool(faults(each, text, direction.target)) for each, text in zip(sentences, written, strict=True))
    return checkpoint, str(direction), translator.manifest.revision, len(sentences), count


def main(data: Path) -> None:
    """Measure every translator that was trained on everyday sentences, and write the file."""
    rows = [
        measure(name, way, path)
        for name, ways in sorted(finished.translators().items())
        for way in ways
        if "multi30k" not in name and (path := data / f"everyday_{way}.tsv").is_file()
    ]
    with FILE.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
