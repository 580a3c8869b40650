"""A trained head before and after its mask: the numbers of the core scenes, and how they are drawn."""

import numpy as np
import pytest
import torch

from explorer.inference.translator.translate import encode_source, load
from explorer.lessons.masked_softmax import readings, trained_head
from explorer.lessons.masked_softmax.figures import head as figures
from explorer.lessons.masked_softmax.records import HeadRecord, names
from explorer.lessons.masked_softmax.trained_head import TrainedHead
from explorer.nn.tape import Tape
from explorer.scenes.masked_softmax import DRAW, PADDING


@pytest.fixture(scope="module")
def padded() -> HeadRecord:
    return trained_head.compute(TrainedHead(of="padding", layer=2, head=2))


def test_under_the_mask_the_short_sentence_weighs_as_if_it_were_alone(padded: HeadRecord) -> None:
    translator, tape = load(trained_head.READER), Tape()
    ids = torch.tensor([encode_source(translator, trained_head.SHORT)])
    with torch.inference_mode():
        translator.prepared.model.encode(ids, ids != -1, tape=tape)
    alone = tape["encoder.layers.2.self"].weights[0, 2].float().numpy()
    n = padded.n_words
    np.testing.assert_allclose(padded.after[:n, :n], alone, atol=2e-3)
    assert (padded.after[:, n:] == 0).all()


def test_every_weight_that_stays_grows_by_one_factor(padded: HeadRecord) -> None:
    for row in range(padded.n_words):
        kept = padded.allowed[row]
        grown = padded.before[row, kept] * padded.factor(row)
        np.testing.assert_allclose(padded.after[row, kept], grown, rtol=1e-4)
        assert padded.factor(row) == pytest.approx(1 / (1 - padded.lost[row]), rel=1e-3)


def test_the_future_is_hidden_and_the_last_row_loses_nothing() -> None:
    record = trained_head.compute(TrainedHead(of="future", layer=3, head=1))
    assert np.array_equal(record.allowed, np.tri(len(record.labels), dtype=bool))
    assert record.lost[0] > 0.5
    assert record.after[0, 0] == 1
    assert record.lost[-1] == 0


def test_presets_keep_what_they_say() -> None:
    record = trained_head.compute(TrainedHead(of="own", layer=1, head=2))
    favourites = " ".join(f"{row + 1}:{key + 1}" for row, key in enumerate(record.before.argmax(-1)))
    assert favourites == DRAW.presets[0].state["md_cells"]
    most, hardly = (
        trained_head.compute(TrainedHead(layer=int(head[0]), head=int(head[2])))
        for head in (PADDING.presets[position].state["mp_head"] for position in (1, 2))
    )
    assert most.lost[0] > 0.9
    assert hardly.lost[0] < 0.05


def test_without_the_mask_all_weights_are_drawn_and_with_it_only_the_allowed(padded: HeadRecord) -> None:
    lifted = figures.matrix(padded, 3, masked=False).data[0].z
    masked = figures.matrix(padded, 3, masked=True).data[0].z
    asks = slice(0, padded.n_words)  # what pads ask nobody reads
    np.testing.assert_array_equal(lifted, padded.before[asks])
    np.testing.assert_array_equal(np.isnan(masked), ~padded.allowed[asks])


def test_the_second_bar_waits_for_the_mask_and_is_empty_where_nothing_is_left(padded: HeadRecord) -> None:
    bars = [each.name for each in figures.bars(padded, 3, masked=True).data if each.type == "bar"]
    assert bars == ["before", "masked"]
    drawn = [each for each in figures.bars(padded, 3, masked=True).data if each.type == "bar"]
    for bar, weights in zip(drawn, (padded.before, padded.after), strict=True):
        assert [float(said) for _, said in bar.customdata] == pytest.approx(weights[3], abs=5e-4), "not the sum so far"
    waiting = figures.bars(padded, 3, masked=False)
    assert [each.name for each in waiting.data] == ["before"]
    assert "<b>?</b>" in [note.text for note in waiting.layout.annotations]
    nothing = trained_head.compute(TrainedHead(of="own", hand=tuple((7, key) for key in range(12))))
    assert nothing.factor(7) == float("inf")
    assert len(figures.bars(nothing, 7, masked=True).data) == 1
    assert "may see nothing" in readings.describe_row(nothing, 7, "", masked=True)


def test_a_record_of_the_wrong_shape_is_refused(padded: HeadRecord) -> None:
    whole = {name: getattr(padded, name) for name in HeadRecord.__annotations__}
    with pytest.raises(ValueError, match="do not fit"):
        HeadRecord(**whole | {"labels": padded.labels[:-1]})


def test_only_punctuation_loses_to_a_mask_on_its_row() -> None:
    record = trained_head.compute(TrainedHead(of="own", hand=((10, 0),)))
    assert "“.” loses most to the mask" in readings.describe_head(record)


def test_who_loses_nothing_is_counted() -> None:
    record = trained_head.compute(TrainedHead(of="own", hand=((8, 9),)))
    said = names(record)[: record.n_words]
    n = sum(any(sign.isalnum() for sign in word) for word in said) - 1
    assert readings.describe_head(record).endswith(f"{n} words lose **nothing**.")


def test_rows_that_lose_alike_are_not_told_apart_and_little_is_not_nothing() -> None:
    everything = tuple((query, key) for query in range(12) for key in range(12))
    record = trained_head.compute(TrainedHead(of="own", hand=everything))
    assert "Every word loses the same share of its weight to the mask: **100%**." in readings.describe_head(record)
    hardly = trained_head.compute(TrainedHead(of="own", layer=3, head=1, hand=((2, 7),)))
    assert 0 < hardly.lost[2] < 0.005
    assert "takes **< 1%** of its weight" in readings.describe_row(hardly, 2, "it", masked=True)
    nearly = trained_head.compute(TrainedHead(of="own", layer=0, head=0, hand=tuple((0, key) for key in range(1, 12))))
    assert readings._share(0.996) == "> 99%"
    assert "the only word that stays becomes" in readings.describe_row(nearly, 0, "it", masked=True)
