"""“An offset is a turn”: two positions on every clock, and the angle that depends on their distance alone."""

import math
from functools import partial

from explorer.attention import positions
from explorer.lessons import positional_encoding as lesson
from explorer.lessons.positional_encoding import readings, state, waves as topic
from explorer.lessons.positional_encoding.figures import sinusoidal
from explorer.lessons.positional_encoding.live import turn as drawn
from explorer.lessons.positional_encoding.ui import controls as widgets, tables
from explorer.records.language import t
from explorer.records.wording import clamp
from explorer.scenes import DEFAULTS
from explorer.scenes.positional_encoding import TURN
from explorer.ui import choice, fields, plot_clicks
from explorer.ui.scene import experiment as trial, heat_map, predict, rail

CODE = (positions.rotation, positions.similarity)
#: Positions over which the score is drawn and checked.
_LENGTH = 72
Chosen = tuple[lesson.Params, lesson.View]


def controls() -> Chosen:
    """Distance; base and length of the codes in the fold; the film asks for the first position."""
    offset = choice.slider(t("Distance to the second word"), -state.MOST_OFFSET, state.MOST_OFFSET, key="pe_offset")
    position = widgets.position(max(0, -offset))
    with rail.more():
        base, dims = widgets.base(), choice.ask("pe_dims")
    return widgets.params(base, dims, _LENGTH), lesson.View(position=position, offset=offset)


def stage(chosen: Chosen) -> None:
    """Clocks with two hands, the angles between them, and the score."""
    params, view = chosen
    rotation, likeness = topic.rotation(params, view), topic.likeness(params, view)
    span = topic.span(max(view.position, view.position + view.offset))
    title = t("Two positions, one turn")
    framed = (view.position, view.position + view.offset)
    if heat_map.instead(
        "pe_alike_map",
        partial(sinusoidal.alike, likeness, span),
        title=t("The score of every two positions"),
        reading=readings.describe_turn(rotation, likeness, view.position),
        of=(params, span),
        on_click=partial(_ask, span),
        frames=[plot_clicks.cell(*framed)],
    ):
        return
    first = max(0, -view.offset)
    drawn.PICTURE.show(
        "pe_turn",
        partial(drawn.pack, params, rotation, likeness),
        step=view.position - first,
        link_key="pe_place",
        positions=range(first, state.PLACES),
        sentences=lambda: [
            readings.describe_turn(rotation, likeness, position) for position in range(first, state.PLACES)
        ],
        of=(params, view.offset),
        heading=title,
        note=t("blue: the first word, orange: the second"),
        title=title,
        table=lambda: tables.rotation(rotation),
        provenance=rotation.provenance,
    )


def _ask(span: int, position: plot_clicks.Place) -> None:
    """Compare the two positions of the cell that was clicked; in a callback."""
    first, second = (clamp(round(position[axis]), span) for axis in ("y", "x"))
    if abs(second - first) <= state.MOST_OFFSET:
        fields.set_values({"pe_place": str(first), "pe_offset": second - first})


def answer() -> predict.Answer:
    """Measure the first angle at both positions of the question."""
    params = widgets.params(float(DEFAULTS["pe_base"]), DEFAULTS["pe_dims"], _LENGTH)
    indices = (TURN.defaults["pe_place"], TURN.prediction.reveals["pe_place"] if TURN.prediction else 0)
    found = [
        topic.rotation(params, lesson.View(position=int(position), offset=TURN.defaults["pe_offset"]))
        for position in indices
    ]
    before, after = (
        math.degrees(math.atan2(each.after[0][1], each.after[0][0]) - math.atan2(each.before[0][1], each.before[0][0]))
        % 360
        for each in found
    )
    apart = after - before
    right = "same" if abs(apart) < 1e-6 else "wider" if apart > 0 else "narrower"
    residual = readings.tiny(max(each.residual for each in found))
    return right, {"before": f"{before:.0f}", "after": f"{after:.0f}", "residual": residual}


def experiment() -> trial.BestNumber:
    """Find the first distance at which two codes fit half as well as a code fits itself."""
    params = widgets.params(float(DEFAULTS["pe_base"]), DEFAULTS["pe_dims"], _LENGTH)
    likeness = topic.likeness(params, lesson.View(position=0, offset=0))
    ahead = likeness.offsets_all >= 0
    far, score = likeness.offsets_all[ahead], likeness.by_offset[ahead] / likeness.by_offset.max()
    best = int((score < 0.5).argmax())
    again = best + int(score[best:].argmax())
    return trial.BestNumber(
        right=best,
        x=far,
        y=score,
        says=t("score of two codes, of that of a code with itself"),
        values={"best": str(best), "score": f"{score[best]:.0%}", "again": str(again), "back": f"{score[again]:.0%}"},
        reveals={"pe_offset": best},
    )
