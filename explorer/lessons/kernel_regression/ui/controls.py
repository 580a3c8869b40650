"""Widgets that several scenes share, all bound to the link but the upload."""

import math
import re
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer.data.documents.tables import TextTable
from explorer.lessons.kernel_regression import readings, state
from explorer.lessons.kernel_regression.compute import QUERIES, domain
from explorer.lessons.kernel_regression.learned_bandwidth import WidthFit
from explorer.lessons.kernel_regression.points import MOST_POINTS, TRUTHS
from explorer.lessons.kernel_regression.points_csv import MOST_BYTES, PointsError, open_points, parse_points
from explorer.lessons.kernel_regression.records import Points
from explorer.records.language import t
from explorer.scenes import DEFAULTS
from explorer.scenes.kernel_regression import CARS, DRAWN
from explorer.ui import choice, fields, how_read, messages, uploads
from explorer.ui.live.told import Action, Index, Link, Number, Told
from explorer.ui.scene import rail
from explorer.ui.streamlit_internals import address
from explorer.ui.streamlit_internals.uploaded_file import UploadedFile

_TYPED_CHARACTERS = 4000
_MOVED_CHARACTERS = 700
_FIGURE = r"(-?[0-9]{1,13}(?:\.[0-9]{1,9})?(?:e[+-]?[0-9]{1,2})?)"
_MOVED = re.compile(rf"(?<![^ ])([0-9]{{1,3}}):{_FIGURE},{_FIGURE}(?![^ ])")


def positions() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return two places of the rail, of which the lower is filled first: the upper's ranges depend on its points."""
    return st.container(key="kr_here"), st.container(key="kr_rest")


def points() -> state.Data:
    """Ask where the points come from: what stands in *More settings*."""
    names = readings.truth_names()
    source = choice.select(t("Training points"), names, key="kr_source")
    if source == state.OWN:
        return read_own_points()
    known = source if source in TRUTHS else str(DEFAULTS["kr_source"])
    return state.Data(source=known, **rail.ask(DRAWN), moved=read_moved_points())


def more() -> tuple[state.Data, str]:
    """Points and kernel, folded away."""
    with rail.more():
        name = kernel()
        return points(), name


def read_own_points() -> state.Data:
    """The reader's points; the cars until there are some, or where they cannot be read."""
    said = (
        t("Paste or upload two columns of numbers: at least 3 rows, at most {most}.").format(most=MOST_POINTS),
        t("Paste from a spreadsheet; the link carries it. Comma, semicolon, tab, bar or space between the columns."),
    )
    text = choice.area(
        t("Two columns, x and y"),
        _TYPED_CHARACTERS,
        key="kr_csv",
        height=110,
        on_change=fields.set_values,
        args=({"kr_source": state.OWN},),
        placeholder="x,y\n0.5,1.2\n1.0,2.7\n1.8,3.1",
        help=" ".join(said),
    )
    file = uploads.file(
        t("Or a CSV file (the link does not carry it)"), ["csv", "tsv", "txt"], key="kr_file", max_upload_size=1
    )
    try:
        own = _table(file, text.strip())
        return _cars() if own is None else _parsed(own)
    except PointsError as error:
        told = f"{error} {t('Until then, 50 cars stand in.')}"
        messages.error(told)
        return _cars()


def _table(file: UploadedFile | None, text: str) -> TextTable | None:
    """Return the file, else what was typed, as its reader wants it read; None where there is neither."""
    if file is not None:
        return how_read.open_file(open_points, file.read(MOST_BYTES + 1), f"kr_file_{file.file_id}")
    return how_read.open_text(open_points, text, "kr_csv") if text else None


def _cars() -> state.Data:
    """Return the cars; what is remarkable in their rows is no matter of the reader's."""
    return _data(parse_points(open_points(CARS))[0])


def _parsed(table: TextTable) -> state.Data:
    found, remarks = parse_points(table)
    if remarks:
        messages.info(" ".join(remarks))
    return _data(found)


def _data(found: Points) -> state.Data:
    own = tuple(zip(found.x.tolist(), found.y.tolist(), strict=True))
    return state.Data(source=state.OWN, own=own, moved=read_moved_points())


def read_moved_points() -> tuple[state.Moved, ...]:
    """Return the points that were moved by hand."""
    label = t("Points moved by hand")
    return read_moved(choice.hidden_param(label, key="kr_moved", most=_MOVED_CHARACTERS))


