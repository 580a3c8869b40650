"""The textbook's layer: every number goes where torch puts it, and the folded heads are our layer's and torch's."""

from typing import get_args

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from explorer.lessons.multi_head import split_readings
from explorer.lessons.multi_head.figures import split as figures
from explorer.lessons.multi_head.live import split as split_film
from explorer.lessons.multi_head.records import (
    BATCH,
    DROPOUT,
    HEADS,
    KEYS,
    LENGTHS,
    MOST_SEED,
    NUMBERS,
    QUERIES,
    WIDTH,
    Inputs,
    SplitParams,
)
from explorer.lessons.multi_head.split import split, transpose_output, transpose_qkv
from explorer.nn.attention import MultiHeadAttention

NUMBERED = torch.arange(BATCH * QUERIES * WIDTH).reshape(BATCH, QUERIES, WIDTH)
every_way = pytest.mark.parametrize(
    "params", [SplitParams(inputs=each, swap=swap) for each in get_args(Inputs) for swap in (True, False)]
)


def padded() -> Tensor:
    """Hide what the valid lengths leave out, as torch's layer wants it."""
    return torch.arange(KEYS) >= torch.tensor(LENGTHS)[:, None]


def inputs(kind: Inputs, generator: torch.Generator) -> list[Tensor]:
    sizes = [(BATCH, length, WIDTH) for length in (QUERIES, KEYS)]
    return [torch.ones(size) if kind == "ones" else torch.randn(size, generator=generator) for size in sizes]


def test_the_chain_of_shapes_is_the_notes() -> None:
    shapes = [tuple(each.shape) for each in transpose_qkv(NUMBERED.float(), HEADS)]
    assert shapes == [(2, 4, 100), (2, 4, 5, 20), (2, 5, 4, 20), (10, 4, 20)]
    back = [tuple(each.shape) for each in transpose_output(torch.zeros(10, 4, 20), HEADS)]
    assert back == shapes[::-1]


def test_every_number_goes_where_torch_puts_it_and_comes_back() -> None:
    folded = transpose_qkv(NUMBERED, HEADS)[-1]
    theirs = NUMBERED.view(BATCH, QUERIES, HEADS, NUMBERS).permute(0, 2, 1, 3).reshape(-1, QUERIES, NUMBERS)
    assert torch.equal(folded, theirs)
    for sentence, query, number in np.ndindex(BATCH, QUERIES, WIDTH):
        head, position = divmod(number, NUMBERS)
        assert folded[sentence * HEADS + head, query, position] == NUMBERED[sentence, query, number]
    assert torch.equal(transpose_output(folded, HEADS)[-1], NUMBERED)


@pytest.mark.parametrize("swap", [True, False])
def test_the_places_of_the_strips_are_those_of_their_numbers(swap: bool) -> None:
    record = split(SplitParams(swap=swap))
    there = transpose_qkv(NUMBERED, HEADS, swap=swap)
    back = transpose_output(there[-1], HEADS, swap=swap)
    strips = NUMBERED.reshape(-1, NUMBERS)
    for positions, array in zip(record.positions, (*there, there[-1], *back), strict=True):
        assert torch.equal(array.reshape(-1, NUMBERS)[positions.tolist()], strips)


def test_without_the_swap_a_block_holds_parts_of_one_query() -> None:
    folded = transpose_qkv(NUMBERED, HEADS, swap=False)[-1]
    assert folded.shape == (10, 4, 20)
    assert torch.equal(folded[0].flatten(), NUMBERED[0, 0, : QUERIES * NUMBERS])


@pytest.mark.parametrize("kind", get_args(Inputs))
def test_the_weights_are_our_layers_and_torchs(kind: Inputs) -> None:
    record = split(SplitParams(inputs=kind, seed=3))
    generator = torch.Generator().manual_seed(3)
    ours = MultiHeadAttention(WIDTH, HEADS, generator=generator)
    x, y = inputs(kind, generator)
    theirs = nn.MultiheadAttention(WIDTH, HEADS, dropout=DROPOUT, batch_first=True).eval()
    projections = (ours.query, ours.key, ours.value)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([each.weight for each in projections]))
        theirs.in_proj_bias.copy_(torch.cat([each.bias for each in projections]))
        theirs.out_proj.load_state_dict(ours.output.state_dict())
        output, weights = theirs(x, y, y, key_padding_mask=padded(), average_attn_weights=False)
        attended = ours(x, y, ~padded()[:, None, None])
    torch.testing.assert_close(torch.tensor(record.weights), attended.weights.flatten(0, 1))
    torch.testing.assert_close(torch.tensor(record.weights), weights.flatten(0, 1))
    torch.testing.assert_close(attended.output, output)
    assert record.off < 1e-5


def test_lengths_are_repeated_and_ones_share_evenly() -> None:
    record = split(SplitParams())
    assert record.lengths == (3, 3, 3, 3, 3, 2, 2, 2, 2, 2)
    for weights, length in zip(record.weights, record.lengths, strict=True):
        np.testing.assert_allclose(weights[:, :length], 1 / length, rtol=1e-5)
        assert not weights[:, length:].any()


@pytest.mark.parametrize("seed", [0, 7, MOST_SEED])
def test_random_inputs_make_maps_that_all_differ(seed: int) -> None:
    weights = split(SplitParams(inputs="random", seed=seed)).weights
    apart = np.abs(weights[:, None] - weights[None]).max((-1, -2))
    assert apart[~np.eye(len(weights), dtype=bool)].min() > 0.05


@every_way
def test_a_skipped_swap_is_told_by_the_output_alone(params: SplitParams) -> None:
    record = split(params)
    assert record.shapes[-1] == (BATCH, QUERIES, WIDTH)
    assert (record.off > 0.1) is not params.swap


@every_way
def test_a_film_says_something_of_every_step_and_runs_a_line_that_there_is(params: SplitParams) -> None:
    record = split(params)
    steps = range(len(record.layouts))
    assert len(record.shapes) == len(record.positions) == len(record.layouts) == len(split_film.runs(record))
    assert len({split_readings.describe_split(record, step) for step in steps}) == len(steps)
    code = split_film.code(record)
    ran = [line for step in split_film.runs(record) for line in step]
    assert ran == list(dict.fromkeys(ran)), "a line runs once"
    assert {(part, line) for part, lines in enumerate(code) for line in range(1, len(lines))} == set(ran)


@every_way
def test_the_maps_draw_what_the_lengths_leave(params: SplitParams) -> None:
    record = split(params)
    drawn = np.asarray(figures.maps(record).data[0].z, float)
    expected = record.weights[figures.seen_weights(record) >= 0]
    np.testing.assert_allclose(np.sort(drawn[~np.isnan(drawn)]), np.sort(expected), rtol=1e-6)
    assert len(expected) == QUERIES * sum(record.lengths)
