"""“Architectures compared”: what convolution, recurrence and self-attention cost, by formula and on this machine."""

from explorer.lessons.architectures.compute import compute
from explorer.lessons.architectures.state import Params, Result, View

__all__ = ["Params", "Result", "View", "compute"]
