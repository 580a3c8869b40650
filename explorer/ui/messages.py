"""Messages of a page where trained weights, or what lies beside them, cannot be used. What else it has goes on."""

from collections.abc import Collection, Mapping
from pathlib import Path

import streamlit as st

from explorer.checkpoints.manifest import CheckpointError
from explorer.ui import figure_card
from explorer.ui.language import t

_MOST_CHARACTERS = 2000


def no_checkpoint(name: str, error: CheckpointError) -> None:
    """Say that a checkpoint cannot be used, and how to get it back.

    Args:
        name: a bundled one's, or the folder of one that the reader brought along.
    """
    no_checkpoints({name: error})


def no_checkpoints(lost: Mapping[str, CheckpointError]) -> None:
    """Say in one message which of several are lost; nothing where none is."""
    ours = {f"checkpoints/{name}": error for name, error in lost.items() if not Path(name).is_absolute()}
    if ours:
        _lost(ours)
    if len(ours) < len(lost):
        said = t("A model of yours is no longer on this server: bring it back in the training lab.")
        st.error(said, icon=":material/folder_off:")


def no_file(path: str, error: CheckpointError) -> None:
    """Say that a file of the project that is no checkpoint is lost; its path is the repository's."""
    _lost({path: error})


def _lost(paths: Mapping[str, CheckpointError]) -> None:
    said = t(
        "What lies in {names} is missing or damaged, so what needs it cannot be computed, and nothing is drawn in its "
        "place. All else works without it."
    ).format(names=_names(paths))
    st.error(f"{said} {_way_back(paths)}", icon=":material/folder_off:")
    with st.expander(t("What exactly is wrong")):
        st.text(_details(paths))


def left_out(lost: Mapping[str, CheckpointError]) -> None:
    """Say, in a line beside a choice of models, which are not in it and ought to be."""
    if lost:
        paths = {f"checkpoints/{name}": error for name, error in lost.items()}
        said = t("Left out, because missing or damaged: {names}.").format(names=_names(paths))
        st.caption(f":material/folder_off: {said} {_way_back(paths)}", help=figure_card.escape(_details(paths)))


def _names(paths: Collection[str]) -> str:
    return t(", ").join(map(figure_card.escape, paths))


def _way_back(paths: Collection[str]) -> str:
    return t(
        "To get it back: `{command}` (or `git lfs pull`, where Git LFS keeps the weights), or make it again with the "
        "command in its README."
    ).format(command=" ".join(["git checkout --", *paths]))


def _details(lost: Mapping[str, CheckpointError]) -> str:
    return "\n".join(map(str, lost.values()))[:_MOST_CHARACTERS]
