"""Every family's weights are those that it computes itself; looking changes nothing; a head off is a head away."""

import re
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from explorer.opened.cards import configuration
from explorer.opened.passes import capture, effects, looks, sites
from explorer.opened.passes.loader import OpenedModel
from tests.opened import tiny
from tests.opened.conftest import Families

#: The map that mixes the heads of an attention, by its path.
MIXES = re.compile(
    r"(attention\.(output\.)?dense|self_attn\.(out_proj|o_proj|dense)|attn\.(c_proj|out_proj|Wo)|o_proj"
    r"|attention\.out_lin|encoder_attn\.out_proj|(SelfAttention|EncDecAttention)\.o)$"
)


def given(opened: OpenedModel) -> dict[str, Tensor]:
    """The same input for every family, long enough for its windows."""
    found = sites.example(opened.model, opened.card)
    ids = torch.arange(4, 28)[None]
    if "pixel_values" in found:
        return {"pixel_values": torch.rand(found["pixel_values"].shape, generator=torch.Generator().manual_seed(0))}
    return {"input_ids": ids, "decoder_input_ids": ids + 40} if "decoder_input_ids" in found else {"input_ids": ids}


def theirs(folder: Path, opened: OpenedModel) -> Any:
    """The same model with the family's own eager code, opened by transformers alone."""
    return type(opened.model).from_pretrained(folder, attn_implementation="eager").eval().requires_grad_(False)


def attentions(result: Any) -> list[Tensor]:
    """By part: encoder, then decoder and cross in turns."""
    if "decoder_attentions" not in result:
        return list(result.attentions)
    pairs = zip(result.decoder_attentions, result.cross_attentions, strict=True)
    return [*result.encoder_attentions, *(each for pair in pairs for each in pair)]


def test_a_card_says_of_each_family_how_its_weights_are_taken() -> None:
    assert {configuration.find_way(family) for family in tiny.OWN} == {"function"}
    assert {configuration.find_way(family) for family in tiny.EAGER} == {"eager"}
    assert {configuration.find_way(family) for family in ("gpt_oss", "a family of next year")} == {"untried"}
    assert set(configuration._CALL_OURS.split()) == set(tiny.OWN), "what a card promises is tested below"
    assert set(configuration._ASKED_BY_NAME.split()) == set(tiny.EAGER)


@pytest.mark.parametrize("name", [*tiny.OWN, *tiny.EAGER])
def test_weights_are_the_familys_own_and_looking_changes_nothing(name: str, family: Families) -> None:
    folder, opened = family(name)
    assert opened.own == (name in tiny.OWN)
    inputs = given(opened)
    taken: list[looks.Attention] = []
    looks.attend(opened, inputs, taken.append)
    with capture.watching(lambda _: None):
        result = opened.model(**inputs)
    with torch.inference_mode():
        whole = theirs(folder, opened)(**inputs, output_attentions=True)
    expected = attentions(whole)
    assert len(taken) == len(expected) == opened.card.layers + 2 * opened.card.decoder_layers
    for mine, other in zip(taken, expected, strict=True):
        assert torch.equal(mine.weights, other[0])
        if mine.allowed is not None:
            assert mine.weights.masked_select(~mine.allowed).abs().sum() == 0
    assert torch.equal(result[0], whole[0])
    stacks = ["encoder", "encoder", "decoder", "cross", "decoder", "cross"]
    assert [each.part for each in opened.sites] == (stacks if len(taken) == 6 else [opened.sites[0].part] * 2)


@pytest.mark.parametrize("name", tiny.OWN)
def test_a_head_off_is_the_model_without_what_mixes_it(name: str, family: Families) -> None:
    folder, opened = family(name)
    inputs, off = given(opened), torch.tensor([[1.0, 0, 1, 1]])
    with torch.inference_mode():
        whole = opened.model(**inputs)[0]
    for path in {site.path for site in opened.sites}:  # ALBERT's two layers are one module
        model = theirs(folder, opened)
        rows = mixing(model, path)
        width = len(rows) // 4
        rows[width : 2 * width] = 0  # what head 1 adds
        keep = {site.number: off for site in opened.sites if site.path == path}
        with torch.inference_mode(), capture.watching(effects._weaken(keep, "nothing")):
            found = opened.model(**inputs)[0]
        with torch.inference_mode():
            expected = model(**inputs)[0]
        assert (found - expected).abs().max() < 1e-5 * expected.abs().max()
        assert (found - whole).abs().max() > 1e-4 * whole.abs().max()


def mixing(model: Any, path: str) -> Tensor:
    """The map that mixes the heads of the attention at a path, `[heads · width, model]`: in it, or beside it."""
    block = path.removesuffix(".self").removesuffix(".attention.attention")
    (found,) = [each for name, each in model.named_modules() if name.startswith(block) and MIXES.search(name)]
    weight: Tensor = found.weight
    return weight if type(found).__name__ == "Conv1D" else weight.T
