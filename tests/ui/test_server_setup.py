"""The process is settled when imports arrive, not on every rerun."""

import gc

import pytest
import torch

from explorer.ui import server_setup


def test_settling_freezes_once_and_takes_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    frozen: list[int] = []
    monkeypatch.setattr(gc, "freeze", lambda: frozen.append(1))
    server_setup._settle.cache_clear()
    torch.set_num_threads(2)
    server_setup.configure_server()
    server_setup.configure_server()
    assert len(frozen) == 1
    assert torch.get_num_threads() == 1
    server_setup._settle.cache_clear()
