"""Additive, trained: three functions learn a task whose best score is a dot product."""

from functools import partial

import streamlit as st

from explorer.data.retrieval import Retrieval
from explorer.lessons.scoring_functions import fitted_scorers, learned_readings, readings
from explorer.lessons.scoring_functions.figures import bars, panels, saturation
from explorer.lessons.scoring_functions.fitted_scorers import Fit
from explorer.lessons.scoring_functions.ui import tables
from explorer.records.scoring import FittedScorersRecord
from explorer.ui import cache, choice, figure_card, language
from explorer.ui.language import t
from explorer.ui.scene import picture, rail

CODE = (fitted_scorers.train,)
FITTED_LENGTHS = (2, 4, 8, 16, 32)
Chosen = tuple[Fit, str]


def controls() -> Chosen:
    """Noise and offset of the task, steps, and what is shown; the rest in the fold."""
    names = {"learning": t("how they learn"), "weights": t("what they learned")}
    shown = choice.segmented(t("Show"), names, key="sf_look")
    offset = choice.slider(t("Offset of the keys from 0"), 0.0, 2.0, 0.1, key="sf_offset")
    noise = choice.slider(t("Noise of the query"), 0.2, 3.0, 0.1, key="sf_noise")
    with rail.more():
        steps = choice.slider(t("Steps"), 50, 1000, 50, key="sf_steps")
        d = choice.stops(t("Length of the vectors, d"), FITTED_LENGTHS, key="sf_fd")
        seed = choice.slider(t("Seed"), 0, 99, key="sf_seed")
    return Fit(task=Retrieval(d=d, noise=noise, offset=offset), steps=steps, seed=seed), shown


def stage(chosen: Chosen) -> dict[str, str]:
    """Curves and correlations, or examples and the fitted W; the answer goes below."""
    settings, shown = chosen
    record = cache.compute(fitted_scorers.fit, settings)
    first, second = st.columns(2, gap="medium")
    with first:
        (_curves if shown == "learning" else _example)(record, chosen)
    with second:
        (_compared if shown == "learning" else _bilinear)(record, chosen)
    return {
        "right": f"{record.final_accuracy[0]:.0%}",
        "answers": "\n".join(f"- {figure_card.escape(line)}" for line in learned_readings.answer(record, t)),
        "because": language.prose("scoring_functions", "answer_symmetric" if record.symmetric else "answer_offset"),
    }


def _curves(record: FittedScorersRecord, of: Chosen) -> None:
    picture.show(
        "fitting",
        partial(saturation.fitting, record, names=readings.names(t), t=t),
        title=t("Learning to find the right key"),
        reading=learned_readings.describe_fit(record, t),
        table=lambda: tables.curves(record),
        of=of,
    )


def _compared(record: FittedScorersRecord, of: Chosen) -> None:
    names = readings.names(t)
    picture.show(
        "like_the_dot_product",
        partial(
            bars.horizontal,
            [names[name] for name in record.scorers],
            [round(float(r), 4) for r in record.correlation[1:]],
            value_title=t("correlation"),
        ),
        title=t("How like the dot product?"),
        reading=learned_readings.describe_compared(record, t),
        table=lambda: tables.compared(record),
        provenance=record.provenance,
        of=of,
    )


def _example(record: FittedScorersRecord, of: Chosen) -> None:
    picture.show(
        "fitted_weights",
        partial(panels.fitted, record, names=readings.names(t), t=t),
        title=t("Eight queries, noisy copies of keys 1 to 8"),
        reading=learned_readings.describe_example(record, t),
        table=lambda: tables.example(record),
        of=of,
    )


def _bilinear(record: FittedScorersRecord, of: Chosen) -> None:
    picture.show(
        "fitted_w",
        partial(panels.signed, record.bilinear),
        title=t("The fitted bilinear W"),
        reading=learned_readings.describe_bilinear(record, t),
        provenance=record.provenance,
        of=of,
    )
