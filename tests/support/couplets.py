"""What a couplet's second line owes to its first, checked character by character."""

from explorer.data.couplets import MARK, form_of


def keeps_form(first: str, second: str) -> bool:
    """Whether a second line has the form that a first one asks for."""
    form = form_of(first)
    if len(second) != len(form.marks):
        return False
    for position, character in enumerate(second):
        before, echo = second[:position], form.echoes[position]
        if form.marks[position] or character == MARK:
            fits = form.marks[position] and character == MARK
        elif echo is not None:
            fits = character == before[echo]
        else:
            fits = character not in form.taken and character not in before
        if not fits:
            return False
    return True
