"""Open a trained encoder, and let it fill in a blank."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from explorer.checkpoints.manifest import Probe
from explorer.data.tokenizer import Tokenizer
from explorer.inference.device import device_of
from explorer.inference.loaded import LoadedModel, loaded_once, open_family
from explorer.models.masked import MaskedEncoder
from explorer.nn.tape import Tape

#: How a reader writes a blank: two or more underscores.
BLANK = re.compile("_{2,}")
#: What follows a word without a space.
CLOSE = " '.,;:!?"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LoadedMasked(LoadedModel):
    """An encoder that fills in blanks, ready to run."""

    tokenizer: Tokenizer
    model: MaskedEncoder


@loaded_once(4)
def load(checkpoint: str) -> LoadedMasked:
    """Load a model once for the whole process, on the best device there is.

    Args:
        checkpoint: a bundled name, a folder, or `org/name@revision` on the Hub.

    Raises:
        CheckpointError: it cannot be used.
        DeviceRefused: `EXPLORER_DEVICE` names a device that is not there.
    """
    manifest, model, tokenizer = open_family(checkpoint, MaskedEncoder, "an encoder that fills in blanks")
    return LoadedMasked(name=checkpoint, manifest=manifest, tokenizer=tokenizer, model=model)


def encode(tokenizer: Tokenizer, text: str) -> list[int]:
    """Return the ids of a sentence with blanks, `<s>` and `</s>` around it.

    Raises:
        ValueError: the tokenizer has no token for a blank.
    """
    if tokenizer.mask_id is None:
        raise ValueError("this tokenizer has no token for a blank")
    first, *rest = BLANK.split(text)
    ids = [tokenizer.bos_id, *tokenizer.encode(first)]
    for part in rest:  # behind a word, so that a full stop is no word of its own
        joint = "" if part[:1] in CLOSE else " "
        ids += [tokenizer.mask_id, *tokenizer.encode(f"a{joint}{part}")[len(tokenizer.encode("a")) :]]
    return [*ids, tokenizer.eos_id]


@torch.inference_mode()
def log_probabilities(model: MaskedEncoder, ids: Sequence[int], *, tape: Tape | None = None) -> Tensor:
    """Return the log-probability of every token at every place, `[positions, vocab]`, in nats, on the CPU."""
    logits: Tensor = model(torch.tensor([list(ids)], device=device_of(model)), tape=tape)[0]
    return logits.float().log_softmax(-1).cpu()


def probe(model: nn.Module, tokenizer: Tokenizer, text: str) -> Probe:
    """Compute what an encoder's manifest promises: what it puts into the blank of a text, float32 on the CPU.

    Raises:
        TypeError: the model is no encoder that fills in blanks.
    """
    if not isinstance(model, MaskedEncoder):
        raise TypeError(f"{type(model).__name__} is no encoder that fills in blanks")
    ids = encode(tokenizer, text)
    position = next(position for position, token in enumerate(ids) if token == tokenizer.mask_id)
    best = log_probabilities(model, ids)[position].max(-1)
    return Probe(given=text, expected=tokenizer.decode([int(best.indices)]), score=float(best.values))
