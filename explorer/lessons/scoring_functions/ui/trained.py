"""Additive, trained: three functions learn a task whose best score is a dot product."""

from functools import partial

import streamlit as st

from explorer.data.retrieval import Retrieval
from explorer.lessons.scoring_functions import fitted_scorers, learned_readings, readings
from explorer.lessons.scoring_functions.figures import panels, saturation
from explorer.lessons.scoring_functions.fitted_scorers import EVERY, STEPS, Fit
from explorer.lessons.scoring_functions.ui import fit_film, tables
from explorer.records.wording import percent
from explorer.ui import cache, choice, figure_card, language
from explorer.ui.language import t
from explorer.ui.scene import picture, rail

CODE = (fitted_scorers.train,)
FITTED_LENGTHS = (2, 4, 8, 16, 32)
Chosen = tuple[Fit, int]


def controls() -> Chosen:
    """Offset and noise of the task; length and seed in the fold; the film asks for the moment."""
    step = choice.step(t("Training step"), key="sf_moment", last=STEPS)
    offset = choice.slider(t("Offset of the keys from 0"), 0.0, 2.0, 0.1, key="sf_offset")
    noise = choice.slider(t("Noise of the query"), 0.2, 3.0, 0.1, key="sf_noise")
    with rail.more():
        d = choice.stops(t("Length of the vectors, d"), FITTED_LENGTHS, key="sf_fd")
        seed = choice.slider(t("Seed"), 0, 99, key="sf_seed")
    return Fit(task=Retrieval(d=d, noise=noise, offset=offset), seed=seed), step // EVERY


def stage(chosen: Chosen) -> dict[str, str]:
    """The training as a film: curves, weights and W; what it ends in is said below."""
    settings, moment = chosen
    record = cache.compute(fitted_scorers.fit, settings)
    names = readings.names(t)
    fit_film.draw(
        record,
        moment,
        key="fitting",
        of=settings,
        draw=partial(saturation.fitting, record, names=names, t=t),
        title=t("Learning to find the right key"),
        table=lambda: tables.curves(record),
    )
    first, second = st.columns(2, gap="medium")
    with first:
        picture.remark(
            "fitted_weights",
            partial(panels.fitted, record, moment, names=names, t=t),
            title=t("Eight queries, noisy copies of keys 1 to 8"),
            reading=learned_readings.describe_example(record, moment, t),
            table=lambda: tables.example(record, moment),
        )
    with second:
        picture.remark(
            "fitted_w",
            partial(panels.signed, record.bilinear[moment]),
            title=t("W of the bilinear score"),
            reading=learned_readings.describe_bilinear(record, moment, t),
            provenance=record.provenance,
        )
    return {
        "steps": str(STEPS),
        "right": percent(record.accuracy[-1, 0]),
        "answers": "\n".join(f"- {figure_card.escape(line)}" for line in learned_readings.answer(record, t)),
        "because": language.prose("scoring_functions", "answer_symmetric" if record.symmetric else "answer_offset"),
    }
