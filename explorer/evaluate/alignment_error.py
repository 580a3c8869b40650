"""Alignment error rate of the attention of trained models against links made by hand."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch.nn.utils.rnn import pad_sequence

from explorer.data.parallel.alignments import GoldPair, WordLink
from explorer.inference.seq2seq.trace import alignment_of
from explorer.inference.seq2seq.translate import LoadedSeq2Seq, as_trained, encode_source as read_by_recurrent
from explorer.inference.translator.trace import token_row, trace
from explorer.inference.translator.translate import LoadedTranslator, clean, encode_source
from explorer.records.arrays import Float32
from explorer.records.attention import AttentionRecord
from explorer.records.sequence import TokenRow
from explorer.records.token_views import hide_special, merge_words

#: The weights of all heads, layer after layer, between the words of each pair: `[heads, target, source]`.
AttentionOf = Callable[[Sequence[GoldPair]], list[Float32]]


def error_rate(links: Iterable[frozenset[WordLink]], gold: Iterable[GoldPair]) -> float:
    """Alignment error rate over a set of sentences (Och & Ney 2003), 0…1: 0 is perfect.

    AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|), with the links A that were found, the sure ones S and the possible
    ones P, which hold the sure ones; all counts are summed over the sentences first.
    """
    right, whole = 0, 0
    for found, pair in zip(links, gold, strict=True):
        right += len(found & pair.sure) + len(found & pair.possible)
        whole += len(found) + len(pair.sure)
    return 1 - right / whole if whole else 0.0


def heaviest(weights: npt.NDArray[np.floating[Any]]) -> frozenset[WordLink]:
    """Link each target word with the source word it weighs most, `[target, source]`."""
    return frozenset((int(source), target) for target, source in enumerate(weights.argmax(-1)))


def diagonal(pair: GoldPair) -> frozenset[WordLink]:
    """Link each target word with the source word at the same share of the sentence, whatever the words are."""
    longest = max(1, len(pair.target) - 1)
    return frozenset(
        (round(position * (len(pair.source) - 1) / longest), position) for position in range(len(pair.target))
    )


def rates(weights: Sequence[Float32], gold: Sequence[GoldPair]) -> npt.NDArray[np.float64]:
    """Error rate of every head, `[heads]`.

    Args:
        weights: of each pair, `[heads, target, source]`.
        gold: the pairs.
    """
    heads = range(len(weights[0]))
    return np.array([error_rate([heaviest(each[head]) for each in weights], gold) for head in heads])


def of_translator(model: LoadedTranslator) -> AttentionOf:
    """Return how a Transformer looks while the reference is put into its mouth (teacher forcing)."""
    return lambda pairs: [_translator_look(model, pair) for pair in pairs]


def of_recurrent(model: LoadedSeq2Seq) -> AttentionOf:
    """Return the same for a recurrent model, which has one head."""
    return partial(_recurrent_looks, model)


def _translator_look(model: LoadedTranslator, pair: GoldPair) -> Float32:
    read, written = (clean(text) for text in pair.texts)
    target = [*model.tokenizer.encode(written), model.tokenizer.eos_id]
    found = trace(model.prepared, model.tokenizer, encode_source(model, read), target, model.traced_by)
    return np.concatenate([_between_words(each, found.written, found.source, pair) for each in found.layers("cross")])


@torch.inference_mode()
def _recurrent_looks(model: LoadedSeq2Seq, pairs: Sequence[GoldPair]) -> list[Float32]:
    """Read all pairs at once: one by one takes twice as long."""
    config, net = model.prepared.config, model.prepared.model
    texts = [[as_trained(model, text) for text in pair.texts] for pair in pairs]
    sources = [read_by_recurrent(model, source) for source, _ in texts]
    targets = [[*model.tokenizer.encode(target), config.eos_id] for _, target in texts]
    ids = pad_sequence([torch.tensor(source) for source in sources], batch_first=True)
    allowed = torch.arange(ids.shape[1]) < torch.tensor([[len(source)] for source in sources])
    read = pad_sequence([torch.tensor([config.bos_id, *target[:-1]]) for target in targets], batch_first=True)
    ids, allowed, read = (part.to(model.prepared.device) for part in (ids, allowed, read))
    attended = net.unroll(read, net.encode(ids, allowed), allowed).attended
    if attended is None:
        raise ValueError(f"{model.name} has no attention")
    found = []
    for number, (source, target, pair) in enumerate(zip(sources, targets, pairs, strict=True)):
        written, words = token_row(model.tokenizer, target), token_row(model.tokenizer, source)
        weights = attended.weights[number : number + 1, : len(target), : len(source)]
        record = alignment_of(weights, written, words, model.provenance, config.mechanism)
        found.append(_between_words(record, written, words, pair))
    return found


def _between_words(record: AttentionRecord, written: TokenRow, read: TokenRow, pair: GoldPair) -> Float32:
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
    for positions, label in zip(row.words, row.word_labels, strict=True):
        if missing > 0:
            joined[-1] = (joined[-1][0] + positions, joined[-1][1] + label)
        else:
            joined.append((positions, label))
            missing = 0 if any(row.special[position] for position in positions) else len(next(wanted, ""))
        missing -= len(label)
    return replace(
        row, words=tuple(positions for positions, _ in joined), word_labels=tuple(label for _, label in joined)
    )
