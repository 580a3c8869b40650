"""A long text: the word that asks, and what it looks at."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from explorer.figures.look import look
from explorer.lessons import open_model as lesson
from explorer.lessons.open_model import models, one_word, readings, state, wording
from explorer.lessons.open_model.figures import maps
from explorer.lessons.open_model.joined import join
from explorer.lessons.open_model.live import one_word as live
from explorer.lessons.open_model.one_word import LongText
from explorer.lessons.open_model.ui import asked, controls as widgets, gate, tables
from explorer.opened import sources
from explorer.records.language import current_language, t
from explorer.records.wording import clamp, parse_int
from explorer.scenes import DEFAULTS
from explorer.scenes.open_model import DEDICATE, WRITER
from explorer.ui import cache, choice, fields, plot_clicks
from explorer.ui.scene import heat_map, picture, predict, rail

CODE = (join,)
#: In the link, for the mean of all heads.
MEAN = "mean"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Settings of the stage.

    Attributes:
        one: the head, as the link says it.
        asks: the token that asks; None where the picture chooses.
    """

    params: lesson.Params
    site: int
    one: str
    away: bool
    joined: bool
    asks: int | None


def controls() -> Chosen:
    """Ask for the model, the text, the layer, and what is left out."""
    params = widgets.params("om_long", 110)
    site = _site(params)
    away = widgets.rest("om_away")
    with rail.more():
        joined = choice.toggle(t("Join the pieces of a word"), key="om_join")
    one = choice.hidden_param(t("Head"), key="om_one")
    return Chosen(params=params, site=site, one=one, away=away, joined=joined, asks=widgets.word("om_asks"))


def _site(params: lesson.Params) -> int:
    """Ask for the layer: of as many as the model's card says."""
    if not models.is_here(params.model, params.revision):
        return 0
    card = sources.card_of(models.find(params.model, params.revision))
    count = max(1, card.layers + 2 * card.decoder_layers)
    return choice.number(t("Layer"), count, key="om_layer", draw=choice.select)


def stage(chosen: Chosen) -> None:
    """Draw the text, and say how far the head looks."""
    if not gate.is_passed(chosen.params):
        return
    result = widgets.look_at(chosen.params)
    site, head = state.clamp_head(result, chosen.site, parse_int(chosen.one) or 0)
    view = lesson.View(site=site, head=head, rest=chosen.away)
    record = widgets.maps(chosen.params, site)
    shown = one_word.show(record, state.tokens(result, view), joined=chosen.joined)
    number = None if chosen.one == MEAN else head
    asks = None if chosen.asks is None else shown.of[clamp(chosen.asks, len(shown.of))]
    said = _Said(shown=shown, number=number, asks=asks, result=result, view=view)
    if heat_map.ask_heat_map():
        _map(chosen, said)
    else:
        _text(chosen, said)
    widgets.warm()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    shown: LongText
    number: int | None
    asks: int | None
    result: lesson.Result
    view: lesson.View

    @property
    def reading(self) -> str:
        """Return what is read of the head."""
        return readings.describe_distance(self.shown, self.number)

    @property
    def table(self) -> Callable[[], object]:
        """Return the numbers: what each word looks at most."""
        return lambda: tables.looked_at(self.shown, self.number)


def _text(chosen: Chosen, said: _Said) -> None:
    shown, heads = said.shown, said.result.look.sites[said.view.site].heads
    position = heads if said.number is None else said.number
    of = (chosen.params, said.view.site, chosen.away, chosen.joined, look(), current_language())
    head = asked.request_place("om_one", (position,), *of)
    word = asked.request_place("om_asks", (-1 if said.asks is None else said.asks,), *of)
    count = t("layer {layer} of {layers} · {count} words")
    layers = sum(site.part == state.site(said.result, said.view).part for site in said.result.look.sites)
    note = count.format(layer=state.site(said.result, said.view).layer, layers=layers, count=len(shown.queries))
    picture.heading(said.result.card.name, note)
    firsts = [shown.of.index(word) for word in range(len(shown.queries))]
    live.PICTURE.show(
        "om_text_picture",
        partial(live.pack, shown, said.result.look.rules[said.view.site], head, word, away=chosen.away),
        tells={
            "head": asked.tells("om_one", [*map(str, range(heads)), MEAN], [(each,) for each in range(heads + 1)]),
            "asks": asked.tells("om_asks", *widgets.every_word(firsts)),
        },
        title=t("One word, and what it looks at"),
        reading=said.reading,
        provenance=shown.provenance,
        table=said.table,
    )


def _map(chosen: Chosen, said: _Said) -> None:
    """Draw the head with Plotly."""
    shown = said.shown
    firsts = [shown.of.index(word) for word in range(len(shown.queries))]
    heat_map.show(
        "om_text_map",
        partial(
            maps.draw_text_map,
            shown,
            said.number,
            (wording.names(shown.queries), wording.names(shown.keys)),
            beside=chosen.away,
            row=said.asks,
        ),
        title=t("Every word, and what it looks at"),
        reading=said.reading,
        of=chosen,
        on_click=partial(_click, firsts),
    )


def _click(firsts: list[int], position: plot_clicks.Place) -> None:
    fields.set_values({"om_asks": str(firsts[clamp(round(position["y"]), len(firsts))])})


def answer() -> predict.Answer:
    """Say what is special about the word that the picture's first row looks at: its place, or what stood before it."""
    params = lesson.Params(model=WRITER, text=str(DEFAULTS["om_long"]))
    result = cache.once(partial(lesson.compute, params), "open_model", params)
    site, head = int(DEFAULTS["om_layer"]), int(DEFAULTS["om_one"])
    view = lesson.View(site=site, head=head)
    record = models.attention(models.MapParams(of=params, site=site))
    shown = one_word.show(record, state.tokens(result, view), joined=True)
    query = shown.of[DEDICATE]
    found = one_word.look(shown, head, query)
    labels = shown.queries.row.labels
    assert found.key is not None
    alike = [position for position in range(query) if labels[position] == labels[found.key]]
    last = max(position for position in range(query) if labels[position] == labels[query])
    right = {last + 1: "followed", alike[-1]: "nearest", alike[0]: "first"}[found.key]
    return right, {"query": labels[query], "key": labels[found.key], "share": f"{found.share:.0%}"}
