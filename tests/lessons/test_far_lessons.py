"""A device without float64, as Apple's MPS: what the lessons ask of translators and recurrent models is answered there.

They load their models as on a page, there and here, and the numbers are the same.
"""

import copy
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

import pytest
import torch

from explorer.inference import loaded
from explorer.inference.seq2seq import one_query as asked_by_step, translate as recurrent
from explorer.inference.translator import request, translate as translating
from explorer.lessons import multi_head, seq2seq_attention, translator, whole_transformer
from explorer.lessons.efficient_attention import captured_qkv
from explorer.lessons.masked_softmax import trained_head
from explorer.lessons.multi_head import ablation, aggregates, effects, inside, resting, untrained
from explorer.lessons.seq2seq_attention import forced_weights, length_sample, notes
from explorer.lessons.translator import change, finished, search, search_edit, stream
from explorer.lessons.translator.change_state import Change
from explorer.lessons.whole_transformer import families, normalise, norms
from explorer.records.heads import HeadName
from explorer.scenes.seq2seq_attention import EGRETS, ORIOLES, RIDER
from explorer.service.kept import list_kept
from tests.inference.test_far_families import origins, same
from tests.support import far

TEXT = "I miss you."
HEADS = multi_head.Params(text=TEXT)
ASKED = request.Params(text=TEXT, beam=2)
VIEW = multi_head.View(site="cross", layer=2)
PARAMS, TWO = "seq2seq-de-en-notes-params", "seq2seq-de-en-notes-two"
CAPTION = seq2seq_attention.Params(text=RIDER, models=(PARAMS, TWO, "seq2seq-de-en-none"), beam=2)
COUPLET = seq2seq_attention.Params(task="couplet", text=ORIOLES, models=("couplet-zh",), beam=2, second=EGRETS)


def written() -> finished.FinishedTranslation:
    return finished.best_translation(translator.compute(ASKED))


def changed() -> Any:
    params = change.InterventionParams(written=written(), beam=2, change=Change(masked=(0,)))
    return change.change(params), change.change(change.InterventionParams(written=written()))


def searched() -> Any:
    asked = search.SearchParams.of(translator.compute(ASKED))
    at = search_edit.PlaceParams(asked=asked, target=written().written_ids, position=1)
    rewritten = search_edit.rewrite(search_edit.EditParams(at=at, text="ne"))
    return search.search(asked), search.ways(search.WaysParams(asked=asked)), search_edit.alternatives(at), rewritten


def headed() -> Any:
    result = multi_head.compute(HEADS)
    return (
        inside.inside(result, VIEW),
        inside.journey(result, VIEW),
        inside.contributions(result, VIEW),
        aggregates.aggregate(result, VIEW),
        aggregates.roll_out(result, "encoder"),
        untrained.attend_untrained(untrained.UntrainedParams(params=HEADS)),
    )


def removed() -> Any:
    taken = ablation.AblationParams(params=HEADS, heads=(HeadName(part="cross", layer=2, head=3),))
    return ablation.ablate(taken), resting.hide_end(HEADS), effects.effects(HEADS)


def stepped() -> Any:
    result = seq2seq_attention.compute(CAPTION)
    record = result.records[PARAMS]
    return (
        dict(result.records),
        asked_by_step.one_query(recurrent.load(PARAMS), record.trace, 1),
        notes.first_state(TWO, result.records[TWO]),
    )


def forced() -> Any:
    step = forced_weights.Forced(step=1, weights=(0.5, 0.5, *[0.0] * 6))
    answered = forced_weights.force(forced_weights.ForceParams(params=COUPLET, model="couplet-zh", forced=step))
    lines = [forced_weights.write_forced(COUPLET, "couplet-zh", look) for look in ("straight", "evenly")]
    return answered, lines, forced_weights.read_given_line(COUPLET, "couplet-zh")


def counted() -> Any:
    params = length_sample.SampleParams(models=(PARAMS,), name="own", pairs=length_sample.own_sample()[:2])
    *_, last = length_sample.recompute(params)
    return last.curves


COMPUTED: dict[str, Callable[[], Any]] = {
    "change": changed,
    "search": searched,
    "stream": lambda: stream.follow_stream(written()),
    "heads": headed,
    "heads removed": removed,
    "whole pass": lambda: whole_transformer.compute(whole_transformer.Params(text=TEXT)).whole,
    "families": lambda: families.both(families.Params(text="A man is ___ a bike.")),
    "normalised": lambda: [normalise.compute(normalise.Params(over=over)) for over in ("layer", "batch")],
    "norms": lambda: norms.lines(norms.Params(text="Ein Mann fährt Rad.")),
    "masked": lambda: [trained_head.compute(trained_head.TrainedHead(of=of)) for of in ("padding", "future")],
    "captured": lambda: captured_qkv.of_encoder(request.CHECKPOINT, TEXT, layer=1),
    "recurrent": stepped,
    "couplets": forced,
    "lengths": counted,
}


@contextmanager
def there() -> Iterator[None]:
    """Open every checkpoint on the device."""
    opened = loaded.open_checkpoint

    def moved(checkpoint: str) -> Any:
        manifest, model, words = opened(checkpoint)
        return manifest, far.moved(copy.deepcopy(model)), words

    with ExitStack() as stack:
        stack.enter_context(patch.object(loaded, "open_checkpoint", moved))
        for module in (loaded, translating, recurrent):
            stack.enter_context(patch.object(module, "pick_device", lambda: far.DEVICE))
        stack.callback(forget)
        forget()
        stack.enter_context(far.device())
        yield


def forget() -> None:
    list_kept().forget()
    for load in (translating._load, recurrent.load):
        load.cache_clear()


@pytest.mark.parametrize("what", COMPUTED)
def test_a_lesson_computes_there_what_it_computes_here(what: str) -> None:
    here = COMPUTED[what]()
    with there():
        found = COMPUTED[what]()
    same(found, here)
    assert "meta" in {each.device for each in origins(found)}
    assert {each.device for each in origins(here)} == {"cpu"}


def test_nothing_of_the_device_is_left_behind() -> None:
    with there():
        assert recurrent.load(PARAMS).prepared.device == far.DEVICE
    assert recurrent.load(PARAMS).prepared.device == torch.device("cpu")
