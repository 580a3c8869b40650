"""The translator's first scene: what it does with anything that is typed, and what moving a view control costs."""

import html
import json
import re
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from explorer.inference.translator import translate as inference
from explorer.inference.translator.budget import budget
from explorer.inference.translator.request import CHECKPOINT, EXAMPLES, pieces_of
from explorer.lessons import translator as lesson
from explorer.lessons.translator import Params, readings, sentences, state as state_of_lesson
from explorer.lessons.translator.ui import result as translator_result, tables
from explorer.lessons.translator.ui.model import CAPTIONS
from explorer.records import Provenance
from explorer.records.language import speaking
from explorer.scenes.translator import EXAMPLE, LESSON
from explorer.ui.scene import picture, runs_on
from tests.checkpoints.conftest import tiny_model, tiny_tokenizer, write
from tests.pages.test_every_page import healthy
from tests.support.pages import OpenPage, chosen, plain as said

PAGE = "pages/10_translator.py"
HOSTILE = {
    "one word of 400 letters": "a" * 400,
    "emoji": "I 💜 you 👩‍👩‍👧‍👦 🇫🇷",
    "Chinese": "我想你。",
    "Arabic": "أنا أفتقدك",
    "zero-width": "I\u200b miss\u200d you\ufeff\u202e.",
    "control": "I\x00 miss\x07 you\x1b[31m.",
    "script": "<script>alert('x')</script>",
    "formula": "=SUM(A1:A9) $\\int_0^1 x^2\\,dx$",
    "markdown": "**I** `miss` [you](http://x) :material/home: # > - 1.",
    "newlines": "I\nmiss\r\nyou",
    "special token": "</s> <s> <pad>",
}
#: What is read of the ribbons.
READING = re.compile("On average a word gives|No two ribbons|pairs?(\\*\\*)? of ribbons|Nothing is left to show")


@pytest.fixture(autouse=True)
def tiny(bundled_tiny: Path) -> Path:
    """A tiny translator: what is tested here does not depend on the weights."""
    return bundled_tiny


@pytest.fixture
def behind(monkeypatch: pytest.MonkeyPatch) -> dict[str, Provenance]:
    """What stands behind the icon of each picture, by its key."""
    found: dict[str, Provenance] = {}

    def keep(key: str, _shown: object, _table: object, provenance: Provenance, _files: object) -> None:
        found[key] = provenance

    monkeypatch.setattr(picture, "_behind", keep)
    return found


def titles(app: AppTest) -> list[str]:
    """Headings of the pictures on the stage."""
    found = [each.proto.body for each in app.get("html") if each.proto.body.startswith('<h3 class="picture-title">')]
    return [html.unescape(re.sub("<style>.*</style>|<span>.*</span>|<[^>]+>", "", each)) for each in found]


def typed(app: AppTest, text: str) -> AppTest:
    """Type into the box and press Enter."""
    return app.text_input(key="tr_text").set_value(text).run()


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_anything_typed_gets_a_translation_or_a_message(open_page: OpenPage, text: str) -> None:
    app = typed(open_page(PAGE), text)
    assert healthy(app)
    assert not app.error
    refused = "sub-words, and the translator reads at most" in said(app)
    assert refused != bool(READING.search(said(app)))
    assert healthy(typed(app, "The cat saw the dog."))
    assert READING.search(said(app))


@pytest.mark.parametrize("text", ["", "   ", "\u200b\u200d", "\x00"])
def test_nothing_typed_asks_for_a_sentence(open_page: OpenPage, text: str) -> None:
    app = typed(open_page(PAGE), text)
    assert healthy(app)
    assert len(app.info) == 1
    assert "There is nothing to translate yet: type a sentence." in said(app)
    assert "A row asks, a column is looked at." in said(app)


def test_5000_characters_are_told_the_limit(open_page: OpenPage) -> None:
    app = typed(open_page(PAGE), "the cat " * 625)
    assert healthy(app)
    assert "sub-words, and the translator reads at most" in said(app)


