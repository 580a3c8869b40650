"""Widgets that several scenes share, all bound to the link, and what is moved in a figure."""

import streamlit as st

from explorer.lessons import queries_keys_values as lesson
from explorer.lessons.queries_keys_values import readings, state
from explorer.lessons.queries_keys_values.records.lookup import (
    Entry,
    InputError,
    move_entry,
    read_entries,
)
from explorer.records.language import t
from explorer.scenes.queries_keys_values import COLOURS
from explorer.ui import choice, fields, messages
from explorer.ui.scene import rail

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
        said = t("Small: one object takes all. Large: all get the same.")
        calm = choice.select_slider(t("Temperature of the softmax"), state.CALM, key="qk_calm", help=said)
    query = tuple(wanted[feature] for feature in state.FEATURES[1:])
    return lesson.Params(cues=state.Cues(query=query, salience=salience, temperature=calm))


def _feature(feature: str) -> float:
    """Draw how much a feature is wanted."""
    label, key = t("Wanted: {feature}").format(feature=readings.feature_names()[feature]), f"qk_{feature}"
    return choice.slider(label, -1.0, 1.0, 0.1, key=key)


def lookup() -> lesson.Params:
    """Draw query and temperature; the dictionary and the score in the fold."""
    query, temperature = (choice.ask("qk_x"), choice.ask("qk_y")), choice.ask("qk_t")
    with rail.more():
        entries, compared = dictionary(), choice.ask("qk_score")
    return lesson.Params(lookup=state.Lookup(entries=entries, query=query, score=compared, temperature=temperature))


def dictionary() -> tuple[Entry, ...]:
    """Draw the dictionary; return what was typed, or the example, and a message, where no line can be read."""
    said = t("Up to 12 entries. Values are all numbers, or all colours such as #0072b2. Coordinates from −4 to 4.")
    label = t("The dictionary: name, key (two numbers), value; an entry a line")
    typed = choice.area(label, _TYPED_CHARACTERS, key="qk_keys", height=178, help=said)
    entries, complaints = read_entries(typed)
    if complaints:
        _say(complaints)
    if not entries:
        messages.info(t("Type at least one entry. Until then the first example stands."))
        return read_entries(COLOURS)[0]
    return entries


def _say(complaints: tuple[InputError, ...]) -> None:
    """Say which lines were left out, and why."""
    message = t("Line {line}, “{text}”: {why}.")
    said = [
        message.format(line=each.line, text=each.text[:30], why=readings.said_complaint(each))
        for each in complaints[:_SHOWN_COMPLAINTS]
    ]
    if len(complaints) > _SHOWN_COMPLAINTS:
        said.append(t("… and {count} more.").format(count=len(complaints) - _SHOWN_COMPLAINTS))
    messages.info(messages.Markdown("\n\n".join(map(messages.plain, [t("Left out:"), *said]))))


def move_query(x: float, y: float) -> None:
    """Move the query, and keep it in the link."""
    fields.set_values({"qk_x": x, "qk_y": y})


def move_key(number: int, x: float, y: float) -> None:
    """Move the key of a number from 0, and keep it in the link."""
    fields.set_values({"qk_keys": move_entry(_shown_text(), number, x, y)})


def _shown_text() -> str:
    """Return the dictionary's text as it is drawn: the example where nothing typed can be read."""
    typed = str(st.session_state.get("qk_keys") or "")
    return typed if read_entries(typed)[0] else COLOURS
