"""Additive, trained: three functions learn a task whose best score is a dot product."""

from functools import partial
from typing import Any

import streamlit as st

from explorer.data.retrieval import Retrieval
from explorer.lessons.scoring_functions import fitted_scorers, learned_readings, readings
from explorer.lessons.scoring_functions.figures import panels
from explorer.lessons.scoring_functions.fitted_scorers import EVERY, STEPS, Fit
from explorer.lessons.scoring_functions.live import fitting
from explorer.lessons.scoring_functions.ui import tables
from explorer.records.language import t
from explorer.records.scoring import FittedScorersRecord
from explorer.records.wording import percent
from explorer.scenes.scoring_functions import TRAINED
from explorer.ui import cache, choice, language, messages
from explorer.ui.scene import heat_map, picture, rail

CODE = (fitted_scorers.train,)
Chosen = tuple[Fit, int]


def controls() -> Chosen:
    """Offset and noise of the task; length and seed in the fold; the film asks for the moment."""
    step = choice.step(t("Training step"), key="sf_moment", last=STEPS)
    asked = rail.ask(TRAINED.controls)
    seed = asked.pop("seed")
    return Fit(task=Retrieval(**asked), seed=seed), step // EVERY


def stage(chosen: Chosen) -> dict[str, str]:
    """The training as a film: curves, weights and W; what it ends in is said below."""
    settings, moment = chosen
    record = cache.compute(fitted_scorers.fit, settings)
    shown: dict[str, Any] = {
        "title": t("Eight queries, noisy copies of keys 1 to 8"),
        "reading": learned_readings.describe_example(record, moment),
        "table": lambda: tables.example(record, moment),
    }
    signed: dict[str, Any] = {
        "title": t("W of the bilinear score"),
        "reading": learned_readings.describe_bilinear(record, moment),
        "provenance": record.provenance,
        "table": lambda: tables.bilinear(record, moment),
    }
    weights = partial(panels.draw_fitted, record, moment, names=readings.names())
    if heat_map.instead("fitted_map", weights, of=chosen, **shown):
        of_w = partial(panels.draw_signed, record.bilinear[moment])
        picture.show_chart("fitted_w", of_w, of=chosen, height=picture.Height(most=360), **signed)
    else:
        _film(record, settings, moment, shown, signed)
    return {
        "steps": str(STEPS),
        "right": percent(record.accuracy[-1, 0]),
        "answers": "\n".join(f"- {messages.plain(line)}" for line in learned_readings.answer(record)),
        "because": language.prose("scoring_functions", "answer_symmetric" if record.symmetric else "answer_offset"),
    }


def _film(
    record: FittedScorersRecord, settings: Fit, moment: int, weights: dict[str, Any], signed: dict[str, Any]
) -> None:
    """Draw the training, and say below it what the weights and W of the moment are."""
    drawn = partial(fitting.pack, record)
    steps: dict[str, Any] = {
        "step": moment,
        "positions": range(0, STEPS + 1, EVERY),
        "sentences": lambda: [learned_readings.describe_moment(record, each) for each in range(len(record.steps))],
        "of": settings,
    }
    title, table = t("Learning to find the right key"), lambda: tables.curves(record)
    taken: dict[str, Any] = {"title": title, "table": table, "provenance": record.provenance}
    fitting.PICTURE.show("fitting", drawn, link_key="sf_moment", **steps, **taken)
    first, second = st.columns(2, gap="medium")
    with first:
        fitting.PICTURE.remark(
            "fitted_weights", drawn, **steps, **weights, provenance=record.provenance, on_paper=False
        )
    with second:
        fitting.PICTURE.remark("fitted_w", drawn, **steps, **signed, on_paper=False)
