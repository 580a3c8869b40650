"""Limits that the shapes of several families share."""

from typing import Any


def check(config: Any, *counts: str) -> None:
    """Check sizes, and, where a config has them, heads and dropout.

    Args:
        config: of any family.
        counts: the fields that must be at least 1.

    Raises:
        ValueError: naming the field that is out of range.
    """
    for name in counts:
        if getattr(config, name) < 1:
            raise ValueError(f"{name} is {getattr(config, name)}; it must be at least 1")
    if hasattr(config, "n_heads") and config.d_model % config.n_heads:
        raise ValueError(f"d_model {config.d_model} is no multiple of n_heads {config.n_heads}")
    if not 0 <= getattr(config, "dropout", 0) < 1:
        raise ValueError(f"dropout {config.dropout} is not in [0, 1)")
