"""One head of a trained translator, its mask lifted and put back: real scores, before and after masking."""

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from explorer.attention import masking
from explorer.inference.translator.translate import LoadedTranslator, encode_source, load
from explorer.lessons.masked_softmax.batch import hand_drawn
from explorer.lessons.masked_softmax.records import Cell, HeadRecord
from explorer.nn.tape import Tape
from explorer.service.kept import made_once

Of = Literal["padding", "future", "own"]
#: Reads English, and writes English: words that both readers of this page can read.
READER, WRITER = "translator-multi30k-en-fr", "translator-multi30k-de-en"
LONG = "A little girl is playing with a big white dog."
SHORT = "A man is sleeping."
GERMAN = "Ein kleines Mädchen spielt mit einem großen weißen Hund."
N_LAYERS, N_HEADS = 4, 4


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedHead:
    """A head, and what is hidden from it.

    Attributes:
        of: `padding` hides that of a short sentence, `future` what is not yet written, `own` the cells of `hand`.
        layer: from 0, clamped.
        head: from 0, clamped.
        hand: forbidden cells.
    """

    of: Of = "padding"
    layer: int = 0
    head: int = 0
    hand: tuple[Cell, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "layer", min(max(self.layer, 0), N_LAYERS - 1))
        object.__setattr__(self, "head", min(max(self.head, 0), N_HEADS - 1))

    @property
    def checkpoint(self) -> str:
        """Return the name of the model that is looked into."""
        return WRITER if self.of == "future" else READER


def compute(params: TrainedHead) -> HeadRecord:
    """Take the scores that the head computed, and turn them into weights without a mask and with it.

    The model ran with its own mask in every layer; only this head's softmax is repeated without it.

    Raises:
        CheckpointError: the translator cannot be used.
    """
    translator = load(params.checkpoint)
    labels, by_head = _scores(translator, params.of, params.layer)
    scores, n = by_head[params.head], len(labels)
    n_words = n - labels.count("<pad>")
    allowed = _allowed(params, n, n_words)
    return HeadRecord(
        scores=scores.numpy(),
        before=scores.softmax(-1).numpy(),
        after=masking.masked_softmax(scores, allowed).numpy(),
        allowed=allowed.numpy(),
        labels=labels,
        n_words=n_words,
        provenance=translator.traced_by.by(compute, detail=f"{_site(params.of, params.layer)}, head {params.head}"),
    )


def _allowed(params: TrainedHead, n: int, n_words: int) -> Tensor:
    if params.of == "padding":
        return masking.valid(torch.tensor([n_words]), n).expand(n, n)
    if params.of == "future":
        return masking.causal(n, n)
    return ~hand_drawn(tuple(cell for cell in params.hand if max(cell) < n), n)


@made_once
@torch.inference_mode()
def _scores(translator: LoadedTranslator, of: Of, layer: int) -> tuple[tuple[str, ...], Tensor]:
    """Return the tokens of a row of the batch, and the scores of every head for them, `[heads, n, n]`."""
    tape, prepared, tokenizer = Tape(), translator.prepared, translator.tokenizer
    pad = prepared.config.pad_id
    if of == "future":
        source = [encode_source(translator, GERMAN)]
        read = [prepared.config.bos_id, *tokenizer.encode(LONG)]
        prepared.model(*(torch.tensor(ids, device=prepared.device) for ids in (source, [read])), tape=tape)
    else:
        rows = [encode_source(translator, text) for text in (LONG, SHORT)]
        n = max(map(len, rows))
        ids = torch.tensor([row + [pad] * (n - len(row)) for row in rows], device=prepared.device)
        prepared.model.encode(ids, ids != pad, tape=tape)
        read = ids[1 if of == "padding" else 0].tolist()
    scores = tape[_site(of, layer)].scores[1 if of == "padding" else 0].float().cpu()
    return tuple("<pad>" if each == pad else tokenizer.pieces([each])[0] for each in read), scores


def _site(of: Of, layer: int) -> str:
    return f"{'decoder' if of == 'future' else 'encoder'}.layers.{layer}.self"
