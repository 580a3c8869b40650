"""“Translator”: the numbers behind its figures, as tables."""

from collections.abc import Sequence

import pandas as pd

from explorer.lessons.translator.names import name
from explorer.records import AttentionRecord
from explorer.records.alignment import HeadAlignments
from explorer.records.language import t
from explorer.records.residual_stream import StreamRecord
from explorer.records.sequence import Likely
from explorer.ui import tables


def lengths(record: StreamRecord, position: int, names: Sequence[str]) -> pd.DataFrame:
    """Return every point of one token's way: lengths, and how the written token stands under the lens."""
    return pd.DataFrame(
        {
            t("where"): list(names),
            t("length of what is added"): record.added[:, position],
            t("length of the vector after it"): record.norm[:, position],
            t("probability of the written token"): record.share[:, position],
            t("its rank"): record.rank[:, position] + 1,
        }
    )


def point(likeliest: Sequence[Likely], looked: AttentionRecord | None) -> pd.DataFrame:
    """Return what the lens reads at a point of one token's way, and below it how much of all it looked at there."""
    read = {t("token"): [name(each.label) for each in likeliest]}
    lens = pd.DataFrame(read | {t("probability"): [each.probability for each in likeliest]})
    if looked is None:
        return lens
    seen = {t("token"): tables.number_labels(looked.key_labels), t("weight"): looked.weights[0, 0]}
    return pd.concat([lens, pd.DataFrame(seen)], ignore_index=True)


def numbers(record: AttentionRecord) -> pd.DataFrame:
    """Return the drawn numbers; all heads one below the other."""
    return tables.every_head(record) if record.n_heads > 1 else tables.attention(record, 0)


def every_head(records: Sequence[AttentionRecord]) -> pd.DataFrame:
    """Return the weights of all layers and heads, one below the other."""
    every = {
        (record.layer, head): tables.attention(record, head) for record in records for head in range(record.n_heads)
    }
    return pd.concat(every, names=[t("layer"), t("head"), ""]).reset_index(level=[0, 1])


def aligners(found: HeadAlignments) -> pd.DataFrame:
    """Return every head of the cross-attention with its measures, the best first."""
    layers, heads = found.score.shape
    rows = [
        (
            layer,
            head,
            found.score[layer, head],
            found.agreement[layer, head],
            found.largest[layer, head],
            found.entropy[layer, head],
        )
        for layer in range(layers)
        for head in range(heads)
    ]
    columns = [t("layer"), t("head"), t("head score"), t("own first choice is the consensus"), t("mean largest weight")]
    return pd.DataFrame(rows, columns=[*columns, t("entropy (nats)")]).sort_values(t("head score"), ascending=False)
