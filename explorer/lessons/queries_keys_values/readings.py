"""“Queries, keys and values”: what its figures say, computed from their numbers."""

import numpy as np

from explorer.lessons.queries_keys_values.records.batches import BatchesRecord
from explorer.lessons.queries_keys_values.records.layers import LAYERS, LayersRecord
from explorer.lessons.queries_keys_values.records.lookup import AVERAGE, HARD, SOFT, WAYS, InputError, write_value
from explorer.lessons.queries_keys_values.records.scene import WITH, WITHOUT, SceneRecord
from explorer.lessons.queries_keys_values.state import Result, View
from explorer.records.journey import JourneyRecord
from explorer.records.language import t
from explorer.records.wording import join_sentences, minus, token


def object_names() -> dict[str, str]:
    """Name the objects on the desk by id, in the reader's language."""
    return {
        "cup": t("red cup"),
        "newspaper": t("newspaper"),
        "plant": t("plant"),
        "phone": t("phone"),
        "cat": t("cat"),
        "book": t("book"),
        "pen": t("blue pen"),
        "water": t("water"),
    }


def feature_names() -> dict[str, str]:
    """Name what the objects are described by, by id, in the reader's language."""
    return {
        "salience": t("salience"),
        "readable": t("readable"),
        "red": t("red"),
        "drinkable": t("drinkable"),
        "noisy": t("noisy"),
        "alive": t("alive"),
    }


def number_names() -> dict[str, str]:
    """Name the four numbers of the words in the toy, by id, in the reader's language."""
    return {"alive": t("alive"), "thing": t("thing"), "action": t("action"), "quality": t("quality")}


def describe_waiting(record: JourneyRecord, asks: int) -> str:
    """Say what is to be seen before the journey begins."""
    message = t("Every word has a key and a value of {d} numbers{by_hand}. “{word}” has a query of its own.")
    return message.format(d=record.key.shape[1], by_hand=_by_hand(record), word=token(record.words[asks]))


def describe_journey(record: JourneyRecord, asks: int) -> str:
    """Say which word gets the most weight, by which score, and where the numbers come from."""
    best, weights = record.most(asks), record.attention.weights[0, asks]
    message = t(
        "“{word}” looks most at “{best}”: score {score}, weight **{weight}**. {d} numbers for each word{by_hand}."
    )
    return message.format(
        word=token(record.words[asks]),
        best=token(record.words[best]),
        score=f"{record.scores[asks, best]:.2f}",
        weight=f"{weights[best]:.0%}",
        d=record.key.shape[1],
        by_hand=_by_hand(record),
    )


def _by_hand(record: JourneyRecord) -> str:
    return t(", chosen by hand") if record.features else t(", learned by the translator")


def describe_desk(result: Result) -> str:
    """Say what the query finds, and who pays for it."""
    return join_sentences([describe_with(result), describe_price(result)])


def describe_price(result: Result) -> str:
    """Say who lost most of what the query gave away: the weights sum to 1, so looking here is not looking there."""
    scene = result.scene
    change = scene.weights[WITH].astype(np.float64) - scene.weights[WITHOUT]
    if change.clip(min=0).sum() < 0.005:
        return ""
    payer = int(change.argmin())
    return t("“{payer}” pays most for it: {lost}.").format(payer=_name(scene, payer), lost=f"−{-change[payer]:.2f}")


def describe_with(result: Result) -> str:
    """Say what the query finds, and what that got unasked."""
    scene = result.scene
    first = _best(scene, WITH)[0]
    if not scene.queries[WITH].any():
        message = t("The query is all zeros: every score is 0, every object gets **1/{n}**. This is average pooling.")
        return message.format(n=len(scene.objects))
    if np.array_equal(scene.queries[WITH], scene.queries[WITHOUT]):
        return t("The query asks for salience alone: that is not to ask.")
    if not scene.queries[WITH][scene.queries[WITHOUT] == 0].any():
        message = t(
            "The query asks for salience alone, less of it: “{first}” stays first with **{weight}** (had {before})."
        )
        return message.format(
            first=_name(scene, first),
            weight=f"{scene.weights[WITH, first]:.2f}",
            before=f"{scene.weights[WITHOUT, first]:.2f}",
        )
    tied = int(np.isclose(scene.scores[WITH], scene.scores[WITH, first]).sum())
    if tied > 1:
        message = t(
            "{count} objects fit the query equally well, the first of them “{first}”: weight **{weight}** each."
        )
        return message.format(count=tied, first=_name(scene, first), weight=f"{scene.weights[WITH, first]:.2f}")
    said = t("“{first}” fits the query best: weight **{weight}**, where without a query it had {before}.")
    return said.format(
        first=_name(scene, first),
        weight=f"{scene.weights[WITH, first]:.2f}",
        before=f"{scene.weights[WITHOUT, first]:.2f}",
    )


