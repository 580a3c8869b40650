"""Live pictures of somebody's own numbers, by the scripts that draw them in the app."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from explorer.figures.live import (
    journey as journeys,
    ribbons as between,
)
from explorer.figures.live.modules import EXPLORER
from explorer.figures.look import look
from explorer.records import AttentionRecord, Provenance
from explorer.records.arrays import Float32
from explorer.records.journey import JourneyRecord
from explorer.records.language import t
from explorer.records.opened.look import code
from explorer.records.wording import token
from explorer.show.cell import show
from explorer.show.given import read_attention, read_layers, read_numbers, read_tokens
from explorer.show.picture import Heard, LivePicture

#: Scripts of lessons that draw anybody's numbers.
EVERY_HEAD = EXPLORER / "lessons" / "open_model" / "live" / "every_head.js"
ONE_WORD = EXPLORER / "lessons" / "open_model" / "live" / "one_word.js"
MASK = EXPLORER / "lessons" / "masked_softmax" / "live" / "mask.js"
REGRESSION = EXPLORER / "lessons" / "kernel_regression" / "live" / "regression.js"
#: More weights would make a cell of several megabytes.
MOST_WEIGHTS = 4_000_000
#: Words of a text; those that ribbons join, and that a journey passes; rows of a mask: more cannot be told apart.
MOST_TOKENS, MOST_JOINED, MOST_PASSED, MOST_MASKED = 512, 64, 24, 32
#: Numbers of a vector on its journey; points of a fit; stops of its query, and of its width.
MOST_FEATURES, MOST_POINTS, STOPS = 64, 500, 200
KERNELS = ("gaussian", "boxcar", "triangular", "epanechnikov")
#: Tokens that nobody types: a head rests on them when it needs no word.
_RESTS = frozenset(
    {"<s>", "</s>", "<bos>", "<eos>", "<pad>", "[CLS]", "[SEP]", "[PAD]", "[BOS]", "[EOS]"}
    | {"<|endoftext|>", "<|begin_of_text|>", "<|im_start|>", "<|im_end|>"}
)
#: The rule of a head that nobody has judged: it has no name.
_UNJUDGED = {"sign": "", "colour": "#c3cad3", "name": ""}


def heads(weights: Any, tokens: Iterable[str] | None = None, keys: Any = None, *, dark: bool = False) -> LivePicture:
    """Draw every head of every layer as a square, the chosen one large, and one of its rows over the text.

    Args:
        weights: `[layers, heads, queries, keys]`, or fewer dimensions; or what transformers returns as `attentions`.
        tokens: that ask; their places if none are given.
        keys: tokens that are asked, where they are others (cross-attention).
        dark: for a notebook on dark paper.

    Returns:
        A picture; `.head` is the layer and the head that the reader has chosen, `.query` the row.

    Raises:
        ValueError: the weights or the tokens cannot be drawn; it says why.
    """
    given = read_layers(weights, MOST_WEIGHTS)
    layers, count, _, _ = given.shape
    part = _part(given, tokens, keys, MOST_TOKENS)
    site = {"part": "encoder", "name": "", "heads": count, "kv": count}
    site |= {"rules": [0] * count, "strength": [1.0] * count, "rest": [0.0] * count}

    def drawn() -> dict[str, Any]:
        return {
            "parts": {"encoder": part},
            "sites": [site | {"layer": layer} for layer in range(layers)],
            "tiles": list(code(given)),
            "one": None,
            "rules": [_UNJUDGED],
            "head": (0, 0, 0),
            "word": (-1, 0),
            "hide": False,
            "shown": "maps",
            "scale": look().weights,
            "masked": (look().line, look().hatch),
        }

    def chosen(said: Any) -> Any:
        position = read_place(said, "position", layers * count)
        return None if position is None else {"head": divmod(position, count)}

    heard: dict[str, Heard] = {"head": chosen, "word": lambda said: read_kept(said, len(part["asks"]))}
    title = t("What each head does: a row for each layer")
    return show(EVERY_HEAD, drawn, title=title, dark=dark, heard=heard, head=(0, 0))


def text(
    weights: Any,
    tokens: Iterable[str] | None = None,
    keys: Any = None,
    *,
    layer: int | None = None,
    head: int | None = None,
    dark: bool = False,
) -> LivePicture:
    """Write a text of which one word asks, the others tinted by the weight that they get, in one head or in the mean.

    Args:
        weights: `[heads, queries, keys]` or `[queries, keys]`; of several layers one is named.
        tokens: as of `heads`, at most 512, as are keys and dark.
        keys: as of `heads`.
        layer: which one, from the end if negative.
        head: that is shown first; the mean of all if None.
        dark: as of `heads`.

    Returns:
        A picture; `.query` is the token that the reader has clicked, `.head` the chosen head, None for the mean.

    Raises:
        ValueError: as of `heads`; or there is no such layer or head, or several layers and none is named.
    """
    maps, first = read_attention(weights, layer, head, MOST_WEIGHTS)
    count = len(maps) - 1
    part = _part(maps, tokens, keys, MOST_TOKENS)

    def drawn() -> dict[str, Any]:
        return {
            "part": part,
            "maps": code(maps),
            "heads": [-1] * count,
            "rules": [],
            "head": (first, 0),
            "word": (-1, 0),
            "away": False,
            "scale": look().weights,
        }

    def chosen(said: Any) -> Any:
        position = read_place(said, "position", count + 1)
        return None if position is None else {"head": None if position == count else position}

    heard: dict[str, Heard] = {"head": chosen, "asks": lambda said: read_kept(said, len(part["asks"]))}
    title = t("The text: a word that is clicked asks")
    return show(ONE_WORD, drawn, title=title, dark=dark, heard=heard, head=None if first == count else first)


def ribbons(
    weights: Any,
    queries: Iterable[str] | None = None,
    keys: Any = None,
    *,
    layer: int | None = None,
    head: int | None = None,
    dark: bool = False,
) -> LivePicture:
    """Join each word that asks to the words it looks at, by ribbons as wide as the weights.

    Args:
        weights: as of `text`.
        queries: tokens that ask, at most 64; their places if none are given.
        keys: tokens that are asked, where they are others (cross-attention).
        layer: as of `text`.
        head: that is drawn; the mean of all if None.
        dark: as of `heads`.

    Returns:
        A picture; `.query` is the word that the reader has clicked.

    Raises:
        ValueError: as of `text`.
    """
    maps, first = read_attention(weights, layer, head, MOST_WEIGHTS)
    asks, asked = _names(maps, queries, keys, MOST_JOINED)
    record = _record(maps[first][None], asks, asked, ribbons)

    def drawn() -> dict[str, Any]:
        hint = t("Point at a word; a click keeps it.")
        return between.pack(record, sentence=t("{query} looks most at {key}."), hint=hint)

    def pinned(said: Any) -> Any:
        row = read_place(said, "row", len(asks))
        return None if row is None else {"query": row}

    title = t("Who looks at whom")
    return show(between.SCRIPT, drawn, title=title, dark=dark, heard={"pinned": pinned})


def journey(
    query: Any,
    keys: Any,
    values: Any,
    tokens: Iterable[str] | None = None,
    *,
    asker: str = "q",
    dark: bool = False,
) -> LivePicture:
    """Play scaled dot-product attention number by number: products, scores, softmax, weighted sum of the values.

    Args:
        query: `[queries, d]`, one for each key (each word asks), or `[d]`, one that asks them all.
        keys: `[keys, d]`.
        values: `[keys, d_value]`.
        tokens: names of the keys, at most 24; their places if none are given.
        asker: name of a query that is alone.
        dark: as of `heads`.

    Returns:
        A picture; `.query` is the word that asks.

    Raises:
        ValueError: the shapes do not fit, or as of `heads`.
    """
    vectors, most = "[keys, d]", MOST_PASSED * MOST_FEATURES
    key, value = read_numbers(keys, range(2, 3), vectors, most), read_numbers(values, range(2, 3), vectors, most)
    asking = np.atleast_2d(read_numbers(query, range(1, 3), "[d] or [queries, d]", most))
    count, d = key.shape
    if max(d, value.shape[1]) > MOST_FEATURES:
        raise ValueError(f"vectors of {max(d, value.shape[1])} numbers are too long: at most {MOST_FEATURES}")
    if asking.shape[1] != d:
        raise ValueError(f"queries of {asking.shape[1]} numbers cannot be compared with keys of {d}")
    if len(value) != count:
        raise ValueError(f"{len(value)} values for {count} keys: each key has one")
    if len(asking) not in {1, count}:
        raise ValueError(f"{len(asking)} queries for {count} keys: give one for each key, or one that asks them all")
    words = read_tokens(tokens, count, "tokens", MOST_PASSED)
    (name,) = read_tokens([asker], 1, "asker", 1)
    alone = len(asking) < count or count == 1
    scores = asking.astype(np.float64) @ key.T.astype(np.float64) / np.sqrt(d)
    grown = np.exp(scores - scores.max(-1, keepdims=True))
    weights = (grown / grown.sum(-1, keepdims=True)).astype(np.float32)
    record = JourneyRecord(
        attention=_record(weights[None], (name,) if alone else words, words, journey),
        query=asking,
        key=key,
        value=value,
        scores=scores.astype(np.float32),
        output=weights @ value,
        asker=(name or "q") if alone else "",
    )

    def asks(said: Any) -> Any:
        position = read_place({"position": said}, "position", count)
        return None if position is None else {"query": position}

    title = t("“{word}” asks: score and weight of every word, and the output").format(
        word=token(record.asker or words[0])
    )
    return show(journeys.SCRIPT, lambda: journeys.pack(record), title=title, dark=dark, heard={"asks": asks})


def regression(
    x: Any,
    y: Any,
    *,
    width: float | None = None,
    query: float | None = None,
    kernel: str = "gaussian",
    dark: bool = False,
) -> LivePicture:
    """Draw kernel regression of points: query, width and points are dragged, the fit and the weights follow.

    Args:
        x: places of the points, the keys, 2 to 500 of them.
        y: what was observed there, the values.
        width: of the kernel, in units of x; a tenth of their range if None.
        query: where is asked; in the middle if None.
        kernel: gaussian, boxcar, triangular or epanechnikov.
        dark: as of `heads`.

    Returns:
        A picture; `.query` and `.width` are where the reader has left them.

    Raises:
        ValueError: the points cannot be drawn, a number is none, or nobody knows the kernel.
    """
    across = read_numbers(x, range(1, 2), "one number for each point", MOST_POINTS).astype(np.float64)
    up = read_numbers(y, range(1, 2), "one number for each point", MOST_POINTS).astype(np.float64)
    if len(across) != len(up):
        raise ValueError(f"{len(up)} y for {len(across)} x: each point has one of both")
    low, high = float(across.min()), float(across.max())
    if not low < high:
        raise ValueError(f"every x is {low:g}: at least two places are needed")
    if kernel not in KERNELS:
        raise ValueError(f"nobody knows the kernel {kernel!r}; {', '.join(KERNELS)} are some")
    least = (high - low) / STOPS
    wide = _number((high - low) / 10 if width is None else width, least, high - low, "width")
    asked = _number((low + high) / 2 if query is None else query, low, high, "query")
    order = np.argsort(across, kind="stable")

    def drawn() -> dict[str, Any]:
        return {
            "kernel": kernel,
            "width": wide,
            "points": {"x": across[order], "y": up[order]},
            "queries": np.linspace(low, high, STOPS + 1),
            "truth": None,
            "numbers": order,
            "query": asked,
            "widths": (least, high - low),
            "keys": {},
        }

    heard: dict[str, Heard] = {
        "query": lambda said: {"query": float(said)} if _lies(said, low, high) else None,
        "width": lambda said: {"width": float(said)} if _lies(said, 0, np.inf) else None,
    }
    title = t("The fit, and what one query attends to")
    return show(REGRESSION, drawn, title=title, dark=dark, heard=heard, query=asked, width=wide)


def mask(scores: Any, tokens: Iterable[str] | None = None, forbidden: Any = None, *, dark: bool = False) -> LivePicture:
    """Draw softmax of scores as a map whose cells can be forbidden: each row shares out its weight anew.

    Args:
        scores: `[tokens, tokens]`, before the softmax, divided by √d if they shall be.
        tokens: at most 32; their places if none are given.
        forbidden: `[tokens, tokens]`, true where a query must not look; nowhere if None.
        dark: as of `heads`.

    Returns:
        A picture; `.forbidden` are the cells that are, `(query, key)` each, `.query` is the row beside the map.

    Raises:
        ValueError: these are no square matrices, or as of `heads`.
    """
    square = "[tokens, tokens]"
    given = read_numbers(scores, range(2, 3), square, MOST_MASKED**2, f"{MOST_MASKED} tokens")
    count = len(given)
    if given.shape != (count, count):
        raise ValueError(f"{given.shape} is no square: give {square}")
    words = read_tokens(tokens, count, "tokens", MOST_MASKED)
    hidden = np.zeros(given.shape, np.bool_)
    if forbidden is not None:
        hidden = read_numbers(forbidden, range(2, 3), square, given.size) != 0
    if hidden.shape != given.shape:
        raise ValueError(f"forbidden is {hidden.shape}, the scores are {given.shape}")

    def drawn() -> dict[str, Any]:
        data = {"labels": [token(word) for word in words], "scores": given, "hidden": hidden, "row": 0}
        return data | {"scale": look().weights, "hatch": look().hatch}

    def painted(said: Any) -> Any:
        row, cells = read_place(said, "row", count), said.get("cells") if isinstance(said, dict) else None
        if row is None or not isinstance(cells, list) or not all(_lies_within(cell, count) for cell in cells):
            return None
        return {"query": row, "forbidden": [tuple(cell) for cell in cells]}

    known = [(int(row), int(column)) for row, column in np.argwhere(hidden)]
    title = t("Who looks at whom")
    return show(MASK, drawn, title=title, dark=dark, heard={"painted": painted}, forbidden=known)


def _names(weights: Float32, tokens: Any, keys: Any, most: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of rows and columns; the same tokens on both sides where no keys are given."""
    rows, columns = weights.shape[-2:]
    if keys is None and tokens is not None and rows != columns:
        raise ValueError(f"{rows} queries and {columns} keys: name both, the second as keys=")
    asks = read_tokens(tokens, rows, "tokens", most)
    return asks, asks if keys is None and rows == columns else read_tokens(keys, columns, "keys", most)


