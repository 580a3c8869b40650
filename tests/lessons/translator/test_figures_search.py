"""The figures of the search, by structure."""

import numpy as np
import pytest

from explorer.lessons.translator.figures import search as figures, search_lines as lines
from explorer.records import Provenance
from explorer.records.search import ScoredText, SearchNode, SearchRecord
from explorer.records.sequence import Candidate


def node(step: int, rank: int, parent: int | None, label: str, total: float, fate: str) -> SearchNode:
    return SearchNode(
        step=step, rank=rank, parent=parent, label=label, text=label, log_probability=total / step, total=total,
        score=total, fate=fate,  # type: ignore[arg-type]
    )  # fmt: skip


@pytest.fixture
def record() -> SearchRecord:
    """Two steps of a beam of two, with the same token three times and markup as a token."""
    nodes = (
        node(1, 0, None, "the", -0.5, "continued"),
        node(1, 1, None, "the", -1.0, "pruned"),
        node(1, 2, None, "<b>x</b>", -3.0, "dropped"),
        node(2, 0, 0, "the", -0.9, "open"),
        node(2, 1, 0, "</s>", -1.1, "finished"),
        node(2, 2, 0, "a", -1.3, "open"),
        node(2, 3, 1, "b", -4.0, "dropped"),
    )
    return SearchRecord(
        nodes=nodes, found=(4, 3), beam=2, stopped="length",
        provenance=Provenance(computed_by="test"),
    )  # fmt: skip


def bars(figure, place: int):
    return [trace for trace in figure.data if trace.type == "bar"][place]


def test_every_hypothesis_has_a_cell_of_its_own_even_where_tokens_repeat(record: SearchRecord) -> None:
    cells = bars(figures.tree(record, step=9), 0)
    assert cells.base + figures.HALF == pytest.approx([1, 1, 2, 2, 2])
    assert list(cells.y) == [0, 1, 0, 1, 2]
    assert list(cells.text) == ["the", "✕ the", "the", "✓ end", "a"]
    expected = [np.exp(node.log_probability) for node in record.nodes if node.fate != "dropped"]
    assert cells.marker.color == pytest.approx(expected, rel=1e-6)
    assert (cells.marker.cmin, cells.marker.cmax) == (0, 1)


def test_the_tree_grows_and_learns_fates_step_by_step(record: SearchRecord) -> None:
    early, late = (figures.tree(record, step=step) for step in (1, 2))
    assert list(bars(early, 0).text) == ["the", "the"]
    assert "✕ the" in bars(late, 0).text
    assert "kept" in bars(early, 0).customdata[1]
    assert "pruned at step 2: no continuation reached -1.30" in bars(late, 0).customdata[1]
    assert early.layout.xaxis.range == late.layout.xaxis.range


def test_what_was_not_kept_is_drawn_on_request_as_outlines(record: SearchRecord) -> None:
    assert len(bars(figures.tree(record, step=2), 1).text or ()) == 0
    outlines = bars(figures.tree(record, step=2, dropped=True), 1)
    assert list(outlines.text) == ["&lt;b&gt;x&lt;/b&gt;", "b"]
    assert "the least that was kept had -1.00" in outlines.customdata[0]


def test_the_winners_path_is_framed_and_its_edge_is_thick(record: SearchRecord) -> None:
    figure = figures.tree(record, step=2)
    assert list(bars(figure, 0).marker.line.width) == [4, 1, 1, 4, 1]
    winner = next(trace for trace in figure.data if trace.type == "scatter" and trace.line.width == 5)
    assert winner.x[:2] == pytest.approx([1 + figures.HALF, 2 - figures.HALF])
    assert list(winner.y[:2]) == [0, 1]


def test_long_trees_are_bounded(record: SearchRecord) -> None:
    chain = [node(1, 0, None, "a", -1.0, "continued")]
    chain += [node(step, 0, step - 2, "a", -1.0, "continued") for step in range(2, 260)]
    long = SearchRecord(
        nodes=tuple(chain), found=(len(chain) - 1,), beam=1, stopped="length",
        provenance=record.provenance,
    )  # fmt: skip
    assert len(figures.tree(long, step=400).layout.xaxis.tickvals) <= 70


@pytest.fixture
def texts() -> list[ScoredText]:
    made = []
    for name, values in (("greedy", [-0.1, -0.2, -0.3]), ("sample-1", [-2.0, -1.0])):
        labels = ("a", "<i>", "</s>")[-len(values) :]
        candidate = Candidate(text="", labels=labels, log_probability=sum(values), score=-1.0, finished=True)
        made.append(ScoredText(name=name, candidate=candidate, surface=labels, log_probabilities=np.array(values)))
    return made


def test_running_sums_begin_at_nothing(texts: list[ScoredText]) -> None:
    figure = lines.running(texts, names={"greedy": "greedy", "sample-1": "<b>"}, at=2)
    assert figure.data[0].y == pytest.approx([0, -0.1, -0.3, -0.6])
    assert figure.data[1].y == pytest.approx([0, -2, -3])
    assert {trace.line.dash for trace in figure.data} == {"solid", "dash"}
    assert "&lt;i&gt;" in figure.data[1].customdata[1]
    assert "<b><br>" not in figure.data[1].hovertemplate
    assert figure.layout.shapes[0].x0 == 2


def test_a_text_has_a_number_for_each_token(texts: list[ScoredText]) -> None:
    with pytest.raises(ValueError, match="3 tokens"):
        ScoredText(name="x", candidate=texts[0].candidate, surface=("a",) * 3, log_probabilities=np.zeros(2))


def test_ranking_draws_the_formula(record: SearchRecord) -> None:
    figure = lines.ranking([record.nodes[4], record.nodes[3]], penalty=0.6, most=2.0)
    drawn = figure.data[0]
    assert drawn.y == pytest.approx(-1.1 / ((5 + 2) / 6) ** drawn.x, rel=1e-5)
    assert (drawn.x[0], drawn.x[-1]) == (0, 2)
    assert figure.layout.shapes[0].x0 == 0.6


def test_a_tree_whose_nodes_do_not_follow_is_refused(record: SearchRecord) -> None:
    with pytest.raises(ValueError, match="does not continue"):
        SearchRecord(
            nodes=(node(2, 0, None, "a", -1.0, "open"),), found=(0,), beam=1,
            stopped="length", provenance=record.provenance,
        )  # fmt: skip
    with pytest.raises(ValueError, match="found nothing"):
        SearchRecord(
            nodes=record.nodes, found=(), beam=1, stopped="length",
            provenance=record.provenance,
        )  # fmt: skip
