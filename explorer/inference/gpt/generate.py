"""Open a trained decoder-only model, and let it go on with a text."""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from explorer.checkpoints.manifest import Probe
from explorer.data.text import CharacterTokenizer
from explorer.inference.device import device_of
from explorer.inference.loaded import LoadedModel, loaded_once, open_family
from explorer.models.gpt import GPT

#: Characters that a probe goes on for.
PROBE_CHARACTERS = 48


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LoadedGPT(LoadedModel):
    """A decoder-only model ready to run."""

    tokenizer: CharacterTokenizer
    model: GPT


@loaded_once(8)
def load(checkpoint: str) -> LoadedGPT:
    """Load a model once for the whole process, on the best device there is.

    Args:
        checkpoint: a bundled name, a folder, or `org/name@revision` on the Hub.

    Raises:
        CheckpointError: it cannot be used.
        DeviceRefused: `EXPLORER_DEVICE` names a device that is not there.
    """
    manifest, model, tokenizer = open_family(checkpoint, GPT, "a decoder-only model")
    return LoadedGPT(name=checkpoint, manifest=manifest, tokenizer=tokenizer, model=model)


@torch.inference_mode()
def losses(
    model: GPT, read: Int[Tensor, "windows positions"], following: Int[Tensor, "windows positions"]
) -> Float[Tensor, "windows positions"]:
    """Cross-entropy at each place, in nats: −ln of the probability given to the token that follows.

    Raises:
        PositionOutOfRange: if positions are learned and the windows are longer than their table.
    """
    device = device_of(model)
    logits = model(read.to(device)).float()
    return F.cross_entropy(logits.flatten(0, 1), following.to(device).flatten(), reduction="none").view(read.shape)


@torch.inference_mode()
def continue_text(model: GPT, tokenizer: CharacterTokenizer, text: str, n_characters: int) -> tuple[str, float]:
    """The likeliest next character, again and again, and the log-probability of all of them, in nats.

    The whole text is read again for each: for short proofs, not for writing.
    """
    ids, total = tokenizer.encode(text), 0.0
    for _ in range(n_characters):
        best = model(torch.tensor([ids], device=device_of(model)))[0, -1].log_softmax(-1).max(-1)
        ids.append(int(best.indices))
        total += float(best.values)
    return tokenizer.decode(ids[-n_characters:]), total


def probe(model: nn.Module, tokenizer: CharacterTokenizer, text: str) -> Probe:
    """Compute what a decoder-only model's manifest promises: how it goes on with a text, float32 on the CPU.

    Raises:
        TypeError: the model is no decoder-only model.
    """
    if not isinstance(model, GPT):
        raise TypeError(f"{type(model).__name__} is no decoder-only model")
    expected, score = continue_text(model, tokenizer, text, PROBE_CHARACTERS)
    return Probe(given=text, expected=expected, score=score)
