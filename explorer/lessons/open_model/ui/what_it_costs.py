"""What a model is and costs, before anything of it is fetched: figures against the bounds of this server."""

import html
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import get_args

import streamlit as st

from explorer.lessons.open_model import costs, models, readings, wording
from explorer.lessons.open_model.costs import CostParams, ModelCosts
from explorer.lessons.open_model.live import costs as bars
from explorer.lessons.open_model.ui import controls as widgets, gate, tables
from explorer.opened import sources
from explorer.opened.cards import hub
from explorer.opened.cards.hub import HubModel
from explorer.opened.refused import ModelRefused
from explorer.records.language import t
from explorer.records.opened.card import ModelKind
from explorer.scenes import DEFAULTS
from explorer.scenes.open_model import WRITER
from explorer.ui import cache, choice, messages
from explorer.ui.scene import beside, link, picture, predict

CODE = (sources.card_of, hub.weigh)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Settings of the stage."""

    params: CostParams


def controls() -> Chosen:
    """Ask for the model and the length of a text."""
    name, revision = widgets.model(widgets.MODEL, *get_args(ModelKind))
    tokens = choice.select_slider(t("Tokens of the text"), costs.LENGTHS, key="om_tokens")
    return Chosen(params=CostParams(model=name, revision=revision, tokens=tokens))


def stage(chosen: Chosen) -> None:
    """Draw what the model costs; where it cannot be had, say why, and what is here."""
    params = chosen.params
    try:
        weighed = None if params.is_here else _weigh(params.address)
        found = costs.compute(params, weighed)
    except ModelRefused as refused:
        messages.warning(refused.explain(), ":material/folder_off:")
        _show_here()
        return
    first, second = st.columns([5, 3], gap="medium")
    with first:
        picture.heading(t("What {model} takes").format(model=found.card.name))
        bars.PICTURE.show(
            "om_costs",
            partial(bars.pack, found, alone=predict.is_held_back()),
            title=t("What {model} takes").format(model=found.card.name),
            reading=readings.describe_costs(found),
            provenance=found.provenance,
            table=lambda: tables.costs(found),
        )
    with second:
        _tell(found, weighed)


def _weigh(address: str) -> HubModel:
    with st.spinner(t("Asking the Hub …")):
        weigh = partial(sources.weigh, address, public=link.is_public())
        return cache.once(weigh, "open_model weighed", address)


def _tell(found: ModelCosts, weighed: HubModel | None) -> None:
    """Say whether it is opened, offer to fetch it, and list what is known of it."""
    kind = "om-no" if found.refused else "om-yes"
    verdict = html.escape(readings.describe_verdict(found))
    beside.show(f'<p class="om-verdict {kind}">{verdict}</p>', style=_STYLE)
    if weighed and not found.refused and st.button(t("Open it"), key="om_open", type="primary"):
        gate.fetch(weighed)
    rows = (f"<dt>{html.escape(name)}</dt><dd>{html.escape(said)}</dd>" for name, said in _facts(found))
    with beside.fold(t("More about this model"), ":material/list:", type="compact"):
        beside.show(f'<dl class="om-facts">{"".join(rows)}</dl>', style=_STYLE)


def _facts(found: ModelCosts) -> Iterable[tuple[str, str]]:
    card = found.card
    address, _, revision = found.address.partition("@")
    yield t("address"), address or t("a folder of this server")
    if revision:
        yield t("revision"), revision
    yield t("licence"), card.licence or t("its folder names none")
    yield t("parameters"), f"{card.counted:,}"
    yield t("attention"), wording.describe(card)
    yield t("its maps"), readings.describe_way(found.way)
    reads = f"{card.longest:,}" if card.longest else t("any length")
    yield t("tokens"), t("reads {longest}; {most} are drawn here").format(longest=reads, most=f"{found.most_tokens:,}")


def _show_here() -> None:
    """List the models that need no Hub."""
    found = (costs.compute(CostParams(model=name, revision="", tokens=costs.LENGTHS[0])) for name in models.names())
    beside.show_table(tables.here(found), title=t("Here without the Hub"))


_STYLE = """
.om-verdict { margin: 0 0 4px; padding: 6px 10px; font-size: 17px; border-left: 5px solid var(--key); }
.om-verdict.om-no { border-color: var(--query); }
.om-facts { display: grid; grid-template-columns: max-content 1fr; gap: 3px 12px; margin: 4px 0; padding: 0 10px; }
.om-facts { font-size: 15px; }
.om-facts dt { color: var(--muted); }
.om-facts dd { margin: 0; overflow-wrap: anywhere; }
"""


def answer() -> predict.Answer:
    """Say how much more memory the maps of a text twice as long need."""
    tokens = int(DEFAULTS["om_tokens"])
    once, twice = (costs.compute(CostParams(model=WRITER, revision="", tokens=each)) for each in (tokens, 2 * tokens))
    before, after = (each.card.map_bytes(each.params.tokens) for each in (once, twice))
    right = min({"same": 1, "twice": 2, "four": 4}.items(), key=lambda each: abs(each[1] - after / before))[0]
    return right, {
        "tokens": f"{tokens}",
        "more": f"{2 * tokens}",
        "before": wording.megabytes(before),
        "after": wording.megabytes(after),
    }
