"""Decoding under rules: what a hypothesis may write next is bounded by what it has written."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from explorer.inference.search.protocols import Engine, Special, Steps


@runtime_checkable
class Rule(Protocol):
    """A rule that says for one sentence which tokens a hypothesis may write next."""

    def allowed(self, written: Sequence[int], vocab: int) -> Bool[Tensor, " vocab"] | None:
        """Return True where a token may follow what was written; None if every token may. At least one always may."""


def only(token: int, vocab: int) -> Bool[Tensor, " vocab"]:
    """Return what is allowed where one token is."""
    one = torch.zeros(vocab, dtype=torch.bool)
    one[token] = True
    return one


@dataclass(frozen=True, slots=True)
class Prefix:
    """A rule by which the target begins with given tokens; after them everything is free."""

    ids: tuple[int, ...]

    def allowed(self, written: Sequence[int], vocab: int) -> Bool[Tensor, " vocab"] | None:
        """Allow only the given token while there is one."""
        if len(written) >= len(self.ids):
            return None
        return only(self.ids[len(written)], vocab)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Constrained:
    """An engine that writes by rules, one rule for each source, told apart by its tokens.

    The probabilities of a search are those among the allowed tokens.

    Attributes:
        rules: by source, as a tuple of ids without padding.
    """

    engine: Engine
    rules: dict[tuple[int, ...], Rule]

    @property
    def config(self) -> Special:
        """Return the model's configuration."""
        return self.engine.config

    @property
    def device(self) -> torch.device:
        """Return the device it decodes on."""
        return self.engine.device

    def start(self, source_ids: Int[Tensor, "sentences source"], *, beam: int, max_steps: int) -> "ConstrainedSteps":
        """Read the padded sources and stand before the first token."""
        steps = self.engine.start(source_ids, beam=beam, max_steps=max_steps)
        pad = self.config.pad_id
        sources = [tuple(token for token in row if token != pad) for row in source_ids.tolist()]
        return ConstrainedSteps(steps, [self.rules[source] for source in sources], beam)

    def on_cpu(self) -> "Constrained":
        """Return the same engine on the CPU."""
        return Constrained(engine=self.engine.on_cpu(), rules=self.rules)


class ConstrainedSteps:
    """Steps that remember what each hypothesis has written, and score forbidden tokens with -inf."""

    def __init__(self, steps: Steps, rules: list[Rule], beam: int) -> None:
        self.steps, self.rules = steps, rules
        self.written: list[list[tuple[int, ...]]] = [[()] * beam for _ in rules]
        self.begun = False

    def advance(self, tokens: Int[Tensor, "sentences beam"]) -> Float[Tensor, "sentences beam vocab"]:
        """Read one token per hypothesis and score the next one."""
        if self.begun:  # the first token that is read is `<s>`, which nobody wrote
            rows = zip(self.written, tokens.tolist(), strict=True)
            self.written = [[(*past, new) for past, new in zip(pasts, news, strict=True)] for pasts, news in rows]
        self.begun = True
        logits = self.steps.advance(tokens)
        for sentence, rule in enumerate(self.rules):
            for hypothesis, past in enumerate(self.written[sentence]):
                allowed = rule.allowed(past, logits.shape[-1])
                if allowed is not None:
                    logits[sentence, hypothesis].masked_fill_(~allowed.to(logits.device), float("-inf"))
        return logits

    def continue_from(self, parents: Int[Tensor, "sentences beam"]) -> None:
        """Give each hypothesis the past of its parent."""
        self.steps.continue_from(parents)
        rows = zip(self.written, parents.tolist(), strict=True)
        self.written = [[pasts[parent] for parent in chosen] for pasts, chosen in rows]

    def keep(self, sentences: Int[Tensor, " kept"]) -> None:
        """Forget the sentences that are finished."""
        self.steps.keep(sentences)
        kept = sentences.tolist()
        self.rules = [self.rules[number] for number in kept]
        self.written = [self.written[number] for number in kept]
