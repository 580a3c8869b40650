"""“Positional encoding”: what the figures of the sinusoidal codes say, computed from their numbers."""

import math

import numpy as np

from explorer.lessons.positional_encoding.records.sinusoidal import CodesRecord, LikenessRecord, RotationRecord
from explorer.lessons.positional_encoding.state import Result
from explorer.records import Translate, english
from explorer.records.wording import joined, typeset


def describe_codes(result: Result, pair: int, t: Translate = english) -> str:
    """Say how soon the chosen pair repeats, and how many pairs never come round."""
    lengths, positions = result.codes.wavelengths, len(result.codes.code)
    slow = int((lengths > positions).sum())
    said = t("Pair {pair} repeats every **{wavelength}** positions.").format(
        pair=pair, wavelength=number(float(lengths[pair]))
    )
    if not slow:
        return joined([said, t("Every pair comes round within these {n} positions.").format(n=positions)], t)
    never = t("{slow} of {pairs} pairs do not come round once within {n}.")
    return joined([said, never.format(slow=slow, pairs=len(lengths), n=positions)], t)


def said_growth(result: Result) -> dict[str, str]:
    """Return by which factor wavelengths grow, and the last one."""
    params = result.params
    return {
        "factor": f"{params.base ** (2 / params.d_model):.3g}",
        "last": number(float(result.codes.wavelengths[-1])),
    }


def describe_place(codes: CodesRecord, likeness: LikenessRecord, place: int, t: Translate = english) -> str:
    """Say which other place has the code most like this one's, and how far the first and the last hand have turned."""
    places = np.arange(len(codes.code))
    others = places[places != place]
    shares = likeness.by_offset[np.searchsorted(likeness.offsets_all, others - place)] / likeness.at(0)
    nearest = int(shares.argmax())
    said = t(
        "No other of the {n} places has the code of place **{place}**: the most alike is that of place {other}, at "
        "**{share}**, where 1 would be the same."
    ).format(
        n=len(codes.code),
        place=place,
        other=int(others[nearest]),
        share=f"{shares[nearest]:.{2 if shares[nearest] < 0.995 else 4}f}",
    )
    turns = t("The first hand has turned {turns} times, the last one by {degrees}°.").format(
        turns=f"{place / codes.wavelengths[0]:.1f}",
        degrees=number(360 * place / float(codes.wavelengths[-1])),
    )
    return joined([said, turns], t)


def describe_counter(result: Result, t: Translate = english) -> str:
    """Say after how many rows bits and waves change."""
    waves = t(", ").join(number(length / 2) for length in result.counter.wavelengths)
    bits = t(", ").join(str(2**bit) for bit in range(result.counter.bits.shape[1]))
    return t("Bits flip after {bits} rows, waves change sign after {waves}.").format(bits=bits, waves=waves)


def describe_turn(record: RotationRecord, likeness: LikenessRecord, place: int, t: Translate = english) -> str:
    """Say how far the fastest and the slowest hand turn between a place and the other one: only the distance counts."""
    return said_turn(record, likeness, record.offset, t).format(i=place, j=place + record.offset)


def said_turn(record: RotationRecord, likeness: LikenessRecord, offset: int, t: Translate = english) -> str:
    """Say the same of any two places that are so far apart: {i} and {j} are to be filled in."""
    said = t(
        "At places {i} and {j} one hand of the first clock is turned **{most}°** from the other, whole turns left out; "
        "of the last clock, {least}°. The score of the two codes is **{score}**."
    ).format(
        i="{i}",
        j="{j}",
        most=number(abs(record.between(0, offset))),
        least=number(abs(record.between(-1, offset))),
        score=f"{likeness.at(offset):.2f}",
    )
    only = t("Over all {pairs} pairs of places, pairs that are equally far apart differ by at most {residual}.")
    return joined([said, only.format(pairs=f"{likeness.pairs_checked:,}", residual=tiny(likeness.residual))], t)


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
