"""“Change something”: interfere with the translation, and see what becomes of it."""

import html
import re
from collections.abc import Callable
from functools import partial

import pandas as pd
import streamlit as st

from explorer.inference.translator.intervention import intervene
from explorer.lessons import translator as lesson
from explorer.lessons.translator import change as change_of_lesson, change_readings, finished
from explorer.lessons.translator.change_state import Change
from explorer.lessons.translator.figures import bars, maps
from explorer.lessons.translator.names import name
from explorer.lessons.translator.records import ChangeRecord
from explorer.lessons.translator.ui import changed, rail, words
from explorer.lessons.translator.ui.result import of_translation
from explorer.records.sequence import matched
from explorer.scenes.translator import EXAMPLE
from explorer.ui import cache, job_progress
from explorer.ui.language import t
from explorer.ui.scene import picture, predict

CODE = (intervene,)
#: Sources of at most this many tokens are decoded anew without asking: well under a second.
AT_ONCE = 32
#: The source word that the prediction hides.
HIDDEN = "white"
_LINE = """<style>.tr_line{{font-size:18px;line-height:1.4;margin:0;overflow-wrap:anywhere}}.tr_line small{{color:var(
--muted)}}.tr_line mark{{background:color-mix(in srgb,var(--query) 22%,transparent);color:inherit;padding:0 .15em;
border-radius:.2em}}</style><p class="tr_line" lang="{language}"><small>{said}</small> {text}</p>"""
#: A word, a Chinese character, a stretch of space, or a sign.
_PIECES = re.compile(r"[\u3400-\u9fff]|\w+|\s+|.", re.DOTALL)


controls = rail.asked


@of_translation
def stage(result: lesson.Result, asked: rail.Asked) -> None:
    """Draw the translation before and after, and what each piece of the old one gains or loses."""
    change = changed.change(result, asked)
    if change.step is not None and change.does_nothing:
        st.warning(t("The word to look at is masked: choose another."), icon=":material/error:")
    anew(result, change, partial(_compared, result))


def anew(
    result: lesson.Result,
    change: Change,
    draw: Callable[[ChangeRecord, change_of_lesson.InterventionParams], None],
) -> None:
    """Translate again under a change, and draw what comes of it; a long sentence waits until it is asked for."""
    searched = result.params
    params = change_of_lesson.InterventionParams(
        written=finished.written(result), beam=searched.beam, length_penalty=searched.length_penalty, change=change
    )
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
    translated(result, record)
    bars_beside, map_beside = st.columns(2, gap="medium")
    with bars_beside:
        picture.show(
            "tr_changes",
            partial(bars.changes, record, t=t),
            title=t("What each piece of the old translation gains or loses"),
            reading=change_readings.describe_change(record, t),
            table=lambda: _table(record),
            of=(params, record.done),
            fits_screen=False,
        )
    with map_beside:
        _map(result, record, (params, record.done))


def translated(result: lesson.Result, record: ChangeRecord) -> None:
    """Draw the translation under the change; words that the old one does not have are marked."""
    language, after = words.language(result), record.after.text if record.after else ""
    said = {"said": html.escape(t("under the change:")), "language": language}
    st.html(_LINE.format(text=marked(after, record.before.text) if after else "…", **said))
    if record.after and record.done == record.total and not record.after.finished:
        st.caption(t("The translator did not come to an end; this is as far as it got."))


def _before(result: lesson.Result, record: ChangeRecord, of: object) -> None:
    """Draw where the decoder looked, as long as nothing is changed."""
    picture.show(
        "tr_cross_before",
        partial(maps.attention, record.cross_before, titles=words.sides(result), t=t),
        title=t("Where it looked"),
        note=t("mean of all heads"),
        reading=t("Nothing is changed yet: hide a word, overwrite a look, or open More settings."),
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
    picture.show(
        f"tr_cross_{shown}",
        partial(maps.attention, drawn, titles=words.sides(result), height=345, t=t),
        title=t("mean of all heads"),
        reading=f"{change_readings.describe_anew(record, t)} {change_readings.describe_cross_after(record, t)}",
        of=of,
        fits_screen=False,
    )


def marked(text: str, other: str) -> str:
    """Return a text as HTML; the words that do not stand in the other are marked (longest matching blocks)."""
    mine, others = _PIECES.findall(text), _PIECES.findall(other)
    pieces = [
        html.escape(piece) if same or piece.isspace() else f"<mark>{html.escape(piece)}</mark>"
        for piece, same in zip(mine, matched(mine, others)[0], strict=True)
    ]
    return "".join(pieces) or "∅"


def _table(record: ChangeRecord) -> pd.DataFrame:
    return pd.DataFrame(
        {
            t("token"): [name(label, t) for label in record.before.labels],
            t("log-probability before"): record.log_probability_before,
            t("log-probability now"): record.log_probability_after,
            t("change (nats)"): record.change,
        }
    )


def answer() -> predict.Answer:
    """Compute what is written when nobody may look at “white”."""
    result = cache.compute(lesson.compute, lesson.Params(text=EXAMPLE))
    change = Change(masked=(result.trace.source.word_labels.index(HIDDEN),))
    params = change_of_lesson.InterventionParams(written=finished.written(result), change=change)
    record = cache.compute(change_of_lesson.change, params)
    assert record.after is not None
    before, after = (re.findall(r"\w+", text) for text in (record.before.text, record.after.text))
    right = "same" if before == after else "gone" if set(after) < set(before) else "other"
    return right, {
        "after": record.after.text,
        "lost": f"{-record.total_change:.1f}",
        "token": name(record.before.labels[int(record.change.argmin())], t),
    }
