"""Loss that a recurrent model is trained to lower."""

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F

from explorer.data.parallel.pairs import Batch
from explorer.models.seq2seq import Seq2Seq
from explorer.training.loss import ModelWithLoss, smoothed_cross_entropy


class Seq2SeqObjective(ModelWithLoss):
    """A recurrent model and its loss; `teacher_forcing` as in `Seq2SeqRecipe`."""

    model: Seq2Seq

    def __init__(self, model: Seq2Seq, *, smoothing: float, bf16: bool, teacher_forcing: float) -> None:
        super().__init__(model, smoothing=smoothing, bf16=bf16)
        self.teacher_forcing = teacher_forcing

    def forward(self, batch: Batch) -> Float[Tensor, ""]:
        """Sum the loss over the target tokens of a batch."""
        pad_id = self.model.config.pad_id
        with torch.autocast(batch.source.device.type, dtype=torch.bfloat16, enabled=self.bf16):
            allowed = batch.source != pad_id
            memory = self.model.encode(batch.source, allowed)
            hidden = self.model.hidden(batch.target_in, memory, allowed, teacher_forcing=self.teacher_forcing)
            tokens = batch.target_out.flatten()
            kept = (tokens != pad_id).nonzero()[:, 0]
            rows = hidden.flatten(0, 1)[kept]
            table, bias = self.model.head()
            if bias is not None:  # a column of the table that meets a number that is always 1
                rows, table = F.pad(rows, (0, 1), value=1.0), torch.cat([table, bias[:, None]], 1)
            rows = rows.to(torch.bfloat16) if self.bf16 else rows
            return smoothed_cross_entropy(rows, table, tokens[kept], self.smoothing)
