"""The lab's recipe and loop: bounded, the same again, and honest about what it measures."""

import math
from dataclasses import fields, replace
from typing import Any

import pytest
import torch

from explorer.data.task_source import whole
from explorer.inference.engine.prepared import prepare
from explorer.inference.lab.exact_match import exact_match
from explorer.inference.lab.snapshots import GREEDY
from explorer.inference.search.batching import decode_all
from explorer.inference.seq2seq.steps import prepare_seq2seq
from explorer.models.seq2seq import Seq2Seq
from explorer.models.translator import Translator, TranslatorConfig
from explorer.nn.blocks import DecoderLayer
from explorer.nn.positions import POSITION_KINDS, PositionKind
from explorer.records.training_run import LabPoint, to_csv
from explorer.training.lab import loop
from explorer.training.lab.estimate import estimate, shape_of, step_times
from explorer.training.lab.loop import Diverged, LabTraining, points_at
from explorer.training.lab.recipe import (
    BOUNDS,
    MAX_LENGTH,
    LabRecipe,
    data_of,
    held_out,
    new_model,
    tokenizer_of,
)

OWN = tuple((f"{a}{b}", f"{b}{a}") for a in "abcdefgh" for b in "klmnopqr")
#: Begins to swap two letters within a second.
SWAP = LabRecipe(task="own", pairs=OWN, d_model=32, batch=16, steps=40, learning_rate=2e-2)
SWAP_TRANSFORMER = replace(SWAP, family="transformer", n_heads=2, d_ff=32)


def points_of(training: LabTraining) -> list[LabPoint]:
    return [point for point in training.run() if point is not None]


def untyped(**values: Any) -> LabRecipe:
    """As from a link or from JSON, without the type check that tests put before every constructor."""
    recipe = object.__new__(LabRecipe)
    for entry in fields(LabRecipe):
        object.__setattr__(recipe, entry.name, values.get(entry.name, entry.default))
    recipe.__post_init__()
    return recipe


@pytest.mark.parametrize("value", [-math.inf, -1, 0, 1e-30, 7, 1e30, math.inf, math.nan, "7", None, True, [1]])
@pytest.mark.parametrize("name", BOUNDS)
def test_absurd_numbers_are_brought_within_bounds(name: str, value: Any) -> None:
    recipe = untyped(**{name: value})
    least, most = BOUNDS[name]
    assert least <= getattr(recipe, name) <= most
    assert type(getattr(recipe, name)) is type(getattr(LabRecipe(), name))
    assert recipe.d_model % recipe.n_heads == 0
    assert LabRecipe.from_json(recipe.to_json()) == recipe
    assert hash(recipe) == hash(LabRecipe.from_json(recipe.to_json()))


@pytest.mark.parametrize(
    "name", ["task", "unit", "family", "mechanism", "cell", "context", "position", "scoring", "norm"]
)
def test_unknown_words_become_the_default(name: str) -> None:
    for value in ("", "none of them", None, 3, ["dot"]):
        assert getattr(untyped(**{name: value}), name) == getattr(LabRecipe(), name)


@pytest.mark.parametrize("text", ["", "[]", "3", "null", '{"unheard": 1}', '{"pairs": [1]}', "{"])
def test_what_is_no_recipe_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"recipe|Expecting"):
        LabRecipe.from_json(text)


def test_own_pairs_belong_to_the_own_task() -> None:
    assert LabRecipe(task="own").task == "reverse"
    assert LabRecipe(task="copy", pairs=OWN).pairs == ()
    assert LabRecipe.from_json(SWAP.to_json()) == SWAP


@pytest.mark.parametrize("kind", ["rotary", "alibi"])
def test_positions_of_a_dot_product_give_way_to_additive_scores(kind: PositionKind) -> None:
    recipe = LabRecipe(family="transformer", scoring="additive", position=kind)
    assert (recipe.scoring, recipe.position) == ("additive", "sinusoidal")
    assert LabRecipe(family="transformer", position=kind).position == kind
    with pytest.raises(ValueError, match="act in a dot product"):
        TranslatorConfig(vocab_size=9, scoring="additive", position=kind)


