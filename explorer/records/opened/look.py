"""Attention of a model that somebody else made, on one text."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from explorer.records.arrays import Bytes, Float32
from explorer.records.attention import AttentionRecord
from explorer.records.heads import Part
from explorer.records.provenance import Provenance
from explorer.records.readonly import check, record
from explorer.records.sequence import TokenRow

#: A head's rule: where the weight lies that is left beside the resting place.
RuleName = Literal[
    "resting", "previous", "same", "next", "after", "twin", "punctuation", "near", "diagonal", "broad", "mixed"
]
#: Cells of a tile on each side, at most.
MOST_CELLS = 48


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedTokens:
    """The tokens of a text as a model's own tokenizer cuts it.

    Attributes:
        row: labels (empty where a token is a further byte of the character before it), words, special tokens.
        ids: one for each token; empty for the patches of a picture.
        unknown: tokens that the vocabulary lacks; their label is what stands in the text.
        left_off: how many characters at the end of the text were not read.
        grid: rows and columns of patches; None for text.
    """

    row: TokenRow
    ids: tuple[int, ...]
    unknown: tuple[bool, ...] = ()
    left_off: int = 0
    grid: tuple[int, int] | None = None

    def __len__(self) -> int:
        return len(self.row.labels)

    @property
    def rest(self) -> tuple[bool, ...]:
        """Mark the resting place: special tokens or, where the tokenizer added none, the first token."""
        return self.row.special if any(self.row.special) else tuple(position == 0 for position in range(len(self)))

    @property
    def punctuation(self) -> tuple[bool, ...]:
        """Mark the tokens that are nothing but punctuation and symbols."""
        bare = [label.strip() for label in self.row.labels]
        return tuple(bool(text) and all(unicodedata.category(char)[0] in "PS" for char in text) for text in bare)


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One attention of a pass. A module that is called several times, as in ALBERT, is as many sites.

    Attributes:
        number: how many attentions came before it in the pass.
        layer: how many of the same part came before it.
        path: of its module.
        kv_heads: fewer than `heads` where query heads share a key: query head h reads key head h // (heads / kv_heads).
    """

    number: int
    part: Part
    layer: int
    path: str
    heads: int
    kv_heads: int

    @property
    def name(self) -> str:
        """Return its dotted name, such as `decoder.layers.1.self`."""
        where = "encoder" if self.part == "encoder" else "decoder"
        return f"{where}.layers.{self.layer}.{'cross' if self.part == 'cross' else 'self'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadRule:
    """One head on a text: how much of its weight rests, and where the remainder lies.

    Attributes:
        rest: share of the weight on the resting place, 0…1.
        rule: `resting` where nothing else is left, `broad` if evenly spread, `mixed` if none holds.
        leans: whether the rule holds only weakly.
        score: share of the remainder that the rule is about, 0…1; evenness where it is `broad` or `mixed`.
        chance: what an even spread would have scored.
    """

    rest: float
    rule: RuleName
    leans: bool
    score: float
    chance: float


