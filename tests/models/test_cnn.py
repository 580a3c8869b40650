"""The convolutional network with channel and spatial attention."""

from typing import Any

import pytest
import torch
from torch.nn import functional as F

from explorer.models.cnn import CNN, CNNConfig
from explorer.nn.channel_spatial import CBAM, BatchNorm, GateTape, SqueezeExcitation

SMALL: dict[str, Any] = {
    "n_classes": 5,
    "image_size": 16,
    "widths": "6 8 12 10",
    "gates": "se cbam none",
    "reduction": 4,
}


@pytest.fixture
def model() -> CNN:
    return CNN(CNNConfig(**SMALL)).eval()


@torch.no_grad()
def test_observing_changes_nothing_and_sees_every_gate(model: CNN) -> None:
    pixels, tape = torch.randn(2, 3, 16, 16), GateTape()
    assert torch.equal(model(pixels), model(pixels, tape=tape))
    assert tape.sites == ("stages.0.channel", "stages.1.channel", "stages.1.spatial")
    assert tape["stages.0.channel"].gate.shape == (2, 8, 1, 1)
    assert tape["stages.1.spatial"].gate.shape == (2, 1, 4, 4)
    for site in tape.sites:
        seen = tape[site]
        assert torch.equal(seen.output, seen.read * seen.gate)
        assert (seen.gate > 0).all()
        assert (seen.gate < 1).all()


@torch.no_grad()
def test_squeeze_and_excitation_is_the_formula_of_the_paper() -> None:
    block, x = SqueezeExcitation(8, 4).eval(), torch.randn(3, 8, 5, 5)
    z = x.mean((2, 3))
    first, second = block.excite.reduce, block.excite.restore
    s = torch.sigmoid(second.weight @ F.relu(first.weight @ z.T + first.bias[:, None]) + second.bias[:, None]).T
    torch.testing.assert_close(block(x), x * s[:, :, None, None])


@torch.no_grad()
def test_cbam_gates_channels_and_then_places() -> None:
    block, x, tape = CBAM(8, 4).eval(), torch.randn(2, 8, 6, 6), GateTape()
    block(x, tape=tape, site="here")
    channel = torch.sigmoid(block.excite(x.mean((2, 3))) + block.excite(x.amax((2, 3))))
    torch.testing.assert_close(tape["here.channel"].gate[:, :, 0, 0], channel)
    seen = tape["here.spatial"]
    assert torch.equal(seen.read, tape["here.channel"].output)
    stacked = torch.stack((seen.read.mean(1), seen.read.amax(1)), 1)
    torch.testing.assert_close(seen.gate, torch.sigmoid(block.place(stacked)))


def test_the_normalisation_is_that_of_torch() -> None:
    ours, theirs = BatchNorm(4), torch.nn.BatchNorm2d(4)
    for _ in range(3):
        x = torch.randn(6, 4, 5, 5) * 3 + 1
        torch.testing.assert_close(ours(x), theirs(x))
    x = torch.randn(6, 4, 5, 5)
    torch.testing.assert_close(ours.eval()(x), theirs.eval()(x))


def test_a_tape_belongs_to_one_pass(model: CNN) -> None:
    tape = GateTape()
    model(torch.randn(1, 3, 16, 16), tape=tape)
    with pytest.raises(ValueError, match="recorded twice"):
        model(torch.randn(1, 3, 16, 16), tape=tape)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"widths": "6 8"}, "one number more"),
        ({"widths": "6 8 x 10"}, "must be numbers"),
        ({"gates": "se cbam glue"}, "se, cbam"),
        ({"image_size": 12}, "halved 3 times"),
        ({"reduction": 0}, "reduction"),
    ],
)
def test_a_shape_that_cannot_be_is_refused(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        CNNConfig(**{**SMALL, **wrong})
