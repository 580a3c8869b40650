"""Let a decoder-only model write, token by token, with what it has read kept."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float
from torch import Tensor

from explorer.inference.gpt.sampling import TextSampler, draw, next_tokens
from explorer.models.gpt import GPT
from explorer.models.gpt_step import GPTCache, read_on
from explorer.nn.tape import Tape


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GeneratedText:
    """A text as far as it is written.

    Attributes:
        ids: of all its tokens.
        log_probability: the model's own of each token, in nats; NaN where none was asked for.
        looked: where the last step looked, `[layers, heads, keys]`; the keys are the newest tokens before the last.
    """

    ids: tuple[int, ...]
    log_probability: tuple[float, ...]
    looked: npt.NDArray[np.float32]


def first_seen(place: int, window: int) -> int:
    """The first token that the model sees when it writes the token of a place.

    All of them, as long as they fit into the window; when it is full, the older half is let go, so that keys and values
    can be kept for half a window before they must be computed anew.
    """
    half = max(1, window // 2)
    return 0 if place <= window else -(-(place - window) // half) * half


def write(
    model: GPT,
    ids: Sequence[int],
    n_new: int,
    sampler: TextSampler,
    *,
    window: int,
    end: int | None = None,
    known: Sequence[float] = (),
) -> Iterator[GeneratedText]:
    """Go on with a text; yields after the text was read, and after every token.

    Args:
        model: in `eval()`.
        ids: what is there, at least one token; only the newest `window` are read.
        n_new: tokens to write, at least one.
        window: the longest text the model sees.
        end: a token that ends the text when it is written.
        known: log-probabilities of the first of `ids`, if they need not be computed again.
    """
    text, logs = list(ids), [*known, *[float("nan")] * (len(ids) - len(known))]
    cache: GPTCache = ()
    begin = first_seen(len(text), window)
    looked = np.zeros((model.config.n_layers, model.config.n_heads, 0), np.float32)
    logits = None
    for place in range(len(ids), len(ids) + n_new):
        seen = first_seen(place, window)
        anew = logits is None or seen != begin
        begin = seen
        new = text[begin:place] if anew else text[place - 1 : place]
        logits, cache, looking = _read(model, new, () if anew else cache)
        if place == len(ids):
            logs = _known(logits, text, begin, logs)
            yield GeneratedText(ids=tuple(text), log_probability=tuple(logs), looked=looked)
        offered = next_tokens(logits[-1], text[begin:place], sampler)
        token = draw(offered, sampler.die(place))
        text.append(token)
        logs.append(float(offered.model[token].log()))
        looked = looking
        yield GeneratedText(ids=tuple(text), log_probability=tuple(logs), looked=looked)
        if token == end:
            return


@torch.inference_mode()
def _read(
    model: GPT, ids: Sequence[int], cache: GPTCache
) -> tuple[Float[Tensor, "new vocab"], GPTCache, npt.NDArray[np.float32]]:
    """Logits after each new token, the cache with them, and where the last one looked."""
    tape = Tape()
    logits, cache = read_on(model, torch.tensor([ids]), cache, tape=tape)
    return logits[0], cache, np.stack([tape[site].weights[0, :, -1].numpy() for site in tape.sites])


def _known(logits: Float[Tensor, "new vocab"], text: Sequence[int], begin: int, logs: Sequence[float]) -> list[float]:
    """The log-probability of every token that was read but the first; those known already stay."""
    shares = logits[:-1].float().log_softmax(-1)
    read = shares.gather(-1, torch.tensor(text[begin + 1 :])[:, None])[:, 0].tolist()
    found = [*[float("nan")] * (begin + 1), *read]
    return [new if np.isnan(old) else old for old, new in zip(logs, found, strict=True)]
