"""Choice of the document that is translated: pasted or brought, and which column of it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import streamlit as st

from explorer.data.documents import reading
from explorer.data.documents.reading import DocumentRefused, Table
from explorer.data.documents.tables import HowRead
from explorer.figures import theme
from explorer.records.language import t
from explorer.ui import choice, fields, how_read, messages, uploads
from explorer.ui.streamlit_internals.uploaded_file import UploadedFile

#: A document itself stands in no link: it is long, and it is nobody else's.
MOST_PASTED = 60_000
#: What was pasted or brought, which is kept when the reader visits another page: Streamlit forgets its widgets then.
_WORDS, _FILE = "tr_doc_words", "tr_doc_brought"


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """A file that was read, once, and is not kept itself.

    Attributes:
        upload: which upload it was.
        found: how it was read when nobody had been asked.
        wanted: how its reader wants it read otherwise.
        content: what was in it, or why it is refused.
    """

    name: str
    upload: str
    found: HowRead
    wanted: Mapping[str, str]
    content: Table | DocumentRefused


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenDocument:
    """A document, and what of it is translated.

    Attributes:
        column: that is translated.
        heading: whether the first row names the columns.
    """

    table: Table
    column: int
    heading: bool

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """Return what is translated, at most `MOST_ROWS`."""
        return self.table.rows[1:] if self.heading else self.table.rows[: reading.MOST_ROWS]

    @property
    def left(self) -> int:
        """Return how many rows lie beyond."""
        return self.table.left + len(self.table.rows) - self.heading - len(self.rows)

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the texts of the column."""
        return tuple(row[self.column] for row in self.rows)


def draw(examples: tuple[str, ...]) -> ChosenDocument:
    """Return the document and which column of it: pasted, dropped as a file, or, without either, the examples."""
    st.session_state.setdefault("tr_doc_text", st.session_state.get(_WORDS, ""))
    pasted = st.text_area(
        t("Paste sentences, one a line"),
        key="tr_doc_text",
        max_chars=MOST_PASTED,
        height=120,
        placeholder="\n".join(examples),
    )
    file = uploads.file(
        t("… or bring a file: TXT, CSV, TSV or XLSX, at most {most} MB").format(most=reading.MOST_BYTES // 1_000_000),
        ["txt", "csv", "tsv", "xlsx"],
        key="tr_doc_file",
        max_upload_size=reading.MOST_BYTES // 1_000_000,
        on_change=_forget,
    )
    st.session_state[_WORDS] = pasted
    if file is not None:
        st.session_state[_FILE] = _read(file, st.session_state.get(_FILE))
    elif _FILE in st.session_state:
        st.button(
            t("Remove {name}").format(name=messages.plain(theme.visible(st.session_state[_FILE].name, 40))),
            key="tr_doc_forget",
            icon=":material/close:",
            type="tertiary",
            on_click=_forget,
        )
        _kept_as(st.session_state[_FILE])
    brought: Brought | None = st.session_state.get(_FILE)
    if brought is not None:
        if not isinstance(brought.content, DocumentRefused):
            return _column(brought.content, lines=brought.name.lower().endswith(".txt"))
        messages.warning(refusal(brought.content), ":material/upload_file:")
    try:
        if (pasted or "").strip():
            return _column(reading.read("pasted.txt", pasted.encode()))
    except DocumentRefused as refused:
        messages.warning(refusal(refused), ":material/upload_file:")
    return _column(reading.read("examples.txt", "\n".join(examples).encode()))


def _read(file: UploadedFile, before: Brought | None) -> Brought:
    """Return a file as its reader wants it read; what was read before stays while nothing is changed."""
    if before is None or before.upload != file.file_id:
        content = _content(file.name, file.getvalue(), {})
        found = HowRead(sheets=content.sheets) if isinstance(content, DocumentRefused) else content.how
        before = Brought(name=file.name, upload=file.file_id, found=found, wanted={}, content=content)
    wanted = how_read.ask(before.found, f"tr_doc_{file.file_id}")
    if wanted == before.wanted:
        return before
    return replace(before, wanted=wanted, content=_content(file.name, file.getvalue(), wanted))


def _content(name: str, data: bytes, wanted: Mapping[str, str]) -> Table | DocumentRefused:
    try:
        return reading.read(name, data, **wanted)
    except DocumentRefused as refused:
        return refused.with_traceback(None)


def _kept_as(brought: Brought) -> None:
    """Say how a file was read that is no longer there to be read otherwise."""
    if not isinstance(brought.content, DocumentRefused) and len(brought.found.sheets) > 1:
        sheet = theme.visible(brought.content.how.sheet, 40)
        messages.caption(t("Sheet that was read: {name}").format(name=sheet))


def _forget() -> None:
    """Forget the document: another file, or none. Between two files the page is drawn without either's controls."""
    st.session_state.pop(_FILE, None)
    kept = {key: st.session_state[key] for key in ("tr_doc_column", "tr_doc_heading") if key in st.session_state}
    fields.set_values(kept)


def refusal(refused: DocumentRefused) -> str:
    """Return why a document cannot be read, and what to do, in words."""
    megabytes = reading.MOST_BYTES // 1_000_000
    return {
        "size": t("This file is larger than {most} MB: give a smaller one.").format(most=megabytes),
        "unpacked": t("Unpacked, this workbook would be too large: save the column as CSV and give that."),
        "kind": t("This is no file of text, CSV, TSV or XLSX, whatever its name says."),
        "damaged": t("This file cannot be read: it is damaged, or not what its name says."),
        "empty": t("There is nothing in this document."),
    }[refused.problem]


def _column(table: Table, *, lines: bool = True) -> ChosenDocument:
    """Ask of a table for the column, if there are several, and whether the first row names them.

    Args:
        table: what was read.
        lines: whether it is plain text, of whose lines none is a heading.
    """
    if lines:
        return ChosenDocument(table=table, column=0, heading=False)
    column = 0
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        if table.n_columns > 1:
            names = {str(number): _name(table, number) for number in range(table.n_columns)}
            column = int(choice.select(t("Column to translate"), names, key="tr_doc_column", width=360))
        heading = choice.toggle(t("The first row names the columns"), key="tr_doc_heading")
    return ChosenDocument(table=table, column=column, heading=bool(heading))


def _name(table: Table, number: int) -> str:
    first = " ".join(table.rows[0][number].split())[:30]
    return f"{number + 1}: {first}" if first else str(number + 1)
