"""The weights are what a softmax by hand gives, and the ends of the temperature are what they are called."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from explorer.inference.translator.attention_inputs import observe
from explorer.inference.translator.request import Params as Translation
from explorer.inference.translator.translate import encode_source, load
from explorer.lessons import queries_keys_values as lesson
from explorer.lessons.queries_keys_values import Params, View, batches, journey, layers, readings, state
from explorer.lessons.queries_keys_values.records.lookup import Entry, InputError, read_entries
from explorer.lessons.queries_keys_values.records.scene import WITH, WITHOUT
from explorer.lessons.queries_keys_values.state import FEATURES, OBJECTS, Cues, Lookup

COLOURS = "a -1.5 1 #0072b2\nb 1.5 1.5 #d55e00\nc 0.5 -1.5 #f0e442"
HARD, SOFT, AVERAGE = range(3)


def softmax(scores: np.ndarray) -> np.ndarray:
    """By hand, in NumPy."""
    exponentials = np.exp(scores - scores.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


def ask(text: str = COLOURS, **changed: object) -> lesson.Result:
    entries, complaints = read_entries(text)
    assert not complaints
    return lesson.compute(Params(lookup=replace(Lookup(entries=entries), **changed)))  # type: ignore[arg-type]


def look(**changed: object) -> lesson.Result:
    return lesson.compute(Params(cues=Cues(**changed)))  # type: ignore[arg-type]


KEYS = np.array([numbers for _, numbers in OBJECTS.values()])
PLACES = np.array([position for position, _ in OBJECTS.values()])


def test_the_defaults_of_the_lesson_are_those_of_the_page() -> None:
    from explorer.scenes.queries_keys_values import LESSON

    shown = LESSON.every_default
    assert read_entries(shown["qk_keys"])[0] == Lookup().entries
    assert (shown["qk_x"], shown["qk_y"]) == Lookup().query
    assert (shown["qk_score"], shown["qk_t"]) == (Lookup().score, Lookup().temperature)
    assert tuple(shown[f"qk_{feature}"] for feature in FEATURES[1:]) == Cues().query
    assert (shown["qk_salience"], shown["qk_calm"]) == (Cues().salience, Cues().temperature)
    assert shown["qk_object"] == View().chosen
    assert shown["qk_t"] in state.TEMPERATURES
    assert shown["qk_calm"] in state.CALM


def test_a_journey_is_attention_by_hand_and_a_trained_head_is_what_the_translator_computes() -> None:
    toy = journey.journey(journey.Journey())
    scores = toy.query @ toy.key.T / np.sqrt(len(journey.FEATURES))
    np.testing.assert_allclose(toy.scores, scores, atol=1e-6)
    np.testing.assert_allclose(toy.attention.weights[0], softmax(scores), atol=1e-6)
    np.testing.assert_allclose(toy.output, softmax(scores) @ toy.value, atol=1e-6)
    translator = load(Translation().checkpoint)
    source = encode_source(translator, journey.SENTENCE)
    read = observe(translator.prepared, source, source[-1:])
    for what, pairs in journey.PAIRS.items():
        layer, head = journey.find_head(translator, what)
        record = journey.journey(journey.Journey(numbers=what))
        np.testing.assert_allclose(record.scores, read[f"encoder.layers.{layer}.self"].scores[head], atol=1e-4)
        looked = [record.words[record.most(record.words.index(asks))] for asks, _ in pairs]
        assert looked == [asked for _, asked in pairs]


def test_every_object_is_described_in_full_and_named() -> None:
    assert 6 <= len(OBJECTS) <= 8
    assert KEYS.shape == (len(OBJECTS), len(FEATURES))
    assert ((KEYS >= 0) & (KEYS <= 1)).all()
    assert set(readings.object_names()) == set(OBJECTS)
    assert list(readings.feature_names()) == list(FEATURES)


def test_without_a_query_the_weights_follow_salience_alone() -> None:
    scene = look(query=(0.4, -1.0, 1.0, 0.3, 0.2), salience=0.0, temperature=0.5).scene
    np.testing.assert_allclose(scene.weights[WITHOUT], softmax(KEYS[:, 0] / 0.5), atol=1e-6)
    assert (np.argsort(-scene.weights[WITHOUT], kind="stable") == np.argsort(-KEYS[:, 0], kind="stable")).all()


@pytest.mark.parametrize("query", [(1.0, 0.0, 0.0, 0.0, 0.0), (0.4, -1.0, 1.0, 0.3, 0.2), (0.0,) * 5])
@pytest.mark.parametrize("salience", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("temperature", [0.05, 1.0])
def test_with_a_query_the_weights_are_the_softmax_of_what_is_shown(
    query: tuple[float, ...], salience: float, temperature: float
) -> None:
    scene = look(query=query, salience=salience, temperature=temperature).scene
    scores = KEYS[:, 1:] @ np.array(query) + salience * KEYS[:, 0]
    np.testing.assert_allclose(scene.scores[WITH], scores, atol=1e-12)
    np.testing.assert_allclose(scene.weights[WITH], softmax(scores / temperature), atol=1e-6)
    np.testing.assert_allclose(scene.gaze[WITH], softmax(scores / temperature) @ PLACES, atol=1e-9)
    np.testing.assert_allclose(scene.parts[WITH].sum(-1), scores, atol=1e-12)


def test_asking_for_salience_alone_is_not_asking() -> None:
    scene = look(query=(0.0,) * 5, salience=1.0).scene
    np.testing.assert_array_equal(scene.weights[WITH], scene.weights[WITHOUT])


@pytest.mark.parametrize(("feature", "found"), [(0, "newspaper"), (1, "cup"), (2, "water"), (3, "phone"), (4, "cat")])
def test_each_feature_finds_what_has_most_of_it(feature: int, found: str) -> None:
    query = tuple(float(position == feature) for position in range(5))
    scene = look(query=query, salience=0.0).scene
    assert scene.objects[int(scene.weights[WITH].argmax())] == found


def test_numbers_are_clamped() -> None:
    cues = Cues(query=(9.0, -9.0, math.nan), salience=-3.0, temperature=0.0)
    assert cues == Cues(query=(1.0, -1.0, 0.0, 0.0, 0.0), salience=0.0, temperature=0.001)
    asked = Lookup(query=(math.inf, -99.0), temperature=math.inf, entries=Lookup().entries * 9)
    assert asked.query == (4.0, -4.0)
    assert asked.temperature == 1000.0
    assert len(asked.entries) == 12
    assert View(chosen="💥").number == 0


def test_a_dictionary_that_cannot_answer_is_refused() -> None:
    mixed = (*Lookup().entries, Entry(name="n", x=0.0, y=0.0, value=(1.0,)))
    for wrong in ({"entries": ()}, {"entries": mixed}, {"score": "cosine"}):
        with pytest.raises(ValueError, match=r"give at least one entry|none of"):
            Lookup(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("score", state.SCORES)
@pytest.mark.parametrize("temperature", [0.1, 1.0, 20.0])
def test_the_answer_is_the_mean_weighted_by_hand(score: str, temperature: float) -> None:
    lookup = ask(score=score, temperature=temperature, query=(0.7, -0.2)).lookup
    query, keys = np.array([0.7, -0.2]), lookup.keys
    scores = keys @ query if score == "dot" else -0.5 * ((query - keys) ** 2).sum(-1)
    values = np.array([entry.value for entry in lookup.entries])
    np.testing.assert_allclose(lookup.scores, scores, atol=1e-12)
    np.testing.assert_allclose(lookup.weights[SOFT], softmax(scores / temperature), atol=1e-12)
    np.testing.assert_allclose(lookup.outputs[SOFT], softmax(scores / temperature) @ values, atol=1e-9)


@pytest.mark.parametrize("score", state.SCORES)
def test_the_ends_of_the_temperature_are_hard_look_up_and_average(score: str) -> None:
    for query in ((0.5, 0.5), (-2.0, 1.0), (3.0, -4.0)):
        cold = ask(score=score, query=query, temperature=0.001).lookup
        hot = ask(score=score, query=query, temperature=1000.0).lookup
        np.testing.assert_allclose(cold.weights[SOFT], np.eye(3)[cold.scores.argmax()], atol=1e-12)
        np.testing.assert_allclose(cold.weights[SOFT], cold.weights[HARD], atol=1e-12)
        np.testing.assert_allclose(hot.weights[SOFT], 1 / 3, atol=0.02)
        np.testing.assert_array_equal(hot.weights[AVERAGE], np.full(3, 1 / 3))
        np.testing.assert_allclose(cold.path[[0, -1]], [cold.weights[SOFT], hot.weights[SOFT]], atol=1e-9)


def test_copies_of_a_key_share_equally_at_every_temperature() -> None:
    text = f"{COLOURS}\nd 1.5 1.5 #d55e00\ne 1.5 1.5 #009e73"
    for temperature in (0.001, 0.5, 1000.0):
        lookup = ask(text, temperature=temperature).lookup
        assert lookup.twins == ((1, 3, 4),)
        assert len(set(lookup.weights[SOFT, [1, 3, 4]].tolist())) == 1
        alone = ask(temperature=temperature).lookup.weights[SOFT]
        together = 3 * alone[1] / (1 + 2 * alone[1])
        assert lookup.weights[SOFT, [1, 3, 4]].sum() == pytest.approx(together)
        assert lookup.weights[HARD].tolist() == [0, 1, 0, 0, 0], "the first of equals"
    assert ask(text, temperature=0.001).lookup.weights[SOFT, 1] == pytest.approx(1 / 3)


def test_far_away_the_nearest_wins_by_distance_and_length_decides_by_dot_product() -> None:
    text = "near 1 1 #0072b2\nlong 3.5 3 #d55e00\nother -1 -1.5 #f0e442"
    for score, winner in (("distance", 0), ("dot", 1)):
        lookup = ask(text, score=score, query=(1.0, 0.8)).lookup
        assert int(lookup.weights[SOFT].argmax()) == winner
    far = ask(query=(-4.0, -4.0)).lookup
    assert far.distances.min() > 5
    assert far.weights[SOFT].sum() == pytest.approx(1)
    assert int(far.weights[SOFT].argmax()) == int(far.distances.argmin())


def test_a_query_twice_as_long_is_half_the_temperature_by_dot_product() -> None:
    one = ask(score="dot", query=(0.6, -0.8), temperature=0.5).lookup
    two = ask(score="dot", query=(1.2, -1.6), temperature=1.0).lookup
    np.testing.assert_allclose(one.weights[SOFT], two.weights[SOFT], atol=1e-12)


def test_the_plane_shows_what_a_query_there_would_be_answered() -> None:
    lookup = ask(temperature=0.5).lookup
    for row, column in ((0, 0), (10, 40), (64, 3)):
        there = ask(temperature=0.5, query=(float(lookup.axis[column]), float(lookup.axis[row]))).lookup
        np.testing.assert_allclose(lookup.answers[row, column], there.outputs[SOFT], atol=1e-4)
    assert (lookup.axis[0], lookup.axis[-1]) == (-4.0, 4.0)


def test_on_a_line_it_is_kernel_regression() -> None:
    """The page says so: keys are the x, values the y, and √T is the width of the Gaussian kernel."""
    import torch

    from explorer.attention.kernels import KERNELS, regress

    text = "a -3 0 1\nb -1.5 0 3\nc 0 0 2\nd 1.5 0 4\ne 3 0 0.5"
    lookup = ask(text, query=(1.0, 0.0), temperature=0.5).lookup
    x, y = torch.tensor([-3, -1.5, 0, 1.5, 3]).double(), torch.tensor([1, 3, 2, 4, 0.5]).double()
    expected = regress(torch.tensor([1.0]).double(), x, y, kernel=KERNELS["gaussian"], width=math.sqrt(0.5))
    assert lookup.outputs[SOFT, 0] == pytest.approx(float(expected.prediction))
    np.testing.assert_allclose(lookup.weights[SOFT], expected.weights[0], atol=1e-12)


def test_readings_of_the_scene_say_its_numbers() -> None:
    result = look()
    without, found = result.scene.weights[WITHOUT], result.scene.weights[WITH]
    names = list(OBJECTS)
    assert f"weight **{found[names.index('newspaper')]:.2f}**" in readings.describe_with(result)
    assert f"it had {without[names.index('newspaper')]:.2f}" in readings.describe_with(result)
    assert "salience 0.3, readable 1." in readings.describe_keys(result)
    said = readings.describe_parts(result, View(chosen="book"))
    assert "“book”: 0.3 × 0.4 (salience) + 1 × 0.9 (readable) = 1.02;" in said
    assert f"weight **{found[names.index('book')]:.3f}**" in said
    negative = readings.describe_parts(look(query=(0.0, -1.0, 0.0, 0.0, 0.0)), View(chosen="cup"))
    assert "0.3 × 0.9 (salience) − 1 × 1 (red) = −0.73" in negative


def test_readings_without_any_question() -> None:
    result = look(query=(0.0,) * 5, salience=0.0)
    assert "1/8" in readings.describe_with(result)
    assert (result.scene.weights[WITH] == np.float32(1 / 8)).all()
    assert "nothing" in readings.describe_keys(result)
    assert "“newspaper”: 0 = 0;" in readings.describe_parts(result, View())


def test_a_query_for_less_salience_is_said_to_be_one() -> None:
    result = look(query=(0.0,) * 5, salience=0.3)
    said = readings.describe_with(result)
    assert said.startswith("The query asks for salience alone, less of it: “red cup” stays first with")


def test_readings_name_no_winner_where_many_tie() -> None:
    scene = look(query=(0.0, 0.0, 0.0, 0.0, -1.0), salience=0.0)
    tied = int((scene.scene.scores[WITH] == scene.scene.scores[WITH].max()).sum())
    assert 1 < tied < len(OBJECTS)
    assert readings.describe_with(scene).startswith(f"{tied} objects fit the query equally well, the first of them “")
    nowhere = readings.describe_plane(ask(score="dot", query=(0.0, 0.0)))
    assert nowhere.startswith("Each of the 3 keys gets the same weight, **0.33**")
    assert "twice as long" not in nowhere
    assert "nearly the same weight" in readings.describe_plane(ask(temperature=1000.0, query=(1.5, 1.5)))


def test_a_tie_is_said_where_keys_are_counted() -> None:
    """However cold: of three keys alike, the soft look-up takes a third each and the hard one the first."""
    cold = ask(f"{COLOURS}\nd 1.5 1.5 #d55e00", query=(1.5, 1.5), temperature=0.001)
    assert "2 keys share the highest score: the hard look-up takes the first" in readings.describe_path(cold)
    assert "share the highest score" not in readings.describe_path(ask())


def test_readings_of_the_look_up_say_its_numbers() -> None:
    result = ask(f"{COLOURS}\nd 1.5 1.5 #d55e00")
    weights = result.lookup.weights[SOFT]
    assert f"largest weight, **{weights[1]:.2f}**" in readings.describe_plane(result)
    assert f"“b”, “d” have the same key, so they share equally: {weights[1]:.3f} each" in readings.describe_plane(
        result
    )
    assert f"{2 * weights[1]:.3f} together" in readings.describe_plane(result)
    assert "1.41 away" in readings.describe_plane(result)
    assert "the colour of “b” alone" in readings.describe_ways(result)
    assert "2 keys share the highest score" in readings.describe_ways(result)
    assert "share the highest" not in readings.describe_ways(ask())
    assert readings.describe_ways(ask("a 1 1 #0072b2")) == (
        "Hard look-up answers with the colour of “a”, and so do the others: there is no other key."
    )
    assert (
        f"At T = 1 the answer averages over about **{1 / (weights**2).sum():.2f}** of 4 keys"
        in readings.describe_path(result)
    )
    assert "now 5.00" in readings.describe_plane(ask(score="dot", query=(3.0, 4.0)))
    assert readings.describe_lookup(result).endswith("The weights sum to 1.")
    numbers = readings.describe_ways(ask("a 0 0 1\nb 1 0 2.5", query=(1.0, 0.0)))
    assert "Hard look-up answers 2.5" in numbers
    assert "average pooling 1.75" in numbers


def test_every_complaint_has_its_words() -> None:
    said = {
        readings.said_complaint(InputError(line=1, text="", reason=reason))
        for reason in ("parts", "place", "outside", "value", "kind", "many")
    }
    assert len(said) == 6


def test_the_nearest_key_need_not_weigh_most() -> None:
    said = readings.describe_plane(ask("a 1 0 1\nb 4 0 2", score="dot", query=(1.0, 0.0)))
    assert "“b” gets the largest weight" in said
    assert "The nearest key, “a”, is 0.00 away" in said


def test_keys_that_are_equally_near_are_all_named() -> None:
    said = readings.describe_plane(ask("a 1 0 1\nb -1 0 2\nc 3 0 3", query=(0.0, 0.0)))
    assert "The nearest keys, “a”, “b”, are 1.00 away each." in said


def test_five_layers_weigh_as_they_do_by_hand_and_only_attention_follows_its_words() -> None:
    query, key, value = (np.array(part, float) for part in zip(*journey.TOY.values(), strict=True))
    record = layers.weigh(layers.order("swapped", 1, 5))
    new = [0, 5, 2, 3, 4, 1]
    assert record.order.tolist() == new
    scores = np.exp(query @ key.T / 2)
    attention = scores / scores.sum(-1, keepdims=True)
    filtered = sum(np.diag(np.full(6 - abs(far), attention.diagonal(far).mean()), far) for far in (-1, 0, 1))
    largest = np.bincount(value.argmax(0), minlength=6) / value.shape[1]
    by_hand = (attention, attention, filtered, np.full((6, 6), 1 / 6), np.tile(largest, (6, 1)))
    moved = (attention, attention[np.ix_(new, new)], filtered, by_hand[3], by_hand[4][:, new])
    np.testing.assert_allclose(record.before, by_hand, atol=1e-6)
    np.testing.assert_allclose(record.after, moved, atol=1e-6)
    astray = np.abs(attention - attention[np.ix_(new, new)]).sum() / 2 / 6
    assert record.strayed[0] == pytest.approx(astray, abs=1e-6)
    assert record.strayed[2] > 0.1
    assert record.strayed[[1, 3, 4]].max() < 1e-6
    assert record.alike.tolist() == [False, False, False, True, True]


def test_the_fixed_layers_average_by_the_weights_that_are_drawn() -> None:
    record = layers.weigh(tuple(range(6)))
    values = torch.tensor([value for _, _, value in journey.TOY.values()], dtype=torch.float32)
    full, convolution = layers.fixed_layers()
    with torch.no_grad():
        made = full(values.T).T, convolution(values.T[:, None])[:, 0].T
    for weights, output in zip(record.before[[0, 2]], made, strict=True):
        np.testing.assert_allclose(weights @ values.numpy(), output, atol=1e-5)


@pytest.mark.parametrize("numbers", batches.NUMBERS)
def test_a_batched_product_is_a_product_for_each_batch(numbers: str) -> None:
    record = batches.multiply(batches.Batches(sizes=(3, 2, 7, 4), numbers=numbers, seed=5))
    for weights, values, output in zip(record.weights, record.values, record.output, strict=True):
        np.testing.assert_allclose(output, weights @ values, rtol=1e-5)
    if numbers != "ones":
        np.testing.assert_allclose(record.weights.sum(-1), 1, rtol=1e-6)


def test_the_classic_shapes_and_numbers() -> None:
    assert batches.multiply(batches.Batches()).output.shape == (2, 1, 6)
    classic = batches.multiply(batches.Batches(sizes=(2, 1, 10, 1), numbers="mean"))
    np.testing.assert_allclose(classic.values.ravel(), np.arange(20))
    np.testing.assert_allclose(classic.output.ravel(), [4.5, 14.5])
    assert batches.Batches(sizes=(0, 99, -1, 7)).sizes == (1, 10, 1, 6)


def test_what_one_object_gains_the_others_pay() -> None:
    result = lesson.compute(lesson.Params())
    change = result.scene.weights[WITH] - result.scene.weights[WITHOUT]
    said = readings.describe_price(result)
    payer = readings.object_names()[result.scene.objects[int(change.argmin())]]
    assert said == f"“{payer}” pays most for it: −{-change.min():.2f}."
    calm = lesson.compute(lesson.Params(cues=state.Cues(query=(0.0,), salience=1.0)))
    assert readings.describe_price(calm) == ""
