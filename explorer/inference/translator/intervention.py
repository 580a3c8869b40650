"""Interfere with one translation: words of the source hidden, heads off, attentions warmer, colder or overwritten.

All of it is an argument of a pass or a private copy: the shared model is only read.
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
from explorer.inference.translator.ablation import ablated, chosen, next_token_logs
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
    """A translator under an interference: an engine for any search, exact and without a cache, for one sentence.

    Attributes:
        model: the shared one, or a private copy without some heads.
        prepared: the shared one, whose output it writes with.
    """

    model: Translator
    prepared: Prepared
    interference: Intervention

    @property
    def config(self) -> TranslatorConfig:
        """Return the configuration of the model."""
        return self.model.config

    @property
    def device(self) -> torch.device:
        """Return where it decodes."""
        return self.prepared.device

    def start(self, source_ids: Int[Tensor, "sentences source"], *, beam: int, max_steps: int) -> Steps:  # noqa: ARG002 - of the protocol
        """Read the sources under the interference and stand before the first token."""
        allowed = (source_ids != self.config.pad_id) & self.seen(source_ids.shape[1])
        steering = self.interference.steering
        return WholePrefix(self.model, self.prepared.out, source_ids, beam=beam, allowed=allowed, steering=steering)

    def seen(self, n_source: int) -> Bool[Tensor, " source"]:
        """Return which source tokens may be looked at."""
        seen = torch.ones(n_source, dtype=torch.bool, device=self.device)
        seen[[place for place in self.interference.hidden if place < n_source]] = False
        return seen

    def on_cpu(self) -> "InterventionResult":
        """Return the same on the CPU."""
        return intervene(self.prepared.on_cpu(), self.interference)


def intervene(prepared: Prepared, interference: Intervention) -> InterventionResult:
    """Return a translator under an interference; the original is not touched.

    Raises:
        KeyError: if the model has no such head.
    """
    model = ablated(prepared.model, interference.off, "off") if interference.off else prepared.model
    return InterventionResult(model=model, prepared=prepared, interference=interference)


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
    return ReadAgain(chosen(logs, target)[0], torch.stack([tape[site].weights[0] for site in sites]))
