"""Three families of Transformers on one sentence with a blank: an encoder, a decoder, an encoder with a decoder."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from explorer.checkpoints import store
from explorer.checkpoints.manifest import CheckpointError, read_manifest
from explorer.inference.gpt import generate as gpt
from explorer.inference.masked import fill as masked
from explorer.inference.search.batching import decode_all
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.translator.request import CHECKPOINT
from explorer.inference.translator.translate import InputRefused, clean, encode_source, load
from explorer.lessons.whole_transformer.records import FamilyRecord
from explorer.nn.tape import Tape
from explorer.records.arrays import Float32
from explorer.scenes.whole_transformer import BLANKED

ENCODER, DECODER = "masked-en", "gpt-shakespeare"
MODELS = (ENCODER, DECODER, CHECKPOINT)
Depth = Literal["first", "last"]
#: Tokens that the encoder reads, characters that the decoder is shown with, and tokens that the translator writes.
MOST_READ, MOST_CHARACTERS, MOST_WRITTEN = 18, 20, 14
N_GUESSES = 5
#: Stands for a space, which leaves no mark.
SPACE = "·"


class NoBlank(ValueError):
    """A sentence has no blank to fill in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Params:
    """A sentence with a blank, and the layer whose attention is drawn."""

    text: str = BLANKED
    depth: Depth = "last"


def find_unusable() -> tuple[str, CheckpointError] | None:
    """Return what is wrong with the first of the models that cannot be used; None where all can."""
    for name in MODELS:
        try:
            read_manifest(store.BUNDLED / name)
        except CheckpointError as error:
            return f"checkpoints/{name}", error
    return None


def compute(params: Params) -> tuple[FamilyRecord, ...]:
    """Let each model read the sentence: with its blank, up to its blank, and filled in; errors as of `encoder`."""
    return tuple(read(params) for read in READERS)


@torch.inference_mode()
def encoder(params: Params) -> FamilyRecord:
    """Let the encoder read the sentence with its blank.

    Raises:
        NoBlank: nothing is left out of the sentence.
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the checkpoint cannot be used.
    """
    text, depth = _text(params), params.depth
    loaded = masked.load(ENCODER)
    ids, tape = masked.encode(loaded.tokenizer, text), Tape()
    if len(ids) > MOST_READ:
        raise InputRefused("too_long", length=len(ids), limit=MOST_READ)
    asks = next(position for position, token in enumerate(ids) if token == loaded.tokenizer.mask_id)
    log_p = masked.log_probabilities(loaded.model, ids, tape=tape)[asks]
    log_p[sorted(loaded.tokenizer.special_ids)] = -torch.inf
    labels = loaded.tokenizer.pieces(ids)
    return FamilyRecord(
        family="encoder",
        labels=tuple(
            "___" if token == loaded.tokenizer.mask_id else labels[position] for position, token in enumerate(ids)
        ),
        weights=_weights(tape, _layer("layers", len(loaded.model.layers), depth, "self")),
        asks=asks,
        guesses=_best(log_p.exp(), lambda token: loaded.tokenizer.decode([token])),
        reads=len(ids),
        provenance=loaded.provenance(compute, f"{depth} layer, mean of its heads"),
    )


def _text(params: Params) -> str:
    """Return the sentence in the form of the training data.

    Raises:
        NoBlank: nothing is left out of it.
        InputRefused: nothing visible was typed, or too much.
    """
    text = clean(params.text)
    if not masked.BLANK.search(text):
        raise NoBlank(text)
    return text


@torch.inference_mode()
def decoder(params: Params) -> FamilyRecord:
    """Let the decoder read the sentence up to its blank; errors as of `encoder`."""
    before, depth = masked.BLANK.split(_text(params))[0], params.depth
    loaded = gpt.load(DECODER)
    read, tape = loaded.tokenizer.encode(before or "\n"), Tape()
    ids = read[-MOST_CHARACTERS:]
    first, *rest = map(_letter, loaded.tokenizer.pieces(ids))
    probabilities = loaded.model(torch.tensor([ids], device=loaded.device), tape=tape)[0, -1].softmax(-1)
    return FamilyRecord(
        family="decoder",
        labels=(first if len(ids) == len(read) else f"…{first}", *rest),
        weights=_weights(tape, _layer("layers", len(loaded.model.layers), depth, "self"), causal=True),
        asks=len(ids) - 1,
        guesses=_best(probabilities, lambda token: _letter(loaded.tokenizer.pieces([token])[0])),
        reads=0,
        provenance=loaded.provenance(compute, f"{depth} layer, mean of its heads"),
    )


