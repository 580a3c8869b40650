"""“Positional encoding”: what the figures of rotary positions and of ALiBi say."""

import numpy as np

from explorer.lessons.positional_encoding.readings import number
from explorer.lessons.positional_encoding.records.relative import BiasRecord, PhaseRecord
from explorer.records.language import t


def describe_phase(record: PhaseRecord) -> str:
    """Say how far one step turns the pair, and after how many it is round."""
    wavelength = float(record.wavelengths[record.pair])
    said = t(
        "Pair {pair} turns by **{degrees}°** for every position between query and key, once round in {length} "
        "positions."
    )
    return said.format(pair=record.pair, degrees=number(360 / wavelength), length=number(wavelength))


def describe_bias(record: BiasRecord) -> str:
    """Say what the chosen head subtracts from neighbour to neighbour, and at the far end."""
    slope = float(record.slopes[record.head])
    return t(
        "The scores of head {head} fall by {slope} with every position back: by {most} at distance {distance}."
    ).format(head=record.head, slope=number(slope), most=number(slope * (record.n - 1)), distance=record.n - 1)


def describe_penalties(record: BiasRecord) -> str:
    """Say how soon the steepest and the flattest head halve a weight."""
    halving = np.sort(record.halving)
    if len(halving) == 1:
        return t("The one head halves a weight every {near} positions, all else equal.").format(near=number(halving[0]))
    return t(
        "The steepest head halves a weight every **{near}** positions, the flattest every **{far}**, all else equal."
    ).format(near=number(halving[0]), far=number(halving[-1]))
