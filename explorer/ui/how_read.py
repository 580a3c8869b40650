"""Choice of how a reader's table is read, where the file leaves it open: encoding, separator, sheet."""

from collections.abc import Callable, Mapping

import streamlit as st

from explorer.data.documents.encoding import ENCODINGS, choice_of
from explorer.data.documents.tables import HowRead, TextTable, declare
from explorer.records.language import t
from explorer.ui import fields, messages


def encodings() -> Mapping[str, str]:
    """Return the encodings that may be chosen, with their names."""
    said = {
        "utf-8": "UTF-8",
        "utf-16-le": "UTF-16 (LE)",
        "utf-16-be": "UTF-16 (BE)",
        "cp1252": t("Windows-1252 (Western Europe)"),
        "gb18030": t("GB 18030 (simplified Chinese)"),
        "big5": t("Big5 (traditional Chinese)"),
        "shift_jis": t("Shift-JIS (Japanese)"),
    }
    return {each: said[each] for each in ENCODINGS}


def separators() -> Mapping[str, str]:
    """Return the separators that may be chosen, with their names."""
    return {
        ",": t("comma ,"),
        ";": t("semicolon ;"),
        "\t": t("tab"),
        "|": t("bar |"),
        " ": t("space"),
        "": t("nothing: one column"),
    }


def ask(how: HowRead, key: str) -> dict[str, str]:
    """Ask for what a file leaves open, beginning with what was found; return what the reader wants to have otherwise.

    Args:
        how: the file was read when nobody had been asked.
        key: of the box and of the file: another file is another question.
    """
    wanted: dict[str, str] = {}
    if how.encoding_guessed:
        said = t("The file does not say how its letters are encoded; it was read as {name}.")
        messages.caption(said.format(name=how.encoding), ":material/info:")
        wanted |= _one("encoding", t("Encoding"), encodings(), choice_of(how.encoding), key)
    if how.separator_guessed:
        wanted |= _one("separator", t("Columns are separated by"), separators(), how.separator, key)
    if len(how.sheets) > 1:
        names = {name: t("{name} (hidden)").format(name=name) if hidden else name for name, hidden in how.sheets}
        wanted |= _one("sheet", t("Sheet to read"), names, how.sheet, key)
    return wanted


def _one(what: str, label: str, names: Mapping[str, str], found: str, key: str) -> dict[str, str]:
    """Ask for one of some names; return it if it is another than what was found."""
    ids = list(names)
    position = ids.index(found) if found in ids else 0
    chosen = st.selectbox(label, ids, position, names.__getitem__, key=f"{key}_{what}", width=360)
    return {} if chosen == found else {what: chosen}


def open_file(read: Callable[..., TextTable], data: bytes, key: str) -> TextTable:
    """Open the table of a file, as its reader wants it read.

    Args:
        read: opens it, with `encoding` and `separator` if they are chosen.
        data: what is in the file.
        key: as for `ask`.
    """
    found = read(data)
    wanted = ask(found.how, key)
    return read(data, **wanted) if wanted else found


def open_text(read: Callable[[str], TextTable], text: str, key: str) -> TextTable:
    """Open a table that was typed; another separator is written into the box of this key, so that the link says it."""
    found = read(text)
    if found.guessed:
        box = f"{key}_separator"
        names = {each: name for each, name in separators().items() if each}
        position = list(names).index(found.separator) if found.separator in names else None
        st.session_state[box] = found.separator if position is not None else None
        st.selectbox(
            t("Columns are separated by"),
            list(names),
            None,
            names.__getitem__,
            key=box,
            on_change=_declare,
            args=(key, text, box),
            width=360,
        )
    return found


def _declare(key: str, text: str, box: str) -> None:
    """Write the separator into the text; in a callback."""
    chosen = st.session_state.get(box)
    if chosen:
        fields.set_values({key: declare(text, chosen)})
