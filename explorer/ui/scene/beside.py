"""What a stage writes beside its pictures: markup, tables, captions. Off the page it is collected in its order.

A stage calls these, and neither `st.html` nor its like: so pages without a server and work sheets show it, too.
"""

import html
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from explorer import scenes
from explorer.records import wording
from explorer.records.language import t
from explorer.ui import language, layout
from explorer.ui.paper.collected import Collected, add, collect, collecting
from explorer.ui.scene import picture


def show(markup: str, *, style: str = "", title: str = "", note: str = "") -> None:
    """Show markup.

    Args:
        markup: HTML; what comes from a reader or a model is escaped in it.
        style: its style sheet; a site has one page for all scenes of a lesson, so classes tell whose they are.
        title: heading, translated plain text.
        note: small print beside the heading.
    """
    small = f'<p class="small">{html.escape(note)}</p>' if note else ""
    if add(Collected(title, "", markup=small + markup, style=style)):
        return
    if title:
        picture.heading(title, note)
    st.html((f"<style>{style}</style>" if style else "") + markup)


def show_table(frame: pd.DataFrame, *, title: str = "", hint: str = "", wraps: bool = False, **options: Any) -> Any:
    """Show a table.

    Args:
        frame: its index is a column if it has a name.
        title: heading, translated plain text.
        hint: small print beside the heading that says what can be pressed: only on the page.
        wraps: whether its text is wrapped, and not cut off; such a table cannot be pressed.
        options: further arguments of `st.dataframe`.

    Returns:
        What `st.dataframe` returns, the selection if `on_select` was given; None off the page.
    """
    if add(Collected(title, "", frame=frame)):
        return None
    if title:
        picture.heading(title, hint)
    if wraps:
        return st.table(frame)
    return st.dataframe(frame, hide_index=frame.index.name is None, **options)


def show_markdown(text: str, *, title: str = "") -> None:
    """Show Markdown, under a heading if it has one."""
    if collecting():
        from explorer.ui.paper import written  # a page does without its parser

        add(Collected(title, "", markup=str(written.markdown(text))))
        return
    if title:
        picture.heading(title)
    st.markdown(text)


def show_prose(stem: str, section: str, **values: str) -> None:
    """Show a section of a lesson's prose; off the page it names other scenes and does not lead to them."""
    if not collecting():
        layout.prose(stem, section, **values)
        return

    def name(link: re.Match[str]) -> str:
        return t(scenes.lesson(link["lesson"]).scene(link["scene"]).title)

    show_markdown(layout.LINK.sub(name, language.fill_placeholders(stem, section, **values)))


def show_caption(text: str) -> None:
    """Show small print, of Markdown."""
    if collecting():
        from explorer.ui.paper import written  # a page does without its parser

        add(Collected("", "", markup=f'<div class="small">{written.markdown(text)}</div>'))
    else:
        st.caption(text)


@contextmanager
def fold(label: str, icon: str, **options: Any) -> Iterator[None]:
    """Show what is written inside in a fold.

    Args:
        label: of the fold, translated.
        icon: beside it.
        options: further arguments of `st.expander`.
    """
    if not collecting():
        with st.expander(label, icon=icon, **options):
            yield
        return
    with collect() as found:
        yield
    inside = "".join(map(to_html, found))
    add(Collected("", "", markup=f"<details><summary>{html.escape(label)}</summary>{inside}</details>", folded=True))


def to_html(shown: Collected, rows: int | None = None) -> str:
    """Return what is written, without its heading, as HTML with its style sheet.

    Args:
        shown: markup, or a table.
        rows: of a table, at most; it says how many are left out.
    """
    written = shown.markup if shown.frame is None else _tabulate(shown.frame, shown.title or t("Numbers"), rows)
    return (f"<style>{shown.style}</style>" if shown.style else "") + written


def _tabulate(frame: pd.DataFrame, label: str, most: int | None) -> str:
    named = frame.index.name is not None
    names = [*([frame.index.name] if named else []), *frame.columns]
    head = "".join(f'<th scope="col">{html.escape(str(name))}</th>' for name in names)
    rows = []
    for row in frame.head(len(frame) if most is None else most).itertuples(index=named):
        (_, first), *rest = map(_cell, row)
        cells = "".join(f"<td{kind}>{said}</td>" for kind, said in rest)
        rows.append(f'<tr><th scope="row">{first}</th>{cells}</tr>')
    body = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    left = len(frame) - len(rows)
    more = f'<p class="small">{html.escape(t("{n} more rows").format(n=left))}</p>' if left else ""
    return f'<div class="rows" role="region" aria-label="{html.escape(label)}" tabindex="0">{body}</div>{more}'


def _cell(value: Any) -> tuple[str, str]:
    """Return the class of a cell as an attribute, and its text as HTML."""
    if pd.isna(value):
        return "", "–"
    if isinstance(value, (int, float, np.number)):
        return ' class="number"', wording.typeset(f"{value:.6g}" if isinstance(value, float) else str(value))
    return "", html.escape(str(value))
