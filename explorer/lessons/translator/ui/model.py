"""Widget of “Translator”: which translator, from which language into which."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import streamlit as st

from explorer.inference.translator.request import CHECKPOINT, EXAMPLES
from explorer.lessons.translator import finished
from explorer.lessons.translator.ui import words
from explorer.opened.translators import MARIAN
from explorer.records.language import UNNAMED, t
from explorer.ui import choice, messages, uploaded_models

#: Of models that have read nothing but captions of pictures.
CAPTIONS = {
    "en": (
        "Two young men are playing football in a park.",
        "A woman in a red coat is riding a bicycle down the street.",
        "A dog jumps over a fence to catch a ball.",
    ),
    "de": (
        "Zwei junge Männer spielen in einem Park Fußball.",
        "Eine Frau in einem roten Mantel fährt mit dem Fahrrad die Straße entlang.",
        "Ein Hund springt über einen Zaun, um einen Ball zu fangen.",
    ),
    "fr": (
        "Deux jeunes hommes jouent au football dans un parc.",
        "Une femme en manteau rouge fait du vélo dans la rue.",
        "Un chien saute par-dessus une clôture pour attraper une balle.",
    ),
}
#: In other languages, for models of others.
OTHERS = {
    "es": ("Mi hermana quiere vivir en una casa grande y blanca.",),
    "it": ("Mia sorella vuole vivere in una grande casa bianca.",),
    "ja": ("妹は大きな白い家に住みたがっています。",),
    "nl": ("Mijn zus wil in een groot wit huis wonen.",),
    "pt": ("Minha irmã quer morar em uma grande casa branca.",),
    "ru": ("Моя сестра хочет жить в большом белом доме.",),
}
ALL_EXAMPLES = frozenset(each for group in (EXAMPLES, CAPTIONS, OTHERS) for texts in group.values() for each in texts)
#: Characters of the end of a name that the link carries.
_KEY = 40
#: German and Chinese were read by a model of several languages before each had one of its own.
RENAMED = {f"translator-to-english:{each}": f"translator-{each}" for each in ("de-en", "zh-en")}


class ChosenModel(NamedTuple):
    """A translator in a direction, or a model of the lab, whose languages have no names.

    One that `others` made reads what is typed.
    """

    checkpoint: str
    direction: str = ""
    captions: bool = False
    name: str = ""
    others: bool = False

    @property
    def source(self) -> str:
        """Return the code of the language that is read; empty where it has none."""
        return self.direction.partition("-")[0]

    @property
    def examples(self) -> tuple[str, ...]:
        """Return example sentences for it."""
        every = {**OTHERS, **(CAPTIONS if self.captions else EXAMPLES)}
        return every.get(self.source, EXAMPLES["en"])

    @property
    def label(self) -> str:
        """Return the label of the box."""
        labels = {
            "en": t("An English sentence"),
            "fr": t("A French sentence"),
            "de": t("A German sentence"),
            "zh": t("A Chinese sentence"),
        }
        if self.source in labels or self.source in ("", *UNNAMED):
            return labels.get(self.source, t("What the model is to read"))
        return t("A sentence in {language}").format(language=words.language_name(self.source))


def draw() -> ChosenModel:
    """Return a translator, or a Transformer of the lab that the reader brought along, which no link can carry."""
    uploaded_models.keep_in_touch()
    available = models()
    messages.left_out({name: error for name, error in finished.find_unusable().items() if name not in available})
    if len(available) < 2:
        return available[CHECKPOINT]
    names = {each: model.name for each, model in available.items()}
    look: dict[str, Any] = {}
    if not all(model.direction for model in available.values()):
        look["help"] = t("A model that was brought back in the training lab reads what its task reads, not English.")
    return available[choice.select(t("From, into"), names, key="tr_model", default=CHECKPOINT, renamed=RENAMED, **look)]


def make_readable(key: str, default: str, known: Collection[str], own: Sequence[str]) -> None:
    """Put a sentence that the model can read into a box where nothing was typed.

    Args:
        default: what it holds at first.
        known: the sentences that are offered, in all languages.
        own: those that the model can read.
    """
    shown = st.session_state.get(key, default)
    if shown in known and shown not in own:
        st.session_state[key] = own[0]


def models() -> dict[str, ChosenModel]:
    """Return the models by what the link says, captions last; the usual one is always there."""
    found = {CHECKPOINT: ChosenModel(CHECKPOINT, name=t("English–French translator"))}
    translators = finished.translators()
    for checkpoint in sorted(translators, key=finished.of_captions):
        captions, directions = finished.of_captions(checkpoint), translators[checkpoint]
        if not directions:
            found.setdefault(checkpoint, ChosenModel(checkpoint, name=checkpoint))
        for number, way in enumerate(directions):
            key = f"{checkpoint}:{way}" if number else checkpoint
            found[key] = ChosenModel(checkpoint, str(way), captions, _titled(way.source, way.target, captions=captions))
    found |= _of_others()
    brought = uploaded_models.models("lab_transformer")
    return found | {f"lab-{i}": ChosenModel(str(path), name=name) for i, (name, path) in enumerate(brought.items(), 1)}


def _of_others() -> dict[str, ChosenModel]:
    """Return converted translators, each direction on its own, by the end of their names."""
    found = {}
    for name, each in finished.list_converted().items():
        ways, others = finished.directions(each.manifest), each.manifest.family == MARIAN
        for way in ways:
            title = f"{_titled(way.source, way.target, captions=False)} ({name})"
            found[f"{name}:{way}"[-_KEY:]] = ChosenModel(str(each.folder), str(way), name=title, others=others)
        if not ways:
            found[name[-_KEY:]] = ChosenModel(str(each.folder), name=name, others=others)
    return found


def _titled(source: str, target: str, *, captions: bool) -> str:
    title = f"{words.language_name(source)} → {words.language_name(target)}"
    return t("{languages} (captions of pictures)").format(languages=title) if captions else title
