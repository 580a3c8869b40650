"""Widget of “Translator”: a Marian model of the Hub, weighed before it is fetched, and then among the models."""

from functools import partial

import streamlit as st

from explorer.lessons.translator.ui import model
from explorer.opened import translators
from explorer.opened.cards.hub import HubModel
from explorer.opened.limits import MEGABYTE
from explorer.opened.refused import ModelRefused
from explorer.opened.translators import Bringing
from explorer.records.language import t
from explorer.ui import fields, job_progress, messages

_ADDRESS, _WEIGHED = "tr_hub_address", "tr_hub_weighed"
_EXAMPLE = "Helsinki-NLP/opus-mt-en-es"


def draw() -> None:
    """Ask for an address and say what it costs; nothing where the owner of the server does not allow it."""
    if not translators.may_name_hub():
        return
    address = st.text_input(
        t("Another translator, from the Hugging Face Hub"),
        key=_ADDRESS,
        max_chars=200,
        placeholder=_EXAMPLE,
        help=t("A Marian translator with safetensors, as organisation/name, or organisation/name@revision."),
    ).strip()
    if address:
        try:
            weighed = _weighed(address)
        except ModelRefused as refused:
            messages.caption(refused.explain(), ":material/error:")
            return
        _offer(weighed)


def _weighed(address: str) -> HubModel:
    """Return what the Hub has there; it is asked once for each address that is typed."""
    kept: tuple[str, HubModel] | None = st.session_state.get(_WEIGHED)
    if kept is None or kept[0] != address:
        with st.spinner(t("Asking the Hub …")):
            kept = address, translators.weigh(address)
        st.session_state[_WEIGHED] = kept
    return kept[1]


def _offer(weighed: HubModel) -> None:
    said = t("{model}: {size} MB to download. Its licence: {licence}.").format(
        model=f"{weighed.repo}@{weighed.revision[:8]}",
        size=-(-weighed.size // MEGABYTE),
        licence=weighed.card.licence or t("not named"),
    )
    messages.caption(said)
    job_progress.watch("tr_hub", translators.bring, weighed, _brought, label=t("Download and convert"))


def _brought(now: Bringing) -> None:
    if now.refused is not None:
        messages.caption(now.refused.explain(), ":material/error:")
    if now.found is not None:
        chosen = next((key for key, each in model.models().items() if each.checkpoint == str(now.found.folder)), "")
        open_it = partial(fields.set_values, {"tr_model": chosen})
        st.button(t("Translate with it"), key="tr_hub_use", icon=":material/check:", on_click=open_it)
