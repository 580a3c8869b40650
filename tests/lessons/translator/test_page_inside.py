"""Scenes of the translator behind the first: stepped through, changed, compared, linked to."""

from pathlib import Path

import pytest

from explorer.lessons import translator as lesson
from explorer.lessons.translator import cross
from explorer.lessons.translator.ui import change
from explorer.lessons.translator.ui.compare import SECONDS
from explorer.records import Provenance
from explorer.records.heads import HeadName
from explorer.scenes.translator import EXAMPLE
from tests.checkpoints.conftest import tiny_model, tiny_tokenizer, write
from tests.lessons.translator.test_page import behind, said, tiny, titles
from tests.pages.test_every_page import healthy
from tests.support.pages import OpenPage, chosen

__all__ = ["behind", "tiny"]
PAGE = "pages/10_translator.py"
NONSENSE = ["", "-1", "9" * 5000, "1.5", "<script>", "平均", "0@", "E0.0 D99.99 C1.1", "1=nan,inf"]


def test_a_word_is_followed_to_each_sub_layer_and_not_beyond(
    open_page: OpenPage, behind: dict[str, Provenance]
) -> None:
    app = open_page(PAGE, scene="token", tr_inside="word", tr_token="1")
    assert "tr_point_lens_live" in [each.key for each in app.get("bidi_component")]
    assert "The decoder read" in said(app)
    chosen(app, "tr_point", "1")
    assert healthy(app)
    assert "It adds a vector of length" in said(app)
    assert "gets most" in said(app)
    chosen(app, "tr_point", "99")
    assert healthy(app)
    assert "gets most" not in said(app), "the last sub-layer looks nowhere"
    assert {"tr_point_lens", "tr_lengths"} <= set(behind)


@pytest.mark.parametrize("value", NONSENSE)
@pytest.mark.parametrize(
    ("scene", "keys"),
    [
        ("token", ["tr_point", "tr_token", "tr_inside"]),
        ("align", ["tr_look", "tr_heads", "tr_side", "tr_word"]),
        ("change", ["tr_mask", "tr_off", "tr_warmed", "tr_warmth", "tr_row", "tr_row_layer"]),
    ],
)
def test_nonsense_in_the_link_falls_back(open_page: OpenPage, scene: str, keys: list[str], value: str) -> None:
    app = open_page(PAGE, scene=scene, **dict.fromkeys(keys, value))
    assert healthy(app)
    assert not app.error


@pytest.mark.parametrize("look", ["lines", "words", "heads", "align"])
@pytest.mark.parametrize("merge", ["true", "false"])
def test_every_look_at_the_cross_attention(open_page: OpenPage, look: str, merge: str) -> None:
    app = open_page(PAGE, scene="align", tr_look=look, tr_merge=merge, tr_hide="true", tr_heads="C0.1 C1.0")
    assert healthy(app)
    assert app.multiselect(key="tr_heads_shown").value == [HeadName(part="cross", layer=i, head=1 - i) for i in (0, 1)]


def test_heads_are_chosen_by_buttons_and_kept_by_their_code(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="align", tr_look="align")
    best = cross.head_alignments(lesson.compute(lesson.Params())).best
    app.button(key="tr_heads_best").click().run()
    assert app.text_input(key="tr_heads").value == best.code
    assert f"Cross-attention, layer {best.layer}, head {best.head}" in titles(app)
    app.button(key="tr_heads_last").click().run()
    assert app.text_input(key="tr_heads").value == "C1.0 C1.1"
    app.button(key="tr_heads_all").click().run()
    assert "Cross-attention, mean of all 4 heads" in titles(app)
    assert healthy(app)


def test_a_change_is_in_the_link_shown_and_reset(open_page: OpenPage, behind: dict[str, Provenance]) -> None:
    app = open_page(
        PAGE,
        tr_text="The cat saw.",
        scene="change",
        tr_mask="1",
        tr_off="C1.0",
        tr_row="2@3",
        tr_row_layer="0",
        tr_warmed="E0",
    )
    assert healthy(app)
    assert app.multiselect(key="tr_mask_shown").value == [1]
    assert app.selectbox(key="tr_row_step").value == 2
    assert app.selectbox(key="tr_row_word").value == 3
    assert "masked words 1, off C1.0, token 2 looks at word 3 in layer 0" in str(behind["tr_crossed"])
    app.select_slider(key="tr_warmth").set_value(5.0).run()
    assert "temperature of E0 5" in str(behind["tr_crossed"])
    app.button(key="tr_reset").click().run()
    assert healthy(app)
    assert "Nothing is changed yet" in said(app)
    assert app.text_input(key="tr_row").value == ""


