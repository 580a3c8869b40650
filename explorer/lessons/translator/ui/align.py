"""“Which word for which”: the cross-attention of chosen heads from every side, and what it aligns."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from explorer.attention.alignment_measures import align
from explorer.figures import layer_head_grid
from explorer.lessons import translator as lesson
from explorer.lessons.translator import cross, finished
from explorer.lessons.translator.figures import bars, maps
from explorer.lessons.translator.names import name
from explorer.lessons.translator.ui import rail, tables, words
from explorer.lessons.translator.ui.glossed import explain, with_glosses
from explorer.lessons.translator.ui.rail import Asked
from explorer.lessons.translator.ui.result import of_translation
from explorer.records import AttentionRecord
from explorer.records.alignment import HeadAlignments, pharaoh
from explorer.records.heads import HeadName, head_names, in_order
from explorer.records.language import t
from explorer.records.wording import clamp, head_title
from explorer.scenes.translator import EXAMPLE, LAYERED
from explorer.ui import cache, choice, downloads, fields, messages, plot_clicks, tables as common
from explorer.ui.live import ribbons
from explorer.ui.scene import experiment as trial, heat_map, picture, predict

CODE = (align,)


controls = rail.ask_sentence


@of_translation
def stage(result: lesson.Result, asked: Asked) -> None:
    """Draw the cross-attention of the chosen heads as the reader wants to see it."""
    names = {
        "heaviest": t("Heaviest ribbons"),
        "lines": t("All ribbons"),
        "align": t("Map, heaviest framed"),
        "words": t("One word"),
        "heads": t("Every head"),
    }
    with asked.more:
        shown = choice.select(t("Show as"), names, key="tr_look")
        heads = _heads_chosen(result)
        _sets(result)
        merge, hide = choice.ask("tr_merge"), choice.ask("tr_hide")
    chosen = cross.CrossOptions(heads=heads, merge=merge, hide=hide)
    draw: dict[str, Callable[[lesson.Result, cross.CrossOptions], None]] = {
        "heaviest": partial(_lines, heaviest=True),
        "lines": _lines,
        "align": _hard,
        "words": _word,
        "heads": _heads,
    }
    draw[shown](result, chosen)


def _lines(result: lesson.Result, chosen: cross.CrossOptions, *, heaviest: bool = False) -> None:
    if heat_map.ask_heat_map():
        _matrix(result, chosen)
    else:
        _ribbons(result, chosen, heaviest=heaviest)


def _ribbons(result: lesson.Result, chosen: cross.CrossOptions, *, heaviest: bool) -> None:
    """Draw ribbons: all of them, or the heaviest of each word, which come one by one while a question asks for them."""
    drawn = "" if not heaviest else "asking" if predict.is_held_back() else "each"
    chosen = cross.CrossOptions(heads=chosen.heads, merge=True, hide=chosen.hide)
    raw, title = cross.cross_mean(result, chosen), _title(result, chosen)
    reading = cross.describe_hard(result, chosen)
    if raw.weights.size:
        ribbons.PICTURE.show(
            "tr_cross_ribbons",
            with_glosses(
                partial(
                    ribbons.pack,
                    raw,
                    sentence=t("Writing {query}, it looks at {key}."),
                    hint=t("Point at any word of the translation."),
                    heaviest=drawn,
                ),
                result,
                raw,
            ),
            title=title,
            reading=reading,
            table=lambda: common.attention(raw),
            provenance=raw.provenance,
        )
    else:
        picture.show_reading(reading)
    if not heaviest:
        _best(result)


def _aligned(result: lesson.Result) -> HeadAlignments:
    written = finished.best_translation(result)
    return cache.once(partial(cross.head_alignments, result), "tr_aligned", written)


def _best(result: lesson.Result) -> None:
    """Draw every head's score; a click averages over that head alone."""
    found = _aligned(result)
    picture.show_chart(
        "tr_aligners",
        partial(maps.scores, found.score),
        title=t("Which head aligns best?"),
        note=t("share of the weight that lies where all other heads look most; click to see a head alone"),
        reading=cross.describe_best_head(found),
        table=lambda: tables.aligners(found),
        provenance=found.provenance,
        of=finished.best_translation(result),
        fits_screen=False,
    )
    _listen_to_scores(found.score.shape)


