"""Inside one head, and what heads add, as bars; heads as points; how much each is needed, as a map."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures import factors, heatmap, theme
from explorer.figures.look import look
from explorer.records.ablation import AblationRecord, AblationSweepRecord
from explorer.records.heads import ContributionRecord, HeadMeasures, InsideRecord, Part
from explorer.records.language import t
from explorer.records.wording import fraction, minus, said_change, token

#: Keys whose numbers can be written at the ends of their bars.
_ROOMY = 24
#: Products that stand out, and how pale the others are.
LARGEST, _PALE = 4, 0.35


def product(record: InsideRecord) -> go.Figure:
    """Draw query and key of one pair by component, and their product over √d_key, whose bars add up to the score."""
    d_key = record.d_key
    shares = record.product / np.float32(np.sqrt(d_key))
    panels = (
        (t("query of “{token}”").format(token=token(record.query_label)), record.query, look().query),
        (t("key of “{token}”").format(token=token(record.key_label)), record.key, look().key),
        (
            t("their product ÷ √{d}: adds up to the score {score}").format(d=d_key, score=minus(f"{record.score:.2f}")),
            shares,
            look().text,
        ),
    )
    said = t("number {number}: {value}").format(number="%{x}", value="%{y:.3f}")
    strong = np.full(d_key, _PALE)  # the same numbers in all three panels: where most of the score comes from
    strong[np.argsort(-np.abs(shares))[:LARGEST]] = 1.0
    traces = [
        _columns(values, position, said, colour).update(marker_opacity=strong)
        for position, (_, values, colour) in enumerate(panels)
    ]
    reach = float(max(np.abs(record.query).max(), np.abs(record.key).max(), 1e-6)) * 1.08
    digit = 10.0 ** np.floor(np.log10(reach))
    whole = float(reach // digit * digit)  # three numbers fit on a low panel, in large type as well
    layout = _stacked([title for title, *_ in panels], (0.29, 0.29, 0.42))
    layout["xaxis3"] |= {"title": {"text": t("the {d} numbers; strong: largest {n}").format(d=d_key, n=LARGEST)}}
    for name in ("xaxis", "xaxis2"):
        layout[name] |= {"showticklabels": False}
    for name in ("yaxis", "yaxis2"):
        layout[name] |= {"range": (-reach, reach), "tickvals": (0, whole)}
    return theme.figure(*traces, height=520, showlegend=False, bargap=0.15, **layout)


def scores(record: InsideRecord, key: int) -> go.Figure:
    """Draw the query's score with every key, a word a row, and beside it its weight; the chosen key is blue."""
    chosen = [look().key if position == key else look().muted for position in range(len(record.key_labels))]
    names = [theme.label(token(text), None) for text in record.key_labels]
    roomy = len(names) <= _ROOMY
    values = np.nan_to_num(record.row_scores)
    reach = (float(min(values.min(), 0.0)), float(max(values.max(), 0.0)))
    room = max(reach[1] - reach[0], 1e-6) * 0.4  # for a number at the end of a bar
    panels = (
        (t("score"), record.row_scores, "{:.1f}", (reach[0] - room * (reach[0] < 0), reach[1] + room), (0.0, 0.54)),
        (t("weight"), record.row_weights, "{:.0%}", (0.0, 1.3), (0.6, 1.0)),
    )
    axis = theme.token_axis(record.key_labels) | {"autorange": "reversed"}
    layout: dict[str, Any] = {"margin": {"l": 8, "r": 8, "t": 34, "b": 8}, "annotations": []}
    traces = []
    for position, (title, row, form, span, domain) in enumerate(panels):
        number = theme.axis_number(position)
        written = [minus(form.format(each)) if roomy and np.isfinite(each) else "" for each in row.tolist()]
        traces.append(
            go.Bar(
                x=row.astype(np.float32),
                y=np.arange(len(names), dtype=np.int32),
                orientation="h",
                marker={"color": chosen},
                customdata=names,
                text=written,
                textposition="outside",
                textfont={"size": 14},
                cliponaxis=False,
                hovertemplate="%{customdata}: %{x:.3f}<extra></extra>",
                xaxis=f"x{number}",
                yaxis=f"y{number}",
            )
        )
        layout[f"xaxis{number}"] = {
            "domain": domain,
            "anchor": f"y{number}",
            "range": span,
            "showticklabels": not roomy,
            "showgrid": False,
            "zeroline": True,
        }
        layout[f"yaxis{number}"] = axis | {"anchor": f"x{number}", "showticklabels": not position}
        layout["annotations"].append(_title(title, domain[0], 1.0))
    return theme.figure(*traces, height=430, showlegend=False, bargap=0.3, **layout)


