"""Measure how often a model of verse keeps the form, from opening lines that it never read to the end of the poem."""

from collections.abc import Sequence
from dataclasses import replace

from explorer.data.text import CharacterTokenizer
from explorer.data.verse import BETWEEN, keeps_form, verse_lines
from explorer.inference.gpt.sampling import TextSampler
from explorer.inference.gpt.writing import write
from explorer.models.gpt import GPT

#: Poems that are counted, and how their characters are drawn.
N_COUNTED, SAMPLER = 100, TextSampler(temperature=0.8)
#: The longest regulated poem with its marks is 64 characters.
MOST_CHARACTERS = 72


def openings(text: str, count: int) -> list[str]:
    """Opening lines of a laid out text, spread evenly over its poems, each with its mark."""
    poems = [line for line in text.split("\n") if line]
    return [verse_lines(poem)[0] + BETWEEN for poem in poems[:: max(1, len(poems) // count)][:count]]


def form_kept(model: GPT, tokenizer: CharacterTokenizer, lines: Sequence[str]) -> float:
    """Share of the poems that keep what their opening promises: 4 or 8 lines of its length, with ，and 。by turns.

    Args:
        model: in `eval()`.
        lines: openings; each gets a seed of its own.
    """
    end, kept = tokenizer.encode("\n")[0], 0
    for seed, line in enumerate(lines):
        given = tokenizer.encode("\n" + line)
        own = replace(SAMPLER, seed=seed)
        found = write(model, given, MOST_CHARACTERS, own, window=model.config.max_length, end=end)
        poem = tokenizer.decode(found.ids[1:])
        kept += poem.endswith("\n") and keeps_form(line + poem[len(line) : -1], line)
    return kept / len(lines)
