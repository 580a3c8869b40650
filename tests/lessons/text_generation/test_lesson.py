"""The lesson: what is written, where its steps looked, what its sentences say. On the model that always ships."""

import math
from dataclasses import replace

import numpy as np
import pytest

from explorer.data.verse import keeps_form
from explorer.inference.gpt.writing import first_seen
from explorer.lessons import text_generation as lesson
from explorer.lessons.text_generation import journey, lines, look, readings, state
from explorer.lessons.text_generation.compute import edit, rewrite
from explorer.lessons.text_generation.look import stretch
from explorer.records.wording import percent
from explorer.scenes.spec import Preset
from explorer.scenes.text_generation import ALTERNATIVES, PROMPTS, WATCH

MODEL = "positions-rotary"
PARAMS = lesson.Params(checkpoint=MODEL, length=60, seed=3)


@pytest.fixture(scope="module")
def result() -> lesson.Result:
    return lesson.compute(PARAMS)


def test_it_writes_on(result: lesson.Result) -> None:
    assert result.writing.startswith("ROMEO:\nShall I ")
    assert len(result.writing) == len("ROMEO:\nShall I ") + 60
    assert (result.done, result.text.n_given) == (60, 16)
    assert result.unknown == ()
    assert np.isfinite(result.text.surprisal[1:]).all()
    assert "positions-rotary" in str(result.provenance)
    assert "seed 3" in str(result.provenance)


def test_the_same_seed_the_same_text(result: lesson.Result) -> None:
    assert lesson.compute(PARAMS).writing == result.writing
    assert lesson.compute(replace(PARAMS, seed=4)).writing != result.writing


def test_a_shorter_text_is_how_a_longer_one_begins(result: lesson.Result) -> None:
    shorter = lesson.compute(replace(PARAMS, length=20))
    assert shorter.done == 20
    assert result.writing.startswith(shorter.writing)


@pytest.mark.parametrize("asked", [-5, 10**9])
def test_absurd_numbers_are_clamped(asked: int) -> None:
    for name in ("length", "top_k", "seed", "temperature", "top_p", "min_p", "penalty"):
        number = type(getattr(PARAMS, name))(asked)
        params = lesson.Params(**{name: number})
        assert getattr(params, name) != number
        assert 0 <= params.sampler.die(0) < 1


@pytest.mark.parametrize(
    ("prompt", "unknown"),
    [
        ("", ()),
        ("   ", ()),
        ("🎉👩‍👩‍👧‍👦", ("🎉", "👩", "\u200d", "👧", "👦")),
        ("a\x00b\x1b[31m", ("\x00", "\x1b", "[", "3", "1")[:2]),
        ("<script>alert(1)</script>", ("<", ">")),
        ("注意力", ("注", "意", "力")),
        ("a\r\nb\rc", ()),
    ],
)
def test_any_prompt_is_written_on(prompt: str, unknown: tuple[str, ...]) -> None:
    result = lesson.compute(replace(PARAMS, prompt=prompt, length=20))
    assert result.done == 20
    assert set(unknown) <= set(result.unknown)


def test_a_long_prompt_is_read_from_its_end() -> None:
    result = lesson.compute(replace(PARAMS, prompt="ab " * 33_334, length=20))
    assert result.window == 128
    assert result.text.n_given == 128
    assert result.dropped == state.MOST_CHARACTERS - 127
    assert result.done == 20


def test_every_place_can_be_looked_at_also_beyond_the_window() -> None:
    result = lesson.compute(replace(PARAMS, length=200))
    for position in (1, 2, 100, 128, 129, 130, 192, 193, 215, 216):
        view = lesson.View(position=position)
        begin, looked = stretch(result, position)
        assert begin == first_seen(position, 128)
        assert len(looked.ids) <= 128
        weights = look.looked_at(result, view)
        assert np.nansum(weights) == pytest.approx(1, abs=1e-4)
        assert np.isnan(weights[position:]).all()
        assert np.isnan(weights[:begin]).all()
        record = look.next_at(result, view)
        if position < len(result.ids):
            assert record.chosen is not None
            mine = record.likeliest[record.chosen]
            assert mine.label == result.text.labels[position]
            assert -math.log(mine.model) == pytest.approx(float(result.text.surprisal[position]), abs=1e-3)
        else:
            assert record.chosen is None
        rows = look.rows(result, view)
        np.testing.assert_allclose(rows.weights.sum(1), 1, atol=1e-4)
        assert rows.heads[-1] == "3.3"
        part, column = look.lens(result, view)
        assert part.written_labels[column] == (result.text.labels[position] if position < 216 else "…")


