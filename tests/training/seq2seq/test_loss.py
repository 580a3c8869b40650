"""The loss of a recurrent model against torch's own, with each way of reading out a word."""

import pytest
import torch
from torch.nn import functional as F

from explorer.data.parallel.pairs import Batch
from explorer.models.seq2seq import Seq2Seq
from explorer.models.seq2seq_config import Readout, Seq2SeqConfig
from explorer.training.seq2seq.loss import Seq2SeqObjective


@pytest.mark.parametrize("readout", ["mixed", "bare"])
def test_the_loss_is_the_cross_entropy_of_the_logits(readout: Readout) -> None:
    """A readout with a bias has it in the loss, too."""
    torch.manual_seed(1)
    model = Seq2Seq(Seq2SeqConfig(vocab_size=30, d_embedding=8, d_hidden=12, d_encoder=6, readout=readout)).eval()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    source, target_in, target_out = (torch.randint(3, 30, (2, 5)) for _ in range(3))
    target_out[1, 3:] = 0
    objective = Seq2SeqObjective(model, smoothing=0.1, bf16=False, teacher_forcing=1.0)
    loss = objective(Batch(source, target_in, target_out))
    asked = target_out != 0
    wanted = F.cross_entropy(model(source, target_in)[asked], target_out[asked], label_smoothing=0.1, reduction="sum")
    torch.testing.assert_close(loss, wanted)
    found, expected = (
        torch.autograd.grad(each, [*model.head()][: 2 if readout == "bare" else 1]) for each in (loss, wanted)
    )
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other, atol=1e-4, rtol=1e-4)