def test_a_long_input_is_announced_with_cells_and_megabytes(open_page: OpenPage) -> None:
    app = typed(open_page(PAGE), "The cat saw the dog " * 9)
    assert healthy(app)
    cost = budget(inference.load(CHECKPOINT), Params(text="The cat saw the dog " * 9))
    assert f"{cost.cells:,} attention weights" in said(app)
    assert cost.cells == 2 * (2 + 2 * 2) * cost.tokens**2
    assert cost.size_bytes == 4 * cost.cells


def test_moving_the_view_does_not_run_the_model(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Params] = []
    look = sentences.looked_into

    def counted(found: sentences.FoundSentence) -> lesson.Result:
        calls.append(found.params)
        return look(found)

    monkeypatch.setattr(sentences, "looked_into", counted)
    app = open_page(PAGE)
    assert len(calls) == 1
    for key, value in (("tr_site", "encoder"), ("tr_layer", "0"), ("tr_token", "1"), ("tr_head", "all")):
        chosen(app, key, value)
    for key in ("tr_merge", "tr_hide"):
        app.toggle(key=key).set_value(True).run()
    assert healthy(app)
    assert len(calls) == 1
    app.slider(key="tr_beam").set_value(2).run()
    assert [params.beam for params in calls] == [4, 2]


def test_every_map_of_every_site_and_head_is_drawn(open_page: OpenPage) -> None:
    app = open_page(PAGE, sight="map", tr_hide="true")
    seen = set()
    for site in ("cross", "encoder", "decoder"):
        chosen(app, "tr_site", site)
        for layer, head in (("0", "mean"), ("1", "all"), ("0", "1")):
            chosen(app, "tr_layer", layer)
            chosen(app, "tr_head", head)
            assert healthy(app)
            seen.add(titles(app)[-1 if head == "all" else 0])
    assert len(seen) == 9


@pytest.mark.parametrize("value", ["", "-1", "99999999999999999999", "1.5", "²", "<script>", "平均", "x" * 3000])
@pytest.mark.parametrize("view", ["picture", "map"])
def test_nonsense_in_the_link_falls_back(open_page: OpenPage, view: str, value: str) -> None:
    app = open_page(PAGE, sight=view, **dict.fromkeys(["tr_site", "tr_layer", "tr_head", "tr_token"], value))
    assert healthy(app)
    assert not app.error
    assert view == "picture" or "Cross-attention, layer 1, mean over heads" in titles(app)


def test_a_link_reopens_the_state_in_another_language(open_page: OpenPage) -> None:
    state = {"tr_text": "I'm busy.", "tr_site": "decoder", "tr_layer": "0", "tr_head": "1", "sight": "map"}
    english, chinese = open_page(PAGE, **state), open_page(PAGE, lang="zh", **state)
    assert "Self-attention of the decoder, layer 0, head 1" in titles(english)
    assert "解码器自注意力，层 0，头 1" in titles(chinese)
    shown = [{each.key: each.value for each in app.button_group} for app in (english, chinese)]
    assert all(values.pop("language_switch") for values in shown)
    assert shown[0] == shown[1]
    assert english.selectbox(key="tr_head_shown").value == chinese.selectbox(key="tr_head_shown").value == "1"


@pytest.mark.parametrize(
    ("link", "scene"),
    [({"tr_part": part}, scene) for part, scene in LESSON.parts["tr_part"].items()]
    + [({"tr_mask": "1"}, "change"), ({"tr_rank": "1.0"}, "search"), ({"tr_heads": "C1.0"}, "align")],
)
def test_a_link_from_before_the_scenes_opens_the_scene_it_means(
    open_page: OpenPage, link: dict[str, str], scene: str
) -> None:
    app = open_page(PAGE, **link)
    assert healthy(app)
    assert LESSON.scene(scene).question in said(app)


def test_the_first_example_is_the_one_that_is_asked_for_elsewhere() -> None:
    assert Params().text == EXAMPLE
    assert LESSON.shared["tr_model"] == CHECKPOINT


def test_a_pinned_word_is_in_the_link_and_read_out(open_page: OpenPage) -> None:
    app = open_page(PAGE, tr_text="The cat saw.", tr_token="2")
    assert healthy(app)
    label = lesson.compute(Params(text="The cat saw.")).trace.written.labels[2]
    assert f"Writing “{label}”, it looks most at" in said(app)
    assert not READING.search(said(app))


