"""“Inside one word”: one written piece followed through the decoder, sub-layer by sub-layer."""

from functools import partial
from typing import Any

import streamlit as st

from explorer.figures import look as looks
from explorer.figures.look import Look
from explorer.inference.translator.logit_lens import follow
from explorer.lessons import translator as lesson
from explorer.lessons.translator import finished, stream
from explorer.lessons.translator.figures import bars, lens
from explorer.lessons.translator.names import name
from explorer.lessons.translator.ui import rail, tables as own_tables, token_film
from explorer.lessons.translator.ui.result import of_translation
from explorer.records import AttentionRecord
from explorer.records.residual_stream import StreamRecord
from explorer.records.sequence import Likely
from explorer.records.wording import clamped, lens_name
from explorer.ui import appearance, cache, choice, figure_card, plot_clicks, tables
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
        of=of,
        fits_screen=False,
    )
    last = len(record.written_labels) - 1
    plot_clicks.listen("tr_lens_map", lambda where: rail.open_token(clamped(round(where["y"]), last + 1)))


def _walk(result: lesson.Result, record: StreamRecord, place: int) -> None:
    """Draw the way of one piece: lengths, what the lens reads after each sub-layer, and where it looked."""
    number = choice.step(t("Step on the way"), key="tr_point", last=len(record.points) - 1)
    written = finished.written(result)
    looked = [stream.attended_at(result, each, place) for each in record.points]
    title = t("{where}: what the lens reads after it").format(where=stream.point_name(record.points[number], t))
    token_film.draw(
        record,
        place,
        looked,
        number,
        key="tr_point_lens",
        of=written,
        draw=partial(_lens, record, place, number),
        title=title,
        provenance=record.provenance,
        more=partial(_looked, looked[number]),
    )
    names = [stream.point_name(point, t) for point in record.points]
    picture.remark(
        "tr_lengths",
        partial(lens.lengths, record, place, number, names=names, t=t),
        title=t("Lengths: the vector, and what is added to it"),
        reading=stream.describe_norms(record, place, t),
        table=lambda: own_tables.lengths(record, place, names),
    )


def _lens(record: StreamRecord, place: int, number: int, *, look: Look) -> Any:
    """Draw what the lens reads after a sub-layer."""
    likeliest = [Likely(label=each.label, probability=each.probability) for each in record.likeliest[number][place]]
    labels, token = [each.label for each in likeliest], record.written_labels[place]
    return bars.following(likeliest, labels.index(token) if token in labels else None, look=look, t=t)


def _looked(looked: AttentionRecord | None) -> None:
    """Show the files of where a sub-layer looked."""
    if looked is None:
        return
    title, said = t("Where it looked"), stream.describe_looked(looked, t)
    st.markdown(f"**{title}** ({t('mean of all heads')})")
    here, figure = (
        looks.dressed(bars.looks(looked.weights[0, 0], looked.key_labels, look=look, t=t), look)
        for look in (appearance.current(), looks.LIGHT)
    )
    figure_card.chart("tr_point_row", here, title)
    figure_card.files("tr_point_row", figure, title, said, tables.attention(looked, 0), looked.provenance)


def _choices(record: StreamRecord, place: int, of: object) -> None:
    picture.show(
        "tr_choices",
        partial(lens.choices, record, place, names=_ends(record), t=t),
        title=t("“{token}”: the lens’s choices, layer by layer").format(token=name(record.written_labels[place], t)),
        reading=stream.describe_lens(record, place, t),
        table=lambda: tables.choices(record, place, _ends(record)),
        of=of,
        fits_screen=False,
    )


def _ends(record: StreamRecord) -> list[str]:
    return [lens_name(record.points[end], t) for end in record.layer_ends]
