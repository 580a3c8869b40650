"""Every test checks shapes: jaxtyping and beartype are hooked in before anything of the project is imported."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

from jaxtyping import install_import_hook

hook = install_import_hook("explorer", "beartype.beartype")

import pytest
import torch


@pytest.fixture(autouse=True)
def _one_thread_and_a_seed() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
