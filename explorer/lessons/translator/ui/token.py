"""“Inside one word”: one written piece followed through the decoder, sub-layer by sub-layer."""

from functools import partial

import streamlit as st

from explorer.inference.translator.logit_lens import follow
from explorer.lessons import translator as lesson
from explorer.lessons.translator import finished, stream
from explorer.lessons.translator.figures import bars, lens
from explorer.lessons.translator.names import name
from explorer.lessons.translator.ui import rail, stepper
from explorer.lessons.translator.ui import tables as own_tables
from explorer.lessons.translator.ui.result import of_translation
from explorer.records.residual_stream import StreamRecord
from explorer.records.sequence import Likely
from explorer.records.wording import lens_name
from explorer.ui import cache, plot_clicks, tables
from explorer.ui.language import t
from explorer.ui.scene import picture

CODE = (follow,)


controls = rail.asked


@of_translation
def stage(result: lesson.Result, asked: rail.Asked) -> None:
    """Draw the whole sentence under the lens, or one piece step by step, or its choices layer by layer."""
    written = finished.written(result)
    record = cache.compute(stream.follow_stream, written)
    names = {"sentence": t("Sentence"), "word": t("Step by step"), "choices": t("Choices")}
    with asked.slot:
        shown = rail.pick(names, "tr_inside", t("Show"))
        place = rail.token(result)
    if shown == "sentence":
        _sentence(record, place, (written, place))
    elif shown == "word":
        _walk(result, record, place)
    else:
        _choices(record, place, (written, place))


def _sentence(record: StreamRecord, place: int, of: object) -> None:
    picture.show(
        "tr_lens_map",
        partial(lens.sentence, record, place, names=_ends(record), t=t),
        title=t("What would be written if the decoder ended here"),
        note=t("logit lens; click on a row to choose its piece"),
        reading=stream.describe_lens_map(record, t),
        table=lambda: tables.lens_map(record, _ends(record)),
        provenance=record.provenance,
        of=of,
        fits_screen=False,
    )
    last = len(record.written_labels) - 1
    plot_clicks.listen("tr_lens_map", lambda where: rail.open_token(min(max(round(where["y"]), 0), last)))


def _walk(result: lesson.Result, record: StreamRecord, place: int) -> None:
    """Draw the way of one piece: lengths, and what the sub-layer that is looked at did."""
    number = stepper.point(len(record.points))
    left, right = st.columns([1.1, 1], gap="medium")
    of = (finished.written(result), place, number)
    with left:
        _lengths(record, place, number, of)
    with right:
        _here(result, record, place, number, of)


def _lengths(record: StreamRecord, place: int, number: int, of: object) -> None:
    names = [stream.point_name(point, t) for point in record.points]
    picture.show(
        "tr_lengths",
        partial(lens.lengths, record, place, number, names=names, t=t),
        title=t("Lengths: the vector, and what is added to it"),
        reading=stream.describe_norms(record, place, t),
        table=lambda: own_tables.lengths(record, place, names),
        provenance=record.provenance,
        of=of,
        fits_screen=False,
    )
    last = len(record.points) - 1
    plot_clicks.listen("tr_lengths", lambda where: stepper.go(min(max(round(where["y"]), 0), last)))


def _here(result: lesson.Result, record: StreamRecord, place: int, number: int, of: object) -> None:
    """Draw what the sub-layer did: what the lens reads after it, and where it looked."""
    point = record.points[number]
    title = stream.point_name(point, t)
    likeliest = [Likely(label=each.label, probability=each.probability) for each in record.likeliest[number][place]]
    labels = [each.label for each in likeliest]
    token = record.written_labels[place]
    picture.show(
        "tr_point_lens",
        partial(bars.following, likeliest, labels.index(token) if token in labels else None, t=t),
        title=t("{where}: what the lens reads after it").format(where=title),
        reading=stream.describe_point(record, place, number, t),
        provenance=record.provenance,
        of=of,
        fits_screen=False,
    )
    looked = stream.attended_at(result, point, place)
    if looked is not None:
        picture.show(
            "tr_point_row",
            partial(bars.looks, looked.weights[0, 0], looked.key_labels, t=t),
            title=t("Where it looked"),
            note=t("mean of all heads"),
            reading=stream.describe_looked(looked, t),
            table=lambda: tables.attention(looked, 0),
            provenance=looked.provenance,
            of=of,
            fits_screen=False,
        )


def _choices(record: StreamRecord, place: int, of: object) -> None:
    picture.show(
        "tr_choices",
        partial(lens.choices, record, place, names=_ends(record), t=t),
        title=t("“{token}”: the lens’s choices, layer by layer").format(token=name(record.written_labels[place], t)),
        reading=stream.describe_lens(record, place, t),
        table=lambda: tables.choices(record, place, _ends(record)),
        provenance=record.provenance,
        of=of,
        fits_screen=False,
    )


def _ends(record: StreamRecord) -> list[str]:
    return [lens_name(record.points[end], t) for end in record.layer_ends]
