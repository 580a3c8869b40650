"""Predict, then reveal: a question before anything is moved. It can be skipped, and is remembered for the visit."""

import html
from collections.abc import Callable, Mapping

import streamlit as st

from explorer.records.language import t
from explorer.records.wording import typeset
from explorer.scenes.spec import Experiment, Lesson, Prediction, Scene
from explorer.ui.language import closed_up
from explorer.ui.messages import NO_MODEL
from explorer.ui.scene import state

#: The id of the right answer, and what fills the placeholders of `Prediction.why`.
Answer = tuple[str, Mapping[str, str]]
_SKIPPED = ""
#: Session key: whether what is said below the pictures waits for the reader's guess.
_WITHHELD = "readings_withheld"


def is_settled(lesson: Lesson, scene: Scene) -> bool:
    """Return whether it is answered or skipped, so that the stage may show the answer."""
    return _key(lesson, scene) in st.session_state


def skip(lesson: Lesson, scene: Scene) -> None:
    """Take it for skipped, so that the stage shows the answer."""
    st.session_state[_key(lesson, scene)] = _SKIPPED


def hold_back_readings(lesson: Lesson, scene: Scene) -> None:
    """Let the readings of this scene wait, if they tell the answer, until the reader has guessed or moved something."""
    asked = scene.prediction
    waits = asked is not None and asked.told and not is_settled(lesson, scene) and state.holds(lesson, scene, {})
    st.session_state[_WITHHELD] = waits


def is_held_back() -> bool:
    """Return whether what tells the answer of this scene waits for the guess; asked by its pictures, too."""
    return bool(st.session_state.get(_WITHHELD))


def reading_or_prompt(reading: str) -> str:
    """Return what may be said of a picture now."""
    return prompt() if is_held_back() else reading


def prompt() -> str:
    """Return what stands in the place of a reading that waits."""
    return t("Answer the question first. Then the numbers appear here.")


def card(lesson: Lesson, scene: Scene, answer: Callable[[], Answer]) -> None:
    """Draw the question, or what came of it."""
    asked = scene.prediction
    if asked is None or st.session_state.get(_key(lesson, scene)) == _SKIPPED:
        return
    with st.container(key="predict"):
        if is_settled(lesson, scene):
            _judge(lesson, scene, asked, answer)
        else:
            _ask(lesson, scene, asked)


def _ask(lesson: Lesson, scene: Scene, asked: Prediction) -> None:
    first, asks = html.escape(t("Predict first")), html.escape(t(asked.question))
    st.html(f'<p class="first">{first}</p><p class="asks">{asks}</p>')
    with st.container(key="answers", horizontal=True):
        for name, words in asked.answers.items():
            st.button(t(words), key=f"answer_{scene.name}_{name}", on_click=_answer, args=(lesson, scene, name))
    st.button(t("Skip"), key="skip", type="tertiary", on_click=_answer, args=(lesson, scene, _SKIPPED))


def _judge(lesson: Lesson, scene: Scene, asked: Prediction, answer: Callable[[], Answer]) -> None:
    try:
        found = answer()
    except NO_MODEL:
        st.caption(t("The answer needs a model that cannot be read."))
        return
    _verdict(lesson, scene, asked, found)


def _verdict(lesson: Lesson, scene: Scene, asked: Prediction, answer: Answer) -> None:
    """Show the verdict in full as long as the stage shows it; folded when the reader has gone on."""
    given, (right, values) = st.session_state[_key(lesson, scene)], answer
    met = given == right
    message = t("Right: {answer}.") if met else t("No. The answer is: {answer}.")
    verdict = html.escape(message.format(answer=t(asked.answers[right])))
    verdict = f'<b class="right">✓ {verdict}</b>' if met else f"<b>{verdict}</b>"
    why = html.escape(because(asked, values))
    revealed = state.holds(lesson, scene, asked.reveals)
    shown = "open" if revealed else ""
    st.html(f"<details {shown}><summary>{verdict}</summary><p>{why}</p></details>")
    own = st.session_state.get(f"{_key(lesson, scene)}.own")
    if own and revealed and not state.holds(lesson, scene, own):
        label, back = t("Back to what I had"), (lesson, scene, own)
        st.button(label, key="own_again", type="tertiary", icon=":material/undo:", on_click=state.put, args=back)


def because(asked: Prediction | Experiment, values: Mapping[str, str]) -> str:
    """Return why the right answer is right, filled with what was computed; plain text."""
    return typeset(closed_up(t(asked.why).format(**values)))


def _answer(lesson: Lesson, scene: Scene, name: str) -> None:
    st.session_state[_key(lesson, scene)] = name
    if name != _SKIPPED and scene.prediction:
        if not state.holds(lesson, scene, {}):  # what the reader has typed or set is not lost
            st.session_state[f"{_key(lesson, scene)}.own"] = state.current(lesson, scene)
        state.put(lesson, scene, scene.prediction.reveals)


def _key(lesson: Lesson, scene: Scene) -> str:
    return f"predicted.{lesson.stem}.{scene.name}"
