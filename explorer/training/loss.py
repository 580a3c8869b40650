"""Loss that training lowers: the label-smoothed cross-entropy over a vocabulary that may be large."""

from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from explorer.data.blanks import BlankBatch
from explorer.data.parallel.pairs import Batch
from explorer.data.text import TextBatch
from explorer.models.gpt import GPT
from explorer.models.masked import MaskedEncoder
from explorer.models.translator import Translator

#: Rows scored at once: their logits take 16 MB in bfloat16 at a vocabulary of 8,000.
ROWS_AT_ONCE = 1024


class Diverged(ArithmeticError):
    """Loss or weights are no finite numbers any more: a lower learning rate helps."""


class _SmoothedCrossEntropy(torch.autograd.Function):
    """Scores, loss and gradient row block by row block, so that the whole matrix of logits never exists.

    Logits and probabilities are kept in the dtype of `hidden`, in which the gradient is needed anyway. In bfloat16 that
    rounds a token's loss by up to 0.4 % of its largest logit, either way; the mean over 512 was off by 0.001.
    """

    @staticmethod
    def forward(ctx: Any, hidden: Tensor, table: Tensor, tokens: Tensor, smoothing: float) -> Tensor:
        low = table.to(hidden.dtype)
        vocab_size = table.shape[0]
        grad_hidden = torch.empty_like(hidden)
        grad_turned = table.new_zeros(table.shape[1], vocab_size)  # [d_model, vocab]: no transposed copy per block
        sum_of_table = low.float().sum(0)[:, None]
        total = torch.zeros((), dtype=torch.float32, device=hidden.device)
        blocks = (torch.split(each, ROWS_AT_ONCE) for each in (hidden, tokens, grad_hidden))
        for rows, wanted, grad_rows in zip(*blocks, strict=True):
            logits = rows @ low.T
            chosen, likeliest = logits.gather(1, wanted[:, None]).float(), logits.amax(1, keepdim=True).float()
            sum_of_logits = rows.float() @ sum_of_table
            p = torch.softmax(logits, dim=-1)
            log_sum_exp = likeliest - p.amax(1, keepdim=True).float().log()  # the likeliest p never underflows
            log_p, sum_of_log_p = chosen - log_sum_exp, sum_of_logits - vocab_size * log_sum_exp
            total -= ((1 - smoothing) * log_p + smoothing / vocab_size * sum_of_log_p).sum()
            grad = p.sub_(smoothing / vocab_size)
            grad.view(-1)[wanted + vocab_size * torch.arange(len(wanted), device=wanted.device)] -= 1 - smoothing
            grad_rows.copy_(grad @ low)
            grad_turned += rows.T @ grad
        ctx.save_for_backward(grad_hidden, grad_turned.T.contiguous())
        return total

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, Tensor, None, None]:
        grad_hidden, grad_table = ctx.saved_tensors
        return grad_hidden * grads[0], grad_table * grads[0], None, None


def smoothed_cross_entropy(
    hidden: Float[Tensor, "tokens d_model"],
    table: Float[Tensor, "vocab d_model"],
    tokens: Int[Tensor, " tokens"],
    smoothing: float,
) -> Float[Tensor, ""]:
    """Sum over tokens of the cross-entropy between softmax(hidden tableᵀ) and the smoothed target.

    The target gives 1 - smoothing to the token and smoothing / vocab to every token (Szegedy et al. 2016, §7).
    """
    with torch.autocast(hidden.device.type, enabled=False):  # which would compute the softmax in float32
        loss: Tensor = _SmoothedCrossEntropy.apply(hidden, table, tokens, smoothing)  # type: ignore[no-untyped-call]
    return loss


class ModelWithLoss(nn.Module):
    """A model and its loss in one module, so that `DistributedDataParallel` sees one forward pass.

    Args:
        smoothing: of the labels.
        bf16: autocast to bfloat16.
    """

    def __init__(self, model: nn.Module, *, smoothing: float, bf16: bool) -> None:
        super().__init__()
        self.model, self.smoothing, self.bf16 = model, smoothing, bf16


class Objective(ModelWithLoss):
    """A translator and its loss."""

    model: Translator

    def forward(self, batch: Batch) -> Float[Tensor, ""]:
        """Sum the loss over the target tokens of a batch. Padding is taken out before the vocabulary, not after."""
        pad_id = self.model.config.pad_id
        with torch.autocast(batch.source.device.type, dtype=torch.bfloat16, enabled=self.bf16):
            source_allowed = batch.source != pad_id
            memory = self.model.encode(batch.source, source_allowed)
            hidden = self.model.hidden(batch.target_in, memory, source_allowed)
            tokens = batch.target_out.flatten()
            kept = (tokens != pad_id).nonzero()[:, 0]
            table = self.model.embedding.weight
            return smoothed_cross_entropy(hidden.flatten(0, 1)[kept], table, tokens[kept], self.smoothing)


class TextObjective(ModelWithLoss):
    """A decoder-only model and its loss."""

    model: GPT

    def forward(self, batch: TextBatch) -> Float[Tensor, ""]:
        """Sum the loss over all places of a batch of windows, which have no padding."""
        with torch.autocast(batch.read.device.type, dtype=torch.bfloat16, enabled=self.bf16):
            hidden = self.model.hidden(batch.read).flatten(0, 1)
            return smoothed_cross_entropy(
                hidden, self.model.embedding.weight, batch.following.flatten(), self.smoothing
            )


class BlankObjective(ModelWithLoss):
    """An encoder that fills in blanks, and its loss."""

    model: MaskedEncoder

    def forward(self, batch: BlankBatch) -> Float[Tensor, ""]:
        """Sum the loss over the places that are asked for; the vocabulary is scored there alone."""
        with torch.autocast(batch.read.device.type, dtype=torch.bfloat16, enabled=self.bf16):
            hidden, tokens = self.model.hidden(batch.read).flatten(0, 1), batch.wanted.flatten()
            asked = (tokens != self.model.config.pad_id).nonzero()[:, 0]
            return smoothed_cross_entropy(hidden[asked], self.model.embedding.weight, tokens[asked], self.smoothing)
