"""“The Transformer, whole”: what its pictures say, computed from the record."""

from collections.abc import Mapping

import numpy as np

from explorer.lessons.whole_transformer.state import Result
from explorer.records.arrays import Float32
from explorer.records.language import t
from explorer.records.wording import is_word, token

#: Of the products of a score, so many are called few.
FEW = 6


def n_maps(result: Result) -> int:
    """Return how many maps of weights one pass makes."""
    return len(result.whole.sites) * result.whole.n_heads


def shares_added(result: Result, part: str) -> Float32:
    """Return how long what a part adds is, as a share of the length of the line that it is added to, word by word."""
    added, after = result.whole[f"{part}.added"], result.whole[f"{part}.after"]
    shares: Float32 = np.linalg.norm(added, axis=1) / np.linalg.norm(after - added, axis=1)
    return shares


def parts_of(layer: str) -> tuple[str, ...]:
    """Return the parts of a layer such as `dec.1`, in their order."""
    kinds = ("self", "cross", "net") if layer.startswith("dec") else ("self", "net")
    return tuple(f"{layer}.{kind}" for kind in kinds)


def most_divided_row(result: Result, part: str, head: int) -> tuple[int, int]:
    """Return the row whose look is divided most evenly between two words, and where it looks most.

    Ends and punctuation marks are left out where there are words.
    """
    weights, (asks, asked) = result.whole[f"{part}.weights"][head], rows_of(result, part)
    order = weights.argsort(-1)[:, ::-1]
    second = order[:, min(1, weights.shape[1] - 1)]
    able = np.array(
        [
            is_word(label) and is_word(asked[first]) and is_word(asked[other])
            for label, first, other in zip(asks, order[:, 0], second, strict=True)
        ]
    )
    shares = weights[np.arange(len(asks)), second]
    row = int(np.where(able, shares, shares - 1).argmax())
    return row, int(order[row, 0])


def rows_of(result: Result, part: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the tokens of the rows and of the columns of an attention."""
    stack, _, kind = part.split(".")
    asks = result.whole.source.labels if stack == "enc" else result.whole.read.labels
    return asks, result.whole.source.labels if kind == "cross" else asks


def products(result: Result, part: str, head: int, row: int, column: int) -> Float32:
    """Return the products of a query and a key, number by number."""
    size = result.whole[f"{part}.q"].shape[1] // result.whole.n_heads
    inside = slice(head * size, (head + 1) * size)
    found: Float32 = result.whole[f"{part}.q"][row, inside] * result.whole[f"{part}.k"][column, inside]
    return found


def few_share(values: Float32) -> float:
    """Return what the few largest products make of all that is added or taken away."""
    sizes = np.sort(np.abs(values))[::-1]
    return float(sizes[:FEW].sum() / sizes.sum())


def describe_whole(result: Result) -> str:
    """Say how much the picture holds, and where the model hesitated most."""
    whole = result.whole
    least = min(whole.steps, key=lambda step: step.written.probability).written
    said = t(
        "**{source}** pieces are read at once, **{written}** are written one after another, through **{maps}** maps "
        "of weights. Least sure: “{word}”, **{share:.0%}**."
    )
    if len(whole.written.labels) == 1:
        said = t(
            "**{source}** pieces are read at once, **one** is written, through **{maps}** maps of weights. Least sure: "
            "“{word}”, **{share:.0%}**."
        )
    return said.format(
        source=len(whole.source.labels),
        written=len(whole.written.labels),
        maps=n_maps(result),
        word=token(least.label),
        share=least.probability,
    )


def kind_of(part: str) -> str:
    """Return `self`, `causal`, `cross` or `net`, from a part's name such as `dec.1.self`."""
    return "causal" if part.startswith("dec") and part.endswith("self") else part.rpartition(".")[2]


def seen_weights(result: Result, part: str, head: int) -> Float32:
    """Return the weights of a head, NaN where the mask hides what is not written yet."""
    weights = np.array(result.whole[f"{part}.weights"][head], np.float32)
    if kind_of(part) == "causal":
        weights[np.triu_indices(len(weights), 1)] = np.nan
    return weights


def describe_layer(result: Result, layer: str, called: Mapping[str, str]) -> str:
    """Say how much each part adds, and how few units are active."""
    said = [
        t("{part} **+{share:.0%}**").format(
            part=called[kind_of(part)],
            share=float(np.median(shares_added(result, part))),
        )
        for part in parts_of(layer)
    ]
    text = t("Added to a line, as a share of its length (median): {parts}. **{awake:.1%}** of the units are active.")
    return text.format(parts=t(", ").join(said), awake=result.awake(f"{layer}.net"))


def describe_head(result: Result, part: str, head: int) -> str:
    """Say between which two words a head divides its look most evenly."""
    row, _ = most_divided_row(result, part, head)
    (asks, asked), weights = rows_of(result, part), result.whole[f"{part}.weights"][head, row]
    if len(weights) == 1:
        return t("Head {head}: “{query}” has only itself to look at.").format(head=head, query=token(asks[row]))
    first, second = weights.argsort()[::-1][:2]
    return t(
        "Most divided look of head {head}: “{query}” gives **{most:.0%}** to “{first}” and **{next:.0%}** to "
        "“{second}”."
    ).format(
        head=head,
        query=token(asks[row]),
        first=token(asked[first]),
        second=token(asked[second]),
        most=float(weights[first]),
        next=float(weights[second]),
    )


def describe_row(result: Result, part: str, head: int, row: int) -> str:
    """Say from which two words a word takes most."""
    (asks, asked), weights = rows_of(result, part), result.whole[f"{part}.weights"][head, row]
    order = weights.argsort()[::-1]
    text = t("“{query}” has only itself to look at.")
    if len(weights) > 1:
        text = t("“{query}” takes **{most:.0%}** of its mixture from “{first}”, **{next:.0%}** from “{second}”.")
    first, second = order[0], order[min(1, len(order) - 1)]
    return text.format(
        query=token(asks[row]),
        first=token(asked[first]),
        second=token(asked[second]),
        most=float(weights[first]),
        next=float(weights[second]),
    )


def describe_score(result: Result, part: str, head: int, row: int, column: int) -> str:
    """Say how a score comes about."""
    values = products(result, part, head, row, column)
    score = float(result.whole[f"{part}.scores"][head, row, column])
    return t(
        "The products sum to **{sum:.2f}**; divided by √{count} that is a score of **{score:.2f}**. The {few} largest "
        "make **{share:.0%}** of all that is added or taken away."
    ).format(sum=float(values.sum()), count=len(values), score=score, few=FEW, share=few_share(values))
