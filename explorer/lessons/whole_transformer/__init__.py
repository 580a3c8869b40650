"""“The Transformer, whole”: one pass of a translator, from the words that are read to the word that is written."""

from explorer.lessons.whole_transformer.compute import TooLong, compute
from explorer.lessons.whole_transformer.state import MOST_TOKENS, Params, Result

__all__ = ["MOST_TOKENS", "Params", "Result", "TooLong", "compute"]