@pytest.mark.parametrize("position", [-3, 0, 10**9])
def test_a_place_that_is_not_there_is_clamped(result: lesson.Result, position: int) -> None:
    view = lesson.View(position=position, layer=99, head=99)
    assert look.next_at(result, view).likeliest
    assert look.head_map(result, view).provenance.detail == "layers.3.self, head 3"
    assert readings.whose(result, view) == "layer 3, head 3"


class TestWhatIf:
    def test_what_stood_before_stays_and_as_much_is_written(self, result: lesson.Result) -> None:
        changed = rewrite(edit(result, 20, "Z"))
        assert changed.ids[:20] == result.ids[:20]
        assert changed.text.labels[20] == "Z"
        assert len(changed.ids) == len(result.ids)
        differ = sum(a != b for a, b in zip(result.ids[21:], changed.ids[21:], strict=True))
        assert f"Of 55 characters after “Z”, **{differ}** differ." in readings.describe_edit(result, changed)

    def test_after_the_last_character_nothing_is_compared(self, result: lesson.Result) -> None:
        last = len(result.ids) - 1
        for position, said in ((last, "Nothing is written after “Z”"), (last - 1, "Of one character after “Z”")):
            assert said in readings.describe_edit(result, rewrite(edit(result, position, "Z")))

    def test_the_dice_are_the_same(self, result: lesson.Result) -> None:
        """The same character put there: the same text follows."""
        again = rewrite(edit(result, 20, result.writing[19]))
        assert again.ids == result.ids


def test_the_reading_counts_what_is_there(result: lesson.Result) -> None:
    written = result.text.surprisal[16:]
    said = readings.describe_surprise(result)
    assert f"among **{math.exp(written.mean()):.1f}** equally likely characters (the perplexity)." in said
    first = sum(look.next_at(result, lesson.View(position=position)).rank == 0 for position in range(16, 76))
    few = int((written > -math.log(0.1)).sum())
    assert readings.describe_choices(result) == (
        f"**{first}** of **60** characters were the model’s first choice; **{few}** had less than 10%."
    )


def test_every_step_is_that_of_its_place_and_the_die_falls_on_what_stands_there() -> None:
    result = lesson.compute(replace(PARAMS, length=200, top_k=3, temperature=1.2))
    steps = look.every_step(result)
    assert len(steps) == len(result.ids) == 216
    assert steps[-1]["chosen"] is None
    for position in (16, 100, 130, 215):
        step, record = steps[position - 1], look.next_at(result, lesson.View(position=position))
        likeliest = [each.label for each in record.likeliest]
        assert [bar[0] for bar in step["bars"]] in (likeliest[:7], [*likeliest[:7], result.text.labels[position]])
        assert step["bars"][step["chosen"]][0] == result.text.labels[position]
        assert sum(bar[2] > 0 for bar in step["bars"]) == 3
        fell = [name for name, begin, end in step["strip"] if begin <= step["die"] < end]
        assert fell == [result.text.labels[position]]
        assert step["ranks"] == (record.rank + 1, record.n_tokens, record.n_tokens - record.n_kept)


def test_every_look_is_that_of_its_place_also_beyond_the_window() -> None:
    result = lesson.compute(replace(PARAMS, length=200))
    for view in (lesson.View(), lesson.View(layer=2), lesson.View(layer=1, head=3)):
        every = look.every_look(result, view)
        for position in (1, 2, 100, 128, 129, 193, 216):
            row = np.nan_to_num(look.looked_at(result, replace(view, position=position)))
            np.testing.assert_allclose(every[position - 1], row, atol=1e-6)


def test_the_longest_repetition_is_found_and_stands_as_often_as_is_said() -> None:
    cold = lesson.compute(lesson.Params(checkpoint="gpt-shakespeare", temperature=0.0))
    again, times = readings.longest_repeat(cold)
    assert times >= 2
    assert " ".join(cold.writing.split()).count(again) == times
    assert len(again) >= readings.LEAST_REPEAT - 2
    assert readings.longest_repeat(lesson.compute(lesson.Params(checkpoint="gpt-shakespeare"))) == ("", 1)


