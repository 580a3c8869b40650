"""Heat maps: which word looks at which, what the objects weigh, what features add, whose share the answer is."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from explorer.figures import heatmap, theme, weight_map
from explorer.figures.look import look
from explorer.lessons.queries_keys_values.figures.ways import way_names
from explorer.lessons.queries_keys_values.records.lookup import WAYS, LookupRecord
from explorer.lessons.queries_keys_values.records.scene import WITH, SceneRecord
from explorer.records import AttentionRecord
from explorer.records.language import t


def weights(record: AttentionRecord, asks: int, *, secret: bool = False) -> go.Figure:
    """Draw the weights of all words, the row of the one that asks framed; if it is secret, it has a question mark."""
    drawn = record.weights.mean(0)
    if secret:
        drawn[asks] = np.nan
    figure = weight_map.draw_weights(drawn, record.query_labels, record.key_labels, row=asks)
    if secret:
        mark = {"font": {"size": 20}, "bgcolor": look().paper, "showarrow": False}
        figure.add_annotation(x=(drawn.shape[1] - 1) / 2, y=asks, text="?", **mark)
    return figure


def looks(record: SceneRecord, *, names: Mapping[str, str]) -> go.Figure:
    """Draw the weights of all objects, unasked and with the query."""
    rows, columns = (t("unasked"), t("with the query")), tuple(names[each] for each in record.objects)
    said = t("{object}: weight {weight}").format(object="%{x}, %{y}", weight="%{z:.4f}")
    return weight_map.draw_weights(record.weights, rows, columns, hover=said, square=False)


def parts(record: SceneRecord, chosen: int, *, names: Mapping[str, str], features: Mapping[str, str]) -> go.Figure:
    """Draw what each feature adds to the score of each object, and the score, their sum; a chosen object is framed."""
    numbers = np.column_stack([record.parts[WITH], record.scores[WITH]])
    columns = (*(features[each] for each in record.features), f"= {t('score')}")
    rows = tuple(names[each] for each in record.objects)
    return weight_map.draw_scores(numbers, rows, columns, row=chosen, square=False)


def answers(record: LookupRecord) -> go.Figure:
    """Draw the weights of the keys, a row for each way of answering."""
    said = t("{way}: “{key}” weighs {weight}").format(way="%{y}", key="%{x}", weight="%{z:.3f}")
    rows, columns = tuple(way_names()[way] for way in WAYS), tuple(entry.name for entry in record.entries)
    return weight_map.draw_weights(record.weights, rows, columns, hover=said, square=False)


def course(record: LookupRecord) -> go.Figure:
    """Draw the weights of the keys at every temperature, the chosen one marked."""
    hover = t("temperature {temperature}: “{key}” weighs {weight}")
    said = hover.format(temperature="%{customdata:.3g}", key="%{y}", weight="%{z:.3f}")
    at, powers = np.log10(record.temperatures).astype(np.float32), list(range(-3, 4))
    warmth = np.broadcast_to(record.temperatures.astype(np.float32), record.path.T.shape)
    chosen = float(np.log10(record.temperature))
    cells = heatmap.cells(record.path.T.astype(np.float32), look().weights, said, x=at, customdata=warmth)
    keys = theme.token_axis(tuple(entry.name for entry in record.entries))
    mark = {"type": "line", "x0": chosen, "x1": chosen, "yref": "paper", "y0": 0, "y1": 1}
    return theme.figure(
        cells,
        height=460,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        shapes=[mark | {"line": {"color": look().query, "width": 3}}],
        xaxis={"tickvals": powers, "ticktext": [f"{10.0**power:g}" for power in powers], "showgrid": False}
        | {"title": {"text": t("temperature T")}, "zeroline": False},
        yaxis=keys | {"autorange": "reversed"},
    )
