"""“The bottleneck, measured”: BLEU by the length of the source, of the whole test set and of a sample."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import pandas as pd

from explorer.checkpoints.manifest import CheckpointError
from explorer.data.parallel.own_pairs import open_pairs
from explorer.lessons.seq2seq_attention import length_sample, lengths, readings_lengths, seeds, state, training_time
from explorer.lessons.seq2seq_attention.figures import lengths as figures
from explorer.lessons.seq2seq_attention.records import LengthCurve
from explorer.lessons.seq2seq_attention.seed_runs import seed_runs
from explorer.lessons.seq2seq_attention.ui import controls as widgets
from explorer.records.language import t
from explorer.records.provenance import joint
from explorer.ui import choice, how_read, job_progress, messages, uploads
from explorer.ui.scene import beside, picture

Sample = tuple[str, tuple[tuple[str, str], ...]]
Describe = Callable[[Sequence[LengthCurve], Mapping[str, str]], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A choice for the stage: a way of searching, and the sentences.

    Attributes:
        search: greedy or beam 5.
        sample: name and pairs that are translated here and now; None while there are none, and for the whole test set.
    """

    search: str
    sample: Sample | None


def controls() -> Chosen:
    """Draw the way of searching, and which sentences are translated."""
    search = choice.buttons(t("Search"), search_names(), key="sa_search")
    kinds = {"test": t("the whole test set"), "own": t("40 captions of our own"), "file": t("a file of yours")}
    kinds |= {"local": t("Multi30k on this server")} if length_sample.local_sample(1) else {}
    kind = choice.select(t("Sentences"), kinds, key="sa_sample")
    return Chosen(search=search, sample=_sample(kind))


def search_names() -> dict[str, str]:
    """Return the two ways of searching that were measured."""
    return {"greedy": t("greedy"), "beam 5": t("beam of 5")}


def _sample(kind: str) -> Sample | None:
    """Return the sample's name and its pairs; None while there are none."""
    if kind == "own":
        return "captions_own.tsv", length_sample.own_sample()
    if kind == "local":
        count = choice.slider(t("How many"), 20, length_sample.MOST_SAMPLE_PAIRS, 20, key="sa_count")
        return "test_2016_flickr", length_sample.local_sample(count)
    return _file() if kind == "file" else None


def _file() -> Sample | None:
    """Ask for a table of the reader's."""
    said = t("A table of two columns: German, then its English reference (TSV or CSV, at most {n} pairs)")
    file = uploads.file(said.format(n=length_sample.MOST_SAMPLE_PAIRS), ["tsv", "csv", "txt"], key="sa_file")
    if file is None:
        return None
    try:
        table = how_read.open_file(open_pairs, file.getvalue(), f"sa_file_{file.file_id}")
        return file.name[:60], length_sample.file_sample(table)
    except length_sample.SampleRefused as refused:
        messages.warning(refused.explain())
        return None


def stage(chosen: Chosen) -> dict[str, str]:
    """Draw the curves: those of the test set, or those that grow while the sample is translated."""
    every = state.models()
    there = [each for each in every if each.task == "de-en"]
    if not there:
        messages.no_checkpoints(state.find_unusable())
    curves = lengths.read_measurements(there, chosen.search)
    _unmeasured(lengths.find_unmeasured(there))
    if chosen.sample is not None and there:
        _measure(there, chosen.sample, chosen.search)
    elif curves:
        _curves("sa_lengths", t("BLEU by the length of the source"), curves, readings_lengths.describe_lengths)
    with beside.fold(t("What each model scored"), ":material/table:"):
        beside.show_table(scores(every).set_index(t("mechanism")), wraps=True)
        beside.show_caption(t("Read from each checkpoint’s manifest; its card says how to compute it again."))
        beside.show_caption(
            t(
                "Minutes are the processor’s, and stand only where they were measured: by the clock they would say "
                "how busy the machine was. Tokens a second are those of the fastest stretch between two reports: "
                "without attention a step is cheaper."
            )
        )
    runs = seed_runs()
    return {
        "sentences": f"{sum(group.sentences for group in curves[0].groups):,}" if curves else "–",
        "search": search_names()[chosen.search],
        "runs": str(runs.seeds * len(runs.bleu)),
        "steps": str(runs.steps),
        "seeds": str(runs.seeds),
        "options": runs.options,
        "spread": f"{runs.spread:.1f}",
        "said": seeds.describe_seeds(seeds.scores_of(there, chosen.search), runs, widgets.names()),
    }


