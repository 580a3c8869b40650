"""“Documents”: a document is translated row by row, watched, stopped, taken away."""

from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from explorer.data.documents import writing as written
from explorer.data.documents.tables import MOST_CELL, MOST_COLUMNS
from explorer.inference.translator.translate import LoadedTranslator
from explorer.lessons import translator as lesson
from explorer.lessons.translator import documents
from explorer.lessons.translator.figures import bars
from explorer.lessons.translator.ui import brought, rail
from explorer.lessons.translator.ui.result import say_speed, translator_of
from explorer.records.language import t
from explorer.ui import downloads, messages
from explorer.ui.scene import beside, picture
from explorer.ui.streamlit_internals import script_run

#: How often a document is walked on, and how long each time waits for the queue.
LOOK_EVERY_S, PATIENCE_S = 0.5, 0.4
_KEPT = "tr_doc_kept"


def controls() -> rail.Asked:
    """Ask for the direction; the document follows."""
    return rail.ask_sentence(typed=False)


def stage(asked: rail.Asked) -> None:
    """Draw the rows, how sure each is, and the files; what was translated stays when the scene is left."""
    with asked.slot:
        chosen = brought.draw(asked.examples)
    translator = None
    with messages.explain(asked.params.checkpoint):
        translator = translator_of(asked.params)
    if translator is None:
        return
    _left_out(chosen)
    document = _document(chosen, asked.params)
    if document is None:
        if chosen.texts == asked.examples:  # nothing is pasted or brought any more
            _leave()
        many = len(chosen.rows)
        label = t("Translate {n} rows").format(n=many) if many > 1 else t("Translate the row")
        if st.button(label, key="tr_doc_start", icon=":material/play_arrow:", type="primary"):
            _leave()
            made = documents.Document(asked.params, chosen.texts, owner=f"{script_run.session_id()} document")
            st.session_state[_KEPT] = (_name(chosen, asked.params), made)
            st.rerun()
        waiting = documents.Document(asked.params, chosen.texts)
        _drawn(waiting, translator)
        return
    pace = None if document.resting or document.done == document.total else LOOK_EVERY_S
    st.fragment(_watched, run_every=pace)(translator, chosen, document, pace)


def _left_out(chosen: brought.ChosenDocument) -> None:
    """Say what of the document is not translated."""
    if chosen.table.more:
        beside.show_caption(t("The first {n} rows are translated; the others are left out.").format(n=len(chosen.rows)))
    elif chosen.left:
        said = t("The first {n} rows are translated; {left} more are left out.")
        beside.show_caption(said.format(n=len(chosen.rows), left=chosen.left))
    if chosen.table.cut:
        said = t("At most {columns} columns and {characters:,} characters of a cell are read; the rest is left out.")
        beside.show_caption(said.format(columns=MOST_COLUMNS, characters=MOST_CELL))


def _name(chosen: brought.ChosenDocument, params: lesson.Params) -> tuple[object, ...]:
    """Return what a document is made of: where it differs, it is another."""
    return (chosen.texts, replace(params, text=""))


def _document(chosen: brought.ChosenDocument, params: lesson.Params) -> documents.Document | None:
    """Return what this session has of it."""
    name, document = st.session_state.get(_KEPT, ((), None))
    return document if name == _name(chosen, params) else None


def _leave() -> None:
    """Leave the document before: it is no longer in the queue."""
    _, document = st.session_state.pop(_KEPT, ((), None))
    if document is not None:
        document.stop()


def _watched(
    translator: LoadedTranslator, chosen: brought.ChosenDocument, document: documents.Document, pace: float | None
) -> None:
    document.walk_on(PATIENCE_S)
    _status(document, translator)
    _drawn(document, translator)
    if document.done:
        with downloads.while_updating(pace is not None):
            _take_away(chosen, document)
    if pace is not None and (document.resting or document.done == document.total):
        st.rerun()  # the whole page, so that nobody looks any more


def _drawn(document: documents.Document, translator: LoadedTranslator) -> None:
    """Draw how sure each row is, and the rows."""
    sure = tuple(row.sure for row in document.rows)
    picture.show_chart(
        "tr_doc_sure",
        partial(bars.document, sure, [len(row.source) for row in document.rows]),
        title=t("How long is each row?") if all(each is None for each in sure) else t("How sure is each row?"),
        reading=documents.describe_document(document.rows),
        table=lambda: rows(document),
        provenance=translator.provenance,
        of=tuple((len(row.source), row.sure) for row in document.rows),
        own=True,
        fits_screen=False,
    )
    table = rows(document)
    widths = dict(zip(table.columns, (50, 260, 400, 160), strict=True))
    columns = {name: st.column_config.Column(width=width) for name, width in widths.items()}
    height = min(38 * (len(table) + 1), 420)
    beside.show_table(table, key="tr_doc_rows", height=height, column_config=columns)


def _status(document: documents.Document, translator: LoadedTranslator) -> None:
    """Draw how far it is, how fast it was so far, and what can be done."""
    ended = document.done == document.total
    text = t("{done} of {total} rows").format(done=document.done, total=document.total)
    if document.failed:
        text += f" · {t('{n} failed').format(n=document.failed)}"
    if document.answers:
        text += f" · {say_speed(translator, document.params, document.answers)}"
    with st.container(horizontal=True, vertical_alignment="center"):
        if document.resting or (ended and document.failed):
            label = t("Go on") if not ended else t("Try the failed rows again")
            st.button(label, key="tr_doc_go_on", icon=":material/play_arrow:", on_click=document.go_on)
        elif not ended:
            st.button(t("Stop"), key="tr_doc_stop", icon=":material/stop:", on_click=document.stop)
        st.progress(document.done / max(document.total, 1), text)


def rows(document: documents.Document) -> pd.DataFrame:
    """Return what there is so far."""
    return pd.DataFrame(
        {
            t("row"): range(1, document.total + 1),
            t("source"): [row.source for row in document.rows],
            t("translation"): [row.target for row in document.rows],
            t("note"): [row.note() for row in document.rows],
        }
    )


def _take_away(chosen: brought.ChosenDocument, document: documents.Document) -> None:
    """Draw what there is so far, as files; every column of the document stays."""
    table = take_document(chosen, document)  # here: what makes the file runs later, and knows no reader's language
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for label, kind, made in (
            ("CSV", "text/csv", lambda: written.to_csv(table)),
            ("TXT", "text/plain", lambda: written.to_txt([row.target for row in document.rows])),
            (
                "XLSX",
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
                lambda: written.to_xlsx(table),
            ),
        ):
            name = f"translation.{label.lower()}"
            downloads.file(label, made, name, kind, key=f"tr_doc_{label}", icon=":material/download:")


def take_document(chosen: brought.ChosenDocument, document: documents.Document) -> list[list[str]]:
    """Return the document with its translation and notes."""
    numbered = (t("source") if n == chosen.column else str(n + 1) for n in range(chosen.table.n_columns))
    first = chosen.table.rows[0] if chosen.heading else tuple(numbered)
    heading = [*first, t("translation"), t("note")]
    pairs = zip(chosen.rows, document.rows, strict=True)
    return [heading, *([*cells, row.target, row.note()] for cells, row in pairs)]
