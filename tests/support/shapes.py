"""jaxtyping and beartype check the shapes that signatures state: at the first calls of each function in every test.

To check all calls takes a third more time, nearly all of it in loops that call the same few functions.
"""

from collections import Counter
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from types import FunctionType
from typing import Any

import jaxtyping

#: Calls of a function in one test that are checked.
MOST = 10
#: How often each function was called in this test.
calls = Counter[Callable[..., Any]]()
_jaxtyped = jaxtyping.jaxtyped


def _sparing(**given: Any) -> Callable[[Any], Any]:
    """`jaxtyping.jaxtyped`, but a function's later calls are not checked."""
    decorate = _jaxtyped(**given)

    def decorated(function: Any) -> Any:
        checked = decorate(function)
        if not isinstance(function, FunctionType):
            return checked

        @wraps(function)
        def called(*args: Any, **named: Any) -> Any:
            calls[function] += 1
            return (checked if calls[function] <= MOST else function)(*args, **named)

        return called

    return decorated


def hook(root: Path) -> list[str]:
    """Check every module that states shapes; return their names. It must be called before any of them is imported.

    The types of the others are mypy's: to check them at every call too takes a third of the page tests' time.
    """
    shaped = [
        ".".join(path.relative_to(root).with_suffix("").parts)
        for path in (root / "explorer").rglob("*.py")
        if "from jaxtyping import" in path.read_text(encoding="utf-8")
    ]
    jaxtyping.jaxtyped = _sparing
    jaxtyping.install_import_hook(shaped, "beartype.beartype")
    return shaped
