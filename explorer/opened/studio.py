"""Answer orders about models, a few of which stay open: what the worker does, without its process."""

import gc
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from explorer.opened.cards import card, our_card
from explorer.opened.passes import effects, lens, loader, looks, ours, seen, several
from explorer.opened.passes.loader import OpenedModel
from explorer.records.opened import wire

ModelOrder = Mapping[str, Any]
#: Texts that stay cut, and translated where a model does that.
_TEXTS = 16


class Studio:
    """Opened models, the least recently used of which makes room.

    Args:
        resident: how many stay open.
    """

    def __init__(self, resident: int = 2) -> None:
        self._resident = resident
        self._models: OrderedDict[tuple[str, str], OpenedModel] = OrderedDict()
        self._given: OrderedDict[tuple[str, str, str, int, str], looks.Given] = OrderedDict()

    def answer(self, order: ModelOrder) -> Any:
        """Carry an order out: `what`, `folder`, and what that asks for; return its record.

        Raises:
            ModelRefused: it cannot be done, and why.
            MemoryError: there was none left; all models were closed.
        """
        try:
            if our_card.is_ours(Path(order.get("folder", "."))):
                return ours.answer(order)
            return ANSWERS[order["what"]](self, order)
        except (MemoryError, RuntimeError) as error:
            if isinstance(error, MemoryError) or "allocate memory" in str(error):
                self.close()
                raise MemoryError from error
            raise

    def open(self, order: ModelOrder) -> OpenedModel:
        """Return the model of an order, opened if it is not, and again where its files have changed."""
        folder = Path(order["folder"])
        key = (str(folder), card.read(folder).revision)
        if key not in self._models:
            while len(self._models) >= self._resident:
                self._models.popitem(last=False)
            gc.collect()
            opened = loader.load(folder)
            known = {name: order[name] for name in ("name", "revision") if order.get(name)}
            named = replace(opened.card, **known)
            self._models[key] = replace(opened, card=named)
        self._models.move_to_end(key)
        return self._models[key]

    def close(self) -> None:
        """Close every model."""
        self._models.clear()
        self._given.clear()
        gc.collect()

    def read(self, order: ModelOrder, text: str = "text") -> tuple[OpenedModel, looks.Given]:
        """Return the model of an order and what it is given: a text, or a picture."""
        opened = self.open(order)
        if "picture" in order:
            return opened, seen.read_picture(opened, Path(order["folder"]), wire.loads(order["picture"]))
        key = (order["folder"], opened.card.revision, order[text], order["most"], order.get("start", ""))
        if key not in self._given:  # a translation is written once, and looked at site by site
            while len(self._given) >= _TEXTS:
                self._given.popitem(last=False)
            self._given[key] = looks.read_text(opened, *key[2:])
        return opened, self._given[key]


def _without(studio: Studio, order: ModelOrder) -> Any:
    off = [(int(site), int(head)) for site, head in order["off"]]
    return effects.without(*studio.read(order), off, order["left"], order["instead"])


def _each_carried(studio: Studio, order: ModelOrder) -> Any:
    opened, given = studio.read(order)
    _, other = studio.read(order, "other_text")
    return effects.each_carried(opened, given, other, order["site"])


def _compare(studio: Studio, order: ModelOrder) -> Any:
    other = studio.open({**order, **order["other"]})
    return several.compare(studio.open(order), other, order["text"], order["most"])


def _close(studio: Studio, _: ModelOrder) -> Any:
    studio.close()


#: What a queue may ask for, by name.
ANSWERS: dict[str, Callable[[Studio, ModelOrder], Any]] = {
    "close": _close,
    "open": lambda studio, order: studio.open(order).card,
    "look": lambda studio, order: looks.look(*studio.read(order)),
    "attention": lambda studio, order: looks.attention(*studio.read(order), order["site"]),
    "rows": lambda studio, order: looks.rows(*studio.read(order), order["query"]),
    "lens": lambda studio, order: lens.lens(*studio.read(order)),
    "without": _without,
    "each_without": lambda studio, order: effects.each_without(*studio.read(order), order["site"], order["instead"]),
    "each_carried": _each_carried,
    "slopes": lambda studio, order: effects.slopes(*studio.read(order)),
    "over_texts": lambda studio, order: several.over_texts(studio.open(order), order["texts"], order["most"]),
    "compare": _compare,
}