def _matrix(result: lesson.Result, chosen: cross.CrossOptions) -> None:
    """Show the map, the row of the chosen piece framed; a click chooses another."""
    record = cross.cross_mean(result, chosen)
    token = rail.ask_token(result)
    row = cross.cross_row(result, chosen, token)
    picture.show_chart(
        "tr_cross",
        partial(maps.attention, record, row=row, titles=words.sides(result)),
        title=_title(result, chosen),
        reading=cross.describe_cross(record, row),
        of=(finished.best_translation(result), chosen, token),
        **explain(result, record),
    )
    plot_clicks.listen(
        "tr_cross", lambda position: rail.open_token(cross.token_of_row(result, chosen, round(position["y"])))
    )


def _hard(result: lesson.Result, chosen: cross.CrossOptions) -> None:
    """Frame the heaviest cell of every row; beside it, which head aligns best, and the pairs as a file."""
    whole = cross.CrossOptions(heads=chosen.heads, merge=chosen.merge)
    record, positions = cross.cross_mean(result, whole), cross.hard_places(result, chosen)
    first, second = st.columns([1.6, 1], gap="medium")
    with first:
        picture.show_chart(
            "tr_hard",
            partial(maps.attention, record, hard=True, titles=words.sides(result)),
            title=_title(result, chosen),
            reading=cross.describe_hard(result, chosen),
            table=lambda: _pairs(record, cross.hard_alignment(result, chosen), positions),
            of=(finished.best_translation(result), whole),
        )
    with second:
        _best(result)
        _pharaoh(pharaoh(positions))


def _listen_to_scores(shape: tuple[int, ...]) -> None:
    def only(position: plot_clicks.Place) -> None:
        layer, head = (clamp(round(at), n) for at, n in zip((position["y"], position["x"]), shape, strict=True))
        _put({HeadName(part="cross", layer=layer, head=head)})

    plot_clicks.listen("tr_aligners", only)


def _pharaoh(line: str) -> None:
    st.caption(t("Pharaoh format: source–target pairs counted from 0"))
    st.code(line or "–", language=None, wrap_lines=True)
    name, kind = "translation.pharaoh.txt", "text/plain"
    downloads.file(t("Save as text"), lambda: f"{line}\n".encode(), name, kind, key="tr_pharaoh")


def _word(result: lesson.Result, chosen: cross.CrossOptions) -> None:
    """Show one word, and what it has to do with every word of the other side."""
    chosen = cross.CrossOptions(heads=chosen.heads, merge=True, hide=chosen.hide)
    record = cross.cross_mean(result, chosen)
    written, read = words.sides(result)
    with st.container(horizontal=True):
        side = rail.pick({"written": written, "read": read}, "tr_side", t("Go through"))
        weights, mine, others = record.weights[0], record.query_labels, record.key_labels
        if side == "read":
            weights, mine, others = weights.T, others, mine
        if not mine or not others:
            messages.info(t("Nothing is left to show: only special tokens were looked at."))
            return
        names = {str(position): said for position, said in enumerate(rail.number_pieces(mine))}
        position = int(choice.select(t("A word"), names, key="tr_word", width=220))
    said = t("“{word}”: who looked at it") if side == "read" else t("Writing “{word}”: where it looked")
    reading = cross.describe_column(record, position) if side == "read" else cross.describe_cross(record, position)
    draw = partial(bars.column, weights[position], others, asks=side == "written")
    picture.show_chart(
        "tr_cross_word",
        draw,
        title=said.format(word=name(mine[position])),
        reading=reading,
        provenance=record.provenance,
        of=(finished.best_translation(result), chosen, side, position),
    )


def _heads(result: lesson.Result, chosen: cross.CrossOptions) -> None:
    """Draw every layer and head as one picture; a click takes a head in or out."""
    records = cross.cross_overview(result, chosen)
    framed = tuple((head.layer, head.head) for head in chosen.heads)
    picture.show_chart(
        "tr_cross_heads",
        partial(maps.every_layer, records, chosen=framed),
        title=t("Every layer and head"),
        note=t("click on heads to average over them alone"),
        reading=cross.describe_best_head(_aligned(result)),
        table=lambda: tables.every_head(records),
        provenance=records[0].provenance,
        of=(finished.best_translation(result), chosen),
    )
    grid = layer_head_grid.grid(records)

    def toggled(position: plot_clicks.Place) -> None:
        layer, head = grid.tile(position["y"], position["x"])
        _put(set(chosen.heads) ^ {HeadName(part="cross", layer=layer, head=head)})

    plot_clicks.listen("tr_cross_heads", toggled)


