"""Every kernel a map may run in computes the same."""

from dataclasses import replace

import pytest
import torch
from torch import nn

from explorer.inference import linear as module
from explorer.inference.linear import FEW_ROWS, MANY_ROWS, linear

ROWS = sorted({1, MANY_ROWS - 1, MANY_ROWS, FEW_ROWS, FEW_ROWS + 1, 33})


@pytest.fixture(params=[False, True], ids=["plain", "packed"])
def packing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether maps are packed, whatever this machine would measure."""
    if request.param and not hasattr(torch.ops.mkldnn, "_linear_pointwise"):
        pytest.skip("this PyTorch has no oneDNN")
    monkeypatch.setattr(module, "packing_pays", lambda: request.param)
    return bool(request.param)


@pytest.mark.parametrize("rows", ROWS)
def test_maps_as_the_module_does(packing: bool, rows: int) -> None:
    one, two = nn.Linear(48, 64), nn.Linear(48, 32)
    x, sum_ = torch.randn(rows, 48), torch.randn(rows, 96)
    with torch.inference_mode():
        joined = linear(one, two)
        assert (joined.packed is not None) == packing
        expected = torch.cat([one(x), two(x)], 1)
        torch.testing.assert_close(joined(x), expected)
        torch.testing.assert_close(joined.relu(x), expected.relu())
        torch.testing.assert_close(joined.onto(sum_.clone(), x), sum_ + expected)


@pytest.mark.parametrize("rows", ROWS)
def test_minus_infinity_stays(packing: bool, rows: int) -> None:
    """Words that are never written have such a bias."""
    weight, bias = torch.randn(40, 16), torch.zeros(40)
    bias[3] = -torch.inf
    with torch.inference_mode():
        logits = linear((weight, bias), half=True)(torch.randn(rows, 16))
    assert (logits[:, 3] == -torch.inf).all()
    assert logits[:, 4:].isfinite().all()


def test_half_precision_only_where_no_weight_changes() -> None:
    weight, bias = torch.randn(40, 16), torch.zeros(40)
    assert linear((weight, bias), half=True).half is None
    exact = linear((weight.half().float(), bias), half=True)
    if exact.half is None:
        pytest.skip("this CPU has no FBGEMM")
    x = torch.randn(FEW_ROWS, 16)
    torch.testing.assert_close(exact(x), replace(exact, half=None)(x), atol=1e-5, rtol=1e-5)


def test_the_measurement_answers_once() -> None:
    assert module.packing_pays() is module.packing_pays()
    assert module.packing_pays.cache_info().currsize == 1
