"""Trained models ready to run, and where their numbers come from."""

import contextlib
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import torch
from torch import nn

from explorer.checkpoints.hub import locate, open_checkpoint
from explorer.checkpoints.manifest import MANIFEST, CheckpointUnsupported, Manifest, display_source
from explorer.inference.device import device_of, pick_device
from explorer.records.provenance import Computation, Provenance

M = TypeVar("M", bound=nn.Module)
L = TypeVar("L")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LoadedModel:
    """A model in float32, on the best device there is; shared by all sessions, so nothing here is written to."""

    SHARED: ClassVar[bool] = True

    name: str
    manifest: Manifest
    model: nn.Module

    @property
    def device(self) -> torch.device:
        """Return where it computes."""
        return device_of(self.model)

    def provenance(self, function: Computation, detail: str = "") -> Provenance:
        """Return the provenance of something this model computes."""
        return Provenance.of(
            function,
            device=self.device.type,
            model=display_source(self.name),
            revision=self.manifest.revision,
            detail=detail,
        )


def loaded_once(most: int) -> Callable[[Callable[..., L]], Callable[..., L]]:
    """Return what makes of a function that loads a checkpoint one that keeps the last `most` for the whole process.

    A checkpoint whose folder has changed is loaded again; who asks for one that is being loaded waits for it.
    """
    loading = [threading.Lock() for _ in range(16)]

    def keeping(load: Callable[..., L]) -> Callable[..., L]:
        @lru_cache(maxsize=most)
        def kept(checkpoint: str, _content: str, *more: object) -> L:
            return load(checkpoint, *more)

        @wraps(load)
        def find(checkpoint: str, *more: object) -> L:
            content = locate(checkpoint)
            with contextlib.suppress(OSError):
                content += f"@{(Path(content) / MANIFEST).stat().st_mtime_ns}"
            with loading[hash((checkpoint, content, *more)) % len(loading)]:
                return kept(checkpoint, content, *more)

        find.cache_clear = kept.cache_clear  # type: ignore[attr-defined]
        return find

    return keeping


def open_family(checkpoint: str, kind: type[M], what: str) -> tuple[Manifest, M, Any]:
    """Open a checkpoint of one family, on the best device there is.

    Args:
        checkpoint: a bundled name, a folder, or `org/name@revision` on the Hub.
        kind: class of its model.
        what: this family in words, for a refusal.

    Returns:
        Manifest, model, and what reads its tokens or names its classes.

    Raises:
        CheckpointError: it cannot be used.
        DeviceRefused: `EXPLORER_DEVICE` names a device that is not there.
    """
    manifest, model, words = open_checkpoint(checkpoint)
    if not isinstance(model, kind):
        raise CheckpointUnsupported(f"{display_source(checkpoint)} is a {manifest.family}, not {what}.")
    return manifest, model.to(pick_device()), words
