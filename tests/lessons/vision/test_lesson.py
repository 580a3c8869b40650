"""Every number again, from the shipped models, and the sentences against the numbers."""

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
import torch

from explorer.data.images import normalise
from explorer.inference.vision import trace
from explorer.inference.vision.classify import load, probabilities, probe
from explorer.inference.vision.trace import cover_patches, without_heads
from explorer.lessons import vision as lesson
from explorer.lessons.vision import pictures, readings, shown as shown_of_lesson, state
from explorer.lessons.vision.compute import accuracy, change, codes, effects, gates as compute_gates, journey
from explorer.nn.tape import Tape
from explorer.records.image import PatchAttention, patch_name

GRID = 8


def params(name: str = "cat") -> lesson.Params:
    picture = pictures.crop_square(pictures.sample(name), name, pictures.FRAMES.get(name, state.Frame()))
    return lesson.Params(pixels=picture.seen.tobytes())


@pytest.fixture(scope="module")
def result() -> lesson.Result:
    return lesson.compute(params())


@pytest.fixture(scope="module")
def gates(result: lesson.Result) -> state.Gates:
    return compute_gates(result.params)


def pixels(asked: lesson.Params) -> torch.Tensor:
    return torch.from_numpy(np.frombuffer(asked.pixels, np.uint8).reshape(32, 32, 3).copy()).permute(2, 0, 1)


@pytest.mark.parametrize(("name", "least"), [(state.VIT, 0.72), (state.CNN, 0.8)])
def test_a_shipped_model_keeps_its_promise(name: str, least: float) -> None:
    model = load(name)
    again = probe(model.model, model.classes)
    assert again.expected == model.manifest.probe.expected
    assert again.score == pytest.approx(model.manifest.probe.score, abs=1e-3)
    assert accuracy(name) == model.manifest.metrics["test_accuracy"] >= least
    assert model.manifest.files["model.safetensors"].size_bytes < 7_500_000


def test_what_is_shown_is_what_the_models_computed(result: lesson.Result) -> None:
    vit, tape = load(state.VIT).model, Tape()
    with torch.inference_mode():
        logits = vit(normalise(pixels(result.params)[None]), tape=tape)[0]
    np.testing.assert_allclose(result.answers[0].probabilities, torch.softmax(logits, -1), atol=1e-6)
    for layer in range(result.attention.n_layers):
        np.testing.assert_allclose(result.attention.weights[layer], tape[f"layers.{layer}.self"].weights[0], atol=1e-6)
    np.testing.assert_allclose(result.attention.weights.sum(-1), 1, atol=1e-4)
    np.testing.assert_allclose(result.attention.rollout.sum(-1), 1, atol=1e-4)
    half = 0.5 * (result.attention.weights.mean(1) + np.eye(GRID**2 + 1, dtype=np.float32))
    np.testing.assert_allclose(result.attention.rollout[1], half[1] @ half[0], atol=1e-5)


def test_the_gates_are_those_of_the_network(gates: state.Gates) -> None:
    assert [each.site for each in gates.channels] == ["stages.0.channel", "stages.1.channel", "stages.2.channel"]
    assert [each.site for each in gates.positions] == ["stages.1.spatial"]
    for each in gates.channels:
        assert each.gate.shape == each.usual.shape == each.read.shape[:1]
        assert ((each.gate > 0) & (each.gate < 1)).all()
    excite = load(state.CNN).model.get_submodule("stages.0.gate.excite")
    with torch.inference_mode():
        again = torch.sigmoid(excite(torch.from_numpy(gates.channels[0].read.mean((1, 2)))[None]))[0]
    np.testing.assert_allclose(gates.channels[0].gate, again, atol=1e-5)
    most, least = shown_of_lesson.features(gates.channels[0])
    assert gates.channels[0].gate[most[0]] == gates.channels[0].gate.max()
    assert gates.channels[0].gate[least[0]] == gates.channels[0].gate.min()
    assert not set(most) & set(least)


