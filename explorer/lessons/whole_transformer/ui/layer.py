"""“Inside a layer”: what each part reads and what it adds."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from explorer.figures import weight_map
from explorer.lessons import whole_transformer as lesson
from explorer.lessons.whole_transformer import readings, ride
from explorer.lessons.whole_transformer.live import in_layer, names
from explorer.lessons.whole_transformer.ride_readings import describe_layer
from explorer.lessons.whole_transformer.state import MOST_TOKENS
from explorer.lessons.whole_transformer.ui import asking, tables
from explorer.nn.blocks import DecoderLayer, EncoderLayer, FeedForward
from explorer.records.language import t
from explorer.records.wording import token
from explorer.scenes import DEFAULTS
from explorer.ui import choice
from explorer.ui.live.told import Link, OneOf
from explorer.ui.scene import heat_map, predict

CODE = (EncoderLayer.forward, DecoderLayer.forward, FeedForward.forward)
#: Layers of the translator that is drawn.
N_ENCODER, N_DECODER = 4, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A layer, the row that is large in it, and whether its numbers are written.

    Attributes:
        row: of the layer's words, from 0.
    """

    params: lesson.Params
    layer: str
    row: int
    numbers: bool


def controls() -> Chosen:
    """Ask for the sentence, the layer and whether numbers are written."""
    params = asking.sentence()
    said = names.layers(N_ENCODER, N_DECODER)
    layers = {f"{stack}.{number}": name for stack, all_of in said.items() for number, name in enumerate(all_of)}
    layer = choice.select(t("Layer"), layers, key="wt_layer")
    row = choice.step(t("Word"), key="wt_asks", last=MOST_TOKENS - 1, first=1)
    return Chosen(params=params, layer=layer, row=row, numbers=choice.toggle(t("Numbers"), key="wt_numbers"))


def stage(chosen: Chosen) -> None:
    """Draw one word inside of a layer."""
    layer = chosen.layer
    result = asking.record(chosen.params)
    if result is None:
        return
    called = names.parts()
    asks, _ = readings.rows_of(result, f"{layer}.self")
    row = min(chosen.row, len(asks) - 1)
    said = describe_layer(result.whole, layer, row)
    if heat_map.instead(
        "wt_layer_map",
        partial(weight_map.draw_maps, _maps(result, layer, called), across=4),
        title=t("What each part adds"),
        reading=said,
        provenance=result.whole.provenance,
        of=chosen,
    ):
        return
    shares = {called[readings.kind_of(part)]: readings.shares_added(result, part) for part in readings.parts_of(layer)}
    in_layer.PICTURE.show(
        "wt_in_layer",
        partial(in_layer.pack, result, layer, row, numbers=chosen.numbers),
        tells={"word": Link("wt_asks", OneOf([str(each + 1) for each in range(len(asks))]))},
        title=t("What each part adds"),
        reading=said,
        table=lambda: tables.list_added(asks, shares),
        provenance=result.whole.provenance,
    )


def _maps(result: lesson.Result, layer: str, called: Mapping[str, str]) -> list[weight_map.Named]:
    """Return the map of each head of the layer's attentions."""
    named = t("{part}, head {head}")
    return [
        weight_map.Named(
            named.format(part=called[readings.kind_of(part)], head=head),
            readings.seen_weights(result, part, head),
            *readings.rows_of(result, part),
        )
        for part in readings.parts_of(layer)[:-1]
        for head in range(result.whole.n_heads)
    ]


def answer() -> predict.Answer:
    """Count the words that get most of some head's weight, and the units that are above 0."""
    whole, row = asking.record_pass(lesson.Params()).whole, int(DEFAULTS["wt_asks"]) - 1
    mix, alone = ride.in_layer(DEFAULTS["wt_layer"], row)
    best = sorted(set(ride.weights_heard(whole, mix).argmax(1).tolist()))
    right = min(("1", "4", "8"), key=lambda each: abs(int(each) - len(best)))
    return right, {
        "words": t(", ").join(f"“{token(whole.source.labels[each])}”" for each in best),
        "active": str(ride.active(whole, alone)),
        "units": f"{whole[f'{alone.part}.units'].shape[1]:,}",
    }
