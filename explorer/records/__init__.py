"""The vocabulary everyone shares: frozen NumPy dataclasses, checked when they are made."""

from explorer.records.attention import AttentionRecord
from explorer.records.provenance import Provenance

__all__ = ["AttentionRecord", "Provenance"]
