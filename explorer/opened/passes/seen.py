"""Give a picture to a model that sees: scaled and normalised as its folder says, its patches as tokens."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy.typing as npt
import torch

from explorer.opened.cards import configuration, weights_header
from explorer.opened.passes.loader import OpenedModel
from explorer.opened.passes.looks import Given
from explorer.opened.refused import ModelRefused
from explorer.records.opened.look import patch_tokens

PREPROCESSOR = "preprocessor_config.json"
#: Of one picture: maps grow with the square of their number.
MOST_PATCHES = 1024


def read_picture(opened: OpenedModel, folder: Path, pixels: npt.NDArray[Any]) -> Given:
    """Return a picture as a model's input.

    Args:
        folder: of the model, for mean and deviation of the colours; a half each where it does not say.
        pixels: uint8, `[rows, columns, 3]`; scaled to the square that the model reads.

    Raises:
        ModelRefused: the model reads text, this is no picture, or it is cut into too many patches.
    """
    if opened.card.kind != "vision":
        raise ModelRefused("picture", what=f"{opened.card.name} reads text")
    if pixels.ndim != 3 or pixels.shape[-1] != 3:
        raise ModelRefused("picture", what=f"{pixels.shape}")
    config = opened.model.config
    settings = _settings(folder)
    height, width = _size(opened, settings)
    mean, deviation = _colours(settings)
    values = torch.from_numpy(pixels.copy()).permute(2, 0, 1)[None].float() / 255
    scaled = torch.nn.functional.interpolate(values, (height, width), mode="bicubic", antialias=True).clamp(0, 1)
    rows, columns = (side // patch for side, patch in zip((height, width), _pair(config.patch_size), strict=True))
    if rows * columns > MOST_PATCHES:
        raise ModelRefused("too_many", what="patches", asked=rows * columns, limit=MOST_PATCHES)
    tokens = patch_tokens(_before(opened), rows, columns)
    return Given(inputs={"pixel_values": (scaled - mean) / deviation}, keys=tokens, queries=tokens)


def _before(opened: OpenedModel) -> list[str]:
    """Name the tokens that stand before the patches: `[CLS]`, registers, and the one that DeiT learns a teacher by."""
    registers = int(getattr(opened.model.config, "num_register_tokens", 0) or 0)
    named = [f"[R{each + 1}]" for each in range(registers)]
    return ["[CLS]", *named, *(["[DIST]"] if opened.card.family == "deit" else [])]


def _size(opened: OpenedModel, settings: Mapping[str, Any]) -> tuple[int, int]:
    """Return height and width that a model reads: DINOv2's are those that its pictures are cut to, not trained on."""
    usual = _pair(opened.model.config.image_size)
    cut = settings.get("crop_size")
    if not opened.card.family.startswith("dinov2") or not isinstance(cut, Mapping):
        return usual
    height, width = cut.get("height"), cut.get("width")
    if not (isinstance(height, int) and isinstance(width, int) and 0 < height <= usual[0] and 0 < width <= usual[1]):
        return usual
    rows, columns = _pair(opened.model.config.patch_size)
    return max(height // rows, 1) * rows, max(width // columns, 1) * columns


def _pair(size: Any) -> tuple[int, int]:
    height, width = size if isinstance(size, list | tuple) else (size, size)
    return int(height), int(width)


def _settings(folder: Path) -> Mapping[str, Any]:
    if not (folder / PREPROCESSOR).exists():
        return {}
    return configuration.read_json(weights_header.inside(folder, PREPROCESSOR))


def _colours(settings: Mapping[str, Any]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return mean and deviation of the three colours, `[1, 3, 1, 1]`."""
    found = [settings.get(name) for name in ("image_mean", "image_std")]
    usual = [each if _is_colour(each) else [0.5, 0.5, 0.5] for each in found]
    mean, deviation = (torch.tensor(each, dtype=torch.float32).view(1, 3, 1, 1) for each in usual)
    return mean, deviation


def _is_colour(value: Any) -> bool:
    numbers = isinstance(value, list) and all(isinstance(each, float | int) and 0 < each <= 1 for each in value)
    return numbers and len(value) == 3
