"""The translator's page with somebody else's Marian: every scene opens with it, and its labels say which it is."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from huggingface_hub import constants

from explorer.checkpoints import __main__ as command
from explorer.checkpoints.marian import convert
from explorer.inference.translator.request import Params, pieces_of, translator_for
from explorer.inference.translator.translate import load
from explorer.inference.translator.whole_pass import observe
from explorer.lessons import translator as lesson
from explorer.lessons.translator import readings
from explorer.lessons.translator.ui import model
from explorer.opened import limits, translators
from explorer.opened.refused import ModelRefused
from explorer.records.language import speaking
from explorer.scenes.translator import LESSON
from explorer.ui.messages.plain import plain
from tests.opened.loopback_hub import COMMIT, Hub, serve
from tests.pages.test_every_page import healthy
from tests.support import tiny_marian
from tests.support.pages import OpenPage, said

PAGE = "pages/10_translator.py"
KEY, TAGGED = "opus-mt-en-de:en-de", "opus-mt-en-mul:en-yue_Hant"
TEXT = "The cat saw Oluwaseun in 2016, and she saw the cat."


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A shelf with two tiny models, one of which writes two languages."""
    folder = tmp_path_factory.mktemp("marian")
    tiny_marian.save(folder / "theirs" / "opus-mt-en-de")
    tiny_marian.save(folder / "theirs" / "opus-mt-en-mul", ("cmn_Hans", "yue_Hant"), languages=("eng", "mul"))
    for name in ("opus-mt-en-de", "opus-mt-en-mul"):
        convert.convert(folder / "theirs" / name, folder / "shelf" / name, name=f"org/{name}")
    return folder


@pytest.fixture(autouse=True)
def shelf(made: Path, monkeypatch: pytest.MonkeyPatch, bundled_tiny: Path) -> Path:
    """The owner names the shelf; what comes with the project is tiny."""
    monkeypatch.setenv(limits.SHELF, str(made / "shelf"))
    return made / "shelf"


