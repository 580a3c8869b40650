"""“Samples”: greedy search, beam search and samples side by side."""

from functools import partial

import streamlit as st

from explorer.inference.translator.sampling import probabilities
from explorer.lessons import translator as lesson
from explorer.lessons.translator import search, search_readings
from explorer.lessons.translator.figures import search_lines as lines
from explorer.lessons.translator.ui import rail, texts, words
from explorer.lessons.translator.ui.result import of_translation
from explorer.records.language import t
from explorer.ui import cache, choice
from explorer.ui.scene import beside, picture

CODE = (probabilities,)


controls = rail.ask_sentence


@of_translation
def stage(result: lesson.Result, asked: rail.Asked) -> None:
    """Draw what each way wrote, and the log-probability of each text, piece by piece."""
    how = _ways(search.SearchParams.of(result), asked)
    with st.spinner(t("Writing …")):
        found = cache.compute(search.ways, how)
    names = way_names(how)
    picture.show_chart(
        "tr_ways",
        partial(lines.running, found.texts, names=names),
        title=t("The log-probability of each text, piece by piece"),
        reading=search_readings.describe_ways(found),
        table=lambda: texts.tokens(found.texts, names),
        provenance=found.provenance,
        of=how,
        fits_screen=False,
    )
    beside.show(texts.side_by_side(found.texts, found.kept, names, words.language(result)), style=texts.STYLE)
    beside.show_caption(t("Marked: pieces that do not stand in what beam search wrote."))


def way_names(how: search.WaysParams) -> dict[str, str]:
    """Return what each way is called."""
    names = {"greedy": t("greedy"), "beam": t("beam {n}").format(n=how.asked.params.beam)}
    return names | {f"sample-{n}": t("sample {n}").format(n=n) for n in range(1, how.samples + 1)}


def _ways(asked: search.SearchParams, where: rail.Asked) -> search.WaysParams:
    """Ask for the temperature; in the fold, for the rest."""
    hot = t("Logits are divided by it: below 1 the likely become likelier, above 1 all become more alike.")
    likely = t("Only the likeliest tokens that together have this probability can be drawn.")
    few, same = t("Only so many likeliest tokens can be drawn."), t("The same seed draws the same texts.")
    coldest, hottest = search.LEAST_TEMPERATURE, search.MOST_TEMPERATURE
    with where.slot:
        temperature = choice.slider(t("Temperature"), coldest, hottest, 0.1, key="tr_temperature", help=hot)
        top_p = choice.slider(t("Top-p (1: off)"), search.LEAST_TOP_P, 1.0, 0.05, key="tr_top_p", help=likely)
    with where.more:
        top_k = choice.slider(t("Top-k (0: off)"), 0, search.MOST_TOP_K, key="tr_top_k", help=few)
        samples = choice.slider(t("How many samples?"), 1, search.MOST_SAMPLES, key="tr_samples")
        seed = choice.slider(t("Seed"), 0, search.MOST_SEED, key="tr_seed", help=same)
    return search.WaysParams(asked=asked, temperature=temperature, top_k=top_k, top_p=top_p, seed=seed, samples=samples)
