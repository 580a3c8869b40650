"""“Rotary”: the turn by formula, and a real query and key at every distance."""

from functools import partial

import streamlit as st

from explorer.attention import positions
from explorer.lessons.positional_encoding import readings, scores, scores_readings, trained, trained_readings
from explorer.lessons.positional_encoding.figures import kinds, trained as figures
from explorer.lessons.positional_encoding.ui import controls as widgets
from explorer.records.language import t
from explorer.ui import cache, choice
from explorer.ui.scene import picture, rail

CODE = (positions.turn, positions.rotary_angles)
Chosen = tuple[scores.Phase, trained.RotaryPairParams]


def controls() -> Chosen:
    """Pair of components, a line and two of its positions; layer and head in the fold."""
    pair = choice.slider(t("Pair of components"), 0, scores.D_KEY // 2 - 1, key="pe_phase_pair")
    label = t("A line for the rotary model, which reads character by character")
    line = choice.text(label, trained.MOST_LINE, key="pe_line")
    last = trained.MOST_LINE - 1
    query = choice.slider(t("Position that asks (query)"), 0, last, key="pe_asking")
    key = choice.slider(t("Position that is asked (key)"), 0, last, key="pe_asked")
    with rail.more():
        layer = choice.number(t("Layer"), trained.N_LAYERS, key="pe_layer")
        head = choice.number(t("Head"), trained.N_HEADS, key="pe_head")
    asked = trained.RotaryPairParams(text=line, query=query, key=key, layer=layer, head=head)
    return scores.Phase(pair=pair), asked


def stage(chosen: Chosen) -> dict[str, str]:
    """The turn of one pair at every two positions, and the score of a query and a key at every distance."""
    turned, pair = chosen
    phase = cache.compute(scores.phase, turned)
    first, second = st.columns(2, gap="medium")
    with first:
        picture.show_chart(
            "pe_phase",
            partial(kinds.phase, phase),
            title=t("How far pair {pair} is turned between query and key").format(pair=phase.pair),
            reading=scores_readings.describe_phase(phase),
            of=turned,
            height=picture.Height(less=28, less_low=30, across=52),
        )
    with second:
        off = _pair(pair)
    return {"residual": readings.tiny(phase.residual), "off": off}


def _pair(asked: trained.RotaryPairParams) -> str:
    """Show the score, and return how far it is from the one that the model's own pass recorded."""
    record = widgets.find_result(trained.turn_query_and_key, asked, "positions-rotary")
    if record is None:
        return "–"
    picture.show_chart(
        "pe_score",
        partial(figures.pair, record),
        title=t("“{query}” asks “{key}”, at every distance").format(query=record.query_label, key=record.key_label),
        reading=trained_readings.describe_pair(record),
        of=asked,
        height=picture.Height(less=28, less_low=30, across=52),
    )
    return readings.tiny(abs(float(record.scores[record.actual]) - record.computed))
