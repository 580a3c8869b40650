"""A small residual convolutional network with channel and spatial attention (Hu et al. 2018; Woo et al. 2018)."""

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from explorer.models.limits import check
from explorer.nn.channel_spatial import CBAM, ConvolutionNorm, GateTape, SqueezeExcitation, fast_layout

#: What a stage's residual block may end in.
GATES = ("none", "se", "cbam")


@dataclass(frozen=True, slots=True, kw_only=True)
class CNNConfig:
    """The shape of a convolutional network.

    Attributes:
        n_classes: what it tells apart.
        image_size: pixels on each side.
        widths: channels of the first convolution and of each stage, separated by spaces.
        gates: of each stage, from `GATES`, separated by spaces.
        reduction: how much narrower the hidden layer of a channel gate is.

    Raises:
        ValueError: naming the field that is out of range.
    """

    n_classes: int = 10
    image_size: int = 32
    widths: str = "32 32 64 160"
    gates: str = "se cbam se"
    reduction: int = 8

    def __post_init__(self) -> None:
        check(self, "n_classes", "image_size", "reduction")
        if not all(width.isascii() and width.isdigit() and 0 < int(width) <= 4096 for width in self.widths.split()):
            raise ValueError(f"widths {self.widths!r} must be numbers from 1 to 4096")
        if not set(self.gates.split()) <= set(GATES):
            raise ValueError(f"gates {self.gates!r} must be of {', '.join(GATES)}")
        if not len(self.widths.split()) == self.n_stages + 1 > 1:
            raise ValueError(f"widths {self.widths!r} must have one number more than the gates {self.gates!r}")
        if self.image_size % 2**self.n_stages:
            raise ValueError(f"image_size {self.image_size} cannot be halved {self.n_stages} times")

    @property
    def n_stages(self) -> int:
        """Return the number of stages; each halves the sides."""
        return len(self.gates.split())


class Stage(nn.Module):
    """More channels at half the size, then a residual block whose addition is gated."""

    def __init__(self, n_in: int, n_out: int, gate: str, reduction: int) -> None:
        super().__init__()
        self.widen = ConvolutionNorm(n_in, n_out)
        self.first, self.second = ConvolutionNorm(n_out, n_out), ConvolutionNorm(n_out, n_out)
        self.gate: nn.Module | None = None
        if gate != "none":
            self.gate = (SqueezeExcitation if gate == "se" else CBAM)(n_out, reduction)

    def forward(
        self, x: Float[Tensor, "batch channels rows columns"], *, tape: GateTape | None, site: str
    ) -> Float[Tensor, "batch wider half_rows half_columns"]:
        """Widen and halve, then add what two convolutions and the gate make of it."""
        x = F.max_pool2d(F.relu(self.widen(x)), 2)
        added = self.second(F.relu(self.first(x)))
        if self.gate is not None:
            added = self.gate(added, tape=tape, site=site)
        return F.relu(x + added)


class CNN(nn.Module):
    """Stages of convolutions, then the mean over all places, then one linear map.

    Gate sites: `stages.{i}.channel`, and `stages.{i}.spatial` where the gate is CBAM.
    """

    def __init__(self, config: CNNConfig) -> None:
        super().__init__()
        self.config = config
        widths = [int(width) for width in config.widths.split()]
        self.stem = ConvolutionNorm(3, widths[0])
        pairs = zip(widths, widths[1:], config.gates.split(), strict=False)
        self.stages = nn.ModuleList(Stage(n_in, n_out, gate, config.reduction) for n_in, n_out, gate in pairs)
        self.head = nn.Linear(widths[-1], config.n_classes)

    def forward(
        self, pixels: Float[Tensor, "batch 3 rows columns"], *, tape: GateTape | None = None
    ) -> Float[Tensor, "batch classes"]:
        """Return the logits of the classes from pixels as `explorer.data.images.normalised` makes them."""
        x = F.relu(self.stem(fast_layout(pixels)))
        for i, stage in enumerate(self.stages):
            x = stage(x, tape=tape, site=f"stages.{i}")
        logits: Tensor = self.head(x.mean((2, 3)))
        return logits
