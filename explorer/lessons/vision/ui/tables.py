"""“Vision”: numbers as tables."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from explorer.records.image import ChannelGates, PatchAttention, PatchVectors, PositionCodes, SpatialGate
from explorer.records.language import t
from explorer.ui.tables import per_head


def rollout(record: PatchAttention, query: int) -> pd.DataFrame:
    """Return what has reached a token from every patch, a row for each layer."""
    maps = record.map(record.rollout[:, query])[:, None]
    return per_head(maps).drop(columns=t("head"))


def positions(record: PositionCodes) -> pd.DataFrame:
    """Return the cosine of every two codes."""
    grid = record.grid
    names = [f"{row}, {column}" for row in range(1, grid + 1) for column in range(1, grid + 1)]
    return pd.DataFrame(record.cosine, index=names, columns=names)


def channels(record: ChannelGates) -> pd.DataFrame:
    """Return gate of every channel, what is usual, and the mean size of its map before the gate."""
    size = np.abs(record.read).mean((1, 2))
    columns = {t("gate"): record.gate, t("usual gate"): record.usual, t("mean size before"): size}
    return pd.DataFrame(columns).rename_axis(t("channel"))


def spatial(record: SpatialGate) -> pd.DataFrame:
    """Return the gate of every place, and what the block read there."""
    positions = list(np.ndindex(record.gate.shape))
    return pd.DataFrame(
        {
            t("row"): [row + 1 for row, _ in positions],
            t("column"): [column + 1 for _, column in positions],
            t("gate"): record.gate.ravel(),
            t("mean of the channels"): record.mean.ravel(),
            t("largest channel"): record.strongest.ravel(),
        }
    )


def feature_maps(record: ChannelGates, channels: Sequence[int]) -> pd.DataFrame:
    """Return every value of some channels before the gate, a row for each place."""
    _, rows, columns = record.read.shape
    index = pd.MultiIndex.from_product([range(1, rows + 1), range(1, columns + 1)], names=[t("row"), t("column")])
    maps = {str(each): record.read[each].ravel() for each in channels}
    return pd.DataFrame(maps, index=index).reset_index()


def patch_numbers(record: PatchVectors, patch: int) -> pd.DataFrame:
    """Return the numbers of a patch in their order, a row for each pixel."""
    values = record.numbers[patch].reshape(-1, 3)
    return pd.DataFrame(values, columns=[t("red"), t("green"), t("blue")]).rename_axis(t("pixel, row by row"))


def patch_vectors(record: PatchVectors, patch: int) -> pd.DataFrame:
    """Return a patch's vector from both ways, and their difference."""
    stem, linear = record.stem[patch], record.linear[patch]
    columns = {t("convolutions"): stem, t("one linear map"): linear, t("difference"): linear - stem}
    return pd.DataFrame(columns).rename_axis(t("number of the vector"))