def describe_layers(record: LayersRecord) -> str:
    """Say which layer's weights went along with their words, and which stayed where they were."""
    if not record.moved:
        return t(
            "On the words as written, the fully connected layer **copies attention** exactly; a convolution comes as "
            "near as it can. Now move two words."
        )
    full, convolution, attention = (record.strayed[LAYERS.index(each)] for each in ("full", "convolution", "attention"))
    message = t(
        "Attention’s weights went along with their words: **{attention}** astray. The fully connected layer left "
        "**{full}** of its weight with the wrong words, the convolution {convolution}; pooling asks nothing."
    )
    return message.format(full=f"{full:.0%}", convolution=f"{convolution:.0%}", attention=f"{attention:.0%}")


def describe_batches(record: BatchesRecord) -> str:
    """Say the shapes, and the first number of each batch as the sum that it is."""
    shapes = [f"({', '.join(map(str, each.shape))})" for each in (record.weights, record.values, record.output)]
    message = t(
        "{weights} · {values} → **{output}**: the keys are summed away. First number of each sentence: {numbers}."
    )
    numbers = ", ".join(f"**{number:.4g}**" for number in record.output[:, 0, 0].tolist())
    return message.format(weights=shapes[0], values=shapes[1], output=shapes[2], numbers=numbers)


def describe_keys(result: Result) -> str:
    """Say what the query asks for."""
    scene, names = result.scene, feature_names()
    asked = [
        f"{names[feature]} {number:g}"
        for feature, number in zip(scene.features, scene.queries[WITH].tolist(), strict=True)
        if number
    ]
    if not asked:
        return t("The query asks for nothing, not even salience.")
    return t("The query asks for: {asked}.").format(asked=t(", ").join(asked))


def describe_parts(result: Result, view: View) -> str:
    """Write one object's score as the sum of its parts, and the weight it becomes."""
    scene, names = result.scene, feature_names()
    numbers = zip(scene.features, scene.queries[WITH].tolist(), scene.keys[view.number].tolist(), strict=True)
    terms = [f"{query:g} × {key:g} ({names[feature]})" for feature, query, key in numbers if query]
    return t(
        "“{object}”: {sum} = {score}; divided by the temperature {temperature} "
        "and put through softmax: weight **{weight}**."
    ).format(
        object=_name(scene, view.number),
        sum=minus(" + ".join(terms).replace("+ -", "− ")) or "0",
        score=_number(float(scene.scores[WITH, view.number])),
        temperature=f"{scene.temperature:g}",
        weight=f"{scene.weights[WITH, view.number]:.3f}",
    )


def describe_lookup(result: Result) -> str:
    """Say what the query gets from whom, and that the weights sum to 1 however far it stands."""
    message = t("The weights sum to {total}.")
    total = f"{result.lookup.weights[WAYS.index(SOFT)].sum():.3g}"
    return join_sentences([describe_plane(result), message.format(total=total)])


def describe_plane(result: Result) -> str:
    """Say what the query gets from whom; twins; and what its length does."""
    lookup = result.lookup
    weights = lookup.weights[WAYS.index(SOFT)]
    top = int(weights.argmax())
    tied = np.flatnonzero(weights.round(2) == weights[top].round(2))  # as they are written
    if len(weights) > 1 and np.ptp(weights) < 0.005:  # as they are written
        largest = t("Each of the {n} keys gets the same weight, **{weight}**; the answer is **{answer}**.")
        mixed = t("Each of the {n} keys gets the same weight, **{weight}**: their colours are mixed in equal parts.")
        if np.ptp(weights) > 1e-6:
            largest = t("Each of the {n} keys gets nearly the same weight, **{weight}**; the answer is **{answer}**.")
            mixed = t("Each of the {n} keys gets nearly the same weight, **{weight}**: their colours mix nearly alike.")
    elif len(tied) > 1:
        largest = t("{keys} get the largest weight, **{weight}** each; the answer is **{answer}**.")
        mixed = t("{keys} get the largest weight, **{weight}** each: their colours show most in the answer.")
    else:
        largest = t("“{key}” gets the largest weight, **{weight}**; the answer is **{answer}**.")
        mixed = t("“{key}” gets the largest weight, **{weight}**: its colour shows most in the answer.")
    answer = write_value(lookup.outputs[WAYS.index(SOFT)])
    said = [
        (mixed if answer.startswith("#") else largest).format(
            n=len(weights),
            keys=t(", ").join(f"“{lookup.entries[each].name}”" for each in tied),
            key=lookup.entries[top].name,
            weight=f"{weights[top]:.2f}",
            answer=answer,
        ),
        _nearest(result),
        *_twins(result),
    ]
    if lookup.score == "dot" and np.any(lookup.query):
        message = t("Dot product: a query twice as long (now {length}) would act like half the temperature.")
        said.append(message.format(length=f"{float(np.linalg.norm(lookup.query)):.2f}"))
    return join_sentences(said)


