"""The blockwise label-smoothed loss against PyTorch's."""

import pytest
import torch
from torch.nn import functional as F

from explorer.data.parallel.pairs import Batch
from explorer.models.translator import Translator, TranslatorConfig
from explorer.training import loss as losses
from explorer.training.loss import Objective, smoothed_cross_entropy


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.4])
@pytest.mark.parametrize("rows_at_once", [7, 64])
def test_value_and_gradients_equal_pytorch(
    smoothing: float, rows_at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(losses, "ROWS_AT_ONCE", rows_at_once)
    hidden, table = torch.randn(50, 8), torch.randn(30, 8)
    tokens = torch.randint(0, 30, (50,))
    found = [tensor.clone().requires_grad_() for tensor in (hidden, table)]
    expected = [tensor.double().requires_grad_() for tensor in (hidden, table)]
    ours = smoothed_cross_entropy(found[0], found[1], tokens, smoothing)
    theirs = F.cross_entropy(expected[0] @ expected[1].T, tokens, label_smoothing=smoothing, reduction="sum")
    torch.testing.assert_close(ours.double(), theirs, rtol=1e-5, atol=0)
    (ours * 3).backward()
    (theirs * 3).backward()
    for mine, exact in zip(found, expected, strict=True):
        torch.testing.assert_close(mine.grad.double(), exact.grad, rtol=1e-4, atol=1e-5)


def test_in_bfloat16_the_mean_keeps_two_decimals() -> None:
    hidden, table, tokens = torch.randn(2000, 64) * 0.4, torch.randn(500, 64), torch.randint(0, 500, (2000,))
    exact = F.cross_entropy(hidden.bfloat16().float() @ table.bfloat16().float().T, tokens, label_smoothing=0.1)
    ours = smoothed_cross_entropy(hidden.bfloat16(), table, tokens, 0.1) / 2000
    assert abs(float(ours) - float(exact)) < 0.005


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_a_hopeless_token_has_its_loss_though_its_probability_is_0(smoothing: float) -> None:
    hidden, table, tokens = torch.randn(9, 8) * 1000, torch.randn(30, 8), torch.arange(9)
    theirs = F.cross_entropy(hidden @ table.T, tokens, label_smoothing=smoothing, reduction="sum")
    torch.testing.assert_close(smoothed_cross_entropy(hidden, table, tokens, smoothing), theirs, rtol=1e-5, atol=0)


def test_padding_is_not_scored() -> None:
    model = Translator(TranslatorConfig(vocab_size=20, d_model=8, n_heads=2, d_ff=16, dropout=0.0, max_length=16))
    objective = Objective(model.eval(), smoothing=0.1, bf16=False)
    source, target = torch.randint(3, 20, (2, 5)), torch.randint(3, 20, (2, 4))
    batch = Batch(source, target, target.clone())
    wider = [torch.cat([each, torch.zeros(2, 3, dtype=torch.long)], 1) for each in (source, target, target)]
    torch.testing.assert_close(objective(Batch(*wider)), objective(batch))
