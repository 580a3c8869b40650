"""The best device there is, unless the reader says otherwise."""

import pytest
import torch

from explorer.inference.device import DeviceRefused, arithmetic, pick_arithmetic, pick_device, pick_lab_device


def pretend(monkeypatch: pytest.MonkeyPatch, *, cuda: bool, mps: bool) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2 if cuda else 0)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)


@pytest.mark.parametrize(
    ("cuda", "mps", "expected"), [(True, True, "cuda"), (False, True, "mps"), (False, False, "cpu")]
)
def test_cuda_then_mps_then_cpu(monkeypatch: pytest.MonkeyPatch, cuda: bool, mps: bool, expected: str) -> None:
    monkeypatch.delenv("EXPLORER_DEVICE", raising=False)
    pretend(monkeypatch, cuda=cuda, mps=mps)
    assert pick_device().type == expected


@pytest.mark.parametrize("asked", ["cpu", "cuda", "cuda:1", " CPU ", "mps"])
def test_the_variable_overrides(monkeypatch: pytest.MonkeyPatch, asked: str) -> None:
    monkeypatch.setenv("EXPLORER_DEVICE", asked)
    pretend(monkeypatch, cuda=True, mps=True)
    assert pick_device() == torch.device(asked.strip().lower())


@pytest.mark.parametrize("asked", ["gpu", "cuda:2", "cuda:-1", "meta", "cpu:1", "cuda:999", "../x", "mps"])
def test_what_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch, asked: str) -> None:
    monkeypatch.setenv("EXPLORER_DEVICE", asked)
    pretend(monkeypatch, cuda=True, mps=False)
    with pytest.raises(DeviceRefused, match="cuda, cpu"):
        pick_device()


@pytest.mark.parametrize(("asked", "expected"), [("", "cpu"), (" ", "cpu"), ("cuda", "cuda"), ("MPS", "mps")])
def test_the_labs_models_leave_the_cpu_where_the_variable_says_so(
    monkeypatch: pytest.MonkeyPatch, asked: str, expected: str
) -> None:
    monkeypatch.setenv("EXPLORER_DEVICE", asked)
    pretend(monkeypatch, cuda=True, mps=True)
    assert pick_lab_device().type == expected
    monkeypatch.setenv("EXPLORER_DEVICE", "abacus")
    with pytest.raises(DeviceRefused, match="cuda, mps, cpu"):
        pick_lab_device()


def test_arithmetic() -> None:
    assert arithmetic(torch.device("cpu")) == torch.float32
    assert arithmetic(torch.device("cuda")) == torch.bfloat16


@pytest.mark.parametrize(("asked", "expected"), [("", "float32"), (" BFloat16", "bfloat16"), ("float16", "float16")])
def test_translations_are_searched_in_float32_unless_the_variable_says_another(
    monkeypatch: pytest.MonkeyPatch, asked: str, expected: str
) -> None:
    pretend(monkeypatch, cuda=True, mps=False)
    monkeypatch.setenv("EXPLORER_PRECISION", asked)
    assert pick_arithmetic() == expected


def test_what_is_no_arithmetic_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPLORER_PRECISION", "int3")
    with pytest.raises(DeviceRefused, match="float32, bfloat16, float16"):
        pick_arithmetic()
