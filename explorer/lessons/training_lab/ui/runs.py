"""A reader's trainings: started, named, found again after a reload, gone some time after the reader."""

import threading
from dataclasses import dataclass, field, replace
from functools import lru_cache

import streamlit as st

from explorer.inference.device import pick_lab_device
from explorer.lessons.training_lab import naming, state
from explorer.lessons.training_lab.records import LabCurve
from explorer.records import Provenance
from explorer.records.language import t
from explorer.records.training_run import LabProgress
from explorer.records.wording import unique_name
from explorer.service.lab.entry import LabEntry
from explorer.service.lab.queue import Lab, LabRefused
from explorer.service.metrics import METRICS
from explorer.training.lab.recipe import LabRecipe
from explorer.ui import fields
from explorer.ui.visitors import reader, visitors

#: Longest name of a training.
NAME_CHARACTERS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRun:
    """One training, as its reader knows it.

    Attributes:
        name: no other of the reader's trainings has it.
        colour: number of its colour; stays while others go.
    """

    entry: LabEntry
    name: str
    colour: int

    @property
    def id(self) -> str:
        """Return the id that tells its widgets apart."""
        return str(self.entry.number)

    @property
    def provenance(self) -> Provenance:
        """Return what trains it, and where."""
        device = self.entry.progress().device or pick_lab_device().type
        return replace(state.provenance_of(self.entry.recipe), device=device)

    def curve(self, progress: LabProgress) -> LabCurve:
        """Return the measured points."""
        return LabCurve(name=self.name, number=self.colour, points=progress.points, provenance=self.provenance)


@dataclass(slots=True)
class Labels:
    """Names and colours of everyone's trainings, by reader and number."""

    _lock: threading.Lock = field(default_factory=threading.Lock)
    _known: dict[str, dict[int, tuple[str, int]]] = field(default_factory=dict)

    def of(self, owner: str, entries: tuple[LabEntry, ...]) -> tuple[OwnRun, ...]:
        """Return the trainings with their labels; a new one gets a name and the first free colour."""
        with self._lock:
            before = self._known.get(owner, {})
            known = {entry.number: before[entry.number] for entry in entries if entry.number in before}
            for entry in entries:
                if entry.number not in known:
                    taken = {colour for _, colour in known.values()}
                    colour = next(number for number in range(len(entries)) if number not in taken)
                    known[entry.number] = (unique_name(naming.said_model(entry.recipe), _names(known)), colour)
            self._known[owner] = known
            if not known:
                del self._known[owner]
            return tuple(
                OwnRun(entry=entry, name=known[entry.number][0], colour=known[entry.number][1]) for entry in entries
            )

    def rename(self, owner: str, number: int, name: str) -> str:
        """Call it something else; nothing visible leaves its name as it was. Returns what it is called now."""
        with self._lock:
            known = self._known.get(owner, {})
            name = " ".join(name.split())[:NAME_CHARACTERS]
            if name and number in known and name != known[number][0]:
                known[number] = (unique_name(name, _names(known)), known[number][1])
            return known[number][0] if number in known else name

    def forget(self, owner: str) -> None:
        """Forget a reader who has gone."""
        with self._lock:
            self._known.pop(owner, None)


def _names(known: dict[int, tuple[str, int]]) -> set[str]:
    return {name for name, _ in known.values()}


@lru_cache(maxsize=1)
def lab() -> Lab:
    """Return the lab that this process shares."""
    made = Lab(visitors().is_connected)
    METRICS.watch("explorer_waiting", lambda: made.n_waiting, 'queue="lab"')
    visitors().count(lambda owner: len(made.runs(owner)))
    return made


@lru_cache(maxsize=1)
def labels() -> Labels:
    """Return the labels of this process."""
    made = Labels()
    visitors().when_gone(made.forget)
    return made


def list_runs() -> tuple[OwnRun, ...]:
    """Return the reader's trainings, the oldest first."""
    owner = reader()
    return labels().of(owner, lab().runs(owner))


def start(*recipes: LabRecipe) -> None:
    """Start trainings, or keep a message for `refusal` to say; in a callback."""
    st.session_state.pop("tl_refused", None)
    try:
        for recipe in recipes:
            look_at(str(lab().submit(recipe, reader()).number))
    except LabRefused as refused:
        st.session_state["tl_refused"] = refused.reason, refused.limit


def look_at(number: str) -> None:
    """Put a training on the stage, at its newest step, and look at an example of its own task; in a callback."""
    fields.set_values({"tl_stage": number, "tl_step": "newest", "tl_text": "", "tl_digit": "0"})


def refusal() -> str:
    """Return why the last training was not started; empty if it was."""
    said = {
        "own_active": t("You have {limit} trainings under way, the most that one reader may have: stop one first."),
        "own_kept": t("You keep {limit} trainings, the most that one reader may keep: remove one below."),
        "line": t("Too many trainings wait or run here (at most {limit}): try again in a minute."),
    }
    reason, limit = st.session_state.get("tl_refused", ("", 0))
    return said[reason].format(limit=limit) if reason in said else ""
