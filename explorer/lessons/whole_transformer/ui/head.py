"""“One head, one score”: queries meet keys, shares are made, values are mixed."""

from dataclasses import dataclass, replace
from functools import partial
from math import log

from explorer.attention.attend import attend
from explorer.figures import weight_map
from explorer.lessons import whole_transformer as lesson
from explorer.lessons.whole_transformer import readings
from explorer.lessons.whole_transformer.live import names, one_weight, whole
from explorer.lessons.whole_transformer.ui import asking, tables
from explorer.lessons.whole_transformer.ui.layer import N_DECODER, N_ENCODER
from explorer.lessons.whole_transformer.ui.whole import HEADS
from explorer.nn.attention import MultiHeadAttention
from explorer.records.language import t
from explorer.records.wording import token
from explorer.scenes import DEFAULTS
from explorer.ui import choice, tables as shared_tables
from explorer.ui.scene import heat_map, predict, rail

CODE = (attend, MultiHeadAttention.forward)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A head, and how deep the picture is opened.

    Attributes:
        part: an attention, such as `dec.1.cross`.
        head: from 0.
        depth: `row`, `head`, `score` or `net`.
    """

    params: lesson.Params
    part: str
    head: int
    depth: str


def controls() -> Chosen:
    """Ask for the sentence, the attention, the head, and how deep to look."""
    params = asking.sentence()
    layers, called = names.layers(N_ENCODER, N_DECODER), names.parts()
    named = t("{layer}, {part}").format
    parts = {f"enc.{each}.self": named(layer=layers["enc"][each], part=called["self"]) for each in range(N_ENCODER)}
    for each in range(N_DECODER):
        for kind, name in (("self", "causal"), ("cross", "cross")):
            parts[f"dec.{each}.{kind}"] = named(layer=layers["dec"][each], part=called[name])
    depths = {"row": t("One row"), "head": t("All rows"), "score": t("One score"), "net": t("Net")}
    depth = choice.buttons(t("Look into"), depths, key="wt_depth")
    with rail.more():
        part = choice.select(t("Attention"), parts, key="wt_part")
        heads = {str(each): str(each - 1) for each in range(1, HEADS + 1)}
        head = choice.buttons(t("Head"), heads, key="wt_head")
    return Chosen(params=params, part=part, head=int(head) - 1, depth=depth)


def stage(chosen: Chosen) -> None:
    """Draw one row of a head, all rows, one score, or the net of the layer."""
    result = asking.record(chosen.params)
    if result is None:
        return
    part, head = chosen.part, chosen.head
    row, column = readings.most_divided_row(result, part, head)
    labels = readings.rows_of(result, part)
    asks, asked = (tuple(token(each) for each in side) for side in labels)
    weights = readings.seen_weights(result, part, head)
    start = whole.Start(level=2, part=part, head=head, row=row, column=column)
    if chosen.depth == "score":
        start = replace(start, level=3)
        table = tables.products(readings.products(result, part, head, row, column))
        title = t("“{query}” asks “{key}”").format(query=asks[row], key=asked[column])
        reading = readings.describe_score(result, part, head, row, column)
    elif chosen.depth == "net":
        layer = part.rpartition(".")[0]
        start = replace(start, net=True)
        table = tables.list_added(labels[0], {t("feed-forward"): readings.shares_added(result, f"{layer}.net")})
        title = t("What the feed-forward net adds")
        reading = readings.describe_layer(result, layer, names.parts())
    else:
        table = shared_tables.matrix(weights, *labels)
        title = t("Weights of head {head}").format(head=head)
        reading = readings.describe_head(result, part, head)
    if heat_map.instead(
        "wt_head_map",
        partial(weight_map.draw_weights, weights, asks, asked),
        title=t("Weights of head {head}").format(head=head),
        reading=readings.describe_head(result, part, head),
        provenance=result.whole.provenance,
        of=(chosen.params, part, head),
        **whole.explain_french(result.whole),
    ):
        return
    if chosen.depth == "row":
        one_weight.PICTURE.show(
            "wt_one_weight",
            partial(one_weight.pack, result, part, head, row),
            title=t("How “{word}” weighs the words it asks").format(word=asks[row]),
            reading=readings.describe_row(result, part, head, row),
            table=lambda: table,
            provenance=result.whole.provenance,
        )
        return
    whole.PICTURE.show(
        "wt_open_head",
        partial(whole.pack, result, start),
        title=title,
        reading=reading,
        table=lambda: table,
        provenance=result.whole.provenance,
    )


def answer() -> predict.Answer:
    """Compute how much more weight than the second word the first one gets, by the difference of their scores."""
    result = asking.record_pass(lesson.Params())
    part, head = DEFAULTS["wt_part"], int(DEFAULTS["wt_head"]) - 1
    row, _ = readings.most_divided_row(result, part, head)
    scores, weights = (result.whole[f"{part}.{each}"][head, row] for each in ("scores", "weights"))
    first, second = weights.argsort()[::-1][:2]
    times = float(weights[first] / weights[second])
    right = min({"little": 1.05, "half": 1.5, "ten": 10.0}.items(), key=lambda each: abs(log(each[1] / times)))[0]
    return right, {
        "first": f"{scores[first]:.1f}",
        "second": f"{scores[second]:.1f}",
        "apart": f"{scores[first] - scores[second]:.1f}",
        "times": f"{times:.1f}",
        "most": f"{weights[first]:.0%}",
        "next": f"{weights[second]:.0%}",
    }