@pytest.fixture
def there(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub with the first model, its cache empty, and an owner who allows it."""
    folder = Path(shutil.copytree(made / "theirs" / "opus-mt-en-de", tmp_path / "there"))
    with serve(folder) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.address)
        monkeypatch.setenv(limits.ALLOWED, "1")
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache" / "hub"))
        yield hub


@pytest.mark.parametrize("scene", [scene.name for scene in LESSON.scenes if scene.name != "scored"])
def test_every_scene_opens_with_it(open_page: OpenPage, scene: str) -> None:
    """All but the one that measures three models of this project."""
    app = open_page(PAGE, scene=scene, tr_model=KEY, tr_text=TEXT)
    healthy(app)
    text = said(app)
    assert not app.error, [each.value for each in app.error]
    assert plain("opus-mt-en-de was made by others") in text or scene == "documents"


def test_the_labels_say_the_languages_in_the_readers_language(shelf: Path) -> None:
    found = model.models()
    assert found[KEY].name == "English → German (opus-mt-en-de)"
    assert found[TAGGED].name == "English → Cantonese · Traditional (opus-mt-en-mul)"
    assert found[KEY].label == "An English sentence"
    with speaking("zh"):
        assert model.models()[TAGGED].name == "英语 → 粤语 · 繁体 (opus-mt-en-mul)"


def test_the_tag_of_the_chosen_language_begins_the_source(shelf: Path) -> None:
    folder = str(shelf / "opus-mt-en-mul")
    for direction in ("en-cmn_Hans", "en-yue_Hant"):
        result = lesson.compute(Params(text="The cat", checkpoint=folder, direction=direction))
        assert result.trace.source.labels[0] == f">>{direction[3:]}<<"
        assert result.trace.source.special[0]


def test_nothing_stands_in_is_cut_or_corrected(shelf: Path) -> None:
    text = "i dont see teh cat, because Oluwaseun bought 3,141 books, " * 4 + "and the dog saw it. SHE IS HERE!"
    found = pieces_of(Params(text=text, checkpoint=str(shelf / "opus-mt-en-de")))
    assert [piece.text for piece in found] == [piece.typed for piece in found]
    assert " ".join(piece.text for piece in found) == text
    assert not any(piece.replaced for piece in found)


def test_the_whole_transformer_says_why_it_does_not_draw_it(shelf: Path) -> None:
    params = Params(text="The cat", checkpoint=str(shelf / "opus-mt-en-de"))
    result = lesson.compute(params)
    with pytest.raises(ValueError, match="normalises before each step"):
        observe(load(params.checkpoint), result.trace)


def test_what_is_read_and_written_has_names_and_words(shelf: Path) -> None:
    tokenizer = translator_for(Params(checkpoint=str(shelf / "opus-mt-en-de"))).tokenizer
    ids = [*tokenizer.encode("The big house, in 2016."), tokenizer.eos_id]
    labels, words = tokenizer.pieces(ids), tokenizer.word_groups(ids)
    assert labels[-1] == "</s>"
    assert [position for word in words for position in word] == list(range(len(ids)))
    joined = [tokenizer.decode([ids[position] for position in word]) for word in words]
    assert joined[:4] == ["The", "big", "house", ","]
    assert joined[-2:] == [".", ""]
    assert tokenizer.pieces([tokenizer.bos_id]) == ["<s>"]


def test_characters_that_no_piece_holds_are_named(shelf: Path) -> None:
    params = Params(text="The cat 🐈 saw 猫 the 🐈.", checkpoint=str(shelf / "opus-mt-en-de"))
    tokenizer = translator_for(params).tokenizer
    assert "does not know 🐈 猫:" in readings.describe_unseen(pieces_of(params), tokenizer)
    assert readings.describe_unseen(pieces_of(Params(text="The cat.", checkpoint=params.checkpoint)), tokenizer) == ""


def test_the_command_fetches_what_it_converts(there: Hub, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (there.folder / "pytorch_model.bin").write_bytes(b"pickle")
    assert command.main(["convert", f"org/tiny@{COMMIT}", str(tmp_path / "into")]) == 0
    assert "licence: apache-2.0" in capsys.readouterr().out
    assert not [path for path in there.asked if "pytorch_model" in path]


def test_a_model_of_the_hub_is_weighed_fetched_and_converted(there: Hub) -> None:
    weighed = translators.weigh("org/tiny")
    assert (weighed.revision, weighed.card.licence, weighed.card.family) == (COMMIT, "apache-2.0", "marian")
    assert {each.name for each in weighed.files} == {
        "README.md", "config.json", "model.safetensors", "source.spm", "target.spm", "tokenizer_config.json",
        "vocab.json",
    }  # fmt: skip
    steps = list(translators.bring(weighed))
    assert [each.done for each in steps] == sorted(each.done for each in steps)
    last = steps[-1]
    assert last.done == last.total
    assert last.found is not None
    assert last.found.name == f"tiny@{COMMIT[:8]}"
    assert f"org/tiny@{COMMIT}" in last.found.manifest.data
    assert translators.list_converted()[last.found.name] == last.found
    asked = len(there.asked)
    assert list(translators.bring(weighed))[-1].found == last.found
    assert len(there.asked) == asked, "it is there already"


def test_without_leave_the_hub_is_not_asked_and_what_it_gave_is_not_offered(
    there: Hub, shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = f"tiny@{COMMIT[:8]}"
    shutil.copytree(shelf / "opus-mt-en-de", tmp_path / "cache" / "attention-explorer" / "org" / kept)
    assert kept in translators.list_converted()
    for leave in ("", "0"):
        monkeypatch.setenv(limits.ALLOWED, leave)
        with pytest.raises(ModelRefused, match="EXPLORER_OPEN_MODELS=1"):
            translators.weigh("org/tiny")
        assert kept not in translators.list_converted()
    assert there.asked == []


@pytest.mark.parametrize(
    ("break_it", "reason"),
    [
        (lambda hub: setattr(hub, "fault", "gated"), "gated"),
        (lambda hub: setattr(hub, "name", "org/other"), "renamed"),
        (lambda hub: (hub.folder / "model.safetensors").rename(hub.folder / "pytorch_model.bin"), "pickle"),
        (lambda hub: (hub.folder / "config.json").write_text('{"model_type": "mamba"}'), "no_attention"),
        (lambda hub: tiny_bart(hub.folder), "no_translator"),
        (lambda hub: hub.sizes.update({"model.safetensors": 10**10}), "too_large"),
    ],
    ids=["gated", "renamed", "pickled", "no attention", "another family", "huge"],
)
def test_what_is_no_such_model_is_refused_before_its_weights_are_fetched(
    there: Hub, break_it: object, reason: str
) -> None:
    break_it(there)  # type: ignore[operator]
    with pytest.raises(ModelRefused) as refusal:
        translators.weigh("org/tiny")
    assert refusal.value.reason == reason
    whole = [path for path, sent in zip(there.asked, there.headers, strict=True) if "range" not in sent]
    assert not [path for path in whole if path.startswith("GET") and "safetensors" in path]


def tiny_bart(folder: Path) -> None:
    config = (folder / "config.json").read_text("utf8")
    (folder / "config.json").write_text(config.replace('"model_type": "marian"', '"model_type": "bart"'), "utf8")


@pytest.mark.parametrize(("fault", "reason"), [("cut", "unreachable"), ("hash", "hash")])
def test_a_model_that_arrives_in_parts_is_not_kept(
    there: Hub, fault: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.file_download.time.sleep", lambda _: None)
    weighed = translators.weigh("org/tiny")
    there.fault = fault
    with pytest.raises(ModelRefused) as refusal:
        list(translators.bring(weighed))
    assert refusal.value.reason == reason
    assert not [name for name in translators.list_converted() if name.startswith("tiny@")]
    there.fault = ""
    assert [next(translators.bring(weighed)).refused, there.fault] == [None, ""], "it can be fetched again"


def test_what_cannot_be_converted_is_refused_in_words_and_not_kept(there: Hub) -> None:
    (there.folder / "source.spm").write_bytes(b"rubbish")
    told: list[translators.Bringing] = []
    with pytest.raises(ModelRefused, match="SentencePiece"):
        _follow(translators.weigh("org/tiny"), told)
    assert told[-1].refused is not None
    assert "SentencePiece" in told[-1].refused.explain()
    assert not [name for name in translators.list_converted() if name.startswith("tiny@")]


def _follow(weighed: translators.HubModel, told: list[translators.Bringing]) -> None:
    for each in translators.bring(weighed):
        told.append(each)  # noqa: PERF402 - what came before it broke off is kept


def test_the_page_offers_an_address_only_where_it_is_allowed(
    open_page: OpenPage, there: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(limits.ALLOWED, "0")
    app = open_page(PAGE, scene="look")
    assert "tr_hub_address" not in {each.key for each in app.text_input}
    monkeypatch.setenv(limits.ALLOWED, "1")
    app = open_page(PAGE, scene="look")
    box = next(each for each in app.text_input if each.key == "tr_hub_address")
    box.set_value("org/tiny").run()
    healthy(app)
    assert "Its licence: apache-2.0." in said(app)
    next(each for each in app.button if each.key == "tr_hub_start").click().run()
    began = time.monotonic()
    while "tr_hub_use" not in {each.key for each in app.button}:
        assert time.monotonic() - began < 180, said(app)
        time.sleep(1)
        app.run()
    next(each for each in app.button if each.key == "tr_hub_use").click().run()
    healthy(app)
    assert app.session_state["tr_model"] == f"tiny@{COMMIT[:8]}:en-de"
    assert f"tiny@{COMMIT[:8]} was made by others" in said(app)
    next(each for each in app.text_input if each.key == "tr_hub_address").set_value("org/nothing").run()
    assert plain("There is no model org/nothing") in said(app)
