"""Handwritten digits, from a real training of a few steps."""

from pathlib import Path

import numpy as np
import pytest

from explorer.checkpoints.package import CARD, unpack
from explorer.data.digits import ink
from explorer.inference.lab.trace import alignment
from explorer.inference.translator.translate import InputRefused
from explorer.lessons import training_lab as lesson
from explorer.lessons.training_lab import drawn, readings_film, state
from explorer.lessons.training_lab.compute import film
from explorer.lessons.training_lab.figures import map as figures
from explorer.training.lab.export import package
from explorer.training.lab.recipe import LabRecipe, data_of
from tests.lab_folders import train

RECIPE = LabRecipe(task="digits", family="transformer", d_model=16, d_ff=16, batch=8, steps=20, n_heads=2)
DRAWING = data_of(RECIPE).held_out[0]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("digits")
    train(RECIPE, made)
    return made


@pytest.mark.parametrize("head", [None, 1])
def test_the_map_of_a_digit_lies_on_its_pixels(folder: Path, head: int | None) -> None:
    looked = state.TracedText(folder=folder, text=DRAWING.source, expected=DRAWING.targets[0])
    found, _ = film(looked, (20,), lesson.View(head=head), seconds=60.0)
    record = alignment(folder, 20, DRAWING.source, expected=DRAWING.targets[0], reading="expected").crosses[0]
    weights = (record.weights.mean(0) if head is None else record.weights[head])[0, :64]
    seen = found.at(20)
    np.testing.assert_allclose(seen.weights[0, :64], weights, atol=1e-6)
    inked = ink(DRAWING.source).ravel() > 0
    said = readings_film.describe_shown(found, seen, "digits", None)
    assert f"**{weights[inked].sum():.0%}** of its weight lies on ink" in said
    assert drawn.said_source(DRAWING.source, DRAWING.targets[0]) == f"a handwritten {DRAWING.targets[0]}"
    assert drawn.said_source("·█ 7", None) == "“·█ 7”"
    left, right = figures.drawing(ink(DRAWING.source), weights.reshape(8, 8)).data
    np.testing.assert_array_equal(left.z, ink(DRAWING.source))
    np.testing.assert_array_equal(right.z, weights.reshape(8, 8))


def test_a_drawing_that_is_too_long_is_refused(folder: Path) -> None:
    with pytest.raises(InputRefused):
        alignment(folder, 20, DRAWING.source + "·")


def test_weights_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="not those of a drawing"):
        figures.drawing(np.zeros((8, 8), np.float32), np.zeros((8, 9), np.float32))


def test_its_checkpoint_names_the_data_and_their_licence(folder: Path, tmp_path: Path) -> None:
    assert unpack(package(RECIPE, folder, 20), tmp_path).manifest.licence == "CC-BY-4.0"
    card = (tmp_path / CARD).read_text(encoding="utf-8")
    assert "Alpaydin & Kaynak" in card
    assert "CC-BY-4.0" in card
    assert "shades of pixels" in card
