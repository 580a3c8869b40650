"""Tokens as a reader is told them."""

from dataclasses import replace

from explorer.records.attention import AttentionRecord
from explorer.records.wording import token as name

__all__ = ["name", "name_tokens"]


def name_tokens(record: AttentionRecord) -> AttentionRecord:
    """Return the same, its tokens as a reader is told them."""
    queries, keys = (tuple(name(label) for label in row) for row in (record.query_labels, record.key_labels))
    return replace(record, query_labels=queries, key_labels=keys)
