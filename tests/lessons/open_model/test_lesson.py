"""What the lesson computes of looks, and that its server needs neither torch nor transformers for it."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from explorer import scenes
from explorer.data.pictures import resize
from explorer.figures.live import pack
from explorer.inference.vision.classify import load as load_vision
from explorer.inference.vision.samples import middle_square, sample
from explorer.inference.vision.trace import patch_attention
from explorer.lessons import open_model as lesson
from explorer.lessons.open_model import (
    across,
    carried,
    corpora,
    costs,
    heads_off,
    layers,
    lens_rows,
    models,
    one_word,
    pairs,
    readings,
    seeing,
    state,
)
from explorer.lessons.open_model.carried import CarriedParams
from explorer.lessons.open_model.costs import CostParams
from explorer.lessons.open_model.figures import grids, lens
from explorer.lessons.open_model.heads_off import OffParams
from explorer.lessons.open_model.joined import join, join_tokens
from explorer.lessons.open_model.live import costs as bars, every_head as live
from explorer.lessons.open_model.resting import leave_out
from explorer.lessons.open_model.seeing import PictureParams
from explorer.opened import limits, matrix
from explorer.opened.refused import ModelRefused
from explorer.records.heads import PARTS, Part
from explorer.records.opened.look import OpenedTokens, decode
from explorer.records.opened.texts import CAPITALS, FRANCE, GETTYSBURG, ITALY, SOFA
from explorer.records.sequence import TokenRow
from explorer.scenes.open_model import ALIGNMENT, DEDICATE, RAISED, READER, SCORES, SEES, TRANSLATES, WRITER
from tests.imports import imported_by

INDUCTION = 17


@pytest.fixture(scope="module")
def capitals() -> lesson.Result:
    """The model that writes, on the text that the lesson begins with."""
    return lesson.compute(lesson.Params(model=WRITER, text=CAPITALS))


@pytest.fixture(scope="module")
def speech() -> one_word.LongText:
    """Layer 17 of the same on a long text, its words joined."""
    params = lesson.Params(model=WRITER, text=GETTYSBURG)
    record = models.attention(models.MapParams(of=params, site=INDUCTION))
    view = lesson.View(site=INDUCTION)
    return one_word.show(record, state.tokens(lesson.compute(params), view), joined=True)


def test_the_lesson_is_drawn_without_torch_and_transformers() -> None:
    names = [f"explorer.lessons.open_model.ui.{scene.name}" for scene in scenes.lesson("open_model").scenes]
    script = f"import {', '.join(names)}\n"
    script += (
        "from explorer.lessons.open_model.ui import every_head, layer_by_layer, on_a_picture, one_word\n"
        "from explorer.lessons.open_model.ui import over_corpus, translation, without_a_head"
    )
    there = imported_by(
        f"{script}\nevery_head.answer(), one_word.answer(), layer_by_layer.answer()\n"
        "without_a_head.answer(), over_corpus.answer(), translation.answer(), on_a_picture.answer()"
    )
    assert set(names) <= there
    assert {"torch", "transformers"} & there == set()


def test_what_is_left_beside_the_rest_sums_to_one_and_rows_that_only_rest_are_empty(capitals: lesson.Result) -> None:
    look = capitals.look
    weights = decode(look.tiles[INDUCTION])
    left = leave_out(weights, look.keys)
    assert np.isnan(left[..., 0]).all(), "the first word is where this model rests"
    silent = weights[..., 0] > 0.98 * weights.sum(-1)
    assert silent.any()
    kept = ~np.isnan(left[..., 1:]).all(-1)
    # a byte a weight: the sum of a row is off by up to 0.01, divided by what is left
    sums = np.nansum(left, -1)[kept] * (1 - weights[..., 0][kept])
    assert np.abs(sums - (weights.sum(-1) - weights[..., 0])[kept]).max() < 1e-5
    assert not kept[:, 0].any(), "the resting place asks nothing"


def test_pieces_of_a_word_are_joined_and_every_row_still_sums_to_one() -> None:
    row = TokenRow(
        labels=("con", "sec", "rate", "it"),
        words=((0, 1, 2), (3,)),
        word_labels=("consecrate", "it"),
        special=(False,) * 4,
    )
    weights = np.random.default_rng(0).dirichlet(np.ones(4), (3, 4))
    words = join(weights, row, row)
    assert words.shape == (3, 2, 2)
    assert words.sum(-1) == pytest.approx(np.ones((3, 2)))
    assert words[0, 0, 1] == pytest.approx(weights[0, :3, 3].mean())
    tokens = OpenedTokens(row=row, ids=(1, 2, 3, 4), unknown=(False, True, False, False))
    assert join_tokens(tokens).row.labels == ("consecrate", "it")
    assert join_tokens(tokens).unknown == (True, False)


def test_a_word_looks_at_what_followed_it_the_last_time(speech: one_word.LongText) -> None:
    labels = speech.queries.row.labels
    query = speech.of[DEDICATE]
    assert "".join(labels[query - 3 : query + 1]) == "wecannotdedicate"
    found = one_word.look(speech, 4, query)
    assert found.key is not None
    assert (labels[found.key - 1], labels[found.key]) == ("dedicate", "a")
    so = speech.of[56]  # of a preset
    copied = one_word.look(speech, 5, so).key
    assert copied is not None
    assert (labels[so], labels[copied - 1], labels[copied]) == ("so", "so", "conceived")
    row = speech.weights[4, query]
    assert found.rests == pytest.approx(float(row[0]))
    assert found.share == pytest.approx(float(row[found.key] / (1 - row[0])), abs=1e-6)
    assert one_word.distance(speech, 4) > 20 > 5 > one_word.distance(speech, 8)
    assert speech.head(None) == pytest.approx(speech.weights[:-1].mean(0))


def test_the_reading_says_the_numbers_of_the_head(capitals: lesson.Result) -> None:
    found = capitals.look.rules[17][4]
    said = readings.describe_head(capitals, lesson.View(site=17, head=4))
    assert f"**{found.rest:.0%}**" in said
    assert f"**{found.score:.0%}**" in said
    assert "followed the same word" in said
    beyond = readings.describe_head(capitals, lesson.View(site=999, head=999))
    assert beyond == readings.describe_head(capitals, lesson.View(site=29, head=8))


def test_the_picture_is_sent_the_bytes_of_the_look_and_every_head_once(capitals: lesson.Result) -> None:
    sent = live.pack(capitals, lesson.View(site=17, head=4), (17, 4, 1), (-1, 1), None)
    assert [len(site["rules"]) for site in sent["sites"]] == [9] * 30
    assert all(map(np.array_equal, sent["tiles"], capitals.look.tiles))
    assert sent["parts"]["decoder"]["causal"]
    assert sent["parts"]["decoder"]["rest"][0]
    assert not any(sent["parts"]["decoder"]["rest"][1:])
    assert len(pack.pack(sent)) < 160_000
    rules = [rule for site in sent["sites"] for rule in site["rules"]]
    names = [each["name"] for each in sent["rules"]]
    assert rules.count(names.index("as last time")) == len(capitals.look.heads("after"))


def test_fewer_bits_move_more_weight_and_a_pair_of_strangers_is_refused() -> None:
    moved = [
        float(
            np.nanmean(
                pairs.compare(pairs.PairParams(of=lesson.Params(model=READER, text=""), other=f"bits:{each}")).distance
            )
        )
        for each in (8, 4, 3, 2)
    ]
    assert moved == sorted(moved)
    assert moved[0] < 0.01 < 0.2 < moved[-1]
    with pytest.raises(ModelRefused):
        pairs.compare(pairs.PairParams(of=lesson.Params(model=READER, text=""), other="bits:7"))


def test_a_head_is_counted_over_two_hundred_sentences() -> None:
    read = corpora.read_recorded(corpora.CorpusParams(model=WRITER, revision=""))
    assert read is not None
    assert read.done == read.total == 200
    shares = read.shares("previous")
    assert shares.shape == (30, 9)
    assert np.unravel_index(shares.argmax(), shares.shape) == (16, 0)
    every = sum(read.shares(rule) for rule in ("resting", "previous", "same", "next", "after", "twin", "punctuation"))
    every = every + sum(read.shares(rule) for rule in ("near", "diagonal", "broad", "mixed"))
    assert every == pytest.approx(np.ones((30, 9)), abs=1e-5), "each sentence is one rule"
    assert corpora.read_recorded(corpora.CorpusParams(model=WRITER, revision="", lines=("One.",))) is None


def test_an_unknown_model_is_refused() -> None:
    with pytest.raises(ModelRefused) as refusal:
        lesson.compute(lesson.Params(model="/etc/passwd", text="The cat"))
    assert refusal.value.reason == "not_found"
    with pytest.raises(ModelRefused):
        models.find("org/name", "0" * 40)


def test_the_example_matrices_are_a_heads_scores_and_its_weights() -> None:
    scores, weights = (matrix.read(each) for each in (SCORES, ALIGNMENT))
    made = matrix.attention(scores, "scores").weights
    assert made == pytest.approx(weights.numbers, abs=0.04), "scores are rounded to a tenth"
    assert matrix.check(weights).are_weights
    assert np.argwhere(matrix.read(RAISED).numbers != scores.numbers)[:, 1].tolist() == [2] * 5


def test_rome_leads_after_one_of_the_last_layers_and_the_picture_draws_the_records_numbers() -> None:
    record = layers.compute(lesson.Params(model=WRITER, text=CAPITALS))
    position = lens_rows.answer_place(record)
    assert position == len(record.tokens) - 1
    assert not lens_rows.is_gap(record, position)
    assert lens_rows.final(record, position) == "Rome"
    row = record.leads_from(position)
    assert (record.rank[row:, position] == 0).all()
    assert record.rank[row - 1, position] > 0
    said = readings.describe_lens(record, position)
    assert f"**layer {row - 1}**" in said
    assert f"**{record.share[-1, position]:.0%}**" in said
    for which, count in (("some", 16), ("last", 10), ("all", 31)):
        rows = lens_rows.rows(record, which)
        assert (len(rows), rows[-1]) == (count, 30)
        drawn = lens.draw_lens(record, rows)
        assert np.array_equal(drawn.data[0].z, record.share[list(rows)])
        assert drawn.data[0].text[-1][position] == "<b>Rome</b>"
        kept = lens.draw_lens(record, rows, position).data[0]
        assert [row[position] for row in kept.text] == ["?"] * (count - 1) + ["<b>Rome</b>"]
        assert not np.any(kept.z[:-1, position])
        assert kept.text[0][:position] == drawn.data[0].text[0][:position]
        column = lens.draw_column(record, rows, position).data[0]
        assert column.x == tuple(record.top(row, position)[0].probability for row in rows)
        asked = lens.draw_column(record, rows, position, asked=True).data[0]
        assert [each == "?" for each in asked.text] == [lens_rows.ASKED < row < 30 for row in rows]
        assert "Rome" not in "".join(asked.text[:-1]), "what is shown tells nothing of the answer"


def test_a_word_before_the_first_layer_is_mostly_itself() -> None:
    record = layers.compute(lesson.Params(model=WRITER, text=CAPITALS))
    itself = [record.top(0, position)[0].label == label for position, label in enumerate(record.tokens.row.labels)]
    assert sum(itself) > len(itself) / 2


def test_a_model_without_a_prediction_head_has_no_lens_and_says_why() -> None:
    with pytest.raises(ModelRefused) as refusal:
        layers.compute(lesson.Params(model=READER, text=CAPITALS))
    assert refusal.value.reason == "no_head"


def test_without_one_head_of_270_rome_becomes_new(capitals: lesson.Result) -> None:
    alone = heads_off.read_recorded(capitals.params)
    assert alone is not None
    assert (alone.done, alone.heads) == (30, 270)
    site, head = alone.effects.strongest()
    found = heads_off.compute(OffParams(of=capitals.params, heads=((site, head),)))
    assert (found.before[0].label, found.after[0].label) == ("Rome", "New")
    assert found.chance == pytest.approx(float(alone.effects.chance[site, head]))
    assert heads_off.looked_at(capitals.look, site, head, found.place)[0][0] == "Italy"
    said = readings.describe_without(found, alone)
    assert f"**{found.chance:.0%}**" in said
    assert f"**{270 - alone.effects.count_beyond(0.02)}** of 270" in said
    slopes = heads_off.slopes(capitals.params)
    assert heads_off.rank(slopes, site, head) > 135, "the gradient is blind to it"
    drawn = grids.draw_changes(alone.effects.change, alone.effects.chance, said="{value}")
    assert drawn.data[0].z[head, site] == pytest.approx(-np.sqrt(-alone.effects.change[site, head]))


def test_all_heads_of_a_rule_go_together(capitals: lesson.Result) -> None:
    alone = heads_off.read_recorded(capitals.params)
    assert alone is not None
    for rule, most, least in (("same", 1.0, 0.8), ("mixed", 0.01, 0.0)):
        heads = capitals.look.heads(rule)  # type: ignore[arg-type]
        found = heads_off.compute(OffParams(of=capitals.params, heads=heads))
        assert found.off == heads
        assert least <= found.chance <= most
        assert f"these {len(heads)} heads" in readings.describe_without(found, alone)


def test_a_model_that_predicts_no_words_is_asked_how_far_its_vector_turns() -> None:
    params = lesson.Params(model=READER, text=CAPITALS)
    alone = heads_off.read_recorded(params)
    assert alone is not None
    assert (alone.heads, alone.effects.answer) == (72, None)
    found = heads_off.compute(OffParams(of=params, heads=((1, 8),)))
    assert found.before == ()
    assert f"cosine between the text’s vectors is **{alone.effects.chance[1, 8]:.3f}**" in readings.describe_without(
        found, alone
    )


def test_half_of_the_head_keeps_the_answer_and_the_reading_says_how_much_is_left(capitals: lesson.Result) -> None:
    alone = heads_off.read_recorded(capitals.params)
    assert alone is not None
    heads = (alone.effects.strongest(),)
    half, none = (heads_off.compute(OffParams(of=capitals.params, heads=heads, percent=each)) for each in (50, 0))
    assert half.chance > 0.7 > 0.1 > none.chance
    said = readings.describe_without(half, alone)
    assert "With 50% of layer 23, head 4" in said
    assert f"**{half.chance:.0%}** and still leads" in said
    assert heads_off.percent_step(capitals.params) == 25
    assert heads_off.percent_step(lesson.Params(model="org/name")) == 5


def test_what_a_model_costs_is_counted_and_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    once, twice = (costs.compute(CostParams(model=WRITER, revision="", tokens=each)) for each in (128, 256))
    assert once.card.map_bytes(128) == 4 * 30 * 9 * 128**2
    assert twice.card.map_bytes(256) == 4 * once.card.map_bytes(128)
    assert [once.card.weight_bytes(bits) for bits in costs.BITS] == [538060032, 269030016, 134515008, 67257504]
    assert (once.download, once.refused, once.way, once.lengths) == (0, None, "function", (16, 32, 64, 128))
    drawn = bars.pack(once)
    assert (drawn["rows"], bars.pack(once, alone=True)["rows"]) == (4, 1)
    assert drawn["memory"]["bytes"][drawn["at"]] == once.peak
    assert drawn["bounds"]["bytes"] == [once.bounds.download, once.bounds.memory]
    assert drawn["maps"]["said"][-1] == "18 GB"
    assert drawn["maps"]["bytes"][drawn["lengths"].index(128)] == once.card.map_bytes(128)
    said = readings.describe_costs(once)
    assert "**270** maps: **18 MB**" in said
    assert "**538 MB**" in said
    monkeypatch.setenv(limits.MEMORY, "1000")
    small = costs.compute(CostParams(model=WRITER, revision="", tokens=4096))
    assert "at most 1,000" in readings.describe_verdict(small)
    assert "the first 256 are read" in readings.describe_verdict(small)
    ours = costs.compute(CostParams(model="gpt-shakespeare", revision="", tokens=64))
    assert (ours.way, ours.opens) == ("project", True)


def test_one_head_carries_the_country_and_the_picture_draws_what_it_moves() -> None:
    found = carried.read_recorded(CarriedParams(of=lesson.Params(text=FRANCE), other_text=ITALY))
    assert found is not None
    assert (found.done, found.strongest(), found.is_told) == (30, (23, 4), True)
    site = found.site(23)
    assert found.shares[23, 4] == pytest.approx(site.carried_chance[4] / (site.carried_chance[4] + site.chance[4]))
    said = readings.describe_carried(found, 23, 4)
    assert f"**{site.carried_chance[4]:.0%}**" in said
    assert "writes “Rome”" in said
    assert f"**{found.count_moving()}** of 270" in said
    drawn = grids.draw_changes(found.shares - np.float32(found.before), found.shares, said="{value}")
    assert drawn.data[0].z[4, 23] == pytest.approx(np.sqrt(found.shares[23, 4] - found.before), abs=1e-6)
    assert carried.read_recorded(CarriedParams(of=lesson.Params(text=FRANCE), other_text=FRANCE)) is None


def test_each_word_of_a_translation_looks_at_the_one_that_it_translates() -> None:
    params = lesson.Params(model=TRANSLATES, text=SOFA)
    result = lesson.compute(params)
    site = across.find_site(result, "cross", 1)
    maps = models.attention(models.MapParams(of=params, site=site.number))
    found = across.over_words(result, maps, site, 2, marks=False)
    looks = {
        written: found.record.key_labels[int(row.argmax())]
        for written, row in zip(found.record.query_labels, found.record.weights[0], strict=True)
    }
    assert {"chat": "cat", "noir": "black", "pas": "not", "canapé": "sofa", "rouge": "red"}.items() <= looks.items()
    assert found.record.weights.sum(-1) == pytest.approx(np.ones((1, len(looks))), abs=1e-5)
    assert found.strongest is not None
    assert (found.strongest[:2], looks[found.strongest[0]]) == (("pas", "not"), "not")
    said = readings.describe_across(found)
    assert f"**{found.marks:.0%}** of this weight" in said
    assert "writing “pas”" in said


@pytest.mark.parametrize("part", PARTS)
def test_rows_and_columns_are_named_by_what_the_part_reads_or_writes(part: Part) -> None:
    params = lesson.Params(model=TRANSLATES, text=SOFA)
    result = lesson.compute(params)
    site = across.find_site(result, part, 99)
    assert (site.part, site.layer) == (part, 3 if part == "encoder" else 2), "the last there is"
    maps = models.attention(models.MapParams(of=params, site=site.number))
    found = across.over_words(result, maps, site, None, marks=True).record
    first, last = found.query_labels[0], found.query_labels[-1]
    assert (first, last) == {"encoder": ("The", "</s>"), "decoder": ("<s>", "."), "cross": ("Le", "</s>")}[part]
    assert (found.allowed is not None) == (part == "decoder")
    assert found.weights.sum(-1) == pytest.approx(np.ones(found.weights.shape[:2]), abs=0.01)  # a byte a weight


def test_a_model_of_one_stack_translates_nothing(capitals: lesson.Result) -> None:
    with pytest.raises(ModelRefused, match="T5, BART"):
        across.check_stacks(capitals.card)


@pytest.fixture(scope="module")
def cat() -> PictureParams:
    """The picture that the scene begins with."""
    pixels = middle_square(sample("cat"), "cat")
    return PictureParams(model=SEES, revision="", pixels=pixels.tobytes(), side=len(pixels))


def test_a_picture_is_read_as_the_lesson_on_pictures_reads_it(cat: PictureParams) -> None:
    found = seeing.compute(cat, 1, 28)
    assert (found.grid, found.weights.shape, found.rows.shape) == (8, (4, 65, 65), (6, 4, 65))
    assert found.weights.sum(-1) == pytest.approx(np.ones((4, 65)), abs=0.02)  # a byte a weight
    assert found.rows[1] == pytest.approx(found.weights[:, 28])
    pixels = torch.from_numpy(resize(cat.picture, 32).copy()).permute(2, 0, 1)
    _, known = patch_attention(load_vision(SEES), pixels)
    assert np.abs(known.weights[1] - found.weights).max() < 0.004
    assert found.head(None) == pytest.approx(found.weights.mean(0))
    assert found.maps()[1, 0, 2, 3] == found.weights[0, 28, 20], "row 3, column 4 is patch 20"
    said = readings.describe_seeing(found, 0)
    assert said.startswith("Patch 28 (row 4, column 4) looks most at patch 20")
    assert f"**{found.weights[0, 28, 20]:.0%}**" in said
    assert f"**{len(set(found.maps().reshape(24, -1).argmax(-1)))}** different" in readings.describe_sight(found)


def test_a_layer_and_a_patch_that_are_not_there_are_the_nearest_and_a_model_that_reads_sees_nothing(
    cat: PictureParams,
) -> None:
    found = seeing.compute(cat, 99, 999)
    assert (found.layer, found.asks) == (5, 64)
    with pytest.raises(ModelRefused, match="reads text"):
        seeing.compute(replace(cat, model=READER), 0, 0)
