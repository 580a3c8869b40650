"""The sampler against the processors of `transformers`, its bounds, and its dice."""

import math

import pytest
import torch
import transformers  # what it has is imported once it is asked for: seconds, which not every process needs

from explorer.inference.gpt.sampling import BY_MIN_P, BY_TOP_K, BY_TOP_P, KEPT, TextSampler, draw, next_tokens

WINDOW = [3, 5, 5, 9]


def logits(seed: int = 0, n: int = 40) -> torch.Tensor:
    return torch.randn(n, generator=torch.Generator().manual_seed(seed)) * 3


@pytest.mark.parametrize(
    "sampler",
    [
        TextSampler(),
        TextSampler(temperature=0.7, top_k=7),
        TextSampler(top_p=0.8),
        TextSampler(min_p=0.1, temperature=1.5),
        TextSampler(repetition_penalty=1.4, temperature=0.9, top_k=12, top_p=0.9, min_p=0.05),
        TextSampler(repetition_penalty=0.5, top_p=0.05),
    ],
)
def test_the_same_as_the_processors_of_transformers(sampler: TextSampler) -> None:
    theirs = transformers.LogitsProcessorList(
        [transformers.RepetitionPenaltyLogitsProcessor(sampler.repetition_penalty)]
    )
    theirs.append(transformers.TemperatureLogitsWarper(sampler.temperature))
    if sampler.top_k:
        theirs.append(transformers.TopKLogitsWarper(sampler.top_k))
    if sampler.top_p < 1:
        theirs.append(transformers.TopPLogitsWarper(sampler.top_p))
    if sampler.min_p:
        theirs.append(transformers.MinPLogitsWarper(sampler.min_p))
    for seed in range(8):
        known = logits(seed)
        known[0] = -math.inf  # the unknown character is never written
        expected = theirs(torch.tensor([WINDOW]), known[None].clone())[0].softmax(-1)
        found = next_tokens(logits(seed), WINDOW, sampler)
        torch.testing.assert_close(found.drawn, expected)
        torch.testing.assert_close(found.model, known.softmax(-1))
        assert torch.equal(found.drawn[1:] > 0, found.cut[1:] == KEPT)


def test_each_cut_is_named() -> None:
    known = torch.tensor([0.5, 0.25, 0.15, 0.06, 0.04]).log()
    known = torch.cat([torch.zeros(1), known])
    found = next_tokens(known, [], TextSampler(top_k=4, top_p=0.9, min_p=0.4))
    assert found.cut[1:].tolist() == [KEPT, KEPT, BY_MIN_P, BY_TOP_P, BY_TOP_K]
    torch.testing.assert_close(found.drawn[1:], torch.tensor([2 / 3, 1 / 3, 0, 0, 0]))


@pytest.mark.parametrize("top_p", [1e-6, 0.05, 1.0])
@pytest.mark.parametrize("temperature", [0.0, 1e-9, 50.0])
def test_something_can_always_be_drawn(top_p: float, temperature: float) -> None:
    found = next_tokens(logits(), [], TextSampler(temperature=temperature, top_p=top_p, min_p=1.0))
    assert float(found.drawn.sum()) == pytest.approx(1, abs=1e-5)
    assert draw(found, 0.0) == draw(found, 0.999999999) == int(found.model.argmax())


def test_at_temperature_0_the_likeliest_is_taken() -> None:
    found = next_tokens(logits(), [], TextSampler(temperature=0.0))
    assert int((found.drawn > 0).sum()) == 1
    assert draw(found, 0.99) == int(found.model.argmax())


def test_draws_follow_the_probabilities() -> None:
    found = next_tokens(logits(n=6), [], TextSampler(temperature=2.0))
    counts = torch.zeros(6)
    for position in range(4000):
        counts[draw(found, TextSampler(seed=4).die(position))] += 1
    torch.testing.assert_close(counts / 4000, found.drawn, atol=0.025, rtol=0)
    assert counts[0] == 0


def test_a_die_belongs_to_seed_and_place() -> None:
    one, other = TextSampler(seed=1), TextSampler(seed=1, temperature=0.3)
    assert one.die(7) == other.die(7)
    assert len({TextSampler(seed=seed).die(position) for seed in range(5) for position in range(5)}) == 25


@pytest.mark.parametrize(
    ("field", "value"),
    [("temperature", -1.0), ("temperature", math.nan), ("top_k", -1), ("top_p", 0.0), ("min_p", 1.5)],
)
def test_what_is_out_of_range_is_named(field: str, value: float) -> None:
    with pytest.raises(ValueError, match=field):
        TextSampler(**{field: value})
