"""“The ride of a word”: one word through the whole translator; then all of them, written one after another."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from explorer.figures import weight_map
from explorer.inference.translator.whole_pass import observe
from explorer.lessons import whole_transformer as lesson
from explorer.lessons.whole_transformer import readings, ride as rides
from explorer.lessons.whole_transformer.live import names, ride, whole
from explorer.lessons.whole_transformer.state import MOST_TOKENS
from explorer.lessons.whole_transformer.ui import asking, tables
from explorer.models.translator import Translator
from explorer.records.language import t
from explorer.records.wording import token
from explorer.scenes import DEFAULTS
from explorer.ui import choice, fields
from explorer.ui.scene import heat_map, predict, rail

CODE = (Translator.encode, Translator.hidden, observe)
HEADS = 8
#: Stops of a ride through four and three layers.
MOST_STOPS = 23


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The part of the picture that is shown.

    Attributes:
        act: `ride`, of one word, or `write`, all words.
        word: of the source, from 0.
        step: stop of the ride, from 0.
        shown: head whose ribbons are drawn, -1 for the mean of all.
    """

    params: lesson.Params
    act: str
    word: int
    step: int
    shown: int


def controls() -> Chosen:
    """Ask for the act, the sentence, and for the head whose ribbons are drawn."""
    acts = {"ride": t("One word"), "write": t("All words")}
    act = choice.buttons(t("Who is shown"), acts, key="wt_act")
    params = asking.sentence()
    heads = {"mean": t("mean of all heads")}
    heads |= {str(each): t("head {head}").format(head=each - 1) for each in range(1, HEADS + 1)}
    shown = "mean"
    if act == "write":
        with rail.more():
            shown = choice.select(t("Ribbons"), heads, key="wt_shown")
    word = choice.step(t("Word"), key="wt_word", last=MOST_TOKENS - 1, first=1)
    step = choice.step(t("Stop"), key="wt_stop", last=MOST_STOPS - 1, first=1)
    return Chosen(params=params, act=act, word=word, step=step, shown=-1 if shown == "mean" else int(shown) - 1)


def stage(chosen: Chosen) -> None:
    """Draw the ride, or the whole translator."""
    result = asking.record(chosen.params)
    if result is None:
        return
    shown = chosen.shown
    maps = _maps(result, shown)
    if heat_map.instead(
        "wt_whole_map",
        partial(weight_map.draw_maps, maps, across=len(maps) // 3),
        title=t("The Transformer, whole"),
        reading=readings.describe_whole(result),
        provenance=result.whole.provenance,
        of=(chosen.params, shown),
    ):
        return
    taken: dict[str, Any] = {"title": t("The Transformer, whole"), "provenance": result.whole.provenance}
    taken["table"] = partial(tables.sureness, result)
    if chosen.act == "ride":
        word = min(chosen.word, len(result.whole.source.labels) - 1)
        ride.show("wt_ride", result, word, chosen.step, on_word=_ride_with, **taken)
        return
    drawn = partial(whole.pack, result, whole.Start(), shown)
    whole.PICTURE.show("wt_whole", drawn, reading=readings.describe_whole(result), **taken)


def _ride_with(word: int) -> None:
    fields.set_values({"wt_word": str(word + 1), "wt_stop": "1"})


def _maps(result: lesson.Result, shown: int) -> list[weight_map.Named | None]:
    """Return the maps of one head, or the mean of all: three rows, a place for each layer."""
    stacks, kinds = names.layers(result.whole.n_encoder, result.whole.n_decoder), names.parts()
    heads = range(result.whole.n_heads) if shown < 0 else [shown]
    across = max(result.whole.n_encoder, result.whole.n_decoder)
    found: list[weight_map.Named | None] = []
    for stack, kind in (("enc", "self"), ("dec", "self"), ("dec", "cross")):
        for layer in range(across):
            part = f"{stack}.{layer}.{kind}"
            if part not in result.whole.sites:
                found.append(None)
                continue
            weights = np.mean([readings.seen_weights(result, part, head) for head in heads], 0)
            title = f"{stacks[stack][layer]}, {kinds[readings.kind_of(part)]}"
            found.append(weight_map.Named(title, weights, *readings.rows_of(result, part)))
    return found


def answer() -> predict.Answer:
    """Say which other word is heard most at each mix of the encoder, and count the stops that hear others."""
    whole, word = asking.record_pass(lesson.Params()).whole, int(DEFAULTS["wt_word"]) - 1
    along = [stop for stop in rides.stops(whole, word) if stop.part]
    heard = [token(rides.most_heard(whole, stop)[0]) for stop in along if stop.kind == "mix" and stop.stack == "enc"]
    return "same" if len(set(heard)) == 1 else "changes", {
        "heard": t(", ").join(f"“{each}”" for each in heard),
        "hears": str(sum(stop.hears for stop in along)),
        "alone": str(sum(not stop.hears for stop in along)),
    }
