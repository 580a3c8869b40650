"""What its controls do, what is said where weights are missing, and what comes of nonsense."""

from pathlib import Path

import pytest

from explorer.checkpoints import hub, store
from explorer.data.text import excerpt
from explorer.lessons.positional_encoding import extrapolation, trained, trained_decoders
from explorer.scenes.positional_encoding import LESSON
from tests.pages.test_every_page import healthy
from tests.support.pages import OpenPage, plain as said

PAGE = "pages/07_positional_encoding.py"


@pytest.fixture
def nothing_trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No checkpoint is there."""
    trained_decoders.decay.cache_clear()
    for module in (store, hub, extrapolation):
        monkeypatch.setattr(module, "BUNDLED", tmp_path)
    yield
    trained_decoders.decay.cache_clear()


@pytest.mark.parametrize(("lang", "held"), [("en", "an excerpt of {} characters"), ("zh", "一段 {} 字符的摘录")])
def test_the_page_says_how_much_text_was_measured(open_page: OpenPage, lang: str, held: str) -> None:
    for record in map(extrapolation.read_measurement, trained.KINDS):
        assert record.provenance.detail == f"{record.n_windows} windows of the excerpt"
    assert held.format(f"{len(excerpt()):,}") in said(open_page(PAGE, scene="measured", lang=lang))


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"pe_pair": "0"}, "Pair 0 repeats every <b>6.28</b> positions"),
        ({"pe_d": "8", "pe_pair": "15"}, "Pair 3 repeats every"),
        ({"pe_length": "256", "pe_base": "10"}, "Every pair comes round within these 256 positions."),
        ({"pe_d": "4"}, "1 of 2 pairs do not come round once"),
        ({"pe_place": "0", "pe_offset": "-64"}, "At positions 64 and 0"),
        ({"pe_place": "999"}, "has the code of position <b>255</b>"),
        ({"pe_place": "12", "pe_base": "100"}, "has the code of position <b>12</b>"),
        ({"pe_read": "240"}, "Around character <b>240</b>"),
        ({"pe_read": "250"}, "Around character <b>240</b>"),
        ({"pe_read": "7"}, "Around character <b>16</b>"),
        ({"pe_place": "255", "pe_offset": "64"}, "At positions 255 and 319"),
        ({"pe_phase_pair": "0"}, "Pair 0 turns by <b>57.3°</b>"),
        ({"pe_heads": "1"}, "The one head halves a weight every 177 positions"),
        ({"pe_heads": "16", "pe_alibi_head": "15"}, "What head 15 adds to its scores"),
        ({"pe_table": "likeness"}, "Cosine of every two learned codes"),
        ({"pe_text": "only"}, "This order is the sentence itself"),
        ({"pe_asking": "4", "pe_asked": "4"}, "“d” looks at “d”, 0 back"),
        ({"pe_asking": "2", "pe_asked": "63"}, "“e” looks at “e”, 0 back"),
        ({"pe_over": "place"}, "at the last positions of the training length"),
    ],
)
def test_an_old_link_opens_the_scene_of_its_controls_and_sets_them(
    open_page: OpenPage, parameters: dict[str, str], expected: str
) -> None:
    app = open_page(PAGE, **parameters)
    assert healthy(app)
    assert expected in said(app)


def test_an_old_link_with_a_seed_shows_the_order_that_was_drawn(open_page: OpenPage) -> None:
    app = open_page(PAGE, pe_text="The dog bit the man.", pe_seed="249")
    assert healthy(app)
    assert app.session_state["pe_order"] == "random"
    drawn = trained.test_permutation(trained.OrderParams(text="The dog bit the man.", order="random", seed=249))
    assert [label.strip("␣") for label in drawn.moved_labels[:-1]] == ["The", "man", "bit", "the", "dog", "."]
    assert f"by <b>{drawn.change[1].max():.0%}</b>" in said(app)


@pytest.mark.parametrize("nonsense", ["<script>alert(1)</script> 💥", "-1"])
@pytest.mark.parametrize("scene", [scene.name for scene in LESSON.scenes])
def test_nonsense_in_the_link_keeps_the_page_alive(open_page: OpenPage, nonsense: str, scene: str) -> None:
    keys = [key for key, value in LESSON.every_default.items() if isinstance(value, str)]
    app = open_page(PAGE, scene=scene, **dict.fromkeys(keys, nonsense))
    assert healthy(app)
    assert not app.error
    assert "<script>" not in "".join(each.value for each in (*app.markdown, *app.info))


@pytest.mark.parametrize("scene", ["order", "enters"])
@pytest.mark.parametrize("text", ["", "   ", "\u200b", "\x00"])
def test_nothing_typed_asks_for_a_sentence(open_page: OpenPage, scene: str, text: str) -> None:
    app = open_page(PAGE, scene=scene)
    app.text_input(key="pe_text").set_value(text).run()
    assert healthy(app)
    assert not app.error
    assert [each.value.replace("\\", "") for each in app.info] == ["Type a sentence: there is nothing to read yet."]


@pytest.mark.parametrize("scene", ["order", "enters"])
@pytest.mark.parametrize(
    "text",
    [
        "x" * 160,
        "我爱机器学习",
        "مرحبا بالعالم",
        "👩‍👩‍👧 💥",
        "<b>a</b> a a",
        "=1+1 {query} %{x} {0}",
        "</s> <s> <pad>",
    ],
)
def test_any_text_is_read_or_refused_in_words(open_page: OpenPage, scene: str, text: str) -> None:
    app = open_page(PAGE, scene=scene, pe_text=text)
    assert healthy(app)
    assert not app.error
    refused = "sub-words, and the translator reads at most 128" in said(app)
    assert refused != bool(
        app.get("plotly_chart") or "pe_words_live" in [each.key for each in app.get("bidi_component")]
    )


@pytest.mark.parametrize("text", ["我爱机器学习", "👩‍👩‍👧 💥", "<b>a</b> a a", "=1+1 {query} %{x} {0}"])
def test_any_line_is_turned(open_page: OpenPage, text: str) -> None:
    app = open_page(PAGE, scene="rotary", pe_line=text)
    assert healthy(app)
    assert "looks at" in said(app)


def test_missing_weights_are_said_and_nothing_is_drawn_in_their_place(
    open_page: OpenPage, nothing_trained: None
) -> None:
    needed = {
        "order": "translator-en-fr",
        "enters": "translator-en-fr",
        "learned": "positions-learned",
        "rotary": "positions-rotary",
        "beyond": "positions-alibi",
        "side_by_side": "positions-alibi",
        "measured": "positions-alibi",
    }
    for scene in LESSON.scenes:
        app = open_page(PAGE, scene=scene.name)
        assert healthy(app)
        assert len(app.error) == (scene.name in needed), scene.name
        drawn = app.get("plotly_chart") or any(each.key.endswith("_live") for each in app.get("bidi_component"))
        assert bool(drawn) == (scene.name not in needed or scene.name == "rotary"), scene.name
        if scene.name in needed:
            assert f"checkpoints/{needed[scene.name]}" in said(app)