def contributions(record: ContributionRecord, query: int, *, head: int) -> go.Figure:
    """Draw how long each head's part of a query's output is, and how far it points that way; one in its own colour."""
    rows = np.arange(record.norm.shape[0], dtype=np.int32)
    colours = [look().output if row == head else look().muted for row in rows.tolist()]
    said = t("head {head}: {value}").format(head="%{y}", value="%{x:.3f}")
    panels = (
        (t("length of the head’s part"), record.norm[:, query]),
        (t("cosine to the whole output"), record.cosine[:, query]),
    )
    layout: dict[str, Any] = {"margin": {"l": 8, "r": 8, "t": 44, "b": 8}, "annotations": []}
    traces = []
    for position, ((title, values), domain) in enumerate(zip(panels, ((0.06, 0.48), (0.56, 1.0)), strict=True)):
        number = theme.axis_number(position)
        traces.append(
            go.Bar(
                x=values.astype(np.float32),
                y=rows,
                orientation="h",
                marker={"color": colours},
                hovertemplate=f"{said}<extra></extra>",
                xaxis=f"x{number}",
                yaxis=f"y{number}",
            )
        )
        layout[f"xaxis{number}"] = {"domain": domain, "anchor": f"y{number}", "zeroline": True}
        layout[f"yaxis{number}"] = {"anchor": f"x{number}", "autorange": "reversed", "dtick": 1, "tickvals": rows}
        layout["annotations"].append(_title(title, domain[0], 1.0))
    layout["yaxis"]["title"] = {"text": t("head")}
    layout["xaxis2"]["range"] = (-1.05, 1.05)
    return theme.figure(*traces, height=120 + 26 * len(rows), showlegend=False, bargap=0.25, **layout)


def changes(record: AblationRecord, *, waits: bool = False) -> go.Figure:
    """Draw for each word of the old translation how its log-probability changed without the heads.

    Args:
        waits: whether the bars are not shown yet.
    """
    change = record.change.astype(np.float32)
    before, after = np.exp(record.log_probability_before), np.exp(record.log_probability_after)
    said = t("“{token}”: probability {before} before, {after} now; {change}").format(
        token="%{customdata[0]}",  # noqa: S106 - a token of a sentence
        before="%{customdata[1]}",
        after="%{customdata[2]}",
        change="%{customdata[3]}",
    )
    named = [
        (theme.label(token(text), None), f"{old:.1%}", f"{new:.1%}", said_change(float(each)))
        for text, old, new, each in zip(record.before_words, before, after, change, strict=True)
    ]
    colours = [look().value if value >= 0 else look().output for value in change.tolist()]
    trace = _columns(factors.tens(change), 0, said, colours).update(customdata=named, cliponaxis=False)
    axis = theme.token_axis(record.before_words) | {"tickfont": {"size": 12 if len(named) <= 56 else 9}}
    scale, worst = factors.axis(change), int(change.argmin())
    low, high = scale["range"]
    lost = {
        "text": named[worst][3],
        "x": worst,
        "y": float(factors.tens(change)[worst]),
        "xanchor": "right" if worst > len(named) / 2 else "left",
        "xshift": 16 if worst > len(named) / 2 else -16,
        "yanchor": "top",
        "showarrow": False,
    }
    if waits:
        trace.update(y=[None] * len(named), customdata=None)
        lost = {
            "text": "?",
            "x": 0.5,
            "y": 0.5,
            "xref": "paper",
            "yref": "paper",
            "showarrow": False,
            "font": {"size": 34},
        }
    return theme.figure(
        trace,
        height=330,
        showlegend=False,
        bargap=0.2,
        xaxis=axis,
        yaxis=scale | {"range": [low - 0.08 * (high - low), high]},
        annotations=[lost] if change[worst] < 0 else [],
    )