def _nearest(result: Result) -> str:
    """Say which key is nearest and how far away it is; name all that are as near, as distances are written."""
    lookup = result.lookup
    distance = f"{lookup.distances.min():.2f}"
    near = [
        f"“{entry.name}”"
        for entry, away in zip(lookup.entries, lookup.distances, strict=True)
        if f"{away:.2f}" == distance
    ]
    if len(near) > 1:
        return t("The nearest keys, {keys}, are {distance} away each.").format(
            keys=t(", ").join(near), distance=distance
        )
    return t("The nearest key, {key}, is {distance} away.").format(key=near[0], distance=distance)


def _twins(result: Result) -> list[str]:
    """Say of keys at one place that they share."""
    lookup = result.lookup
    weights = lookup.weights[WAYS.index(SOFT)]
    return [
        t("{keys} have the same key, so they share equally: {weight} each, {total} together.").format(
            keys=t(", ").join(f"“{lookup.entries[each].name}”" for each in twins),
            weight=f"{weights[twins[0]]:.3f}",
            total=f"{weights[list(twins)].sum():.3f}",
        )
        for twins in lookup.twins[:2]
    ]


def describe_ways(result: Result) -> str:
    """Say the three answers, and whether the hard one had to choose among equals."""
    lookup = result.lookup
    answers = dict(zip(WAYS, lookup.outputs, strict=True))
    best = np.flatnonzero(lookup.scores == lookup.scores.max())
    soft = lookup.weights[WAYS.index(SOFT)]
    message = t("Hard look-up answers {hard}, attention {soft}, average pooling {average}.")
    if write_value(answers[HARD]).startswith("#"):
        message = t(
            "Hard look-up answers with the colour of “{key}” alone, average pooling mixes all {n} colours alike, and "
            "attention lies between."
        )
        if len(soft) == 1:
            message = t("Hard look-up answers with the colour of “{key}”, and so do the others: there is no other key.")
        elif np.ptp(soft) < 0.005:
            message = t(
                "Hard look-up answers with the colour of “{key}” alone; attention and average pooling mix all {n} "
                "colours alike."
            )
        elif soft.max() > 0.995:
            message = t(
                "Hard look-up and attention answer with the colour of “{key}” alone; average pooling mixes all {n} "
                "colours alike."
            )
    said = [
        message.format(
            hard=write_value(answers[HARD]),
            soft=write_value(answers[SOFT]),
            average=write_value(answers[AVERAGE]),
            key=lookup.entries[int(best[0])].name,
            n=len(lookup.entries),
        )
    ]
    return join_sentences([*said, _shared(len(best))])


def _shared(count: int) -> str:
    """Say what a tie of so many keys does; nothing where there is none."""
    if count < 2:
        return ""
    return t(
        "{count} keys share the highest score: the hard look-up takes the first, softmax shares at every temperature."
    ).format(count=count)


def describe_path(result: Result) -> str:
    """Say how many keys are effectively averaged at the chosen temperature."""
    lookup = result.lookup
    weights = lookup.weights[WAYS.index(SOFT)]
    said = t("At T = {temperature} the answer averages over about **{now}** of {n} keys.").format(
        now=f"{1 / float((weights**2).sum()):.2f}", n=len(lookup.entries), temperature=f"{lookup.temperature:g}"
    )
    return join_sentences([said, _shared(int((lookup.scores == lookup.scores.max()).sum()))])


def said_complaint(complaint: InputError) -> str:
    """Say what is wrong with a line that cannot be read, without the line itself."""
    reasons = {
        "parts": t("needs four parts: name, two numbers, value"),
        "place": t("the two coordinates must be plain numbers"),
        "outside": t("the coordinates must lie between −4 and 4"),
        "value": t("the value must be a number up to a million, or a colour such as #0072b2"),
        "kind": t("all values must be of one kind: the first is a number and this a colour, or the other way round"),
        "many": t("at most 12 keys are kept"),
    }
    return reasons[complaint.reason]


def _best(scene: SceneRecord, row: int) -> list[int]:
    """Return the numbers of the objects, the largest weight first."""
    order: list[int] = np.argsort(-scene.scores[row], kind="stable").tolist()
    return order


def _name(scene: SceneRecord, number: int) -> str:
    return object_names()[scene.objects[number]]


def _number(value: float) -> str:
    return minus(f"{value:.3g}") if abs(value) > 1e-9 else "0"
