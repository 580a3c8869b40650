"""Convert a folder of a Marian translator, as `transformers` writes it, into one of ours."""

import json
import math
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn

from explorer.checkpoints.front_matter import MOST, front_matter
from explorer.checkpoints.manifest import (
    TOKENIZER,
    WEIGHTS,
    CheckpointDamaged,
    CheckpointMissing,
    CheckpointUnsupported,
    Manifest,
    Probe,
    display_name,
)
from explorer.checkpoints.marian import names, peer
from explorer.checkpoints.store import save
from explorer.data.marian.sentencepieces import SentencePieceFiles, SentencePieces
from explorer.models.translator import Translator, TranslatorConfig

FAMILY = "marian"
PICKLED = "pytorch_model.bin"
CONFIG, SETTINGS, VOCABULARY, README = "config.json", "tokenizer_config.json", "vocab.json", "README.md"
SOURCE, TARGET = "source.spm", "target.spm"
#: Files of which a folder is made; the last two may be missing.
FILES = (CONFIG, SOURCE, TARGET, VOCABULARY, SETTINGS, README)
#: Bytes of one of them.
MOST_BYTES = 64_000_000
#: What is read and written while converting, whatever the languages are: it is to come out the same, no more.
PROBE, PROBE_TOKENS = "My sister wants to live in a big white house.", 12
#: Logits of the same numbers differ by rounding alone.
TOLERANCE = 1e-3


def convert(folder: Path, into: Path, *, name: str, allow_pickle: bool = False) -> Manifest:
    """Convert a folder, and compare what both models make of a text where `transformers` is installed.

    Args:
        folder: with `config.json`, `source.spm`, `target.spm`, `vocab.json` and `model.safetensors`.
        into: is made; its manifest is written last.
        name: of the model, for its languages and its card, such as `org/name@revision`.
        allow_pickle: whether `pytorch_model.bin` is read where there are no safetensors: as weights alone, which
            PyTorch promises to run nothing of.

    Raises:
        CheckpointError: it is no Marian translator that is converted, a file is missing or damaged, or
            `transformers` computes something else.
    """
    theirs, settings = _object(folder / CONFIG), _settings(folder)
    files = _sub_words(folder, settings)
    tokenizer = _checked(files)
    config = names.configuration(theirs, _directions(tokenizer, settings, name))
    _check_alike(config, tokenizer)
    stored = _weights(folder, allow_pickle=allow_pickle)
    model = _filled(config, stored)
    source = [*list(tokenizer.tags.values())[:1], *tokenizer.encode(PROBE), tokenizer.eos_id]
    difference = peer.largest_difference(folder, model, source, greedy(model, source)[0], PROBE)
    if difference is not None and not difference <= TOLERANCE:
        raise CheckpointDamaged(f"transformers computes other numbers: a logit differs by {difference:.2g}.")
    into.mkdir(parents=True, exist_ok=True)
    (into / TOKENIZER).write_text(files.to_json(), encoding="utf-8")
    return save(
        into,
        family=FAMILY,
        config=config,
        model=model,
        tokenizer_file=into / TOKENIZER,
        data=f"{name}, trained by its authors; converted by this project.",
        licence=_licence(folder),
        command=f"python -m explorer.checkpoints convert {name}",
        seed=0,
        metrics={} if difference is None else {peer.METRIC: difference},
        probe=partial(_probe, source=source),
        halve=all(each.dtype == torch.float16 for each in stored.values()),
    )


@torch.inference_mode()
def greedy(model: Translator, source: list[int]) -> tuple[list[int], float]:
    """Return the likeliest token after each, from the first on, and the sum of their log-probabilities in nats."""
    config = model.config
    ids, written, total = torch.tensor([source]), [config.bos_id], 0.0
    seen = torch.ones_like(ids, dtype=torch.bool)
    memory = model.encode(ids, seen)
    while len(written) <= PROBE_TOKENS and (len(written) == 1 or written[-1] != config.eos_id):
        logits = model.decode(torch.tensor([written]), memory, seen)[0, -1].float()
        logits[list(config.never_written)] = -math.inf
        best, token = logits.log_softmax(-1).max(-1)
        written.append(int(token))
        total += float(best)
    return written[1:], total


def _probe(model: nn.Module, tokenizer: SentencePieces, source: list[int]) -> Probe:
    assert isinstance(model, Translator)
    written, score = greedy(model, source)
    return Probe(given=PROBE, expected=tokenizer.decode(written), score=score)


def _object(path: Path) -> dict[str, Any]:
    """Read a JSON object of a stranger.

    Raises:
        CheckpointMissing: there is no such file.
        CheckpointDamaged: it is too large, or no JSON object.
    """
    data = _bytes(path)
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise CheckpointDamaged(f"{path.name} is no JSON.") from error
    if not isinstance(content, dict):
        raise CheckpointDamaged(f"{path.name} holds no object.")
    return content


