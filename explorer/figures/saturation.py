"""Lines for page 03: what the length of the vectors does to a softmax, and how fitted scorers learn."""

from collections.abc import Mapping

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from explorer.figures import theme
from explorer.records import Translate, english
from explorer.records.scoring import FittedScorersRecord, SaturationRecord

#: Shown at once; the others wait in the legend.
SHOWN = ("dot", "scaled_dot")
_DASHES = ("solid", "dash", "dashdot", "dot")


def lengths(
    record: SaturationRecord, *, names: Mapping[str, str], measures: Mapping[str, str], t: Translate = english
) -> go.Figure:
    """Variance of scores (with what theory says), entropy, largest weight and gradient against d.

    Args:
        record: the measurements.
        names: of the functions, in the reader's language.
        measures: of the four measures, in the reader's language.
        t: the reader's language.
    """
    drawn = ("variance", "entropy", "largest", "gradient")
    figure = make_subplots(2, 2, subplot_titles=[measures[each] for each in drawn], vertical_spacing=0.16)
    for number, scorer in enumerate(record.scorers):
        for place, measure in enumerate(drawn):
            line = go.Scatter(
                x=list(record.lengths),
                y=getattr(record, measure)[number],
                name=names[scorer],
                mode="lines+markers",
                line={"color": theme.colour(number), "dash": _DASHES[number % 4], "width": 2.5},
                legendgroup=scorer,
                showlegend=place == 0,
                visible=True if scorer in SHOWN else "legendonly",
                hovertemplate=f"{theme.label(names[scorer], None)}, d = %{{x}}: %{{y:.4g}}<extra></extra>",
            )
            figure.add_trace(line, place // 2 + 1, place % 2 + 1)
        figure.add_trace(_theory(record, number, t), 1, 1)
    figure.update_layout(theme.figure(height=600).layout)
    figure.update_layout(margin_t=84, legend={"y": 1.09})
    figure.update_annotations(font_size=13)
    ticks = [d for d in record.lengths if d in {2, 8, 32, 128, 512}]
    figure.update_xaxes(type="log", tickvals=ticks, automargin=True)
    figure.update_xaxes(title="d", row=2)
    figure.update_yaxes(type="log", row=1, col=1, dtick=1)
    figure.update_yaxes(rangemode="tozero", automargin=True)
    return figure


def _theory(record: SaturationRecord, number: int, t: Translate) -> go.Scatter:
    scorer = record.scorers[number]
    return go.Scatter(
        x=list(record.lengths),
        y=record.expected_variance[number],
        name=t("theory"),
        mode="lines",
        line={"color": theme.CATEGORICAL[7], "width": 6},
        opacity=0.45,
        legendgroup=scorer,
        showlegend=number == 0,
        visible=True if scorer in SHOWN else "legendonly",
        hovertemplate=t("theory") + ", d = %{x}: %{y:.4g}<extra></extra>",
    )


def fitting(record: FittedScorersRecord, *, names: Mapping[str, str], t: Translate = english) -> go.Figure:
    """Loss and accuracy on unseen queries by step, with the best possible and with guessing.

    Args:
        record: what was fitted.
        names: of the scorers, and `best` for the best possible, in the reader's language.
        t: the reader's language.
    """
    titles = [t("loss on unseen queries (nats)"), t("share of unseen queries answered right")]
    figure = make_subplots(2, 1, shared_xaxes=True, subplot_titles=titles, vertical_spacing=0.1)
    for number, scorer in enumerate(record.scorers):
        for row, values in enumerate((record.loss, record.accuracy), start=1):
            line = go.Scatter(
                x=list(record.steps),
                y=values[number],
                name=names[scorer],
                mode="lines",
                line={"color": theme.colour(number), "dash": _DASHES[number % 4], "width": 2.5},
                legendgroup=scorer,
                showlegend=row == 1,
                hovertemplate=f"{theme.label(names[scorer], None)}, {t('step')} %{{x}}: %{{y:.3f}}<extra></extra>",
            )
            figure.add_trace(line, row, 1)
    best = (names["best"], theme.CATEGORICAL[3], (record.final_loss[0], record.final_accuracy[0]))
    guess = (t("guessing"), theme.CATEGORICAL[7], (record.guess_loss, record.chance))
    for name, colour, levels in (best, guess):
        for row, level in enumerate(levels, start=1):
            figure.add_trace(_level(record, float(level), name, colour, legend=row == 1), row, 1)
    figure.update_layout(theme.figure(height=560).layout)
    figure.update_layout(margin_t=84, legend={"y": 1.09})
    figure.update_yaxes(rangemode="tozero", automargin=True)
    figure.update_xaxes(title=t("step"), row=2)
    return figure


def _level(record: FittedScorersRecord, value: float, name: str, colour: str, *, legend: bool) -> go.Scatter:
    """A horizontal line to compare the curves with."""
    return go.Scatter(
        x=[record.steps[0], record.steps[-1]],
        y=[value, value],
        name=name,
        mode="lines",
        line={"color": colour, "width": 4},
        opacity=0.5,
        legendgroup=name,
        showlegend=legend,
        hovertemplate=f"{theme.label(name, None)}: %{{y:.3f}}<extra></extra>",
    )
