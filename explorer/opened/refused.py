"""Refusals of a model or a text, which pages explain without torch."""

from collections.abc import Mapping
from typing import Any, Literal

from explorer.records.language import t

Reason = Literal[
    "broken", "busy", "folder", "gated", "hash", "library", "lost", "matrix", "memory", "missing",
    "marian_pieces", "no_attention", "no_head", "no_mask", "no_model", "no_start", "no_switch", "no_tokenizer",
    "no_translator", "no_weights", "not_allowed", "not_found", "number", "one_stack", "out_of_memory", "own_lesson",
    "pickle", "picture", "recorded", "renamed", "sees_nothing", "slow", "text", "too_large", "too_many",
    "unknown_family", "unlike", "unreachable", "vision",
]  # fmt: skip


class ModelRefused(Exception):
    """A model is not opened or cannot do what was asked; `explain` says why and what to do.

    Attributes:
        reason: one word.
        values: what the sentence names: a file, a number and its bound, a family.
    """

    def __init__(self, reason: Reason, **values: Any) -> None:
        self.reason, self.values = reason, values
        super().__init__(self.explain())

    def explain(self) -> str:
        """Return the message, in the reader's language."""
        return _sentences()[self.reason].format(**self.values)


def _sentences() -> Mapping[str, str]:
    return {
        "broken": t("The model cannot be read: {what}."),
        "busy": t("Too many readers are waiting for a model. Try again in a moment."),
        "folder": t("{what} leads out of the model's folder, and is not opened."),
        "gated": t("{model} asks for an agreement before it is given away: accept it on the Hub, and name a folder."),
        "hash": t("{what} did not arrive as the Hub describes it. It was thrown away; try again."),
        "library": t("To open models, install transformers: `pip install {requirement}`."),
        "lost": t("The process that opened the model ended, probably for want of memory. The next one starts afresh."),
        "matrix": t("These numbers are no matrix: {what}."),
        "marian_pieces": t(
            "This Marian model keeps its pieces of words in source.spm. Convert its folder with "
            "`python -m explorer.checkpoints convert FOLDER TARGET`, and name the new one."
        ),
        "memory": t("{model} needs about {asked:,} MB of memory, and at most {limit:,} are given to one model."),
        "missing": t("Weights are missing ({count}, first {what}): random numbers would stand in for them."),
        "no_attention": t("Models of the family {family} have no attention."),
        "no_head": t("This model's folder holds no prediction head, so that it predicts no words."),
        "no_mask": t("Write {mask} in place of a word: this model fills gaps."),
        "no_model": t("A model of transformers is wanted, not {kind}."),
        "no_start": t("The model knows no token {token} that a translation could begin with."),
        "no_switch": t("Heads of the family {family} cannot be switched off: its code computes attention by itself."),
        "no_tokenizer": t("There is no tokenizer.json, so that nobody knows how its texts are cut."),
        "no_translator": t("{model} is of the family {family}; only Marian translators are shown here."),
        "no_weights": t("There are no weights in the safetensors format."),
        "not_allowed": t("This server opens no models of the Hub. Its owner allows it with EXPLORER_OPEN_MODELS=1."),
        "not_found": t("There is no model {model} at that address or revision."),
        "number": t("The configuration says {name} = {value}, which is not between {least:,} and {limit:,}."),
        "one_stack": t(
            "{model} does not read one text and write another. Choose a model that does, such as T5, BART or M2M-100."
        ),
        "out_of_memory": t("Memory did not suffice for this model and text: take a shorter text or a smaller model."),
        "own_lesson": t("Models of this project of the family {family} are shown on pages of their own."),
        "pickle": t("Its weights are pickled ({what}): opening them could run a stranger's code."),
        "picture": t("The picture cannot be read: {what}."),
        "recorded": t(
            "Of {model}, only the texts that come with this project are here. For a text of your own, type {address} "
            "under “Model”, and open it."
        ),
        "renamed": t("{model} is called {now} now: type that name if it is the model you mean."),
        "sees_nothing": t("{model} reads text. Choose a model of pictures, such as ViT, DeiT, DINOv2 or CLIP vision."),
        "slow": t("The model took longer than {seconds} seconds and was stopped. A shorter text may do."),
        "text": t("The text has no tokens: type a few words."),
        "too_large": t("{model} has {asked:,} MB to download, and at most {limit:,} are taken."),
        "too_many": t("{what}: {asked:,}, and at most {limit:,} are drawn."),
        "unknown_family": t("The installed transformers {version} knows no models of the family {family}."),
        "unlike": t("{one} and {two} cut the text differently, or have other heads: compare models of one origin."),
        "unreachable": t("The Hub did not answer ({what}). Check the network; recorded texts need none."),
        "vision": t("This model reads pictures, not text."),
    }  # fmt: skip
