"""Read the model's prediction after each layer (the logit lens, nostalgebraist 2020)."""

import numpy as np
import torch

from explorer.opened.passes import readout, words
from explorer.opened.passes.loader import OpenedModel
from explorer.opened.passes.looks import Given, provenance
from explorer.records.opened.prediction import LensRecord

#: Words of each cell.
TOP = 5


@torch.inference_mode()
def lens(opened: OpenedModel, given: Given) -> LensRecord:
    """Return each layer's prediction at each place.

    Raises:
        ModelRefused: the model predicts no words, or its head does not read the last state alone.
    """
    states, read, off = readout.hidden_states(opened, given.inputs)
    final = read(states[-1])[0].argmax(-1, keepdim=True)  # [places, 1]
    ids, chances, shares, ranks = [], [], [], []
    for state in states:
        probability = torch.softmax(read(state)[0], -1)  # [places, vocabulary]
        best = probability.topk(TOP)
        share = probability.gather(-1, final)
        ids.append(best.indices)
        chances.append(best.values)
        shares.append(share[:, 0])
        ranks.append((probability > share).sum(-1))
    known, numbers = torch.unique(torch.stack(ids), return_inverse=True)
    return LensRecord(
        tokens=given.queries,
        words=tuple(words.label(opened.tokenizer, token) for token in known.tolist()),
        likeliest=numbers.numpy().astype(np.int32),
        probability=torch.stack(chances).numpy(),
        share=torch.stack(shares).numpy(),
        rank=torch.stack(ranks).numpy().astype(np.int32),
        off=off,
        provenance=provenance(opened, lens),
    )
