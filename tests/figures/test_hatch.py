"""Masked cells are hatched, and numbers stand only where they are worth their ink and can be read."""

import numpy as np

from explorer.figures import hatch, look as looks
from explorer.figures.look import LIGHT, Look


def test_numbers_of_weights_worth_their_ink_in_a_colour_that_is_read(look: Look) -> None:
    weights = np.array([[1.0, 0.049, np.nan], [0.6249, 0.05, 0.0]], np.float32)
    drawn = hatch.numbers(weights)
    positions = dict(zip(zip(drawn.y, drawn.x, strict=True), drawn.text, strict=True))
    assert positions == {(0, 0): "1", (1, 0): ".62", (1, 1): ".05"}
    for row, column, colour in zip(drawn.y, drawn.x, drawn.textfont.color, strict=True):
        assert looks.contrast(colour, looks.ink_at(float(weights[row, column]))) >= 4.5


def test_every_masked_cell_and_no_other_is_hatched() -> None:
    masked = np.array([[False, True], [False, False], [True, True]])
    ground, strokes = hatch.cells(masked)
    assert ground["path"].count("Z") == 3
    assert "M0.5,-0.5L1.5,-0.5" in ground["path"]
    assert strokes["path"].count("M") == 9
    assert (ground["layer"], strokes["line"]["color"]) == ("below", LIGHT.hatch)
    assert hatch.cells(np.zeros((2, 2), bool)) == []
