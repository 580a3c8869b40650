"""What is typed, linked and refused in the scenes: a message stands where the picture would, and nothing is lost."""

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from huggingface_hub import constants
from streamlit.testing.v1 import AppTest

from explorer.lessons import open_model as lesson
from explorer.lessons.open_model import carried, heads_off, models
from explorer.lessons.open_model.carried import CarriedParams
from explorer.lessons.open_model.heads_off import OffParams
from explorer.lessons.open_model.ui import asked, controls
from explorer.opened import ask, limits
from explorer.opened.queue import ModelQueue
from explorer.scenes.open_model import READER, SEES, TRANSLATES, WRITER
from explorer.ui import cache
from explorer.ui.scene import own_picture
from explorer.ui.scene.own_picture import Own
from tests.opened.conftest import Families, bert as bert, family as family, llama as llama, queue as queue
from tests.opened.loopback_hub import COMMIT, Hub, serve
from tests.pages.test_every_page import healthy
from tests.support.pages import OpenPage, chosen, plain, said

PAGE = "pages/15_open_model.py"


def opened(open_page: OpenPage, **parameters: str) -> AppTest:
    app = open_page(PAGE, **parameters)
    assert healthy(app)
    return app


def is_drawn(app: AppTest) -> bool:
    """Whether every head is drawn."""
    return any(getattr(each, "key", None) == "om_heads_live" for each in app.get("bidi_component"))


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ({"om_model": "nobody"}, "There is no model nobody"),
        ({"om_model": "../../etc"}, "Hub"),
        ({"om_text": "Another text."}, "only the texts that come with this project"),
        ({"om_text": ""}, "type a few words"),
        ({"scene": "own_matrix", "om_numbers": "🤖"}, "there are no numbers"),
        ({"scene": "own_matrix", "om_numbers": "1 2\n3 <b>x</b>"}, "“<b>x</b>” is no number"),
    ],
)
def test_a_refusal_stands_where_the_picture_would_and_nothing_typed_is_lost(
    open_page: OpenPage, state: dict[str, str], says: str
) -> None:
    app = opened(open_page, **state)
    assert says in plain(app)
    assert not is_drawn(app)
    assert all(app.session_state[key] == each for key, each in state.items() if key != "scene")


@pytest.mark.parametrize("head", ["9999.9999", "-1.-1", "x", "17", "17.4.1"])
def test_a_link_may_ask_for_any_head(open_page: OpenPage, head: str) -> None:
    app = opened(open_page, om_head=head)
    assert "of its weight" in plain(app)


def test_without_transformers_the_recorded_texts_are_shown_and_others_say_what_to_install(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, llama: Path
) -> None:
    monkeypatch.setenv(limits.SHELF, str(llama))
    monkeypatch.setitem(sys.modules, "transformers", None)
    app = opened(open_page)
    assert is_drawn(app)
    app = chosen(app, "om_model", llama.name)
    assert "pip install transformers==" in plain(app)


def test_a_folder_of_the_owner_is_read_with_any_text(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, llama: Path, queue: ModelQueue
) -> None:
    monkeypatch.setenv(limits.SHELF, str(llama))
    monkeypatch.setattr(ask, "model_queue", lambda: queue)
    app = opened(open_page, om_model=llama.name, om_text="The cat sat on the mat.", om_head="1.2")
    assert llama.name in app.selectbox(key="om_model_shown").options
    assert is_drawn(app)
    assert str(llama.parent) not in plain(app), "no path is shown"


