"""Page 03: the functions side by side, then two experiments: longer vectors, and scoring functions that learn."""

import streamlit as st

from explorer.attention import scoring
from explorer.figures import bars, heatmap, panels, saturation, theme
from explorer.lessons import scoring_functions as lesson
from explorer.records.scoring import FittedScorersRecord
from explorer.training.scorers import fit
from explorer.ui import cached, card, layout
from explorer.ui import scoring_functions_tables as tables
from explorer.ui.controls import scoring_functions as controls
from explorer.ui.language import t


@st.fragment
def explore() -> None:
    """Everything that the page's settings change. Moving one reruns this and neither menu nor heading."""
    params = controls.draw()
    result = cached.compute(lesson.compute, params)
    if result.refused:
        st.info(card.escape(lesson.refusal(result, t)), icon=":material/straighten:")
    _side_by_side(result)
    layout.prose("scoring_functions", "functions")
    layout.prose("scoring_functions", "identities", **lesson.said_identities(result, t))
    scaling(params)
    training(params.seed)


def _side_by_side(result: lesson.Result) -> None:
    """All functions on the same data, one of them large, and one measure of all."""
    view = controls.shown(lesson.View())
    card.show(
        "scoring_functions",
        panels.scoring(result.records, shown=view.shown, names=lesson.short_names(t), t=t),
        title=t("The same queries, keys and values"),
        reading=lesson.reading_montage(result, view, t),
        table=lambda: tables.shown(result, view),
        provenance=result.provenance,
    )
    left, right = st.columns(2, gap="large")
    with left:
        _one(result, controls.function(view))
    with right:
        _measure(result, controls.measure(view))


def _one(result: lesson.Result, view: lesson.View) -> None:
    record = result.record(view.function)
    card.show(
        "one_function",
        panels.one(record, shown=view.shown, t=t),
        title=lesson.names(t)[record.name],
        reading=lesson.reading_function(result, view, t),
        table=lambda: tables.one(result, view),
        provenance=record.attention.provenance,
    )
    layout.code(getattr(scoring, record.name))


def _measure(result: lesson.Result, view: lesson.View) -> None:
    name = lesson.measure_names(t)[view.measure]
    card.show(
        "measures",
        bars.measures(result.records, view.measure, names=lesson.names(t), title=name),
        title=name,
        reading=lesson.reading_measure(result, view, t),
        table=lambda: tables.measures(result),
        provenance=result.provenance,
    )


def scaling(params: lesson.Params) -> None:
    """Why divide by √d.

    Args:
        params: of the page, whose number of keys, temperature and seed hold here too.
    """
    layout.prose("scoring_functions", "scaling")
    record = cached.compute(lesson.saturation, lesson.draws(params))
    card.show(
        "saturation",
        saturation.lengths(record, names=lesson.names(t), measures=lesson.measure_names(t), t=t),
        title=t("Scores and weights against d"),
        reading=lesson.reading_saturation(record, t),
        table=lambda: tables.saturation(record),
        provenance=record.provenance,
    )


@st.fragment
def training(seed: int) -> None:
    """Fit, answer the question, and show curves, comparison, an example and the fitted W; its widgets rerun it alone.

    Args:
        seed: of weights and examples.
    """
    layout.prose("scoring_functions", "training")
    record = cached.compute(fit, controls.fit(seed))
    best = t("The answer, measured (the best possible score is right in {right:.0%} of the queries):")
    lines = "\n".join(f"- {card.escape(line)}" for line in lesson.answer(record, t))
    st.markdown(f"**{best.format(right=record.final_accuracy[0])}**\n\n{lines}")
    layout.prose("scoring_functions", "answer_symmetric" if record.symmetric else "answer_offset")
    left, right = st.columns(2, gap="large")
    with left:
        _curves(record)
        _example(record)
    with right:
        _compared(record)
        _bilinear(record)


def _curves(record: FittedScorersRecord) -> None:
    card.show(
        "fitting",
        saturation.fitting(record, names=lesson.names(t), t=t),
        title=t("Learning to find the right key"),
        reading=lesson.reading_fit(record, t),
        table=lambda: tables.curves(record),
        provenance=record.provenance,
    )


def _compared(record: FittedScorersRecord) -> None:
    names = lesson.names(t)
    card.show(
        "like_the_dot_product",
        bars.horizontal(
            [names[name] for name in record.scorers],
            [round(float(r), 4) for r in record.correlation[1:]],
            value_title=t("correlation with the dot product"),
            colours=[theme.colour(number) for number in range(len(record.scorers))],
        ),
        title=t("How like the dot product?"),
        reading=lesson.reading_compared(record, t),
        table=lambda: tables.compared(record),
        provenance=record.provenance,
    )


def _example(record: FittedScorersRecord) -> None:
    card.show(
        "fitted_weights",
        panels.fitted(record, names=lesson.names(t), t=t),
        title=t("Eight queries, noisy copies of keys 1 to 8"),
        reading=lesson.reading_example(record, t),
        table=lambda: tables.example(record),
        provenance=record.provenance,
    )


def _bilinear(record: FittedScorersRecord) -> None:
    numbers = tuple(str(number + 1) for number in range(len(record.bilinear)))
    reach = float(abs(record.bilinear).max())
    card.show(
        "fitted_w",
        heatmap.matrix(
            record.bilinear,
            rows=numbers,
            columns=numbers,
            value_title="W",
            bounds=(-reach, reach),
            colours=theme.DIVERGING,
        ),
        title=t("The fitted bilinear W"),
        reading=lesson.reading_bilinear(record, t),
        table=lambda: tables.bilinear(record),
        provenance=record.provenance,
    )
