"""Every mechanism by name, with its settings, so that one can stand in for another."""

from collections.abc import Callable
from dataclasses import dataclass, fields

from jaxtyping import Bool, Float
from torch import Tensor

from explorer.attention import masking
from explorer.attention.attend import attend
from explorer.attention.efficient import (
    bigbird,
    block_sparse,
    dilated,
    flash,
    global_tokens,
    grouped,
    linear,
    longformer,
    performer,
    strided,
    window,
)
from explorer.attention.efficient.partial import at_least
from explorer.attention.efficient.plain import plain

#: Each mechanism and the settings that it has.
SETTINGS: dict[str, tuple[str, ...]] = {
    "plain": (),
    "window": ("width",),
    "dilated": ("width", "gap"),
    "strided": ("stride",),
    "global": ("n_global",),
    "longformer": ("width", "n_global"),
    "block": ("block", "reach"),
    "bigbird": ("block", "n_global", "n_random", "seed"),
    "linear": (),
    "performer": ("n_features", "seed"),
    "grouped": ("groups",),
    "flash": ("tile_queries", "tile_keys"),
}

#: Those that count something of which there must be one.
COUNTS = ("width", "gap", "stride", "block", "n_features", "groups", "tile_queries", "tile_keys")

Heads = Float[Tensor, "*batch heads positions d"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One mechanism with its settings; those it does not have stay as they are and mean nothing.

    Attributes:
        name: one of `SETTINGS`.
        width: of a window, in positions to each side, the query's own included.
        gap: between the positions of a dilated window.
        stride: of strided attention.
        n_global: global positions; for `bigbird` global blocks.
        block: positions to a block.
        reach: blocks to each side of one's own.
        groups: heads of keys and values that are left.
        n_random: of `bigbird`, random blocks for each block.
        n_features: random features of `performer`.
        tile_queries: queries to a tile.
        tile_keys: keys to a tile.
        seed: of random blocks and features.

    Raises:
        ValueError: if there is no such mechanism, or a setting of its own is out of range.
    """

    name: str
    width: int = 16
    gap: int = 4
    stride: int = 8
    n_global: int = 1
    block: int = 8
    reach: int = 1
    n_random: int = 1
    n_features: int = 64
    groups: int = 1
    tile_queries: int = 128
    tile_keys: int = 128
    seed: int = 0

    def __post_init__(self) -> None:
        if self.name not in SETTINGS:
            raise ValueError(f"there is no mechanism {self.name!r}; choose one of {', '.join(SETTINGS)}")
        own = self.own()
        at_least(self.name, 1, **{name: own[name] for name in COUNTS if name in own})
        at_least(self.name, int(self.name == "global"), n_global=self.n_global)
        at_least(self.name, 0, reach=self.reach, n_random=self.n_random)

    def own(self) -> dict[str, int]:
        """The settings that this mechanism has."""
        return {name: getattr(self, name) for name in SETTINGS[self.name]}

    def attend(self, query: Heads, key: Heads, value: Heads, *, causal: bool) -> Heads:
        """The output for a sequence that attends to itself, all heads at once.

        Raises:
            ValueError: if a setting is out of range, or does not fit these heads.
        """
        if self.name == "block":
            layout = self._layout(query.shape[-2], causal)
            return block_sparse.block_sparse(query, key, value, causal=causal, block=self.block, layout=layout)
        if self.name == "grouped":
            key, value = (grouped.pool_heads(each, self.groups) for each in (key, value))
            return grouped.grouped_query(query, key, value, causal=causal)
        mechanisms: dict[str, Callable[..., Tensor]] = {
            "plain": plain,
            "window": window.sliding_window,
            "dilated": dilated.dilated_mask,
            "strided": strided.strided_mask,
            "global": global_tokens.global_tokens,
            "longformer": longformer.longformer,
            "bigbird": bigbird.bigbird,
            "linear": linear.linear,
            "performer": performer.performer,
            "flash": flash.flash,
        }
        return mechanisms[self.name](query, key, value, causal=causal, **self.own())

    def mask(self, n: int, *, causal: bool) -> Bool[Tensor, "positions positions"] | None:
        """Return the cells that a sparse mechanism allows; None where it is not a matter of cells."""
        own = self.own()
        if self.name in ("block", "bigbird"):
            return block_sparse.pattern(n, causal=causal, block=self.block, layout=self._layout(n, causal))
        made: dict[str, Callable[..., Tensor]] = {
            "window": window.pattern,
            "dilated": dilated.pattern,
            "strided": strided.pattern,
            "global": global_tokens.pattern,
            "longformer": longformer.pattern,
        }
        return made[self.name](n, causal=causal, **own) if self.name in made else None

    def weights(self, query: Heads, key: Heads, *, causal: bool) -> Float[Tensor, "*batch heads positions positions"]:
        """The weights that stand behind the output, formed in full to be looked at; most mechanisms never do.

        Raises:
            ValueError: as for `attend`.
        """
        n = query.shape[-2]
        if self.name == "linear":
            return linear.weights(linear.elu_plus_one(query), linear.elu_plus_one(key), causal=causal)
        if self.name == "performer":
            return linear.weights(*performer.features(query, key, **self.own()), causal=causal)
        if self.name == "grouped":
            repeats = query.shape[-3] // self.groups
            key = grouped.pool_heads(key, self.groups).repeat_interleave(repeats, -3)
        mask = self.mask(n, causal=causal)
        if mask is None and causal:
            mask = masking.causal(n, n)
        return attend(query, key, key, allowed=None if mask is None else mask.to(query.device)).weights

    def _layout(self, n: int, causal: bool) -> block_sparse.BlockLayout:
        blocks = block_sparse.n_blocks(n, self.block)
        if self.name == "block":
            return block_sparse.band_mask(blocks, self.reach)
        options = {"n_global": self.n_global, "n_random": self.n_random, "seed": self.seed}
        return bigbird.layout(blocks, **options, causal=causal)


#: Names of all settings.
ALL_SETTINGS = tuple(field.name for field in fields(Variant) if field.name != "name")