@torch.inference_mode()
def both(params: Params) -> FamilyRecord:
    """Let the translator read the sentence filled in: attention of its encoder, and below it the two of its decoder.

    The row that guesses is the one whose last layer looks most at the word in the blank. Errors as of `encoder`.
    """
    text, depth = _text(params), params.depth
    before, guess = masked.BLANK.split(text)[0], ""
    while masked.BLANK.search(text):  # the first blank first: the next guess has read this one
        guess = encoder(replace(params, text=text)).guesses[0][0]
        text = guess.join(masked.BLANK.split(text, 1))
    translator = load(CHECKPOINT)
    model, tokenizer, bos = translator.prepared.model, translator.tokenizer, translator.prepared.config.bos_id
    source = encode_source(translator, text)
    if len(source) > MOST_READ:
        raise InputRefused("too_long", length=len(source), limit=MOST_READ)
    written = decode_all(translator.prepared, [source], DecodingOptions(beam=1))[0][0].ids[:MOST_WRITTEN]
    read, tape = [bos, *written[:-1]], Tape()
    device = translator.prepared.device
    logits = model(torch.tensor([source], device=device), torch.tensor([read], device=device), tape=tape)[0]
    config, n = translator.prepared.config, len(source)
    weights = np.full((n + len(read),) * 2, np.nan, np.float32)
    weights[:n, :n] = _weights(tape, _layer("encoder.layers", config.n_encoder_layers, depth, "self"))
    weights[n:, :n] = _weights(tape, _layer("decoder.layers", config.n_decoder_layers, depth, "cross"))
    weights[n:, n:] = _weights(tape, _layer("decoder.layers", config.n_decoder_layers, depth, "self"), causal=True)
    blank = min(len(tokenizer.encode(before)), n - 1)
    last = _weights(tape, _layer("decoder.layers", config.n_decoder_layers, "last", "cross"))
    asks = int(last[:, blank].argmax())
    return FamilyRecord(
        family="both",
        labels=(*tokenizer.pieces(source), *tokenizer.pieces(read)),
        weights=weights,
        asks=n + asks,
        guesses=_best(logits[asks].softmax(-1), lambda token: tokenizer.pieces([token])[0]),
        reads=n,
        provenance=translator.traced_by.by(compute, detail=f"{depth} layers, mean of their heads"),
    )


def _letter(label: str) -> str:
    return SPACE if label in (" ", "␣") else label


def _layer(stack: str, n_layers: int, depth: Depth, kind: str) -> str:
    return f"{stack}.{0 if depth == 'first' else n_layers - 1}.{kind}"


def _weights(tape: Tape, site: str, *, causal: bool = False) -> Float32:
    """Return the mean weights of a site's heads, NaN in the future of a causal one."""
    weights = tape[site].weights[0].mean(0).float().cpu()  # [queries, keys]
    if causal:
        weights = weights.masked_fill(torch.ones_like(weights, dtype=torch.bool).triu(1), torch.nan)
    found: Float32 = weights.numpy()
    return found


def _best(probabilities: Tensor, named: Callable[[int], str]) -> tuple[tuple[str, float], ...]:
    best, tokens = probabilities.topk(N_GUESSES)
    return tuple((named(token), share) for token, share in zip(tokens.tolist(), best.tolist(), strict=True))


def right() -> float:
    """Return the share of held-out blanks that the encoder fills in right at first guess, in per cent."""
    return float(read_manifest(store.BUNDLED / ENCODER).metrics["test_right"])


#: The functions that let a model read, with the models that they need.
READERS: Mapping[Callable[[Params], FamilyRecord], str] = {encoder: ENCODER, decoder: DECODER, both: CHECKPOINT}
