"""A training draws by chance the same again for the same recipe, whoever drew before."""

from typing import Any

import pytest

from explorer.models.seq2seq import Seq2Seq
from explorer.training.lab.estimate import shape_of
from explorer.training.lab.loop import LabTraining
from explorer.training.lab.recipe import LabRecipe


@pytest.mark.parametrize("family", ["recurrent", "transformer"])
def test_dropout_is_the_same_again(family: Any) -> None:
    recipe = LabRecipe(family=family, d_model=16, n_heads=2, d_ff=16, batch=4, steps=20, dropout=0.3)
    first, again = ([point.loss for point in LabTraining(recipe).run() if point is not None] for _ in range(2))
    assert first == again


def test_teacher_forcing_is_of_the_training_of_recurrent_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """Less of it is another training, the same for the same seed; the decoder then reads tokens of its own."""
    read = list[float]()
    hidden = Seq2Seq.hidden

    def noted(model: Seq2Seq, *given: Any, **more: Any) -> Any:
        if model.training:
            read.append(more.get("teacher_forcing", 1.0))
        return hidden(model, *given, **more)

    monkeypatch.setattr(Seq2Seq, "hidden", noted)
    recipes = [LabRecipe(d_model=16, batch=4, steps=20, teacher_forcing=forcing) for forcing in (1.0, 0.5, 0.5, 7.0)]
    losses = [[point.loss for point in LabTraining(recipe).run() if point is not None] for recipe in recipes]
    assert losses[1] == losses[2] != losses[0] == losses[3]
    assert read == [1.0] * 20 + [0.5] * 40 + [1.0] * 20, "what lies outside is brought inside"
    assert shape_of(recipes[1]) != shape_of(recipes[0]), "its steps take another time"
