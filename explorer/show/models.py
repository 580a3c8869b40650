"""A model of Hugging Face that a notebook has loaded: every head of it on a text, and what each of them does."""

from dataclasses import replace
from typing import Any

from explorer.figures.live import every_head
from explorer.records.language import t
from explorer.records.opened.look import ModelLook, code
from explorer.show.cell import show
from explorer.show.picture import Heard, LivePicture
from explorer.show.pictures import MOST_TOKENS, MOST_WEIGHTS, read_kept, read_place


def model(model: Any, tokenizer: Any, text: str, *, hide_rest: bool = False, dark: bool = False) -> LivePicture:
    """Run a model on a text, and draw every head with the rule that it keeps, as the lesson *Open a model* does.

    The model stays as it was. Its own code computes the weights; a model of two stacks writes its answer first. Of a
    long text, squares and the large map are summaries: the largest weight of each block.

    Args:
        model: of transformers, on the CPU.
        tokenizer: its fast tokenizer.
        text: at most 512 tokens of it are read.
        hide_rest: whether the places where heads rest are left out: start and end marks or, without any, the first
            word.
        dark: for a notebook on dark paper.

    Returns:
        A picture; `.head` is the attention, in the order of the pass, and the head that the reader has chosen,
        `.query` the token.

    Raises:
        ValueError: the model or the text cannot be looked at, or transformers is missing; it says why.
    """
    seen = _look(model, tokenizer, text)
    sites = [(site.number, head) for site in seen.sites for head in range(site.heads)]
    words = _count_tokens(seen)

    def chosen(said: Any) -> Any:
        position = read_place(said, "position", len(sites))
        return None if position is None else {"head": sites[position]}

    heard: dict[str, Heard] = {"head": chosen, "word": lambda said: read_kept(said, words)}
    return show(
        every_head.SCRIPT,
        lambda: every_head.pack(seen, head=(0, 0, 0), word=(-1, 0), hide=hide_rest),
        title=t("Every head of {model}").format(model=seen.provenance.model),
        dark=dark,
        heard=heard,
        head=(0, 0),
    )


def _look(model: Any, tokenizer: Any, text: str) -> ModelLook:
    """Return every head, with whole maps where they are not too many."""
    try:
        from explorer.opened.passes import live, looks  # torch and transformers, which who has a model has loaded
        from explorer.opened.refused import ModelRefused
    except ImportError as missing:
        raise ValueError(f"{missing.name} is missing: pip install 'attention-explorer[app,models]'") from missing
    try:
        with live.adopt_attention(model, tokenizer) as opened:
            given = looks.read_text(opened, text, MOST_TOKENS)
            seen = looks.look(opened, given)
            count = sum(
                len(rows) * len(columns) * site.heads
                for site in seen.sites
                for rows, columns in [seen.tokens(site.part)]
            )
            if count > MOST_WEIGHTS:
                return seen
            whole: list[Any] = []
            looks.attend(opened, given.inputs, lambda each: whole.append(code(each.weights.numpy())))
            return replace(seen, tiles=tuple(whole))
    except ModelRefused as refused:
        raise ValueError(str(refused)) from refused


def _count_tokens(seen: ModelLook) -> int:
    """Return the tokens of the longer side."""
    return max(len(seen.keys), len(seen.queries))
