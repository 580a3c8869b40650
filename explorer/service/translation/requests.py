"""Translate what a page asks: paths, tokens and messages of the queue are made here."""

from collections.abc import Sequence
from pathlib import Path

from explorer.checkpoints.hub import locate
from explorer.checkpoints.manifest import read_manifest
from explorer.inference.device import pick_arithmetic
from explorer.inference.engine.layout import pick_precision
from explorer.inference.translator.request import Params, encode_text
from explorer.inference.translator.translate import LoadedTranslator
from explorer.service.translation.messages import TranslationRequest
from explorer.service.translation.queue import TranslationQueue, translation_queue
from explorer.service.translation.ticket import Ticket


def translate(requests: Sequence[Params], owner: str = "", queue: TranslationQueue | None = None) -> Ticket:
    """Have texts translated, each as one sentence.

    Args:
        owner: whose turn it is.
        queue: the one of this process if not given.

    Raises:
        InputRefused: one has nothing visible, or too much.
        CheckpointError: the checkpoint cannot be used.
        DeviceRefused: `EXPLORER_DEVICE` or `EXPLORER_PRECISION` names what is not there.
        QueueRefused: too many wait, or the queue is closed.
    """
    return (queue or translation_queue()).submit([_translation_request(request) for request in requests], owner)


def arithmetic_of(request: Params, translator: LoadedTranslator) -> str:
    """Return what a worker of the queue computes in while it searches for this, in a word."""
    if request.precision == "int8":
        return translator.prepared.precision if translator.prepared.precision == "int8" else "float32"
    return pick_arithmetic() if translator.prepared.config.is_standard else "float32"


def warm(checkpoint: str) -> None:
    """Have a worker started and a model loaded before anybody asks.

    Args:
        checkpoint: a bundled name or a folder.

    Raises:
        CheckpointError: its manifest cannot be read.
    """
    folder = locate(checkpoint)
    translation_queue().warm(folder, read_manifest(Path(folder)).revision)


def _translation_request(request: Params) -> TranslationRequest:
    translator, _, source = encode_text(request)
    return TranslationRequest(
        checkpoint=locate(request.checkpoint),
        revision=translator.manifest.revision,
        source=tuple(source),
        options=request.options,
        precision=pick_precision() if request.precision == "full" else request.precision,
    )
