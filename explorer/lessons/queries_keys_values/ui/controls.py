"""Widgets that several scenes share, all bound to the link, and what is moved in a figure."""

import streamlit as st

from explorer.lessons import queries_keys_values as lesson
from explorer.lessons.queries_keys_values import readings, state
from explorer.lessons.queries_keys_values.records.lookup import (
    MAX_KEYS,
    REACH,
    Entry,
    InputError,
    move_entry,
    read_entries,
)
from explorer.scenes.queries_keys_values import COLOURS
from explorer.ui import choice, fields, figure_card
from explorer.ui.language import t
from explorer.ui.scene import rail

#: Temperatures of the desk: less far apart, since its scores are.
CALM = (0.01, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 100.0)
#: Features whose slider stands in *More settings*.
_SELDOM = ("drinkable", "noisy", "alive")
_TYPED_CHARACTERS = 600
_SHOWN_COMPLAINTS = 3


def cues() -> lesson.Params:
    """Draw what is looked for, and how much the salience counts beside it; the rest in the fold."""
    salience = choice.slider(t("How much salience counts"), 0.0, 1.0, 0.1, key="qk_salience")
    wanted = {feature: _feature(feature) for feature in state.FEATURES[1:] if feature not in _SELDOM}
    with rail.more():
        wanted |= {feature: _feature(feature) for feature in _SELDOM}
        said = t("Small: one object takes all. Large: all share alike.")
        calm = choice.stops(t("Temperature of the softmax"), CALM, key="qk_calm", help=said)
    query = tuple(wanted[feature] for feature in state.FEATURES[1:])
    return lesson.Params(cues=state.Cues(query=query, salience=salience, temperature=calm))


def _feature(feature: str) -> float:
    """Draw how much a feature is wanted."""
    label, key = t("Wanted: {feature}").format(feature=readings.feature_names(t)[feature]), f"qk_{feature}"
    return choice.slider(label, -1.0, 1.0, 0.1, key=key)


def view() -> lesson.View:
    """Draw which object's score is written out."""
    chosen = choice.select(t("Score written out for"), readings.object_names(t), key="qk_object")
    return lesson.View(chosen=chosen)


def lookup() -> lesson.Params:
    """Draw query and temperature; the dictionary and the score in the fold."""
    query, temperature = place(), heat()
    with rail.more():
        entries, compared = dictionary(), score()
    return asked(entries, query, compared, temperature)


def asked(entries: tuple[Entry, ...], query: tuple[float, float], compared: str, temperature: float) -> lesson.Params:
    """Return the parameters of a look-up."""
    return lesson.Params(lookup=state.Lookup(entries=entries, query=query, score=compared, temperature=temperature))


def place() -> tuple[float, float]:
    """Draw the two numbers of the query."""
    x = choice.slider(t("Query, first number"), -REACH, REACH, 0.05, key="qk_x")
    y = choice.slider(t("Query, second number"), -REACH, REACH, 0.05, key="qk_y")
    return x, y


def heat() -> float:
    """Draw the temperature."""
    return choice.stops(
        t("Temperature T"), state.TEMPERATURES, key="qk_t", help=t("Small: hard look-up. Large: average pooling.")
    )


def score() -> str:
    """Draw how query and key are compared."""
    names = {"distance": t("distance, −½‖q − k‖²"), "dot": t("dot product, q · k")}
    return choice.segmented(t("Score"), names, key="qk_score")


def dictionary() -> tuple[Entry, ...]:
    """Draw the dictionary; return what was typed, or the example, and a message, where no line can be read."""
    said = t("Up to 12 entries. Values are all numbers, or all colours such as #0072b2. Coordinates from −4 to 4.")
    label = t("The dictionary: name, key (two numbers), value; an entry a line")
    typed = choice.area(label, _TYPED_CHARACTERS, key="qk_keys", height=178, help=said)
    entries, complaints = read_entries(typed)
    if complaints:
        _say(complaints)
    if not entries:
        st.info(t("Type at least one entry. Until then the first example stands."), icon=":material/edit:")
        return read_entries(COLOURS)[0]
    return entries


def _say(complaints: tuple[InputError, ...]) -> None:
    """Say which lines were left out, and why."""
    message = t("Line {line}, “{text}”: {why}.")
    said = [
        message.format(line=each.line, text=figure_card.escape(each.text[:30]), why=readings.said_complaint(each, t))
        for each in complaints[:_SHOWN_COMPLAINTS]
    ]
    if len(complaints) > _SHOWN_COMPLAINTS:
        said.append(t("… and {count} more.").format(count=len(complaints) - _SHOWN_COMPLAINTS))
    st.info("\n\n".join([t("Left out:"), *said]), icon=":material/edit:")


def move(what: str, x: float, y: float) -> None:
    """Move the query, or the key of a number from 1, and keep it in the link."""
    if what in {str(number) for number in range(1, MAX_KEYS + 1)}:
        fields.put({"qk_keys": move_entry(_shown_text(), int(what) - 1, x, y)})
    elif what == "query":
        fields.put({"qk_x": x, "qk_y": y})


def _shown_text() -> str:
    """Return the dictionary's text as it is drawn: the example where nothing typed can be read."""
    typed = str(st.session_state.get("qk_keys") or "")
    return typed if read_entries(typed)[0] else COLOURS
