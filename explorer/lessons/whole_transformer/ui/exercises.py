"""Numbers in the answers of the exercises."""

import numpy as np

from explorer.lessons import whole_transformer as lesson
from explorer.lessons.whole_transformer import readings
from explorer.lessons.whole_transformer.ui import asking, names
from explorer.ui.language import t


def values() -> dict[str, str]:
    """Return what fills the placeholders of the answers."""
    result = asking.recorded(lesson.Params())
    whole = result.whole
    scores = sum(whole[f"{site}.scores"].size for site in whole.sites)
    read = len(whole.read.labels)
    hidden = whole.n_decoder * whole.n_heads * read * (read - 1) // 2
    called, layers = names.parts(), names.layers(whole.n_encoder, whole.n_decoder)
    added = {part: float(np.median(readings.shares_added(result, part))) for part in (*whole.sites, *whole.nets)}
    most = max(added, key=lambda part: added[part])
    stack, layer, kind = most.split(".")
    name = called["causal" if stack == "dec" and kind == "self" else kind]
    last = f"dec.{whole.n_decoder - 1}.cross"
    sharp = whole[f"{last}.weights"].max(-1).mean(-1)
    return {
        "scores": f"{scores:,}",
        "hidden": f"{hidden:,}",
        "part": t("{layer}, {part}").format(layer=layers[stack][int(layer)], part=name),
        "share": f"{added[most]:.0%}",
        "head": str(int(sharp.argmax())),
        "sharp": f"{sharp.max():.0%}",
    }
