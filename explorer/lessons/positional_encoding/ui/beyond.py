"""“Beyond the training length”: how unsure five models are, place by place."""

from functools import partial

from explorer.lessons.positional_encoding import extrapolation, trained
from explorer.lessons.positional_encoding.figures import unsure as figures
from explorer.lessons.positional_encoding.ui import beyond_film, controls as widgets
from explorer.records.provenance import joint
from explorer.scenes.positional_encoding import BEYOND, LESSON
from explorer.ui import choice
from explorer.ui.language import t
from explorer.ui.scene import predict

CODE = (extrapolation.measure,)
#: The places that are measured together, their middles, from the first to the last.
_STEP, _FIRST, _LAST = 32, 16, 496


def controls() -> int:
    """Return up to which character they read; the film asks for it."""
    asked = choice.step(t("Read up to character"), key="pe_read", last=_LAST - _FIRST, first=_FIRST)
    return _FIRST + round(asked / _STEP) * _STEP


def stage(read: int) -> None:
    """Five lines up to the place; what follows, faintly, once the question is answered."""
    records = widgets.of_all(extrapolation.stored)
    if not records:
        return
    whole, title = predict.settled(LESSON, BEYOND), t("Among how many characters does it waver for the next one?")
    signs, names = trained.vocabulary(records[0].kind), trained.kind_names(t)
    beyond_film.draw(
        records,
        read,
        whole,
        key="pe_unsure",
        heading=title,
        note=t("fewer is better · {n} texts").format(n=records[0].n_windows),
        draw=partial(figures.unsure, records, read, signs=signs, names=names, whole=whole, t=t),
        title=title,
        provenance=joint([record.provenance for record in records]),
    )


def answer() -> predict.Answer:
    """Find the model whose loss at the end is nearest to its own at the end of the training length."""
    records = [record for record in map(extrapolation.stored, trained.KINDS) if record.possible(_LAST)]
    far = {record.kind: figures.wavering(record, _LAST) for record in records}
    near = {record.kind: figures.wavering(record, record.trained_length - _FIRST) for record in records}
    right = min(far, key=lambda kind: far[kind] / near[kind])
    following = min(value for kind, value in far.items() if kind != right)
    return right, {"far": f"{far[right]:.1f}", "near": f"{near[right]:.1f}", "next": f"{following:.0f}"}
