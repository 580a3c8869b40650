"""A device without float64, as Apple's MPS: text generation, vision, masked models and the lab compute there, too."""

import copy
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
import torch

from explorer.attention.efficient.variants import Variant
from explorer.inference.engine.prepared import prepare
from explorer.inference.gpt import generate, one_query as asked_by_text
from explorer.inference.gpt.generate import LoadedGPT
from explorer.inference.gpt.induction import induction
from explorer.inference.gpt.sampling import TextSampler, next_tokens
from explorer.inference.gpt.trace import logit_lens, next_token, trace
from explorer.inference.gpt.writing import write
from explorer.inference.lab.exact_match import exact_match
from explorer.inference.lab.snapshots import Snapshot
from explorer.inference.lab.trace import trace_text
from explorer.inference.loaded import LoadedModel
from explorer.inference.masked import fill
from explorer.inference.seq2seq.steps import prepare_seq2seq
from explorer.inference.vision import classify, one_query as asked_by_picture, stem, trace as seen
from explorer.lessons.efficient_attention import captured_qkv, replacement
from explorer.lessons.positional_encoding import extrapolation, trained_decoders
from explorer.lessons.whole_transformer import families
from explorer.models.seq2seq import Seq2Seq
from explorer.models.translator import Translator
from explorer.records.provenance import Provenance
from explorer.training.lab.loop import held_out_batches
from explorer.training.lab.recipe import LabRecipe, data_of, new_model, tokenizer_of
from tests.support import far

TEXT, VARIANT = "To be, or not to be", Variant(name="window", width=4)
PARAMS = families.Params(text="A man is ___ a bike.")
PIXELS = classify.probe_picture(32)
SAMPLER = TextSampler(temperature=0.8, top_k=20, top_p=0.9, repetition_penalty=1.2)


def written(gpt: LoadedGPT) -> Any:
    return write(gpt.model, gpt.tokenizer.encode(TEXT), 6, SAMPLER, window=16)


def looked(gpt: LoadedGPT) -> Any:
    found = trace(gpt, gpt.tokenizer.encode(TEXT), None)
    offered = next_tokens(found.logits[-1], found.ids, SAMPLER)
    return found, logit_lens(gpt, found), next_token(gpt, offered, SAMPLER, 3)


def one_head(gpt: LoadedGPT) -> Any:
    ids = gpt.tokenizer.encode(TEXT)
    return asked_by_text.journey(gpt, ids, 0, trace(gpt, ids, None).attentions[0])


def decay(gpt: LoadedGPT) -> Any:
    with patch.object(trained_decoders, "load", lambda _: gpt):
        return trained_decoders.decay.__wrapped__(gpt.model.config.position, 8, 2)


def decoder(gpt: LoadedGPT) -> Any:
    with patch.object(generate, "load", lambda _: gpt):
        return families.decoder(PARAMS)


def encoder(masked: fill.LoadedMasked) -> Any:
    with patch.object(fill, "load", lambda _: masked):
        return families.encoder(PARAMS)


def head_of_picture(vit: classify.LoadedVision) -> Any:
    names = tuple(str(number) for number in range(vit.model.config.n_tokens))  # type: ignore[union-attr]
    return asked_by_picture.journey(vit, PIXELS, layer=1, head=2, query=0, names=names)


