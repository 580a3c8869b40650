"""Controls of every lesson whose model translates."""

from explorer.scenes.controls import Slider, Toggle

_KEPT = "How many unfinished outputs are kept at each step; 1 always takes the likeliest next token."
_RANKED = "0 ranks by the sum of log-probabilities, which favours short outputs; more favours long ones."
_ADDED = "Columns of a word are added, rows averaged. Unmerged, ‑ marks a piece that goes on with a word."
_LEFT_OUT = "Leaves out start and end, and divides every row by what remains, so that it sums to 1 again."
MERGE = Toggle("Merge sub-words into words", default=True, help=_ADDED)
HIDE = Toggle("Hide special tokens", default=False, help=_LEFT_OUT)
BEAM = Slider("Beam size", 1, 8, default=4, help=_KEPT)
LENGTH_PENALTY = Slider("Length penalty", 0.0, 2.0, 0.1, default=0.6, help=_RANKED)
