"""The picture that two scenes share: what both models take a picture for."""

from collections.abc import Mapping, Sequence
from functools import partial

from explorer.lessons.vision import readings
from explorer.lessons.vision.figures import answers as figures
from explorer.records.image import Classification
from explorer.records.provenance import joint
from explorer.ui.scene import picture


def show(
    key: str,
    series: Mapping[str, Classification],
    *,
    faint: Sequence[str] = (),
    title: str,
    reading: str,
    height: picture.Height = picture.USUAL,
    of: object,
    own: bool,
) -> None:
    """Draw the answers as bars."""
    names = {each: readings.class_name(each) for answer in series.values() for each in answer.classes}
    picture.show_chart(
        key,
        partial(figures.answers, series, names=names, faint=faint),
        title=title,
        reading=reading,
        provenance=joint([each.provenance for name, each in series.items() if name not in faint]),
        of=of,
        own=own,
        height=height,
    )