def test_the_usual_gate_is_the_mean_of_the_other_pictures(gates: state.Gates) -> None:
    model, site = load(state.CNN), gates.channels[0].site
    mine, *others = (
        pixels(params(name)) for name in ("cat", *[each for each in pictures.names() if each != "cat"][:2])
    )
    alone = [trace.gates(model, each, [])[0][0] for each in (mine, *others)]
    found = trace.gates(model, mine, others)[0][0]
    assert found.site == site
    np.testing.assert_allclose(found.gate, alone[0].gate, atol=1e-5)
    np.testing.assert_allclose(found.usual, (alone[1].gate + alone[2].gate) / 2, atol=1e-5)
    assert np.abs(found.usual - found.gate).max() > 1e-3
    assert np.isnan(alone[0].usual).all()


def test_a_sample_is_not_among_the_pictures_it_is_held_against(gates: state.Gates) -> None:
    others = [pixels(params(name)) for name in pictures.names() if name != "cat"]
    usual = np.mean([trace.gates(load(state.CNN), each, [])[0][0].gate for each in others], axis=0)
    np.testing.assert_allclose(gates.channels[0].usual, usual, atol=1e-5)
    assert f"mean over {len(others)} pictures" in gates.channels[0].provenance.detail
    assert len(others) == len(pictures.names()) - 1


def test_typical_weights_are_medians_over_every_row(result: lesson.Result) -> None:
    rows = [row for head in result.attention.weights.reshape(-1, GRID**2 + 1, GRID**2 + 1) for row in head[:, 1:]]
    said = readings.typical_weights(result)
    assert said == {"cell": f"{np.median(rows):.3f}", "largest": f"{np.median([row.max() for row in rows]):.3f}"}
    assert float(said["cell"]) < float(said["largest"])


def test_a_view_beyond_what_there_is_is_moved_in(result: lesson.Result) -> None:
    view = shown_of_lesson.clamp_view(result, lesson.View(layer=99, head=-3, query=9999))
    assert (view.layer, view.head, view.query) == (result.attention.n_layers - 1, 0, GRID**2)
    assert shown_of_lesson.shown_map(result, view).shape == (GRID, GRID)


def test_each_way_of_showing_is_its_row(result: lesson.Result) -> None:
    attention, view = result.attention, lesson.View(layer=2, head=1, query=5)
    expected = {
        "head": attention.weights[2, 1, 5],
        "mean": attention.weights[2, :, 5].mean(0),
        "rollout": attention.rollout[2, 5],
    }
    for shown in get_args(state.Shown):
        drawn = shown_of_lesson.shown_map(result, lesson.View(layer=2, head=1, query=5, shown=shown))
        np.testing.assert_allclose(drawn.ravel(), expected[shown][1:], atol=1e-6)
    assert shown_of_lesson.head_maps(result, view).shape == (attention.n_layers, attention.n_heads, GRID, GRID)


def test_taking_away_is_what_it_says(result: lesson.Result) -> None:
    vit = load(state.VIT)
    asked = state.RemovalParams(params=result.params, patches=(0, 9, 64, -1), heads=((1, 2), (77, 0)))
    changed = change(asked, result)
    painted = pixels(result.params).clone()
    mean = painted.float().mean((1, 2)).round().to(torch.uint8)
    painted[:, :4, :4] = mean[:, None, None]
    painted[:, 4:8, 4:8] = mean[:, None, None]
    cut = without_heads(vit.model, [(1, 2)])
    np.testing.assert_allclose(changed.after[0].probabilities, probabilities(cut, painted[None])[0], atol=1e-6)
    np.testing.assert_allclose(
        changed.after[1].probabilities, probabilities(load(state.CNN).model, painted[None])[0], atol=1e-6
    )
    assert changed.before is result
    headless = change(state.RemovalParams(params=result.params, heads=((1, 2),)), result)
    assert headless.after[1] is result.answers[1]  # the network has no heads
    np.testing.assert_allclose(
        headless.after[0].probabilities, probabilities(cut, pixels(result.params)[None])[0], atol=1e-6
    )
    assert vit.model is not cut  # the shared model is as it was
    np.testing.assert_allclose(lesson.compute(result.params).attention.weights, result.attention.weights, atol=1e-6)


