"""The textbook's layer of five heads: what is said of every step of its split, computed from its numbers."""

import numpy as np

from explorer.lessons.multi_head.records import BATCH, HEADS, KEYS, LENGTHS, NUMBERS, QUERIES, WIDTH, SplitRecord
from explorer.records.language import t
from explorer.records.wording import join_sentences

#: Weights closer than this are equal.
_CLOSE = 1e-5


def describe_split(record: SplitRecord, step: int) -> str:
    """Say what a step does to the shape, and what it means."""
    layout, back = record.layouts[step], step > record.layouts.index("weights")
    if layout == "weights":
        return describe_maps(record)
    if not record.params.swap and layout == "blocks" and not back:
        return t(
            "**Without the swap** the shape is right and the meaning is wrong: the first block holds **four parts of "
            "one query**."
        )
    said = {
        ("rows", False): t(
            "The first matrix makes **{width}** numbers of each of {queries} queries in {batch} sentences."
        ),
        ("parts", False): t("**Cut:** {width} numbers become {heads} parts of {numbers}. Nothing moves in memory."),
        ("heads", False): t("**Swap two axes:** all {queries} queries of one head come together."),
        ("blocks", False): t(
            "**Fold:** sentence and head become one axis of **{blocks}** blocks. The valid lengths are repeated for "
            "them: {lengths} become {repeated}."
        ),
        ("blocks", True): t("Each query has **{numbers}** new numbers in its block: the weighted mean of the values."),
        ("heads", True): t("**Unfold:** {blocks} blocks are {batch} sentences of {heads} heads again."),
        ("parts", True): t("**Swap back:** the {heads} parts of each query come together."),
    }
    if not record.params.swap:
        said["parts", True] = t("**Unfold** without a swap: each part goes back to where it came from.")
    said["rows", True] = _joined(record)
    return said[layout, back].format(
        width=WIDTH,
        queries=QUERIES,
        batch=BATCH,
        heads=HEADS,
        numbers=NUMBERS,
        blocks=BATCH * HEADS,
        lengths=", ".join(map(str, LENGTHS)),
        repeated=", ".join(map(str, record.lengths)),
        off=f"{record.off:.1f}",
    )


def _joined(record: SplitRecord) -> str:
    if not record.params.swap:
        return t("**Join:** the shape is the old one and no error was raised, but the output is up to **{off}** off.")
    return t("**Join:** {width} numbers for each query again, of all heads. The last matrix mixes them: the output.")


def describe_maps(record: SplitRecord) -> str:
    """Say how far the maps of the heads differ."""
    first, second = (record.weights[sentence * HEADS : (sentence + 1) * HEADS] for sentence in range(BATCH))
    seen = t("Queries of a block look at its first {first} of {keys} keys, in the second sentence at {second}.").format(
        first=LENGTHS[0], second=LENGTHS[1], keys=KEYS
    )
    if all(np.ptp(each[..., :length]) < _CLOSE for each, length in zip((first, second), LENGTHS, strict=True)):
        even = t("All inputs are equal, so all {heads} heads share evenly: **{first}** each, and **{second}**.").format(
            heads=HEADS, first=f"{first[0, 0, 0]:.2f}", second=f"{second[0, 0, 0]:.2f}"
        )
        return join_sentences([seen, even])
    block, query, key = np.unravel_index(int(record.weights.argmax()), record.weights.shape)
    most = t("The maps differ; the largest weight is **{weight}** ({block}, query {query}, key {key}).").format(
        weight=f"{record.weights.max():.2f}", block=block_title(record, int(block)), query=query + 1, key=key + 1
    )
    return join_sentences([seen, most])


def block_title(record: SplitRecord, block: int) -> str:
    """Name a block: by sentence and head, or by its number where it holds something else."""
    if not record.params.swap:
        return t("block {number}").format(number=block)
    return t("sentence {sentence} · head {head}").format(sentence=block // HEADS + 1, head=block % HEADS)