def test_the_step_is_the_one_that_was_selected(open_page: OpenPage) -> None:
    result = lesson.compute(Params())
    app = open_page(PAGE, tr_view="map", tr_token="1", tr_merge="false")
    label = result.trace.written.labels[1]
    assert f"Writing “{label}”, it looks most at" in said(app)
    assert app.selectbox(key="tr_token_shown").value == "1"


def test_a_missing_checkpoint_says_what_to_do(open_page: OpenPage, tiny: Path) -> None:
    (tiny / "manifest.json").unlink()
    app = open_page(PAGE)
    assert healthy(app)
    assert "missing or damaged" in app.error[0].value
    assert "A row asks, a column is looked at." in said(app)


def test_a_damaged_checkpoint_is_named_and_a_mended_one_works_without_a_restart(
    open_page: OpenPage, tiny: Path
) -> None:
    weights = (tiny / "model.safetensors").read_bytes()
    (tiny / "model.safetensors").write_bytes(weights[:-8] + b"damaged!")
    app = open_page(PAGE, lang="zh")
    assert healthy(app)
    assert "缺失或已损坏" in app.error[0].value
    (tiny / "model.safetensors").write_bytes(weights)
    assert healthy(app.run())
    assert not app.error


def test_a_device_that_is_not_there_is_a_message(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPLORER_DEVICE", "toaster")
    app = open_page(PAGE)
    assert healthy(app)
    assert "EXPLORER" in app.error[0].value


def test_the_table_of_candidates_is_what_the_search_found() -> None:
    result = lesson.compute(Params(text="The cat saw the dog.", beam=3))
    table = translator_result.candidates(result)
    assert list(table.iloc[:, 0]) == [each.text for each in result.translation.candidates]
    assert table.iloc[:, 1].is_monotonic_decreasing


def test_examples_set_the_box(open_page: OpenPage) -> None:
    app = open_page(PAGE, tr_token="2")
    app.button(key="example_1").click().run()
    assert healthy(app)
    assert app.text_input(key="tr_text").value == EXAMPLES["en"][1]
    assert app.text_input(key="tr_token").value == "0"


def test_the_table_of_all_heads_has_each_of_them() -> None:
    result, view = lesson.compute(Params()), lesson.View(head="all")
    record = state_of_lesson.viewed_attention(result, view)
    table = tables.numbers(record)
    assert table.shape == (record.n_heads * len(record.query_labels), 1 + len(record.key_labels))
    last = table[table["head"] == record.n_heads - 1].iloc[:, 1:]
    np.testing.assert_array_equal(last.to_numpy(np.float32), record.weights[-1])


def test_eight_bits_are_offered_and_named(open_page: OpenPage, behind: dict[str, Provenance]) -> None:
    for given, named in (("true", True), ("false", False)):
        app = open_page(PAGE, tr_int8=given)
        assert healthy(app)
        assert ("linear maps in int8 (dynamic)" in str(behind["tr_sure"])) == named


def test_another_model_is_chosen_and_reads_its_own_language(
    open_page: OpenPage, tiny: Path, behind: dict[str, Provenance]
) -> None:
    directions = "en-de de-en"
    tokenizer = tiny_tokenizer(directions)
    write(tiny.parent / "translator-multi30k", tiny_model(tokenizer.vocab_size, directions))
    app = open_page(PAGE)
    shown = app.selectbox(key="tr_model_shown")
    assert shown.options[1:] == ["English → German (captions of pictures)", "German → English (captions of pictures)"]
    shown.select_index(2).run()
    assert healthy(app)
    box = app.text_input(key="tr_text")
    assert (box.label, box.value) == ("A German sentence", CAPTIONS["de"][0])
    assert behind["tr_sure"].model == "translator-multi30k"
    result = lesson.compute(Params(checkpoint="translator-multi30k", direction="de-en", text="Hund"))
    assert result.trace.source.labels[0] == "<2en>"
    other = open_page(PAGE, tr_model="translator-multi30k:de-en", tr_text="Ein Hund.", scene="compare")
    assert healthy(other)
    assert other.text_input(key="tr_text").value == "Ein Hund."


@pytest.mark.parametrize(
    ("way", "text", "label"), [("de-en", "Ein Hund.", "A German sentence"), ("zh-en", "一只狗。", "A Chinese sentence")]
)
def test_a_link_to_a_language_finds_the_model_that_reads_it_alone(
    open_page: OpenPage, tiny: Path, behind: dict[str, Provenance], way: str, text: str, label: str
) -> None:
    for name, directions in (("translator-to-english", "fr-en zh-en"), (f"translator-{way}", way)):
        write(tiny.parent / name, tiny_model(tiny_tokenizer(directions).vocab_size, directions))
    app = open_page(PAGE, tr_model=f"translator-to-english:{way}", tr_text=text)
    assert healthy(app)
    assert behind["tr_sure"].model == f"translator-{way}"
    assert app.text_input(key="tr_text").label == label
    assert len(set(app.selectbox(key="tr_model_shown").options)) == (4 if way == "de-en" else 3)


def test_a_language_that_lost_its_own_model_is_read_by_that_of_several(
    open_page: OpenPage, tiny: Path, behind: dict[str, Provenance]
) -> None:
    write(tiny.parent / "translator-to-english", tiny_model(tiny_tokenizer("fr-en zh-en").vocab_size, "fr-en zh-en"))
    app = open_page(PAGE, tr_model="translator-to-english:zh-en", tr_text="一只狗。")
    assert healthy(app)
    assert behind["tr_sure"].model == "translator-to-english"


@pytest.mark.parametrize("directions", ["upwards", 4, None])
def test_a_model_whose_directions_make_no_sense_says_so(open_page: OpenPage, tiny: Path, directions: object) -> None:
    broken = tiny.parent / "translator-broken"
    write(broken, tiny_model(tiny_tokenizer().vocab_size))
    manifest = json.loads((broken / "manifest.json").read_text())
    manifest["config"]["directions"] = directions
    (broken / "manifest.json").write_text(json.dumps(manifest))
    app = open_page(PAGE, tr_model="translator-broken")
    assert not app.exception
    assert "is missing or damaged" in app.error[0].value


def test_a_model_that_is_not_there_is_the_usual_one(open_page: OpenPage, behind: dict[str, Provenance]) -> None:
    app = open_page(PAGE, tr_model="translator-nowhere:xx-yy")
    assert healthy(app)
    assert behind["tr_sure"].model == CHECKPOINT


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("THE CAT SAW THE DOG.", "capitals became small letters"),
        ("I’m “busy”.", "quotation marks became plain ones"),
        ("The\u200b cat.", "spaces and invisible characters"),
    ],
)
def test_what_was_changed_before_reading_is_said_below_the_sentence(
    open_page: OpenPage, tiny: Path, text: str, words: str
) -> None:
    write(tiny, tiny_model(tiny_tokenizer("en-fr").vocab_size, "en-fr"))
    app = typed(open_page(PAGE), text)
    assert healthy(app)
    (piece,) = pieces_of(Params(text=text))
    assert piece.text != text
    assert f"The model reads “{piece.text}”: " in said(app)
    assert words in said(app)
    typed(app, "The cat saw the dog.")
    assert "The model reads “" not in said(app)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The cat saw 8\u202f000 dogs.", "the sign between thousands"),
        ("The cat saw Tariqo.", "“Tariqo” is read as “Tom”, and put back"),
        ("The cat saw 43,900 dogs.", "“43,900” is read as “27”, and put back"),
    ],
)
def test_what_the_model_loses_is_read_again_in_another_way(
    open_page: OpenPage, tiny: Path, text: str, words: str
) -> None:
    """A model that nobody trained puts no stand-in back: the page says so, and not that it reads one."""
    write(tiny, tiny_model(tiny_tokenizer("en-fr").vocab_size, "en-fr"))
    (piece,) = pieces_of(Params(text=text))
    assert words in readings.describe_changes([piece])
    app = typed(open_page(PAGE), text)
    assert healthy(app)
    assert "Something was lost on the way" in said(app)
    assert f"“{piece.text}”" not in said(app)


