"""The home page: one real attention, moving, and the lessons. Imports no torch."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from explorer import scenes
from explorer.checkpoints import manifest as checkpoints
from explorer.figures import drawn_numbers, heatmap
from explorer.figures.look import LIGHT, apply_theme, drawing_in, look
from explorer.records import AttentionRecord, json_files
from explorer.records.language import current_language, t
from explorer.ui import cache, card_picture, catalogue, downloads, figure_card, messages
from explorer.ui.live import ribbons
from explorer.ui.live.glosses import explain_words
from explorer.ui.paper.collected import Element
from explorer.ui.scene import elsewhere, follow

TRANSLATOR, EXAMPLE = "translator-en-fr", "example.json"
#: Characters of a sentence that is typed here.
_MOST_TYPED = 300
_STYLE = Path(__file__).with_name("home.css").read_text(encoding="utf8")


def draw() -> None:
    """Draw the living picture first, then the lessons as a grid of cards."""
    st.html(f"<style>{_STYLE}</style>")
    follow.draw()
    with st.container(key="home"):
        _example()
        _ways()
        _lessons()
        _site()


def _example() -> None:
    """Draw the attention of a sentence that the shipped translator translated, computed ahead of time."""
    try:
        record = cache.once(_record, TRANSLATOR, EXAMPLE)
    except checkpoints.CheckpointError as error:
        messages.no_checkpoint(TRANSLATOR, error)
        return
    with st.container(key="living"):
        ribbons.PICTURE.draw("home_ribbons", _ribbons(record))
    with st.container(key="living_on", horizontal=True, vertical_alignment="center"):
        _own_sentence()
        _behind(record)


def living() -> Element:
    """Return the living picture alone, for a page without a server.

    Raises:
        CheckpointError: the translator's example cannot be read.
    """
    return ribbons.PICTURE.element(_ribbons(cache.once(_record, TRANSLATOR, EXAMPLE)))


def _ribbons(record: AttentionRecord) -> Callable[[], dict[str, Any]]:
    """Return what makes the data of the living picture."""
    drawn = partial(
        ribbons.pack,
        record,
        sentence=t("A small Transformer wrote the French line. While it wrote {query}, it looked at {key}."),
        hint=t("Point at any French word."),
        start=max(len(record.query_labels) - 3, 0),
    )
    return lambda: {**drawn(), **explain_words(record.query_labels, "fr", others=record.key_labels)}


def _own_sentence() -> None:
    """Take a sentence to the translator; a form, so that nobody who leaves the field is taken along."""
    line: dict[str, Any] = {"horizontal": True, "vertical_alignment": "center", "gap": "small"}
    with st.form("home_form", border=False), st.container(**line):
        hint = t("Type your own English sentence")
        text = st.text_input(hint, max_chars=_MOST_TYPED, placeholder=hint, label_visibility="collapsed")
        sent = st.form_submit_button(t("Translate"), icon=":material/arrow_forward:", icon_position="right")
    if sent:
        typed = {"tr_text": text} if text.strip() else {}
        st.switch_page(catalogue.page("translator").file, query_params={"scene": "look", **typed})


@st.fragment
def _behind(record: AttentionRecord) -> None:
    """Show the button that opens the numbers; they are made once somebody does."""
    popover = st.popover(
        t("The numbers"), icon=":material/info:", type="tertiary", key="home_numbers", on_change="rerun"
    )
    if popover.open:
        with popover:
            _numbers(record)


def _numbers(record: AttentionRecord) -> None:
    """Draw the same attention as a map, with its provenance, its numbers and its files."""
    title = t("Where a translator looks")
    rows, columns = t("French, as it is written"), t("English, as it was read")

    def drawn() -> Any:
        figure = heatmap.attention(record, query_title=rows, key_title=columns)
        return apply_theme(figure.update_traces(colorscale=look().weights))

    downloads.name_after("home")
    with st.container(key="home_example"):
        here = drawn()
        st.plotly_chart(here, key="home_example_chart", config={"displaylogo": False}, theme=None, alt=title)
        figure_card.remark(title, record.provenance)
        table = drawn_numbers.table(here)
        with drawing_in(LIGHT):
            paper = drawn()
        figure_card.files("home_example", paper, title, "", table, record.provenance)


def _record() -> AttentionRecord:
    path = checkpoints.BUNDLED / TRANSLATOR / EXAMPLE
    again = f"run `python -m explorer.inference.translator.home_example checkpoints/{TRANSLATOR}`"
    try:
        return json_files.loads(path.read_text(encoding="utf8"))
    except OSError as error:
        raise checkpoints.CheckpointMissing(f"{checkpoints.file_of(path)} is missing: {again}.") from error
    except checkpoints.UNUSABLE as error:
        raise checkpoints.CheckpointDamaged(f"{checkpoints.file_of(path)} is damaged ({error}): {again}.") from error


def _ways() -> None:
    """Draw the three ways in: the short one, for a room, and everything. The whole card is the link."""
    lessons = len(catalogue.PAGES)
    first = catalogue.PAGES[0].file
    with st.container(key="ways"):
        _way(
            "short",
            catalogue.page(scenes.SHORT[0]).file,
            ":material/timer:",
            t("In 20 minutes"),
            t("{count} pictures, from one query to a translator.").format(count=len(scenes.SHORT)),
            {"way": "short"},
        )
        about = t("The core scenes, large, with arrow keys.")
        _way("lecture", first, ":material/co_present:", t("In one lecture"), about, {"present": "1"})
        about = t("{count} lessons in order, with exercises.").format(count=lessons)
        _way("everything", first, ":material/menu_book:", t("Everything"), about)


def _way(name: str, file: str, icon: str, title: str, about: str, query: dict[str, str] | None = None) -> None:
    with st.container(key=f"card_way_{name}"):
        st.page_link(file, label=f"**{title}**", icon=icon, query_params=query)
        st.markdown(about)


def _lessons() -> None:
    """Draw a card for each lesson: its number, its title, and the question that it answers."""
    st.subheader(t("{count} lessons").format(count=len(catalogue.PAGES)), anchor=False)
    with st.container(key="grid"):
        for number, page in enumerate(catalogue.PAGES, 1):
            with st.container(key=f"card_{page.stem}"):
                card_picture.show(page.stem)
                st.page_link(page.file, label=f"**{number} {t(page.title)}**", icon=page.icon)
                st.markdown(t(page.question))


def _site() -> None:
    """Link to the same lessons as pages that need no server, where this one is told of them."""
    if address := elsewhere.site_address(current_language()):
        st.link_button(t("These lessons without a server"), address, icon=":material/public:", type="tertiary")
