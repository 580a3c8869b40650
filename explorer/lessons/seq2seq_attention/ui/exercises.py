"""Numbers in the answers of the exercises."""

from explorer.lessons import seq2seq_attention as lesson
from explorer.lessons.seq2seq_attention import lengths, notes, numbers, state
from explorer.lessons.seq2seq_attention.seed_runs import seed_runs
from explorer.lessons.seq2seq_attention.ui.force import sofa
from explorer.ui import cache


def values() -> dict[str, str]:
    """Return what fills the placeholders of the answers."""
    there = [each for each in state.models() if each.task == "de-en"]
    return {**_couch(), **_forced(), **_gaps(there), **_scores(there), **_notes()}


def _couch() -> dict[str, str]:
    """Find the step that looks most surely at one source word, and how much of the context that word's state is."""
    params = lesson.Params(models=(state.ADDITIVE,))
    (record,) = cache.compute(lesson.compute, params).records.values()
    step = max(record.trace.steps, key=lambda each: numbers.word_weights(record.trace, each).max())
    parts, weights = numbers.context_parts(record, step), numbers.word_weights(record.trace, step)
    assert parts is not None
    best = int(weights.argmax())
    return {
        "sure_step": str(record.trace.steps.index(step) + 1),
        "sure_word": step.written.label,
        "sure_source": record.trace.source.word_labels[best],
        "sure_weight": f"{weights[best]:.0%}",
        "sure_share": f"{parts.shares[parts.positions.index(best)]:.0%}",
    }


def _forced() -> dict[str, str]:
    """Read what is written where the third step looks at the sofa."""
    found = sofa()
    return {"own_text": found.own.best.text, "forced_text": found.forced.best.text}


def _gaps(there: list[state.RecurrentModel]) -> dict[str, str]:
    """Measure how far additive attention is ahead of one vector for the shortest sources, and where it is furthest."""
    curves = {curve.mechanism: curve for curve in lengths.read_measurements(there, "beam 5")}
    low, high = curves["none"].groups, curves["additive"].groups
    gaps = [other.bleu - one.bleu for one, other in zip(low, high, strict=True)]
    widest = max(range(len(gaps)), key=gaps.__getitem__)
    return {
        "first_gap": f"{gaps[0]:.1f}",
        "first_words": low[0].name,
        "most_gap": f"{gaps[widest]:.1f}",
        "most_words": low[widest].name,
    }


def _scores(there: list[state.RecurrentModel]) -> dict[str, str]:
    """Read the scores of additive and scaled dot product attention, and how far seeds alone lie apart."""
    bleu = {each.name: each.manifest.metrics["test_bleu_beam_5"] for each in there}
    return {
        "bleu_additive": f"{bleu['seq2seq-de-en-additive']:.1f}",
        "bleu_scaled": f"{bleu['seq2seq-de-en-scaled_dot']:.1f}",
        "seed_spread": f"{seed_runs().spread:.1f}",
    }


def _notes() -> dict[str, str]:
    """Read what the changes to the notes' model brought; dashes where the trainings are not there."""
    if notes.find_unusable():
        return dict.fromkeys(("notes_said", "notes_given", "notes_base"), "–")
    found = cache.once(notes.courses, "seq2seq_attention.notes.courses")
    bleu = {each.model: f"{each.bleu:.1f}" for each in found}
    return {
        "notes_said": notes.describe(found, seed_runs().spread).replace("**", ""),
        "notes_given": bleu[notes.GIVEN[0]],
        "notes_base": bleu[notes.BASE],
    }
