"""The page's figures by structure: alignments with repeated tokens, strips, bars over one axis, curves."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from explorer.figures import alignment as maps
from explorer.lessons.seq2seq_attention.figures import columns, lengths as curves, strips, wiring
from explorer.lessons.seq2seq_attention.records import LengthCurve, LengthGroup, Wiring
from explorer.records import AttentionRecord, Provenance

SAID = Provenance(computed_by="a test")
NAMES = {name: name for name in curves.SIGNS}


def record() -> AttentionRecord:
    weights = np.array([[[0.1, 0.7, 0.2], [0.6, 0.3, 0.1], [0.0, 0.0, 1.0], [0.2, 0.2, 0.6]]], np.float32)
    return AttentionRecord(
        site="decoder.cross",
        kind="cross",
        weights=weights,
        query_labels=("the", "the", "<b>", "</s>"),
        key_labels=("der", "der", "</s>"),
        query_role="produced",
        provenance=SAID,
    )


def test_an_alignment_keeps_equal_tokens_apart() -> None:
    figure = maps.alignment(record())
    (heat,) = figure.data
    assert heat.z.shape == (4, 3)
    assert (heat.zmin, heat.zmax) == (0, 1)
    assert list(figure.layout.xaxis.ticktext) == ["der", "der", "end"]
    assert figure.layout.yaxis.autorange == "reversed"
    assert "“%{y}”" in heat.hovertemplate


def test_another_models_marks_have_its_own_words_for_the_rows_have_the_fixed_ones() -> None:
    learnt = record()
    labels = ("a", "young", "</s>")
    diagonal = replace(learnt, weights=np.eye(3, dtype=np.float32)[None], query_labels=labels)
    fixed, other = (SimpleNamespace(trace=SimpleNamespace(alignment=each)) for each in (diagonal, learnt))
    rows, marks, words = maps.fixed_alignment(fixed, other).data
    assert list(words.text) == ["the", "the", "&lt;b&gt;", "end"]
    best = learnt.weights[0].argmax(-1)
    assert list(marks.x) == best.tolist() == [1, 0, 2, 2]
    assert np.sign(words.x - best).tolist() == [1, -1, -1, -1], "not on the diagonal, nor off the map"
    assert abs(words.x - best)[2] > 0.5, "beside a dark cell"
    assert rows.z.diagonal().tolist() == [1, 1, 1]


def test_the_hard_alignment_is_the_argmax_of_each_row() -> None:
    figure = maps.alignment(record(), hard=True)
    marks = figure.data[1]
    assert marks.x.tolist() == [1, 0, 2, 2]
    assert marks.y.tolist() == [0, 1, 2, 3]


def test_strips_keep_equal_names_apart_and_are_centred_on_0() -> None:
    figure = strips.strips(
        [("a", np.array([1.0, -4.0], np.float32)), ("a", np.array([0.0, 2.0], np.float32))],
        value_title="value",
        ruled=(1,),
    )
    (heat,) = figure.data
    assert heat.z.shape == (2, 2)
    assert (heat.zmin, heat.zmax) == (-4, 4)
    assert [shape.y0 for shape in figure.layout.shapes] == [0.5]


def test_curves_of_other_groups_share_the_axis() -> None:
    groups = (
        LengthGroup(first=1, last=7, sentences=3, bleu=40.0),
        LengthGroup(first=8, last=None, sentences=2, bleu=20.0),
    )
    whole = LengthCurve(model="m", mechanism="none", groups=groups, provenance=SAID)
    part = LengthCurve(model="n", mechanism="additive", groups=groups[1:], provenance=SAID)
    figure = curves.lengths([part, whole], names=NAMES)
    assert list(figure.layout.xaxis.ticktext) == ["1–7", "≥\u00a08"]
    assert list(figure.data[0].x) == [1]
    assert list(figure.data[1].y) == [40.0, 20.0]
    said = {note.text.strip("<b>/").replace("\u00a0", " ") for note in figure.layout.annotations}
    assert said == {NAMES["none"], NAMES["additive"]}, "what is compared is named at its line"
    assert "over 3 sentences" in figure.data[1].customdata[0].replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("wired", "wanted"),
    [
        (Wiring(query="before", context="input"), {("before", "score"), ("context", "cell"), ("context", "next")}),
        (Wiring(query="before", context="input", readout="bare"), {("before", "score"), ("context", "cell")}),
        (Wiring(query="after", context="output"), {("after", "score"), ("context", "next")}),
        (Wiring(query="after", context="next"), {("after", "score"), ("context", "next"), ("seen", "cell")}),
    ],
)
def test_the_thick_arrows_say_who_asks_and_where_the_context_enters(
    wired: Wiring, wanted: set[tuple[str, str]]
) -> None:
    figure = wiring.wiring(wired)
    box = lambda x, y: min(wiring.PLACES, key=lambda name: np.hypot(*np.subtract(wiring.PLACES[name], (x, y))))  # noqa: E731
    thick = [each for each in figure.layout.annotations if each.arrowwidth == 4]
    assert {(box(each.ax, each.ay), box(each.x, each.y)) for each in thick} == wanted
    assert ("context<br>before" in figure.data[0].text) == (wired.context == "next")


def test_a_name_is_cut_so_that_its_box_holds_it_in_both_languages() -> None:
    assert wiring.lines("states of the source") == ["states of", "the source"]
    assert wiring.lines("上一步的上下文") == ["上一步的上", "下文"]
    assert wiring.lines("评分，softmax") == ["评分，", "softmax"]


def test_what_takes_plain_text_gets_no_markup() -> None:
    assert columns.plain_names(["<unk>", "a & b", "", "</s>"]) == ["<unk>", "a\u00a0&\u00a0b", "∅", "end"]
