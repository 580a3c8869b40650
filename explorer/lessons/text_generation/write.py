"""“Text generation”: a text is written, token by token; another one from the same beginning."""

from collections.abc import Generator
from dataclasses import replace

import numpy as np

from explorer.data.text import UNKNOWN_ID, normalise
from explorer.data.verse import as_typed
from explorer.inference.gpt import streaming
from explorer.inference.gpt.generate import LoadedGPT, load
from explorer.inference.gpt.streaming import GeneratedText, write as write_on
from explorer.lessons.text_generation.state import START, Edit, Params, Result, kind_of, models, prompt_ids
from explorer.records.generation import TextRecord


def write(params: Params) -> Generator[Result]:
    """Go on with a prompt; ever longer results, the last one complete.

    A poem ends where its line of the corpus would; other text goes on to the length that was asked for.

    Raises:
        CheckpointError: the checkpoint cannot be used.
    """
    gpt = load(params.checkpoint or models()[0].name)
    ids, dropped = prompt_ids(gpt, params.prompt)
    yield from _write(gpt, params, ids, params.length, dropped, len(ids))


def rewrite(edit: Edit) -> Generator[Result]:
    """Write a text anew from a place on, where another character stands. The dice of every place are the same.

    Raises:
        CheckpointError: the checkpoint cannot be used.
    """
    gpt = load(edit.params.checkpoint or models()[0].name)
    character = gpt.tokenizer.encode(edit.character[:1])
    ids = (*edit.kept, *character)
    yield from _write(gpt, edit.params, ids, max(1, edit.length), 0, len(ids))


def edit(result: Result, place: int, character: str) -> Edit:
    """Put another character at a place of a text, and write as much after it as there was."""
    return Edit(
        params=result.params,
        kept=result.ids[:place],
        character=character[:1],
        length=result.text.n_given + result.total - place - 1,
    )


def _write(
    gpt: LoadedGPT, params: Params, ids: tuple[int, ...], length: int, dropped: int, n_given: int
) -> Generator[Result]:
    kind, window = kind_of(gpt.tokenizer), gpt.model.config.max_length
    end = gpt.tokenizer.encode(START)[0] if kind == "verse" else None
    read = (as_typed(params.prompt) if kind == "verse" else normalise(params.prompt))[dropped:]
    unknown = tuple(gpt.tokenizer.unknown(read)) if UNKNOWN_ID in ids else ()
    for step in write_on(gpt.model, ids, length, params.sampler, window=window, end=end):
        done = len(step.ids) - n_given
        ended = done == length or (done > 0 and step.ids[-1] == end)
        yield Result(
            checkpoint=gpt.name,
            kind=kind,
            window=window,
            params=params,
            ids=step.ids,
            text=_record(gpt, params, step, n_given),
            writing=gpt.tokenizer.decode(step.ids[1:]),
            looked=step.looked,
            unknown=unknown,
            dropped=dropped,
            total=done if ended else length,
        )


def _record(gpt: LoadedGPT, params: Params, step: GeneratedText, n_given: int) -> TextRecord:
    said = str(params.sampler)[len("TextSampler(") : -1].rpartition(", seed=")[0]
    return TextRecord(
        labels=tuple(gpt.tokenizer.pieces(step.ids)),
        surprisal=-np.array(step.log_probability, np.float32),
        n_given=n_given,
        provenance=replace(gpt.provenance(streaming.write, said), seed=params.seed),
    )
