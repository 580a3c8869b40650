"""“Efficient attention”: attention that scales, on the same queries, keys and values as exact attention."""

from explorer.lessons.efficient_attention.compute import compute
from explorer.lessons.efficient_attention.state import Params, Result, View

__all__ = ["Params", "Result", "View", "compute"]
