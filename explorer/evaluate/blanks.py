"""Scores of an encoder that fills in blanks: is the word found that was taken out of a sentence?"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from explorer.data.tokenizer import Tokenizer
from explorer.models.masked import MaskedEncoder

#: Sentences read at once, each with another blank.
ROWS_AT_ONCE = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class BlankScores:
    """The scores over some blanks.

    Attributes:
        loss: mean cross-entropy of the token that was taken out, in nats.
        right: share of the blanks for which it is the model's first guess, 0…1.
        among_five: share of those for which it is among the first five.
        n_blanks: how many there were.
    """

    loss: float
    right: float
    among_five: float
    n_blanks: int

    def __str__(self) -> str:
        """Return them in words."""
        return (
            f"right {self.right:.2%}, among the first five {self.among_five:.2%} ({self.n_blanks:,} blanks, one at a"
            f" time), loss {self.loss:.4f} nats"
        )


@torch.inference_mode()
def one_by_one(model: MaskedEncoder, tokenizer: Tokenizer, texts: Sequence[str]) -> BlankScores:
    """Take every token out of some sentences, one at a time, and ask for it.

    Raises:
        ValueError: no sentence is short enough, or the tokenizer has no token for a blank.
    """
    ids = [[tokenizer.bos_id, *tokenizer.encode(text), tokenizer.eos_id] for text in texts]
    rows = [
        (row, position) for row in ids if len(row) <= model.config.max_length for position in range(1, len(row) - 1)
    ]
    if not rows or tokenizer.mask_id is None:
        raise ValueError("there is no blank to fill in")
    rows.sort(key=lambda each: len(each[0]))
    device = next(model.parameters()).device
    loss = right = among_five = 0.0
    for first in range(0, len(rows), ROWS_AT_ONCE):
        part = rows[first : first + ROWS_AT_ONCE]
        positions = torch.tensor([position for _, position in part], device=device)[:, None]
        longest = len(part[-1][0])
        read = torch.tensor([row + [tokenizer.pad_id] * (longest - len(row)) for row, _ in part], device=device)
        wanted = read.gather(1, positions)  # [rows, 1]
        hidden = model.hidden(read.scatter(1, positions, tokenizer.mask_id))  # [rows, positions, d_model]
        asked = hidden[torch.arange(len(part), device=device), positions[:, 0]]  # [rows, d_model]
        log_p = model.logits(asked).float().log_softmax(-1)  # [rows, vocab]
        loss -= float(log_p.gather(1, wanted).sum())
        hits = log_p.topk(5).indices == wanted  # [rows, 5]
        right, among_five = right + float(hits[:, 0].sum()), among_five + float(hits.sum())
    n = len(rows)
    return BlankScores(loss=loss / n, right=right / n, among_five=among_five / n, n_blanks=n)
