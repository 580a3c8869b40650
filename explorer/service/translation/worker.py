"""Translate for the queue, in a process of its own: `python -m explorer.service.translation.worker`.

It reads orders, one a line, translates one batch at a time on one thread, and writes what happens as lines of JSON.
(A team of two threads decodes a sentence 1.2 to 1.3 times as fast, but not beside a server that draws what is written:
on two cores the page then took as long for one reader, and for thirty 0.40 instead of 0.34 s, 95 % of them.)
When the other end of its input is gone, whatever ended it, it ends at once.
"""

import json
import os
import queue
import threading
from collections.abc import Iterator
from typing import Any

import torch

from explorer.inference.engine.allocator import keep_memory
from explorer.inference.engine.layout import pick_precision
from explorer.inference.search.streaming import Begun, Dropped, Event, walk
from explorer.inference.translator.translate import load
from explorer.service.process import obey, say
from explorer.service.translation.messages import TranslationRequest, event_line, read_batch, reason


def translate(requests: tuple[TranslationRequest, ...], dropped: Dropped) -> Iterator[Event]:
    """Translate a batch."""
    engine = load(requests[0].checkpoint, requests[0].precision).prepared
    yield Begun()
    yield from walk(engine, [each.source for each in requests], requests[0].options, dropped)


class BatchOrders:
    """The orders of the queue, read by a thread of their own."""

    def __init__(self) -> None:
        self._batches: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._dropped: frozenset[int] = frozenset()
        self._of = 0
        self._lock = threading.Lock()
        obey(self._heed, lambda: os._exit(0))

    def next(self) -> dict[str, Any]:
        """Wait for a batch."""
        return self._batches.get()

    def begin(self, batch: int) -> None:
        """Let `dropped` speak of this batch from now on."""
        with self._lock:
            if self._of < batch:
                self._of, self._dropped = batch, frozenset()

    def dropped(self) -> frozenset[int]:
        """Numbers of the sentences of the batch that nobody waits for."""
        return self._dropped

    def _heed(self, line: str) -> None:
        order = json.loads(line)
        if "sources" in order:
            self._batches.put(order)
            return
        self.begin(order["batch"])  # the order may overtake the batch, which waits for the one before it
        with self._lock:
            if order["batch"] == self._of:
                self._dropped |= frozenset(order["drop"])


def main() -> None:
    """Translate batch after batch."""
    keep_memory()
    torch.set_num_threads(1)
    orders = BatchOrders()
    while True:
        order = orders.next()
        number = order["batch"]
        orders.begin(number)
        try:
            if not order["sources"]:  # only to have the model ready
                load(order["checkpoint"], pick_precision())
            for event in translate(read_batch(order), orders.dropped) if order["sources"] else ():
                facts = event_line(event)
                say(facts.pop("is"), batch=number, **facts)
            say("end", batch=number)
        except Exception as error:  # the next batch is another matter
            say("failed", batch=number, error=reason(error))


if __name__ == "__main__":
    main()
