"""Text of what the mechanisms cost a task, to lie beside the checkpoint that was evaluated."""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from explorer.lessons.efficient_attention.records.comparison import TaskPoint, TaskRecord
from explorer.records.provenance import Provenance


def dumps(records: Sequence[TaskRecord]) -> str:
    """Return the records as JSON; numbers with five digits, null for none."""
    whole = [asdict(record) for record in records]
    return json.dumps(_rounded(whole), indent=1, allow_nan=False) + "\n"


@lru_cache(maxsize=4)
def loads(text: str) -> tuple[TaskRecord, ...]:
    """Return the records that `dumps` wrote.

    Raises:
        ValueError: if the text is no such record.
    """
    try:
        return tuple(_record(each) for each in json.loads(text))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not an evaluation of attention variants: {error}") from error


def _record(fields: dict[str, Any]) -> TaskRecord:
    points = tuple(_point(each) for each in fields["points"])
    return TaskRecord(**{**fields, "points": points, "provenance": Provenance(**fields["provenance"])})


def _point(fields: dict[str, Any]) -> TaskPoint:
    settings = tuple((str(name), int(value)) for name, value in fields["settings"])
    error = math.nan if fields["added_error"] is None else float(fields["added_error"])
    return TaskPoint(**{**fields, "settings": settings, "added_error": error})


def _rounded(value: Any) -> Any:
    """Return the same with floats of five digits and null for NaN."""
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(each) for each in value]
    if isinstance(value, float):
        return None if math.isnan(value) else round(value, 5)
    return value