def _part(weights: Float32, tokens: Any, keys: Any, most: int) -> dict[str, Any]:
    """Return who asks whom, as the pictures of open models read it; a mask is seen where nobody looks ahead."""
    asks, asked = _names(weights, tokens, keys, most)
    itself = keys is None and len(asks) == len(asked)
    ahead = np.triu(np.ones(weights.shape[-2:], np.bool_), 1)
    return {
        "asks": [token(each) for each in asks],
        "asked": [token(each) for each in asked],
        "rest": [each in _RESTS for each in asked],
        "causal": itself and len(asks) > 1 and not weights[..., ahead].any(),
        "itself": itself,
    }


def _record(weights: Float32, asks: tuple[str, ...], asked: tuple[str, ...], drawn_by: Any) -> AttentionRecord:
    return AttentionRecord(
        site="own",
        kind="scored",
        weights=weights,
        query_labels=asks,
        key_labels=asked,
        query_role="read",
        provenance=Provenance.of(drawn_by),
    )


def _number(given: Any, low: float, high: float, what: str) -> float:
    """Return a number within its ends; raise ValueError if it is none."""
    if not _lies(given, low, high):
        raise ValueError(f"{what} is {given!r}: give a number from {low:g} to {high:g}")
    return float(given)


def _lies(said: Any, low: float, high: float) -> bool:
    """Return whether something is a finite number within these ends."""
    number = isinstance(said, int | float | np.number) and not isinstance(said, bool)
    return number and bool(np.isfinite(said)) and low <= said <= high


def _lies_within(cell: Any, count: int) -> bool:
    """Return whether something is a cell of a square map."""
    return isinstance(cell, list) and len(cell) == 2 and all(type(at) is int and 0 <= at < count for at in cell)


def read_place(said: Any, name: str, count: int) -> int | None:
    """Return a place among so many that a script tells; None if it is none."""
    position = said.get(name) if isinstance(said, dict) else None
    return position if type(position) is int and 0 <= position < count else None


def read_kept(said: Any, count: int) -> Any:
    """Return which word asks until another does; 0 means that none is kept."""
    position = read_place(said, "position", count + 1)
    return None if position is None else {"query": position - 1 if position else None}
