"""“Inside one word”: one written piece followed through the decoder, sub-layer by sub-layer."""

from functools import partial

from explorer.inference.translator.logit_lens import follow
from explorer.lessons import translator as lesson
from explorer.lessons.translator import finished, stream
from explorer.lessons.translator.figures import lens
from explorer.lessons.translator.live import token as film
from explorer.lessons.translator.names import name
from explorer.lessons.translator.ui import rail, tables as own_tables
from explorer.lessons.translator.ui.result import of_translation
from explorer.records.language import t
from explorer.records.residual_stream import StreamRecord
from explorer.records.wording import clamp, lens_name
from explorer.ui import cache, choice, messages, plot_clicks, tables
from explorer.ui.scene import picture

CODE = (follow,)


controls = rail.ask_sentence


@of_translation
def stage(result: lesson.Result, asked: rail.Asked) -> None:
    """Draw the whole sentence under the lens, or one piece step by step, or its choices layer by layer."""
    written = finished.best_translation(result)
    record = cache.compute(stream.follow_stream, written)
    if written.model().prepared.config.norm == "post":
        said = t("This model normalises after each step: lengths, and what the lens reads, are of normalised vectors.")
        with asked.note:
            messages.caption(said)
    names = {"sentence": t("Sentence"), "word": t("Step by step"), "choices": t("Choices")}
    with asked.slot:
        shown = rail.pick(names, "tr_inside", t("Show"))
        position = rail.ask_token(result)
    if shown == "sentence":
        _sentence(record, position, (written, position))
    elif shown == "word":
        _walk(result, record, position)
    else:
        _choices(record, position, (written, position))


def _sentence(record: StreamRecord, position: int, of: object) -> None:
    picture.show_chart(
        "tr_lens_map",
        partial(lens.sentence, record, position, names=_ends(record)),
        title=t("What would be written if the decoder ended here"),
        note=t("logit lens; click on a row to choose its piece"),
        reading=stream.describe_lens_map(record),
        table=lambda: tables.lens_map(record, _ends(record)),
        of=of,
        fits_screen=False,
    )
    last = len(record.written_labels) - 1
    plot_clicks.listen("tr_lens_map", lambda where: rail.open_token(clamp(round(where["y"]), last + 1)))


def _walk(result: lesson.Result, record: StreamRecord, position: int) -> None:
    """Draw the way of one piece: lengths, what the lens reads after each sub-layer, and where it looked."""
    number = choice.step(t("Step on the way"), key="tr_point", last=len(record.points) - 1)
    written = finished.best_translation(result)
    looked = [stream.attended_at(result, each, position) for each in record.points]
    title = t("{where}: what the lens reads after it").format(where=stream.point_name(record.points[number]))
    names = [stream.point_name(point) for point in record.points]
    film.PICTURE.show(
        "tr_point_lens",
        partial(film.pack, record, position, looked),
        step=number,
        link_key="tr_point",
        positions=range(len(record.points)),
        sentences=lambda: [film.sentence(record, position, at, each) for at, each in enumerate(looked)],
        of=(written, position),
        title=title,
        table=lambda: own_tables.point(record.likeliest[number][position], looked[number]),
        provenance=record.provenance,
        also={
            "tr_lengths": {
                "title": t("Lengths: the vector, and what is added to it"),
                "reading": stream.describe_norms(record, position),
                "table": lambda: own_tables.lengths(record, position, names),
                "provenance": record.provenance,
            }
        },
    )


def _choices(record: StreamRecord, position: int, of: object) -> None:
    picture.show_chart(
        "tr_choices",
        partial(lens.choices, record, position, names=_ends(record)),
        title=t("“{token}”: the lens’s choices, layer by layer").format(token=name(record.written_labels[position])),
        reading=stream.describe_lens(record, position),
        table=lambda: tables.choices(record, position, _ends(record)),
        of=of,
        fits_screen=False,
    )


def _ends(record: StreamRecord) -> list[str]:
    return [lens_name(record.points[end]) for end in record.layer_ends]
