"""“Beyond the training length”: how unsure five models are, place by place."""

from functools import partial

from explorer.lessons.positional_encoding import extrapolation, trained, trained_readings
from explorer.lessons.positional_encoding.figures import unsure as figures
from explorer.lessons.positional_encoding.ui import controls as widgets
from explorer.scenes.positional_encoding import BEYOND, LESSON
from explorer.ui.language import t
from explorer.ui.scene import picture, predict

CODE = (extrapolation.measure,)
#: The places that are measured together, their middles, from the first to the last.
_STEP, _FIRST, _LAST = 32, 16, 496


def controls() -> int:
    """Ask up to which character they read."""
    read = widgets.slider(t("Read up to character"), _FIRST, _LAST, "pe_read", _STEP)
    widgets.walk("pe_read_on", "pe_read", read, _LAST, _STEP, _FIRST)
    return read


def stage(read: int) -> None:
    """Five lines up to the place; what follows, faintly, once the question is answered."""
    records = widgets.of_all(extrapolation.stored)
    if not records:
        return
    whole = predict.settled(LESSON, BEYOND)
    picture.show(
        "pe_unsure",
        partial(
            figures.unsure,
            records,
            read,
            signs=trained.vocabulary(records[0].kind),
            names=trained.kind_names(t),
            whole=whole,
            t=t,
        ),
        title=t("Among how many characters does it waver for the next one?"),
        note=t("fewer is better · {n} texts").format(n=records[0].n_windows),
        reading=trained_readings.describe_unsure(
            records, {record.kind: figures.wavering(record, read) for record in records}, read, t
        ),
        provenance=trained.together([record.provenance for record in records]),
        of=(read, whole),
    )


def answer() -> predict.Answer:
    """Find the model whose loss at the end is nearest to its own at the end of the training length."""
    records = [record for record in map(extrapolation.stored, trained.KINDS) if record.possible(_LAST)]
    far = {record.kind: figures.wavering(record, _LAST) for record in records}
    near = {record.kind: figures.wavering(record, record.trained_length - _FIRST) for record in records}
    right = min(far, key=lambda kind: far[kind] / near[kind])
    following = min(value for kind, value in far.items() if kind != right)
    return right, {"far": f"{far[right]:.1f}", "near": f"{near[right]:.1f}", "next": f"{following:.0f}"}
