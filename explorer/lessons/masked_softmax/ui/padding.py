"""“Hide padding”: a short sentence of a batch, in a trained encoder."""

import html

import numpy as np

from explorer.attention.masking import masked_softmax, valid
from explorer.lessons.masked_softmax import trained_head
from explorer.lessons.masked_softmax.records import HeadRecord, names
from explorer.lessons.masked_softmax.trained_head import TrainedHead
from explorer.lessons.masked_softmax.ui import trained
from explorer.records.language import t
from explorer.scenes.masked_softmax import PADDING
from explorer.ui import cache
from explorer.ui.scene import beside, picture, predict

CODE = (masked_softmax, valid)
_STYLE = (
    ".batch{display:grid;grid-template-columns:repeat(12,minmax(0,1fr));gap:3px;font-size:14px;margin:0 0 4px}.batch "
    "span{border:1px solid var(--line);border-radius:6px;padding:2px 0;text-align:center;overflow:hidden}.batch "
    ".asks{background:var(--query);color:var(--paper);font-weight:650}.batch "
    ".pad{color:var(--muted);background:repeating-linear-gradient(135deg,var(--board) 0 5px,var(--line) 5px "
    "7px)}@media(max-width:760px){.batch{grid-template-columns:repeat(12,minmax(4.6em,1fr));overflow-x:auto}"
    ".st-key-stage .batch{display:none}}"
)


def controls() -> trained.Chosen:
    """Ask for word, mask and head."""
    return trained.ask("mp", "padding")


def stage(chosen: trained.Chosen) -> dict[str, str]:
    """Draw the batch, the map of its short sentence, and one row."""
    _, record, row, _ = chosen
    if record is not None:
        _batch(record, row)
    return trained.show("mp", chosen, t("padding"), picture.Height(less=90, less_low=84))


def _batch(record: HeadRecord, row: int) -> None:
    """Show the batch as the rectangle it is: a long sentence, and the short one with its padding."""
    long = cache.compute(trained_head.compute, TrainedHead(of="own"))
    cells = [("", name) for name in names(long)]
    for position, name in enumerate(names(record)):
        cells.append(("asks" if position == row else "pad" if position >= record.n_words else "", name))
    spans = "".join(f'<span class="{kind}">{html.escape(name)}</span>' for kind, name in cells)
    said = html.escape(t("The batch"))
    markup = f'<div class="batch" translate="no" role="img" tabindex="0" aria-label="{said}">{spans}</div>'
    beside.show(markup, style=_STYLE)


def answer() -> predict.Answer:
    """Compute which rule of sharing out comes nearest to what the softmax gave."""
    params = TrainedHead(of="padding", layer=2, head=2)
    record, row = cache.compute(trained_head.compute, params), int(PADDING.defaults["mp_word"])
    words, lost = slice(0, record.n_words), float(record.lost[row])
    before, after = record.before[row, words], record.after[row, words]
    nearest = np.abs(np.arange(record.n_words) - row) == 0
    rules = {"even": before + lost / len(before), "proportion": before / (1 - lost), "nearest": before + lost * nearest}
    right = min(rules, key=lambda name: float(np.abs(rules[name] - after).max()))
    best = int(before.argmax())
    return right, {
        "lost": f"{lost:.2f}",
        "factor": f"{record.factor(row):.2f}",
        "word": names(record)[best],
        "before": f"{before[best]:.2f}",
        "after": f"{after[best]:.2f}",
    }
