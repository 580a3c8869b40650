"""The vision Transformer: the same numbers as `transformers`, and what may influence what."""

from typing import Any

import pytest
import torch
import transformers  # what it has is imported once it is asked for: seconds, which not every process needs
from jaxtyping import TypeCheckError
from torch import Tensor

from explorer.models.vit import ViT, ViTConfig
from explorer.nn.tape import Tape

SMALL: dict[str, Any] = {
    "n_classes": 5,
    "image_size": 12,
    "patch_size": 4,
    "d_model": 16,
    "n_heads": 4,
    "n_layers": 2,
    "d_ff": 24,
}


def make(**shape: Any) -> ViT:
    model = ViT(ViTConfig(**{**SMALL, **shape})).eval()
    with torch.no_grad():
        for parameter in model.parameters():  # biases start at 0 and gains at 1: a test would not notice their absence
            parameter.add_(torch.randn_like(parameter) * 0.1)
    return model


def pictures(n: int = 2) -> Tensor:
    return torch.randn(n, 3, 12, 12)


def renamed(theirs: dict[str, Tensor], n_layers: int) -> dict[str, Tensor]:
    """Weights of `transformers` under our names."""
    layer = {
        "self_norm": "layernorm_before",
        "self_attention.query": "attention.q_proj",
        "self_attention.key": "attention.k_proj",
        "self_attention.value": "attention.v_proj",
        "self_attention.output": "attention.o_proj",
        "feed_forward_norm": "layernorm_after",
        "feed_forward.expand": "mlp.fc1",
        "feed_forward.contract": "mlp.fc2",
    }
    names = {
        "class_token": "vit.embeddings.cls_token",
        "positions": "vit.embeddings.position_embeddings",
        "patches.weight": "vit.embeddings.patch_embeddings.projection.weight",
        "patches.bias": "vit.embeddings.patch_embeddings.projection.bias",
    }
    pairs = [("norm", "vit.layernorm"), ("head", "classifier")]
    pairs += [(f"layers.{i}.{our}", f"vit.layers.{i}.{name}") for i in range(n_layers) for our, name in layer.items()]
    names |= {f"{our}.{kind}": f"{name}.{kind}" for our, name in pairs for kind in ("weight", "bias")}
    assert set(names.values()) == set(theirs)
    return {our: theirs[name] for our, name in names.items()}


@pytest.mark.parametrize(
    ("activation", "named"), [("gelu_exact", "gelu"), ("gelu", "gelu_pytorch_tanh"), ("relu", "relu")]
)
@torch.no_grad()
def test_the_same_logits_and_attentions_as_transformers(activation: str, named: str) -> None:
    config = transformers.ViTConfig(
        image_size=12,
        patch_size=4,
        hidden_size=16,
        num_attention_heads=4,
        num_hidden_layers=2,
        intermediate_size=24,
        hidden_act=named,
        num_labels=5,
        layer_norm_eps=0.1,  # large enough to be noticed
        attn_implementation="eager",
    )
    theirs = transformers.ViTForImageClassification(config).eval()
    for parameter in theirs.parameters():
        parameter.add_(torch.randn_like(parameter) * 0.2)
    ours = ViT(ViTConfig(**SMALL, stem="patch", activation=activation, norm_eps=0.1)).eval()
    ours.load_state_dict(renamed(theirs.state_dict(), 2))
    pixels, tape = pictures(), Tape()
    expected = theirs(pixels, output_attentions=True)
    torch.testing.assert_close(ours(pixels, tape=tape), expected.logits, atol=1e-5, rtol=1e-5)
    for i, weights in enumerate(expected.attentions):
        torch.testing.assert_close(tape[f"layers.{i}.self"].weights, weights, atol=1e-6, rtol=1e-5)


@pytest.mark.parametrize("stem", ["patch", "convolution"])
class TestEveryStem:
    @torch.no_grad()
    def test_observing_changes_nothing(self, stem: str) -> None:
        model, pixels, tape = make(stem=stem), pictures(), Tape()
        assert torch.equal(model(pixels), model(pixels, tape=tape))
        assert tape.sites == ("layers.0.self", "layers.1.self")
        torch.testing.assert_close(tape["layers.1.self"].weights.sum(-1), torch.ones(2, 4, 10))

    @torch.no_grad()
    def test_patches_are_read_row_by_row_after_the_class_token(self, stem: str) -> None:
        model, pixels = make(stem=stem), pictures(1)
        before, changed = model.embed(pixels)[0], pixels.clone()
        changed[:, :, 8:, 4:8] += 1  # the middle patch of the last row: 1 + 2 * 3 + 1
        moved = (model.embed(changed)[0] - before).abs().amax(-1)
        assert int(moved.argmax()) == 8
        assert moved[0] == 0
        assert moved[1:4].max() == 0  # the first row is far from it in either stem

    def test_every_parameter_learns(self, stem: str) -> None:
        model = make(stem=stem).train()
        model(pictures()).logsumexp(-1).sum().backward()
        assert [name for name, each in model.named_parameters() if each.grad is None] == []


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"patch_size": 5}, "no multiple of patch_size"),
        ({"n_heads": 3}, "no multiple of n_heads"),
        ({"stem": "glue"}, "'glue'"),
        ({"activation": "tanh"}, "'tanh'"),
        ({"patch_size": 3, "stem": "convolution"}, "2, 4, 8"),
        ({"n_layers": 0}, "n_layers"),
        ({"dropout": 1.0}, "dropout"),
    ],
)
def test_a_shape_that_cannot_be_is_refused(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises((ValueError, TypeCheckError), match=said):
        ViTConfig(**{**SMALL, **wrong})
