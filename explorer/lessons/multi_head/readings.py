"""“Multi-head and self-attention”: what the figures of its heads say, computed from their numbers."""

import math

import numpy as np
import numpy.typing as npt

from explorer.lessons.multi_head.aggregates import AggregateMap
from explorer.lessons.multi_head.state import Aggregate, Result
from explorer.lessons.multi_head.untrained import Untrained
from explorer.lessons.multi_head.wording import head_title, token
from explorer.records.attention import AttentionRecord
from explorer.records.heads import ContributionRecord, DropoutRecord, HeadMeasures, InsideRecord
from explorer.records.language import t
from explorer.records.wording import join_sentences, minus, percent, said_strongest


def describe_dropout(record: DropoutRecord) -> str:
    """Say what one draw left of a row, and how near to it the mean over many draws is."""
    if record.share == 0:
        return t("p = 0 drops nothing: every draw leaves the row as it is.")
    gone = int((record.drawn == 0).sum())
    message = t(
        "This draw dropped {gone} of {n} weights; the rest, times {factor}, sum to **{total}** instead of 1. "
        "Draws: {draws}; their mean is at most **{away}** away from the row."
    )
    return message.format(
        gone=gone,
        n=len(record.before),
        factor=f"{1 / (1 - record.share):.3g}",
        total=f"{record.drawn.sum():.2f}",
        draws=f"{record.draws:,}",
        away=f"{np.abs(record.mean - record.before).max():.3f}",
    )


def describe_row(record: AttentionRecord, row: int) -> str:
    """Say where one row of the only head looks most; of a row that may see nothing that is shown, say the strongest."""
    weights = np.nan_to_num(record.weights[0, row])
    if not weights.any():
        return said_strongest(record)
    column = int(weights.argmax())
    message = t("“{query}” looks most at “{key}”: **{share}** of its weight.")
    return message.format(
        query=token(record.query_labels[row]), key=token(record.key_labels[column]), share=f"{weights[column]:.0%}"
    )


def describe_favourites(record: AttentionRecord, row: int) -> str:
    """Say how many different words the heads look at most from one row."""
    favourites = set(record.weights[:, row].argmax(-1).tolist())
    query = token(record.query_labels[row])
    if len(favourites) == 1:
        return t("From “{query}” all heads look most at “{key}”.").format(
            query=query, key=token(record.key_labels[favourites.pop()])
        )
    return t("From “{query}” {heads} heads look most at **{words}** different words.").format(
        query=query, heads=record.n_heads, words=len(favourites)
    )


def describe_table(result: Result) -> str:
    """Say the sharpest and the broadest head, and the one that looks furthest."""
    rows = [row for row in result.measures if not math.isnan(row.entropy)]
    if not rows:
        return t("No head has a choice here: every row may see one token only.")
    sharp, broad = min(rows, key=lambda row: row.entropy), max(rows, key=lambda row: row.entropy)
    far = max(rows, key=lambda row: row.distance)
    return t(
        "Sharpest: {sharp}, about {few} tokens a row. Broadest: {broad}, {many}. Looks furthest: {far}, {distance}"
        " tokens away on average."
    ).format(
        sharp=head_title(sharp.head),
        few=f"{sharp.effective:.1f}",
        broad=head_title(broad.head),
        many=f"{broad.effective:.1f}",
        far=head_title(far.head),
        distance=f"{far.distance:.1f}",
    )


def describe_inside(pair: InsideRecord, key: int) -> str:
    """Say that the product's sum over √d_key is the score; what softmax makes of it, its own picture says.

    Args:
        pair: of the key that stands at position `key` of its row.
    """
    said = t("{d} products of “{query}” and “{key}”, added and divided by √{d}: the score is **{score}**.").format(
        d=pair.d_key,
        query=token(pair.query_label),
        key=token(pair.key_label),
        score=minus(f"{pair.score:.2f}"),
    )
    masked = math.isnan(pair.row_scores[key])
    return join_sentences([said, t("The mask forbids this look, so the weight is 0.") if masked else ""])


def describe_contributions(record: ContributionRecord, query: int) -> str:
    """Say which head adds most to the output of the query token at this position, and which points away from it."""
    share, cosine = record.share[:, query], record.cosine[:, query]
    most = int(share.argmax())
    said = t(
        "For “{query}”, head {most} adds most: {share} of the output’s length along its direction (cosine {cosine})."
    ).format(
        query=token(record.query_labels[query]),
        most=most,
        share=percent(float(share[most])),
        cosine=minus(f"{cosine[most]:.2f}"),
    )
    against = int((share < 0).sum())
    least = int(share.argmin())
    away = t("Heads that point away from it: {count} of {heads}, head {least} most ({share}).").format(
        count=against, heads=len(share), least=least, share=percent(float(share[least]))
    )
    bias = t("The bias adds {share}; together 100%.").format(share=percent(float(record.bias_share[query])))
    return join_sentences([said, away if against else "", bias])


def describe_aggregate(found: AggregateMap, kind: Aggregate) -> str:
    """Say the strongest look of the summary; for maximum and flow, how far it is from a distribution."""
    if found.record is not None:
        return join_sentences([said_strongest(found.record), _spread(found.record.weights[0])])
    if not found.weights.size:
        return t("Nothing is left to show: only special tokens were looked at.")
    if kind == "max":
        return t(
            "A row of the maximum sums to between {low} and {high}: it is no distribution, and hides who looked."
        ).format(low=f"{found.sums.min():.2f}", high=f"{found.sums.max():.2f}")
    row = found.weights[0]
    least = int(np.where(row > 0, row, np.inf).argmin())  # from a later token nothing can flow
    return t(
        "To “{query}” most can flow from “{key}” ({most}), least from “{other}” ({least}). The flows sum to {sum}: they"
        " are no shares."
    ).format(
        query=token(found.query_labels[0]),
        key=token(found.key_labels[int(row.argmax())]),
        most=f"{row.max():.2f}",
        other=token(found.key_labels[least]),
        least=f"{row[least]:.2f}",
        sum=f"{found.sums[0]:.2f}",
    )


def describe_untrained(result: Result, fresh: Untrained, layer: int) -> str:
    """Say how much spread and how many labels the untrained layer has beside the trained one."""
    trained = [row for row in result.measures if (row.head.part, row.head.layer) == ("encoder", layer)]
    spread = t("Of {keys} tokens, a row spreads over about {trained} in trained layer {layer}, over {fresh} untrained.")
    placed = t("Labels about where the weight goes: {trained} of {heads} heads trained, {fresh} of {others} untrained.")
    return join_sentences(
        [
            spread.format(
                keys=len(fresh.record.key_labels),
                trained=f"{_effective(trained):.1f}",
                layer=layer,
                fresh=f"{_effective(fresh.measures):.1f}",
            ),
            placed.format(
                trained=_placed(trained), heads=len(trained), fresh=_placed(fresh.measures), others=len(fresh.measures)
            ),
        ]
    )


def _spread(weights: npt.NDArray[np.float32]) -> str:
    if not weights.size or not weights.any():
        return ""
    nats = -(weights * np.log(np.where(weights > 0, weights, 1))).sum(-1)
    return t("A row spreads over about {n} tokens.").format(n=f"{np.exp(nats).mean():.1f}")


def _effective(rows: list[HeadMeasures] | tuple[HeadMeasures, ...]) -> float:
    return float(np.mean([row.effective for row in rows]))


def _placed(rows: list[HeadMeasures] | tuple[HeadMeasures, ...]) -> int:
    return sum(row.label is not None and row.label.name not in ("broad", "sharp") for row in rows)
