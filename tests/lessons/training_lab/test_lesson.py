"""What it says before, while and after something is trained."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from explorer.data.parallel.own_pairs import OWN_EXAMPLE, OwnPairsError
from explorer.inference.lab.film import pack, unpack
from explorer.inference.lab.trace import alignment
from explorer.lessons import training_lab as lesson
from explorer.lessons.training_lab import readings, readings_film, recorded, state
from explorer.lessons.training_lab.compute import film, half_way, weight_course
from explorer.lessons.training_lab.expected_alignment import right_places
from explorer.lessons.training_lab.records import LabCurve
from explorer.records.training_run import LabPoint, LabProgress
from explorer.scenes.spec import Preset
from explorer.scenes.training_lab import SETTINGS, WATCH
from explorer.training.lab.estimate import Estimate
from explorer.training.lab.loop import LabTraining
from explorer.training.lab.recipe import LabRecipe, LabTask, data_of, new_model, tokenizer_of
from explorer.training.lab.reference_runs import RECIPES, machine, main, read_runs
from tests.lab_folders import SMALL, train

LOOKED = "abcde"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("run")
    train(SMALL, made)
    return made


def test_parameters_are_counted_without_drawing_a_weight() -> None:
    for recipe in (SMALL, LabRecipe(family="transformer", d_model=32, n_layers=2)):
        result = lesson.compute(lesson.Params(recipe=recipe))
        model = new_model(recipe, tokenizer_of(recipe).vocab_size)
        assert result.n_parameters == sum(parameter.numel() for parameter in model.parameters())
        assert result.n_held_out == 500
        offered = state.examples(result.recipe)
        assert not {pair.source for pair in offered} & {pair.targets[0] for pair in offered}


@pytest.mark.parametrize("task", ["reverse", "dates", "couplets", "verses", "digits"])
def test_examples_of_another_seed_are_about_as_many_and_have_the_same_symbols(task: LabTask) -> None:
    """So they need not be made to say how many there are and how large the model is."""
    recipe = LabRecipe(task=task, seed=57)
    result = lesson.compute(lesson.Params(recipe=recipe))
    assert readings.said_examples(result) == {"digits": "about 1,300", "verses": "about 260"}.get(task, "about 20,000")
    assert result.n_train == pytest.approx(len(data_of(recipe).train), rel=0.01)
    model = new_model(recipe, tokenizer_of(recipe).vocab_size)
    assert result.n_parameters == sum(parameter.numel() for parameter in model.parameters())
    assert state.examples(recipe) == state.examples(LabRecipe(task=task))


def test_own_examples_are_read_and_split() -> None:
    result = lesson.compute(lesson.Params(table=OWN_EXAMPLE))
    assert result.recipe.task == "own"
    assert ("XLII", "42") in result.recipe.pairs
    assert (result.n_train + result.n_held_out, result.n_repeated) == (99, 0)
    assert readings.said_examples(result) == str(result.n_train)
    assert lesson.compute(lesson.Params(table=f"{OWN_EXAMPLE.rstrip()}\nXLII\t7\n")).n_repeated == 1
    first = state.examples(result.recipe)[0]
    assert state.answer(result.recipe, first.source) == first.targets[0]
    assert state.answer(result.recipe, "MMXXVI") is None
    with pytest.raises(OwnPairsError, match="Columns in row"):
        lesson.compute(lesson.Params(table="one\ntwo\n"))


@pytest.mark.parametrize(
    ("task", "source", "positions"),
    [
        ("copy", "abc", ((0,), (1,), (2,))),
        ("reverse", "abc", ((2,), (1,), (0,))),
        ("sort", "cab", ((1,), (2,), (0,))),
        ("sort", "bab", ((1,), (0, 2), (0, 2))),
        ("couplets", "青山", ((0,), (1,))),
        ("numbers_en", "forty-two", ()),
        ("dates", "no date", ()),
        ("dates", "1/2/3/1998", ()),
    ],
)
def test_the_rule_says_where_a_symbol_comes_from(task: str, source: str, positions: object) -> None:
    assert right_places(task, source) == positions


@pytest.mark.parametrize(
    ("source", "day", "month", "year"),
    [
        ("9 May 1998", "9", "May", "1998"),
        ("31 december 2050", "31", "december", "2050"),
        ("September 12, 1903", "12", "September", "1903"),
        ("3rd Mar 2024", "3", "Mar", "2024"),
        ("21/7/1969", "21", "7", "1969"),
        ("1.11.2011", "1", "11", "2011"),
    ],
)
def test_the_fields_of_a_date(source: str, day: str, month: str, year: str) -> None:
    positions = right_places("dates", source)
    texts = ["".join(source[position] for position in row) for row in positions]
    assert texts == [year] * 4 + [""] + [month] * 2 + [""] + [day] * 2


def looked_at(folder: Path, text: str) -> state.TracedText:
    return state.TracedText(folder=folder, text=text, expected=text[::-1])


def test_a_frame_and_its_weight_on_the_right_cells(folder: Path) -> None:
    looked = looked_at(folder, LOOKED)
    found, missing = film(looked, (0, 20, 40), lesson.View(layer=7, head=9), seconds=60.0)
    assert not missing
    assert found.steps == (0, 20, 40)
    trace = alignment(folder, 20, LOOKED, expected=LOOKED[::-1], reading="expected")
    weights = trace.crosses[0].weights[0]
    np.testing.assert_array_equal(found.at(20).weights, weights)
    np.testing.assert_array_equal(found.at(39).weights, weights)
    assert found.at(20).rows == (*LOOKED[::-1], "</s>")
    by_hand = np.mean([weights[row, 4 - row] for row in range(5)])
    course, known = weight_course(found, "reverse")
    assert known
    assert course[1] == pytest.approx(by_hand)
    largest, known = weight_course(found, "own")
    assert not known
    assert largest[1] == pytest.approx(weights.max(-1).mean())
    said = readings_film.describe_shown(found, found.at(20), "reverse", point(0, 0.25))
    assert f"**{by_hand:.0%}** of its weight" in said
    assert "by chance: 17%" in said
    assert "**25%** of new examples come out right (measured at step 0)" in said
    assert "weight" not in readings_film.describe_shown(found, found.at(20), "reverse", None, tells_weight=False)
    first = replace(found.at(20), step=1)
    assert readings_film.describe_shown(found, first, "reverse", None).startswith("After 1 step it")
    assert readings_film.describe_shown(found, first, "reverse", None, end=True).startswith("At the end, after 1 step,")


def test_a_film_goes_on_where_it_was_left(folder: Path) -> None:
    looked = looked_at(folder, "vwxyz")
    first, missing = film(looked, (0, 20, 40), lesson.View(), seconds=0.0)
    assert (first.steps, missing) == ((40,), True)  # the newest comes first
    whole, missing = film(looked, (0, 20, 40), lesson.View(), seconds=60.0)
    assert (whole.steps, missing) == ((0, 20, 40), False)


def test_a_model_without_attention_has_no_map_and_says_how_sure_it_is(tmp_path: Path) -> None:
    recipe = LabRecipe(mechanism="none", d_model=16, batch=4, steps=20)
    train(recipe, tmp_path)
    found, _ = film(looked_at(tmp_path, LOOKED), (0, 20), lesson.View(), seconds=60.0)
    assert found.columns == ()
    assert found.at(20).weights.shape == (6, 0)
    trace = alignment(tmp_path, 20, LOOKED, expected=LOOKED[::-1], reading="expected")
    np.testing.assert_allclose(found.at(20).sure, [each.probability for each in trace.written], atol=1e-6)
    assert weight_course(found, "reverse") == ([], False)
    least = min(trace.written, key=lambda each: each.probability)
    assert f"least sure of “{least.label}”" in readings.describe_trace(trace)


def point(step: int, accuracy: float) -> LabPoint:
    return LabPoint(
        step=step, seconds=step / 10, loss=1.0, held_out_loss=1.0, accuracy=accuracy, tokens_per_second=100.0
    )


def curve(name: str, *points: LabPoint) -> LabCurve:
    return LabCurve(name=name, number=0, points=points, provenance=state.provenance_of(SMALL))


def test_curves_say_when_the_task_was_learned() -> None:
    learned = curve("a", point(0, 0.0), point(100, 0.5), point(200, 0.992), point(300, 0.996))
    halfway = curve("b", point(0, 0.0), point(100, 0.5))
    assert (
        "99.2% of the held-out examples exact after 20 s (step 200); at step 300 it is 99.6%"
        in readings.describe_curves((learned,))
    )
    assert "50.0% of the held-out examples exact at step 100" in readings.describe_curves((halfway,))
    assert readings.describe_curves((learned, halfway)) == "A: **99%** exact at step 200; b: **50%** exact at step 100."
    assert readings.describe_curves((curve("c"),)) == "No point is measured yet."
    assert readings.describe_curves((curve("d", point(0, 0.0)),)).endswith("; the loss is 1.")
    worse = replace(point(100, 0.0), loss=4.0, held_out_loss=4.0)
    assert "went from 1.00 to 4" in readings.describe_curves((curve("e", point(0, 0.0), worse),))


@pytest.mark.parametrize(
    "phase", ["waiting", "starting", "training", "paused", "stopping", "stopped", "done", "failed"]
)
@pytest.mark.parametrize("reason", ["", "time", "stopped", "memory", "diverged", "abandoned", "exit code {9}"])
def test_every_state_is_said(phase: str, reason: str) -> None:
    said = readings.said_phase(LabProgress(total_steps=800, step=40, phase=phase, reason=reason, place_in_line=3), 2)
    assert said
    if phase == "waiting":
        assert said == "2 are training; you are number 3 of those that wait."
    if phase == "failed" and reason not in {"memory", "diverged"}:
        assert reason in said


def test_a_cost_is_said_in_minutes_and_megabytes() -> None:
    cost = Estimate(seconds=300.0, size_bytes=5_000_000, within_minutes=True)
    assert readings.said_cost(cost, 10).startswith("about 5.0 min, if nothing else")
    assert readings.said_cost(cost, 10).endswith("; 5 MB of weights are kept while you look")
    assert readings.said_cost(replace(cost, within_minutes=False), 10).startswith("not all of its steps within 10 min")


def test_what_was_stopped_in_line_has_computed_nothing() -> None:
    stopped = LabProgress(total_steps=800, phase="stopped", reason="stopped")
    assert readings.said_phase(stopped, 2) == "Stopped before its first step."
    assert "what was computed stays" in readings.said_phase(replace(stopped, snapshots=(0,)), 2)


def test_what_was_recorded_is_what_the_code_does() -> None:
    runs = read_runs()
    assert {name: run.recipe for name, run in runs.items()} == dict(RECIPES)
    run = runs["reverse"]
    second = run.points[1]
    again = LabTraining(run.recipe).run()
    found = next(each for each in again if each is not None and each.step == second.step)
    assert found.loss == pytest.approx(second.loss, rel=1e-3)
    assert found.held_out_loss == pytest.approx(second.held_out_loss, rel=1e-3)


def test_a_recorded_film_is_of_texts_that_were_not_learned_from() -> None:
    for name, run in read_runs().items():
        data = data_of(run.recipe)
        learned = {pair.source for pair in data.train}
        assert len(run.films) == 3
        for each in run.films:
            assert each.source not in learned, name
            assert each.steps[0] == 0
            if each.columns:
                sums = np.stack([frame.weights.sum(-1) for frame in each.frames])
                np.testing.assert_allclose(sums, 1, atol=len(each.columns) / 255)
        counts = np.array(list(run.lengths.values()))
        assert counts[:, 0].sum() == len(data.held_out)
        assert counts[:, 1].sum() / counts[:, 0].sum() == pytest.approx(run.points[-1].accuracy)


def test_settings_find_their_recording_or_the_one_most_like_it() -> None:
    for name, recipe in RECIPES.items():
        assert recorded.find_recorded(replace(recipe, minutes=1.0)) == (read_runs()[name], True)
    run, exact = recorded.find_recorded(LabRecipe(mechanism="none", d_model=32))
    assert (run.name, exact) == ("none", False)
    assert not recorded.find_recorded(LabRecipe(task="numbers_en"))[1]


SET = {"tl_width": "d_model", "tl_embedding": "d_embedding", "tl_inner": "d_ff", "tl_dropped": "attention_dropout"}
SET |= {"tl_rate": "learning_rate", "tl_layers": "n_layers", "tl_heads": "n_heads", "tl_forcing": "teacher_forcing"}


@pytest.mark.parametrize("preset", WATCH.presets, ids=lambda preset: preset.label)
def test_every_preset_shows_the_very_training_that_it_sets(preset: Preset) -> None:
    settings = {name: value for name, value in (SETTINGS | dict(preset.state)).items() if name in SETTINGS}
    asked = {SET.get(name, name.removeprefix("tl_")): value for name, value in settings.items()}
    run, exact = recorded.find_recorded(LabRecipe(**asked | {"residual": asked["residual"] == "on"}))
    assert exact, run.name
    if preset.label == "As in the lecture notes":
        assert run.points[-1].accuracy > 0.95, "what the preset says is enough"
    if preset.label == "Real couplets":
        least = min(run.points, key=lambda point: point.held_out_loss)
        assert run.points[-1].accuracy == 0, "no poet, as the preset says"
        assert run.points[-1].loss < 0.5 < least.held_out_loss < run.points[-1].held_out_loss - 0.5, "learned by heart"


def test_defaults_learn_reverse_and_dates_within_about_a_minute() -> None:
    reached = {
        name: next((each for each in run.points if each.accuracy >= readings.LEARNED), None)
        for name, run in read_runs().items()
    }
    assert reached["reverse"].seconds < 70
    assert reached["dates"].seconds < 70
    assert reached["none"] is None


def test_the_prediction_is_judged_by_the_weights_of_that_step() -> None:
    step, accuracy, exact, beside = half_way()
    assert abs(accuracy - 0.5) < 0.1
    weights = [each.at(step).weights for each in read_runs()["reverse"].films]
    by_hand = [np.mean([w[row, len(w) - 2 - row] for row in range(len(w) - 1)]) for w in weights]
    assert exact == pytest.approx(np.mean(by_hand), abs=1e-6)
    assert exact < beside <= 1


def test_recording_writes_what_is_read(tmp_path: Path) -> None:
    file, recipe = tmp_path / "runs.json", LabRecipe(d_model=16, batch=4, steps=20)
    main(file=file, recipes={"small": recipe})
    content = json.loads(file.read_text("utf8"))["small"]
    assert content["recipe"] == {"d_model": 16, "batch": 4, "steps": 20}
    assert content["machine"] == machine()
    assert pack(unpack(content["films"][0])) == content["films"][0]
    with pytest.raises(ValueError, match="no film"):
        unpack({**content["films"][0], "weights": "0"})
    main(["again"], file, {"small": recipe, "again": recipe})
    assert list(json.loads(file.read_text("utf8"))) == ["small", "again"]


@pytest.mark.parametrize("pair", recorded.PAIRS.values(), ids=recorded.PAIRS)
def test_the_two_of_a_pair_are_called_by_different_names(pair: tuple[str, str]) -> None:
    first, second = recorded.curves([read_runs()[name] for name in pair])
    assert first.name != second.name


@pytest.mark.parametrize("pair", ["attention", "scores", "positions", "rates"])
def test_the_two_of_a_pair_differ_in_one_setting(pair: str) -> None:
    first, second = (asdict(read_runs()[name].recipe) for name in recorded.PAIRS[pair])
    assert len([name for name in first if first[name] != second[name]]) == 1


def test_names_say_a_missing_position_and_the_learning_rate() -> None:
    def names(pair: str) -> list[str]:
        return [each.name for each in recorded.curves([read_runs()[name] for name in recorded.PAIRS[pair]])]

    assert names("positions")[1].endswith("no positions")
    assert [name.split(" · ")[0] for name in names("rates")] == ["learning rate 0.003", "learning rate 0.1"]


def test_times_lengths_and_ends_are_said_in_numbers() -> None:
    assert readings.said_time(120) == "2.0 min"
    assert readings.describe_lengths([("a", {3: (4, 4), 9: (4, 1)})]) == "Right at length 9: a **25%**."
    for reason, words in (("abandoned", "nobody was looking"), ("time", "its time was over")):
        assert words in readings.said_phase(LabProgress(total_steps=8, phase="stopped", reason=reason), 2)
