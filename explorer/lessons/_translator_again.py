"""Page 09: a finished translation as numbers, to run the model over it again."""

from dataclasses import dataclass

from explorer.checkpoints import store
from explorer.checkpoints.manifest import CheckpointError, read_manifest
from explorer.data.directions import Direction
from explorer.inference.observing import exact
from explorer.inference.translator import LoadedTranslator, loaded
from explorer.lessons._translator_state import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What was read and written, whatever found it. The cache key of all that is asked of a finished translation.

    Attributes:
        checkpoint: a bundled name, a folder, or `org/name@revision`.
        source_ids: `</s>` included.
        written_ids: without `<s>`.
    """

    checkpoint: str
    source_ids: tuple[int, ...]
    written_ids: tuple[int, ...]

    def model(self) -> LoadedTranslator:
        """Who wrote it, in float32: changes of a log-probability would drown in bfloat16.

        Raises:
            CheckpointError: the checkpoint cannot be used.
        """
        return exact(self.checkpoint)


def direction(result: Result) -> Direction | None:
    """From which language into which; None where its languages have no names."""
    return loaded(result.params.checkpoint).direction


def translators() -> tuple[str, ...]:
    """Names of the translators that come with the project; one whose manifest cannot be read is none."""
    return tuple(name for name in store.bundled() if _is_translator(name))


def _is_translator(name: str) -> bool:
    try:
        return read_manifest(store.BUNDLED / name).family == "translator"
    except CheckpointError:
        return False


def written(result: Result) -> Written:
    """The best translation of a result."""
    trace = result.trace
    return Written(checkpoint=result.params.checkpoint, source_ids=trace.source_ids, written_ids=trace.written_ids)
