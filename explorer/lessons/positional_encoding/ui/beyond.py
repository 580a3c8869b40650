"""“Beyond the training length”: how unsure five models are, position by position."""

from collections.abc import Sequence
from functools import partial

from explorer.lessons.positional_encoding import extrapolation, trained, trained_readings
from explorer.lessons.positional_encoding.live import beyond as drawn
from explorer.lessons.positional_encoding.records.extrapolation import BeyondRecord, Kind
from explorer.lessons.positional_encoding.ui import controls as widgets, tables
from explorer.records.language import t
from explorer.records.provenance import joint
from explorer.scenes.positional_encoding import BEYOND, LESSON
from explorer.ui import choice
from explorer.ui.scene import predict

CODE = (extrapolation.measure,)
#: The positions that are measured together, their middles, from the first to the last.
_STEP, _FIRST, _LAST = 32, 16, 496
_PLACES = range(_FIRST, _LAST + 1, _STEP)


def controls() -> int:
    """Return up to which character they read; the film asks for it."""
    asked = choice.step(t("Read up to character"), key="pe_read", last=_LAST - _FIRST, first=_FIRST)
    return _FIRST + round(asked / _STEP) * _STEP


def stage(read: int) -> None:
    """Five lines up to the position; what follows, faintly, once the question is answered."""
    records = widgets.of_all(extrapolation.read_measurement)
    if not records:
        return
    whole, title = predict.is_settled(LESSON, BEYOND), t("Between how many characters does it hesitate?")
    drawn.PICTURE.show(
        "pe_unsure",
        partial(drawn.pack, records, whole=whole),
        step=_PLACES.index(read),
        link_key="pe_read",
        positions=_PLACES,
        sentences=lambda: [trained_readings.describe_unsure(records, _wavering(records, at), at) for at in _PLACES],
        of=(whole, [record.provenance.revision for record in records]),
        heading=title,
        note=t("as unsure as among so many equally likely ones; fewer is better"),
        title=title,
        table=lambda: tables.wavering(records),
        provenance=joint([record.provenance for record in records]),
    )


def _wavering(records: Sequence[BeyondRecord], read: int) -> dict[Kind, float]:
    """Return among how many characters each model wavers around a position, by kind."""
    return {record.kind: record.wavers(read) for record in records}


def answer() -> predict.Answer:
    """Find the model whose loss at the end is nearest to its own at the end of the training length."""
    records = [record for record in map(extrapolation.read_measurement, trained.KINDS) if record.possible(_LAST)]
    far = _wavering(records, _LAST)
    near = {record.kind: record.wavers(record.trained_length - _FIRST) for record in records}
    right = min(far, key=lambda kind: far[kind] / near[kind])
    following = min(value for kind, value in far.items() if kind != right)
    return right, {"far": f"{far[right]:.1f}", "near": f"{near[right]:.1f}", "next": f"{following:.0f}"}
