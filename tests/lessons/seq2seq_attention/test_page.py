"""What is typed, linked and forced; what stepping costs; which models are offered; couplets."""

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from explorer.checkpoints import hub, store
from explorer.checkpoints.package import pack
from explorer.data.couplets import CoupletTokenizer
from explorer.data.tokenizer import Tokenizer
from explorer.inference.lab.snapshots import verify
from explorer.inference.seq2seq import translate as seq2seq
from explorer.inference.translator.translate import InputRefused
from explorer.lessons import seq2seq_attention as lesson
from explorer.lessons.seq2seq_attention import alignments, forced_weights, readings, seeds, state as state_of_lesson
from explorer.lessons.seq2seq_attention.seed_runs import seed_runs
from explorer.lessons.seq2seq_attention.ui import bottleneck, couplets, forced_row, papers, written
from explorer.scenes import DEFAULTS
from explorer.scenes.seq2seq_attention import LESSON
from explorer.service.kept import list_kept
from explorer.training.lab.recipe import held_out
from explorer.ui import job_progress, uploaded_models
from explorer.ui.uploaded_models import uploaded_models as shelf
from tests.inference.recurrent import LINES, SENTENCES, stored, tiny
from tests.lab_folders import SMALL, untrained
from tests.lessons.translator.test_page import HOSTILE
from tests.pages.test_every_page import healthy
from tests.support.couplets import keeps_form
from tests.support.pages import OpenPage, chosen, live, plain as said