def test_what_was_changed_is_said_in_chinese(open_page: OpenPage, tiny: Path) -> None:
    write(tiny, tiny_model(tiny_tokenizer("zh-en").vocab_size, "zh-en"))
    app = typed(open_page(PAGE, lang="zh"), "我們愛貓。")
    assert healthy(app)
    assert "模型读到的是“我们爱猫。”：繁体字改成简体字。" in said(app)
    with speaking("zh"):
        told = readings.describe_changes(pieces_of(Params(text="Tariqo爱猫。")))
    assert told == "模型读到的是“汤姆爱猫。”：“Tariqo”读作“汤姆”，译后换回。"


@pytest.mark.parametrize(("lang", "unit"), [("en", r"[\d,]+ tokens/s"), ("zh", r"每秒 [\d,]+ 个词元")])
def test_the_icon_says_device_arithmetic_and_speed(
    open_page: OpenPage, tiny: Path, monkeypatch: pytest.MonkeyPatch, lang: str, unit: str
) -> None:
    write(tiny, tiny_model(tiny_tokenizer("en-fr").vocab_size, "en-fr"))
    for asked, arithmetic in (("", "float32"), ("bfloat16", "bfloat16")):
        monkeypatch.setenv("EXPLORER_PRECISION", asked)
        noted: list[str] = []
        with monkeypatch.context() as patch:
            patch.setattr(runs_on, "note", noted.append)
            app = typed(open_page(PAGE, lang=lang), "The cat saw.")
        assert re.fullmatch(f"cpu · {arithmetic} · {unit}", noted[-1])
        assert not re.search(unit, said(app)), "not on the page itself"
    monkeypatch.setenv("EXPLORER_PRECISION", "int3")
    app = typed(open_page(PAGE, lang=lang), "The cat sees.")
    assert "choose one of float32, bfloat16, float16" in app.error[0].value


