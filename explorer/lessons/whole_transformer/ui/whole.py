"""“The whole”: the translator from the words that are read to the words that are written."""

from functools import partial

from explorer.inference.translator.whole_pass import observe
from explorer.lessons import whole_transformer as lesson
from explorer.lessons.whole_transformer import readings
from explorer.lessons.whole_transformer.figures import numbers
from explorer.lessons.whole_transformer.ui import asking, drawing
from explorer.models.translator import Translator
from explorer.records.wording import token
from explorer.ui import choice
from explorer.ui.language import t
from explorer.ui.scene import picture, predict

CODE = (Translator.encode, Translator.hidden, observe)
HEADS = 8


def controls() -> tuple[lesson.Params, int]:
    """Ask for the sentence, and for the head whose ribbons are drawn."""
    params = asking.sentence()
    heads = {"mean": t("mean of all heads")}
    heads |= {str(each): t("head {head}").format(head=each - 1) for each in range(1, HEADS + 1)}
    shown = choice.select(t("Ribbons"), heads, key="wt_shown")
    return params, -1 if shown == "mean" else int(shown) - 1


def stage(chosen: tuple[lesson.Params, int]) -> None:
    """Draw the whole translator."""
    params, shown = chosen
    result = asking.record(params)
    if result is None:
        return
    start = drawing.Start()
    drawing.draw(result, start, key="wt_whole", shown=shown)
    steps = result.whole.steps
    labels = [token(each.written.label, t) for each in steps]
    picture.remark(
        "wt_whole_numbers",
        partial(numbers.sureness, labels, [each.written.probability for each in steps], t=t),
        title=t("The Transformer, whole"),
        reading=readings.describe_whole(result, t),
        provenance=result.whole.provenance,
        more=partial(drawing.download, result, start, key="wt_whole", shown=shown),
    )


def answer() -> predict.Answer:
    """Count the maps of weights."""
    result = asking.recorded(lesson.Params())
    whole = result.whole
    values = {
        "layers": str(whole.n_encoder + whole.n_decoder),
        "sites": str(len(whole.sites)),
        "heads": str(whole.n_heads),
        "maps": str(readings.n_maps(result)),
    }
    return min(("7", "10", "80"), key=lambda each: abs(int(each) - readings.n_maps(result))), values
