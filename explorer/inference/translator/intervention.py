"""Interfere with one translation: words of the source hidden, heads off, attentions warmer, colder or overwritten.

All of it is an argument of a pass or a private copy: the shared model is only read. Hidden words are a mask and heads
that are off are other weights, so the fast decoding knows both; an attention that scores otherwise, it does not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from explorer.inference.engine.prepared import Prepared
from explorer.inference.engine.uncached import WholePrefix
from explorer.inference.search.protocols import Steps
from explorer.inference.translator.ablation import next_token_logs, remove_heads, score_written
from explorer.models.translator import Translator, TranslatorConfig
from explorer.nn.intervention import Steering
from explorer.nn.tape import Tape
from explorer.records.heads import HeadName


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Intervention:
    """A change of a translator while it reads and writes one sentence.

    Attributes:
        hidden: places of source tokens that neither encoder nor decoder may look at.
        off: heads that add nothing.
        steering: attentions that score otherwise.
    """

    hidden: tuple[int, ...] = ()
    off: tuple[HeadName, ...] = ()
    steering: Steering = field(default_factory=Steering)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class InterventionResult:
    """A translator under an interference: an engine for any search, exact, for one sentence.

    Attributes:
        prepared: the shared one, or one whose heads are off.
    """

    prepared: Prepared
    interference: Intervention

    @property
    def model(self) -> Translator:
        """Return the shared model, or a private copy without some heads."""
        return self.prepared.model

    @property
    def config(self) -> TranslatorConfig:
        """Return the configuration of the model."""
        return self.model.config

    @property
    def device(self) -> torch.device:
        """Return where it decodes."""
        return self.prepared.device

    def start(self, source_ids: Int[Tensor, "sentences source"], *, beam: int, max_steps: int) -> Steps:
        """Read the sources under the interference and stand before the first token."""
        allowed = (source_ids != self.config.pad_id) & self.seen(source_ids.shape[1])
        steering = self.interference.steering
        if steering.does_nothing and bool(allowed.any(1).all()):
            return self.prepared.start(source_ids, beam=beam, max_steps=max_steps, allowed=allowed)
        return WholePrefix(self.model, self.prepared.out, source_ids, beam=beam, allowed=allowed, steering=steering)

    def writable(self, source_ids: Int[Tensor, "sentences source"]) -> Bool[Tensor, "sentences 1 vocab"] | None:
        """Return what may be written in the translation of each source; None if everything may."""
        return self.prepared.writable(source_ids)

    def seen(self, n_source: int) -> Bool[Tensor, " source"]:
        """Return which source tokens may be looked at."""
        seen = torch.ones(n_source, dtype=torch.bool, device=self.device)
        seen[[position for position in self.interference.hidden if position < n_source]] = False
        return seen

    def on_cpu(self) -> "InterventionResult":
        """Return the same on the CPU."""
        return intervene(self.prepared.on_cpu(), self.interference)


def intervene(prepared: Prepared, interference: Intervention) -> InterventionResult:
    """Return a translator under an interference; the original is not touched.

    Raises:
        KeyError: if the model has no such head.
    """
    if interference.off:
        prepared = prepared.with_outputs(remove_heads(prepared.model, interference.off, "off"))
    return InterventionResult(prepared=prepared, interference=interference)


class ReadAgain(NamedTuple):
    """A finished translation, read again under an interference (teacher forcing)."""

    logs: Float[Tensor, " target"]
    crossed: Float[Tensor, "layers heads target source"]


@torch.inference_mode()
def read_again(interfered: InterventionResult, source: Sequence[int], target: Sequence[int]) -> ReadAgain:
    """Log-probability of each token that was written, in nats, and where every head of the decoder looked for it."""
    tape, steering = Tape(), interfered.interference.steering
    seen = interfered.seen(len(source))[None]
    logs = next_token_logs(interfered.model, source, target, source_allowed=seen, steering=steering, tape=tape)
    sites = [f"decoder.layers.{layer}.cross" for layer in range(interfered.config.n_decoder_layers)]
    return ReadAgain(score_written(logs, target)[0], torch.stack([tape[site].weights[0] for site in sites]))