def test_capitals_are_translated_into_capitals(open_page: OpenPage, tiny: Path) -> None:
    write(tiny, tiny_model(tiny_tokenizer("en-fr").vocab_size, "en-fr"))
    small, large = (typed(open_page(PAGE), text) for text in ("The cat saw.", "THE CAT SAW."))
    shown = [
        next(each.proto.body for each in app.get("html") if 'class="translated' in each.proto.body)
        for app in (small, large)
    ]
    texts = [html.unescape(re.search('lang="fr">(.*)</p>', each)[1]) for each in shown]
    assert texts[1] == texts[0].upper()
    assert texts[0] != texts[1]


def test_the_field_of_the_training_stands_below_the_sentence(open_page: OpenPage, tiny: Path) -> None:
    write(tiny, tiny_model(tiny_tokenizer("en-fr").vocab_size, "en-fr"))
    manifest = json.loads((tiny / "manifest.json").read_text())
    (tiny / "manifest.json").write_text(
        json.dumps(manifest | {"data": "Pairs of Tatoeba and of news.", "metrics": {"test_bleu_en-fr": 43.6}})
    )
    assert "Trained on everyday sentences and news. BLEU on unseen text: 44 on everyday sentences." in said(
        open_page(PAGE)
    )


@pytest.mark.parametrize(
    ("wrong", "said_of_it"),
    [(70, "A weak direction: at least 35% of 200 test sentences come out wrong."), (20, "At least 10% of 200 test")],
)
def test_a_weak_direction_is_called_so_beside_its_sentence(
    open_page: OpenPage, tiny: Path, wrong: int, said_of_it: str
) -> None:
    write(tiny, tiny_model(tiny_tokenizer("en-fr").vocab_size, "en-fr"))
    manifest = json.loads((tiny / "manifest.json").read_text())
    manifest |= {"everyday": {"en-fr": {"all": {"sentences": 200, "wrong": wrong}}}}
    (tiny / "manifest.json").write_text(json.dumps(manifest))
    assert said_of_it in said(open_page(PAGE))
