"""“Layer or batch norm”: which numbers share one mean, and whose change moves whose."""

from dataclasses import dataclass
from functools import partial

from torch.nn import functional as F

from explorer.inference.translator.request import CHECKPOINT
from explorer.lessons.whole_transformer import norm_readings as readings, normalise
from explorer.lessons.whole_transformer.figures import over_what as figures
from explorer.records.language import t
from explorer.scenes import DEFAULTS
from explorer.ui import choice, figure_card, messages
from explorer.ui.scene import picture, rail

CODE = (normalise.normalise, F.layer_norm)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A batch, and the number that is followed.

    Attributes:
        params: the batch and its norm.
        row: place of the token, from 1, counted through the batch.
        column: number of its vector, from 1.
    """

    params: normalise.Params
    row: int
    column: int


def controls() -> Chosen:
    """Ask for the norm, the batch, whether padding counts, and which number is followed."""
    names = {"layer": t("Layer norm"), "batch": t("Batch norm")}
    over = choice.buttons(t("Norm"), names, key="wt_over")
    said = t("Of each sentence the first {n} pieces are read.").format(n=normalise.MOST_TOKENS - 1)
    typed = choice.area(t("Sentences of the batch, one a line"), 200, key="wt_batch", height=110, help=said)
    pads = DEFAULTS["wt_pads"]
    if over == "batch":
        pads = choice.toggle(t("Padding counts in the mean"), key="wt_pads")
    most = normalise.MOST_SENTENCES * normalise.MOST_TOKENS
    row = choice.slider(t("Which row is followed"), 1, most, key="wt_row")
    with rail.more():
        column = choice.slider(t("Which of its numbers"), 1, normalise.N_NUMBERS, key="wt_column")
    params = normalise.Params(sentences=_sentences(typed), over="batch" if over == "batch" else "layer", pads=pads)
    return Chosen(params=params, row=row, column=column)


def _sentences(typed: str) -> tuple[str, ...]:
    """Return the lines that hold something; the default, and a message, where there is none."""
    found = tuple(line.strip() for line in typed.splitlines() if any(map(str.isprintable, line.strip())))
    if not found:
        messages.info(t("Type at least one word. Until then the first example stands."))
        return tuple(DEFAULTS["wt_batch"].splitlines())
    if len(found) > normalise.MOST_SENTENCES:
        messages.info(t("The first {n} sentences are used.").format(n=normalise.MOST_SENTENCES))
    return found[: normalise.MOST_SENTENCES]


def stage(chosen: Chosen) -> dict[str, str] | None:
    """Draw the batch before and after, and what moves."""
    record = messages.compute(normalise.compute, chosen.params, CHECKPOINT)
    if record is None:
        return None
    row, column = min(chosen.row, len(record.labels)) - 1, chosen.column - 1
    figure_card.at_least("wt_over_what", 720)
    picture.show_chart(
        "wt_over_what",
        partial(figures.maps, record, row, column),
        title=t("A batch of words, a row for each place"),
        note=t("the frame: numbers with one mean"),
        reading=readings.describe_normalised(record, row, column),
        of=chosen,
    )
    return {"tokens": str(normalise.MOST_TOKENS)}
