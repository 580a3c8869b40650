"""Look at a finished translation: one parallel pass over source and target, with a tape."""

import math
from collections.abc import Sequence
from dataclasses import replace

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.attention.attend import Attended
from explorer.data.couplets import CoupletTokenizer
from explorer.data.marian.sentencepieces import SentencePieces
from explorer.data.task_tokenizer import TaskTokenizer
from explorer.data.tokenizer import Tokenizer
from explorer.inference.engine.prepared import Prepared
from explorer.nn.tape import Tape
from explorer.records.attention import AttentionRecord, Kind
from explorer.records.provenance import Provenance
from explorer.records.sequence import Likely, Step, TokenRow, Trace, mark_cuts

#: Everything that names tokens.
AnyTokenizer = Tokenizer | SentencePieces | CoupletTokenizer | TaskTokenizer
#: How many alternatives are kept at each step.
N_LIKELIEST = 5


@torch.inference_mode()
def trace(
    prepared: Prepared, tokenizer: AnyTokenizer, source: Sequence[int], target: Sequence[int], provenance: Provenance
) -> Trace:
    """Everything a translator attended to and thought likely while it wrote `target`.

    The finished target is read in one parallel pass (teacher forcing): the causal mask makes row i exactly what the
    step-by-step decoder computed when it had read `target[:i]`.

    Returns:
        Records of every layer and site. Rows of cross-attention are labelled by the token that was *produced*; rows of
        self-attention by the token that was *read* there (for the decoder: `<s>` and all but the last of `target`).
    """
    read = [tokenizer.bos_id, *target[:-1]]
    tape = Tape()
    source_ids = torch.tensor([list(source)], device=prepared.device)
    logits = prepared.model(source_ids, torch.tensor([read], device=prepared.device), tape=tape)[0]
    rows = {"source": token_row(tokenizer, source), "read": token_row(tokenizer, read)}
    written = token_row(tokenizer, target)
    return Trace(
        source=rows["source"],
        read=rows["read"],
        written=written,
        source_ids=tuple(source),
        written_ids=tuple(target),
        steps=_steps(log_probabilities(prepared, logits), tokenizer, target),
        attentions=tuple(
            _record(site, tape[site], rows["source"], rows["read"], written, provenance) for site in tape.sites
        ),
    )


def token_row(tokenizer: AnyTokenizer, ids: Sequence[int]) -> TokenRow:
    """Names and words of a sequence of ids."""
    special = {tokenizer.pad_id, tokenizer.bos_id, tokenizer.eos_id, *getattr(tokenizer, "special_ids", ())}
    words = tuple(tokenizer.word_groups(ids))
    return TokenRow(
        labels=mark_cuts(tokenizer.pieces(ids), words),
        words=words,
        word_labels=tuple(_word_label(tokenizer, [ids[position] for position in word], special) for word in words),
        special=tuple(token in special for token in ids),
    )


def _word_label(tokenizer: AnyTokenizer, ids: Sequence[int], special: set[int]) -> str:
    """Return what a word reads; where that cannot be printed, its pieces."""
    text = tokenizer.decode(ids).strip()
    printable = text and text.isprintable() and "\ufffd" not in text and not special & set(ids)
    return text if printable else "".join(tokenizer.pieces(ids))


def log_probabilities(prepared: Prepared, logits: Float[Tensor, "*rows vocab"]) -> Float[Tensor, "*rows vocab"]:
    """Over the tokens that decoding may write, as in `explorer.inference.search.decode`."""
    logits = logits.float()
    logits[..., list(prepared.config.never_written)] = -math.inf
    return logits.log_softmax(-1)


def _steps(
    log_shares: Float[Tensor, "target vocab"], tokenizer: AnyTokenizer, target: Sequence[int]
) -> tuple[Step, ...]:
    probabilities = log_shares.exp().cpu()
    best, tokens = probabilities.topk(min(N_LIKELIEST, probabilities.shape[1]))
    written = probabilities[range(len(target)), list(target)].tolist()
    steps = []
    for token, share, row, ids in zip(target, written, best.tolist(), tokens.tolist(), strict=True):
        likeliest = zip(tokenizer.pieces(ids), row, strict=True)
        steps.append(
            Step(
                written=Likely(label=tokenizer.pieces([token])[0], probability=share),
                likeliest=tuple(Likely(label=label, probability=value) for label, value in likeliest),
                chosen=ids.index(token) if token in ids else None,
            )
        )
    return tuple(steps)


def _record(
    site: str, attended: Attended, source: TokenRow, read: TokenRow, written: TokenRow, provenance: Provenance
) -> AttentionRecord:
    part, _, number, what = site.split(".")
    kinds: dict[str, tuple[Kind, TokenRow, TokenRow]] = {
        "encoder.self": ("self", source, source),
        "decoder.self": ("causal", read, read),
        "decoder.cross": ("cross", written, source),
    }
    kind, queries, keys = kinds[f"{part}.{what}"]
    causal = torch.ones(len(read.labels), len(read.labels), dtype=torch.bool).tril()
    return AttentionRecord(
        site=site,
        kind=kind,
        layer=int(number),
        weights=attended.weights[0].float().cpu().numpy(),
        query_labels=queries.labels,
        key_labels=keys.labels,
        query_role="produced" if kind == "cross" else "read",
        allowed=causal.numpy() if kind == "causal" else None,
        provenance=replace(provenance, detail=site),
    )
