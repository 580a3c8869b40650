"""Tokens as a reader is told them."""

from dataclasses import replace

from explorer.records.attention import AttentionRecord
from explorer.records.language import Translate, english


def name(label: str, t: Translate = english) -> str:
    """Return a token as a reader is told it: those that nobody types have names."""
    return {"<s>": t("start"), "</s>": t("end")}.get(label, label)


def named(record: AttentionRecord, t: Translate = english) -> AttentionRecord:
    """Return the same, its tokens as a reader is told them."""
    queries, keys = (tuple(name(label, t) for label in row) for row in (record.query_labels, record.key_labels))
    return replace(record, query_labels=queries, key_labels=keys)
