"""From a run of a recurrent model to a checkpoint: scored as stored, with a card."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch.nn import functional as F

from explorer.checkpoints.manifest import CheckpointUnsupported, Manifest
from explorer.checkpoints.store import load
from explorer.data.couplets import CLEAN_TEST, TEST, CoupletTokenizer, make_batches, read_couplets
from explorer.data.parallel.multi30k import read_references, tokenise_moses
from explorer.data.parallel.pairs import Batch, PairsError, read_pairs
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.seq2seq.bleu import (
    Bleu,
    caption_bleu,
    caption_bleu_by_length,
    couplet_bleu,
    couplet_sentence_bleu,
    outputs,
)
from explorer.inference.seq2seq.couplets import WEIGHTINGS, Weighting, answer_all, look_at
from explorer.inference.seq2seq.steps import PreparedSeq2Seq, prepare_seq2seq
from explorer.inference.seq2seq.translate import probe
from explorer.models.families import FAMILIES
from explorer.models.seq2seq import Seq2Seq
from explorer.training.export import Stated, export
from explorer.training.seq2seq.recipe import (
    Seq2SeqRecipe,
    best_model,
    hold_out,
    processor_seconds,
    read_part,
    teacher_forcing_of,
)

SEARCHES = {"greedy": DecodingOptions(beam=1), "beam 5": DecodingOptions(beam=5, length_penalty=1.0)}
PROBES = {
    "seq2seq": "ein mann in einem blauen hemd steht auf einer leiter und putzt ein fenster.",
    "couplet": "两个黄鹂鸣翠柳",
}
LENGTHS_FILE = "lengths.csv"
#: Most characters of a short first line: that of a regulated poem.
SHORT = 7
BleuScores = dict[tuple[str, str], Bleu]


def scores_of(family: str, model: Seq2Seq, tokenizer: Any, data: Path) -> BleuScores:
    """Score a model: BLEU by part of the data and way of searching.

    Args:
        family: `seq2seq` or `couplet`.
        model: as stored: weights rounded to half precision.

    Raises:
        PairsError: there is no `dev` part.
    """
    prepared = prepare_seq2seq(model, torch.device("cpu"), torch.float32)
    return _couplet_scores(prepared, tokenizer, data) if family == "couplet" else _captions(prepared, tokenizer, data)


def _references(data: Path, part: str) -> tuple[list[str], list[str]]:
    """Return sources and tokenised references of a part; a folder of .tsv files has none that are tokenised already."""
    pairs = read_part(data, part)
    references = read_references(data) if part == "test" else []
    return [pair.source for pair in pairs], references or [tokenise_moses(pair.targets[0]) for pair in pairs]


def _captions(prepared: PreparedSeq2Seq, tokenizer: Any, data: Path) -> BleuScores:
    found: BleuScores = {}
    for part in ("dev", "test"):
        if part == "test" and not _has_test(data):
            continue
        sources, references = _references(data, part)
        for how, options in SEARCHES.items():
            captions = outputs(prepared, tokenizer, sources, options)
            found[part, how] = caption_bleu(captions, references)
    return found


def _couplet_scores(prepared: PreparedSeq2Seq, tokenizer: CoupletTokenizer, data: Path) -> BleuScores:
    parts = {"dev": hold_out(read_couplets(data)[1], Seq2SeqRecipe().n_dev)}
    parts |= {name.removesuffix(".tsv.gz"): read_pairs(data / name) for name in (TEST, CLEAN_TEST)}
    found: BleuScores = {}
    for part, pairs in parts.items():
        lines, references = [pair.source for pair in pairs], [pair.targets[0] for pair in pairs]
        for how, options in SEARCHES.items():
            answers = answer_all(prepared, tokenizer, lines, options)
            found[part, how] = couplet_bleu(answers, references)
            found[part, f"{how}, smoothed by line"] = couplet_sentence_bleu(answers, references)
            if part != "dev":
                free = outputs(prepared, tokenizer, lines, options)
                found[part, f"{how}, without the form"] = couplet_bleu(free, references)
    return found


def couplet_facts(model: Seq2Seq, tokenizer: CoupletTokenizer, data: Path) -> dict[str, float]:
    """Measure what BLEU of couplets hides: how well each character is foreseen, and whether a line ends in time.

    Returns:
        `…_loss`: cross-entropy of a token of the real second lines, in nats; `…_loss_straight` and `…_loss_evenly`: the
        same with other weights put in place of the model's own, see `explorer.inference.seq2seq.couplets.look_at`; each
        also with `_short` and `_long`, over first lines of at most `SHORT` characters and over the others.
        `…_right`: percent of the characters of the real second lines the model finds likeliest, given those before.
        `…_same_length`: percent of second lines that are as long as the first, written greedily and without the form.
    """
    pairs, part = read_pairs(data / TEST), TEST.removesuffix(".tsv.gz")
    lines = [pair.source for pair in pairs]
    batches = make_batches(pairs, tokenizer, max_length=model.config.max_length)
    looks = WEIGHTINGS if model.config.attends else WEIGHTINGS[:1]
    found: dict[str, float] = {}
    for look in looks:
        name = f"{part}_loss_{look}".removesuffix("_own")
        found |= {f"{name}{group}": round(loss, 4) for group, loss in losses_of(model, batches, look).items()}
    found[f"{part}_right"] = round(100 * right_of(model, batches), 2)
    free = outputs(prepare_seq2seq(model, torch.device("cpu"), torch.float32), tokenizer, lines, SEARCHES["greedy"])
    same = sum(len(ours) == len(line) for ours, line in zip(free, lines, strict=True))
    return {**found, f"{part}_same_length": round(100 * same / len(lines), 2)}


@torch.inference_mode()
def losses_of(model: Seq2Seq, batches: Sequence[Batch], look: Weighting) -> dict[str, float]:
    """Return the mean cross-entropy of a target token, in nats, where every step looks as `look` says.

    Returns:
        of all, of short and of long sources, by the end of their names; nothing for a group that has none.
    """
    pad_id = model.config.pad_id
    sums, counts = dict.fromkeys(("", "_short", "_long"), 0.0), dict.fromkeys(("", "_short", "_long"), 0)
    for batch in batches:
        allowed, wanted = batch.source != pad_id, batch.target_out
        forced = look_at(look, allowed, wanted.shape[1])
        unrolled = model.unroll(batch.target_in, model.encode(batch.source, allowed), allowed, forced=forced)
        each = F.cross_entropy(model.logits(unrolled.hidden).mT, wanted, ignore_index=pad_id, reduction="none")
        short = allowed.sum(-1) - 1 <= SHORT  # the end is no character
        for group, rows in (("", short | ~short), ("_short", short), ("_long", ~short)):
            sums[group] += float(each[rows].sum())
            counts[group] += int((wanted[rows] != pad_id).sum())
    return {group: sums[group] / count for group, count in counts.items() if count}


@torch.inference_mode()
def right_of(model: Seq2Seq, batches: Sequence[Batch]) -> float:
    """Return the share of target tokens, their ends left out, that are the likeliest of all, given those before."""
    right = count = 0
    for batch in batches:
        wanted = batch.target_out
        asked = (wanted != model.config.pad_id) & (wanted != model.config.eos_id)
        right += int((model(batch.source, batch.target_in).argmax(-1) == wanted)[asked].sum())
        count += int(asked.sum())
    return right / count


def _has_test(data: Path) -> bool:
    try:
        return bool(read_part(data, "test"))
    except PairsError:
        return False


def lengths_table(model: Seq2Seq, tokenizer: Any, data: Path, revision: str) -> str:
    """Compute BLEU against the length of the source, on the test part, as CSV: where a bottleneck shows.

    Args:
        revision: of the weights, which every row names, so that nobody takes it for a measurement of others.

    Raises:
        PairsError: there is no test part.
    """
    prepared = prepare_seq2seq(model, torch.device("cpu"), torch.float32)
    sources, references = _references(data, "test")
    lines = ["revision,search,words_from,words_to,sentences,bleu"]
    for how, options in SEARCHES.items():
        captions = outputs(prepared, tokenizer, sources, options)
        for (first, last), found in caption_bleu_by_length(sources, captions, references).items():
            lines.append(f"{revision},{how},{first},{last or ''},{found.n_lines},{found.score:.2f}")
    return "".join(f"{line}\n" for line in lines)


def score_checkpoint(folder: Path, data: Path) -> BleuScores:
    """Compute BLEU of a checkpoint anew.

    Raises:
        CheckpointError: it cannot be used, or is of another family.
        PairsError: the data is missing.
    """
    manifest, model, tokenizer = _recurrent(folder)
    return scores_of(manifest.family, model, tokenizer, data)


def facts_of_checkpoint(folder: Path, data: Path) -> dict[str, float]:
    """Compute anew what is measured of couplets beside BLEU; nothing for a model of captions.

    Raises:
        CheckpointError: it cannot be used, or is of another family.
    """
    manifest, model, tokenizer = _recurrent(folder)
    return couplet_facts(model, tokenizer, data) if manifest.family == "couplet" else {}


def lengths_of_checkpoint(folder: Path, data: Path) -> str:
    """Compute anew what `lengths.csv` of a checkpoint must hold; empty where there is no test part of captions.

    Raises:
        CheckpointError: it cannot be used, or is of another family.
    """
    manifest, model, tokenizer = _recurrent(folder)
    if manifest.family != "seq2seq" or not _has_test(data):
        return ""
    return lengths_table(model, tokenizer, data, manifest.revision)


def _recurrent(folder: Path) -> tuple[Manifest, Seq2Seq, Any]:
    manifest, model, tokenizer = load(folder)
    if not isinstance(model, Seq2Seq):
        raise CheckpointUnsupported(f"{folder} is a {manifest.family}, not a recurrent model.")
    return manifest, model, tokenizer


def _metrics(scores: BleuScores) -> dict[str, float]:
    """Return names such as `test_bleu` (greedy) and `test_bleu_beam_5`."""
    named = {}
    for (part, how), found in scores.items():
        words = [] if how == "greedy" else how.replace("greedy, ", "").replace(",", "").split()
        named["_".join([part, "bleu", *words])] = round(found.score, 2)
    return named


def export_seq2seq(family: str, run: Path, out: Path, *, data: Path, stated: Stated) -> Manifest:
    """Write a run's best model, of captions (`seq2seq`) or of couplets (`couplet`), as a checkpoint.

    Raises:
        ResumeError: there is no usable run.
    """
    model = best_model(run).half().float()  # as stored
    reader = FAMILIES[family].tokenizer
    assert reader is not None
    tokenizer = reader(run / "tokenizer.json")
    scores = scores_of(family, model, tokenizer, data)
    forcing = teacher_forcing_of(run)
    facts = {"processor_minutes": round(processor_seconds(run) / 60, 2)} | (
        {} if forcing == 1 else {"teacher_forcing": forcing}
    )
    facts |= couplet_facts(model, tokenizer, data) if family == "couplet" else {}
    manifest = export(
        run,
        out,
        model,
        stated,
        kind="seq2seq",
        family=family,
        metrics={**_metrics(scores), **facts},
        probe=lambda stored, kept: probe(stored, kept, PROBES[family]),
        scores=scores,
        folder=data.name,
        teacher_forcing=forcing,
    )
    if family == "seq2seq" and _has_test(data):
        (out / LENGTHS_FILE).write_text(lengths_table(model, tokenizer, data, manifest.revision))
    return manifest
