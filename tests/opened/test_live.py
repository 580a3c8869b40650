"""A model in memory is looked at as one from a folder, and stays as it was."""

import pytest
import torch
from torch import nn

from explorer.opened.passes import live, looks
from explorer.opened.refused import ModelRefused
from tests.opened.conftest import Families
from tests.opened.tiny import TEXT


@pytest.mark.parametrize("name", ["llama", "bert", "bart", "bloom"])
def test_a_model_in_memory_is_looked_at_as_one_from_a_folder(name: str, family: Families) -> None:
    folder, opened = family(name)
    model = type(opened.model).from_pretrained(folder, attn_implementation="sdpa" if opened.own else "eager").train()
    with live.adopt_attention(model, opened.tokenizer, "mine") as mine:
        given = looks.read_text(mine, TEXT, 40)
        look = looks.look(mine, given)
        maps = looks.attention(mine, given, 1)
    expected = looks.look(opened, looks.read_text(opened, TEXT, 40))
    assert (look.rules, look.sites, look.keys) == (expected.rules, expected.sites, expected.keys)
    assert look.provenance.model == "mine"
    assert maps.weights.shape[0] == 4
    assert model.config._attn_implementation == ("sdpa" if opened.own else "eager")
    assert model.training
    assert torch.is_grad_enabled()


def test_what_is_no_model_of_transformers_is_refused() -> None:
    with pytest.raises(ModelRefused), live.adopt_attention(nn.Linear(2, 2), None):
        pass
