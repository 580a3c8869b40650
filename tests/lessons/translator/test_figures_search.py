"""The search: what is told and drawn of a hypothesis, and its figures by structure."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.data.parallel.glosses import gloss
from explorer.lessons.translator.figures import hypotheses, search_lines as lines
from explorer.lessons.translator.live import search as film
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


def test_what_is_told_of_a_hypothesis_learns_its_fate_step_by_step(record: SearchRecord) -> None:
    early, late = (hypotheses.tell(record, 1, step) for step in (1, 2))
    assert early.splitlines()[:2] == ["Step 1, place 2", "the"]
    assert early.endswith("kept")
    assert late.endswith("pruned at step 2: no continuation reached -1.30, the least that was kept")
    assert "the least that was kept had -1.00" in hypotheses.tell(record, 2, 2)
    assert "“end”" in hypotheses.tell(record, 4, 2)


def test_every_hypothesis_is_a_piece_even_where_tokens_repeat_and_others_come_on_request(record: SearchRecord) -> None:
    drawn, whole = (film.pack(record, dropped=each) for each in (False, True))
    assert [each["text"] for each in drawn["pieces"]] == ["the", "the", "the", "end", "a"]
    assert [each["mark"] for each in drawn["pieces"]] == ["", "✕", "", "✓", ""]
    assert [each["won"] for each in drawn["pieces"]] == [True, False, False, True, False]
    assert [each["text"] for each in whole["pieces"] if each["dropped"]] == ["<b>x</b>", "b"]
    expected = [[node.step, node.rank, -1 if node.parent is None else node.parent] for node in record.nodes]
    np.testing.assert_array_equal(whole["arrays"]["nodes"][:, :3], expected)
    assert drawn["arrays"]["nodes"][:, 2].tolist() == [-1, -1, 0, 0, 0]


def test_a_cell_means_what_its_word_means_also_with_its_mark(record: SearchRecord) -> None:
    written = {"the": ("chat", "Le chat"), "a": ("aime", "Il n'aime")}
    nodes = tuple(
        replace(each, label=written[each.label][0], text=written[each.label][1]) if each.label in written else each
        for each in record.nodes
    )
    drawn = film.pack(replace(record, nodes=nodes), dropped=False, language="fr")
    assert drawn["glosses"] == {"chat": "cat", "✕ chat": "cat", "aime": gloss("aime", "fr", "en")}
    assert "glosses" not in film.pack(replace(record, nodes=nodes), dropped=False, language="en")


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
    assert figure.data[0].y == pytest.approx(np.array([0, -0.1, -0.3, -0.6]) / np.log(10))
    assert figure.data[1].y == pytest.approx(np.array([0, -2, -3]) / np.log(10))
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
