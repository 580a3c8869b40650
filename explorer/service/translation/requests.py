"""Translate what a page asks: paths, tokens and messages of the queue are made here."""

from collections.abc import Sequence
from pathlib import Path

from explorer.checkpoints.hub import locate
from explorer.checkpoints.manifest import read_manifest
from explorer.inference.translator.request import Params, encoded
from explorer.service.translation.messages import Ask
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
        QueueRefused: too many wait, or the queue is closed.
    """
    return (queue or translation_queue()).ask([_ask(request) for request in requests], owner)


def warm(checkpoint: str) -> None:
    """Have a worker started and a model loaded before anybody asks.

    Args:
        checkpoint: a bundled name or a folder.

    Raises:
        CheckpointError: its manifest cannot be read.
    """
    folder = locate(checkpoint)
    translation_queue().warm(folder, read_manifest(Path(folder)).revision)


def _ask(request: Params) -> Ask:
    translator, _, source = encoded(request)
    return Ask(
        checkpoint=locate(request.checkpoint),
        revision=translator.manifest.revision,
        source=tuple(source),
        options=request.options,
        precision=request.precision,
    )
