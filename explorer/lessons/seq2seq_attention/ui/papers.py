"""“Bahdanau and Luong”: which state asks, and where the context enters."""

from functools import partial

import pandas as pd
import streamlit as st

from explorer.lessons import seq2seq_attention as lesson
from explorer.lessons.seq2seq_attention import notes, readings, seeds, state
from explorer.lessons.seq2seq_attention.figures import wiring
from explorer.lessons.seq2seq_attention.ui import controls as widgets
from explorer.lessons.seq2seq_attention.ui.written import write
from explorer.models.seq2seq_config import Asking, Place
from explorer.models.seq2seq_step import Seq2SeqStep
from explorer.records.provenance import Provenance
from explorer.ui import cache, choice
from explorer.ui.language import t
from explorer.ui.scene import picture

CODE = (Seq2SeqStep.move,)
#: Which state asks, and where the context enters, in each paper and in the lecture notes that the lesson follows.
WIRED: dict[str, tuple[Asking, Place]] = {
    "bahdanau": ("before", "input"),
    "luong": ("after", "output"),
    "notes": ("after", "next"),
}
#: Mechanisms that differ in the division by √d alone.
SCALED = {"dot": "dot", "scaled": "scaled_dot"}


def controls() -> str:
    """Draw which paper is shown."""
    papers = {"bahdanau": "Bahdanau", "luong": "Luong", "notes": t("The notes")}
    return choice.segmented(t("Whose model"), papers, key="sa_wired")


def stage(paper: str) -> dict[str, str]:
    """Draw the wiring of one step; in the fold, how each model that is there is built."""
    query, context = WIRED[paper]
    every = state.models()
    picture.show(
        "sa_wiring",
        partial(wiring.wiring, query, context, t=t),
        title=t("One step of the decoder"),
        reading=readings.describe_wiring(query, context, t),
        table=lambda: built(every),
        provenance=Provenance.of(Seq2SeqStep.move),
        of=paper,
        height=picture.Height(phone_type=12),
    )
    with st.expander(t("How each model here is built"), icon=":material/table:"):
        st.dataframe(built(every), key="sa_built", hide_index=True)
    german = seeds.scores_of([each for each in every if each.task == "de-en"], "beam 5")
    scores = {short: f"{german[name]:.1f}" if name in german else "–" for short, name in SCALED.items()}
    return concatenated(every) | scores


def concatenated(every: tuple[state.RecurrentModel, ...]) -> dict[str, str]:
    """Return how far Luong's concat, with the maps of the additive score in one matrix, is from that score."""
    name = next((each.name for each in every if each.task == "de-en" and each.mechanism == "additive"), None)
    result = None if name is None else write(lesson.Params(models=(name,)))
    if name is None or result is None:
        return {"scores": "–", "gap": "–"}
    found = cache.once(partial(notes.concatenated, name, result.records[name]), "seq2seq_attention.concatenated", name)
    return {"scores": f"{found['count']:.0f}", "gap": f"{found['gap']:.0e}"}


def built(every: tuple[state.RecurrentModel, ...]) -> pd.DataFrame:
    """Tabulate how each model that is there is built, from its manifest."""
    names = widgets.model_names(every)
    asks = {"before": t("before the step (Bahdanau)"), "after": t("after the step (Luong)")}
    enters = {
        "input": t("into the cell (Bahdanau)"),
        "output": t("beside its new state (Luong)"),
        "next": t("beside its new state and into the next step (the notes)"),
    }
    configs = [each.manifest.config for each in every]
    attends = [each.mechanism not in ("none", "fixed") for each in every]
    return pd.DataFrame(
        {
            t("model"): [each.name for each in every],
            t("mechanism"): [names[each.name] for each in every],
            t("which state asks"): [
                asks[str(config["query"])] if asking else "–" for config, asking in zip(configs, attends, strict=True)
            ],
            t("where the context enters"): [enters[str(config["context"])] for config in configs],
            t("cell"): [str(config["cell"]).upper() for config in configs],
        }
    )
