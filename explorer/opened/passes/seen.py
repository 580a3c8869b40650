"""Give a picture to a model that sees: scaled and normalised as its folder says, its patches as tokens."""

from pathlib import Path
from typing import Any

import numpy.typing as npt
import torch

from explorer.opened.cards import configuration, weights_header
from explorer.opened.passes.loader import OpenedModel
from explorer.opened.passes.looks import Given
from explorer.opened.refused import ModelRefused
from explorer.records.opened.look import OpenedTokens
from explorer.records.sequence import TokenRow

PREPROCESSOR = "preprocessor_config.json"


def read_picture(opened: OpenedModel, folder: Path, pixels: npt.NDArray[Any]) -> Given:
    """Return a picture as a model's input.

    Args:
        folder: of the model, for mean and deviation of the colours; a half each where it does not say.
        pixels: uint8, `[rows, columns, 3]`; scaled to the square that the model reads.

    Raises:
        ModelRefused: the model reads text, or this is no picture.
    """
    if opened.card.kind != "vision":
        raise ModelRefused("picture", what=f"{opened.card.name} reads text")
    if pixels.ndim != 3 or pixels.shape[-1] != 3:
        raise ModelRefused("picture", what=f"{pixels.shape}")
    config = opened.model.config
    height, width = _pair(config.image_size)
    mean, deviation = _colours(folder)
    values = torch.from_numpy(pixels.copy()).permute(2, 0, 1)[None].float() / 255
    scaled = torch.nn.functional.interpolate(values, (height, width), mode="bicubic", antialias=True).clamp(0, 1)
    rows, columns = (side // patch for side, patch in zip((height, width), _pair(config.patch_size), strict=True))
    tokens = _patches(opened, rows, columns)
    return Given(inputs={"pixel_values": (scaled - mean) / deviation}, keys=tokens, queries=tokens)


def _patches(opened: OpenedModel, rows: int, columns: int) -> OpenedTokens:
    """Return the tokens: `[CLS]`, what else stands before the patches, then each patch by row and column, from 1."""
    family = opened.card.family
    registers = int(getattr(opened.model.config, "num_register_tokens", 0) or 0)
    before = ["[CLS]", *(f"[R{each + 1}]" for each in range(registers)), *(["[DIST]"] if family == "deit" else [])]
    labels = (*before, *(f"{row + 1},{column + 1}" for row in range(rows) for column in range(columns)))
    row = TokenRow(
        labels=labels,
        words=tuple((place,) for place in range(len(labels))),
        word_labels=labels,
        special=tuple(place < len(before) for place in range(len(labels))),
    )
    return OpenedTokens(row=row, ids=(), grid=(rows, columns))


def _pair(size: Any) -> tuple[int, int]:
    height, width = size if isinstance(size, list | tuple) else (size, size)
    return int(height), int(width)


def _colours(folder: Path) -> tuple[torch.Tensor, torch.Tensor]:
    """Return mean and deviation of the three colours, `[1, 3, 1, 1]`."""
    settings: dict[str, Any] = {}
    if (folder / PREPROCESSOR).exists():
        settings = configuration.read_json(weights_header.inside(folder, PREPROCESSOR))
    found = [settings.get(name) for name in ("image_mean", "image_std")]
    usual = [each if _is_colour(each) else [0.5, 0.5, 0.5] for each in found]
    mean, deviation = (torch.tensor(each, dtype=torch.float32).view(1, 3, 1, 1) for each in usual)
    return mean, deviation


def _is_colour(value: Any) -> bool:
    numbers = isinstance(value, list) and all(isinstance(each, float | int) and 0 < each <= 1 for each in value)
    return numbers and len(value) == 3
