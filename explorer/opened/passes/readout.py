"""Read a model's predictions through its own prediction head, whatever hidden state that is given.

Families put transforms, biases and soft caps into their heads. So the model itself is run, with its base made to return
the hidden state in question: what is read is the family's own, of any family.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor

from explorer.opened.passes import words
from explorer.opened.passes.loader import OpenedModel
from explorer.opened.passes.looks import Given, Inputs
from explorer.opened.refused import ModelRefused
from explorer.records.sequence import Likely

#: Modules that are the norm before the prediction head, where there is one.
_NORMS = ("norm", "ln_f", "final_layer_norm", "final_layernorm", "final_norm", "layer_norm")
#: The prediction head must give the model's own scores back up to this.
TOLERANCE = 1e-2


def place_of_answer(opened: OpenedModel, given: Given) -> int:
    """Return the token at which a model predicts: the last, or the first gap of a model that fills gaps.

    Raises:
        ModelRefused: there is no gap.
    """
    if opened.card.kind != "encoder" or not opened.predicts:
        return len(given.queries) - 1
    mask = opened.tokenizer.mask_token_id
    if mask not in given.keys.ids:
        raise ModelRefused("no_mask", mask=opened.tokenizer.mask_token)
    return given.keys.ids.index(mask)


def scores(opened: OpenedModel, inputs: Inputs, position: int) -> Tensor:
    """Return the scores of all words at one place, of each text of the batch, `[batch, vocabulary]`."""
    with _changed(opened.trunk, lambda hidden: hidden[:, position : position + 1]):
        logits: Tensor = opened.model(**inputs).logits
    return logits[:, -1].float()


def vectors(opened: OpenedModel, inputs: Inputs) -> Tensor:
    """Return the mean of the last hidden states of each text of the batch, `[batch, width]`."""
    hidden: Tensor = opened.model(**inputs)[0]
    return hidden.mean(1)


def likeliest(opened: OpenedModel, chances: Tensor, top: int) -> tuple[Likely, ...]:
    """Return the likeliest words of one row of probabilities, `[vocabulary]`."""
    found = chances.topk(min(top, len(chances)))
    pairs = zip(found.values.tolist(), found.indices.tolist(), strict=True)
    return tuple(Likely(label=words.label(opened.tokenizer, token), probability=chance) for chance, token in pairs)


def hidden_states(opened: OpenedModel, inputs: Inputs) -> tuple[list[Tensor], Callable[[Tensor], Tensor], float]:
    """Return the states before the first layer and after each, as the prediction head reads them.

    Returns:
        The states, `[batch, places, width]`; a function from such a state to the scores of all words; and the largest
        difference between what it says of the last state and the model's own scores.

    Raises:
        ModelRefused: the model has no prediction head, or it is more than a function of the last state.
    """
    if not opened.predicts:
        raise ModelRefused("no_head")
    trunk, returned, normed = opened.trunk, [], []
    norms = _norms(opened)
    handles = [trunk.register_forward_hook(lambda _m, _i, output: returned.append(output))]
    handles += [
        norm.register_forward_hook(lambda module, _i, output: normed.append((module, output))) for norm in norms
    ]
    try:
        result = opened.model(**inputs, output_hidden_states=True)
    finally:
        for handle in handles:
            handle.remove()
    states = list(result.get("hidden_states") or result.get("decoder_hidden_states"))
    last = returned[-1][0]
    norm = next((module for module, output in normed if torch.is_tensor(output) and torch.equal(output, last)), None)

    def read(state: Tensor) -> Tensor:
        with _replaced(trunk, returned[-1], state):
            logits: Tensor = opened.model(**inputs).logits
        return logits.float()

    off = float((read(last) - result.logits.float()).abs().max())
    if not off <= TOLERANCE:
        raise ModelRefused("no_head")
    through = [each if norm is None else norm(each) for each in states[:-1]]
    return [*through, last], read, off


def _norms(opened: OpenedModel) -> list[Any]:
    """Return the modules that may be the norm before the prediction head."""
    owners = [opened.trunk, getattr(opened.trunk, "decoder", None)]
    found = [getattr(owner, name, None) for owner in owners for name in _NORMS]
    return [each for each in found if isinstance(each, torch.nn.Module)]


@contextmanager
def _changed(trunk: Any, change: Callable[[Tensor], Tensor]) -> Iterator[None]:
    """Have the prediction head read something made of the last hidden state."""

    def hook(_module: Any, _inputs: Any, output: Any) -> Any:
        output.last_hidden_state = change(output[0])
        return output

    handle = trunk.register_forward_hook(hook)
    try:
        yield
    finally:
        handle.remove()


@contextmanager
def _replaced(trunk: Any, output: Any, state: Tensor) -> Iterator[None]:
    """Have the trunk return a hidden state instead of computing one."""
    output.last_hidden_state = state
    trunk.forward = lambda *_, **__: output
    try:
        yield
    finally:
        del trunk.forward
