"""What a model would write after each layer, at every place of a text."""

from explorer.lessons.open_model import models
from explorer.lessons.open_model.state import Params
from explorer.opened import ask
from explorer.records.opened.prediction import LensRecord


def compute(params: Params, owner: str = "") -> LensRecord:
    """Return each layer's prediction at each place.

    Args:
        owner: the reader, of whom many stand in line.

    Raises:
        ModelRefused: the model or the text is refused, or the model predicts no words.
    """
    return ask.lens(models.find(params.model, params.revision), params.text, owner=owner)
