"""The page as a reader gets it; a worker that replays a small training stands in for the processes that train."""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from explorer.inference.lab.snapshots import open_snapshot, verify
from explorer.lessons import training_lab as lesson
from explorer.lessons.training_lab import state
from explorer.lessons.training_lab.ui import runs
from explorer.lessons.training_lab.ui.settings import usual
from explorer.scenes.training_lab import LESSON, SETTINGS
from explorer.service.lab import queue
from explorer.service.lab.process import PREFIX
from explorer.service.lab.queue import Lab
from explorer.training.lab.export import package
from explorer.ui.scene import runs_on
from explorer.ui.uploaded_models import uploaded_models
from tests.lab_folders import SMALL, replay, train
from tests.support.pages import OpenPage, chosen, plain, said
from tests.support.waiting import until

PAGE = "pages/11_training_lab.py"
PARAMETERS = f"{lesson.compute(lesson.Params()).n_parameters:,} parameters"
UseLab = Callable[..., Lab]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    train(SMALL, folder)
    return folder


@pytest.fixture
def use_lab(trained: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[UseLab]:
    """`use_lab(pace=0.1)` replaces the lab by one whose workers replay a training, so many seconds a point."""
    made: list[Lab] = []

    def use(pace: float = 0.0, folder: Path = trained, **options: int) -> Lab:
        made.append(Lab(command=replay(folder, pace), **options))
        monkeypatch.setattr(runs, "lab", lambda: made[-1])
        return made[-1]

    yield use
    for lab in made:
        lab.close()


def press(app: AppTest, key: str) -> AppTest:
    return app.button(key=key).click().run()


def keys(app: AppTest) -> set[str]:
    return {str(button.key) for button in app.button}


def charts(app: AppTest) -> set[str]:
    return {chart.proto.id.rpartition("-")[2].removesuffix("_chart") for chart in app.get("plotly_chart")}


def turned(app: AppTest, scene: str) -> AppTest:
    """The same reader, at another scene."""
    app.query_params["scene"] = scene
    return app.run()


def ended(app: AppTest, lab: Lab) -> AppTest:
    """Once every training has ended."""
    owner = app.session_state["reader"]
    until(lambda: all(entry.ended for entry in lab.runs(owner)))
    return app.run().run()  # the second has seen that nothing moves any more


def test_a_recorded_training_stands_there_before_anything_trains(open_page: OpenPage, use_lab: UseLab) -> None:
    lab = use_lab()
    noted: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs_on, "note", noted.append)
        app = open_page(PAGE)
    assert not app.exception
    assert "At the end of the film, after 300 steps, it writes" in said(app).replace("<b>", "**").replace("</b>", "**")
    assert re.fullmatch(r"cpu · float32 · [\d,]+ tokens/s", noted[-1]), "where it was trained"
    assert lab.runs(app.session_state["reader"]) == ()
    for _ in range(100):
        if re.search("about [0-9.]+ (s|min), if nothing else", plain(app)):
            break
        time.sleep(0.1)
        app.run()
    assert PARAMETERS in plain(app)
    assert "about 20,000 examples" in plain(app)
    assert "MB of weights" in plain(app)


def test_a_training_from_its_start_to_its_end(open_page: OpenPage, use_lab: UseLab) -> None:
    lab = use_lab()
    app = ended(press(open_page(PAGE), "tl_start"), lab)
    assert not app.exception
    (status,) = app.get("progress")
    assert re.search(r" · cpu · float32 · [\d,]+ tokens/s$", status.proto.text), "what trained it"
    (entry,) = lab.runs(app.session_state["reader"])
    assert app.session_state["tl_stage"] == str(entry.number)
    assert "Done: " in app.get("progress")[0].proto.text.replace("\\", "")
    assert "At the end, after 40 steps, it writes" in plain(app)
    assert {fold.label for fold in app.expander} >= {"reverse · GRU · additive · 600 steps"}, "settings are one line"
    assert not keys(app) & {"tl_pause", "tl_go_on", "tl_stop"}
    chosen(app, "tl_step", "20")
    until(lambda: "After 20 steps it writes" in plain(app.run()))  # the frame is made while one waits
    app.selectbox(key="tl_stage_shown").set_value("recorded").run()
    app.run()
    assert app.session_state["tl_stage"] == "recorded"
    assert "tl_task_shown" in {each.key for each in app.selectbox}


