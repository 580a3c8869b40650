"""“Bahdanau and Luong”: which state asks, where the context enters, and what the next word is read off."""

from functools import partial

import pandas as pd

from explorer.checkpoints import store
from explorer.lessons import seq2seq_attention as lesson
from explorer.lessons.seq2seq_attention import notes, readings, seeds, state
from explorer.lessons.seq2seq_attention.figures import wiring
from explorer.lessons.seq2seq_attention.records import Wiring
from explorer.lessons.seq2seq_attention.ui import controls as widgets
from explorer.lessons.seq2seq_attention.ui.written import write
from explorer.models.seq2seq_step import Seq2SeqStep
from explorer.records.language import t
from explorer.records.provenance import Provenance
from explorer.ui import cache, choice
from explorer.ui.scene import beside, picture

CODE = (Seq2SeqStep.move,)
#: Wiring of each paper, and of the lecture notes that the lesson follows.
WIRED = {
    "bahdanau": Wiring(query="before", context="input"),
    "luong": Wiring(query="after", context="output"),
    "feeding": Wiring(query="after", context="next"),
    "notes": Wiring(query="before", context="input", readout="bare"),
}
#: Mechanisms that differ in the division by √d alone.
SCALED = {"dot": "dot", "scaled": "scaled_dot"}


def controls() -> str:
    """Draw which paper is shown."""
    papers = {
        "bahdanau": "Bahdanau",
        "luong": "Luong",
        "feeding": t("Luong, input feeding"),
        "notes": t("The notes"),
    }
    return choice.buttons(t("Whose model"), papers, key="sa_wired")


def stage(paper: str) -> dict[str, str]:
    """Draw the wiring of one step; in the fold, how each model that is there is built."""
    wired, every = WIRED[paper], state.models()
    told = (*every, *state.list_compared(store.NOTES))
    picture.show_chart(
        "sa_wiring",
        partial(wiring.wiring, wired),
        title=t("One step of the decoder"),
        reading=readings.describe_wiring(wired),
        table=lambda: tabulate_wiring(told),
        provenance=Provenance.of(Seq2SeqStep.move),
        of=paper,
        height=picture.Height(phone_type=12),
    )
    with beside.fold(t("How each model here is built"), ":material/table:"):
        beside.show_table(tabulate_wiring(told), key="sa_built")
    german = seeds.scores_of([each for each in every if each.task == "de-en"], "beam 5")
    scores = {short: f"{german[name]:.1f}" if name in german else "–" for short, name in SCALED.items()}
    return measure_concat(every) | scores


def measure_concat(every: tuple[state.RecurrentModel, ...]) -> dict[str, str]:
    """Return how far Luong's concat, with the maps of the additive score in one matrix, is from that score."""
    name = next((each.name for each in every if each.task == "de-en" and each.mechanism == "additive"), None)
    result = None if name is None else write(lesson.Params(models=(name,)))
    if name is None or result is None:
        return {"scores": "–", "gap": "–"}
    found = cache.once(partial(notes.score_concat, name, result.records[name]), "seq2seq_attention.concatenated", name)
    return {"scores": f"{found['count']:.0f}", "gap": f"{found['gap']:.0e}"}


def tabulate_wiring(every: tuple[state.RecurrentModel, ...]) -> pd.DataFrame:
    """Tabulate how some models are built, from their manifests."""
    names = widgets.model_names(every)
    asks = {"before": t("before the step (Bahdanau)"), "after": t("after the step (Luong)")}
    enters = {
        "input": t("into the cell (Bahdanau)"),
        "output": t("beside its new state (Luong)"),
        "next": t("beside its new state and into the next step (input feeding)"),
    }
    off = {"mixed": t("state and context"), "bare": t("the state alone (the notes)")}
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
            t("what the next word is read off"): [off[Wiring.of(config).readout] for config in configs],
            t("cell"): [str(config["cell"]).upper() for config in configs],
        }
    )
