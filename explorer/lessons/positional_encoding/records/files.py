"""A measurement beyond the training length as text, to lie beside the checkpoint it measured."""

import json
from dataclasses import asdict
from typing import Any

import numpy as np

from explorer.lessons.positional_encoding.records.extrapolation import BeyondRecord
from explorer.records.provenance import Provenance

LOSSES = ("loss", "loss_error", "bucket_loss", "bucket_error")


def dumps(record: BeyondRecord) -> str:
    """Return the record as JSON; losses with five digits, null where a position cannot be read."""
    whole = asdict(record)
    whole |= {name: getattr(record, name).tolist() for name in ("lengths", "edges")}
    whole |= {name: [_number(each) for each in getattr(record, name)] for name in LOSSES}
    return json.dumps(whole, indent=1, allow_nan=False) + "\n"


def loads(text: str) -> BeyondRecord:
    """Return the record that `dumps` wrote.

    Raises:
        ValueError: if the text is no such record.
    """
    try:
        fields: dict[str, Any] = json.loads(text)
        arrays = {name: np.array([np.nan if each is None else each for each in fields[name]], float) for name in LOSSES}
        positions = {name: np.array(fields[name], np.int64) for name in ("lengths", "edges")}
        return BeyondRecord(**{**fields, **arrays, **positions, "provenance": Provenance(**fields["provenance"])})
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a measurement beyond the training length: {error}") from error


def _number(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 5)
