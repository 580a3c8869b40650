"""Numbers in the answers of the exercises."""

from explorer.attention.efficient.variants import Variant
from explorer.lessons.efficient_attention import task
from explorer.lessons.efficient_attention.compute import flash_steps
from explorer.lessons.efficient_attention.flash import FlashParams
from explorer.records.wording import FLOAT, said_size
from explorer.ui import cache

#: Positions and heads of one layer of a large model that reads a long document.
_N, _HEADS = 131_072, 32


def values() -> dict[str, str]:
    """Return what fills the placeholders of the answers."""
    widths = {width: task.point(Variant(name="window", width=width)).letters for width in (1, 2, 4, 8)}
    coarse, fine = (cache.compute(flash_steps, FlashParams(tile_queries=size, tile_keys=size)) for size in (16, 4))
    return {
        "one": f"{widths[1]:.3g}",
        "two": f"{widths[2]:.3g}",
        "four": f"{widths[4]:.3g}",
        "eight": f"{widths[8]:.3g}",
        "coarse": str(len(coarse.steps)),
        "fine": str(len(fine.steps)),
        "coarse_off": f"{coarse.difference:.0e}",
        "fine_off": f"{fine.difference:.0e}",
        "matrix": said_size(2 * FLOAT * float(_N) ** 2 * _HEADS),
        "flash": said_size(FLOAT * float(_N) * _HEADS),
    }
