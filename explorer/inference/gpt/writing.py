"""Let a decoder-only model write, token by token, with what it has read kept."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.inference.device import device_of
from explorer.inference.gpt.sampling import TextSampler, draw, next_tokens
from explorer.models.gpt import GPT
from explorer.models.gpt_step import GPTCache, read_on


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GeneratedText:
    """A text that was given and went on.

    Attributes:
        ids: of all its tokens.
        log_probability: the model's own of each token, in nats; NaN where none was asked for.
    """

    ids: tuple[int, ...]
    log_probability: tuple[float, ...]


def first_seen(position: int, window: int) -> int:
    """The first token that the model sees when it writes the token of a place.

    All of them, as long as they fit into the window; when it is full, the older half is let go, so that keys and values
    can be kept for half a window before they must be computed anew.
    """
    half = max(1, window // 2)
    return 0 if position <= window else -(-(position - window) // half) * half


@torch.inference_mode()
def write(
    model: GPT, ids: Sequence[int], n_new: int, sampler: TextSampler, *, window: int, end: int | None = None
) -> GeneratedText:
    """Go on with a text.

    Args:
        model: in `eval()`.
        ids: what is there, at least one token; only the newest `window` are read.
        n_new: tokens to write, at least one.
        window: the longest text the model sees.
        end: a token that ends the text when it is written.
    """
    text, logs, device = list(ids), list[float](), device_of(model)
    cache: GPTCache = ()
    begin = -1
    for position in range(len(ids), len(ids) + n_new):
        seen = first_seen(position, window)
        if seen != begin:  # what was kept reaches back too far
            begin, cache = seen, ()
        read = torch.tensor([text[position - 1 if cache else begin :]], device=device)
        there, cache = read_on(model, read, cache)
        logits = there[0].cpu()  # once, and not for each question of the sampler
        logs = logs or _known(logits, text, begin)
        offered = next_tokens(logits[-1], text[begin:], sampler)
        token = draw(offered, sampler.die(position))
        text.append(token)
        logs.append(float(offered.model[token].log()))
        if token == end:
            break
    return GeneratedText(ids=tuple(text), log_probability=tuple(logs))


def _known(logits: Float[Tensor, "new vocab"], text: Sequence[int], begin: int) -> list[float]:
    """Return the log-probability of every token that was read but the first; NaN for those before."""
    shares = logits[:-1].float().log_softmax(-1)
    read = shares.gather(-1, torch.tensor(text[begin + 1 :], dtype=torch.long)[:, None])[:, 0].tolist()
    return [*[float("nan")] * (begin + 1), *read]
