"""Change heads and see what the model says then: switched off, weakened, or carried over from another text."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from explorer.opened.passes import capture, readout
from explorer.opened.passes.capture import Call
from explorer.opened.passes.loader import OpenedModel
from explorer.opened.passes.looks import Given, Inputs, provenance
from explorer.opened.refused import ModelRefused
from explorer.records.opened.look import Site
from explorer.records.opened.prediction import Instead, SiteEffects, SlopesRecord, WithoutRecord
from explorer.records.sequence import Likely

#: Words that are shown of one answer.
TOP = 5
#: Heads that are changed in one batch, each in a copy of the text.
_AT_ONCE = 16


@torch.inference_mode()
def without(
    opened: OpenedModel, given: Given, off: Sequence[tuple[int, int]], left: float, instead: Instead
) -> WithoutRecord:
    """Weaken heads together and ask the model.

    Args:
        off: number of the site, and head.
        left: how much of each is left, 0…1.

    Raises:
        ModelRefused: heads of this family cannot be reached, there is no gap to fill, or a head is not there.
    """
    heads = {site.number: site.heads for site in _reachable(opened)}
    keep = {number: torch.ones(1, heads[number]) for number, _ in off if number in heads}
    for number, head in off:
        if not 0 <= head < heads.get(number, 0):
            raise ModelRefused("number", name="head", value=f"{number}.{head}", least=0, limit=opened.card.heads - 1)
        keep[number][0, head] = left
    position = readout.place_of_answer(opened, given)
    with capture.watching(_weaken(keep, instead)):
        after = _said(opened, given.inputs, position)[0]
    before = _said(opened, given.inputs, position)[0]
    number = int(before.argmax())
    return WithoutRecord(
        off=tuple((number, head) for number, head in off),
        left=left,
        instead=instead,
        place=position,
        before=readout.likeliest(opened, before, 2 * TOP) if opened.predicts else (),
        after=readout.likeliest(opened, after, 2 * TOP) if opened.predicts else (),
        chance=float(after[number]) if opened.predicts else _cosine(before[None], after[None])[0],
        provenance=provenance(opened, without, detail=instead),
    )


@torch.inference_mode()
def each_without(opened: OpenedModel, given: Given, number: int, instead: Instead, left: float = 0.0) -> SiteEffects:
    """Switch each head of one attention off alone, or weaken it.

    Args:
        left: how much of it is left, 0…1.

    Raises:
        ModelRefused: as `without`.
    """
    site = _site(opened, number)
    position = readout.place_of_answer(opened, given)
    said = [
        _batch(
            opened, given, position, _weaken({number: 1 - (1 - left) * torch.eye(site.heads)[some]}, instead), len(some)
        )
        for some in torch.split(torch.arange(site.heads), _AT_ONCE)
    ]
    return _effects(opened, site, _said(opened, given.inputs, position)[0], torch.cat(said), None)


@torch.inference_mode()
def each_carried(opened: OpenedModel, given: Given, other: Given, number: int) -> SiteEffects:
    """Carry each head's output at the place of the answer over from another text, alone (activation patching).

    Raises:
        ModelRefused: as `without`, or the model predicts no words.
    """
    if not opened.predicts:
        raise ModelRefused("no_head")
    site = _site(opened, number)
    position, there = (readout.place_of_answer(opened, each) for each in (given, other))
    taken: list[Tensor] = []

    def take(call: Call) -> None:
        if call.number == number:
            taken.append(call.outputs[0, there])

    with capture.watching(take):
        carried = _said(opened, other.inputs, there)[0]

    def carry(call: Call) -> Tensor | None:
        if call.number != number:
            return None
        outputs = call.outputs.clone()
        heads = torch.arange(site.heads)
        outputs[heads, position, heads] = taken[0]
        return outputs

    said = _batch(opened, given, position, carry, site.heads)
    return _effects(opened, site, _said(opened, given.inputs, position)[0], said, carried)


def slopes(opened: OpenedModel, given: Given) -> SlopesRecord:
    """Estimate each head's effect from one backward pass, as gradient-based importance does (Michel et al. 2019).

    Raises:
        ModelRefused: as `without`, or the model predicts no words.
    """
    if not opened.predicts:
        raise ModelRefused("no_head")
    keep = {site.number: torch.ones(1, site.heads, requires_grad=True) for site in _reachable(opened)}
    position = readout.place_of_answer(opened, given)
    with torch.enable_grad(), capture.watching(_weaken(keep, "nothing")):
        scores = readout.scores(opened, given.inputs, position)[0]
        first, second = scores.topk(2).indices.tolist()
        logs = torch.log_softmax(scores, -1)
        of_log = torch.autograd.grad(logs[first], list(keep.values()), retain_graph=True)
        of_difference = torch.autograd.grad(scores[first] - scores[second], list(keep.values()))
    best = readout.likeliest(opened, logs.detach().exp(), 2)
    return SlopesRecord(
        answer=best[0],
        second=best[1],
        log_probability=-torch.cat(of_log).numpy(),
        difference=-torch.cat(of_difference).numpy(),
        provenance=provenance(opened, slopes),
    )


def _reachable(opened: OpenedModel) -> tuple[Site, ...]:
    if not opened.own:
        raise ModelRefused("no_switch", family=opened.card.family)
    return opened.sites


def _site(opened: OpenedModel, number: int) -> Site:
    found = _reachable(opened)
    if not 0 <= number < len(found):
        raise ModelRefused("number", name="site", value=number, least=0, limit=len(found) - 1)
    return found[number]


def _weaken(keep: Mapping[int, Tensor], instead: Instead) -> capture.Hook:
    """Return what leaves so much of each head, `[batch, heads]` by number of the call."""

    def change(call: Call) -> Tensor | None:
        if call.number not in keep:
            return None
        left = keep[call.number][:, None, :, None].to(call.outputs)
        if instead == "nothing":
            return call.outputs * left
        return call.outputs * left + call.outputs.mean(1, keepdim=True) * (1 - left)

    return change


def _batch(opened: OpenedModel, given: Given, position: int, change: capture.Hook, copies: int) -> Tensor:
    inputs = {name: each.expand(copies, *each.shape[1:]) for name, each in given.inputs.items()}
    with capture.watching(change):
        return _said(opened, inputs, position)


def _said(opened: OpenedModel, inputs: Inputs, position: int) -> Tensor:
    """Return the probabilities of all words, or the text's vector where the model predicts none, of each text."""
    if opened.predicts:
        return torch.softmax(readout.scores(opened, inputs, position), -1)
    return readout.vectors(opened, inputs)