GPT_OF_ANY_KIND: dict[str, Callable[[Any], Any]] = {
    "write": written,
    "look": looked,
    "continue": lambda gpt: generate.continue_text(gpt.model, gpt.tokenizer, TEXT, 3),
    "induction": lambda gpt: induction(gpt, 0),
    "extrapolation": lambda gpt: next(each for each in extrapolation.measure([gpt], n_windows=1) if each.records),
    "decay": decay,
    "families": decoder,
}
ROTARY = {
    "head": one_head,
    "captured": lambda gpt: captured_qkv.of_gpt(gpt, TEXT, layer=1),
    "pair": lambda gpt: trained_decoders.rotary_pair(gpt, TEXT, query=7, key=2, layer=1, head=1),
    "variant": lambda gpt: replacement.point(gpt, VARIANT, replacement.exact_losses(gpt, 2)),
}
#: Whose patches are no combination of few, so that one linear map is the nearest.
NOISE = torch.randint(256, (4, 3, 32, 32), dtype=torch.uint8, generator=torch.Generator().manual_seed(0))
VIT = {
    "answer": lambda vit: seen.answer(vit, PIXELS, [(1, 2)]),
    "attention": lambda vit: seen.patch_attention(vit, PIXELS),
    "positions": seen.position_codes,
    "hidden": lambda vit: seen.measure_removals(vit, PIXELS),
    "head": head_of_picture,
    "stem": lambda vit: stem.patch_vectors(vit, PIXELS, stem.linear_stem(vit, NOISE)),
}
CNN = {
    "answer": lambda cnn: seen.answer(cnn, PIXELS),
    "gates": lambda cnn: seen.gates(cnn, PIXELS, [PIXELS.flip(-1), PIXELS.flip(-2)]),
}
#: Computations with a model of a checkpoint.
COMPUTED = {
    **{("positions-rotary", name): each for name, each in (GPT_OF_ANY_KIND | ROTARY).items()},
    **{("positions-alibi", name): each for name, each in GPT_OF_ANY_KIND.items()},
    **{("positions-learned", name): each for name, each in GPT_OF_ANY_KIND.items()},
    ("positions-learned", "table"): trained_decoders.learned_table,
    ("masked-en", "families"): encoder,
    **{("vit-cifar10", name): each for name, each in VIT.items()},
    **{("cnn-cifar10", name): each for name, each in CNN.items()},
}
LOADS: dict[str, Callable[[str], LoadedModel]] = {
    "positions": generate.load,
    "masked": fill.load,
    "vit": classify.load,
    "cnn": classify.load,
}


@pytest.mark.parametrize(("checkpoint", "what"), COMPUTED)
def test_what_is_computed_there_is_what_is_computed_here(checkpoint: str, what: str) -> None:
    compute, loaded = COMPUTED[checkpoint, what], LOADS[checkpoint.partition("-")[0]](checkpoint)
    here, moved = compute(loaded), far.moved(copy.deepcopy(loaded.model))
    with far.device():
        there = compute(replace(loaded, model=moved))
    same(there, here)
    assert {each.device for each in origins(there)} <= {"meta"}
    assert {each.device for each in origins(here)} <= {"cpu"}


@pytest.mark.parametrize("family", ["recurrent", "transformer"])
def test_a_lab_model_does_there_what_it_does_here(family: Any) -> None:
    recipe = LabRecipe(family=family, d_model=16, n_heads=2, d_ff=16)
    tokenizer = tokenizer_of(recipe)
    model = new_model(recipe, tokenizer.vocab_size).eval()
    batches = held_out_batches(data_of(recipe).held_out[:8], tokenizer)

    def look(model: Any, device: torch.device) -> Any:
        prepared = (prepare_seq2seq if isinstance(model, Seq2Seq) else prepare)(model, device, torch.float32)
        kept = Snapshot(tokenizer=tokenizer, prepared=prepared, provenance=Provenance.of(look, device=device.type))
        return trace_text(kept, 0, "abc", expected="cba", reading="expected"), exact_match(model, batches)

    here = look(model, torch.device("cpu"))
    moved = far.moved(copy.deepcopy(model))
    assert isinstance(moved, Seq2Seq | Translator)
    with far.device() as device:
        there = look(moved, device)
    same(there, here)
    assert {each.device for each in origins(there)} == {"meta"}


def parts(of: Any) -> Iterator[Any]:
    """Yield what a result is made of."""
    if is_dataclass(of):
        yield from (getattr(of, each.name) for each in fields(of))
    elif isinstance(of, dict):
        yield from of.values()
    elif isinstance(of, tuple | list):
        yield from of


def origins(found: Any) -> Iterator[Provenance]:
    if isinstance(found, Provenance):
        yield found
        return
    for each in parts(found):
        yield from origins(each)


def same(found: Any, expected: Any) -> None:
    assert type(found) is type(expected)
    if isinstance(expected, Provenance):
        assert replace(found, device="") == replace(expected, device="")
    elif isinstance(expected, np.ndarray | torch.Tensor | float):
        np.testing.assert_allclose(found, expected, atol=1e-4, rtol=1e-4)
    elif is_dataclass(expected) or isinstance(expected, tuple | list | dict):
        for one, other in zip(parts(found), parts(expected), strict=True):
            same(one, other)
    else:
        assert found == expected
