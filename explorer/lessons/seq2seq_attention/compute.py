"""Recurrent encoder-decoders, from one vector for everything to Bahdanau's and Luong's attention."""

from explorer.lessons.seq2seq_attention.forced_weights import read_given_line, write_forced
from explorer.lessons.seq2seq_attention.state import Params, Result, first_shown, models


def compute(params: Params) -> Result:
    """Let every chosen model read the text, and keep every number of what it wrote.

    Models are loaded on the first call and kept for the process (`explorer.inference.seq2seq.translate.load`).

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: a checkpoint cannot be used.
    """
    names = params.models or first_shown([each for each in models() if each.task == params.task])
    if params.second:
        return Result(
            params=params, records={"own": write_forced(params, names[0]), "given": read_given_line(params, names[0])}
        )
    if params.looks:
        return Result(params=params, records={look: write_forced(params, names[0], look) for look in params.looks})
    return Result(params=params, records={name: write_forced(params, name) for name in names})
