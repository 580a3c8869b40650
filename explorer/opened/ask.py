"""Ask about a model and a text: what the lesson calls. Recorded answers come at once, all others from the worker.

Every function takes a `Source` and raises `ModelRefused`, which says why in the reader's language. This module loads
neither torch nor transformers. Equal questions are not remembered here: pages keep what they were told.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.opened import corpus, limits, recorded, sources
from explorer.opened.queue import check_library, model_queue
from explorer.opened.recorded import RecordedText
from explorer.opened.refused import ModelRefused
from explorer.opened.sources import Source
from explorer.records.arrays import Float32
from explorer.records.attention import AttentionRecord
from explorer.records.opened import wire
from explorer.records.opened.card import ModelCard
from explorer.records.opened.look import ModelLook
from explorer.records.opened.prediction import HeadEffects, Instead, LensRecord, SlopesRecord, WithoutRecord
from explorer.records.opened.several import ComparedModels, CorpusLook

#: A text, or the pixels of a picture: uint8, `[rows, columns, 3]`.
Given = str | npt.NDArray[np.uint8]
#: A text of many heads takes longer than a look; so does the first of a model that must be opened.
LONG_S = 60.0
#: Texts of a corpus that are read in one order.
_TEXTS_AT_ONCE = 8


def look(model: Source, given: Given, *, owner: str = "", start: str = "") -> ModelLook:
    """Return every head of a model on a text or a picture: rules, tiles, tokens.

    Args:
        owner: the reader, of whom many stand in line.
        start: the token that a translation begins with where a model writes several languages, such as `__fr__`.
    """
    known = _recorded(model, given)
    return known.look if known else _ask("look", model, given, owner, start=start)


def attention(model: Source, given: Given, site: int, *, owner: str = "", start: str = "") -> AttentionRecord:
    """Return the maps of one attention, whole: float32 from the worker, of a byte a weight where they were recorded.

    Args:
        site: its number in `ModelLook.sites`.
    """
    known = _recorded(model, given)
    maps = known.attention(site) if known else None
    return maps or _ask("attention", model, given, owner, site=site, start=start)


def rows(model: Source, picture: npt.NDArray[np.uint8], query: int, *, owner: str = "") -> tuple[Float32, ...]:
    """Return what one token of a picture looks at in every attention: `[heads, keys]` of each."""
    known = _recorded(model, picture)
    maps = [known.attention(site.number) for site in known.look.sites] if known else []
    if maps and all(each is not None and query < each.weights.shape[1] for each in maps):
        return tuple(each.weights[:, query] for each in maps if each is not None)
    found: tuple[Float32, ...] = _ask("rows", model, picture, owner, query=query)
    return found


def lens(model: Source, text: str, *, owner: str = "") -> LensRecord:
    """Return each layer's prediction at each place."""
    known = _recorded(model, text)
    if known and known.effects and not known.lens:
        raise ModelRefused("no_head")
    return (known and known.lens) or _ask("lens", model, text, owner)


def without(
    model: Source,
    text: str,
    off: Sequence[tuple[int, int]],
    *,
    left: float = 0.0,
    instead: Instead = "nothing",
    owner: str = "",
) -> WithoutRecord:
    """Return what a model says with some heads weakened or switched off together.

    Args:
        off: site and head of each.
        left: how much of each is left, 0…1.
        instead: what stands in for what is taken.
    """
    known = _recorded(model, text)
    told = _recorded_without(model, known, off, left) if known and instead == "nothing" else None
    if told:
        return told
    heads = [list(each) for each in off]
    found: WithoutRecord = _ask("without", model, text, owner, off=heads, left=left, instead=instead)
    return found


def _recorded_without(
    model: Source, known: RecordedText, off: Sequence[tuple[int, int]], left: float
) -> WithoutRecord | None:
    """Return what was recorded of heads off, or weakened to one of a few shares; None where it was not."""
    if known.effects is None:
        return None
    if left == 1:
        whole = known.without(*off[0])
        return whole and replace(whole, off=tuple(off), left=left, after=whole.before, chance=whole.chance_before)
    weak = recorded.read_weakened(model.name).get(f"{100 * left:g}")
    if left and weak is None:
        return None
    together = weak.together if weak else recorded.without(model.name)
    told = known.without(*off[0], weak.alone if weak else None, left) if len(off) == 1 else None
    return told or next((each for each in together.values() if each.off == tuple(off)), None)


