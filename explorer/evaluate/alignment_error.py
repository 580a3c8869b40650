"""Alignment error rate of the attention of trained models against links made by hand."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.data.parallel.alignments import GoldPair, Link
from explorer.inference.seq2seq.trace import recurrent_trace
from explorer.inference.seq2seq.translate import LoadedSeq2Seq, as_trained, encode_source as read_by_recurrent
from explorer.inference.translator.trace import trace
from explorer.inference.translator.translate import LoadedTranslator, clean, encode_source
from explorer.records.attention import AttentionRecord
from explorer.records.sequence import TokenRow
from explorer.records.token_views import hide_special, merge_words

Floats = npt.NDArray[np.float32]
#: The weights of all heads, layer after layer, between the words of a pair: `[heads, target, source]`.
Look = Callable[[GoldPair], Floats]


def error_rate(links: Iterable[frozenset[Link]], gold: Iterable[GoldPair]) -> float:
    """Alignment error rate over a set of sentences (Och & Ney 2003), 0…1: 0 is perfect.

    AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|), with the links A that were found, the sure ones S and the possible
    ones P, which hold the sure ones; all counts are summed over the sentences first.
    """
    right, whole = 0, 0
    for found, pair in zip(links, gold, strict=True):
        right += len(found & pair.sure) + len(found & pair.possible)
        whole += len(found) + len(pair.sure)
    return 1 - right / whole if whole else 0.0


def heaviest(weights: npt.NDArray[np.floating[Any]]) -> frozenset[Link]:
    """Link each target word with the source word it weighs most, `[target, source]`."""
    return frozenset((int(source), target) for target, source in enumerate(weights.argmax(-1)))


def diagonal(pair: GoldPair) -> frozenset[Link]:
    """Link each target word with the source word at the same share of the sentence, whatever the words are."""
    longest = max(1, len(pair.target) - 1)
    return frozenset((round(place * (len(pair.source) - 1) / longest), place) for place in range(len(pair.target)))


def rates(weights: Sequence[Floats], gold: Sequence[GoldPair]) -> npt.NDArray[np.float64]:
    """Error rate of every head, `[heads]`.

    Args:
        weights: of each pair, `[heads, target, source]`.
        gold: the pairs.
    """
    heads = range(len(weights[0]))
    return np.array([error_rate([heaviest(each[head]) for each in weights], gold) for head in heads])


def of_translator(model: LoadedTranslator) -> Look:
    """Return how a Transformer looks while the reference is put into its mouth (teacher forcing)."""
    return partial(_translator_looks, model)


def of_recurrent(model: LoadedSeq2Seq) -> Look:
    """Return the same for a recurrent model, which has one head."""
    return partial(_recurrent_looks, model)


def _translator_looks(model: LoadedTranslator, pair: GoldPair) -> Floats:
    read, written = (clean(text) for text in pair.texts)
    target = [*model.tokenizer.encode(written), model.tokenizer.eos_id]
    found = trace(model.prepared, model.tokenizer, encode_source(model, read), target, model.traced_by)
    return np.concatenate([_between_words(each, found.written, found.source, pair) for each in found.layers("cross")])


def _recurrent_looks(model: LoadedSeq2Seq, pair: GoldPair) -> Floats:
    read, written = (as_trained(model, text) for text in pair.texts)
    target = [*model.tokenizer.encode(written), model.prepared.config.eos_id]
    source = read_by_recurrent(model, read)
    found = recurrent_trace(model.prepared, model.tokenizer, source, target, model.provenance, forced={})
    if found.alignment is None:
        raise ValueError(f"{model.name} has no attention")
    return _between_words(found.alignment, found.written, found.source, pair)


def _between_words(record: AttentionRecord, written: TokenRow, read: TokenRow, pair: GoldPair) -> Floats:
    """Weights between whole words: those of a word's pieces are summed where they are read, averaged where written."""
    written, read = _in_words(written, pair.target), _in_words(read, pair.source)
    words = merge_words(record, written, read)
    weights = hide_special(words, written.merged(), read.merged()).weights
    if weights.shape[1:] != (len(pair.target), len(pair.source)):
        raise ValueError(f"the model has other words than the gold alignment of: {pair.texts[0]}")
    return weights


def _in_words(row: TokenRow, words: tuple[str, ...]) -> TokenRow:
    """Join what the model takes for several words and the gold alignment for one: the digits of a year, `-tu`."""
    if len(row.merged().without_special().words) == len(words):
        return row
    wanted, missing = iter(words), 0
    joined: list[tuple[tuple[int, ...], str]] = []
    for places, label in zip(row.words, row.word_labels, strict=True):
        if missing > 0:
            joined[-1] = (joined[-1][0] + places, joined[-1][1] + label)
        else:
            joined.append((places, label))
            missing = 0 if any(row.special[place] for place in places) else len(next(wanted, ""))
        missing -= len(label)
    return replace(row, words=tuple(places for places, _ in joined), word_labels=tuple(label for _, label in joined))
