"""What a notebook gives, read as numbers and names; what is amiss is said in one sentence."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from explorer.records.arrays import Float32
from explorer.records.attention import ROW_SUM_TOLERANCE

#: Letters of a token; more are no token.
MOST_LETTERS = 100


def read_numbers(given: Any, dimensions: range, wanted: str, most: int, limit: str = "") -> Float32:
    """Return numbers as float32, from a tensor of any device and dtype, an array, or lists of these.

    Args:
        given: what was given.
        dimensions: how many there may be.
        wanted: the shapes in words.
        most: how many numbers there may be.
        limit: says that in words, if it is not their number alone.

    Raises:
        ValueError: in one sentence.
    """
    try:
        found = np.asarray(_plain(given))
    except ValueError as ragged:
        raise ValueError(f"the rows are not equally long: give {wanted}") from ragged
    if found.dtype.kind not in "biuf":
        raise ValueError(f"numbers are wanted, not {found.dtype}")
    if found.ndim not in dimensions:
        raise ValueError(f"{found.ndim} dimensions {found.shape}: give {wanted}")
    if found.size == 0:
        raise ValueError(f"there is nothing to draw: a dimension of {found.shape} is 0")
    if found.size > most:
        raise ValueError(f"{found.shape} is too large: at most {limit or f'{most:,} numbers'}; draw a part")
    with np.errstate(over="ignore"):
        numbers = found.astype(np.float32)
    wrong = np.argwhere(~np.isfinite(numbers))
    if len(wrong) and np.isfinite(found).all():
        raise ValueError(f"{np.abs(found).max():g} is too large for float32: divide the numbers first")
    if len(wrong):
        raise ValueError(
            f"{len(wrong)} of {found.size} numbers are NaN or infinite, the first at {wrong[0].tolist()};"
            " numpy.nan_to_num replaces them"
        )
    return numbers


def _plain(given: Any, depth: int = 0) -> Any:
    """Return what NumPy can read: a tensor of any device and dtype, alone or in lists, as an array."""
    if hasattr(given, "detach"):
        there = given.detach().cpu()
        return (there.float() if there.is_floating_point() else there).numpy()
    if isinstance(given, list | tuple) and depth < 4:
        return [_plain(each, depth + 1) for each in given]
    return given


def read_layers(given: Any, most: int) -> Float32:
    """Return weights of attention, `[layers, heads, queries, keys]`: layers and heads that are not there are one.

    Args:
        given: `[queries, keys]`, and before them heads and layers; or what transformers returns as `attentions`, a
            tuple of `[1, heads, queries, keys]`.
        most: how many weights there may be.

    Raises:
        ValueError: these are no weights, or too many, or of several texts.
    """
    if isinstance(given, list | tuple) and any(each is None for each in given):
        raise ValueError('some attentions are None: load the model with attn_implementation="eager"')
    wanted = "[queries, keys], [heads, queries, keys] or [layers, heads, queries, keys]"
    weights = read_numbers(given, range(2, 6), wanted, most)
    if weights.ndim == 5:
        if weights.shape[1] != 1:
            raise ValueError(
                f"a batch of {weights.shape[1]} texts: give the attentions of one, [each[:1] for each in attentions]"
            )
        weights = weights[:, 0]
    weights = weights.reshape((1,) * (4 - weights.ndim) + weights.shape)
    _check_weights(weights)
    return weights


def _check_weights(weights: Float32) -> None:
    """Check that every row is a distribution, or empty."""
    outside = np.argwhere((weights < 0) | (weights > 1 + ROW_SUM_TOLERANCE))
    if len(outside):
        position = tuple(outside[0])
        raise ValueError(
            f"{weights[position]:g} at {outside[0].tolist()} is no weight: weights lie between 0 and 1, "
            "after the softmax"
        )
    sums = weights.sum(-1, dtype=np.float64)
    wrong = np.argwhere(~(np.isclose(sums, 1, atol=ROW_SUM_TOLERANCE) | (sums == 0)))
    if len(wrong):
        position = tuple(wrong[0])
        raise ValueError(
            f"the row at {wrong[0].tolist()} sums to {sums[position]:.4g}: the weights of a query sum to 1 (or to 0, "
            "where everything is masked)"
        )


def read_attention(given: Any, layer: int | None, head: int | None, most: int) -> tuple[Float32, int]:
    """Return the weights of one layer and their mean after them, `[heads + 1, queries, keys]`, and which comes first.

    Args:
        given: as of `read_layers`.
        layer: which one; from the end if negative. None where there is but one.
        head: that comes first, as `layer`; the mean if None.
        most: how many weights there may be.

    Raises:
        ValueError: as of `read_layers`; or there are several layers, or not this one, or no such head.
    """
    weights = read_layers(given, most)
    if layer is None and len(weights) > 1:
        raise ValueError(f"there are {len(weights)} layers: say which, from layer=0 to layer={len(weights) - 1}")
    one = weights[index(0 if layer is None else layer, len(weights), "layer")]
    first = len(one) if head is None else index(head, len(one), "head")
    return np.concatenate([one, one.mean(0, keepdims=True)]), first


def index(number: Any, count: int, what: str) -> int:
    """Return a place among so many, counted from the end if it is negative; raise ValueError where there is none."""
    if not isinstance(number, int | np.integer) or isinstance(number, bool) or not -count <= number < count:
        raise ValueError(f"{what}={number!r}: give a whole number from 0 to {count - 1}")
    return int(number) % count


def read_tokens(tokens: Any, count: int, what: str, most: int) -> tuple[str, ...]:
    """Return the names of rows or columns: their places if none are given.

    Args:
        tokens: a list of texts, or None.
        count: of the rows or columns.
        what: they are called.
        most: how many may be drawn.

    Raises:
        ValueError: they are no texts, too long, too many, or not as many as the numbers say.
    """
    if tokens is None:
        tokens = [str(position) for position in range(count)]
    if isinstance(tokens, str) or not isinstance(tokens, Iterable):
        raise ValueError(f"{what} must be a list of texts, such as text.split(), not {type(tokens).__name__}")
    found = tuple(tokens)
    wrong = next((position for position, each in enumerate(found) if not isinstance(each, str)), None)
    if wrong is not None:
        raise ValueError(f"{what} must be texts: number {wrong} is {type(found[wrong]).__name__}")
    if len(found) != count:
        raise ValueError(f"{len(found)} {what} for {count}: the weights have {count} of them")
    if count > most:
        raise ValueError(f"{count:,} {what} are too many: at most {most}; draw a part")
    long = next((position for position, each in enumerate(found) if len(each) > MOST_LETTERS), None)
    if long is not None:
        raise ValueError(f"number {long} of the {what} has {len(found[long]):,} letters: at most {MOST_LETTERS}")
    return tuple(each.encode("utf8", "replace").decode("utf8") for each in found)
