"""One query's journey: six words with numbers chosen by hand, and two heads of the translator."""

from dataclasses import dataclass

import torch

from explorer.attention.attend import Attended, attend
from explorer.inference.translator.ablation import attention_of
from explorer.inference.translator.attention_inputs import observe
from explorer.inference.translator.request import Params as Translation
from explorer.inference.translator.translate import LoadedTranslator, clean, encode_source, load
from explorer.nn.attention import MultiHeadAttention
from explorer.nn.head_parts import Projected, project
from explorer.records import AttentionRecord, Provenance
from explorer.records.heads import HeadName
from explorer.records.journey import JourneyRecord
from explorer.service.kept import made_once

#: What each number of the toy stands for, and its words with query, key and value; chosen by hand, to be looked at.
FEATURES = ("alive", "thing", "action", "quality")
TOY: dict[str, tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]] = {
    "The": ((0, 2, -1, 0), (0, 0, 0, 0.5), (0, 0, 0, 0.5)),
    "cat": ((0, 0, 2, 0), (2, 1, 0, 0), (2, 1, 0.5, 0)),
    "drank": ((1, 1.5, 0, -1), (0, 0, 2, 0), (0, 0, 2, 0)),
    "its": ((2, 0.5, 0, -1), (0.5, 0, 0, 0.5), (0.5, 0, 0, 1)),
    "warm": ((-1, 2, 0, 0), (0, 0, 0, 2), (0, 0.5, 0, 2)),
    "milk": ((0, 0, 0.5, 2), (-1, 2, 0, 0), (-1, 2, 0, 0.5)),
}
#: A sentence for the trained heads, and the pairs by which each head is found: who asks, who should be looked at.
SENTENCE = "The old man lost his red hat."
PAIRS: dict[str, tuple[tuple[str, str], ...]] = {
    "noun": (("old", "man"), ("his", "hat"), ("red", "hat")),
    "before": (("his", "lost"), ("red", "his"), ("hat", "red")),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Journey:
    """Source of the numbers: `toy`, or a trained head by what it looks for, and the sentence that this head reads."""

    numbers: str = "toy"
    sentence: str = SENTENCE


def journey(asked: Journey) -> JourneyRecord:
    """Return every query, key, value, score, weight and output.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the translator cannot be used.
    """
    return _trained(asked) if asked.numbers in PAIRS else _by_hand()


def _by_hand() -> JourneyRecord:
    parts = Projected(*torch.tensor(list(zip(*TOY.values(), strict=True)), dtype=torch.float32)[:, None])
    provenance = Provenance.of(attend, dtype="float32", detail="vectors chosen by hand")
    return _record(parts, tuple(TOY), provenance, FEATURES)


def _trained(asked: Journey) -> JourneyRecord:
    translator = load(Translation().checkpoint)
    layer, head = find_head(translator, asked.numbers)
    labels, layers = _layers(translator, clean(asked.sentence))
    one = Projected(*(part[head : head + 1] for part in layers[layer]))
    provenance = translator.traced_by.by(MultiHeadAttention, detail=f"encoder, layer {layer}, head {head}")
    return _record(one, labels, provenance, ())


@made_once
def find_head(translator: LoadedTranslator, what: str) -> tuple[int, int]:
    """Return layer and head of the encoder whose smallest weight among the pairs of `PAIRS[what]` is the largest."""
    labels, layers = _layers(translator, SENTENCE)
    asks, asked = ([labels.index(pair[side]) for pair in PAIRS[what]] for side in (0, 1))
    least = torch.stack([_attended(parts).weights[:, asks, asked].amin(-1) for parts in layers])  # [layers, heads]
    layer, head = divmod(int(least.argmax()), least.shape[1])
    return layer, head


@torch.inference_mode()
def _layers(translator: LoadedTranslator, text: str) -> tuple[tuple[str, ...], list[Projected]]:
    """Return the sub-words of a text, and what every head of every encoder layer compares and averages."""
    model, source = translator.prepared.model, encode_source(translator, text)
    read = observe(translator.prepared, source, source[-1:])
    made = []
    for number in range(len(model.encoder.layers)):
        attention = attention_of(model, HeadName(part="encoder", layer=number, head=0))
        x = torch.from_numpy(read[f"encoder.layers.{number}.self"].context.copy()).to(translator.prepared.device)
        made.append(Projected(*(part.float().cpu() for part in project(attention, x, x))))
    return tuple(translator.tokenizer.pieces(source)), made


@torch.inference_mode()
def _attended(parts: Projected) -> Attended:
    return attend(parts.query, parts.key, parts.value)


def _record(parts: Projected, labels: tuple[str, ...], provenance: Provenance, names: tuple[str, ...]) -> JourneyRecord:
    output, weights, scores = _attended(parts)
    return JourneyRecord(
        attention=AttentionRecord(
            site="queries_keys_values.journey",
            kind="self",
            weights=weights.numpy(),
            query_labels=labels,
            key_labels=labels,
            query_role="read",
            provenance=provenance,
        ),
        query=parts.query[0].numpy(),
        key=parts.key[0].numpy(),
        value=parts.value[0].numpy(),
        scores=scores[0].numpy(),
        output=output[0].numpy(),
        features=names,
    )
