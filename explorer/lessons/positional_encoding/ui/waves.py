"""“Waves”: the code of a place as hands of clocks, and as numbers."""

from functools import partial

from explorer.attention import positions
from explorer.lessons import positional_encoding as lesson
from explorer.lessons.positional_encoding import readings
from explorer.lessons.positional_encoding import waves as topic
from explorer.lessons.positional_encoding.figures import clocks
from explorer.lessons.positional_encoding.ui import controls as widgets
from explorer.lessons.positional_encoding.ui import tables
from explorer.ui import cache
from explorer.ui.language import t
from explorer.ui.scene import picture, predict, rail

CODE = (positions.sinusoidal,)
Chosen = tuple[lesson.Params, lesson.View]


def controls() -> Chosen:
    """Place and base; the length of the codes in the fold."""
    place, base = widgets.place(t("Place")), widgets.base()
    with rail.more():
        dims = widgets.dimensions()
    return widgets.params(base, dims, topic.span(place)), lesson.View(place=place, offset=0)


def stage(chosen: Chosen) -> None:
    """Six waves, and what they say at one place."""
    params, view = chosen
    pairs = topic.drawn_pairs(params.n_pairs)
    codes, likeness = cache.compute(topic.codes, params), topic.likeness(params, view)
    picture.show(
        "pe_clocks",
        partial(clocks.waves, codes, likeness, pairs, t=t),
        title=t("Waves over the places of a text"),
        note=t("{drawn} of {pairs} clocks").format(drawn=len(pairs), pairs=params.n_pairs),
        reading=readings.describe_place(codes, likeness, t),
        table=lambda: tables.codes(codes),
        provenance=codes.provenance,
        of=chosen,
    )


def answer() -> predict.Answer:
    """Compute after how many places the slowest hand is round, and how far it has turned where it is revealed."""
    params = widgets.params(float(widgets.DEFAULTS["pe_base"]), widgets.DEFAULTS["pe_dims"], topic.span(0))
    lengths, place = cache.compute(topic.codes, params).wavelengths, 60
    right = min(("60", "1400", "14000"), key=lambda name: abs(float(name) / float(lengths[-1]) - 1))
    numbers = {"factor": f"{lengths[1] / lengths[0]:.2f}", "slowest": readings.number(float(lengths[-1]))}
    return right, numbers | {"place": str(place), "degrees": readings.number(360 * place / float(lengths[-1]))}
