"""Questions to a model that was trained in the lab, from the task that its manifest names."""

import re
from functools import lru_cache
from typing import cast

from explorer.data.parallel.pairs import Pair
from explorer.data.task_tokenizer import tidy
from explorer.data.tasks import HELD_OUT_SEED, TASKS, Task, examples, expected_answer
from explorer.lessons.seq2seq_attention.state import RecurrentModel

#: Held-out examples that are offered of each task.
N_EXAMPLES = 6
#: How the lab's export names the task; a reader's own pairs have none.
_MADE = re.compile(r"Made by explorer\.data\.tasks, task (\w+):")


def lab_examples(model: RecurrentModel) -> tuple[str, ...]:
    """Return texts that it was not trained on, the one in its manifest first."""
    given, task = model.manifest.probe.given, _task(model)
    sources = () if task is None else (pair.source for pair in _held_out(task))
    return tuple(dict.fromkeys((given, *sources)))


def lab_answer(model: RecurrentModel, text: str) -> str | None:
    """Return the right answer to a text; None where the task gives none, or the text is none of its examples."""
    task, text = _task(model), tidy(text)
    if task is None:
        return None
    known = {pair.source: pair.targets[0] for pair in _held_out(task)}
    return known.get(text) or expected_answer(task, text)


def _task(model: RecurrentModel) -> Task | None:
    """Return the task that a manifest names, if there is such a task."""
    found = _MADE.match(model.manifest.data)
    return cast("Task", found[1]) if found and found[1] in TASKS else None


@lru_cache(maxsize=len(TASKS))
def _held_out(task: Task) -> tuple[Pair, ...]:
    return tuple(examples(task, N_EXAMPLES, HELD_OUT_SEED))