def test_what_is_missed_is_measured_one_at_a_time(result: lesson.Result) -> None:
    found, vit = effects(result.params), load(state.VIT)
    best = result.answers[0].order[0]
    without = probabilities(vit.model, cover_patches(pixels(result.params), [19], GRID)[None])[0, best]
    assert found.patches[2, 3] == pytest.approx(float(without) - found.before, abs=1e-5)
    headless = probabilities(without_heads(vit.model, [(3, 1)]), pixels(result.params)[None])[0, best]
    assert found.heads[3, 1] == pytest.approx(float(headless) - found.before, abs=1e-5)
    with pytest.raises(IndexError):
        without_heads(vit.model, [(3, 99)])


def test_pixels_of_another_length_are_filled_or_cut() -> None:
    assert len(lesson.Params().pixels) == len(lesson.Params(pixels=bytes(9999)).pixels) == 32 * 32 * 3
    assert lesson.Params(pixels=b"abc").pixels[:4] == b"abc\x80"


def test_a_frame_beyond_the_picture_is_moved_in() -> None:
    frame = state.Frame(zoom=1e9, across=-5, down=400)
    assert (frame.zoom, frame.across, frame.down) == (state.MOST_ZOOM, 0, 100)


def test_an_unknown_sample_is_grey() -> None:
    assert (pictures.sample("no such picture") == 128).all()