@pytest.fixture
def there(llama: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub on this machine with a tiny model, its cache empty; readers may open its models."""
    folder = tmp_path / "there"
    shutil.copytree(llama, folder)
    monkeypatch.setenv(limits.ALLOWED, "1")
    monkeypatch.setattr(models, "_fetched", {})
    with serve(folder) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.address)
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
        yield hub


def test_a_model_of_the_hub_is_fetched_when_the_reader_says_so_and_the_link_names_its_commit(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, there: Hub, queue: ModelQueue
) -> None:
    monkeypatch.setattr(ask, "model_queue", lambda: queue)
    app = opened(open_page, om_model="org/tiny", om_text="The cat sat on the mat.")
    assert not is_drawn(app)
    weights = [path for path, headers in zip(there.asked, there.headers, strict=True) if "range" not in headers]
    assert not [path for path in weights if path.startswith("GET") and "safetensors" in path]
    app.button(key="om_open").click().run()
    assert healthy(app)
    assert app.session_state["om_revision"] == COMMIT
    app.run()
    assert is_drawn(app)


def test_what_a_model_of_the_hub_costs_stands_there_before_it_is_fetched_and_after(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, there: Hub
) -> None:
    asked = {"scene": "what_it_costs", "om_model": "org/tiny@main"}
    app = opened(open_page, **asked)
    assert {COMMIT, "org/tiny"} <= set(re.findall(r"<dd>(.*?)</dd>", said(app)))
    assert "It can be opened" in said(app)
    headers = [headers for path, headers in zip(there.asked, there.headers, strict=True) if "safetensors" in path]
    assert all("range" in each for each in headers if each), "of the weights, only headers are asked for"
    app.button(key="om_open").click().run()
    assert healthy(app)
    assert (app.session_state["om_model"], app.session_state["om_revision"]) == ("org/tiny", COMMIT)
    app.run()
    assert "It is here" in said(app)


def test_what_is_too_large_is_shown_with_the_bound_and_cannot_be_fetched(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, there: Hub
) -> None:
    monkeypatch.setenv(limits.MEMORY, "100")
    app = opened(open_page, scene="what_it_costs", om_model="org/tiny")
    assert "at most 100 are given to one model" in said(app)
    assert "om_open" not in {each.key for each in app.button}


def test_a_model_without_attention_is_refused_by_its_card_and_what_is_here_is_listed(
    open_page: OpenPage, there: Hub
) -> None:
    (there.folder / "config.json").write_text('{"model_type": "mamba"}', encoding="utf8")
    app = opened(open_page, scene="what_it_costs", om_model="org/tiny")
    assert "family mamba have no attention" in plain(app)
    assert not [path for path in there.asked if "safetensors" in path]
    assert {WRITER, READER} <= set(app.dataframe[0].value["model"])


@pytest.mark.parametrize(("allowed", "says"), [("0", "opens no models of the Hub"), ("1", "did not answer")])
def test_without_the_hub_it_says_why_and_lists_what_is_here(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, allowed: str, says: str
) -> None:
    monkeypatch.setenv(limits.ALLOWED, allowed)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    app = opened(open_page, scene="what_it_costs", om_model="org/name")
    assert says in plain(app)
    assert {WRITER, READER} <= set(app.dataframe[0].value["model"])


def test_heads_are_carried_between_texts_of_the_reader_by_the_worker(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, llama: Path, queue: ModelQueue
) -> None:
    monkeypatch.setenv(limits.SHELF, str(llama))
    monkeypatch.setattr(ask, "model_queue", lambda: queue)
    of = lesson.Params(model=llama.name, text="The cat sat on the")
    steps = list(carried.read(CarriedParams(of=of, other_text="The dog saw the dog. It")))
    assert [(each.done, each.total) for each in steps] == [(1, 2), (2, 2)]
    assert steps[-1].shares.shape == (2, 4)
    app = opened(open_page, scene="carried_over", om_model=llama.name, om_into=of.text)
    assert "om_carried_start" in {each.key for each in app.button}


def test_two_texts_of_one_answer_and_a_model_that_predicts_nothing_say_so(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = opened(open_page, scene="carried_over", om_model=READER)
    assert "only the texts that come with this project" in plain(app)
    monkeypatch.setattr(carried.EachCarried, "is_told", False)
    assert "no answer could move" in plain(opened(open_page, scene="carried_over", om_carry="99.99"))


@pytest.mark.parametrize("percent", ["0", "50", "100", "30", "-1", "x"])
def test_a_head_is_weakened_by_the_link(open_page: OpenPage, percent: str) -> None:
    app = opened(open_page, scene="without_a_head", om_off="23.4", om_left=percent)
    says = {
        "50": "With 50% of layer 23, head 4",
        "100": "With 100% of layer 23",
        "30": "only the texts that come with this project",
    }
    assert says.get(percent, "Without layer 23, head 4") in plain(app)


def test_a_matrix_that_is_none_is_said_and_stays_typed(open_page: OpenPage) -> None:
    app = opened(open_page, scene="own_matrix", om_numbers="a,b\nc,d", om_meaning="weights")
    assert "no matrix" in plain(app)
    assert app.session_state["om_numbers"] == "a,b\nc,d"
    app = chosen(app, "om_numbers", "1 2\n3 4")
    assert "do not add up to 1" in plain(app)
    app = chosen(app, "om_numbers", ".5 .5\n1 0")
    assert "Every row adds up to 1" in plain(app)


def test_what_was_clicked_in_a_picture_does_not_come_back_in_what_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    state: dict[str, object] = {}
    monkeypatch.setattr("explorer.lessons.open_model.ui.asked.st.session_state", state, raising=False)
    first = asked.request_place("k", (17, 4), "text")
    state["k_asked"].clicked = (3, 2)  # type: ignore[attr-defined]
    assert asked.request_place("k", (3, 2), "text") == first, "the same message"
    assert asked.request_place("k", (5, 5), "text") == (5, 5, first[2] + 1), "a preset asks anew"
    assert asked.request_place("k", (5, 5), "other text") == (5, 5, first[2] + 2), "so does another text"


def test_a_public_server_opens_no_models_of_the_hub_unless_its_owner_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(limits.ALLOWED, raising=False)
    monkeypatch.setattr(controls.link, "is_public", lambda: True)
    assert not controls.may_open()
    monkeypatch.setattr(controls.link, "is_public", lambda: False)
    assert controls.may_open()


def test_the_lens_of_a_folder_of_the_owner_is_read_by_the_worker(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, llama: Path, bert: Path, queue: ModelQueue
) -> None:
    monkeypatch.setenv(limits.SHELF, os.pathsep.join(map(str, (llama, bert))))
    monkeypatch.setattr(ask, "model_queue", lambda: queue)
    app = opened(open_page, scene="layer_by_layer", om_model=llama.name, om_text="The cat sat.", om_cell="999.999")
    assert "the model writes" in plain(app)
    gap = opened(open_page, scene="layer_by_layer", om_model=bert.name, om_text="The cat saw the<mask>.")
    assert "Into the gap" in plain(gap)


def test_heads_of_a_folder_of_the_owner_are_switched_off_by_the_worker(
    monkeypatch: pytest.MonkeyPatch, llama: Path, queue: ModelQueue
) -> None:
    monkeypatch.setenv(limits.SHELF, str(llama))
    monkeypatch.setattr(ask, "model_queue", lambda: queue)
    params = lesson.Params(model=llama.name, text="The cat sat on the mat.")
    assert heads_off.read_recorded(params) is None
    steps = list(heads_off.read(params))
    assert [each.done for each in steps] == [1, 2]
    alone = steps[-1]
    assert (alone.heads, alone.total) == (8, 2)
    found = heads_off.compute(OffParams(of=params, heads=((1, 2),)))
    assert found.chance == pytest.approx(float(alone.effects.chance[1, 2]), abs=1e-5)
    assert heads_off.slopes(params).log_probability.shape == (2, 4)


@pytest.mark.parametrize("scene", ["layer_by_layer", "without_a_head"])
def test_a_text_that_was_not_recorded_is_said_in_the_deeper_questions(open_page: OpenPage, scene: str) -> None:
    app = opened(open_page, scene=scene, om_text="Another text.")
    assert "only the texts that come with this project" in plain(app)


def test_a_reader_that_predicts_nothing_says_so_in_the_lens(open_page: OpenPage) -> None:
    app = opened(open_page, scene="layer_by_layer", om_model="all-MiniLM-L6-v2")
    assert "holds no prediction head" in plain(app)
    app = opened(open_page, scene="without_a_head", om_model="all-MiniLM-L6-v2", om_off="99.99")
    assert "cosine" in plain(app)


@pytest.mark.parametrize("name", ["t5", "bart"])
def test_a_model_of_two_stacks_of_the_owner_translates_by_the_worker(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, family: Families, queue: ModelQueue, name: str
) -> None:
    folder, _ = family(name)
    monkeypatch.setenv(limits.SHELF, str(folder))
    monkeypatch.setattr(ask, "model_queue", lambda: queue)
    asked = {"scene": "translation", "om_translator": folder.name, "om_source": "The cat saw the dog."}
    app = opened(open_page, **asked, om_stack="1.3")
    assert "The strongest look between words: writing" in plain(app)
    offered = app.selectbox(key="om_translator_shown").options
    assert {folder.name, TRANSLATES} <= set(offered)
    assert WRITER not in offered, "it has one stack"
    assert "strongest look between words" in plain(chosen(app, "om_part", "encoder"))
    assert "knows no token __fr__" in plain(chosen(app, "om_start", "__fr__"))


def test_a_link_may_ask_a_model_of_one_stack_or_any_head_for_a_translation(open_page: OpenPage) -> None:
    app = opened(open_page, scene="translation", om_stack="99.99", om_part="x")
    assert "of this weight lies on start and end marks" in plain(app)
    assert "does not read one text" in plain(chosen(app, "om_translator", READER))


@pytest.mark.parametrize("name", ["vit", "deit", "dinov2"])
def test_a_model_of_the_owner_sees_by_the_worker(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, family: Families, queue: ModelQueue, name: str
) -> None:
    folder, _ = family(name)
    monkeypatch.setenv(limits.SHELF, str(folder))
    monkeypatch.setattr(ask, "model_queue", lambda: queue)
    app = opened(open_page, scene="on_a_picture", om_seer=folder.name, om_asker="99", om_eye="1.2", sight="map")
    assert "What patch 16 (row 4, column 4) looks at" in plain(app), "the last there is"
    assert "Its 8 heads look hardest at" in plain(app)
    offered = app.selectbox(key="om_seer_shown").options
    assert {folder.name, SEES} <= set(offered)
    assert WRITER not in offered, "it reads text"


def test_what_cannot_see_says_so_and_a_picture_of_the_sender_is_asked_for(open_page: OpenPage) -> None:
    app = opened(open_page, scene="on_a_picture", om_seer=READER)
    assert "reads text" in plain(app)
    app = opened(open_page, scene="on_a_picture", om_picture="own", om_eye="x")
    assert "made with its sender" in plain(app)
    assert "On the class token" in plain(app)


def test_a_picture_of_the_reader_is_kept_for_their_session_alone(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, family: Families, queue: ModelQueue
) -> None:
    monkeypatch.setattr(ask, "model_queue", lambda: queue)
    asked: list[tuple[str, bool]] = []
    kept = cache._kept

    def noted(kind: str, key: str, make: Callable[[], Any], own: bool) -> Any:
        asked.append((key, own))
        return kept(kind, key, make, own)

    monkeypatch.setattr(cache, "_kept", noted)
    pixels = np.random.default_rng(7).integers(0, 256, (64, 64, 3), np.uint8)
    mine = Own(name="mine", digest="0f" * 32, pixels=pixels)
    app = opened(open_page, scene="on_a_picture")
    asked.clear()
    app.session_state["om_picture_own"], app.session_state["om_picture"] = mine, own_picture.OWN
    app.run()
    assert healthy(app)
    assert "On the class token" in plain(app)
    assert "looks most at" not in plain(app), "the picture says so, and follows the pointer"
    told = [own for key, own in asked if mine.digest in key]
    assert told
    assert all(told)