def test_pause_go_on_and_stop(open_page: OpenPage, use_lab: UseLab) -> None:
    lab = use_lab(pace=60.0)
    app = press(open_page(PAGE), "tl_start")
    (entry,) = lab.runs(app.session_state["reader"])
    until(lambda: entry.progress().points)
    app = press(app.run(), "tl_pause")
    assert entry.progress().phase == "paused"
    app.run()
    assert "Resting at step 0 of 600" in app.get("progress")[0].proto.text
    app = press(app, "tl_go_on")
    assert entry.progress().phase == "training"
    app = press(app.run(), "tl_stop")
    app = ended(app, lab)
    assert entry.progress().phase == "stopped"
    assert not app.exception
    assert "tl_pause" not in keys(app)


def test_switching_the_language_leaves_it_alone_and_says_the_same(open_page: OpenPage, use_lab: UseLab) -> None:
    lab = use_lab(pace=60.0)
    app = press(open_page(PAGE), "tl_start")
    (entry,) = lab.runs(app.session_state["reader"])
    until(lambda: entry.progress().points)
    app.session_state["language"] = "zh"
    app.run()
    assert not app.exception
    assert not entry.ended
    assert "0 步之后，它写出" in plain(app)


def test_two_with_one_click_and_a_third_is_refused(open_page: OpenPage, use_lab: UseLab) -> None:
    lab = use_lab(pace=60.0, most_running=1)
    app = press(open_page(PAGE, scene="compare", tl_pair="attention"), "tl_compare_attention")
    first, second = lab.runs(app.session_state["reader"])
    assert (first.recipe.mechanism, second.recipe.mechanism) == ("additive", "none")
    assert first.recipe.seed == second.recipe.seed
    assert app.session_state["tl_pair"] == "own"
    app = turned(app, "watch")
    assert "are training; you are number 1 of those that wait" in plain(app)
    app = press(app, "tl_start")
    assert "You have 2 trainings under way" in plain(app)
    assert len(lab.runs(app.session_state["reader"])) == 2


