"""A piece of a text as a translator reads it, and what of its translation is put back."""

import re
from dataclasses import dataclass

from explorer.data.parallel.expected_names import ExpectedName
from explorer.data.parallel.lifted import Lifted, set_in
from explorer.data.parallel.literals import SIGN, Literal, restore_literals
from explorer.data.parallel.normalisation import Normalised
from explorer.data.parallel.placeholders import Placeholder, can_restore, restore
from explorer.records.sequence import ReadAs

#: A sentence of which something was lost is read otherwise: with others in the place of names that translators know;
#: then only what must be copied as something else than at first; at last without that, and it is set in afterwards.
NAMES, OTHERS, LAST_ATTEMPT = 1, 2, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A sentence, or a clause of a long one.

    Attributes:
        text: what the translator reads.
        sentence: number of the sentence it belongs to.
        of: the whole sentence and what was changed in it.
        placeholders: what is read in the sentence for what cannot be copied.
        target: language of the translation.
        literals: what must be copied, by the signs that stand for it.
        lifted: signs that the translator does not read, and where they stood.
        around: signs before and behind the piece that have no words of their own.
        alone: the translation, where all of it must be copied and the translator only reads something.
        attempt: how the sentence is read, 0 at first, and otherwise because something of it was lost.
        expected: names of the sentence that are read as they are, and that the translation must hold.
        slips: of the typist, in the sentence, and what is read for each.
    """

    text: str
    sentence: int
    of: Normalised
    placeholders: tuple[Placeholder, ...] = ()
    target: str = ""
    literals: tuple[tuple[str, Literal], ...] = ()
    lifted: tuple[Lifted, ...] = ()
    around: tuple[str, str] = ("", "")
    alone: str = ""
    attempt: int = 0
    expected: tuple[ExpectedName, ...] = ()
    slips: tuple[tuple[str, str], ...] = ()

    def kept(self, translation: str) -> bool:
        """Return whether all that was read for something else can be put back, and no name is lost."""
        names = all(each.is_in(translation) for each in self.expected if each.typed in self.text)
        return bool(self.alone) or (names and can_restore(self.text, translation, self.placeholders, self.target))

    @property
    def next_attempt(self) -> int:
        """Return how the sentence is read if something of it was lost."""
        return self.attempt + 1 if self.attempt or self.expected else OTHERS

    def restored(self, translation: str, *, ended: bool = True) -> str:
        """Return a translation with what was typed put back, and in capitals if that was.

        Args:
            ended: whether this is all of it: what must be copied and is nowhere is set in then.
        """
        literals = dict(self.literals)
        if self.alone:
            return restore_literals(self.alone, literals, self.target)
        said = restore(translation, self.placeholders, self.target)
        if self._ends_with_a_sign:
            said = re.sub(r"(?<=.)\s*[.。]$", "", said)  # a translator ends what nobody has ended
        lost = [
            each
            for each in self.placeholders
            if each.is_literal and each.source_form in self.text and each.there not in said
        ]
        shares = [self.text.index(each.source_form) / len(self.text) for each in lost if ended]
        more = (Lifted(each.there, share, (False, False), "") for each, share in zip(lost, shares, strict=False))
        said = self.of.restored(set_in(said, (*self.lifted, *more), self.target))
        return restore_literals(
            " ".join(part for part in (self.around[0], said, self.around[1]) if part), literals, self.target
        )

    @property
    def typed(self) -> str:
        """Return the sentence as it was typed, but in the form of the training data."""
        return re.sub(SIGN, lambda sign: dict(self.literals)[sign[0]].typed, self.of.text)

    @property
    def replaced(self) -> tuple[ReadAs, ...]:
        """Return what is read as something else."""
        signs = "".join((*(each.signs for each in self.lifted), *self.around))
        literals = dict(self.literals)
        copied = (literals[sign].typed for sign in re.findall(SIGN, signs) if sign in literals)
        found = (
            *(ReadAs(typed, read, is_slip=True) for typed, read in self.slips),
            *(ReadAs(each.typed, each.source_form) for each in self.placeholders),
            *(ReadAs(each, "") for each in copied),
        )
        return tuple(dict.fromkeys(found))

    @property
    def _ends_with_a_sign(self) -> bool:
        lifted = any(each.share >= 1 and not each.mark for each in self.lifted) and self.text[-1:].isalnum()
        read = (self.text.endswith(each.source_form) for each in self.placeholders if each.is_literal)
        return lifted or any(read)