def effects(model: Source, text: str, *, instead: Instead = "nothing", owner: str = "") -> Iterator[HeadEffects]:
    """Yield what each head does alone, site by site, ever more complete: for a background job."""
    told = recorded_effects(model, text) if instead == "nothing" else None
    if told:
        yield told
        return
    seen = look(model, text, owner=owner)
    yield from _swept(seen, "each_without", model, text, owner, instead=instead)


def recorded_effects(model: Source, text: str) -> HeadEffects | None:
    """Return what each head does alone; None where it was not recorded."""
    known = _recorded(model, text)
    return known.effects if known else None


def carry_over(model: Source, text: str, other_text: str, *, owner: str = "") -> Iterator[HeadEffects]:
    """Yield what each head's output, carried over from another text at the place of the answer, makes of this one."""
    told = recorded_carried(model, text, other_text)
    if told:
        yield told
        return
    seen = look(model, text, owner=owner)
    yield from _swept(seen, "each_carried", model, text, owner, other_text=other_text)


def recorded_carried(model: Source, text: str, other_text: str) -> HeadEffects | None:
    """Return what each head carries over from another text; None where it was not recorded."""
    known = recorded.read_carried(model.name) if _is_recorded(model) else {}
    return known.get(recorded.pair_key(text, other_text))


def slopes(model: Source, text: str, *, owner: str = "") -> SlopesRecord:
    """Return the effects of all heads as one backward pass estimates them."""
    known = _recorded(model, text)
    return (known and known.slopes) or _ask("slopes", model, text, owner)


def over_texts(model: Source, texts: Sequence[str], *, owner: str = "") -> Iterator[CorpusLook]:
    """Yield every head over ever more texts: for a background job."""
    known = recorded_corpus(model)
    if known and tuple(texts) == corpus.sentences():
        yield known
        return
    found: CorpusLook | None = None
    for begin in range(0, len(texts), _TEXTS_AT_ONCE):
        some = [each for each in texts[begin : begin + _TEXTS_AT_ONCE] if each.strip()]
        if some:
            part: CorpusLook = _order("over_texts", model, owner, texts=some)
            found = part if found is None else found.joined(part)
            yield found
    if found is None:
        raise ModelRefused("text")


def recorded_corpus(model: Source) -> CorpusLook | None:
    """Return every head over the sentences of `explorer.opened.corpus`; None where they were not recorded."""
    return recorded.corpus(model.name) if _is_recorded(model) else None


def compare(model: Source, other: Source, text: str, *, owner: str = "") -> ComparedModels:
    """Return how far the maps of two models of one origin lie apart."""
    found: ComparedModels = _order("compare", model, owner, text=text, other=_place(other))
    return found


def warm() -> None:
    """Have the worker started before anybody asks, as soon as the lesson is visited; return at once."""
    model_queue().warm()


def _recorded(model: Source, given: Given) -> RecordedText | None:
    """Return what was recorded of a text or a picture."""
    known = recorded.models().get(model.name)
    if known is None or not _is_recorded(model):
        return None
    return known.texts.get(given if isinstance(given, str) else recorded.picture_key(given))


def _is_recorded(model: Source) -> bool:
    """Return whether a model is a recorded one, and its folder, if there is one, no other one of that name."""
    known = recorded.models().get(model.name)
    return known is not None and (not model.folder or sources.card_of(model).revision == known.card.revision)


def _swept(seen: ModelLook, what: str, model: Source, text: str, owner: str, **details: Any) -> Iterator[HeadEffects]:
    heads = max(site.heads for site in seen.sites)
    found = []
    for site in seen.sites:
        found.append(_ask(what, model, text, owner, site=site.number, **details))
        yield HeadEffects(sites=tuple(found), n_sites=len(seen.sites), n_heads=heads)


def _ask(what: str, model: Source, given: Given, owner: str, **details: Any) -> Any:
    if isinstance(given, str):
        if not given.strip():
            raise ModelRefused("text")
        return _order(what, model, owner, text=given, **details)
    return _order(what, model, owner, picture=wire.dumps(np.ascontiguousarray(given)), **details)


def _order(what: str, model: Source, owner: str, **details: Any) -> Any:
    check_library(model.folder)
    if not model.folder:
        raise ModelRefused("recorded", model=model.name, address=model.address)
    card: ModelCard = sources.card_of(model)
    limits.check(card, model_queue().bounds)
    return model_queue().ask(what, owner=owner, patience_s=LONG_S, **_place(model), **details)


def _place(model: Source) -> dict[str, str]:
    return {"folder": model.folder, "name": model.name, "revision": model.revision}
