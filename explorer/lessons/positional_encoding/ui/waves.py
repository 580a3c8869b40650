"""“Waves”: the code of a position as hands of clocks, and as numbers."""

from functools import partial

from explorer.attention import positions
from explorer.lessons import positional_encoding as lesson
from explorer.lessons.positional_encoding import readings, state, waves as topic
from explorer.lessons.positional_encoding.figures import sinusoidal
from explorer.lessons.positional_encoding.live import waves as drawn
from explorer.lessons.positional_encoding.ui import controls as widgets, tables
from explorer.records.language import t
from explorer.records.wording import clamp
from explorer.scenes import DEFAULTS
from explorer.scenes.positional_encoding import LESSON, WAVES
from explorer.ui import cache, choice, fields, plot_clicks
from explorer.ui.scene import heat_map, predict, rail

CODE = (positions.sinusoidal,)
Chosen = tuple[lesson.Params, lesson.View]


def controls() -> Chosen:
    """Base; the length of the codes in the fold; the film asks for the position."""
    position, base = widgets.position(), widgets.base()
    with rail.more():
        dims = choice.ask("pe_dims")
    return widgets.params(base, dims, state.PLACES), lesson.View(position=position, offset=0)


def stage(chosen: Chosen) -> None:
    """Six waves, and what they say at one position; the slowest one's round once the question is answered."""
    params, view = chosen
    whole = predict.is_settled(LESSON, WAVES)
    title, codes = t("Waves over the positions of a text"), cache.compute(topic.codes, params)
    if heat_map.instead(
        "pe_codes_map",
        partial(sinusoidal.codes, codes, None),
        title=t("The codes: a row for each position"),
        reading=readings.describe_place(codes, topic.likeness(params, view), view.position),
        of=params,
        on_click=lambda position: fields.set_values({"pe_place": str(clamp(round(position["y"]), len(codes.code)))}),
        frames=[plot_clicks.rows(view.position, view.position, 2 * codes.n_pairs)],
    ):
        return
    likeness, pairs = topic.likeness(params, lesson.View(position=0, offset=0)), topic.drawn_pairs(params.n_pairs)
    drawn.PICTURE.show(
        "pe_clocks",
        partial(drawn.pack, codes, likeness, whole=whole),
        step=view.position,
        link_key="pe_place",
        positions=range(state.PLACES),
        sentences=lambda: [readings.describe_place(codes, likeness, position) for position in range(state.PLACES)],
        of=(params, whole),
        heading=title,
        note=t("{drawn} of {pairs} clocks").format(drawn=len(pairs), pairs=params.n_pairs),
        title=title,
        table=lambda: tables.codes(codes),
        provenance=codes.provenance,
    )


def answer() -> predict.Answer:
    """Compute after how many positions the slowest hand is round, and how far it has turned where it is revealed."""
    params = widgets.params(float(DEFAULTS["pe_base"]), DEFAULTS["pe_dims"], topic.span(0))
    lengths, position = cache.compute(topic.codes, params).wavelengths, 60
    right = min(("60", "1400", "14000"), key=lambda name: abs(float(name) / float(lengths[-1]) - 1))
    numbers = {"factor": f"{lengths[1] / lengths[0]:.2f}", "slowest": readings.number(float(lengths[-1]))}
    return right, numbers | {"position": str(position), "degrees": readings.number(360 * position / float(lengths[-1]))}
