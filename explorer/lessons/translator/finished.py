"""A finished translation as numbers, to run the model over it again."""

from collections.abc import Mapping
from dataclasses import dataclass

from explorer.checkpoints import store
from explorer.checkpoints.manifest import CheckpointError, Manifest
from explorer.data.parallel.directions import Direction, parse_directions
from explorer.inference.device import DeviceRefused, pick_device
from explorer.inference.engine.linear import int8_works
from explorer.inference.translator.request import translator_for
from explorer.inference.translator.translate import LoadedTranslator, load
from explorer.lessons.translator.state import Result
from explorer.opened import translators as translators_of_others
from explorer.opened.translators import Converted


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedTranslation:
    """The tokens that were read and written: the cache key of all that is asked of a finished translation.

    Attributes:
        checkpoint: a bundled name, a folder, or `org/name@revision`.
        source_ids: `</s>` included.
        written_ids: without `<s>`.
    """

    checkpoint: str
    source_ids: tuple[int, ...]
    written_ids: tuple[int, ...]

    def model(self) -> LoadedTranslator:
        """Return the model that wrote it.

        Raises:
            CheckpointError: the checkpoint cannot be used.
        """
        return load(self.checkpoint)


def direction(result: Result) -> Direction | None:
    """Return from which language into which; None where its languages have no names."""
    return translator_for(result.params).direction


def eight_bits() -> bool:
    """Return whether the linear maps can be computed with eight-bit integers here."""
    try:
        return pick_device().type == "cpu" and int8_works()
    except DeviceRefused:
        return False


def translators() -> dict[str, tuple[Direction, ...]]:
    """Return the translators that come with the project to translate, and what each translates, the usual first.

    One whose manifest cannot be read is none, nor is one that is there only to be compared. What one translates alone,
    it is better at: another that translates it beside its usual direction leaves it to that one.
    """
    found = {
        name: directions(manifest)
        for name, manifest in store.read_bundled_manifests().items()
        if manifest.family == "translator" and name not in store.COMPARED
    }
    alone = {ways[0] for name, ways in found.items() if len(ways) == 1 and not of_captions(name)}
    return {
        name: (*ways[:1], *(way for way in ways[1:] if of_captions(name) or way not in alone))
        for name, ways in found.items()
    }


def of_captions(checkpoint: str) -> bool:
    """Return whether a translator has read captions of pictures alone."""
    return "multi30k" in checkpoint


def list_converted() -> Mapping[str, Converted]:
    """Return the translators of others that this server has in our own form, by name."""
    return translators_of_others.list_converted()


def find_unusable() -> dict[str, CheckpointError]:
    """Return what is wrong with those that came with the project and are not among them, by name."""
    return {name: error for name, error in store.find_unreadable("translator").items() if name not in store.COMPARED}


def directions(manifest: Manifest) -> tuple[Direction, ...]:
    """Return the directions; none if they make no sense: whoever opens the checkpoint is told."""
    try:
        return parse_directions(str(manifest.config.get("directions", "")))
    except ValueError:
        return ()


def best_translation(result: Result) -> FinishedTranslation:
    """Return the best translation of a result."""
    trace = result.trace
    return FinishedTranslation(
        checkpoint=result.params.checkpoint, source_ids=trace.source_ids, written_ids=trace.written_ids
    )
