"""What stands in place of the stage while a model of the Hub has not been fetched: what it is, and one button."""

from functools import partial

import streamlit as st

from explorer.lessons import open_model as lesson
from explorer.lessons.open_model import models, wording
from explorer.lessons.open_model.ui import controls as widgets
from explorer.opened import sources
from explorer.opened.cards import hub
from explorer.opened.cards.hub import HubModel
from explorer.records.language import t
from explorer.records.wording import said_size
from explorer.ui import cache
from explorer.ui.scene import link


def is_passed(params: lesson.Params, keys: widgets.Keys = widgets.MODEL) -> bool:
    """Return whether the model is here; else show what it would cost, and the button that fetches it.

    Nothing but its configuration and the headers of its weights is fetched before that.

    Args:
        keys: of the model in the link.
    """
    if models.is_here(params.model, params.revision) or "/" not in params.model:
        return True
    address = f"{params.model}@{params.revision}" if params.revision else params.model
    with st.spinner(t("Asking the Hub …")):
        found = cache.once(partial(sources.resolve, address, public=link.is_public()), "open_model hub", address)
    with st.container(key="om_gate", border=True):
        st.subheader(found.repo, anchor=False)
        st.write(wording.describe(found.card))
        st.write(t("{size} would be fetched.").format(size=said_size(found.size)))
        if st.button(t("Open it"), key="om_open", type="primary"):
            fetch(found, keys)
    return False


def fetch(found: HubModel, keys: widgets.Keys = widgets.MODEL) -> None:
    """Fetch a model, remember it, and let the link say its commit."""
    bar = st.progress(0.0, t("Fetching …"))

    def told(done: int, every: int) -> None:
        bar.progress(done / max(every, 1), t("Fetching …"))

    models.keep(sources.open_source(found, hub.fetch(found, told)))
    widgets.say_opened(keys, found.repo, found.revision)
    st.rerun()
