"""Variants on captured queries, keys and values: what they cost and how far they are off."""

import numpy as np
import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from explorer.attention.efficient.variants import SETTINGS, Variant
from explorer.inference.benchmark import timing
from explorer.inference.benchmark.peak_memory import peak_bytes
from explorer.inference.gpt import generate
from explorer.inference.translator.translate import InputRefused
from explorer.lessons.efficient_attention import captured_qkv, comparison, length_sweep, replacement
from explorer.lessons.efficient_attention.records import files
from explorer.nn.tape import Tape

CPU = torch.device("cpu")
ROTARY = "positions-rotary"


@pytest.fixture(scope="module")
def drawn() -> captured_qkv.Captured:
    return captured_qkv.draw_normal(n=40, heads=4, d=16, seed=0, causal=True)


@pytest.mark.filterwarnings("ignore")  # of the compiler that the peer imports
@pytest.mark.parametrize("name", SETTINGS)
def test_multiply_adds_are_half_of_what_torch_counts(drawn: captured_qkv.Captured, name: str) -> None:
    variant = Variant(name=name)
    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        variant.attend(drawn.query, drawn.key, drawn.value, causal=True)
    assert 2 * comparison.operations(drawn, variant) == counter.get_total_flops() > 0


def test_a_captured_head_is_what_the_model_computed() -> None:
    model = generate.load(ROTARY)
    text = "Good morrow."
    tape = Tape()
    with torch.no_grad():
        model.model(torch.tensor([model.tokenizer.encode(text)]), tape=tape)
    for layer in range(4):
        captured = captured_qkv.of_gpt(model, text, layer=layer)
        found = Variant(name="plain").weights(captured.query, captured.key, causal=True)
        torch.testing.assert_close(found, tape[f"layers.{layer}.self"].weights[0], atol=1e-5, rtol=1e-5)
    assert captured.labels[:6] == ("G", "o", "o", "d", "␣", "m")
    with pytest.raises(InputRefused):
        captured_qkv.of_gpt(model, "", layer=0)


def test_the_encoders_head_too() -> None:
    captured = captured_qkv.of_encoder("translator-en-fr", "The dog bit the man.", layer=9)
    assert captured.query.shape == (8, len(captured.labels), 32)
    assert not captured.causal
    assert captured.provenance.detail == "encoder.layers.3.self"


def test_alibi_is_refused() -> None:
    with pytest.raises(ValueError, match="ALiBi"):
        captured_qkv.of_gpt(generate.load("positions-alibi"), "abc", layer=0)


def test_a_variant_beside_exact_attention(drawn: captured_qkv.Captured) -> None:
    record = comparison.compare(drawn, Variant(name="window", width=4), head=2)
    held = np.where(record.allowed, record.exact, 0).sum(-1)
    assert record.weight_error == pytest.approx(1 - held, abs=1e-5)  # all that is lost lies outside of the window
    assert record.cost.share == pytest.approx((4 * 40 - 6) / (40 * 41 / 2))
    assert (record.output_error[:4] < 1e-5).all()
    assert record.cost.output_error > 0.1
    assert record.cost.kept_bytes == 2 * 4 * 4 * 16 * 4
    exact = comparison.compare(drawn, Variant(name="flash", tile_queries=8, tile_keys=8), head=2)
    assert exact.cost.output_error < 1e-5
    assert exact.cost.share is None


def test_flash_keeps_no_more_than_its_tiles(drawn: captured_qkv.Captured) -> None:
    record = comparison.flash_steps(drawn, head=1, tile_queries=16, tile_keys=8)
    assert [step.keys for step in record.steps][:2] == [(0, 8), (8, 16)]
    assert record.difference < 1e-5
    last = {step.queries: step for step in record.steps}
    assert all(step.error.max() < 1e-4 for step in last.values())
    whole = np.nan_to_num(record.scores.astype(float), nan=-np.inf)
    log_sum = np.concatenate([step.maximum + np.log(step.total) for step in last.values()])
    assert log_sum == pytest.approx(np.log(np.exp(whole).sum(-1)), abs=1e-4)


def test_a_replaced_model_with_exact_attention_is_the_model() -> None:
    model = generate.load(ROTARY)
    ids = torch.randint(1, 60, (2, 20))
    with torch.inference_mode():
        for name in ("plain", "flash"):
            found = replacement.run_replaced(model, Variant(name=name), ids)
            torch.testing.assert_close(found, model.model.hidden(ids), atol=1e-4, rtol=1e-4)
        whole = replacement.run_replaced(model, Variant(name="window", width=20), ids)
    torch.testing.assert_close(whole, model.model.hidden(ids), atol=1e-4, rtol=1e-4)


def test_what_is_stored_is_computed_again() -> None:
    stored, longer = replacement.read_evaluation(ROTARY)
    assert (stored.length, stored.n_windows, longer.length) == (128, 160, 512)
    evaluated = [(point.name, dict(point.settings)) for point in stored.points]
    assert evaluated == [(each.name, each.own()) for each in (*replacement.SWEEP, *replacement.BETWEEN)]
    window = Variant(name="window", width=8)
    *_, last = replacement.evaluate(generate.load(ROTARY), [window], n_windows=160)
    assert last.done == last.total
    (again,) = last.record.points
    (kept,) = (point for point in stored.points if (point.name, point.settings) == ("window", (("width", 8),)))
    assert again.loss == pytest.approx(kept.loss, abs=2e-3)
    assert again.added == pytest.approx(kept.added, abs=1e-3)
    assert last.record.exact == pytest.approx(stored.exact, abs=2e-3)


def test_an_evaluation_survives_being_written() -> None:
    records = replacement.read_evaluation(ROTARY)
    assert files.loads(files.dumps(records)) == records
    for broken in ("[]x", '[{"points": 3}]', "3"):
        with pytest.raises(ValueError, match=r"not an evaluation|Extra data"):
            files.loads(broken)


def test_the_command_says_what_is_missing(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    assert replacement.main([str(tmp_path / "nothing")]) == 2
    assert "nothing" in capsys.readouterr().err


def test_time_and_memory_of_every_way() -> None:
    small = length_sweep.LengthSweep(backends=("math", "flash"), values=(16, 32), rounds=2)
    *_, last = timing.measure(small, device=CPU)
    assert last.done == last.total == 8 * 2 * 2
    assert last.record.names[:3] == ("plain", "sdpa_math", "sdpa_flash")
    assert np.isfinite(last.record.median).all()
    assert np.isfinite(last.record.peak_bytes).all()
    assert "4 heads, d 64" in last.record.provenance.detail


@pytest.mark.parametrize("name", [*length_sweep.OURS, "sdpa_math", "sdpa_flash"])
def test_the_memory_that_is_expected_is_about_the_memory_that_is_taken(name: str) -> None:
    sweep = length_sweep.LengthSweep(backends=("math", "flash"), values=(1024,))
    taken = peak_bytes(sweep.build(name, 0, CPU, torch.float32))
    assert 0.2 < taken / (4 * sweep.peak(name, 0)) < 3
