"""What every head of a model looks at, as a record: recorded, or of the worker that opens models."""

from explorer.lessons.open_model import models
from explorer.lessons.open_model.state import Params, Result
from explorer.opened import ask, sources


def compute(params: Params, owner: str = "") -> Result:
    """Return every head of a model on a text.

    Args:
        owner: the reader, of whom many stand in line.

    Raises:
        ModelRefused: the model or the text is refused, and why.
    """
    found = models.find(params.model, params.revision)
    look = ask.look(found, params.text, owner=owner, start=params.start)
    return Result(params=params, card=sources.card_of(found), look=look)