def test_what_the_presets_tell_to_look_for_stands_at_their_place() -> None:
    def shown(preset: Preset) -> tuple[lesson.Result, int]:
        asked = {name.removeprefix("tg_"): value for name, value in preset.state.items()}
        position, checkpoint = int(asked.pop("place")), asked.pop("model", "")
        prompt = PROMPTS["tg_line" if checkpoint else "tg_text"]
        return lesson.compute(lesson.Params(checkpoint=checkpoint, prompt=prompt, **asked)), position

    cold, position = shown(WATCH.presets[0])
    assert position == len(cold.text.labels) - 1, "the second time stands at the end, and is read to there"
    poem, position = shown(WATCH.presets[2])
    assert look.next_at(poem, lesson.View(position=position)).likeliest[0].label in "，。"
    few, position = shown(ALTERNATIVES.presets[0])
    kept, cut = look.next_at(few, lesson.View(position=position)).likeliest[2:4]
    assert (kept.fate, cut.fate) == ("kept", "top_k")
    assert cut.model > 0.9 * kept.model, "nearly as likely"


def test_surprise_is_told_apart_by_the_place_in_the_word(result: lesson.Result) -> None:
    first, inside = [], []
    for position in range(16, 76):
        if result.text.labels[position].isalpha():
            (inside if result.text.labels[position - 1].isalpha() else first).append(result.text.surprisal[position])
    assert readings.surprise_in_words(result) == pytest.approx((np.mean(first), np.mean(inside)))


def test_two_texts_stand_as_one_with_their_differences(result: lesson.Result) -> None:
    changed = rewrite(edit(result, 20, "Z"))
    both, rows, values = lines.pair(result, changed)
    count = len(result.ids)
    assert both.labels == (*result.text.labels, *changed.text.labels)
    assert [position for row in rows for position in row] == list(range(2 * count))
    assert not values[:20].any()
    assert values[20] == values[count + 20] == 1
    assert values[:count].sum() == sum(a != b for a, b in zip(result.ids, changed.ids, strict=True))


def test_cold_writing_is_the_likeliest_and_is_said_to_be() -> None:
    result = lesson.compute(replace(PARAMS, temperature=0.0, length=20))
    for position in (16, 30):
        view = lesson.View(position=position)
        assert look.next_at(result, view).rank == 0
        assert look.next_at(result, view).n_kept == 1
    assert readings.describe_choices(result).startswith("**20** of **20**")


class TestLines:
    def test_every_place_once_in_order(self, result: lesson.Result) -> None:
        rows = lines.lines(result.text.labels, "text")
        assert [position for row in rows for position in row] == list(range(len(result.ids)))
        assert max(len(row) for row in rows) <= lines.COLUMNS + 1

    def test_words_are_not_broken(self) -> None:
        labels = tuple("⏎" + "␣".join(["word"] * 30))
        rows = lines.lines(labels, "text")
        assert all(labels[row[-1]] == "␣" for row in rows[:-1])

    def test_a_word_longer_than_a_row_is(self) -> None:
        rows = lines.lines(tuple("⏎" + "x" * 100), "text")
        assert [position for row in rows for position in row] == list(range(101))
        assert max(len(row) for row in rows) <= lines.COLUMNS + 1

    def test_verse_has_a_row_for_each_pair_of_lines(self) -> None:
        labels = tuple("⏎床前明月光，疑是地上霜。举头望明月，低头思故乡。⏎")
        rows = lines.lines(labels, "verse")
        assert ["".join(labels[position] for position in row) for row in rows] == [
            "⏎床前明月光，疑是地上霜。",
            "举头望明月，低头思故乡。⏎",
        ]

    @pytest.mark.parametrize(
        ("row", "column", "position"), [(0.0, 3.0, 3), (-9.0, -9.0, 0), (1e9, 1e9, 5), (1.0, 0.4, 4)]
    )
    def test_a_click_finds_the_nearest(self, row: float, column: float, position: int) -> None:
        assert lines.nearest([(0, 1, 2, 3), (4, 5)], row, column) == position


def test_the_models_are_found_by_their_family() -> None:
    names = [each.name for each in state.models()]
    assert "positions-rotary" in names
    assert names[0] in ("gpt-shakespeare", "positions-rotary")
    assert not any(name.startswith(("translator", "seq2seq", "couplet")) for name in names)
    assert {each.writes for each in state.models() if each.name.startswith("positions-")} == {"plays"}