def _bytes(path: Path) -> bytes:
    if not path.is_file():
        raise CheckpointMissing(
            f"{path.name} is missing in {display_name(path.parent)}: it is no folder of a Marian model."
        )
    if path.stat().st_size > MOST_BYTES:
        raise CheckpointDamaged(f"{path.name} is larger than {MOST_BYTES:,} bytes.")
    return path.read_bytes()


def _settings(folder: Path) -> dict[str, Any]:
    return _object(folder / SETTINGS) if (folder / SETTINGS).is_file() else {}


def _sub_words(folder: Path, settings: Mapping[str, Any]) -> SentencePieceFiles:
    if settings.get("separate_vocabs"):
        raise CheckpointUnsupported("It has a vocabulary for each language, and only models of one are converted.")
    vocabulary = _object(folder / VOCABULARY)
    return SentencePieceFiles(source=_bytes(folder / SOURCE), target=_bytes(folder / TARGET), vocabulary=vocabulary)


def _checked(files: SentencePieceFiles) -> SentencePieces:
    try:
        return SentencePieces(files)
    except ValueError as error:
        raise CheckpointDamaged(f"Its sub-words cannot be read: {error}.") from error


def _directions(tokenizer: SentencePieces, settings: Mapping[str, Any], name: str) -> str:
    said = [settings.get(key) for key in ("source_lang", "target_lang")]
    named = names.named_languages(name)
    source, target = (
        each if isinstance(each, str) and each.isidentifier() else other
        for each, other in zip(said, named, strict=True)
    )
    return names.directions(source, target, [tag[2:-1] for tag in tokenizer.tags])


def _check_alike(config: TranslatorConfig, tokenizer: SentencePieces) -> None:
    """Compare the ids that both know."""
    pairs = {
        "vocab_size": (config.vocab_size, tokenizer.vocab_size),
        "pad_token_id": (config.pad_id, tokenizer.pad_id),
        "decoder_start_token_id": (config.bos_id, tokenizer.bos_id),
        "eos_token_id": (config.eos_id, tokenizer.eos_id),
    }
    for name, (model, words) in pairs.items():
        if model != words:
            raise CheckpointUnsupported(f"{CONFIG} says {name} = {model:,}, and {VOCABULARY} {words:,}.")


def _weights(folder: Path, *, allow_pickle: bool) -> dict[str, Tensor]:
    path, pickled = folder / WEIGHTS, folder / PICKLED
    if path.is_file():
        try:
            return load_file(path)
        except (SafetensorError, OSError) as error:
            raise CheckpointDamaged(f"{WEIGHTS} cannot be read: fetch it again.") from error
    if not pickled.is_file():
        raise CheckpointMissing(f"{WEIGHTS} is missing in {display_name(folder)}.")
    if not allow_pickle:
        raise CheckpointUnsupported(
            f"Its weights are pickled ({PICKLED}): add --allow-pickle to read them as weights alone, if you trust"
            " where they come from."
        )
    try:
        found = torch.load(pickled, map_location="cpu", weights_only=True)
    except Exception as error:  # whatever a stranger's pickle makes of the reader
        raise CheckpointDamaged(f"{PICKLED} cannot be read as weights alone.") from error
    if not isinstance(found, dict) or not all(isinstance(each, Tensor) for each in found.values()):
        raise CheckpointDamaged(f"{PICKLED} holds something else than weights.")
    return found


def _filled(config: TranslatorConfig, stored: Mapping[str, Tensor]) -> Translator:
    """Return our model with their weights.

    Raises:
        CheckpointDamaged: a weight is missing, too much, of another shape, or not finite.
    """
    model = Translator(config).eval().requires_grad_(False)
    ours, expected = names.weights(stored, config, model.positional_encodings), model.state_dict()
    wrong = [
        name
        for name in sorted(ours.keys() | expected.keys())
        if name not in ours or name not in expected or ours[name].shape != expected[name].shape
    ]
    if wrong:
        raise CheckpointDamaged(f"{len(wrong)} weights do not fit its {CONFIG}, the first is {wrong[0]}.")
    for name, tensor in ours.items():
        if not tensor.is_floating_point() or not tensor.isfinite().all():
            raise CheckpointDamaged(f"{name} has values that are no numbers or not finite.")
        expected[name].copy_(tensor)
    return model


def _licence(folder: Path) -> str:
    path = folder / README
    if not path.is_file():
        return "unknown"
    with path.open(encoding="utf-8", errors="replace") as file:
        return front_matter(file.read(MOST)).get("license") or "unknown"
