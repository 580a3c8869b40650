"""“Text generation”: a text is written, token by token; another one from the same beginning."""

import time
from dataclasses import replace

import numpy as np

from explorer.data.text import UNKNOWN_ID, normalise
from explorer.data.verse import as_typed
from explorer.inference.gpt import writing
from explorer.inference.gpt.generate import LoadedGPT, load
from explorer.inference.gpt.writing import GeneratedText
from explorer.lessons.text_generation.state import START, Edit, Params, Result, first_model, kind_of, prompt_ids
from explorer.records.generation import TextRecord


def compute(params: Params) -> Result:
    """Go on with a prompt.

    A poem ends where its line of the corpus would; other text goes on to the length that was asked for.

    Raises:
        CheckpointError: the checkpoint cannot be used.
    """
    gpt = load(params.checkpoint or first_model())
    ids, dropped = prompt_ids(gpt, params.prompt)
    return _written(gpt, params, ids, params.length, dropped)


def rewrite(edit: Edit) -> Result:
    """Write a text anew from a place on, where another character stands. The dice of every place are the same.

    Raises:
        CheckpointError: the checkpoint cannot be used.
    """
    gpt = load(edit.params.checkpoint or first_model())
    character = gpt.tokenizer.encode(edit.character[:1])
    return _written(gpt, edit.params, (*edit.kept, *character), max(1, edit.length), 0)


def edit(result: Result, position: int, character: str) -> Edit:
    """Put another character at a place of a text, and write as much after it as there was."""
    kept = result.ids[:position]
    return Edit(params=result.params, kept=kept, character=character[:1], length=len(result.ids) - position - 1)


def _written(gpt: LoadedGPT, params: Params, ids: tuple[int, ...], length: int, dropped: int) -> Result:
    kind, window = kind_of(gpt.tokenizer), gpt.model.config.max_length
    end = gpt.tokenizer.encode(START)[0] if kind == "verse" else None
    read = (as_typed(params.prompt) if kind == "verse" else normalise(params.prompt))[dropped:]
    begin = time.perf_counter()
    found = writing.write(gpt.model, ids, length, params.sampler, window=window, end=end)
    seconds = time.perf_counter() - begin
    return Result(
        checkpoint=gpt.name,
        kind=kind,
        window=window,
        params=params,
        ids=found.ids,
        text=_record(gpt, params, found, len(ids)),
        writing=gpt.tokenizer.decode(found.ids[1:]),
        unknown=tuple(gpt.tokenizer.unknown(read)) if UNKNOWN_ID in ids else (),
        dropped=dropped,
        seconds=seconds,
    )


def _record(gpt: LoadedGPT, params: Params, found: GeneratedText, n_given: int) -> TextRecord:
    said = str(params.sampler)[len("TextSampler(") : -1].rpartition(", seed=")[0]
    return TextRecord(
        labels=tuple(gpt.tokenizer.pieces(found.ids)),
        surprisal=-np.array(found.log_probability, np.float32),
        n_given=n_given,
        provenance=replace(gpt.provenance(writing.write, said), seed=params.seed),
    )
