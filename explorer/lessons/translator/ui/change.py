"""“Change something”: interfere with the translation, and see what becomes of it."""

import html
import re
from collections.abc import Callable
from difflib import SequenceMatcher
from functools import partial

import pandas as pd
import streamlit as st

from explorer.inference.translator.intervention import intervene
from explorer.lessons import translator as lesson
from explorer.lessons.translator import change as change_of_lesson, change_readings, finished
from explorer.lessons.translator.change_state import Change
from explorer.lessons.translator.figures import bars, maps
from explorer.lessons.translator.live import crossed_out
from explorer.lessons.translator.names import name
from explorer.lessons.translator.records import ChangeRecord
from explorer.lessons.translator.ui import changed, rail, words
from explorer.lessons.translator.ui.result import of_translation
from explorer.records.language import t
from explorer.records.wording import said_change
from explorer.scenes.translator import EXAMPLE
from explorer.ui import cache, job_progress, meaning, messages
from explorer.ui.live.told import Action, Index
from explorer.ui.scene import beside, heat_map, picture, predict

CODE = (intervene,)
#: Sources of at most this many tokens are decoded anew without asking: well under a second.
AT_ONCE = 32
#: The source word that the prediction hides.
HIDDEN = "not"
_STYLE = """.tr_line{font-size:22px;font-weight:650;line-height:1.4;margin:0;overflow-wrap:anywhere}
.tr_line small{display:block;font-size:14px;font-weight:400;line-height:1.2;color:var(--muted)}.tr_line :is(ins,del){
padding:0 .15em;border-radius:.2em;text-decoration:none}.tr_line ins{background:color-mix(in srgb,var(--right) 22%,
transparent)}.tr_line del{color:var(--muted);text-decoration:line-through 2px var(--query);font-weight:400}"""
_LINE = """<p class="tr_line" lang="{language}"><small>{said}</small><span translate="no">{text}</span></p>"""
#: A word, a Chinese character, a stretch of space, or a sign.
_PIECES = re.compile(r"[\u3400-\u9fff]|\w+|\s+|.", re.DOTALL)


controls = rail.ask_sentence


@of_translation
def stage(result: lesson.Result, asked: rail.Asked) -> None:
    """Draw the words to cross out and the looks to force, and what becomes of the translation."""
    mapped, change = heat_map.ask_heat_map(), changed.change(result, asked)
    if change.step is not None and change.does_nothing:
        messages.warning(t("The word to look at is masked: choose another."))
    if mapped:
        anew(result, change, partial(_compared, result))
    elif len(result.trace.source_ids) <= AT_ONCE:
        anew(result, change, partial(_pictured, result))
    else:
        params = _params(result, change)
        _pictured(result, cache.compute(change_of_lesson.under, params), params)
        if not change.does_nothing:
            anew(result, change, lambda record, _: draw_translation(result, record))


def _params(result: lesson.Result, change: Change) -> change_of_lesson.InterventionParams:
    searched = result.params
    return change_of_lesson.InterventionParams(
        written=finished.best_translation(result),
        beam=searched.beam,
        length_penalty=searched.length_penalty,
        change=change,
    )


def _pictured(result: lesson.Result, record: ChangeRecord, params: change_of_lesson.InterventionParams) -> None:
    """Draw the new translation below the old one, and the picture in which both are changed."""
    change, trace = params.change, result.trace
    if record.after is not None and not change.does_nothing:
        draw_translation(result, record)
    pieces = [word[0] for word in trace.written.words]
    force = Action(
        lambda row, word: changed.force(pieces[row], word), row=Index(len(pieces)), word=Index(len(trace.source.words))
    )
    crossed_out.PICTURE.show(
        "tr_crossed",
        partial(crossed_out.pack, result, record, change),
        tells={"word": Action(changed.cross_out, word=Index(len(trace.source.words))), "cell": force},
        title=t("What each word of the old translation loses"),
        reading=_unchanged() if change.does_nothing else change_readings.describe_change(record),
        provenance=record.provenance,
        table=lambda: _table(record),
    )


def _unchanged() -> str:
    return t("Nothing is changed yet: click a word, or a cell.")


def anew(
    result: lesson.Result,
    change: Change,
    draw: Callable[[ChangeRecord, change_of_lesson.InterventionParams], None],
) -> None:
    """Translate again under a change, and draw what comes of it; a long sentence waits until it is asked for."""
    params = _params(result, change)
    if len(params.written.source_ids) <= AT_ONCE:
        job_progress.at_once(
            "tr_anew",
            change_of_lesson.change_steps,
            params,
            lambda found: draw(found, params),
            before=lambda: st.caption(t("Decoding anew …")),
        )
    else:
        job_progress.watch(
            "tr_change",
            change_of_lesson.change_steps,
            params,
            lambda found: draw(found, params),
            label=t("Decode anew"),
            note=t("A long sentence: without a cache this takes a while."),
        )


