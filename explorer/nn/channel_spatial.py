"""Blocks of a convolutional network that decide what matters: which channels, which places."""

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from explorer.attention.channel_spatial import Gated, apply_gate, over_channels, squeeze_channels, strongest
from explorer.nn.tape import SiteTape

#: What every gate of one forward pass did (such as `stages.1.channel`).
GateTape = SiteTape[Gated]


class ChannelMLP(nn.Module):
    """Two linear maps with a narrow ReLU layer between: channels may depend on each other (Hu et al. 2018, eq. 3)."""

    def __init__(self, n_channels: int, reduction: int) -> None:
        super().__init__()
        self.reduce = nn.Linear(n_channels, max(1, n_channels // reduction))
        self.restore = nn.Linear(max(1, n_channels // reduction), n_channels)

    def forward(self, z: Float[Tensor, "batch channels"]) -> Float[Tensor, "batch channels"]:
        """Score each channel."""
        scores: Tensor = self.restore(F.relu(self.reduce(z)))
        return scores


class SqueezeExcitation(nn.Module):
    """Turn each channel up or down by what the whole picture holds (Hu et al. 2018).

    gate = σ(W2 max(0, W1 mean(x))), x ← x · gate. Tape site: `{site}.channel`.
    """

    def __init__(self, n_channels: int, reduction: int) -> None:
        super().__init__()
        self.excite = ChannelMLP(n_channels, reduction)

    def forward(
        self, x: Float[Tensor, "batch channels rows columns"], *, tape: GateTape | None = None, site: str = ""
    ) -> Float[Tensor, "batch channels rows columns"]:
        """Gate the channels."""
        done = apply_gate(x, self.excite(squeeze_channels(x))[:, :, None, None])
        if tape is not None:
            tape.record(f"{site}.channel", done)
        return done.output


#: Side of the convolution that weighs places (Woo et al. 2018, eq. 3).
PLACE_KERNEL = 7


class CBAM(nn.Module):
    """First which channels, then which places (Woo et al. 2018).

    Channels: σ(MLP(mean) + MLP(max)), one MLP for both. Places: σ of a convolution, 7 × 7, over the mean and the
    largest value across channels. Tape sites: `{site}.channel` and `{site}.spatial`.
    """

    def __init__(self, n_channels: int, reduction: int) -> None:
        super().__init__()
        self.excite = ChannelMLP(n_channels, reduction)
        self.place = nn.Conv2d(2, 1, PLACE_KERNEL, padding=PLACE_KERNEL // 2)

    def forward(
        self, x: Float[Tensor, "batch channels rows columns"], *, tape: GateTape | None = None, site: str = ""
    ) -> Float[Tensor, "batch channels rows columns"]:
        """Gate the channels, then the places."""
        channel = apply_gate(x, (self.excite(squeeze_channels(x)) + self.excite(strongest(x)))[:, :, None, None])
        spatial = apply_gate(channel.output, self.place(over_channels(channel.output)))
        if tape is not None:
            tape.record(f"{site}.channel", channel)
            tape.record(f"{site}.spatial", spatial)
        return spatial.output


class BatchNorm(nn.Module):
    """Normalise each channel over the batch, in evaluation by what was usual in training (Ioffe & Szegedy 2015).

    Unlike torch's it keeps no count of batches: all that it keeps are floating-point numbers.
    """

    running_mean: Tensor
    running_var: Tensor

    def __init__(self, n_channels: int) -> None:
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(n_channels)), nn.Parameter(torch.zeros(n_channels))
        self.register_buffer("running_mean", torch.zeros(n_channels))
        self.register_buffer("running_var", torch.ones(n_channels))

    def forward(self, x: Float[Tensor, "batch channels rows columns"]) -> Float[Tensor, "batch channels rows columns"]:
        """Normalise."""
        return F.batch_norm(x, self.running_mean, self.running_var, self.weight, self.bias, self.training)


class ConvolutionNorm(nn.Sequential):
    """A convolution, 3 × 3 unless said, and the normalisation of each channel over the batch."""

    def __init__(self, n_in: int, n_out: int, *, stride: int = 1) -> None:
        super().__init__(nn.Conv2d(n_in, n_out, 3, stride, 1, bias=False), BatchNorm(n_out))


def fast_layout(x: Float[Tensor, "batch channels rows columns"]) -> Float[Tensor, "batch channels rows columns"]:
    """Lay out the same numbers with channels innermost in memory: half again as fast for convolutions on a CPU."""
    return x.contiguous(memory_format=torch.channels_last)
