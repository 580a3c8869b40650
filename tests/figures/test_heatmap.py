"""Heat maps by structure: what travels to the browser, and under which names."""

import json
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from explorer.figures import heatmap
from explorer.records import AttentionRecord, Provenance
from explorer.records.language import speaking

REPEATED = ("the", "cat", "saw", "the", "the")
HOSTILE = ("<script>alert(1)</script>", "</b>&amp;", "a\u200bb\x00", " ", "x" * 400)


def record(
    queries: tuple[str, ...] = REPEATED, keys: tuple[str, ...] = REPEATED, *, heads: int = 2, causal: bool = False
) -> AttentionRecord:
    """Random weights that sum to 1 over what is allowed."""
    allowed = np.tri(len(queries), len(keys), dtype=bool) if causal else None
    weights = np.random.default_rng(0).random((heads, len(queries), len(keys)))
    weights = weights if allowed is None else weights * allowed
    weights /= weights.sum(-1, keepdims=True)
    return AttentionRecord(
        site="decoder.layers.0.self",
        kind="causal" if causal else "cross",
        weights=weights.astype(np.float32),
        query_labels=queries,
        key_labels=keys,
        query_role="produced",
        provenance=Provenance(computed_by="a test"),
        allowed=allowed,
    )


def sent(figure: go.Figure) -> dict[str, Any]:
    """The first trace as the browser gets it."""
    trace: dict[str, Any] = json.loads(figure.to_json())["data"][0]
    return trace


def test_repeated_tokens_keep_their_own_rows_and_columns() -> None:
    figure = heatmap.attention(record(), head=1)
    np.testing.assert_array_equal(figure.data[0].z, record().weights[1])
    assert figure.data[0].x is None
    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        assert axis.tickvals == tuple(range(5))
        assert axis.ticktext == REPEATED


def test_no_head_means_the_mean_over_heads() -> None:
    np.testing.assert_allclose(heatmap.attention(record()).data[0].z, record().weights.mean(0), rtol=1e-6)
    with pytest.raises(IndexError):
        heatmap.attention(record(), head=2)


def test_forbidden_cells_are_missing_and_no_others() -> None:
    drawn = heatmap.attention(record(causal=True), head=0).data[0].z
    np.testing.assert_array_equal(np.isnan(drawn), ~np.tri(5, dtype=bool))


def test_weights_stand_on_the_fixed_scale_and_travel_as_float32() -> None:
    figure = heatmap.attention(record(), head=0)
    assert (figure.data[0].zmin, figure.data[0].zmax) == (0, 1)
    assert sent(figure)["z"]["dtype"] == "f4"
    assert set(sent(figure)["z"]) >= {"bdata", "shape"}


def test_hostile_labels_are_shown_and_not_obeyed() -> None:
    figure = heatmap.attention(record(HOSTILE, HOSTILE))
    text = "".join(figure.layout.xaxis.ticktext)
    assert "<" not in text
    assert "⟨U+200B⟩" in text
    assert "⟨U+0000⟩" in text
    assert all(0 < len(label) < 60 for label in figure.layout.xaxis.ticktext)


def test_the_record_is_left_as_it_was() -> None:
    given = record(causal=True)
    before = given.weights.copy()
    figure = heatmap.attention(given, head=0)
    figure.data[0].z[:] = 7
    np.testing.assert_array_equal(given.weights, before)


def test_few_cells_carry_their_numbers_and_many_do_not() -> None:
    many = tuple(map(str, range(13)))
    assert heatmap.attention(record()).data[0].texttemplate
    assert heatmap.attention(record(many, many)).data[0].texttemplate is None


def test_hover_says_the_sentence() -> None:
    assert heatmap.attention(record()).data[0].hovertemplate.startswith("“%{y}” attends to “%{x}”")
    with speaking("zh"):
        assert heatmap.attention(record()).data[0].hovertemplate.startswith("“%{y}”对“%{x}”的注意力")


def test_a_map_is_as_high_as_its_rows_need_within_a_screen() -> None:
    heights = [heatmap.attention(record(("a",) * rows, ("b",) * 3)).layout.height for rows in (1, 10, 200)]
    assert heights == sorted(heights)
    assert heights[-1] <= 900


def test_a_cell_says_what_the_words_of_its_row_and_column_mean_and_markup_is_shown() -> None:
    figure = heatmap.attention(record(queries=("chat", "</s>", "<b>"), keys=("Katze", "the")))
    said = heatmap.explain(figure, {"chat": "cat", "Katze": "<i>cat", "<b>": "bold"}).data[0]
    assert said.customdata[0] == ["<br>chat: cat<br>Katze: &lt;i&gt;cat", "<br>chat: cat"]
    assert said.customdata[1] == ["<br>Katze: &lt;i&gt;cat", ""]
    assert said.customdata[2][1] == "<br>&lt;b&gt;: bold"
    assert said.hovertemplate.endswith("%{customdata}<extra></extra>")
    plain = heatmap.attention(record())
    assert heatmap.explain(plain, {"cats": "x"}).data[0].customdata is None
