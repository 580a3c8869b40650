"""Numbers in the answers of the exercises."""

import numpy as np

from explorer.lessons.vision.compute import effects
from explorer.lessons.vision.ui import picture as pictures
from explorer.records.image import patch_name
from explorer.ui import cache


def values() -> dict[str, str]:
    """Return what fills the placeholders of the answers."""
    return {**_sharpest(), **_missed(), **_layer()}


def _sharpest() -> dict[str, str]:
    """Find the head in which the class token gathers most on one patch."""
    largest = pictures.usual().attention.weights[:, :, 0, 1:].max(-1)
    layer, head = np.unravel_index(int(largest.argmax()), largest.shape)
    return {"layer": str(layer), "head": str(head), "most": f"{largest.max():.3f}", "even": f"{largest.min():.3f}"}


def _missed() -> dict[str, str]:
    """Find the patch that the answer misses most, and what the class token gives it in the last layer."""
    result = pictures.usual()
    worth = cache.compute(effects, result.params)
    patch = int(worth.patches.argmin())
    weights = result.attention.weights[-1, :, 0, 1:].mean(0)
    return {
        "patch": patch_name(1 + patch, len(worth.patches)),
        "change": f"{worth.patches.min():+.2f}",
        "rank": str(1 + int((weights > weights[patch]).sum())),
        "patches": str(worth.patches.size),
    }


def _layer() -> dict[str, str]:
    """Switch the heads of each layer off, and find the layer that the answer needs most."""
    result = pictures.usual()
    attention, left = result.attention, []
    for layer in range(attention.n_layers):
        changed = pictures.classify_changed(result, heads=tuple((layer, head) for head in range(attention.n_heads)))
        best = result.answers[0].order[0]
        left.append(float(changed.after[0].probabilities[best]))
    worst, other = int(np.argmin(left)), int(np.argmax(left))
    return {"needed": str(worst), "left": f"{left[worst]:.2f}", "spared": str(other), "kept": f"{left[other]:.2f}"}