@record
class ModelLook:
    """Every head of a model on one text.

    Attributes:
        queries: tokens that the decoder reads in a model of two stacks; else the same as `keys`.
        keys: tokens that the encoder, or the only stack, reads.
        written: tokens that the decoder of a model of two stacks writes, one after each of `queries`; else None.
        sites: every attention, in the order of the pass.
        rules: of each head of each site.
        tiles: of each site the maps of its heads, `[heads, rows, columns]`, at most `MOST_CELLS` a side: the largest
            weight of each block, coded as by `code`. Whole maps where the text is no longer.
        value_norms: of each site the length of the value vectors, `[kv_heads, keys]`.
        switchable: whether heads of this family can be switched off.
        predicts: whether the model has a prediction head with weights of its own.

    Raises:
        ValueError: if there is not a tile and a rule for each head.
    """

    keys: OpenedTokens
    queries: OpenedTokens
    sites: tuple[Site, ...]
    rules: tuple[tuple[HeadRule, ...], ...]
    tiles: tuple[Bytes, ...]
    value_norms: tuple[Float32, ...]
    switchable: bool
    predicts: bool
    provenance: Provenance
    written: OpenedTokens | None = None

    def __post_init__(self) -> None:
        heads = [site.heads for site in self.sites]
        check([len(each) for each in self.rules] == heads, "there must be a rule for each head of each site")
        check([len(each) for each in self.tiles] == heads, "there must be a tile for each head of each site")

    def tokens(self, part: Part) -> tuple[OpenedTokens, OpenedTokens]:
        """Return the tokens of the rows (queries) and of the columns (keys) of one part."""
        return {"encoder": (self.keys, self.keys), "cross": (self.queries, self.keys)}.get(
            part, (self.queries, self.queries)
        )

    def is_whole(self, site: int) -> bool:
        """Return whether the tiles of a site are its maps and no summaries of them."""
        queries, keys = self.tokens(self.sites[site].part)
        return self.tiles[site].shape[1:] == (len(queries), len(keys))

    def attention(self, site: int, detail: str) -> AttentionRecord:
        """Return the maps of a site from its tiles, which must be whole: to the nearest of 256 roots of a weight.

        Args:
            detail: what the provenance says of that.

        Raises:
            ValueError: the tiles are summaries.
        """
        check(self.is_whole(site), "the tiles of this site are no maps")
        of = self.sites[site]
        queries, keys = self.tokens(of.part)
        causal = of.part == "decoder"
        return AttentionRecord(
            site=of.name,
            kind="causal" if causal else "cross" if of.part == "cross" else "self",
            weights=decode(self.tiles[site]),
            query_labels=queries.row.labels,
            key_labels=keys.row.labels,
            query_role="read",
            provenance=replace(self.provenance, detail=f"{of.name}, {detail}"),
            layer=of.layer,
            allowed=np.tri(len(queries), dtype=np.bool_) if causal else None,
        )

    def count(self) -> dict[RuleName, int]:
        """Count the heads of each rule, the most frequent first."""
        found = [each.rule for site in self.rules for each in site]
        return {name: found.count(name) for name in sorted(set(found), key=lambda name: (-found.count(name), name))}

    def heads(self, rule: RuleName) -> tuple[tuple[int, int], ...]:
        """Return site and head of every head that keeps a rule."""
        return tuple(
            (site.number, head)
            for site, judged in zip(self.sites, self.rules, strict=True)
            for head, each in enumerate(judged)
            if each.rule == rule
        )

    @property
    def rested(self) -> float:
        """Return the mean share of the weight of all heads that lies on the resting place, 0…1."""
        return float(np.mean([each.rest for site in self.rules for each in site]))


def patch_tokens(before: Sequence[str], rows: int, columns: int) -> OpenedTokens:
    """Return the tokens of a picture: what stands before the patches, then each patch by row and column, from 1."""
    labels = (*before, *(f"{row + 1},{column + 1}" for row in range(rows) for column in range(columns)))
    row = TokenRow(
        labels=labels,
        words=tuple((position,) for position in range(len(labels))),
        word_labels=labels,
        special=tuple(position < len(before) for position in range(len(labels))),
    )
    return OpenedTokens(row=row, ids=(), grid=(rows, columns))


def code(weights: Float32) -> Bytes:
    """Round weights to a byte each, 255 √w: the largest error is 0.004, and a row's sum is off by less than 0.01.

    Rounded without the root, small weights would vanish and sums be off by 0.16.
    """
    coded: Bytes = np.round(255 * np.sqrt(np.clip(weights, 0, 1))).astype(np.uint8)
    return coded


def decode(coded: Bytes) -> Float32:
    """Return the weights of bytes: (u / 255)²."""
    weights: Float32 = np.square(coded.astype(np.float32) / 255)
    return weights


def pool(weights: Float32, most: int = MOST_CELLS) -> Float32:
    """Keep the largest weight of each block, so that at most so many rows and columns remain: thin lines stay."""
    for axis in (-2, -1):
        size = weights.shape[axis]
        if size > most:
            weights = np.maximum.reduceat(weights, np.arange(most) * size // most, axis=axis)
    return weights
