"""“Positional encoding”: what the figures of the sinusoidal codes say, computed from their numbers."""

import math

import numpy as np

from explorer.lessons.positional_encoding.records.sinusoidal import CodesRecord, LikenessRecord, RotationRecord
from explorer.lessons.positional_encoding.state import Result
from explorer.records.language import t
from explorer.records.wording import join_sentences, typeset


def describe_codes(result: Result, pair: int) -> str:
    """Say how soon the chosen pair repeats, and how many pairs never come round."""
    lengths, positions = result.codes.wavelengths, len(result.codes.code)
    slow = int((lengths > positions).sum())
    said = t("Pair {pair} repeats every **{wavelength}** positions.").format(
        pair=pair, wavelength=number(float(lengths[pair]))
    )
    if not slow:
        return join_sentences([said, t("Every pair comes round within these {n} positions.").format(n=positions)])
    never = t("{slow} of {pairs} pairs do not come round once within {n}.")
    return join_sentences([said, never.format(slow=slow, pairs=len(lengths), n=positions)])


def said_growth(result: Result) -> dict[str, str]:
    """Return by which factor wavelengths grow, and the last one."""
    params = result.params
    return {
        "factor": f"{params.base ** (2 / params.d_model):.3g}",
        "last": number(float(result.codes.wavelengths[-1])),
    }


def describe_place(codes: CodesRecord, likeness: LikenessRecord, position: int) -> str:
    """Say which other position has the code most like this one's."""
    positions = np.arange(len(codes.code))
    others = positions[positions != position]
    shares = likeness.by_offset[np.searchsorted(likeness.offsets_all, others - position)] / likeness.at(0)
    nearest = int(shares.argmax())
    return t(
        "No other of the {n} positions has the code of position **{position}**: the most similar is that of position "
        "{other} (similarity **{share}**; 1 means the same)."
    ).format(
        n=len(codes.code),
        position=position,
        other=int(others[nearest]),
        share=f"{shares[nearest]:.{2 if shares[nearest] < 0.995 else 4}f}",
    )


def describe_counter(result: Result) -> str:
    """Say after how many rows bits and waves change."""
    waves = t(", ").join(number(length / 2) for length in result.counter.wavelengths)
    bits = t(", ").join(str(2**bit) for bit in range(result.counter.bits.shape[1]))
    return t("Bits flip after {bits} rows, waves change sign after {waves}.").format(bits=bits, waves=waves)


def describe_turn(record: RotationRecord, likeness: LikenessRecord, position: int) -> str:
    """Say how far the fastest and the slowest hand turn between two positions: only the distance counts."""
    return said_turn(record, likeness, record.offset).format(i=position, j=position + record.offset)


def said_turn(record: RotationRecord, likeness: LikenessRecord, offset: int) -> str:
    """Say the same of any two positions that are so far apart: {i} and {j} are to be filled in."""
    return t(
        "At positions {i} and {j} the two hands of the first clock stand **{most}°** apart. The score of the two codes "
        "is **{score}**."
    ).format(
        i="{i}",
        j="{j}",
        most=number(abs(record.between(0, offset))),
        score=f"{likeness.at(offset):.2f}",
    )


def number(value: float) -> str:
    """Say a number for a sentence: three digits, large ones with separators."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else "∞"
    if abs(value) >= 1000:
        return f"{float(np.format_float_positional(value, 3, fractional=False)):,.0f}"
    return f"{value:.3g}"


def tiny(residual: float) -> str:
    """Say a residual: exactly 0, or its size."""
    return typeset(f"{residual:.0e}") if residual else "0"
