"""What a page shows on a GPU is what it shows on the CPU: the same words, the same weights."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from explorer.inference.gpt import generate, trace, writing
from explorer.inference.gpt.sampling import TextSampler
from explorer.inference.lab.snapshots import snapshot
from explorer.inference.lab.trace import alignment
from explorer.inference.masked import fill
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.seq2seq import translate as recurrent
from explorer.inference.translator import translate as translator
from explorer.inference.vision import classify, trace as vision
from explorer.training.lab.files import describe, keep
from explorer.training.lab.loop import LabTraining
from explorer.training.lab.recipe import LabFamily, LabRecipe

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


def on_both(monkeypatch: pytest.MonkeyPatch, load: Any, compute: Callable[[], Any]) -> Iterator[Any]:
    """Yield what is computed on each device, by models that are loaded for it."""
    for device in DEVICES:
        load.cache_clear()
        monkeypatch.setenv("EXPLORER_DEVICE", device)
        yield compute()
    load.cache_clear()


@pytest.mark.parametrize("checkpoint", ["gpt-shakespeare", "positions-alibi", "positions-rotary"])
def test_text_generation(monkeypatch: pytest.MonkeyPatch, checkpoint: str) -> None:
    def written() -> Any:
        gpt = generate.load(checkpoint)
        ids = gpt.tokenizer.encode("To be, or not to be")
        text = writing.write(gpt.model, ids, 40, TextSampler(temperature=0.0), window=gpt.model.config.max_length)
        return text, trace.trace(gpt, text.ids[:48], None)

    (text, looked), (expected, there) = on_both(monkeypatch, generate.load, written)
    assert text.ids == expected.ids
    assert looked.attentions[0].provenance.device == "cuda"
    np.testing.assert_allclose(text.log_probability, expected.log_probability, atol=1e-4)
    for mine, other in zip(looked.attentions, there.attentions, strict=True):
        np.testing.assert_allclose(mine.weights, other.weights, atol=1e-5)


def test_vision(monkeypatch: pytest.MonkeyPatch) -> None:
    pixels = classify.probe_picture(32)

    def seen() -> Any:
        vit, cnn = classify.load("vit-cifar10"), classify.load("cnn-cifar10")
        return *vision.patch_attention(vit, pixels), vision.measure_removals(vit, pixels), vision.answer(cnn, pixels)

    found, expected = on_both(monkeypatch, classify.load, seen)
    assert [each.provenance.device for each in found] == ["cuda"] * 4
    np.testing.assert_allclose(found[0].probabilities, expected[0].probabilities, atol=1e-4)
    np.testing.assert_allclose(found[1].weights, expected[1].weights, atol=1e-4)
    np.testing.assert_allclose(found[2].heads, expected[2].heads, atol=1e-4)
    np.testing.assert_allclose(found[3].probabilities, expected[3].probabilities, atol=1e-4)


def test_a_masked_model(monkeypatch: pytest.MonkeyPatch) -> None:
    def filled() -> Any:
        masked = fill.load("masked-en")
        return fill.log_probabilities(masked.model, fill.encode(masked.tokenizer, "A man is ___ a bike."))

    found, expected = on_both(monkeypatch, fill.load, filled)
    np.testing.assert_allclose(found, expected, atol=1e-3)


@pytest.mark.parametrize("family", ["recurrent", "transformer"])
def test_the_lab(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, family: LabFamily) -> None:
    """It learns on the GPU what it learns on the CPU, and a model of either is looked into on either."""
    recipe, points = LabRecipe(family=family, d_model=32, n_heads=2, d_ff=32, steps=20), []
    for device in DEVICES:
        training = LabTraining(recipe, device=torch.device(device))
        points.append([point for point in training.run() if point is not None])
    describe(training, tmp_path)
    keep(training, tmp_path)
    there, here = points
    np.testing.assert_allclose([each.loss for each in there], [each.loss for each in here], rtol=1e-2)
    looks = list(on_both(monkeypatch, snapshot, lambda: alignment(tmp_path, training.step, "abc")))
    assert [each.attentions[0].provenance.device for each in looks] == list(DEVICES)
    np.testing.assert_allclose(looks[0].attentions[0].weights, looks[1].attentions[0].weights, atol=1e-4)
