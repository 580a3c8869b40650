"""Names and sentences of the picture, in the reader's language; the browser fills in what is pointed at."""

from collections.abc import Mapping
from typing import Any

from explorer.lessons.whole_transformer.state import Result
from explorer.records.language import current_language, t
from explorer.ui.catalogue import page

#: Lessons about what each level of the picture shows; `mask` is added where the decoder hides what comes later.
_LESSONS = {
    "whole": ("positional_encoding", "architectures", "translator"),
    "layer": ("multi_head",),
    "net": ("translator?scene=token",),
    "head": ("queries_keys_values",),
    "score": ("scoring_functions",),
    "mask": ("masked_softmax",),
}


def parts() -> dict[str, str]:
    """Return what the parts of a layer are called."""
    return {
        "self": t("self-attention"),
        "causal": t("masked self-attention"),
        "cross": t("cross-attention"),
        "net": t("feed-forward"),
    }


def layers(n_encoder: int, n_decoder: int) -> dict[str, list[str]]:
    """Return what the layers are called."""
    return {
        "enc": [t("Encoder {layer}").format(layer=each) for each in range(n_encoder)],
        "dec": [t("Decoder {layer}").format(layer=each) for each in range(n_decoder)],
    }


def links() -> dict[str, list[tuple[str, str]]]:
    """Return title and address of the lessons about each level."""
    lang = current_language()
    found: dict[str, list[tuple[str, str]]] = {}
    for level, stems in _LESSONS.items():
        found[level] = []
        for each in stems:
            mark = "&" if "?" in each else "?"
            found[level].append((t(page(each.partition("?")[0]).title), f"{each}{mark}lang={lang}"))
    return found


def words(result: Result) -> dict[str, Any]:
    """Return everything that the picture says."""
    whole = result.whole
    sizes = {
        "d": whole["enc.x"].shape[1],
        "units": whole[f"{whole.nets[0]}.units"].shape[1],
        "vocabulary": whole.logits.shape[1],
        "heads": whole.n_heads,
    }
    return {
        "layers": layers(whole.n_encoder, whole.n_decoder),
        "parts": parts(),
        **_labels(sizes),
        **_inside(sizes),
        **_player(),
        **_captions(sizes),
        **_travel(),
        **_table(),
    }


def _labels(sizes: Mapping[str, int]) -> dict[str, str]:
    return {
        "whole": t("The whole"),
        "sourceIn": t("English in"),
        "targetOut": t("French out"),
        "memory": t("the memory"),
        "mix": t("mix"),
        "look": t("look at English"),
        "alone": t("alone"),
        "best": t("best, %"),
        "back": t("back in, as the next line"),
        "selfLong": t("self-attention: all words"),
        "causalLong": t("self-attention: earlier words only"),
        "crossLong": t("cross-attention: looks at English"),
        "feedForward": t("feed-forward"),
        "heads": t("{count} heads").format(count=sizes["heads"]),
        "joined": t("joined"),
        "awake": t("{awake} active"),
        "openLesson": t("Open the lesson “{title}”"),
        "share": t("{share} to “{key}”"),
        "and": t(" and "),
        "headOf": t("{part}, head {head}"),
        "netAt": t("feed-forward, “{word}”"),
    }


def _inside(sizes: Mapping[str, int]) -> dict[str, str]:
    return {
        "q": t("q: what each word asks"),
        "k": t("k: what each word offers"),
        "v": t("v: what each word says"),
        "o": t("o: the mixture"),
        "scores": t("scores: q · k ÷ √d"),
        "weights": t("weights"),
        "scoreTitle": t("“{query}” asks “{key}”: {count} products, one sum"),
        "queryOf": t("q of {query}"),
        "keyOf": t("k of {key}"),
        "products": t("q · k, pair by pair"),
        "addedUp": t("added up"),
        "sumIs": t("sum"),
        "scoreIs": t("score"),
        "weightIs": t("weight"),
        "hidden": t("hidden"),
        "expands": t("{d} numbers become {units:,}; below 0 becomes 0").format(**sizes),
        "contracts": t("added"),
        "sameNet": t("the same net at every position"),
        "unit": t("unit {unit}: {value}"),
    }


