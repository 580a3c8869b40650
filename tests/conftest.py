"""Every test checks shapes: jaxtyping and beartype are hooked in before anything of the project is imported."""

import os
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

from jaxtyping import install_import_hook

hook = install_import_hook("explorer", "beartype.beartype")

import pytest
import torch

ROOT = Path(__file__).parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--run-benchmarks", action="store_true", help="measure speed against the peers (minutes)")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--run-benchmarks"):
        return
    on_demand = pytest.mark.skip(reason="measured on demand: --run-benchmarks")
    for item in items:
        if item.get_closest_marker("benchmark_run"):
            item.add_marker(on_demand)


@pytest.fixture(autouse=True)
def _one_thread_and_a_seed() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's root."""
    return ROOT