PAGE = "pages/05_seq2seq_attention.py"
GERMAN = [f"seq2seq-de-en-{name}" for name in ("none", "fixed", "dot", "scaled_dot", "general", "additive")]
COUPLET = "couplet-zh"
LOSSES = {
    f"wb14123_test_4000_loss{look}{group}": loss + more
    for group, more in (("", 0.0), ("_short", 0.5), ("_long", -0.5))
    for look, loss in (("", 5.5), ("_straight", 5.25 - more), ("_evenly", 6.5))
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tiny random models: every mechanism that the project trains, and couplets."""
    where = tmp_path_factory.mktemp("bundled")
    tokenizer = Tokenizer.train(SENTENCES, 300)
    for name in GERMAN:
        stored(where / name, "seq2seq", tokenizer, tiny(tokenizer, mechanism=name.rpartition("-")[2]))
    characters = CoupletTokenizer.train([*LINES, *state_of_lesson.EXAMPLES["couplet"]])
    wired = {"mechanism": "general", "context": "output", "query": "after"}
    stored(where / COUPLET, "couplet", characters, tiny(characters, **wired), LOSSES)
    return where


@pytest.fixture(autouse=True)
def bundled(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """They stand in for the shipped ones: what is tested here does not depend on the weights."""
    for module in (store, hub):
        monkeypatch.setattr(module, "BUNDLED", folder)
    job_progress.background_jobs.cache_clear()
    yield
    list_kept().forget()


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("scene", ["three_models", "couplets"])
def test_anything_typed_is_read_or_refused(open_page: OpenPage, scene: str, text: str) -> None:
    app = open_page(PAGE, scene=scene, sa_text=text, sa_line=text)
    assert healthy(app)
    assert not app.error
    refused = "reads at most" in said(app) or "are read: shorten it" in said(app) or "nothing to read yet" in said(app)
    drawn = {getattr(each, "key", None) for each in app.get("bidi_component")} & {"sa_details_live", "sa_couplets_live"}
    assert bool(drawn) != refused


def test_too_much_is_told_the_limit_in_its_own_unit(open_page: OpenPage) -> None:
    assert "39" in said(open_page(PAGE, sa_text="hund " * 1000))
    assert "characters, and at most 39 are read" in said(open_page(PAGE, scene="couplets", sa_line="山" * 200))
    assert "sub-words" in written.explain_refusal(InputRefused("too_long", length=9, limit=3), "de-en")


@pytest.mark.parametrize("value", ["", "-1", "99999999999999999999", "1.5", "²", "<script>", "x" * 3000])
@pytest.mark.parametrize("scene", ["three_models", "step_by_step", "force", "couplets", "papers"])
def test_nonsense_in_the_link_falls_back(open_page: OpenPage, scene: str, value: str) -> None:
    typed = ("sa_text", "sa_line")
    keys = [key for key, usual in LESSON.every_default.items() if isinstance(usual, str) and key not in typed]
    app = open_page(PAGE, scene=scene, **dict.fromkeys(keys, value))
    assert healthy(app)
    assert not app.error


def test_the_models_that_are_there_are_offered_in_order(open_page: OpenPage) -> None:
    group = open_page(PAGE).button_group(key="sa_models_shown")
    offered = ["No attention", "Word for word", "Dot (Luong)", "Scaled dot", "General (Luong)", "Additive (Bahdanau)"]
    assert group.options == offered
    assert group.value == [GERMAN[0], GERMAN[1], GERMAN[-1]]
    app = open_page(PAGE, sa_models=f"{GERMAN[4]} nonsense {GERMAN[3]}")
    assert healthy(app)
    assert app.button_group(key="sa_models_shown").value == [GERMAN[3], GERMAN[4]]


def test_without_any_model_the_page_says_so(
    open_page: OpenPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "BUNDLED", tmp_path)
    app = open_page(PAGE)
    assert healthy(app)
    assert "checkpoints/couplet-zh is missing or damaged" in app.error[0].value.replace("\\", "")


@pytest.mark.parametrize(
    ("scene", "key", "film"),
    [
        ("three_models", "sa_detail", "sa_details_live"),
        ("step_by_step", "sa_step", "sa_decoder_live"),
        ("force", "sa_at", "sa_outputs_live"),
        ("couplets", "sa_place", "sa_couplets_live"),
    ],
)
def test_stepping_runs_no_model(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, scene: str, key: str, film: str
) -> None:
    calls: list[str] = []
    real = lesson.compute
    monkeypatch.setattr(lesson, "compute", lambda params: calls.append("compute") or real(params))
    app = open_page(PAGE, scene=scene, sa_text=SENTENCES[0])
    assert calls == ["compute"]
    chosen(app, key, "1")
    assert b'"at": 1,' in live(app, film)
    assert calls == ["compute"]


@pytest.mark.parametrize("shown", ["step", "scores", "sum", "state", "query"])
@pytest.mark.parametrize("name", [*GERMAN, COUPLET])
def test_every_picture_of_a_step_is_drawn_for_every_model(open_page: OpenPage, name: str, shown: str) -> None:
    app = open_page(PAGE, scene="step_by_step", sa_look=name, sa_shown=shown, sa_step="1")
    assert healthy(app)
    if shown == "query" and name not in GERMAN[:2]:
        assert live(app, "sa_picture_query_live")
        return
    blind = shown == "query" or (name == GERMAN[0] and shown == "scores")  # it has none: the whole step is drawn
    assert f'"shown": "{"step" if blind else shown}"'.encode() in live(app, "sa_decoder_live")


def test_another_text_begins_at_the_first_step_with_nothing_forced(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="force", sa_text=SENTENCES[0], sa_at="1")
    app.selectbox(key="sa_force_shown").select_index(1).run()
    assert app.session_state["sa_force"]
    app.text_input(key="sa_text").set_value(SENTENCES[1]).run()
    assert healthy(app)
    assert (app.session_state["sa_at"], app.session_state["sa_force"]) == (DEFAULTS["sa_at"], "")


def test_a_source_word_is_forced_and_reset(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="force", sa_text=SENTENCES[0], sa_at="1")
    assert app.button(key="sa_reset").disabled
    app.selectbox(key="sa_force_shown").select_index(1).run()
    assert healthy(app)
    assert app.text_input(key="sa_force").value.startswith("1")
    assert b"With step 2 forced" in live(app, "sa_outputs_live")
    app.button(key="sa_reset").click().run()
    assert app.text_input(key="sa_force").value == ""
    assert b"With step 2 forced" not in live(app, "sa_outputs_live")


def test_an_old_link_to_a_forced_row_or_a_couplet_opens_its_scene(open_page: OpenPage) -> None:
    n = len(seq2seq.translate(seq2seq.load(GERMAN[-1]), SENTENCES[0], lesson.Params().options).trace.source.labels)
    row = ",".join(["1", "3", *["0"] * (n - 2)])
    app = open_page(PAGE, sa_text=SENTENCES[0], sa_force=f"0={row}")
    assert b"With step 1 forced" in live(app, "sa_outputs_live")
    assert b'"title": "Straight across"' in live(open_page(PAGE, sa_task="couplet"), "sa_couplets_live")


def test_without_weights_nothing_can_be_forced(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="force", sa_look=GERMAN[0], sa_force="1@1")
    assert healthy(app)
    assert "no weights that could be overwritten" in said(app)


def test_what_is_no_number_in_a_row_is_refused() -> None:
    row = forced_row.row_of(pd.Series(["1", None, "x"], dtype=object))
    assert row[0] == 1
    assert forced_weights.is_invalid(row, 3)
    assert not forced_weights.is_invalid((0.0, 2.0), 2)


def test_couplets_keep_their_form(open_page: OpenPage) -> None:
    app = open_page(PAGE, lang="zh", scene="couplets", sa_beam="2", sa_formal="false")
    assert healthy(app)
    found = lesson.compute(lesson.Params(task="couplet", text="两个黄鹂鸣翠柳", models=(COUPLET,), beam=2)).records
    assert keeps_form("两个黄鹂鸣翠柳", found[COUPLET].best.text)
    assert "龘 靐" in said(open_page(PAGE, scene="couplets", sa_line="龘靐黄鹂"))


def test_a_couplet_is_written_three_times_and_the_losses_are_those_of_the_manifest(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="couplets")
    assert healthy(app)
    ways = zip(("Its own choice", "Straight across", "At all alike"), ("245", "191", "665"), strict=True)
    sent = live(app, "sa_couplets_live").decode(errors="replace")
    assert all(f'"title": "{name}", "note": "hesitates between {n} characters"' in sent for name, n in ways)
    told = "the model hesitates between 245 where it looks at will, and between 665 where it looks at all alike."
    asked = "it is better to be told the place"
    assert told in said(app)
    assert asked not in said(app), "it answers what is asked"
    app.button(key="skip").click().run()
    assert asked in said(app)
    right, words = couplets.answer()
    assert right == "short"  # 6.00 against 5.25; in long lines 5.00 against 5.25
    assert "seven characters it is better to be told the place: the right character is 2.1 times as" in words["said"]
    assert (
        "In longer lines its own choice is better than straight across: the right character is 1.3 times as likely."
        in words["said"]
    )
    same, told = {"own": 5.5, "straight": 5.509, "evenly": 6}, {"own": 5.5, "straight": 5, "evenly": 6}
    every = ((same, told), (told, told), (same, same))
    found = [alignments.helps({"": same, "_short": short, "_long": long}) for short, long in every]
    assert found == ["long", "both", "neither"]
    assert alignments.describe(alignments.measure_alignments(None)) == ""
    app.toggle(key="sa_formal").set_value(False).run()
    assert healthy(app)


def test_each_way_of_looking_is_what_its_weights_say() -> None:
    asked = lesson.Params(task="couplet", text=LINES[0], models=(COUPLET,), beam=2, looks=("evenly", "own", "straight"))
    found = lesson.compute(asked).records
    assert tuple(found) == ("own", "straight", "evenly")
    assert found["own"].trace.written_ids == lesson.compute(replace(asked, looks=())).records[COUPLET].trace.written_ids
    weights = {look: record.trace.alignment.weights[0] for look, record in found.items()}
    assert np.array_equal(weights["straight"], np.eye(8))
    assert np.allclose(weights["evenly"], 1 / 8)
    states = found["evenly"].trace.states.mean(0)
    assert all(np.allclose(step.context, states, atol=1e-5) for step in found["evenly"].trace.steps)


def test_the_tables_are_those_of_the_manifests() -> None:
    every = state_of_lesson.models()
    assert [each.name for each in every] == [*GERMAN, COUPLET]
    built = papers.tabulate_wiring(every)
    assert built.shape[1] == 6
    assert built.iloc[-1].tolist()[2:4] == ["after the step (Luong)", "beside its new state (Luong)"]
    assert built.iloc[0, 2] == "–"
    scored = bottleneck.scores(every)
    assert scored.iloc[-1, 0] == "Couplets: General (Luong)"
    assert set(scored.iloc[:, 1]) == {"–"}


@pytest.mark.parametrize("paper", papers.WIRED)
def test_every_wiring_is_read_out(open_page: OpenPage, paper: str) -> None:
    app = open_page(PAGE, scene="papers", sa_wired=paper)
    assert healthy(app)
    assert readings.describe_wiring(papers.WIRED[paper]).replace("**", "") in re.sub("<[^>]*>", "", said(app))


def test_the_bottleneck_reads_every_number_from_files(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiny models have no scores, so the page has nothing to say of them, and says what was not measured."""
    app = open_page(PAGE, scene="bottleneck")
    assert healthy(app)
    warned = app.warning[0].value.replace("\\", "")
    assert all(f"checkpoints/{name}" in warned for name in GERMAN)
    assert "a test set of – captions" in said(app)
    assert "in BLEU on the test set" not in said(app)
    assert "15 smaller models, trained for 400 steps each" in said(app)
    runs = seed_runs()
    monkeypatch.setattr(bottleneck, "seed_runs", lambda: replace(runs, spread=7.0, steps=123, seeds=4))
    monkeypatch.setattr(seeds, "scores_of", lambda _, search: {"fixed": 1.0, "none": 9.5 if search == "greedy" else 2})
    app = open_page(PAGE, scene="bottleneck", sa_search="greedy")
    assert "20 smaller models, trained for 123 steps each, 4 seeds" in said(app)
    assert "ahead: No attention +8.5." in said(app)


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Recurrent models of the lab as their reader took them away, by mechanism."""
    return {
        mechanism: pack(untrained(replace(SMALL, mechanism=mechanism), tmp_path_factory.mktemp(mechanism)))
        for mechanism in ("additive", "none")
    }


def test_models_of_the_lab_are_compared_and_stepped_through(open_page: OpenPage, packed: dict[str, bytes]) -> None:
    app = open_page(PAGE)
    for file in packed.values():
        shelf().add(app.session_state["reader"], file, verify)
    app = app.run()
    app.toggle(key="sa_yours").set_value(True).run()
    assert healthy(app)
    assert not app.error
    example = held_out(SMALL, 1)[0]
    assert app.text_input(key="sa_own").value == example.source
    assert f"The right answer: {example.targets[0]}" in said(app)
    assert len(app.session_state["sa_own_models"]) == 2
    assert uploaded_models.PREFIX not in said(app)
    app.text_input(key="sa_own").set_value("ABC").run()
    assert "was never shown these" in said(app)
    assert not [key for key, value in app.query_params.items() if uploaded_models.PREFIX in str(value)]
    shelf().forget(app.session_state["reader"])


def test_a_damaged_model_is_named_and_the_others_write(
    open_page: OpenPage, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shutil.copytree(folder, tmp_path / "some")
    (tmp_path / "some" / "seq2seq-de-en-none" / "model.safetensors").write_bytes(b"damaged")
    for module in (store, hub):
        monkeypatch.setattr(module, "BUNDLED", tmp_path / "some")
    list_kept().forget()
    app = open_page(PAGE, scene="three_models", sa_models="seq2seq-de-en-none seq2seq-de-en-additive")
    assert not app.exception
    text = said(app)
    assert "checkpoints/seq2seq-de-en-none" in text
    assert "checkpoints/seq2seq-de-en-additive" not in text
    assert live(app, "sa_details_live").count(b'"written": [') == 1
