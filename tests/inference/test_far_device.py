"""A device without float64, as Apple's MPS: what a translator's pages compute there is what the CPU computes."""

import copy
from collections.abc import Callable
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from explorer.inference.engine.prepared import prepare
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.translator.translate import LoadedTranslator, load, translate
from explorer.lessons.positional_encoding.trained_encoder import entry, every_order, permutation_test
from tests.checkpoints.conftest import tiny_model, tiny_tokenizer, write
from tests.support import far

TEXT = "The cat saw."
COMPUTED: dict[str, Callable[[LoadedTranslator], Any]] = {
    "translate": lambda translator: translate(translator, TEXT, DecodingOptions(beam=2, max_length=5)),
    "entry": lambda translator: entry(translator, TEXT),
    "permutation": lambda translator: permutation_test(translator, TEXT, lambda words: range(words)[::-1]),
    "every order": lambda translator: every_order(translator, TEXT),
}


@pytest.fixture
def translator(tmp_path: Path) -> LoadedTranslator:
    write(tmp_path / "tiny", tiny_model(tiny_tokenizer("en-fr").vocab_size, "en-fr"))
    return load(str(tmp_path / "tiny"))


def test_the_device_is_one() -> None:
    """It keeps numbers, refuses float64 and tensors of another device, and gives NumPy nothing."""
    with far.device() as there:
        made = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=there)
        made[0] += torch.ones(2, device=there)
        assert (made @ made).device == there
        assert (made @ made).cpu().tolist() == [[13, 18], [18, 25]]
        assert made.tolist() == [[2, 3], [3, 4]]
        for refused in (made.double, lambda: torch.zeros(2, dtype=torch.float64, device=there)):
            with pytest.raises(TypeError, match="no float64"):
                refused()
        with pytest.raises(AssertionError, match="one device"):
            made @ torch.ones(2, 2)
        with pytest.raises((RuntimeError, TypeError)):
            made.numpy()


@pytest.mark.parametrize("what", COMPUTED)
def test_what_is_computed_there_is_what_is_computed_here(translator: LoadedTranslator, what: str) -> None:
    here, model = COMPUTED[what](translator), far.moved(copy.deepcopy(translator.prepared.model))
    with far.device() as device:
        prepared = replace(prepare(model, device), barred=translator.prepared.barred)  # type: ignore[arg-type]
        there = COMPUTED[what](replace(translator, prepared=prepared))
    assert there.provenance.device == "meta"
    same(astuple(replace(there, provenance=here.provenance)), astuple(here))


def same(found: Any, expected: Any) -> None:
    if isinstance(expected, np.ndarray):
        np.testing.assert_allclose(found, expected, atol=1e-5)
    elif isinstance(expected, tuple):
        for one, other in zip(found, expected, strict=True):
            same(one, other)
    elif (found, expected) != ("meta", "cpu"):  # of a provenance
        assert found == (pytest.approx(expected, abs=1e-5) if isinstance(expected, float) else expected)