def test_what_is_set_reaches_the_model() -> None:
    recipe = replace(SWAP_TRANSFORMER, norm="post", residual=False, dropout=0.2, attention_dropout=0.5)
    model = new_model(replace(recipe, scoring="additive"), 30)
    assert isinstance(model, Translator)
    (layer,) = model.decoder.layers
    assert isinstance(layer, DecoderLayer)
    assert (layer.norm_place, layer.residual) == ("post", False)
    assert (layer.dropout.dropped_bytes, layer.cross_attention.dropout.dropped_bytes) == (51, 128)
    assert layer.cross_attention.scorer is not None
    recurrent = new_model(replace(SWAP, d_embedding=24, dropout=0.2), 30)
    assert isinstance(recurrent, Seq2Seq)
    assert (recurrent.config.d_embedding, recurrent.config.dropout) == (24, 0.2)
    assert all(untyped(residual=value).residual for value in ("no", None, 3, True))


def test_own_pairs_are_split_without_a_source_in_common() -> None:
    data = data_of(SWAP)
    assert (len(data.train), len(data.held_out)) == (52, 12)
    assert not {pair.source for pair in data.train} & {pair.source for pair in data.held_out}
    assert held_out(SWAP, 3) == tuple(data.held_out[:3])
    few = data_of(replace(SWAP, pairs=OWN[:3]))
    assert len(few.train) == len(few.held_out) == 3  # too few to hold one out: said by the file's own bound of 20


@pytest.mark.parametrize("recipe", [SWAP, SWAP_TRANSFORMER, replace(SWAP, mechanism="none", cell="lstm")])
def test_it_learns_and_the_same_recipe_learns_the_same(recipe: LabRecipe) -> None:
    training = LabTraining(recipe)
    points = points_of(training)
    assert [point.step for point in points] == [0, *sorted(points_at(40))]
    assert points[-1].loss < 0.8 * points[0].loss
    assert all(0 <= point.accuracy <= 1 and point.held_out_loss > 0 for point in points)
    assert all(point.tokens_per_second > 0 for point in points[1:])
    assert [point.seconds for point in points] == sorted(point.seconds for point in points)
    again = points_of(LabTraining(recipe))
    assert [(p.step, p.loss, p.accuracy) for p in again] == [(p.step, p.loss, p.accuracy) for p in points]


def test_another_seed_learns_otherwise() -> None:
    short = replace(SWAP, steps=20)
    assert points_of(LabTraining(short))[-1].loss != points_of(LabTraining(replace(short, seed=2)))[-1].loss


RECIPES = [
    SWAP,
    replace(SWAP, mechanism="none"),
    replace(SWAP, context="output", mechanism="scaled_dot"),
    replace(SWAP, context="next", mechanism="dot"),
]
RECIPES += [replace(SWAP_TRANSFORMER, position=kind) for kind in POSITION_KINDS]
RECIPES += [replace(SWAP_TRANSFORMER, scoring="additive", norm="post"), replace(SWAP_TRANSFORMER, residual=False)]


@pytest.mark.parametrize("recipe", RECIPES)
def test_exact_match_is_what_greedy_decoding_gets_right(recipe: LabRecipe) -> None:
    """Half-trained, so that some are right and some are wrong."""
    training = LabTraining(recipe)
    points_of(training)
    pairs = [*data_of(recipe).train, *data_of(recipe).held_out]
    model, tokenizer = training.model, training.tokenizer
    cpu = torch.device("cpu")
    prepared = prepare_seq2seq(model, cpu) if isinstance(model, Seq2Seq) else prepare(model, cpu)
    sources = [[*tokenizer.encode(pair.source), tokenizer.eos_id] for pair in pairs]
    written = [tokenizer.decode(found[0].ids) for found in decode_all(prepared, sources, GREEDY)]
    right = sum(text == pair.targets[0] for text, pair in zip(written, pairs, strict=True))
    _, accuracy = exact_match(model, whole(pairs, tokenizer, max_length=MAX_LENGTH, rows=10))
    assert round(accuracy * len(pairs)) == right
    assert model.training