def back(data: state.Data) -> None:
    """Show a button that puts the points back, where some were moved."""
    if data.moved:
        none, label = {"kr_moved": DEFAULTS["kr_moved"]}, t("Put the points back")
        st.button(label, key="kr_back", icon=":material/undo:", on_click=fields.set_values, args=(none,))


def read_moved(text: str) -> tuple[state.Moved, ...]:
    """Return what `1:2.5,0.3 7:4,1` says, numbers from 1; what is no such thing is left out."""
    found = {int(number) - 1: (float(x), float(y)) for number, x, y in _MOVED.findall(text)}
    return tuple((number, *position) for number, position in list(found.items())[-state.MOST_MOVED :] if number >= 0)


def put(number: int, x: float, y: float) -> None:
    """Put a point elsewhere; the one moved first goes back where too many are moved; in a callback."""
    found = {each[0]: each[1:] for each in read_moved(str(st.session_state.get("kr_moved") or ""))}
    found.pop(number, None)
    found[number] = (x, y)
    latest = list(found.items())[-state.MOST_MOVED :]
    fields.set_values({"kr_moved": " ".join(f"{each + 1}:{a:.9g},{b:.9g}" for each, (a, b) in latest)})


#: What is done where a point is put elsewhere in a picture.
POINT = Action(put, number=Index(MOST_POINTS), x=Number(), y=Number())


def tells(data: state.Data) -> dict[str, Told]:
    """Return what may be moved in a picture of the fit: query, width, and points."""
    query, width = Link("kr_query", Number(*domain(data))), Link("kr_width", Number(*widths(data)))
    return {"query": query, "width": width, "point": POINT}


def kernel() -> str:
    """Ask which kernel."""
    return choice.buttons(t("Kernel"), readings.kernel_names(), key="kr_kernel")


def widths(data: state.Data) -> tuple[float, float]:
    """Return the smallest width, which is also the step, and the largest: about the whole range."""
    low, high = domain(data)
    longest = _nice(high - low)
    return longest / 100, longest


def width(data: state.Data) -> float:
    """The width, in x-units: up to about the whole range."""
    least, longest = widths(data)
    _clamp("kr_width", least, longest, longest / 10, of=longest)
    said = t(
        "In x-units: the Gaussian’s standard deviation, half the base of the other kernels. d2l.ai writes w = 1/width."
    )
    usual, form = longest / 10, "%.4g"
    return choice.slider(t("Width h"), least, longest, least, key="kr_width", default=usual, format=form, help=said)


def query(data: state.Data) -> float:
    """The position asked about."""
    low, high = domain(data)
    _clamp("kr_query", low, high, (low + high) / 2, of=(low, high))
    step, usual = (high - low) / (QUERIES - 1), (low + high) / 2
    return choice.slider(t("Query x"), low, high, step, key="kr_query", default=usual, format="%.4g")


def learning(data: state.Data, **chosen: Any) -> WidthFit:
    """Return how the width is learned; what is not chosen stays at its default."""
    named = {"start": "kr_start", "learning_rate": "kr_rate", "epochs": "kr_epochs", "steps": "kr_steps"}
    usual = {name: DEFAULTS[key] for name, key in named.items()}
    return WidthFit(**{**usual, "leave_one_out": True, **chosen}, seed=data.seed)


def epoch(last: int) -> int:
    """Ask which epoch is shown; no widget where learning ended before the first."""
    if last == 0:
        return 0
    _clamp("kr_epoch", 0.0, float(last), last)
    usual = min(int(DEFAULTS["kr_epoch"]), last)
    return choice.slider(t("Epoch shown"), 0, last, key="kr_epoch", default=usual)


def _clamp(key: str, low: float, high: float, otherwise: float, *, of: object = None) -> None:
    """Replace a remembered value that the present data do not allow, or that was chosen for others.

    Said in every run: a slider with another range is another widget to Streamlit, which else takes up an older value.

    Args:
        of: what the data's own default depends on: where it has changed, the link would say another value.
    """
    seen = f"{key}_seen"
    if of != st.session_state.get(seen, of) and not fields.fresh(key):
        fields.set_values({key: otherwise})
        address.forget({key})
    elif key in st.session_state:
        value = st.session_state[key]
        st.session_state[key] = value if low <= value <= high else otherwise
    st.session_state[seen] = of


def _nice(span: float) -> float:
    """1, 2 or 5 times a power of ten, at least the span."""
    power = 10.0 ** math.floor(math.log10(span))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= span * (1 - 1e-9))
