"""Translators that were trained alike and differ in where a layer normalises: their lines, courses, first gradients."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from explorer.checkpoints import store
from explorer.checkpoints.manifest import CheckpointDamaged, CheckpointError, Manifest, read_manifest
from explorer.data.parallel.multi30k import OWN_CAPTIONS
from explorer.data.parallel.pairs import read_pairs
from explorer.inference.search.batching import decode_all
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.search.topk import pad_rows
from explorer.inference.translator.translate import InputRefused, LoadedTranslator, clean, encode_source, load
from explorer.lessons.whole_transformer.records import Build, CourseRecord, GradientRecord, LineRecord
from explorer.models.translator import Translator, TranslatorConfig
from explorer.nn.tape import Tape
from explorer.records.provenance import Provenance
from explorer.scenes.whole_transformer import CAPTION
from explorer.training.loop import Run

MODELS: Mapping[Build, str] = {
    "pre": "translator-norm-pre",
    "post": "translator-norm-post",
}
#: What a configuration says of each build.
BUILDS: Mapping[Build, Mapping[str, Any]] = {"pre": {}, "post": {"norm": "post"}, "bare": {"residual": False}}
#: Tokens of the sentence, and pairs whose loss gives the first gradients.
MOST_TOKENS, N_PAIRS = 40, 16
#: Layers of an untrained encoder, and as many of its decoder.
LEAST_DEPTH, MOST_DEPTH = 2, 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Params:
    """A German sentence; numbers are clamped to their ranges.

    Attributes:
        text: anything.
        build: of the trained model that reads it.
        depth: layers of each untrained stack.
    """

    text: str = CAPTION
    build: Build = "pre"
    depth: int = MOST_DEPTH

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", min(max(self.depth, LEAST_DEPTH), MOST_DEPTH))


def find_unusable() -> tuple[str, CheckpointError] | None:
    """Return what is wrong with the first of the models that cannot be used; None where all can."""
    for name in MODELS.values():
        try:
            _course(read_manifest(store.BUNDLED / name), name, "pre")
        except CheckpointError as error:
            return f"checkpoints/{name}", error
    return None


def lines(params: Params) -> tuple[LineRecord, ...]:
    """Return the lines of every model on a sentence; errors as of `line`."""
    return tuple(line(replace(params, build=build)) for build in MODELS)


def line(params: Params) -> LineRecord:
    """Translate a sentence with a model, and measure its lines.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the checkpoint cannot be used.
    """
    translator, text = load(MODELS[params.build]), params.text
    source = encode_source(translator, clean(text))
    if len(source) > MOST_TOKENS:
        raise InputRefused("too_long", length=len(source), limit=MOST_TOKENS)
    found = decode_all(translator.prepared, [source], DecodingOptions(beam=1))[0][0]
    device = translator.prepared.device
    read = torch.tensor([[translator.prepared.config.bos_id, *found.ids[:-1]]], device=device)
    states = states_of(translator.prepared.model, torch.tensor([source], device=device), read)
    return LineRecord(
        build=params.build,
        points=tuple(states),
        length=np.array([float(state.norm(dim=-1).mean()) for state in states.values()], np.float32),
        written=translator.tokenizer.decode(found.ids),
        provenance=translator.traced_by.by(line),
    )


@torch.inference_mode()
def states_of(model: Translator, source: Tensor, read: Tensor) -> dict[str, Tensor]:
    """Return the vectors of every token, `[1, tokens, d_model]`, before the first part of each stack and after each.

    The tape has what each part made; the layer's own `add_residual` adds and normalises it again.
    """
    tape = Tape(feed_forward=True)
    model(source, read, tape=tape)
    found: dict[str, Tensor] = {}
    for stack, layers, ids in (("enc", model.encoder.layers, source), ("dec", model.decoder.layers, read)):
        x = found[f"{stack}.x"] = model.embed(ids)
        for number, each in enumerate(layers):
            layer: Any = each
            site = f"{'encoder' if stack == 'enc' else 'decoder'}.layers.{number}"
            for part in ("self", "cross", "net") if stack == "dec" else ("self", "net"):
                made = tape.net(site) if part == "net" else tape[f"{site}.{part}"].output
                norm = layer.feed_forward_norm if part == "net" else getattr(layer, f"{part}_norm")
                x = found[f"{stack}.{number}.{part}"] = layer.add_residual(norm, x, made)
    return found


def courses() -> tuple[CourseRecord, ...]:
    """Read the courses of the trainings from the files beside the weights.

    Raises:
        CheckpointError: a file is missing or damaged.
    """
    return tuple(_course(read_manifest(store.BUNDLED / name), name, build) for build, name in MODELS.items())


def _course(manifest: Manifest, name: str, build: Build) -> CourseRecord:
    try:
        with (store.BUNDLED / name / "history.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        columns = {each: np.array([float(row[each]) for row in rows], np.float32) for each in _COLUMNS}
        test_bleu = float(manifest.metrics["test_bleu"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CheckpointDamaged(f"checkpoints/{name} has no usable history.csv: {error}") from error
    if not rows:
        raise CheckpointDamaged(f"checkpoints/{name}/history.csv has no report")
    return CourseRecord(
        build=build,
        step=columns.pop("step").astype(np.int64),
        test_bleu=test_bleu,
        provenance=Provenance.of(
            Run, dtype="bfloat16", seed=manifest.seed, model=name, revision=manifest.revision, detail=manifest.command
        ),
        **columns,
    )


_COLUMNS = ("step", "train_loss", "dev_loss")


def gradients(params: Params) -> tuple[GradientRecord, ...]:
    """Build a model of every kind anew, untrained and so deep, and differentiate its loss on a few captions.

    All begin with the same numbers: those that the trained ones began with.

    Raises:
        CheckpointError: a checkpoint cannot be used.
    """
    trained = load(MODELS["pre"])
    return tuple(_gradient(trained, build, params.depth) for build in BUILDS)


def _gradient(trained: LoadedTranslator, build: Build, depth: int) -> GradientRecord:
    config = replace(trained.prepared.config, n_encoder_layers=depth, n_decoder_layers=depth, **BUILDS[build])
    seed = trained.manifest.seed
    with torch.inference_mode(mode=False), torch.enable_grad():
        model = initialise_model(config, seed)
        source, target = captions(trained)
        logits = model(source, target[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten(), ignore_index=config.pad_id)
        loss.backward()  # type: ignore[no-untyped-call]
        stacks = {"enc": model.encoder.layers, "dec": model.decoder.layers}
        sizes = {f"{stack}.{i}": _size(layer) for stack, layers in stacks.items() for i, layer in enumerate(layers)}
    return GradientRecord(
        build=build,
        layers=tuple(sizes),
        size=np.array(list(sizes.values()), np.float32),
        provenance=Provenance.of(gradients, seed=seed, detail=f"{depth}+{depth} layers, untrained"),
    )


def initialise_model(config: TranslatorConfig, seed: int) -> Translator:
    """Return a model as a training begins with it, without dropout; the caller's random numbers stay as they are."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Translator(config).eval()


def captions(trained: LoadedTranslator) -> tuple[Tensor, Tensor]:
    """Return captions of our own and their translations as padded ids."""
    pairs = read_pairs(OWN_CAPTIONS)[:N_PAIRS]
    tokenizer, config = trained.tokenizer, trained.prepared.config
    sources = [[*tokenizer.encode(pair.source), config.eos_id] for pair in pairs]
    targets = [[config.bos_id, *tokenizer.encode(pair.targets[0]), config.eos_id] for pair in pairs]
    return pad_rows(sources, config.pad_id), pad_rows(targets, config.pad_id)


def _size(layer: nn.Module) -> float:
    squares = [each.grad.square().sum() for each in layer.parameters() if each.grad is not None]
    return float(torch.stack(squares).sum().sqrt())
