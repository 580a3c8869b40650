"""Error rates of every head, of recurrent models and of the diagonal."""

from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from explorer.checkpoints.manifest import CheckpointError
from explorer.data.parallel.alignments import DIRECTIONS, GoldPair, gold_pairs
from explorer.evaluate import alignment_error
from explorer.inference.seq2seq.translate import load as load_recurrent
from explorer.inference.translator.translate import load
from explorer.lessons.translator.records import AlignmentScores
from explorer.records.attention import AttentionRecord
from explorer.records.language import t
from explorer.service.kept import made_once

#: Translators of a language pair that has a gold alignment; the second knows nothing but captions.
TRANSLATORS = ("translator-de-en", "translator-multi30k-de-en", "translator-en-fr")
#: Recurrent models, German to English, that look back, by how they score; `fixed` looks at places, not at words.
RECURRENT = ("additive", "general", "scaled_dot", "dot", "fixed")
#: Where the captions begin.
FIRST_CAPTION = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredParams:
    """A measurement of a translator.

    Attributes:
        checkpoint: one of `TRANSLATORS`.
        captions: whether only captions count, which the recurrent models were trained on; all are German.
    """

    checkpoint: str = TRANSLATORS[0]
    captions: bool = False

    @property
    def direction(self) -> str:
        """Its languages, one of `DIRECTIONS`."""
        return next(each for each in DIRECTIONS if self.checkpoint.endswith(each))

    @property
    def has_captions(self) -> bool:
        """Captions are among the sentences, and recurrent models translate them, too."""
        return self.direction == "de-en"

    @property
    def pairs(self) -> tuple[GoldPair, ...]:
        """Sentences that count."""
        return gold_pairs(self.direction)[FIRST_CAPTION if self.captions and self.has_captions else 0 :]


def scores(params: ScoredParams) -> AlignmentScores:
    """Put every reference into the models' mouths and compare where they look with the links made by hand.

    Raises:
        CheckpointError: the translator cannot be read.
    """
    model, pairs = load(params.checkpoint), params.pairs
    weights = alignment_error.of_translator(model)(pairs)
    n_heads = model.prepared.config.n_heads
    means = [each.reshape(-1, n_heads, *each.shape[1:]).mean(1) for each in weights]
    return AlignmentScores(
        heads=alignment_error.rates(weights, pairs).reshape(-1, n_heads),
        layers=alignment_error.rates(means, pairs),
        diagonal=alignment_error.error_rate([alignment_error.diagonal(pair) for pair in pairs], pairs),
        recurrent=_recurrent(pairs) if params.has_captions else {},
        sentences=len(pairs),
        provenance=model.provenance.by(
            alignment_error.rates,
            detail=f"{len(pairs)} sentences aligned by hand, heaviest source word of each target word, teacher forcing",
        ),
    )


def looks(params: ScoredParams, number: int, layer: int, head: int | None) -> AttentionRecord:
    """Return how one head, or the mean over a layer's, looks from word to word in one sentence.

    Args:
        params: which model.
        number: of the sentence, clamped.
        layer: clamped.
        head: clamped; None for the mean.

    Raises:
        CheckpointError: the translator cannot be read.
    """
    model, pair = load(params.checkpoint), pair_of(params, number)
    (weights,) = alignment_error.of_translator(model)([pair])
    n_heads = model.prepared.config.n_heads
    layers = weights.reshape(-1, n_heads, *weights.shape[1:])
    layer = min(max(layer, 0), len(layers) - 1)
    chosen = layers[layer].mean(0) if head is None else layers[layer][min(max(head, 0), n_heads - 1)]
    return AttentionRecord(
        site=f"decoder.layers.{layer}.cross",
        kind="cross",
        layer=layer,
        weights=chosen[None],
        query_labels=pair.target,
        key_labels=pair.source,
        query_role="produced",
        provenance=model.provenance.by(alignment_error.of_translator),
    )


def pair_of(params: ScoredParams, number: int) -> GoldPair:
    """Return one sentence, clamped."""
    return params.pairs[min(max(number, 0), len(params.pairs) - 1)]


def describe(found: AlignmentScores) -> str:
    """Say which layer and which head make the fewest errors, and how the diagonal fares."""
    layer, head = found.best_head
    said = t(
        "Fewest errors: layer {layer}, its heads averaged (**{rate}**); the best single head is head {head} "
        "of layer {best_layer} (**{best}**). Linking by place alone: {diagonal}."
    )
    return said.format(
        layer=found.best_layer,
        rate=f"{found.layers.min():.0%}",
        best_layer=layer,
        head=head,
        best=f"{found.heads.min():.0%}",
        diagonal=f"{found.diagonal:.0%}",
    )


def describe_place(found: AlignmentScores) -> str:
    """Say what there is to beat, and not yet which layer does."""
    return t("To beat: linking by place alone, {diagonal}. Predict which layer does best.").format(
        diagonal=f"{found.diagonal:.0%}"
    )


def describe_sentence(record: AttentionRecord, pair: GoldPair) -> str:
    """Say how many links of one sentence are right."""
    links = alignment_error.heaviest(record.weights[0])
    return t("{right} of {n} choices are right; sure links that are missed: {missed}.").format(
        right=len(links & pair.possible), n=len(links), missed=len(pair.sure - links)
    )


def _recurrent(pairs: tuple[GoldPair, ...]) -> dict[str, float]:
    found = {}
    for name in RECURRENT:
        with suppress(CheckpointError):
            found[name] = _recurrent_rate(name, pairs)
    return found


@made_once  # seconds each, and the same beside every translator
def _recurrent_rate(name: str, pairs: tuple[GoldPair, ...]) -> float:
    look = alignment_error.of_recurrent(load_recurrent(f"seq2seq-de-en-{name}"))
    return float(alignment_error.rates(look(pairs), pairs)[0])


def all_rates(found: AlignmentScores) -> dict[str, float]:
    """Return what stands side by side: the best of the translator, the recurrent models, the diagonal."""
    ours = {"best_layer": float(np.min(found.layers)), "best_head": float(np.min(found.heads))}
    return ours | found.recurrent | {"diagonal": found.diagonal}
