"""Recurrent encoder-decoders, from one vector for everything to Bahdanau's and Luong's attention."""

from explorer.lessons.seq2seq_attention.compute import compute
from explorer.lessons.seq2seq_attention.state import Params, Result

__all__ = ["Params", "Result", "compute"]
