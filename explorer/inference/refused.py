"""Refusals of a text and of a device, which pages explain without torch."""

from typing import Literal

from explorer.records.language import t


class DeviceRefused(ValueError):
    """`EXPLORER_DEVICE` or `EXPLORER_PRECISION` asks for what is not there; the message says what is."""


class InputRefused(ValueError):
    """A text cannot be translated; `explain` says why and what to do.

    Attributes:
        reason: `empty` if nothing visible was typed, `too_long` otherwise.
        length: of the text.
        limit: for it.
        unit: of both.
    """

    def __init__(
        self,
        reason: Literal["empty", "too_long"],
        *,
        length: int = 0,
        limit: int = 0,
        unit: Literal["sub-words", "characters", "sentences", "clauses"] = "sub-words",
    ) -> None:
        self.reason, self.length, self.limit, self.unit = reason, length, limit, unit
        super().__init__(self.explain())

    def explain(self) -> str:
        """Return the message, in the reader's language."""
        if self.reason == "empty":
            return t("There is nothing to translate yet: type a sentence.")
        if self.unit == "characters":
            return t("The text has {length:,} characters, and at most {limit:,} are read: shorten it.").format(
                length=self.length, limit=self.limit
            )
        if self.unit == "sentences":
            return t(
                "The text has {length:,} sentences, and at most {limit:,} are translated here at a time: give it as a"
                " document, further down."
            ).format(length=self.length, limit=self.limit)
        if self.unit == "clauses":
            said = t("The text has {length:,} clauses, and at most {limit:,} are translated at a time: shorten it.")
            return said.format(length=self.length, limit=self.limit)
        return t(
            "A sentence has {length:,} sub-words, and the translator reads at most {limit:,}: cut it into shorter ones."
        ).format(length=self.length, limit=self.limit)
