"""Look at what every attention of a translator read and scored, exactly enough to take it apart."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from explorer.inference.engine.prepared import Prepared
from explorer.nn.tape import Tape
from explorer.records.heads import AttentionInputs


@torch.inference_mode()
def observe(prepared: Prepared, source: Sequence[int], target: Sequence[int]) -> dict[str, AttentionInputs]:
    """Trace what every attention read and scored while the finished target was read in one pass (teacher forcing)."""
    tape = Tape()
    rows = ([list(source)], [[prepared.config.bos_id, *target[:-1]]])
    prepared.model(*(torch.tensor(ids, device=prepared.device) for ids in rows), tape=tape)
    return {
        site: AttentionInputs(
            query_input=_array(tape.read(site).query_input[0]),
            context=_array(tape.read(site).context[0]),
            scores=_array(tape[site].scores[0]),
        )
        for site in tape.sites
    }


def _array(tensor: Tensor) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return tensor.float().cpu().numpy()
