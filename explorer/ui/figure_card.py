"""What stands beside a figure on every page: reading, provenance, numbers, and all of it to take away."""

import html
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from explorer.data.cells import escape_formula
from explorer.figures import export, look as looks
from explorer.records import Provenance
from explorer.records.language import current_language, t
from explorer.ui import downloads

#: Of saved pictures, which cannot take the page's own font with them: what is measured must be what is drawn.
_PRINT_FONT = "Arial, Helvetica, Noto Sans CJK SC, PingFang SC, Microsoft YaHei, sans-serif"
#: Cells a table shows on the page; the CSV has all of them.
TABLE_CELLS = 250_000


def at_least(key: str, pixels: int) -> None:
    """Scroll a card's chart on a screen narrower than this, instead of squeezing it.

    While more of it follows, its edge fades; not in a browser that has no such timeline.
    """
    chart = f".st-key-{key}_chart"
    mask = "linear-gradient(90deg,#000 calc(100% - 72px),transparent) 0 0/calc(100% + 72px) 100% no-repeat"
    moves = "animation:to-the-end linear!important;animation-timeline:scroll(self inline)!important"
    faded = f"@supports (animation-timeline:scroll()){{@media (max-width:760px){{{chart}{{mask:{mask};{moves}}}}}}}"
    st.html(f"<style>{chart}{{overflow-x:auto;--at-least:{pixels}px}}{faded}</style>")


def remark(reading: str, provenance: Provenance | None = None, ran: str = "") -> None:
    """Show a line computed from the numbers, and what computed them.

    As HTML, because these lines change at every step of a slider, and Markdown with icons takes a browser longer: for
    three of them some 5 ms of a redraw.

    Args:
        reading: plain text (escaped here).
        provenance: of the numbers; not said if not given.
        ran: where and how fast they were computed; not said if empty.
    """
    lines = [f"<p>{_icon('visibility')} {html.escape(reading)}</p>"]
    if provenance is not None:
        lines.append(f"<p><small>{_icon('fingerprint')} {t('Computed by')} {html.escape(str(provenance))}</small></p>")
    if ran:
        lines.append(f"<p><small>{_icon('speed')} {html.escape(ran)}</small></p>")
    st.html(f"<div class='remark'>{''.join(lines)}</div>")


def _icon(name: str) -> str:
    """Return one of Streamlit's own icons, as it draws them in Markdown; for the eye only."""
    return f"<span class='icon' aria-hidden='true' translate='no'>{name}</span>"


def files(key: str, figure: Any, title: str, reading: str, numbers: pd.DataFrame, provenance: Provenance) -> None:
    """Show the numbers as a table, and chart and numbers as files; `figure` is made for light paper."""
    words = _words(title, reading, numbers, provenance)
    with looks.drawing_in(looks.LIGHT):
        paper = looks.apply_theme(figure)
    paper.update_layout(paper_bgcolor=looks.LIGHT.paper, font_family=_PRINT_FONT)
    with st.container(key=f"{key}_print"):  # unseen: a page before dark paper, or a room, shows another one
        st.plotly_chart(paper, key=f"{key}_print_chart", config={"displaylogo": False}, theme=None)
    _files(key, lambda: downloads.pictures(key), lambda: export.standalone_html(figure, **words), numbers)


def live_files(key: str, element: str, title: str, reading: str, numbers: pd.DataFrame, provenance: Provenance) -> None:
    """Show the numbers as a table, and a live picture and its numbers as files; arguments as of `files`.

    Args:
        element: the picture as HTML that draws itself, on light paper.
    """
    page = export.page(element, **_words(title, reading, numbers, provenance))
    _files(key, lambda: downloads.stills(key, page), lambda: page, numbers)


def _words(title: str, reading: str, numbers: pd.DataFrame, provenance: Provenance) -> dict[str, str]:
    table = numbers.to_html(border=0, float_format="{:.4g}".format)
    words = {"title": title, "reading": reading, "numbers": t("Numbers"), "language": current_language()}
    return words | {"provenance": str(provenance), "table": table}


def _files(key: str, pictures: Callable[[], None], page: Callable[[], str], numbers: pd.DataFrame) -> None:
    """Show the buttons of all files, and the numbers as a table."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        pictures()
        for label, kind, made, said in (
            ("CSV", "text/csv", lambda: csv_file(numbers), t("The numbers as CSV")),
            ("HTML", "text/html", page, t("Chart and numbers as one file that opens offline")),
        ):
            downloads.file(
                label,
                made,
                f"{downloads.stem(key)}.{label.lower()}",
                kind,
                key=f"{key}_{label}",
                said=said,
                large=made is page,
            )
    st.dataframe(numbers.head(max(1, TABLE_CELLS // max(1, numbers.shape[1]))), key=f"{key}_table")


def csv_file(table: pd.DataFrame) -> bytes:
    """Return the numbers as UTF-8 CSV with a byte-order mark (spreadsheets need it).

    It holds the table and nothing else, so that a column of numbers is read as numbers; what computed them stands on
    the card and in the HTML file. Text cells that a spreadsheet would run as a formula are prefixed with an apostrophe.
    """
    safe = table.rename(columns=_inert, index=_inert).apply(_written)
    counted = isinstance(table.index, pd.RangeIndex) and table.index.name is None
    return safe.to_csv(index=not counted).encode("utf-8-sig")


def _written(column: pd.Series) -> pd.Series:
    """Return a column as it is written: PyTorch's numbers with the digits they have (0.1, not 0.10000000149)."""
    if not pd.api.types.is_float_dtype(column):
        return column.map(_inert)
    single = column.astype(np.float32)
    return single if single.astype(column.dtype).equals(column) else column


def _inert(cell: Any) -> Any:
    return escape_formula(cell) if isinstance(cell, str) else cell
