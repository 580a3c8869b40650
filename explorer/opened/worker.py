"""Open models and look, in a process of its own: `python -m explorer.opened.worker`.

It reads orders, lines of JSON, and answers each with one line: a record, a refusal, or a failure. It has one thread of
torch (two on two busy cores took twenty times as long), a limit of memory, no token of the Hub and no network. When
the other end of its input is gone, it ends. Where transformers is missing, it opens checkpoints of this project alone.
"""

import json
import os
import queue
from typing import Any

from explorer.opened.limits import limits
from explorer.opened.queue import has_library
from explorer.service.process import obey, say


def confine() -> None:
    """Limit this process's memory. Mapped files do not count; on Windows, nothing is limited."""
    try:
        import resource
    except ImportError:
        return
    most = limits().memory
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def main() -> None:
    """Answer order after order."""
    confine()
    orders: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    obey(lambda line: orders.put(json.loads(line)), lambda: os._exit(0))
    import torch

    torch.set_num_threads(1)
    from explorer.opened.passes import ours
    from explorer.opened.refused import ModelRefused
    from explorer.records.opened import wire

    answer = ours.answer
    if has_library():
        from explorer.opened.studio import Studio

        answer = Studio(limits().resident).answer
    say("ready")
    while True:
        order = orders.get()
        number = order["number"]
        try:
            say("answer", number=number, record=wire.dumps(answer(order)))
        except ModelRefused as refusal:
            say("refused", number=number, reason=refusal.reason, values=refusal.values)
        except MemoryError:
            say("memory", number=number)
        except Exception as error:  # the next order is another matter
            say("failed", number=number, error=f"{type(error).__name__}: {error}"[:300])


if __name__ == "__main__":
    main()
