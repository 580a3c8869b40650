"""Our decoder-only model with the weights of a randomly initialised GPT-2 of `transformers`: the same numbers."""

import math

import pytest
import torch
import transformers  # what it has is imported once it is asked for: seconds, which not every process needs
from torch import Tensor

from explorer.inference.gpt.sampling import TextSampler
from explorer.inference.gpt.writing import write
from explorer.models.gpt import GPT, GPTConfig
from explorer.models.gpt_step import read_on

SHAPE = {"vocab_size": 61, "n_embd": 32, "n_head": 4, "n_layer": 3, "n_positions": 48}


def theirs() -> "transformers.GPT2LMHeadModel":
    torch.manual_seed(3)
    model = transformers.GPT2LMHeadModel(
        transformers.GPT2Config(**SHAPE, bos_token_id=0, eos_token_id=None, pad_token_id=0)
    ).eval()
    with torch.no_grad():
        for parameter in model.parameters():  # biases start at 0 and gains at 1; larger weights part the logits
            parameter.add_(torch.randn_like(parameter) * 0.2)
    return model


def ours(gpt2: "transformers.GPT2LMHeadModel") -> GPT:
    """The same function in our parameters.

    GPT-2 adds E[token] + P[place] and scores with E; we read √d · (E' + P') and score with E'. With E' = E / √d and
    P' = P / √d both read the same, and √d in the gain and the bias of the last normalisation makes up for it when
    scoring. GPT-2's linear maps are stored `[in, out]`, queries, keys and values in one.
    """
    config = gpt2.config
    root = math.sqrt(config.n_embd)
    model = GPT(
        GPTConfig(
            vocab_size=config.vocab_size,
            d_model=config.n_embd,
            n_heads=config.n_head,
            n_layers=config.n_layer,
            d_ff=4 * config.n_embd,
            max_length=config.n_positions,
            position="learned",
            activation="gelu",
        )
    ).eval()
    state: dict[str, Tensor] = {
        "embedding.weight": gpt2.transformer.wte.weight / root,
        "positions.weight": gpt2.transformer.wpe.weight / root,
        "norm.weight": gpt2.transformer.ln_f.weight * root,
        "norm.bias": gpt2.transformer.ln_f.bias * root,
    }
    for i, block in enumerate(gpt2.transformer.h):
        here = f"layers.{i}"
        for name, part in (("self_norm", block.ln_1), ("feed_forward_norm", block.ln_2)):
            state |= {f"{here}.{name}.weight": part.weight, f"{here}.{name}.bias": part.bias}
        weights, biases = block.attn.c_attn.weight.T.chunk(3), block.attn.c_attn.bias.chunk(3)
        for name, weight, bias in zip(("query", "key", "value"), weights, biases, strict=True):
            state |= {f"{here}.self_attention.{name}.weight": weight, f"{here}.self_attention.{name}.bias": bias}
        for name, linear in (
            ("self_attention.output", block.attn.c_proj),
            ("feed_forward.expand", block.mlp.c_fc),
            ("feed_forward.contract", block.mlp.c_proj),
        ):
            state |= {f"{here}.{name}.weight": linear.weight.T, f"{here}.{name}.bias": linear.bias}
    model.load_state_dict(state)
    return model


@pytest.fixture(scope="module")
def pair() -> "tuple[transformers.GPT2LMHeadModel, GPT]":
    gpt2 = theirs()
    return gpt2, ours(gpt2)


@torch.no_grad()
def test_the_same_logits(pair: "tuple[transformers.GPT2LMHeadModel, GPT]") -> None:
    ids = torch.randint(0, 61, (3, 48))
    expected = pair[0](ids).logits
    assert float(expected.std()) > 0.5
    torch.testing.assert_close(pair[1](ids), expected, atol=1e-4, rtol=0)
    torch.testing.assert_close(read_on(pair[1], ids).logits, expected, atol=1e-4, rtol=0)


@torch.no_grad()
@pytest.mark.parametrize("first", [[5], [7, 7, 9, 40, 2]])
def test_the_same_greedy_text(pair: "tuple[transformers.GPT2LMHeadModel, GPT]", first: list[int]) -> None:
    gpt2, model = pair
    expected = gpt2.generate(torch.tensor([first]), max_new_tokens=40, do_sample=False, suppress_tokens=[0])[0].tolist()
    last = write(model, first, 40, TextSampler(temperature=0.0), window=48)
    assert list(last.ids) == expected
    assert len(set(expected)) > 3