def _effects(opened: OpenedModel, site: Site, whole: Tensor, said: Tensor, carried: Tensor | None) -> SiteEffects:
    """Gather what each copy said, `[heads, vocabulary]`, against the whole model and the other text, `[vocabulary]`."""
    known = provenance(opened, each_without if carried is None else each_carried, detail=site.name)
    nothing = np.zeros(0, np.float32)
    words = opened.predicts
    return SiteEffects(
        site=site,
        answer=_answer(opened, whole, whole) if words else None,
        chance=said[:, whole.argmax()].numpy() if words else np.array(_cosine(whole[None], said), np.float32),
        likeliest=tuple(readout.likeliest(opened, each, TOP) for each in said) if words else (),
        carried=None if carried is None else _answer(opened, carried, whole),
        carried_chance=nothing if carried is None else said[:, carried.argmax()].numpy(),
        provenance=known,
    )


def _answer(opened: OpenedModel, said: Tensor, whole: Tensor) -> Likely:
    """Return the likeliest word of one, with its probability in another, `[vocabulary]`."""
    return Likely(label=readout.likeliest(opened, said, 1)[0].label, probability=float(whole[said.argmax()]))


def _cosine(whole: Tensor, said: Tensor) -> list[float]:
    found: list[float] = torch.nn.functional.cosine_similarity(whole, said, dim=-1).tolist()
    return found
