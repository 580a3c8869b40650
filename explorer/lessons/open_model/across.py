"""One attention of a model of two stacks over whole words; a row that looks across is named by what it writes."""

from dataclasses import dataclass, replace

import numpy as np

from explorer.lessons.open_model.state import Params, Result
from explorer.opened.refused import ModelRefused
from explorer.records.attention import AttentionRecord
from explorer.records.heads import Part
from explorer.records.opened.card import ModelCard
from explorer.records.opened.look import Site
from explorer.records.sequence import TokenRow
from explorer.records.token_views import hide_special, mean_over_heads, merge_words, one_head

#: Tokens that nobody types, as pictures know them.
_START, _END = "<s>", "</s>"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AcrossWords:
    """One head, or the mean of a layer's, over whole words.

    Attributes:
        record: as it is drawn, of one map.
        marks: share of the weight that lies on marks that nobody types, 0…1.
        strongest: the words of the strongest look between words, and its weight before marks were left out; None where
            there is none.
    """

    params: Params
    record: AttentionRecord
    marks: float
    strongest: tuple[str, str, float] | None


def check_stacks(card: ModelCard) -> None:
    """Refuse a model that does not read one text and write another.

    Raises:
        ModelRefused: it has one stack.
    """
    if card.kind != "encoder-decoder":
        raise ModelRefused("one_stack", model=card.name)


def find_site(result: Result, part: Part, layer: int) -> Site:
    """Return an attention of a part; of its last layer, where it has fewer."""
    found = [site for site in result.look.sites if site.part == part]
    return found[min(layer, len(found) - 1)]


def rows_of(result: Result, part: Part) -> tuple[TokenRow, TokenRow]:
    """Return what the rows and the columns are; those that look across are named by what is written then."""
    queries, keys = result.look.tokens(part)
    if part == "cross" and result.look.written is not None:
        queries = result.look.written
    return _named(queries.row), _named(keys.row)


def over_words(result: Result, maps: AttentionRecord, site: Site, head: int | None, *, marks: bool) -> AcrossWords:
    """Return a head of an attention over whole words.

    Args:
        maps: of the site, over tokens.
        head: from 0, clamped; None for the mean of all.
        marks: whether marks that nobody types are drawn; if not, what is left of a row becomes 1.
    """
    queries, keys = rows_of(result, site.part)
    one = mean_over_heads(maps) if head is None else one_head(maps, min(head, maps.n_heads - 1))
    named = replace(
        one,
        query_labels=queries.labels,
        key_labels=keys.labels,
        query_role="produced" if site.part == "cross" else "read",
    )
    whole = merge_words(named, queries, keys)
    queries, keys = queries.merged(), keys.merged()
    rows, columns = ~np.array(queries.special), ~np.array(keys.special)
    between = np.where(rows[:, None] & columns, whole.weights[0], -1)
    position = np.unravel_index(int(between.argmax()), between.shape)
    best = float(between[position])
    look = (queries.labels[position[0]], keys.labels[position[1]], best) if best > 0 else None
    return AcrossWords(
        params=result.params,
        record=whole if marks else hide_special(whole, queries, keys),
        marks=float(whole.weights[0][:, ~columns].sum(-1).mean()),
        strongest=look,
    )


def _named(row: TokenRow) -> TokenRow:
    """Give the first and the last token the names that pictures know, if nobody types them."""
    last = len(row.labels) - 1
    ends = {position: name for position, name in ((last, _END), (0, _START)) if row.special[position]}
    labels = tuple(ends.get(position, label) for position, label in enumerate(row.labels))
    words = tuple(
        labels[word[0]] if len(word) == 1 and word[0] in ends else label
        for word, label in zip(row.words, row.word_labels, strict=True)
    )
    return replace(row, labels=labels, word_labels=words)
