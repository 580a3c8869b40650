"""From pixels to a vector: the numbers of a patch, the model's own way, and the nearest linear map, again by NumPy."""

from functools import cache

import numpy as np
import pytest
import torch

from explorer.data.images import normalise
from explorer.inference.vision.classify import load
from explorer.inference.vision.stem import (
    apply_linear_map,
    flatten_patches,
    linear_map,
    linear_stem,
    patch_vectors,
    r_squared,
)
from explorer.lessons.vision import pictures, readings_stem as readings, state
from explorer.lessons.vision.compute import patch_vectors as compute
from explorer.records.image import PatchVectors

SIDE, GRID = 4, 8


@cache
def seen(name: str) -> state.Params:
    square = pictures.crop_square(pictures.sample(name), name, pictures.FRAMES.get(name, state.Frame()))
    return state.Params(pixels=square.seen.tobytes())


@cache
def record(name: str) -> PatchVectors:
    return compute(seen(name), name)


def as_tensor(params: state.Params) -> torch.Tensor:
    return torch.from_numpy(np.frombuffer(params.pixels, np.uint8).reshape(32, 32, 3).copy()).permute(2, 0, 1)


def test_the_numbers_of_a_patch_are_its_pixels_one_after_the_other() -> None:
    whole = np.frombuffer(seen("cat").pixels, np.uint8).reshape(32, 32, 3)
    for patch in (0, 11, 63):
        row, column = (SIDE * position for position in divmod(patch, GRID))
        by_hand = whole[row : row + SIDE, column : column + SIDE].reshape(-1)
        np.testing.assert_allclose(record("cat").numbers[patch], (by_hand / 255 - 0.5) / 0.25, atol=1e-5)


def test_the_models_way_is_what_its_first_layer_reads() -> None:
    model, found = load(state.VIT).model, record("cat")
    with torch.inference_mode():
        read = model.embed(normalise(as_tensor(seen("cat"))[None]))[0]
    np.testing.assert_allclose(found.stem, (read[1:] - model.positions[0, 1:]).detach(), atol=1e-5)
    assert model.positions.shape[1] == len(found.stem) + 1, "a code for each patch and one for the class token"
    assert found.shapes == ((3, 32, 32), (64, 16, 16), (128, 8, 8), (128, 8, 8))
    assert found.n_parameters[0] == 48 * 128 + 128


def test_the_model_sees_three_pixels_above_and_to_the_left_and_no_more() -> None:
    stem, pixels = load(state.VIT).model.patches, torch.randn(1, 3, 32, 32, generator=torch.Generator().manual_seed(1))
    pixels.requires_grad_()
    stem(pixels)[0, :, 2, 3].square().sum().backward()
    rows, columns = (pixels.grad[0].abs().sum((0, other)).nonzero().flatten() for other in (2, 1))
    assert (int(rows.min()), int(rows.max())) == (2 * SIDE - 3, 3 * SIDE - 1)
    assert (int(columns.min()), int(columns.max())) == (3 * SIDE - 3, 4 * SIDE - 1)


def test_the_linear_map_is_the_one_of_least_squares() -> None:
    generator = torch.Generator().manual_seed(2)
    numbers, vectors = (torch.randn(200, n, generator=generator) for n in (48, 5))
    found = linear_map(numbers, vectors)
    read = np.column_stack([numbers.numpy().astype(np.float64), np.ones(200)])
    again = np.linalg.lstsq(read, vectors.numpy().astype(np.float64), rcond=None)[0]
    np.testing.assert_allclose(found, again, atol=1e-9)
    np.testing.assert_allclose(apply_linear_map(numbers, found), read @ again, atol=1e-9)


def test_the_shares_explained_are_again_those_of_numpy() -> None:
    loaded, whole = load(state.VIT), torch.stack([as_tensor(seen(name)) for name in pictures.names() if name != "cat"])
    linear = linear_stem(loaded, whole)
    found = patch_vectors(loaded, as_tensor(seen("cat")), linear)
    with torch.inference_mode():
        made = loaded.model.patches(normalise(whole)).flatten(2).transpose(1, 2).reshape(-1, 128).double().numpy()
    read = np.column_stack([flatten_patches(normalise(whole), SIDE).reshape(-1, 48).double(), np.ones(len(made))])
    weights = np.linalg.lstsq(read, made, rcond=None)[0]
    assert found.fit == pytest.approx(1 - ((made - read @ weights) ** 2).sum() / ((made - made.mean(0)) ** 2).sum())
    guessed = np.column_stack([found.numbers.astype(np.float64), np.ones(64)]) @ weights
    np.testing.assert_allclose(found.linear, guessed, atol=1e-4)
    left, all_of_it = ((found.stem - each) ** 2 for each in (guessed, made.mean(0)))
    assert found.held_out == pytest.approx(1 - left.sum() / all_of_it.sum(), abs=1e-5)
    vectors = torch.from_numpy(found.stem.copy())
    assert r_squared(vectors, vectors, vectors.mean(0)) == 1


def test_the_picture_itself_is_none_of_those_that_the_map_is_found_on() -> None:
    n_others = len(pictures.names()) - 1
    assert record("cat").fitted_on == n_others * 45 * GRID**2
    assert compute(seen("cat"), "").fitted_on == (n_others + 1) * 45 * GRID**2
    assert 0 < record("cat").held_out < record("cat").fit < 0.5


@pytest.mark.usefixtures("speaks")
def test_what_is_said_are_the_numbers() -> None:
    for name in ("cat", "rocket"):
        found = record(name)
        said = readings.describe_vectors(found)
        assert f"**{found.fit:.2f}**" in said
        assert f"**{found.held_out:.2f}**" in said
    assert record("rocket").held_out < 0, "as its preset says"
    assert readings.describe_vectors(record("rocket")) != readings.describe_vectors(record("cat"))
    assert readings.said_steps(record("cat")) == "3 × 32 × 32 → 64 × 16 × 16 → 128 × 8 × 8 → 128 × 8 × 8"
    assert "48" in readings.describe_numbers(record("cat"), 11)
    assert "7 × 7" in readings.describe_pixels(11, SIDE, 3, GRID)
