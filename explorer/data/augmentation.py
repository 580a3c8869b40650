"""Training pictures, varied: a batch at a time, all of it drawn from one seed."""

import math
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int, UInt8
from torch import Tensor
from torch.nn import functional as F

from explorer.data.images import normalise


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageAugmentation:
    """The variation of training pictures: how far one may be from the picture on disk.

    Attributes:
        shift: pixels, in either direction; the border is mirrored.
        turn: degrees, in either direction.
        zoom: share of the size, larger or smaller.
        colour: share by which brightness, contrast and saturation may change.
        hole: side in pixels of a square that becomes grey (DeVries & Taylor 2017); 0 for none.
        cutmix: probability that a rectangle of every picture comes from another one, and its label by area (Yun 2019).
    """

    shift: int = 4
    turn: float = 10.0
    zoom: float = 0.1
    colour: float = 0.2
    hole: int = 8
    cutmix: float = 0.0

    def __post_init__(self) -> None:
        for name in ("shift", "turn", "zoom", "colour", "hole", "cutmix"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be at least 0, and finite")
        if self.cutmix > 1:
            raise ValueError(f"cutmix {self.cutmix} is not in [0, 1]")


@dataclass(frozen=True, slots=True, eq=False)
class ImageBatch:
    """Normalised pictures, and for each the probability of every class that the model should answer."""

    pixels: Float[Tensor, "batch 3 rows columns"]
    targets: Float[Tensor, "batch classes"]

    def to(self, device: torch.device) -> "ImageBatch":
        """Return the batch on a device."""
        return ImageBatch(self.pixels.to(device), self.targets.to(device))


def augment(
    pixels: UInt8[Tensor, "batch 3 rows columns"],
    labels: Int[Tensor, " batch"],
    n_classes: int,
    how: ImageAugmentation,
    seed: int,
) -> ImageBatch:
    """Mirror half of the pictures, then move, turn, recolour, cover and mix them.

    Args:
        pixels: as on disk.
        seed: decides everything that is drawn.
    """
    draw = torch.Generator().manual_seed(seed)
    made = _recoloured(_moved(normalise(pixels), how, draw), how.colour, draw)
    if how.hole:
        made = _covered(made, how.hole, draw)
    targets = F.one_hot(labels, n_classes).float()
    if float(_uniform(draw, 1)) < how.cutmix:
        made, targets = _mixed(made, targets, draw)
    return ImageBatch(made, targets)


def _uniform(draw: torch.Generator, *shape: int) -> Tensor:
    return torch.rand(shape, generator=draw)


def _either_way(draw: torch.Generator, n: int, most: float) -> Float[Tensor, " n"]:
    return (2 * _uniform(draw, n) - 1) * most


def _moved(x: Tensor, how: ImageAugmentation, draw: torch.Generator) -> Float[Tensor, "batch 3 rows columns"]:
    """Move each picture by an affine map: mirrored, turned, larger or smaller, shifted."""
    n, size = len(x), x.shape[-1]
    angle = _either_way(draw, n, math.radians(how.turn))
    scale = 1 + _either_way(draw, n, how.zoom)
    mirror = torch.where(_uniform(draw, n) < 0.5, -1.0, 1.0)
    shift = [_either_way(draw, n, how.shift + 0.5).round() * 2 / size for _ in range(2)]
    rows = (
        torch.stack((mirror * scale * angle.cos(), -scale * angle.sin(), shift[0]), -1),
        torch.stack((mirror * scale * angle.sin(), scale * angle.cos(), shift[1]), -1),
    )
    grid = F.affine_grid(torch.stack(rows, 1), list(x.shape), align_corners=False)
    return F.grid_sample(x, grid, mode="bilinear", padding_mode="reflection", align_corners=False)


def _recoloured(x: Tensor, most: float, draw: torch.Generator) -> Float[Tensor, "batch 3 rows columns"]:
    """Change brightness, contrast and colour of each picture."""
    if not most:
        return x
    brightness, contrast, saturation = (_either_way(draw, len(x), most)[:, None, None, None] for _ in range(3))
    grey = x.mean(1, keepdim=True)
    x = grey + (x - grey) * (1 + saturation)
    mean = x.mean((1, 2, 3), keepdim=True)
    return mean + (x - mean) * (1 + contrast) + brightness


def _covered(x: Tensor, side: int, draw: torch.Generator) -> Float[Tensor, "batch 3 rows columns"]:
    """Cover a grey square somewhere in each picture, perhaps half outside it."""
    size, position = x.shape[-1], torch.arange(x.shape[-1])
    inside = [(position - (_uniform(draw, len(x)) * size)[:, None]).abs() < side / 2 for _ in range(2)]
    return x.masked_fill((inside[0][:, None, :, None] & inside[1][:, None, None, :]), 0.0)


def _mixed(x: Tensor, targets: Tensor, draw: torch.Generator) -> tuple[Tensor, Tensor]:
    """Paste a rectangle of the next picture; its area, uniform in 0…1, is its share of the label."""
    size = x.shape[-1]
    side = round(size * math.sqrt(float(_uniform(draw, 1))))
    top, left = (int(_uniform(draw, 1) * (size - side + 1)) for _ in range(2))
    other, share = x.roll(1, 0), (side / size) ** 2
    mixed = x.clone()
    mixed[:, :, top : top + side, left : left + side] = other[:, :, top : top + side, left : left + side]
    return mixed, (1 - share) * targets + share * targets.roll(1, 0)
