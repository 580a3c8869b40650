"""“Architectures compared”: what convolution, recurrence and self-attention cost, by formula and on this machine."""

from explorer.lessons.architectures.compute import compute
from explorer.lessons.architectures.state import Params, Result

__all__ = ["Params", "Result", "compute"]
