"""What a translation says, in English: read back by a model, for those who do not read its language."""

import html
from collections.abc import Iterator
from functools import lru_cache, partial
from typing import cast

from explorer.checkpoints import store
from explorer.checkpoints.manifest import CheckpointError, Manifest
from explorer.data.parallel.directions import Direction, parse_directions
from explorer.data.tokenizer import Tokenizer
from explorer.evaluate.translations import translate_texts
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.translator.translate import load
from explorer.records.language import t
from explorer.ui import job_progress
from explorer.ui.scene import beside

#: Of a translation that is read back: what does not come to an end is left out.
_MOST_CHARACTERS = 300


def show(text: str, language: str, *, key: str = "meaning", of: str = "") -> None:
    """Draw a small grey line below a translation; nothing where no model reads its language.

    Args:
        language: its code, such as `fr`.
        key: English name, unique on the page.
        of: which translation it is, where there are several.
    """
    if text.strip() and len(text) <= _MOST_CHARACTERS and _reader(language):
        job_progress.at_once(key, read_back, (text, language), partial(_line, of), before=lambda: None)


def read_back(asked: tuple[str, str]) -> Iterator[str]:
    """Translate a text of a language into English, for `job_progress.at_once`."""
    text, language = asked
    try:
        translator = load(_reader(language))
        direction = Direction(language, "en")
        (said,) = translate_texts(
            translator.prepared, cast("Tokenizer", translator.tokenizer), [text], DecodingOptions(), direction=direction
        )
    except CheckpointError:
        said = ""
    yield said


@lru_cache(maxsize=8)
def _reader(language: str) -> str:
    """Return the translator that comes with the project and reads a language into English; empty if none does."""
    into = Direction(language, "en")
    usual = {
        name: manifest
        for name, manifest in store.read_bundled_manifests().items()
        if manifest.family == "translator" and name not in store.COMPARED and "multi30k" not in name
    }
    return next((name for name, each in usual.items() if into in _directions(each)), "")


def _directions(manifest: Manifest) -> tuple[Direction, ...]:
    try:
        return parse_directions(str(manifest.config.get("directions", "")))
    except ValueError:
        return ()


def _line(of: str, said: str) -> None:
    if said:
        words = t("read back into English by another model:")
        words = f"{of}, {words}" if of else words
        beside.show(f'<p class="meaning"><i>{html.escape(words)} </i><span lang="en">{html.escape(said)}</span></p>')
