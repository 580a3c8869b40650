"""Messages where trained weights, or what lies beside them, cannot be used. What else a page has goes on."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

import streamlit as st

from explorer.checkpoints.manifest import CheckpointError, list_left_out
from explorer.records.language import t
from explorer.ui.messages.place import error as say, place
from explorer.ui.messages.plain import Markdown, plain

_ICON = ":material/folder_off:"
_MOST_CHARACTERS = 2000


def no_checkpoint(name: str, error: CheckpointError) -> None:
    """Say that a checkpoint cannot be used, and how to get it back.

    Args:
        name: a bundled one's, or the folder of one that the reader brought along; empty if only the error knows it.
    """
    no_checkpoints({name or error.checkpoint: error})


def no_checkpoints(lost: Mapping[str, CheckpointError]) -> None:
    """Say in one message which of several are lost; nothing where none is."""
    ours = {f"checkpoints/{name}".rstrip("/"): error for name, error in lost.items() if not Path(name).is_absolute()}
    if ours:
        _lost(ours)
    if len(ours) < len(lost):
        say(t("A model of yours is no longer on this server: bring it back in the training lab."), _ICON)


def no_file(path: str, error: CheckpointError) -> None:
    """Say that a file of the project that is no checkpoint is lost; its path is the repository's."""
    _lost({path: error})


def _lost(paths: Mapping[str, CheckpointError]) -> None:
    said = t(
        "What lies in {names} is missing or damaged, so what needs it cannot be computed, and nothing is drawn in its "
        "place. All else works without it."
    ).format(names=_names(paths))
    say(Markdown(f"{said} {_way_back(paths)}"), _ICON)
    exactly(paths.values())


def exactly(errors: Iterable[CheckpointError | str]) -> None:
    """Show in a fold what the errors say, word for word."""
    with place(), st.expander(t("What exactly is wrong")):
        st.text("\n".join(map(str, errors))[:_MOST_CHARACTERS])


def left_out(lost: Mapping[str, CheckpointError]) -> None:
    """Say, in a line beside a choice of models, which are not in it and ought to be."""
    if lost:
        paths = {f"checkpoints/{name}": error for name, error in lost.items()}
        said = t("Left out, because missing or damaged: {names}.").format(names=_names(paths))
        details = "\n\n".join(plain(str(error)) for error in lost.values())[:_MOST_CHARACTERS]
        st.caption(f"{_ICON} {said} {_way_back(paths)}", help=details)


def _names(paths: Collection[str]) -> str:
    return t(", ").join(map(plain, paths))


def _way_back(paths: Collection[str]) -> str:
    """Say how files come back: deleted first, as Git rewrites none that is as it once wrote it, line ends and all.

    What a wheel leaves out is fetched.
    """
    left_out = [name for name in list_left_out() if any(name in Path(path).parts for path in paths)]
    if left_out:
        command = " ".join(["attention-explorer checkpoints fetch", *left_out])
        return t("It is too large to come along: `{command}` says how large, and fetches it.").format(command=command)
    return t(
        "To get it back, delete what is left of it and run `{command}` (or `git lfs pull`, where Git LFS keeps the "
        "weights), or make it again with the command in its README."
    ).format(command=" ".join(["git checkout --", *paths]))