def test_readings_say_the_numbers(result: lesson.Result, gates: state.Gates) -> None:
    view = lesson.View(layer=1, head=0, query=0)
    row = result.attention.weights[1, 0, 0]
    assert f"{row[1:].max():.0%}" in readings.describe_map(result, view)
    best = result.answers[1]
    assert f"{best.likeliest} ({best.probabilities.max():.0%})" in readings.describe_answers(result.answers)
    assert f"{result.attention.distances.max():.1f}" in readings.describe_distances(result)
    assert f"{gates.positions[0].gate.max():.2f}" in readings.describe_places(gates.positions[0])
    assert f"**{result.attention.weights[:, :, 0, 1:].max():.1%}**" in readings.describe_heads(result, view)
    nothing = change(state.RemovalParams(params=result.params), result)
    assert readings.describe_changed(nothing) == readings.describe_answers(result.answers)
    looked, spatial = result.attention.weights[-1, :, 0].mean(0)[1:], gates.positions[-1].gate
    at = [position * len(spatial) // GRID for position in range(GRID)]
    spread = [spatial[row, column] for row in at for column in at]
    said = readings.three_kinds(result, gates)
    assert f"at most {looked.max():.3f} to one of 64 patches" in said
    assert said.endswith(f"have a correlation of {np.corrcoef(looked, spread)[0, 1]:+.2f}.")


def test_a_channel_without_company_has_no_usual_gate(gates: state.Gates) -> None:
    channel = gates.channels[0]
    alone = replace(channel, usual=np.full_like(channel.gate, np.nan))
    up = int((channel.gate - channel.usual > 0.05).sum())
    down = int((channel.usual - channel.gate > 0.05).sum())
    assert f"{up} of {len(channel.gate)} channels are turned up by more than 0.05, {down} down" in (
        readings.describe_channels(channel)
    )
    assert up != down
    left = np.abs(channel.read * channel.gate[:, None, None]).mean()
    assert f"mean size {np.abs(channel.read).mean():.3f} the gate leaves {left:.3f}" in readings.describe_features(
        channel
    )
    assert "Against the mean" not in readings.describe_channels(alone)


def test_weights_that_do_not_fit_the_grid_are_refused(result: lesson.Result) -> None:
    attention = result.attention
    with pytest.raises(ValueError, match="do not fit a grid"):
        PatchAttention(
            weights=attention.weights,
            rollout=attention.rollout,
            distances=attention.distances,
            even_distance=1.0,
            grid=7,
            patch_size=4,
            provenance=attention.provenance,
        )


def test_the_map_says_where_most_of_it_goes(result: lesson.Result) -> None:
    row = result.attention.weights[1, 0, 12]
    best = patch_name(1 + int(row[1:].argmax()), 8)
    said = readings.describe_map(result, lesson.View(layer=1, head=0, query=12))
    assert said == f"Patch 12 (row 2, column 4) looks most at {best}: **{row[1:].max():.0%}** of its weight."
    rolled = result.attention.rollout[1, 12]
    said = readings.describe_map(result, lesson.View(layer=1, query=12, shown="rollout"))
    assert "reached patch 12 (row 2, column 4) comes from" in said
    assert f"**{rolled[1:].max():.0%}** of it" in said


def test_what_is_missed_most_is_named(result: lesson.Result) -> None:
    found = effects(result.params)
    said = readings.describe_effects(found)
    row, column = np.unravel_index(found.patches.argmin(), found.patches.shape)
    layer, head = np.unravel_index(found.heads.argmin(), found.heads.shape)
    assert f"(row {row + 1}, column {column + 1}): {found.patches.min():+.2f};" in said
    assert f"head {head} of layer {layer}: {found.heads.min():+.2f}." in said
    no_patch, no_head = replace(found, patches=0 * found.patches), replace(found, heads=0 * found.heads)
    assert readings.describe_effects(no_patch).endswith("; no single patch is missed.")
    assert readings.describe_effects(no_head).endswith("; no single head is missed.")
    assert "No single patch or head" in readings.describe_effects(replace(no_patch, heads=no_head.heads))
    changed = change(state.RemovalParams(params=result.params, patches=(int(found.patches.argmin()),)), result)
    before, after = result.answers[0].probabilities, changed.after[0].probabilities
    best = int(before.argmax())
    assert f"from {before[best]:.2f} to {after[best]:.2f}" in readings.describe_changed(changed)


def test_each_model_is_said_to_answer_otherwise_only_where_it_does(result: lesson.Result) -> None:
    vit, cnn = result.answers
    other = replace(cnn, probabilities=cnn.probabilities[::-1].copy())
    asked = state.RemovalParams(params=result.params, patches=(0,))
    made = replace(change(asked, result), after=(vit, other))
    first, second = readings.describe_changed(made).split(". ")
    assert "now" not in first
    assert second.startswith("The convolutional network: ")
    assert second.endswith(f", now {other.likeliest}.")


def test_distances_and_codes_say_their_means(result: lesson.Result) -> None:
    first, last = result.attention.distances[[0, -1]].mean(1)
    assert f"Mean of the first layer {first:.1f}, of the last {last:.1f};" in readings.describe_distances(result)
    cosine = codes().cosine.reshape(GRID, GRID, GRID, GRID)
    beside = [cosine[r, c, r, c + 1] for r in range(GRID) for c in range(GRID - 1)]
    below = [cosine[r, c, r + 1, c] for r in range(GRID - 1) for c in range(GRID)]
    near = np.mean([*beside, *below])
    assert f"neighbours have a mean cosine of {near:.2f}, those 8 or" in readings.describe_codes(codes())


def test_a_patch_meets_all_keys_and_comes_to_what_the_model_computed() -> None:
    result = lesson.compute(lesson.Params(pixels=bytes(range(256)) * 12))
    view, names = lesson.View(layer=2, head=1, query=12), tuple(map(str, range(65)))
    record = journey(result.params, view, names)
    np.testing.assert_allclose(record.attention.weights[0, 0], result.attention.weights[2, 1, 12], atol=1e-6)
    products = record.query[0] * record.key
    np.testing.assert_allclose(products.sum(1) / np.sqrt(products.shape[1]), record.scores[0], rtol=1e-4, atol=1e-4)
    few = record.strongest(12, "+53")
    assert (few.others, few.words[-1], len(few.words)) == (53, "+53", 13)
    np.testing.assert_allclose(few.attention.weights[0, 0] @ few.value, record.output[0], atol=1e-5)
    assert few.words[few.most(0)] == str(result.attention.weights[2, 1, 12].argmax())