def test_minutes_end_it_before_the_steps() -> None:
    training = LabTraining(replace(SWAP, steps=5000, minutes=0.05))
    points = points_of(training)
    assert training.out_of_time
    assert training.step < 5000
    assert points[-1].step == training.step
    assert 3.0 < points[-1].seconds < 6.0


def test_time_beside_the_training_is_not_counted() -> None:
    training = LabTraining(replace(SWAP, steps=20))
    run = training.run()
    next(run)
    before = training.seconds
    torch.randn(600, 600) @ torch.randn(600, 600)
    assert training.seconds == before


def test_a_loss_that_is_no_number_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "train_step", lambda *_: math.nan)
    with pytest.raises(Diverged, match="nan at step 1"):
        points_of(LabTraining(SWAP))


def test_points_cover_every_run() -> None:
    for steps in (20, 39, 40, 41, 800, 4999, 5000):
        due = points_at(steps)
        assert max(due) == steps
        assert len(due) <= loop.MOST_POINTS + 1


def test_building_a_model_leaves_the_callers_random_numbers_alone() -> None:
    state = torch.random.get_rng_state()
    model = new_model(SWAP, tokenizer_of(SWAP).vocab_size)
    assert torch.equal(torch.random.get_rng_state(), state)
    same = new_model(SWAP, tokenizer_of(SWAP).vocab_size)
    assert all(torch.equal(a, b) for a, b in zip(model.parameters(), same.parameters(), strict=True))


def test_an_estimate_counts_the_parameters_and_measures_the_time() -> None:
    more, less = replace(SWAP, steps=5000, minutes=10.0), replace(SWAP, steps=5000, minutes=0.05, seed=7, batch=8)
    times = step_times(shape_of(SWAP))
    assert shape_of(more) == shape_of(less) == shape_of(SWAP) != shape_of(replace(SWAP, d_model=64))
    found, longer, short = (estimate(recipe, times, 500) for recipe in (SWAP, more, less))
    assert found.size_bytes == 41 * 2 * LabTraining(SWAP).n_parameters
    assert found.seconds < longer.seconds <= 3 + 600
    assert not short.within_minutes
    assert short.seconds == pytest.approx(6.0)


def test_curves_as_csv() -> None:
    points = tuple(
        LabPoint(step=step, seconds=step / 10, loss=2.0, held_out_loss=1.5, accuracy=step / 40, tokens_per_second=9.0)
        for step in (0, 20, 40)
    )
    assert to_csv(points).splitlines() == [
        "step,seconds,loss,held_out_loss,accuracy,tokens_per_second",
        "0,0.00,2,1.5,0.0000,9.0",
        "20,2.00,2,1.5,0.5000,9.0",
        "40,4.00,2,1.5,1.0000,9.0",
    ]


def test_held_out_pairs_are_spread_over_the_file() -> None:
    """A file is often sorted: its first lines would be one kind of pair."""
    data = data_of(replace(SWAP, pairs=OWN[:50]))
    assert [pair.source for pair in data.held_out] == [source for source, _ in OWN[:50:5]]


@pytest.mark.parametrize(
    ("d_model", "n_heads", "used", "turned"),
    [(64, 4, 4, 4), (64, 5, 4, 4), (20, 4, 4, 2), (20, 8, 5, 5), (23, 8, 5, 5), (100, 5, 5, 5), (100, 4, 4, 2)],
)
def test_heads_divide_the_width_and_have_an_even_one_where_pairs_are_turned(
    d_model: int, n_heads: int, used: int, turned: int
) -> None:
    recipe = LabRecipe(family="transformer", d_model=d_model, n_heads=n_heads)
    assert recipe.n_heads == used
    assert replace(recipe, d_model=d_model, n_heads=n_heads, position="rotary").n_heads == turned