def _compared(result: lesson.Result, record: ChangeRecord, params: change_of_lesson.InterventionParams) -> None:
    if params.change.does_nothing:
        _before(result, record, params)
        return
    draw_translation(result, record)
    bars_beside, map_beside = st.columns(2, gap="medium")
    with bars_beside:
        picture.show_chart(
            "tr_changes",
            partial(bars.changes, record),
            title=t("What each word of the old translation gains or loses"),
            reading=change_readings.describe_change(record),
            table=lambda: _table(record),
            of=(params, record.done),
            fits_screen=False,
        )
    with map_beside:
        _map(result, record, (params, record.done))


def draw_translation(result: lesson.Result, record: ChangeRecord) -> None:
    """Draw the translation under the change; words that the old one does not have are marked."""
    language, after = words.language(result), record.after.text if record.after else ""
    said = {"said": html.escape(t("under the change")), "language": language}
    beside.show(_LINE.format(text=mark_changes(after, record.before.text) if after else "…", **said), style=_STYLE)
    if record.after and record.done == record.total:
        if not record.after.finished:
            beside.show_caption(t("The translator did not come to an end; this is as far as it got."))
        elif after != record.before.text:
            meaning.show(after, language)


def _before(result: lesson.Result, record: ChangeRecord, of: object) -> None:
    """Draw where the decoder looked, as long as nothing is changed."""
    picture.show_chart(
        "tr_cross_before",
        partial(maps.attention, record.cross_before, titles=words.sides(result)),
        title=t("Where it looked"),
        note=t("mean of all heads"),
        reading=_unchanged(),
        of=of,
        height=picture.Height(less=12),
    )


def _map(result: lesson.Result, record: ChangeRecord, of: object) -> None:
    """Draw where the decoder looks under the change, or where it looked before, on one scale."""
    if record.cross_after is None:
        return
    names = {"after": t("Where it looks now"), "before": t("Where it looked before")}
    shown = rail.pick(names, "tr_when", t("Show"), hidden=True)
    drawn = record.cross_after if shown == "after" else record.cross_before
    picture.show_chart(
        f"tr_cross_{shown}",
        partial(maps.attention, drawn, titles=words.sides(result), height=345),
        title=t("mean of all heads"),
        reading=change_readings.describe_anew(record),
        of=of,
        fits_screen=False,
    )


def mark_changes(text: str, other: str) -> str:
    """Return a text as HTML: its own words are marked, those of the other stand struck out where they were.

    What both have are the longest matching blocks.
    """
    mine, others = _PIECES.findall(text), _PIECES.findall(other)
    found: list[str] = []
    for kind, old, old_end, new, new_end in SequenceMatcher(None, others, mine, autojunk=False).get_opcodes():
        gone, come = "".join(others[old:old_end]), "".join(mine[new:new_end])
        if kind == "equal":
            found.append(html.escape(come))
        else:
            found += [
                f"<{tag}>{html.escape(each)}</{tag}>" for tag, each in (("del", gone), ("ins", come)) if each.strip()
            ]
            found += [" "] if not come.strip() and gone.endswith(" ") else []
    return "".join(found) or "∅"


def _table(record: ChangeRecord) -> pd.DataFrame:
    return pd.DataFrame(
        {
            t("word"): [name(label) for label in record.before_words],
            t("log-probability before"): record.log_probability_before,
            t("log-probability now"): record.log_probability_after,
            t("change (nats)"): record.change,
        }
    )


def answer() -> predict.Answer:
    """Compute what is written when nobody may look at “not”."""
    result = cache.compute(lesson.compute, lesson.Params(text=EXAMPLE))
    change = Change(masked=(result.trace.source.word_labels.index(HIDDEN),))
    params = change_of_lesson.InterventionParams(written=finished.best_translation(result), change=change)
    record = cache.compute(change_of_lesson.change, params)
    assert record.after is not None
    before, after = (re.findall(r"\w+", text) for text in (record.before.text, record.after.text))
    right = "same" if before == after else "likes" if set(after) < set(before) else "other"
    return right, {
        "after": record.after.text,
        "lost": said_change(float(record.change.min())),
        "token": name(record.before_words[int(record.change.argmin())]),
    }
