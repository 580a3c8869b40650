"""“Inside a layer”: what each part reads and what it adds."""

from functools import partial

from explorer.lessons import whole_transformer as lesson
from explorer.lessons.whole_transformer import readings
from explorer.lessons.whole_transformer.figures import numbers
from explorer.lessons.whole_transformer.ui import asking, drawing, names
from explorer.nn.blocks import DecoderLayer, EncoderLayer, FeedForward
from explorer.records.wording import token
from explorer.ui import choice
from explorer.ui.language import t
from explorer.ui.scene import picture, predict

CODE = (EncoderLayer.forward, DecoderLayer.forward, FeedForward.forward)
#: Layers of the translator that is drawn.
N_ENCODER, N_DECODER = 4, 3


def controls() -> tuple[lesson.Params, str]:
    """Ask for the sentence and the layer."""
    params = asking.sentence()
    said = names.layers(N_ENCODER, N_DECODER)
    layers = {f"{stack}.{number}": name for stack, all_of in said.items() for number, name in enumerate(all_of)}
    return params, choice.select(t("Layer"), layers, key="wt_layer")


def stage(chosen: tuple[lesson.Params, str]) -> None:
    """Draw one layer, opened."""
    params, layer = chosen
    result = asking.record(params)
    if result is None:
        return
    start = drawing.Start(level=1, part=f"{layer}.self", row=1)
    drawing.draw(result, start, key="wt_layer_picture")
    called = names.parts()
    asks, _ = readings.rows_of(result, f"{layer}.self")
    shares = {called[readings.kind_of(part)]: readings.shares_added(result, part) for part in readings.parts_of(layer)}
    picture.remark(
        "wt_layer_numbers",
        partial(numbers.added, [token(each, t) for each in asks], shares, t=t),
        title=t("What each part adds"),
        reading=readings.describe_layer(result, layer, called, t),
        provenance=result.whole.provenance,
        more=partial(drawing.download, result, start, key="wt_layer_picture"),
    )


def answer() -> predict.Answer:
    """Count the units that are above 0."""
    result = asking.recorded(lesson.Params())
    awake = {
        stack: sum(found) / len(found)
        for stack in ("enc", "dec")
        for found in [[result.awake(net) for net in result.whole.nets if net.startswith(stack)]]
    }
    middle = sum(awake.values()) / 2
    right = "few" if middle < 0.25 else "half" if middle < 0.75 else "most"
    return right, {"encoder": f"{awake['enc']:.1%}", "decoder": f"{awake['dec']:.1%}"}
