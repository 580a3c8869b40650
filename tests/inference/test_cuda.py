"""What a page shows on a GPU is what it shows on the CPU: the same words, the same weights."""

import numpy as np
import pytest
import torch

from explorer.inference.search.decode import DecodingOptions
from explorer.inference.seq2seq import translate as recurrent
from explorer.inference.translator import translate as translator

TEXT, OPTIONS = "Ein kleiner Hund läuft durch den Schnee.", DecodingOptions(beam=4)
DEVICES = ("cuda", "cpu")

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")]


def test_the_translator(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for device in DEVICES:
        monkeypatch.setenv("EXPLORER_DEVICE", device)
        found.append(translator.translate(translator.load("translator-de-en"), TEXT, OPTIONS))
    there, here = found
    assert (there.provenance.device, there.provenance.dtype) == ("cuda", "float32")
    assert [each.text for each in there.candidates] == [each.text for each in here.candidates]
    for mine, expected in zip(there.trace.attentions, here.trace.attentions, strict=True):
        np.testing.assert_allclose(mine.weights, expected.weights, atol=1e-5)


def test_a_recurrent_model(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for device in DEVICES:
        recurrent.load.cache_clear()
        monkeypatch.setenv("EXPLORER_DEVICE", device)
        found.append(recurrent.translate(recurrent.load("seq2seq-de-en-scaled_dot"), TEXT, OPTIONS))
    recurrent.load.cache_clear()
    there, here = (each.trace for each in found)
    assert (found[0].provenance.device, found[0].provenance.dtype) == ("cuda", "float32")
    assert there.written == here.written
    np.testing.assert_allclose(there.states, here.states, atol=1e-5)
    np.testing.assert_allclose(there.alignment.weights, here.alignment.weights, atol=1e-5)