def _unmeasured(lost: Mapping[str, CheckpointError]) -> None:
    """Say which measurements are not shown, and how to measure anew."""
    if lost:
        said = t("The measurement beside {names} is missing or damaged, or of other weights, and is not shown.")
        names = t(", ").join(f"checkpoints/{name}" for name in lost)
        messages.warning(said.format(names=names), ":material/folder_off:")
        messages.exactly(lost.values())


def _measure(there: Sequence[state.RecurrentModel], sample: Sample, search: str) -> None:
    """Translate the sample in the background, the curves growing."""
    name, pairs = sample
    params = length_sample.SampleParams(
        models=tuple(each.name for each in there), name=name, pairs=pairs, search=search
    )

    def draw(result: length_sample.SampleResult) -> None:
        def describe(_: Sequence[LengthCurve], names: Mapping[str, str]) -> str:
            return readings_lengths.describe_sample(result, names)

        title = t("BLEU on the sample, by the length of the source")
        _curves("sa_sampled", title, result.curves, describe, own=True)

    job_progress.watch(
        "sa_recompute",
        length_sample.recompute,
        params,
        draw,
        label=t("Translate {n} sentences with {m} models").format(n=len(pairs), m=len(there)),
        note=t("on this server, in the background"),
    )


def _curves(key: str, title: str, curves: Sequence[LengthCurve], describe: Describe, *, own: bool = False) -> None:
    names = widgets.names()
    picture.show_chart(
        key,
        partial(figures.lengths, curves, names=names),
        title=title,
        reading=describe(curves, names),
        table=lambda: table(curves),
        provenance=joint([curve.provenance for curve in curves]),
        of=tuple(curves),
        own=own,
    )


def table(curves: Sequence[LengthCurve]) -> pd.DataFrame:
    """Return a row for each model and group."""
    names = widgets.names()
    rows = [
        (names[curve.mechanism], curve.model, group.name, group.sentences, group.bleu)
        for curve in curves
        for group in curve.groups
    ]
    return pd.DataFrame(rows, columns=[t("mechanism"), t("model"), t("length in words"), t("sentences"), "BLEU"])


def _shown(number: float | None, form: str) -> str:
    return "–" if number is None else format(number, form)


def scores(every: Sequence[state.RecurrentModel]) -> pd.DataFrame:
    """Return the metrics of the manifests: BLEU on the held-out and the test part, and what the training took."""
    names = widgets.model_names(every)
    columns = {
        t("test, beam 5"): ("test_bleu_beam_5", "wb14123_test_4000_bleu_beam_5"),
        t("greedy"): ("test_bleu", "wb14123_test_4000_bleu"),
        t("dev, beam 5"): ("dev_bleu_beam_5",),
    }
    said = {"de-en": "{name}", "couplet": t("Couplets: {name}")}
    rows = {t("mechanism"): [said[each.task].format(name=names[each.name]) for each in every]}
    for title, keys in columns.items():
        rows[title] = [
            next((f"{each.manifest.metrics[key]:.2f}" for key in keys if key in each.manifest.metrics), "–")
            for each in every
        ]
    rows[t("minutes of the processor")] = [_shown(training_time.minutes(each), ".1f") for each in every]
    rows[t("tokens a second")] = [_shown(training_time.fastest(each), ",.0f") for each in every]
    rows[t("revision")] = [each.manifest.revision for each in every]
    return pd.DataFrame(rows)
