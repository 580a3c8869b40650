"""“The Transformer, whole”: one pass of a translator, from the words that are read to the word that is written."""

from explorer.lessons.whole_transformer.compute import compute
from explorer.lessons.whole_transformer.state import Params, Result

__all__ = ["Params", "Result", "compute"]
