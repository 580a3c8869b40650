"""“Open a model”: the attention of a model that somebody else made, or of a matrix of the reader's own."""

from explorer.lessons.open_model.compute import compute
from explorer.lessons.open_model.state import Params, Result, View

__all__ = ["Params", "Result", "View", "compute"]
