"""“Scored”: how often each head looks at the right word, by links that were made by hand."""

from dataclasses import dataclass, replace
from functools import partial

import pandas as pd
import streamlit as st

from explorer.checkpoints.manifest import CheckpointError
from explorer.evaluate.alignment_error import error_rate
from explorer.lessons.translator import scored
from explorer.lessons.translator.figures import bars, maps
from explorer.lessons.translator.records import AlignmentScores
from explorer.records.language import t
from explorer.records.wording import clamp
from explorer.scenes.translator import LESSON, SCORED
from explorer.ui import cache, choice, fields, messages, plot_clicks
from explorer.ui.scene import picture, predict
from explorer.ui.scene.rail import more

CODE = (error_rate,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A measurement, and the sentence that is drawn."""

    params: scored.ScoredParams
    sentence: int
    slot: object


def controls() -> Chosen:
    """Ask for the model and for the sentence; for the head, once it is known how many there are."""
    said = (t("German → English"), t("the same, trained on captions"), t("English → French"))
    names = dict(zip(scored.TRANSLATORS, said, strict=True))
    checkpoint = choice.select(t("Model"), names, key="tr_aer_model", default=scored.TRANSLATORS[0])
    slot = st.container()
    params = scored.ScoredParams(checkpoint=checkpoint)
    if params.has_captions:
        with more():
            captions = choice.toggle(t("Captions only"), key="tr_aer_captions")
        params = replace(params, captions=bool(captions))
    sentences = {str(n): pair.texts[0] for n, pair in enumerate(params.pairs)}
    with slot:
        number = choice.select(t("A sentence"), sentences, key="tr_aer_sentence")
    return Chosen(params=params, sentence=int(number), slot=slot)


def stage(chosen: Chosen) -> dict[str, str]:
    """Draw one sentence with its links, the error rates of every head, and what stands beside them."""
    try:
        with st.spinner(t("Reading the sentences with every model …")):
            found = cache.compute(scored.scores, chosen.params)
    except CheckpointError as error:
        messages.no_checkpoint(chosen.params.checkpoint, error)
        return {}
    layer, head = _head(chosen, found)
    first, second = st.columns([1.45, 1], gap="medium")
    with first:
        _sentence(chosen, layer, head)
    with second:
        _rates(chosen, found)
        _beside(chosen, found)
    return {"sentences": str(found.sentences), "diagonal": f"{found.diagonal:.2f}"}


def _head(chosen: Chosen, found: AlignmentScores) -> tuple[int, int | None]:
    """Ask for the head; the mean over each layer's stands first."""
    layers, heads = found.heads.shape
    names = {f"{layer}.mean": t("layer {layer}, mean of its heads").format(layer=layer) for layer in range(layers)}
    names |= {
        f"{layer}.{head}": t("layer {layer}, head {head}").format(layer=layer, head=head)
        for layer in range(layers)
        for head in range(heads)
    }
    with chosen.slot:  # type: ignore[attr-defined]
        asked = choice.select(t("Head"), names, key="tr_aer_head")
    layer, head = asked.split(".")
    return int(layer), int(head) if head.isdigit() else None


def _sentence(chosen: Chosen, layer: int, head: int | None) -> None:
    record = scored.looks(chosen.params, chosen.sentence, layer, head)
    pair = scored.pair_of(chosen.params, chosen.sentence)
    sides = {
        "de-en": (t("English, as the reference has it"), t("German, as it was read")),
        "en-fr": (t("French, as the reference has it"), t("English, as it was read")),
    }[chosen.params.direction]
    picture.show_chart(
        "tr_gold",
        partial(maps.gold, record, sure=pair.sure, possible=pair.possible, titles=sides),
        title=t("Its choices and the links made by hand"),
        note=t("frame: its choice; full corner: sure link; open corner: possible"),
        reading=scored.describe_sentence(record, pair),
        of=(chosen.params, chosen.sentence, layer, head),
    )


def _rates(chosen: Chosen, found: AlignmentScores) -> None:
    """Draw every head's error rate; a click shows that head."""
    picture.show_chart(
        "tr_aer",
        partial(maps.scores, found.heads),
        title=t("Alignment error rate of every head"),
        note=t("smaller is better; click to see one"),
        reading=scored.describe(found) if predict.is_settled(LESSON, SCORED) else scored.describe_place(found),
        table=lambda: _table(found),
        provenance=found.provenance,
        of=chosen.params,
        fits_screen=False,
    )
    layers, heads = found.heads.shape

    def only(position: plot_clicks.Place) -> None:
        layer, head = (clamp(round(at), n) for at, n in ((position["y"], layers), (position["x"], heads)))
        fields.set_values({"tr_aer_head": f"{layer}.{head}"})

    plot_clicks.listen("tr_aer", only)


def _beside(chosen: Chosen, found: AlignmentScores) -> None:
    names, values = _names(), scored.all_rates(found)
    picture.show_chart(
        "tr_aer_beside",
        partial(bars.rates, [names[each] for each in values], list(values.values())),
        title=t("Against others"),
        reading=t("Error rates over the same {n} sentences.").format(n=found.sentences),
        provenance=found.provenance,
        of=chosen.params,
        fits_screen=False,
    )


def _names() -> dict[str, str]:
    return {
        "best_layer": t("best layer"),
        "best_head": t("best head"),
        "additive": t("RNN, additive"),
        "general": t("RNN, general"),
        "scaled_dot": t("RNN, scaled dot"),
        "dot": t("RNN, dot"),
        "fixed": t("RNN, fixed places"),
        "diagonal": t("by place alone"),
    }


def _table(found: AlignmentScores) -> pd.DataFrame:
    layers, heads = found.heads.shape
    rows = [(layer, str(head), found.heads[layer, head]) for layer in range(layers) for head in range(heads)]
    rows += [(layer, t("mean of all"), found.layers[layer]) for layer in range(layers)]
    return pd.DataFrame(rows, columns=[t("layer"), t("head"), t("alignment error rate")])


def answer() -> predict.Answer:
    """Compute which layer, its heads averaged, makes the fewest errors."""
    found = cache.compute(scored.scores, scored.ScoredParams())
    each = t(", ").join(f"{rate:.0%}" for rate in found.layers)
    return str(found.best_layer), {"rates": each, "diagonal": f"{found.diagonal:.0%}"}