def test_choosing_in_the_lists_writes_the_link(open_page: OpenPage, behind: dict[str, Provenance]) -> None:
    app = open_page(PAGE, scene="change", tr_text="The cat saw.")
    app.multiselect(key="tr_mask_shown").set_value([2, 0]).run()
    assert app.text_input(key="tr_mask").value == "0 2"
    app.selectbox(key="tr_row_step").set_value(1).run()
    assert app.text_input(key="tr_row").value == ""
    app.selectbox(key="tr_row_word").set_value(3).run()
    assert app.text_input(key="tr_row").value == "1@3"
    app.multiselect(key="tr_mask_shown").set_value([3]).run()
    assert healthy(app)
    assert "The word to look at is masked" not in said(app)
    app.multiselect(key="tr_mask_shown").set_value([]).run()
    assert "token 1 looks at word 3 in all layers" in str(behind["tr_crossed"])


def test_a_long_sentence_is_decoded_anew_on_demand(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="change", tr_mask="1", tr_text="the cat saw the dog and " * 6)
    assert healthy(app)
    assert app.button(key="tr_change_start").label == "Decode anew"


def test_only_what_differs_is_marked_and_nothing_is_obeyed() -> None:
    assert change.mark_changes("le <b>chat</b>", "le <b>chien</b>") == (
        "le &lt;b&gt;<del>chien</del><ins>chat</ins>&lt;/b&gt;"
    )
    assert change.mark_changes("我想你", "我想她") == "我想<del>她</del><ins>你</ins>"
    assert change.mark_changes("Elle aime", "Elle n'aime") == "Elle <del>n&#x27;</del>aime"
    assert change.mark_changes("", "x") == "<del>x</del>"
    assert change.mark_changes("", "") == "∅"


@pytest.mark.parametrize("text", ["I miss you.", "<script>alert(1)</script>", "我想 💜 أفتقدك", "=A1 $x^2$ **b**"])
@pytest.mark.parametrize("head", ["mean", "all", "1"])
def test_two_sentences_stand_side_by_side(open_page: OpenPage, text: str, head: str) -> None:
    app = open_page(PAGE, scene="compare", tr_other=text, tr_head=head, tr_merge="true")
    assert healthy(app)
    assert not app.error
    assert [title.startswith("Cross-attention, layer 1") for title in titles(app)] == [True, True]


@pytest.mark.parametrize("text", ["", "\u200b", "the cat " * 200])
def test_a_second_sentence_that_cannot_be_read_says_why(open_page: OpenPage, text: str) -> None:
    app = open_page(PAGE, scene="compare", tr_other=text)
    if not text:  # an empty parameter is the default: empty the box by hand
        app.text_input(key="tr_other").set_value("").run()
    assert healthy(app)
    assert len(app.info) == 1


def test_another_translator_can_be_compared_where_there_is_one(
    open_page: OpenPage, tiny: Path, behind: dict[str, Provenance]
) -> None:
    write(tiny.parent / "translator-other", tiny_model(tiny_tokenizer().vocab_size))
    app = open_page(PAGE, scene="compare", tr_other_model="translator-other")
    assert healthy(app)
    assert behind["tr_second"].model == "translator-other"
    app.button(key="tr_other_same").click().run()
    assert app.text_input(key="tr_other").value == EXAMPLE
    assert app.selectbox(key="tr_other_model_shown").value == "translator-other"


def test_whoever_reads_the_same_language_can_be_compared_with(
    open_page: OpenPage, tiny: Path, behind: dict[str, Provenance]
) -> None:
    for name, directions in (("translator-two", "en-de de-en"), ("translator-three", "en-zh en-de zh-en")):
        write(tiny.parent / name, tiny_model(tiny_tokenizer(directions).vocab_size, directions))
    app = open_page(PAGE, scene="compare", tr_model="translator-two", tr_other_model="translator-three:en-de")
    assert healthy(app)
    shown = app.selectbox(key="tr_other_model_shown")
    assert shown.options == ["the same model", "English → Chinese", "English → German"]
    assert shown.value == "translator-three:en-de"
    assert behind["tr_second"].model == "translator-three"

    german = open_page(PAGE, scene="compare", tr_model="translator-two:de-en")
    assert healthy(german)
    assert german.text_input(key="tr_other").value == SECONDS["de"]
    typed = open_page(PAGE, scene="compare", tr_model="translator-two:de-en", tr_other="Hund")
    assert typed.text_input(key="tr_other").value == "Hund"


def test_under_a_change_the_map_shows_now_or_before(open_page: OpenPage, behind: dict[str, Provenance]) -> None:
    app = open_page(PAGE, scene="change", sight="map", tr_text="The cat saw.", tr_mask="1")
    assert healthy(app)
    assert "tr_cross_after" in behind
    assert "tr_cross_before" not in behind
    app = open_page(PAGE, scene="change", tr_text="The cat saw.", sight="map", tr_mask="1", tr_when="before")
    assert "nothing changed" in str(behind["tr_cross_before"])


def test_heads_are_named_in_words_where_readers_choose_them(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="change", tr_off="C1.0")
    assert "cross-attention, layer 1, head 0" in app.multiselect(key="tr_off_shown").options
    app = open_page(PAGE, scene="align", tr_heads="C1.0")
    assert "layer 1, head 0" in app.multiselect(key="tr_heads_shown").options
