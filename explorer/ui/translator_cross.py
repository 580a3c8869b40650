"""Page 09: the cross-attention from every side, and what it aligns."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from explorer.figures import heatmap, multi_head_lines, multi_head_overview, seq2seq_attention, translator_lines
from explorer.figures import translator_bars as bars
from explorer.lessons import translator as lesson
from explorer.records import AttentionRecord
from explorer.records.alignment import HeadAlignments, pharaoh
from explorer.records.heads import HeadName
from explorer.ui import card, clicks, layout, tables, translator_tables, translator_words
from explorer.ui.controls import translator as controls
from explorer.ui.controls import translator_cross as own
from explorer.ui.language import t


def explore(result: lesson.Result) -> None:
    """The cross-attention of the chosen heads, as the reader wants to see it."""
    layout.prose("translator", "cross")
    found = lesson.head_alignments(result)
    look = own.look()
    heads = own.heads(result, found.best)
    merge, hide = controls.merge_and_hide()
    chosen = lesson.Chosen(heads=heads, merge=merge, hide=hide)
    if look == "words":
        _words(result, chosen)
    elif look == "heads":
        _overview(result, chosen)
    elif look == "align":
        _alignment(result, chosen, found)
    else:
        _pair(result, chosen, look)


def _pair(result: lesson.Result, chosen: lesson.Chosen, look: str) -> None:
    """Lines or matrix, with the row of the chosen token; a click chooses another."""
    token = controls.token(result)
    record, row = lesson.cross_mean(result, chosen), lesson.cross_row(result, chosen, token)
    written, read = translator_words.sides(result)
    if look == "lines":
        figure = translator_lines.bipartite(record, selected=row, above=read, below=written, t=t)
    else:
        figure = heatmap.attention(record, head=0, query_title=written, key_title=read, t=t)
        figure = multi_head_overview.scale_above(bars.framed(figure, row=row))
    card.show(
        "tr_cross",
        figure,
        title=t("Cross-attention, {heads}").format(heads=_heads(result, chosen)),
        reading=lesson.reading_cross(record, row, t),
        table=lambda: tables.attention(record, 0),
        provenance=record.provenance,
    )
    rows = len(record.query_labels)

    def opened(place: clicks.Place) -> None:
        if look == "matrix":
            controls.open_token(lesson.token_of_row(result, chosen, round(place["y"])))
        elif place["y"] < 0.5:
            controls.open_token(lesson.token_of_row(result, chosen, round(place["x"] * rows - 0.5)))

    clicks.listen("tr_cross", opened)
    if look == "lines":
        st.caption(
            t("Weights below {least} are not drawn. Click on a written token to follow its lines.").format(
                least=multi_head_lines.LEAST
            )
        )


def _words(result: lesson.Result, chosen: lesson.Chosen) -> None:
    """One word, and what it has to do with every word of the other side."""
    chosen = lesson.Chosen(heads=chosen.heads, merge=True, hide=chosen.hide)
    record = lesson.cross_mean(result, chosen)
    written, read = translator_words.sides(result)
    side = own.side({"written": written, "read": read})
    mine, others = record.query_labels, record.key_labels
    weights = record.weights[0]
    if side == "read":
        mine, others, weights = others, mine, weights.T
    place = own.word(mine)
    if not mine or not others:
        st.info(t("Nothing is left to show: only special tokens were looked at."))
        return
    reading = lesson.reading_column(record, place, t) if side == "read" else lesson.reading_cross(record, place, t)
    said = t("“{word}”: who looked at it") if side == "read" else t("Writing “{word}”: where it looked")
    card.show(
        "tr_cross_word",
        bars.row(weights[place], labels=others, t=t),
        title=said.format(word=mine[place]),
        reading=reading,
        table=lambda: tables.matrix(weights[place][None], (mine[place],), others),
        provenance=record.provenance,
    )


def _overview(result: lesson.Result, chosen: lesson.Chosen) -> None:
    """Every layer and head as one picture; a click takes a head in or out."""
    records = lesson.cross_overview(result, chosen)
    card.show(
        "tr_cross_heads",
        multi_head_overview.overview([(t("Decoder, cross-attention"), records)], t=t),
        title=t("Every layer and head"),
        reading=lesson.reading_best_head(lesson.head_alignments(result), t),
        table=lambda: translator_tables.every_head(records),
        provenance=replace(result.trace.attentions[0].provenance, detail="cross-attention, every layer and head"),
    )
    grid = multi_head_overview.grid(records)
    frames = []
    for head in chosen.heads:
        row, column = grid.corner(head.layer, head.head)
        sides = {"x0": column - 0.5, "x1": column + grid.keys - 0.5, "y0": row - 0.5, "y1": row + grid.queries - 0.5}
        frames.append(sides | {"axis": 1})

    def toggled(place: clicks.Place) -> None:
        layer, head = grid.tile(place["y"], place["x"])
        own.toggle(HeadName(part="cross", layer=layer, head=head))

    clicks.listen("tr_cross_heads", toggled, frames=frames)
    st.caption(t("Click on a head to average over it, and again to leave it out."))


def _alignment(result: lesson.Result, chosen: lesson.Chosen, found: HeadAlignments) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        _hard(result, chosen)
    with right:
        _best(found)


def _hard(result: lesson.Result, chosen: lesson.Chosen) -> None:
    """The argmax of every row, and the pairs as a file."""
    whole = lesson.Chosen(heads=chosen.heads, merge=chosen.merge)
    record, pairs = lesson.cross_mean(result, whole), lesson.hard_alignment(result, chosen)
    places = lesson.hard_places(result, chosen)
    written, read = translator_words.sides(result)
    card.show(
        "tr_hard",
        seq2seq_attention.alignment(record, hard=True, query_title=written, key_title=read, t=t),
        title=t("Hard alignment, {heads}").format(heads=_heads(result, chosen)),
        reading=lesson.reading_hard(result, chosen, t),
        table=lambda: _pairs(record, pairs, places),
        provenance=record.provenance,
    )
    line = pharaoh(places)
    st.caption(t("Pharaoh format: source–target pairs counted from 0, without special tokens"))
    st.code(line or "–", language=None, wrap_lines=True)
    st.download_button(
        t("Save as text"),
        f"{line}\n",
        "translation.pharaoh.txt",
        "text/plain",
        key="tr_pharaoh",
        on_click="ignore",
        type="tertiary",
    )


def _pairs(
    record: AttentionRecord, pairs: tuple[tuple[int, int], ...], places: tuple[tuple[int, int], ...]
) -> pd.DataFrame:
    rows = [
        (place, record.key_labels[source], row, record.query_labels[target], record.weights[0, target, source])
        for (source, target), (place, row) in zip(pairs, places, strict=True)
    ]
    columns = [t("source place"), t("source"), t("target place"), t("target"), t("weight")]
    return pd.DataFrame(rows, columns=columns)


def _best(found: HeadAlignments) -> None:
    """Every head's score; a click averages over that head alone."""
    layers, heads = found.score.shape
    said = t("head {head} of {layer}: {score}").format(head="%{x}", layer="%{y}", score="%{z:.2f}")
    figure = heatmap.matrix(
        found.score.astype("float32"),
        rows=tuple(t("layer {layer}").format(layer=layer) for layer in range(layers)),
        columns=tuple(str(head) for head in range(heads)),
        column_title=t("head"),
        value_title=t("score"),
        hover=f"{said}<extra></extra>",
    )
    card.show(
        "tr_aligners",
        multi_head_overview.scale_above(figure).update_xaxes(title_standoff=46),  # below the numbers
        title=t("Which head aligns best?"),
        reading=lesson.reading_best_head(found, t),
        table=lambda: translator_tables.aligners(found),
        provenance=found.provenance,
    )

    def only(place: clicks.Place) -> None:
        layer, head = (
            min(max(round(each), 0), count - 1) for each, count in ((place["y"], layers), (place["x"], heads))
        )
        own.put((HeadName(part="cross", layer=layer, head=head),))

    clicks.listen("tr_aligners", only)
    st.caption(
        t(
            "Score: the weight a head gives, on average, to the source word that all other heads together weigh most."
            " Click on a head to see its alignment alone."
        )
    )


def _heads(result: lesson.Result, chosen: lesson.Chosen) -> str:
    """Which heads, in words."""
    if not chosen.heads:
        return t("mean of all {n} heads").format(n=len(lesson.cross_heads(result)))
    codes = " ".join(head.code for head in chosen.heads)
    if len(chosen.heads) == 1:
        return t("head {number}").format(number=codes)
    return t("mean of {heads}").format(heads=codes)
