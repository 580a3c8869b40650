"""Attention Explorer: attention from kernel regression to the Transformer, every number computed."""
