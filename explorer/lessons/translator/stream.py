"""Step through a written token, sub-layer by sub-layer; what the figures say, computed from their numbers."""

from dataclasses import replace
from typing import Any

import numpy as np

from explorer.inference.translator.logit_lens import follow
from explorer.lessons.translator.finished import FinishedTranslation
from explorer.lessons.translator.names import name
from explorer.lessons.translator.state import Result
from explorer.records.attention import AttentionRecord
from explorer.records.language import t
from explorer.records.residual_stream import Point, StreamRecord
from explorer.records.token_views import mean_over_heads
from explorer.records.wording import deciding_layer, lens_name, percent


def follow_stream(written: FinishedTranslation) -> StreamRecord:
    """Return the way of every written token through the decoder.

    Raises:
        CheckpointError: the checkpoint cannot be used.
    """
    whole = written.model()
    return follow(whole.prepared, whole.tokenizer, written.source_ids, written.written_ids, whole.provenance)


def point_name(point: Point) -> str:
    """Return a point of the way, in words."""
    names = {
        "read": t("embedding and position"),
        "self": t("layer {layer}: self-attention"),
        "cross": t("layer {layer}: cross-attention"),
        "net": t("layer {layer}: feed-forward net"),
    }
    return names[point.what].format(layer=point.layer)


def attended_at(result: Result, point: Point, position: int) -> AttentionRecord | None:
    """Return where a point's sub-layer looked for one place, mean over heads; None where nothing is attended."""
    if point.what not in ("self", "cross"):
        return None
    record = mean_over_heads(result.trace.attention(f"decoder.layers.{point.layer}.{point.what}"))
    row = slice(position, position + 1)
    # The future is masked: what may be seen ends with the place itself.
    seen = slice(None, position + 1 if point.what == "self" else None)
    weights, keys = record.weights[:, row, seen].copy(), record.key_labels[seen]
    return replace(record, weights=weights, query_labels=record.query_labels[row], key_labels=keys, allowed=None)


def describe_lens_map(record: StreamRecord) -> str:
    """Say how many tokens are settled before the last layer, and which one, if any, is farthest from it there."""
    count, last = len(record.written_labels), len(record.layer_ends) - 1
    settled = [deciding_layer(record, position) for position in range(count)]
    early = sum(each is not None and each < last for each in settled)
    if not early:
        said = t("No piece is the first choice for good before the last layer.")
    elif count == 1:
        said = t("The one piece is the first choice before the last layer already, and stays so.")
    elif early == 1:
        said = t("{early} of {count} pieces is the first choice before the last layer already, and stays so.")
    else:
        said = t("{early} of {count} pieces are the first choice before the last layer already, and stay so.")
    said = said.format(early=early, count=count)
    before = record.layer_ends[-2]
    if not record.rank[before].any():
        return said
    latest = int(record.rank[before].argmax())
    return f"{said} " + t("Farthest from it is “{token}”: rank {rank} before the last layer, {end} after it.").format(
        token=name(record.written_labels[latest]),
        rank=_rank(record.rank[before, latest]),
        end=_rank(record.rank[-1, latest]),
    )


def describe_lens(record: StreamRecord, position: int) -> str:
    """Say when the lens first reads the written token for good, and what it read at the beginning."""
    token, first = name(record.written_labels[position]), record.likeliest[0][position][0]
    since = deciding_layer(record, position)
    begin = t("Before the first layer the lens reads “{other}” ({share}); “{token}” has rank {rank}.").format(
        other=name(first.label), share=percent(first.probability), token=token, rank=_rank(record.rank[0, position])
    )
    if since is None:
        end = t("In the end “{token}” is not the first choice here: it was chosen for the whole sentence.")
        return f"{begin} {end.format(token=token)}"
    end = t("It is the first choice for good {since}, and has {share} in the end.")
    where = lens_name(record.points[record.layer_ends[since]])
    return f"{begin} " + end.format(since=where, share=percent(float(record.share[-1, position])))


def describe_norms(record: StreamRecord, position: int) -> str:
    """Say how the vector grows, and which sub-layer adds most."""
    most = 1 + int(record.added[1:, position].argmax())
    return t(
        "The vector has length {start} when it enters the first layer and {end} when it leaves the last; the longest"
        " addition is that of {where} ({length})."
    ).format(
        start=f"{record.norm[0, position]:.1f}",
        end=f"{record.norm[-1, position]:.1f}",
        where=point_name(record.points[most]),
        length=f"{record.added[most, position]:.1f}",
    )


def describe_point(record: StreamRecord, position: int, number: int) -> str:
    """Say what one sub-layer did to the written token's chances."""
    token, share = name(record.written_labels[position]), percent(float(record.share[number, position]))
    if number == 0:
        return _reading_start(record, position)
    added, before = record.added[number, position], record.norm[number - 1, position]
    said = t("It adds a vector of length {added} to one of length {before}.").format(
        added=f"{added:.1f}", before=f"{before:.1f}"
    )
    chance = t("“{token}” goes from rank {old} ({old_share}) to rank {new} ({share}).").format(
        token=token,
        old=_rank(record.rank[number - 1, position]),
        old_share=percent(float(record.share[number - 1, position])),
        new=_rank(record.rank[number, position]),
        share=share,
    )
    return f"{said} {chance}"


def describe_looked(looked: AttentionRecord) -> str:
    """Say which token got most of one row."""
    weights = looked.weights[0, 0]
    best = int(weights.argmax())
    if len(weights) == 1:
        return t("It can see one token only, “{token}”, which gets everything.").format(
            token=name(looked.key_labels[0])
        )
    return t("“{token}” gets most: {share}.").format(
        token=name(looked.key_labels[best]), share=percent(float(weights[best]))
    )


def _reading_start(record: StreamRecord, position: int) -> str:
    token = f"{record.token_norm[position]:.1f}"
    if record.position_norm is None:
        return t(
            "The decoder read “{token}”: a vector of length {length}. This model adds no code of the place; its"
            " positions, if any, act inside self-attention."
        ).format(token=name(record.read_labels[position]), length=token)
    return t(
        "The decoder read “{token}”: an embedding of length {length}, and added the code of position {position}, of "
        "length {code}."
    ).format(
        token=name(record.read_labels[position]),
        length=token,
        position=position,
        code=f"{record.position_norm[position]:.1f}",
    )


def _rank(before: np.integer[Any]) -> str:
    """Return the rank, counted from 1."""
    return f"{int(before) + 1:,}"