def _player() -> dict[str, str]:
    return {
        "write": t("▶ Write it"),
        "pause": t("❚❚ Pause"),
        "travel": t("Travel with a word"),
        "stop": t("Stop"),
        "scrub": t("How far the translation is written"),
        "speed": t("Speed"),
        "back1": t("One word back"),
        "on1": t("One word on"),
        "ribbonsOf": t("Ribbons"),
        "allHeads": t("mean of all heads"),
        "headNumber": t("head {head}"),
        "label": t("The translator, from the words that are read to the words that are written"),
        "keys": t(
            "Left and right: layer, head or key. Up and down: word. Enter opens, Escape closes, 0 shows the whole. F: "
            "feed-forward. C: the other attention of a decoder layer. Space writes, T travels."
        ),
    }


def _captions(sizes: Mapping[str, int]) -> dict[str, str]:
    return {
        "capWhole": t(
            "Follow a line: a word becomes {d} numbers; “mix” lets words exchange what they know; “alone” changes each "
            "by itself. Point at a word, click a layer."
        ).format(**sizes),
        "capLayer": t(
            "x goes straight on. Each part reads it, normalised by mean μ and scale σ, and adds something: +% of its "
            "length. Click a head or a net."
        ),
        "cell": t("“{query}” attends to “{key}”: {weight}"),
        "capHead": t("Head {head}: “{word}” asks. Its q meets every k; softmax gives {shares}. Click a score."),
        "capHeadWriting": t(
            "Head {head}: at “{word}”, to write “{written}”. Its q meets every k; softmax gives {shares}. Click a "
            "score."
        ),
        "capHeadCausal": t(
            "Head {head}: at “{word}”, to write “{written}”. Its q meets every k up to its own; softmax gives "
            "{shares}. Click a score."
        ),
        "capScore": t(
            "Every one of the {count} products, added up and divided by √{count}; then compared with the other scores "
            "of the row."
        ),
        "capNet": t(
            "The net sees “{word}” alone. {d} numbers become {units}; {awake} of them stay above 0, and become {d} "
            "again, which are added."
        ),
        "capReads": t("The encoder reads all {count} pieces at once, layer by layer."),
        "capRuns": t(
            "Piece {place}: “{word}” runs through the decoder; it mixes with what is written and looks at English."
        ),
        "capScores": t("{count} scores, one for each piece of the vocabulary: “{word}” gets {share}."),
        "capBack": t(" It goes back in."),
        "capSource": t(
            "“{word}” runs through the encoder. It is looked at most where “{written}” is written: up to {share}."
        ),
        "capRead": t("At “{word}” the model writes “{written}” ({share}). Its last look at English gives {shares}."),
    }


def _travel() -> dict[str, str]:
    return {
        "goLook": t("“{word}” is looked up: {d} numbers, and the code of place {place} is added."),
        "goMix": t("{layer}, {part}: “{word}” asks and gives {shares}. Added: {added} of its length."),
        "goNet": t(
            "{layer}, feed-forward: “{word}” alone. {awake} of {units} units active. Added: {added} of its length."
        ),
        "goMemory": t("“{word}” has become memory: every French word may look at it."),
        "goOut": t("{d} numbers meet {count} word vectors: “{word}”, {share}."),
    }


def _table() -> dict[str, str]:
    return {
        "tableRead": t("read"),
        "tableWritten": t("written"),
        "tableShare": t("probability"),
        "tableNext": t("likeliest"),
        "tableToken": t("piece"),
        "tableAdded": t("length of what is added"),
        "tableAsks": t("asks"),
        "tableNumber": t("number"),
        "unitName": t("unit"),
        "value": t("value"),
    }
