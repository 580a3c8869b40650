"""Attention that scales: each mechanism in a file of its own, all with one signature.

`mechanism(query, key, value, *, causal=False, …) -> output`: queries and keys are already turned or otherwise given
their places, scores are q·k / √d. `causal` allows the past and the present alone.
What follows it is the mechanism's own; what it cannot do raises `ValueError`.
"""