def test_a_refusal_says_the_limit_that_was_reached(
    open_page: OpenPage, use_lab: UseLab, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab = use_lab(pace=60.0)
    monkeypatch.setattr(queue, "MOST_KEPT", 1)
    app = press(open_page(PAGE), "tl_start")
    app = press(app.run(), "tl_start")
    assert "Too many trainings wait or run here (at most 1)" in plain(app), "the lab is full before its line is"
    assert len(lab.runs(app.session_state["reader"])) == 1


def test_trainings_are_named_hidden_set_again_and_removed(open_page: OpenPage, use_lab: UseLab) -> None:
    lab = use_lab()
    app = ended(press(open_page(PAGE, tl_cell="lstm", tl_batch="32"), "tl_start"), lab)
    (first,) = (entry.number for entry in lab.runs(app.session_state["reader"]))
    app = turned(app, "compare")
    app.text_input(key=f"tl_name_{first}").set_value("  <b>mine</b>\u202e ").run()
    app.run()
    assert app.text_input(key=f"tl_name_{first}").value.startswith("<b>mine</b>")
    app.text_input(key=f"tl_name_{first}").set_value("   ").run()
    app.run()
    assert app.text_input(key=f"tl_name_{first}").value.startswith("<b>mine</b>")
    app.checkbox(key=f"tl_show_{first}").set_value(False).run()
    app.run()
    assert "mine" not in " ".join(each.proto.body for each in app.get("html") if "reading" in each.proto.body)
    press(app, f"tl_again_{first}")
    assert (app.session_state["tl_cell"], app.session_state["tl_batch"]) == ("lstm", 32)
    press(app.run(), f"tl_remove_{first}")
    assert lab.runs(app.session_state["reader"]) == ()
    app.run()
    assert not app.exception


def test_a_drawn_digit_is_chosen_and_looked_at(open_page: OpenPage, tmp_path: Path, use_lab: UseLab) -> None:
    recipe = replace(SMALL, task="digits")
    train(recipe, tmp_path)
    lab = use_lab(folder=tmp_path)
    app = press(open_page(PAGE, tl_task="digits"), "skip").run()
    app = ended(press(app, "tl_start"), lab)
    assert not app.exception
    digits = [pair.targets[0] for pair in state.examples(recipe)]
    chosen(app, "tl_digit", "3")
    app.run()
    assert re.search(f"it writes “.*”(: right|, not “{digits[3]}”)", plain(app))
    assert "of its weight lies on ink" in plain(app)


def test_real_couplets_are_trained_on_and_nothing_is_promised(
    open_page: OpenPage, tmp_path: Path, use_lab: UseLab
) -> None:
    recipe = replace(SMALL, task="verses")
    train(recipe, tmp_path)
    lab = use_lab(folder=tmp_path)
    app = press(open_page(PAGE, tl_task="verses"), "skip").run()
    app = ended(press(app, "tl_start"), lab)
    assert not app.exception
    first = state.examples(recipe)[0]
    assert f"not “{first.targets[0]}”" in plain(app)
    assert "Expect no new couplet to come out exactly" in plain(app)


def test_whatever_is_typed_as_an_example(open_page: OpenPage, use_lab: UseLab) -> None:
    lab = use_lab()
    app = ended(press(open_page(PAGE), "tl_start"), lab)
    refused = []
    typed = ("a", "x" * 300, "💥😀", "مرحبا", "<script>alert(1)</script>", "=1+1", "\u202e\x00\u200b", r"$\frac{1}{0}$")
    for text in typed:
        app.text_input(key="tl_text").set_value(text).run()
        app.run()
        assert not app.exception, text
        assert bool(re.search("it writes (?:nothing|“)", plain(app))) != bool(app.info), text
        assert "<script>alert" not in "".join(each.proto.body for each in app.get("html"))
        refused += [text] if app.info else []
    assert refused == ["x" * 300, "\u202e\x00\u200b"]  # too long, and nothing visible


@pytest.mark.parametrize(
    "table", ["one column", "a\tb\n" * 30, "a,b,c", '"', "x" * 2000, "\x00\t\x00", "=1\t<b>\n" * 5]
)
def test_own_examples_that_cannot_be_used_are_explained(open_page: OpenPage, use_lab: UseLab, table: str) -> None:
    use_lab()
    app = open_page(PAGE, scene="own_task", tl_table=table)
    assert not app.exception
    assert app.info
    assert next(button for button in app.button if button.key == "tl_start").disabled


def test_own_examples_start_a_training_of_their_own(open_page: OpenPage, use_lab: UseLab) -> None:
    lab = use_lab()
    app = press(open_page(PAGE, scene="own_task"), "tl_start")
    (entry,) = lab.runs(app.session_state["reader"])
    assert ("XLII", "42") in entry.recipe.pairs
    assert not app.exception


@pytest.mark.parametrize("nonsense", ["", "none of them", "-1e999", "<b>", "9" * 400])
def test_nonsense_in_the_link_is_the_default(open_page: OpenPage, use_lab: UseLab, nonsense: str) -> None:
    use_lab()
    app = open_page(PAGE, **{key: nonsense for key in LESSON.every_default if key not in ("tl_table", "tl_text")})
    assert not app.exception
    assert PARAMETERS in plain(app)


def test_turning_to_the_other_family_brings_what_suits_it(open_page: OpenPage, use_lab: UseLab) -> None:
    use_lab()
    app = open_page(PAGE, tl_steps="200")
    app.button_group(key="tl_family_shown").set_value("Transformer").run()
    assert {key: app.session_state[key] for key in ("tl_width", "tl_rate", "tl_steps")} == {
        **usual("transformer"),
        "tl_steps": 200,  # what was chosen stays
    }
    app.button_group(key="tl_family_shown").set_value("Recurrent").run()
    assert app.session_state["tl_width"] == SETTINGS["tl_width"]
    assert not app.exception


def test_a_failed_training_says_why(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    lab = Lab(command=("python", "-S", "-c", "import sys; sys.stderr.write('no *such* thing'); sys.exit(3)"))
    monkeypatch.setattr(runs, "lab", lambda: lab)
    app = ended(press(open_page(PAGE), "tl_start"), lab)
    assert not app.exception
    assert "It broke off (no *such* thing)" in plain(app)
    lab.close()


def test_a_training_whose_machine_is_lost_is_said_and_can_begin_again(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = '{"is": "end", "phase": "failed", "reason": "lost"}'
    lab = Lab(command=("python", "-S", "-c", f"print('{lost}')"))
    monkeypatch.setattr(runs, "lab", lambda: lab)
    app = ended(press(open_page(PAGE), "tl_start"), lab)
    assert not app.exception
    assert "The machine that trained it is lost; what came before stays." in plain(app)
    (entry,) = lab.runs(app.session_state["reader"])
    press(app, "tl_anew")
    assert [each.recipe for each in lab.runs(app.session_state["reader"])] == [entry.recipe] * 2
    lab.close()


def test_a_model_is_taken_away_and_brought_back(open_page: OpenPage, use_lab: UseLab) -> None:
    lab = use_lab()
    app = ended(press(open_page(PAGE), "tl_start"), lab)
    (entry,) = lab.runs(app.session_state["reader"])
    file = package(SMALL, entry.folder, 40, entry.progress().points)
    app = turned(app, "bring")
    app.file_uploader(key="tl_upload").set_value(("model.zip", file, "application/zip")).run()
    assert not app.exception
    assert "tl_stored" in charts(app)
    assert "lab_recurrent@" in re.sub(r"[\\\u2060]", "", app.success[0].value)
    app.text_input(key="tl_upload_text").set_value("hello").run()
    assert re.search("By lab_recurrent@.*: “hello”", plain(app))
    (kept,) = uploaded_models().of(app.session_state["reader"])
    uploaded_models().forget(app.session_state["reader"])
    assert not kept.folder.parent.exists()
    open_snapshot.cache_clear()  # as when others have been asked since
    app.text_input(key="tl_upload_text").set_value("gone").run()
    assert not app.exception
    assert "made room for newer ones" in app.info[-1].value


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"nonsense", b"PK\x05\x06" + bytes(18)])
def test_a_damaged_file_gives_a_message(open_page: OpenPage, use_lab: UseLab, content: bytes) -> None:
    use_lab()
    app = open_page(PAGE, scene="bring")
    app.file_uploader(key="tl_upload").set_value(("model.zip", content, "application/zip")).run()
    assert not app.exception
    assert "cannot be used as a checkpoint" in app.error[0].value
    assert uploaded_models().of(app.session_state["reader"]) == ()


def test_nothing_is_left_when_the_lab_closes(open_page: OpenPage, use_lab: UseLab) -> None:
    lab = use_lab()
    app = ended(press(open_page(PAGE), "tl_start"), lab)
    folder = lab.runs(app.session_state["reader"])[0].folder
    assert folder.name.startswith(PREFIX)
    lab.forget(app.session_state["reader"])
    assert not folder.exists()
    app.run()
    assert not app.exception
    assert "after 300 steps" in plain(app), "the recorded training is back"


def test_a_transformer_of_the_lab_opens_on_the_translators_page(open_page: OpenPage, tmp_path: Path) -> None:
    recipe = replace(SMALL, family="transformer", n_heads=2, d_ff=16, position="rotary")
    train(recipe, tmp_path)
    app = open_page("pages/10_translator.py")
    shipped = app.selectbox(key="tr_model_shown").options
    uploaded_models().add(app.session_state["reader"], package(recipe, tmp_path, 40), verify)
    app.run()
    app.text_input(key="tr_text").set_value("abcde").run()
    (added,) = set(app.selectbox(key="tr_model_shown").options) - set(shipped)
    app.selectbox(key="tr_model_shown").select(added).run()
    assert not app.exception
    assert not app.error
    assert app.selectbox(key="tr_model_shown").value.startswith("lab-")
    assert "French, as it was written" not in str([chart.proto for chart in app.get("plotly_chart")])
    uploaded_models().forget(app.session_state["reader"])
    app.run()
    assert not app.exception
    assert added not in app.selectbox(key="tr_model_shown").options
