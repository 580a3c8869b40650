"""Recorded comparisons: one part differs, every seed is there, the numbers are those of the code."""

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from explorer.checkpoints.manifest import CheckpointDamaged
from explorer.training.lab import comparisons, reference_runs
from explorer.training.lab.comparisons import (
    BASE,
    COMPARISONS,
    N_POINTS,
    SEEDS,
    VARIANTS,
    apart,
    main,
    read_comparisons,
)
from explorer.training.lab.loop import LabTraining
from explorer.training.lab.recipe import LabRecipe


def test_each_differs_from_the_base_in_one_thing() -> None:
    for name, recipe in VARIANTS.items():
        different = [field for field, value in asdict(recipe).items() if value != asdict(BASE)[field]]
        assert len(different) == (name != "base"), name
    assert set().union(*COMPARISONS.values()) == set(VARIANTS)
    assert all("base" in names for names in COMPARISONS.values())


def test_every_seed_is_recorded_to_its_end() -> None:
    runs = read_comparisons()
    assert {name: each.recipe for name, each in runs.items()} == dict(VARIANTS)
    for each in runs.values():
        assert len(each.courses) == len(SEEDS)
        assert len({tuple(point.step for point in points) for points in each.courses}) == 1
        assert all(points[0].step == 0 and points[-1].step == each.recipe.steps for points in each.courses)
        assert len(set(each.ends("held_out_loss"))) == len(SEEDS), "no two seeds end alike"
        assert max(each.ends("seconds")) < 60


@pytest.mark.parametrize("name", ["base", "no_residual", "additive"])
def test_what_was_recorded_is_what_the_code_does(name: str) -> None:
    second = read_comparisons()[name].courses[0][1]
    run = LabTraining(replace(VARIANTS[name], seed=SEEDS[0]), n_points=N_POINTS).run()
    found = next(each for each in run if each is not None and each.step == second.step)
    assert found.loss == pytest.approx(second.loss, rel=2e-3)
    assert found.held_out_loss == pytest.approx(second.held_out_loss, rel=2e-3)


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [((1, 2), (3, 4), True), ((3, 4), (1, 2), True), ((1, 3), (2, 4), False), ((1, 4), (2, 3), False)],
)
def test_ranges_are_apart_or_overlap(one: tuple[int, ...], other: tuple[int, ...], told: bool) -> None:
    assert apart(one, other) is told


@pytest.mark.parametrize("record", [main, reference_runs.main])
def test_a_name_that_there_is_not_is_said(record: Callable[[list[str]], None]) -> None:
    with pytest.raises(SystemExit, match="no recipe is called nosuch: name some of"):
        record(["nosuch"])


def test_recording_writes_what_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, recipe = tmp_path / "comparisons.json", LabRecipe(d_model=16, d_embedding=8, batch=4, steps=20)
    main(file=file, variants={"small": recipe})
    main(["other"], file, {"other": replace(recipe, cell="lstm"), "small": recipe})
    content = json.loads(file.read_text("utf8"))
    assert list(content) == ["other", "small"]
    assert content["small"]["recipe"] == {"d_model": 16, "d_embedding": 8, "batch": 4, "steps": 20}
    monkeypatch.setattr(comparisons, "FILE", file)
    monkeypatch.setattr(comparisons, "VARIANTS", {"small": recipe})
    read_comparisons.cache_clear()
    runs = read_comparisons()["small"]
    assert (runs.recipe, len(runs.courses), runs.courses[2][-1].step) == (recipe, 3, 20)
    assert runs.ends() == tuple(points[-1]["accuracy"] for points in content["small"]["courses"].values())
    file.write_text("{}")
    read_comparisons.cache_clear()
    with pytest.raises(CheckpointDamaged, match=r"python -m explorer\.training\.lab\.comparisons"):
        read_comparisons()
    read_comparisons.cache_clear()
