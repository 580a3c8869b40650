"""Cut a text with a model's own tokenizer, into tokens and words as readers see them.

Words come from where tokens lie in the text, not from marks in them, which differ by family.
"""

import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from explorer.opened.refused import ModelRefused
from explorer.records.opened.look import OpenedTokens
from explorer.records.sequence import TokenRow

#: Where each token lies in the text, in characters.
Spans = Sequence[tuple[int, int]]
#: How a blank and an end of line are labelled.
BLANK, LINE = "␣", "⏎"


def read(tokenizer: Any, text: str, most: int, *, goes_on: bool = False) -> OpenedTokens:
    """Cut a text; what is longer than `most` tokens is left off.

    Args:
        goes_on: whether the model is to go on writing: then no end mark is left at the end.

    Raises:
        ModelRefused: it has no tokens but special ones.
    """
    found = tokenizer(
        text, return_offsets_mapping=True, return_special_tokens_mask=True, truncation=True, max_length=most
    )
    ids, spans = found["input_ids"], found["offset_mapping"]
    unknown = tokenizer.unk_token_id  # named special, and text all the same
    added = [bool(mask) and each != unknown for each, mask in zip(ids, found["special_tokens_mask"], strict=True)]
    special = [mark or each in _special_ids(tokenizer) for each, mark in zip(ids, added, strict=True)]
    if all(special):
        raise ModelRefused("text")
    end = len(ids)
    while goes_on and added[end - 1]:
        end -= 1
    read_to = max(span[1] for span, mark in zip(spans, special, strict=True) if not mark)
    left_off = len(text[read_to:].strip()) if len(ids) >= most else 0
    return _tokens(tokenizer, text, ids[:end], spans[:end], special[:end], left_off)


def written_tokens(tokenizer: Any, ids: Sequence[int]) -> OpenedTokens:
    """Return the tokens that a model wrote; where each lies in the text shows by what it adds to it."""
    special = [each in _special_ids(tokenizer) for each in ids]
    texts = ["", *(tokenizer.decode(ids[: at + 1], skip_special_tokens=True) for at in range(len(ids)))]
    spans = [(len(before), max(len(after), len(before))) for before, after in pairwise(texts)]
    return _tokens(tokenizer, texts[-1], ids, spans, special, 0)


def _special_ids(tokenizer: Any) -> set[int]:
    return set(tokenizer.all_special_ids) - {tokenizer.unk_token_id}


def _tokens(
    tokenizer: Any, text: str, ids: Sequence[int], spans: Spans, special: list[bool], left_off: int
) -> OpenedTokens:
    begins = [at for at, new in enumerate(_word_begins(text, spans, special)) if new]
    words = tuple(tuple(range(*pair)) for pair in pairwise([*begins, len(ids)]))
    further = [_is_further(spans, special, at) for at in range(len(ids))]
    pieces = [_shown(text, [span]) for span in spans]
    labels = tuple(
        tokenizer.convert_ids_to_tokens(ids[at]) if special[at] else "" if further[at] else pieces[at]
        for at in range(len(ids))
    )
    shown = [labels[word[0]] if special[word[0]] else _shown(text, [spans[at] for at in word]) for word in words]
    return OpenedTokens(
        row=TokenRow(labels=labels, words=words, word_labels=tuple(shown), special=tuple(special)),
        ids=tuple(ids),
        unknown=tuple(each == tokenizer.unk_token_id for each in ids),
        left_off=left_off,
    )


def label(tokenizer: Any, token: int) -> str:
    """Return a token of the vocabulary as readers see it."""
    if token in tokenizer.all_special_ids:
        return str(tokenizer.convert_ids_to_tokens(token))
    text = tokenizer.decode([token], skip_special_tokens=False)
    return text.strip().removeprefix("##") or (LINE if "\n" in text else BLANK)


def _word_begins(text: str, spans: Spans, special: list[bool]) -> list[bool]:
    """Mark the tokens at which a word begins."""
    begins = []
    for position, (start, end) in enumerate(spans):
        if position == 0 or special[position] or special[position - 1]:
            begins.append(True)
            continue
        before = spans[position - 1]
        apart = (start > 0 and text[start - 1].isspace()) or text[start : start + 1].isspace()
        alone = _stands_alone(text[start:end]) or _stands_alone(text[slice(*before)])
        begins.append(not _is_further(spans, special, position) and (apart or alone))
    return begins


def _is_further(spans: Spans, special: list[bool], position: int) -> bool:
    """Return whether a token is a further byte of the character before it."""
    return (
        position > 0
        and not special[position]
        and not special[position - 1]
        and spans[position][0] < spans[position - 1][1]
    )


def _stands_alone(piece: str) -> bool:
    """Return whether a piece is a word of its own: punctuation, a symbol, or a wide East Asian character."""
    bare = piece.strip()
    mark = all(unicodedata.category(char)[0] in "PS" for char in bare)
    return mark or any(unicodedata.east_asian_width(char) in "WF" for char in bare)


def _shown(text: str, spans: Spans) -> str:
    piece = text[spans[0][0] : spans[-1][1]]
    return piece.strip() or (LINE if "\n" in piece else BLANK)