def importance(record: AblationSweepRecord, *, names: Sequence[str]) -> go.Figure:
    """Draw layers by heads: the change of the old translation's log-probability without that head."""
    change = record.change.astype(np.float32)
    known = np.abs(change[np.isfinite(change)])
    reach = max(float(known.max(initial=0.0)), 1e-3)
    said = t("{site}, head {head} off: the old translation is {change}").format(
        site="%{y}", head="%{x}", change="%{customdata}"
    )
    told = [[said_change(each) if np.isfinite(each) else "" for each in row] for row in change.tolist()]
    short = [[fraction(each) if each < -np.log(2) else "" for each in row] for row in change.tolist()]
    figure = heatmap.matrix(
        change,
        rows=tuple(names),
        columns=tuple(str(head) for head in range(change.shape[1])),
        column_title=t("head"),
        bounds=(-reach, reach),
        hover=f"{said}<extra></extra>",
    )
    figure.update_traces(colorscale=harm(), texttemplate="%{text}", text=short, showscale=False, customdata=told)
    return figure.update_layout(height=150 + 32 * len(names))


def harm() -> list[tuple[float, str]]:
    """Return the scale of changes around 0, the paper: less likely below, likelier above."""
    return [(0.0, look().output), (0.5, look().paper), (1.0, look().value)]


def points(rows: Sequence[HeadMeasures], *, names: Mapping[Part, str], labels: Sequence[str]) -> go.Figure:
    """Draw every head by its spread and its distance, a colour and a shape for each site, with its rule."""
    colours = {"encoder": look().query, "decoder": look().output, "cross": look().key}
    symbols = dict(zip(names, ("circle", "square", "diamond"), strict=False))
    traces = []
    for part, name in names.items():
        mine = [(row, label) for row, label in zip(rows, labels, strict=True) if row.head.part == part]
        if not mine:
            continue
        traces.append(
            go.Scatter(
                x=np.array([row.effective for row, _ in mine], np.float32),
                y=np.array([row.distance for row, _ in mine], np.float32),
                text=[theme.label(label, None) for _, label in mine],
                name=theme.label(name, None),
                mode="markers",
                marker={"size": 11, "color": colours[part], "symbol": symbols[part], "opacity": 0.85},
                hovertemplate="%{text}<br>%{x:.2f} · %{y:.2f}<extra></extra>",
            )
        )
    return theme.figure(
        *traces,
        height=460,
        showlegend=True,
        xaxis={"title": {"text": t("tokens a row spreads over<br>(exp of entropy)")}, "rangemode": "tozero"},
        yaxis={"title": {"text": t("mean distance (tokens)")}, "rangemode": "tozero"},
    )


def _columns(values: npt.NDArray[np.float32], position: int, said: str, colour: str | list[str]) -> go.Bar:
    """Return bars over 0, 1, 2, …, in panel number `position`."""
    number = theme.axis_number(position)
    return go.Bar(
        x=np.arange(len(values), dtype=np.int32),
        y=values.astype(np.float32),
        marker={"color": colour},
        hovertemplate=f"{said}<extra></extra>",
        xaxis=f"x{number}",
        yaxis=f"y{number}",
    )


def _stacked(titles: Sequence[str], shares: Sequence[float]) -> dict[str, Any]:
    """Return the axes of panels one below the other, each with its title above it."""
    layout: dict[str, Any] = {"margin": {"l": 8, "r": 8, "t": 34, "b": 8}, "annotations": []}
    top = 1.0
    for position, (title, share) in enumerate(zip(titles, shares, strict=True)):
        number = theme.axis_number(position)
        head = 0.0 if position == 0 else 0.085
        layout[f"xaxis{number}"] = {"anchor": f"y{number}", "showgrid": False, "zeroline": False}
        layout[f"yaxis{number}"] = {"anchor": f"x{number}", "domain": (max(top - share, 0.0), top - head)}
        layout["annotations"].append(_title(title, 0.0, top - head))
        top -= share
    return layout


def _title(text: str, x: float, y: float) -> dict[str, Any]:
    return theme.heading(theme.label(text, None).replace("\u00a0", " "), x, y)
