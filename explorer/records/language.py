"""The language in which something is said now, and messages in it: `t`, as gettext's `_`."""

import gettext
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from io import BytesIO
from pathlib import Path

LOCALE = Path(__file__).parent.parent / "locale"
#: In which messages are written, and said where nothing names another.
ENGLISH = "en"
#: A language to the folder of its gettext catalogues, where they differ.
_CATALOGUES = {"zh": "zh_CN"}
#: Codes of a language that has no name of its own: not determined, and several.
UNNAMED = ("und", "mul")
_named: ContextVar[str] = ContextVar("language", default="")
_asked: list[Callable[[], str]] = [lambda: ENGLISH]


def t(message: str) -> str:
    """Translate a message into the language in which something is said now."""
    return _translations(current_language()).gettext(message)


def name_of_language(code: str) -> str:
    """Return what a language is called, by a code such as `es`, `pt_BR` or `cmn_Hans`; the code where nobody knows."""
    from babel.core import Locale, get_global  # not there where only a notebook's packages are, which speaks English

    first, *parts = code.split("_")
    said = Locale.parse(_CATALOGUES.get(current_language(), current_language()))
    name = said.languages.get(get_global("language_aliases").get(first, first)) or said.languages.get(first)
    if name is None:
        return code
    known = (said.scripts.get(part) or said.territories.get(part) or part for part in parts)
    return " · ".join((name, *known))


def message(text: str) -> str:
    """Mark a message that is defined in one place and said, by `t`, in another."""
    return text


def current_language() -> str:
    """Return what `speaking` names; else what `ask_for_language` was given answers; else English."""
    return _named.get() or _asked[-1]()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Say everything inside in one language, such as `zh`; a thread that is started inside does not know of it."""
    before = _named.set(language)
    try:
        yield
    finally:
        _named.reset(before)


def ask_for_language(ask: Callable[[], str]) -> None:
    """Name who knows the language in every thread where no `speaking` does: the app asks the session of a page."""
    _asked[:] = [ask]


@lru_cache(maxsize=8)
def _translations(language: str) -> gettext.NullTranslations:
    """Compile every domain of one language, one behind the other: a tenth of a second, so no compiled file is kept."""
    found = gettext.NullTranslations()
    folder = LOCALE / _CATALOGUES.get(language, language) / "LC_MESSAGES"
    if not folder.is_dir():
        return found
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    for catalogue in sorted(folder.glob("*.po")):
        compiled = BytesIO()
        with catalogue.open("rb") as file:
            write_mo(compiled, read_po(file))
        compiled.seek(0)
        domain = gettext.GNUTranslations(compiled)
        domain.add_fallback(found)
        found = domain
    return found