def test_no_head_of_a_model_of_letters_is_an_induction_head() -> None:
    record = look.heads_on_repetition(MODEL, 0)
    assert not record.matches.any()
    assert not record.inducts.any()
    assert readings.describe_induction(record).startswith(
        "**No induction head here**: heads that reach 0.50 in prefix matching: 0,"
    )
    view = lesson.View(layer=1, head=3)
    assert look.repetition_map(MODEL, 0, view).weights.shape == (1, 101, 101)
    assert f"{record.previous[1, 3]:.1%}" in readings.describe_repeated(record, view)


def test_a_model_that_must_copy_has_a_previous_token_head_and_induction_heads_after_it() -> None:
    record = look.heads_on_repetition("gpt-repeats", 0)
    assert record.previous[0].max() > 0.4 > record.previous[1].max()
    assert record.inducts.tolist() == [[False] * 4, [True] * 4]
    assert record.loss[1] < 1.0 < 3.0 < record.loss[0]
    said = readings.describe_induction(record)
    assert said.startswith("**4** induction heads: 4 heads reach 0.50 in prefix matching, 4 of them also copy.")


@pytest.mark.parametrize("name", [each.name for each in state.models() if each.name != "gpt-repeats"])
def test_no_other_shipped_model_comes_near(name: str) -> None:
    """Prefix matching of a tenth of what is asked; copying may pass alone, since it asks not where a head looks."""
    record = look.heads_on_repetition(name, 0)
    assert record.prefix.max() < record.least[0] / 5
    assert readings.describe_induction(record).startswith("**No induction head here**")


def test_a_head_that_looks_right_but_does_not_copy_is_no_induction_head() -> None:
    record = look.heads_on_repetition("gpt-repeats", 0)
    copying = np.where(np.arange(4) == 2, record.copying, record.even[1]).astype(np.float32)
    found = replace(record, copying=copying)
    assert found.matches.sum() == 4
    assert found.inducts.tolist() == [[False] * 4, [False, False, True, False]]
    said = readings.describe_induction(found)
    assert said.startswith("**1** induction heads: 4 heads reach 0.50 in prefix matching, 1 of them also copy")
    blind = replace(record, prefix=np.full_like(record.prefix, 0.49))
    assert not blind.inducts.any(), "copying alone is not enough"


def test_it_continues_a_pattern_it_has_never_seen() -> None:
    params = lesson.Params(checkpoint="gpt-repeats", prompt="qwertyuiopqwe", temperature=0.0, length=20)
    assert lesson.compute(params).writing == ("qwertyuiop" * 4)[:33]


def test_a_poem_is_written_in_the_form_of_its_opening_and_ends() -> None:
    result = lesson.compute(lesson.Params(checkpoint="gpt-verse-zh", prompt="床前明月光,", length=400, seed=1))
    assert result.kind == "verse"
    assert result.done < 60
    assert keeps_form(result.writing.rstrip("\n"), "床前明月光，")
    assert result.unknown == ()
    assert [len(row) for row in lines.lines(result.text.labels, "verse")][:2] == [13, 12]


def test_characters_that_verse_does_not_know_are_named() -> None:
    result = lesson.compute(lesson.Params(checkpoint="gpt-verse-zh", prompt="頭abc，", length=20))
    assert set(result.unknown) == {"頭", "a", "b", "c"}
    typed = lesson.compute(lesson.Params(checkpoint="gpt-verse-zh", prompt="床前明月光, 疑是地上X霜", length=5))
    assert typed.unknown == ("X",), "the comma and the space were read as the corpus writes them"
    late = lesson.compute(lesson.Params(checkpoint="gpt-verse-zh", prompt="Y" + "床" * 300 + "X", length=2))
    assert late.unknown == ("X",), "what does not fit was not read"


def test_readings_of_a_place_say_its_numbers(result: lesson.Result) -> None:
    view = lesson.View(position=40)
    found = look.rows(result, view)
    row, key = np.unravel_index(int(found.weights.argmax()), found.weights.shape)
    said = readings.describe_rows(result, view)
    layer, head = found.heads[row].split(".")
    sharpest = f"layer {layer}, head {head} looks most sharply: **{percent(found.weights[row, key])}**"
    assert f"{sharpest} on “{found.keys[key]}”" in said


