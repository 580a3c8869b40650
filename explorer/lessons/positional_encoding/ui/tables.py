"""The numbers behind figures whose axes do not say them, as tables."""

from collections.abc import Sequence

import pandas as pd

from explorer.lessons.positional_encoding.records.extrapolation import BeyondRecord
from explorer.lessons.positional_encoding.records.sinusoidal import CodesRecord, CounterRecord, RotationRecord
from explorer.lessons.positional_encoding.records.trained import PermutationRecord
from explorer.lessons.positional_encoding.trained import kind_names
from explorer.records.language import t
from explorer.records.wording import token


def order(record: PermutationRecord) -> pd.DataFrame:
    """Return a row for each token of the new sentence."""
    columns: dict[str, object] = {
        t("token"): [token(label) for label in record.moved_labels],
        t("position as typed"): record.order,
    }
    for lane, name in enumerate((t("without codes"), t("with codes"))):
        columns[f"{t('change')}, {name}"] = record.change[lane]
        columns[f"{t('cosine')}, {name}"] = record.cosine[lane]
    return pd.DataFrame(columns).rename_axis(t("new position"))


def wavering(records: Sequence[BeyondRecord]) -> pd.DataFrame:
    """Return among how many characters each model wavers, a row for the middle of each positions that it read."""
    names, positions = kind_names(), pd.Index(records[0].middles, name=t("position in the text, in characters"))
    return pd.DataFrame({names[record.kind]: record.wavering for record in records}, positions)


def codes(record: CodesRecord) -> pd.DataFrame:
    """Return the codes, a row for each position."""
    kinds = (t("sine"), t("cosine"))
    names = [f"{t('pair')} {pair}, {kind}" for pair in range(record.n_pairs) for kind in kinds]
    return pd.DataFrame(record.code, columns=names).rename_axis(t("position"))


def counter(record: CounterRecord) -> pd.DataFrame:
    """Return bits and sines side by side."""
    bits = {f"2^{bit}": record.bits[:, bit] for bit in range(record.bits.shape[1])}
    sines = {
        f"{t('pair')} {pair}, {t('sine')}": record.sines[:, position] for position, pair in enumerate(record.pairs)
    }
    return pd.DataFrame({**bits, **sines}).rename_axis(t("position"))


def rotation(record: RotationRecord) -> pd.DataFrame:
    """Return a row for each drawn pair: cosine and sine before, after, and as rotated."""
    columns: dict[str, object] = {
        t("wavelength, in positions"): record.wavelengths,
        t("turned by, in degrees"): [record.angle(number) for number in range(len(record.pairs))],
    }
    moments = (
        (t("first position"), record.before),
        (t("second position"), record.after),
        (t("rotated"), record.turned),
    )
    for name, points in moments:
        columns[f"{name}, {t('cosine')}"], columns[f"{name}, {t('sine')}"] = points.T
    return pd.DataFrame(columns, index=pd.Index(record.pairs, name=t("pair")))
