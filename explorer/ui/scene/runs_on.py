"""Where and how fast what stands on a page was computed: said behind the icon of its pictures."""

from contextvars import ContextVar

from explorer.records.language import t

#: Said of what is drawn now.
_said = ContextVar("runs_on", default="")


def describe_device(device: str, arithmetic: str, rate: float | None = None) -> str:
    """Say it in words.

    Args:
        device: such as `cpu` or `cuda`.
        arithmetic: such as `float32`.
        rate: tokens a second, if any were written.
    """
    parts = [device, arithmetic]
    if rate:
        parts.append(t("{rate} tokens/s").format(rate=f"{float(f'{rate:.2g}'):,.0f}"))
    return " · ".join(parts)


def note(words: str) -> None:
    """Say it behind the icon of every picture that this run of the script draws from now on.

    Args:
        words: as of `describe_device`; empty for nothing.
    """
    _said.set(words)


def speed_note() -> str:
    """Return what was noted in this run of the script."""
    return _said.get()