def test_the_map_is_read_by_its_mean_distance(result: lesson.Result) -> None:
    view = lesson.View(position=40, layer=1, head=2)
    weights = look.head_map(result, view).weights[0]
    back = np.mean([sum(float(w) * (i - j) for j, w in enumerate(row)) for i, row in enumerate(weights)])
    assert f"it looks {back:.1f} tokens back on average" in readings.describe_map(result, view)


def test_one_step_is_no_plural(result: lesson.Result, monkeypatch: pytest.MonkeyPatch) -> None:
    record = look.head_map(result, lesson.View(layer=1, head=2))
    one = replace(record, weights=np.ones((1, 1, 1), np.float32), query_labels=("a",), key_labels=("a",), allowed=None)
    monkeypatch.setattr(readings, "head_map", lambda *_: one)
    assert readings.describe_map(result, lesson.View()).startswith("Over 1 step it looks 0.0 tokens back; 100")


def test_a_change_is_read_from_its_place_on(result: lesson.Result) -> None:
    changed = rewrite(edit(result, 20, "Z"))
    one, other = (float(each.text.surprisal[20:].mean()) for each in (result, changed))
    said = readings.describe_edit(result, changed)
    assert said.endswith(f"among {math.exp(one):.1f} on average; now it is one among {math.exp(other):.1f}.")


def test_the_repetition_is_read_before_and_after() -> None:
    record = look.heads_on_repetition(MODEL, 0)
    said = readings.describe_induction(record)
    first, later = (f"{math.exp(loss):.1f}" for loss in record.loss)
    assert said.endswith(f"a choice among **{first}**, in the later ones among **{later}**.")
    layer = readings.describe_repeated(record, lesson.View(layer=1, head=None))
    prefix, previous = (percent(float(each[1].mean())) for each in (record.prefix, record.previous))
    assert layer.startswith(f"Prefix matching **{prefix}**")
    assert layer.endswith(f"previous token **{previous}**.")


def test_the_lens_says_who_chose_what_the_model_would_not(result: lesson.Result) -> None:
    ranks = [look.next_at(result, lesson.View(position=position)).rank for position in range(len(result.ids))]
    given = next(position for position in range(1, result.text.n_given) if ranks[position])
    drawn = next(position for position in range(result.text.n_given, len(ranks)) if ranks[position])
    for position, end in ((given, "; it was given."), (drawn, ", and was drawn.")):
        said = readings.describe_lens(result, lesson.View(position=position))
        assert f"is not the first choice in the end: it is number {ranks[position] + 1}" in said
        assert said.endswith(end)


@pytest.mark.parametrize("position", [1, 20, 300])
def test_a_query_meets_the_keys_before_it_and_comes_to_what_the_model_computed(position: int) -> None:
    """Turned by their places, query and keys give the traced scores; the last place lies beyond the first window."""
    result = lesson.compute(lesson.Params(checkpoint="positions-rotary", length=300))
    view = lesson.View(position=position, layer=1, head=2)
    record, position = journey.journey(result, view), state.clamp_place(result, position)
    begin = first_seen(position, result.window)
    assert record.words == result.text.labels[begin:position]
    weights = look.looked_at(result, view)[begin:position]
    np.testing.assert_allclose(record.attention.weights[0, 0], weights, atol=1e-6)
    products = record.query[0] * record.key
    np.testing.assert_allclose(products.sum(1) / math.sqrt(products.shape[1]), record.scores[0], rtol=1e-4, atol=1e-4)
    few = record.strongest(5, "others")
    assert few.others == max(len(record.words) - 5, 0) or len(record.words) <= 6
    np.testing.assert_allclose(few.attention.weights[0, 0] @ few.value, record.output[0], atol=1e-5)
    shares = np.exp(few.scores[0] - few.scores[0].max())
    np.testing.assert_allclose(shares / shares.sum(), few.attention.weights[0, 0], atol=1e-5)


def test_where_no_head_is_chosen_the_one_that_looks_hardest_asks() -> None:
    result = lesson.compute(lesson.Params(checkpoint="positions-rotary", length=20))
    layer, head = journey.one_head(result, lesson.View(position=12))
    every = [look.looked_at(result, lesson.View(position=12, layer=each, head=head)) for each in range(4)]
    assert int(np.argmax([np.nanmax(each) for each in every])) == layer
    assert journey.one_head(result, lesson.View(position=12, layer=0, head=3)) == (0, 3)
