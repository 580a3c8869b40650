"""Nadaraya–Watson kernel regression, its width chosen by hand, by a sweep, and by gradient descent."""

from explorer.lessons.kernel_regression.compute import Result, compute
from explorer.lessons.kernel_regression.state import Params, View

__all__ = ["Params", "Result", "View", "compute"]
