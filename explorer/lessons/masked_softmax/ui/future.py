"""“Hide the future”: what a trained decoder reads while it writes."""

from explorer.attention.masking import causal, masked_softmax
from explorer.lessons.masked_softmax import trained_head
from explorer.lessons.masked_softmax.trained_head import TrainedHead
from explorer.lessons.masked_softmax.ui import trained
from explorer.records.language import t
from explorer.ui import cache
from explorer.ui.scene import experiment as trial, picture, predict

CODE = (causal, masked_softmax)
#: The words after “start” of whose mask a class paints every cell.
_PAINTED = slice(1, 7)


def controls() -> trained.Chosen:
    """Ask for word, mask and head."""
    return trained.ask("mf", "future")


def stage(chosen: trained.Chosen) -> dict[str, str]:
    """Draw the map, and one row."""
    return trained.show("mf", chosen, t("the future"), picture.Height(across=56))


def answer() -> predict.Answer:
    """Compute what the first row gives itself, before and after."""
    record = cache.compute(trained_head.compute, TrainedHead(of="future", layer=3, head=1))
    before, after = float(record.before[0, 0]), float(record.after[0, 0])
    right = "all" if after == 1 else "more" if after > before else "same"
    return right, {"before": f"{before:.2f}", "after": f"{after:g}"}


def experiment() -> trial.Maps:
    """Return the mask of the first words, as the decoder has it."""
    record = cache.compute(trained_head.compute, TrainedHead(of="future", layer=3, head=1))
    mask, words = record.allowed[_PAINTED, _PAINTED], record.labels[_PAINTED]
    return trial.Maps(
        rows=words,
        columns=words,
        maps={t("The causal mask"): mask.astype(float)},
        values={"seen": str(int(mask.sum())), "all": str(mask.size)},
        reveals={"mf_on": True},
    )
