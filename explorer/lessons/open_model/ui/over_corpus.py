"""Every head over two hundred sentences: how often it keeps a rule, and where it looks hardest."""

import html
from dataclasses import dataclass
from functools import partial
from typing import cast

import streamlit as st

from explorer.lessons.open_model import corpora, readings, wording
from explorer.lessons.open_model.corpora import CorpusParams, OverTexts
from explorer.lessons.open_model.figures import grids
from explorer.lessons.open_model.ui import controls as widgets, tables
from explorer.opened import ask
from explorer.records.language import t
from explorer.records.opened.look import OpenedTokens, RuleName
from explorer.records.opened.several import HeadExample
from explorer.scenes.open_model import WRITER
from explorer.ui import choice, fields, job_progress, plot_clicks
from explorer.ui.scene import beside, picture, predict, rail

CODE = (ask.over_texts,)
#: In the link, for how much rests.
RESTS = "rests"
#: Characters of sentences of the reader's own.
MOST_LETTERS = 12_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Settings of the stage.

    Attributes:
        rule: that is counted; None for how much rests.
    """

    params: CorpusParams
    rule: RuleName | None
    site: int
    head: int


def controls() -> Chosen:
    """Ask for the model and the rule; for sentences of the reader's own in the fold."""
    name, revision = widgets.model()
    names: dict[str, str] = {
        rule: each.name for rule, each in wording.rules().items() if rule not in ("diagonal", "mixed")
    }
    kind = choice.select(t("What is counted?"), {RESTS: t("how much rests"), **names}, key="om_kind")
    with rail.more():
        typed = choice.area(t("Your own sentences, one a line"), MOST_LETTERS, key="om_lines", height=140)
    lines = tuple(line.strip() for line in typed.splitlines() if line.strip())
    site, head = widgets.head("om_over")
    params = CorpusParams(model=name, revision=revision, lines=lines)
    return Chosen(params=params, rule=None if kind == RESTS else cast("RuleName", kind), site=site, head=head)


def stage(chosen: Chosen) -> None:
    """Draw the grid of heads, and where the chosen one looks hardest."""
    known = corpora.read_recorded(chosen.params)
    if known:
        _draw(known, chosen)
        return
    label = t("Read {count} sentences").format(count=len(chosen.params.texts))
    job_progress.watch("om_corpus", corpora.read, chosen.params, partial(_draw, chosen=chosen), label=label)


def _draw(read: OverTexts, chosen: Chosen) -> None:
    first, second = st.columns([3, 2], gap="medium")
    with first:
        picture.show_chart(
            "om_over_grid",
            partial(_grid, read, chosen.rule),
            title=t("On how many sentences each head keeps the rule")
            if chosen.rule
            else t("How much of its weight rests"),
            reading=readings.describe_over(read, chosen.rule, chosen.site, chosen.head),
            provenance=read.provenance,
            table=lambda: tables.over(read),
            of=(chosen, read.done),
        )
        frames = [plot_clicks.cell(chosen.head, chosen.site)]
        plot_clicks.listen("om_over_grid", partial(_choose, read), frames=frames)
    with second:
        _examples(read, chosen)


def _grid(read: OverTexts, rule: RuleName | None) -> object:
    return grids.draw_heads(
        read.shares(rule), said=t("{value} of the sentences") if rule else t("{value} rests"), most=1.0
    )


def _choose(read: OverTexts, position: plot_clicks.Place) -> None:
    site = min(max(round(position["x"]), 0), len(read.look.heads) - 1)
    head = min(max(round(position["y"]), 0), len(read.look.heads[site]) - 1)
    fields.set_values({"om_over": f"{site}.{head}"})


def _examples(read: OverTexts, chosen: Chosen) -> None:
    """Show the sentences in which the head looks hardest at one word."""
    title = t("Where layer {layer}, head {head} looks hardest").format(layer=chosen.site, head=chosen.head)
    lines = "".join(_line(read.look.texts[each.text], each) for each in read.head(chosen.site, chosen.head).examples)
    note = t("orange looks at blue")
    beside.show(f'<ol class="om-examples" translate="no">{lines}</ol>', style=_STYLE, title=title, note=note)


def _line(tokens: OpenedTokens, example: HeadExample) -> str:
    written = ""
    for positions, label in zip(tokens.row.words, tokens.row.word_labels, strict=True):
        if all(tokens.row.special[position] for position in positions):
            continue
        kind = "query" if example.query in positions else "key" if example.key in positions else ""
        word = f'<b class="{kind}">{html.escape(label)}</b>' if kind else html.escape(label)
        closes = not any(map(str.isalnum, label))
        written += word if closes or not written else f" {word}"
    return f"<li>{written} <span>{example.weight:.0%}</span></li>"


_STYLE = """
.om-examples { margin: 4px 0 0; padding-left: 22px; font-size: 17px; line-height: 1.5; }
.om-examples .query { color: var(--query); }
.om-examples .key { color: var(--key); }
.om-examples span { color: var(--muted); white-space: nowrap; }
"""


def answer() -> predict.Answer:
    """Say on how many sentences the head that looks one word back does so."""
    read = corpora.read_recorded(CorpusParams(model=WRITER, revision=""))
    assert read is not None
    site, head = 16, 0
    share = read.of(read.head(site, head), "previous")
    right = "all" if share > 0.9 else "half" if share > 0.3 else "few"
    return right, {
        "times": f"{share * read.done:.0f}",
        "count": str(read.done),
        "rests": f"{read.head(site, head).rest:.0%}",
    }