def _pairs(
    record: AttentionRecord, pairs: tuple[tuple[int, int], ...], positions: tuple[tuple[int, int], ...]
) -> pd.DataFrame:
    rows = [
        (position, record.key_labels[source], row, record.query_labels[target], record.weights[0, target, source])
        for (source, target), (position, row) in zip(pairs, positions, strict=True)
    ]
    columns = [t("source place"), t("source"), t("target place"), t("target"), t("weight")]
    return pd.DataFrame(rows, columns=columns)


def _heads_chosen(result: lesson.Result) -> tuple[HeadName, ...]:
    """Ask for the heads that are averaged; none stands for all.

    A hidden bound text field carries them as `C1.3 C2.0`, the same in every language; the list follows it.
    """
    there, label = cross.cross_heads(result), t("Heads that are averaged")
    chosen = [head for head in head_names(rail.note("tr_heads", label)) if head in there]
    st.session_state["tr_heads_shown"] = chosen
    st.multiselect(
        label,
        list(there),
        format_func=_layer_head,
        key="tr_heads_shown",
        placeholder=t("all heads of all layers"),
        on_change=lambda: _put(set(st.session_state["tr_heads_shown"])),
    )
    return tuple(chosen)


def _sets(result: lesson.Result) -> None:
    """Offer all heads, those of the last layer, and the one that aligns best."""
    best, last = _aligned(result).best, result.n_layers("cross") - 1
    if best is None:
        return
    of_last = {head for head in cross.cross_heads(result) if head.layer == last}
    sets = {"all": (t("All"), set()), "last": (t("Layer {layer}").format(layer=last), of_last)}
    with st.container(horizontal=True, gap="small"):
        for name, (label, heads) in {**sets, "best": (t("The best"), {best})}.items():
            st.button(label, key=f"tr_heads_{name}", on_click=_put, args=(heads,))


def _put(chosen: set[HeadName]) -> None:
    """Average over these heads from now on, none standing for all; in a callback."""
    fields.set_values({"tr_heads": " ".join(head.code for head in sorted(chosen, key=in_order))})


def _title(result: lesson.Result, chosen: cross.CrossOptions) -> str:
    """Return which heads, in words."""
    n = len(chosen.heads)
    if n == 1:
        return head_title(chosen.heads[0]).capitalize()
    said = t("mean of {n} heads") if n else t("mean of all {n} heads")
    return t("Cross-attention, {heads}").format(heads=said.format(n=n or len(cross.cross_heads(result))))


def _layer_head(head: HeadName) -> str:
    return t("layer {layer}, head {head}").format(layer=head.layer, head=head.head)


def answer() -> predict.Answer:
    """Compute whether any written word looks most at “does”, and which source words nobody chooses."""
    result = cache.compute(lesson.compute, lesson.Params(text=EXAMPLE))
    chosen = cross.CrossOptions(merge=True)
    partners = {source for source, _ in cross.hard_alignment(result, chosen)}
    _, source = cross.rows_of(result, chosen)
    there = [position for position, special in enumerate(source.special) if not special]
    bare = [source.labels[position] for position in there if position not in partners]
    right = "yes" if source.labels.index("does") in partners else "no"
    named_bare = t(", ").join(f"“{label}”" for label in bare) or "–"
    return right, {"partners": str(len(there) - len(bare)), "words": str(len(there)), "bare": named_bare}


def experiment() -> trial.Maps:
    """Lay the cross-attention over whole words: the mean of all heads, and the head that aligns best."""
    result = cache.compute(lesson.compute, lesson.Params(text=LAYERED))
    words, best = cross.CrossOptions(merge=True, hide=True), cross.head_alignments(result).best
    assert best is not None
    mean, alone = (cross.cross_mean(result, replace(words, heads=heads)) for heads in ((), (best,)))
    return trial.over_words(
        mean.query_labels,
        mean.key_labels,
        {_title(result, words): mean.weights[0], _title(result, replace(words, heads=(best,))): alone.weights[0]},
        values={"heads": str(len(cross.cross_heads(result))), "head": head_title(best)},
        reveals={"tr_text": LAYERED},
    )
