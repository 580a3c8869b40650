"""“Translator”: what its figures say, computed from their numbers."""

import math
from collections.abc import Sequence
from itertools import combinations, groupby

import numpy as np

from explorer.data.marian.sentencepieces import SentencePieces
from explorer.data.parallel.normalisation import Change
from explorer.evaluate.judged import read_verdicts
from explorer.inference.translator.piece import Piece
from explorer.inference.translator.trace import AnyTokenizer
from explorer.inference.translator.translate import LoadedTranslator
from explorer.lessons.translator.names import name
from explorer.lessons.translator.state import Result
from explorer.records.attention import AttentionRecord
from explorer.records.language import t
from explorer.records.sequence import Step, word_shares
from explorer.records.wording import is_word, percent, said_replaced, said_strongest, shorten

#: Characters that are named at most.
_NAMED = 12
#: What bytes that are no character decode to.
_NO_TEXT = "\ufffd"
#: A direction is called weak if a larger share of the everyday sentences comes out wrong.
WEAK = 0.25


def describe_changes(found: Sequence[Piece]) -> str:
    """Say how the text was changed before it was read; nothing if it was not."""
    phrases: dict[Change, str] = {
        "capitals": t("capitals became small letters, and the translation is put back into capitals"),
        "traditional": t("traditional characters became simplified ones"),
        "thousands": t("the sign between thousands became the usual one"),
        "quotes": t("quotation marks became plain ones"),
        "width": t("full-width letters became plain ones"),
        "spaces": t("spaces and invisible characters were tidied"),
    }
    seen = {change for piece in found for change in piece.of.changes}
    said = [phrase for change, phrase in phrases.items() if change in seen]
    if len({piece.sentence for piece in found}) < len(found):
        said.append(t("a long sentence was cut at its clauses"))
    said += said_replaced([each for piece in found for each in piece.replaced])
    if not said:
        return ""
    changed = (piece.text for piece in found if piece.text != piece.typed)
    read = next(changed, found[0].text)
    return t("The model reads “{read}”: {changes}.").format(read=shorten(read), changes=t("; ").join(said))


def describe_unseen(found: Sequence[Piece], tokenizer: AnyTokenizer) -> str:
    """Say which characters are read byte by byte: the training had next to none of them; or which are not known."""
    if isinstance(tokenizer, SentencePieces):
        unknown = tokenizer.unknown("".join(piece.text for piece in found))
        said = t("The model does not know {characters}: it reads one sign for all of them.")
        return said.format(characters=" ".join(unknown[:_NAMED])) if unknown else ""
    unseen: list[str] = []
    for piece in found:
        for in_bytes, ids in groupby(tokenizer.encode(piece.text), lambda one: _NO_TEXT in tokenizer.decode([one])):
            unseen += [each for each in tokenizer.decode(list(ids)) if in_bytes and each != _NO_TEXT]
    named = [each for each in dict.fromkeys(unseen) if each.isprintable() and not each.isspace()]
    if not named:
        return ""
    said = t("The model has hardly ever seen {characters}, reads them byte by byte, and may write nonsense for them.")
    return said.format(characters=" ".join(named[:_NAMED]) + (" …" if len(named) > _NAMED else ""))


def describe_training(translator: LoadedTranslator) -> str:
    """Say what kinds of text the model was trained on, and how well it does on unseen text of each.

    Of a model of others: whose it is, and what is not done for it.
    """
    manifest, direction = translator.manifest, translator.direction
    if translator.of_others:
        return t(
            "{name} was made by others; its licence: {licence}. It reads what you type: names are not replaced, and "
            "long sentences are not cut. “The Transformer, whole” does not draw it, as it normalises after each step."
        ).format(name=translator.provenance.model, licence=manifest.licence)
    fields = {
        "Tatoeba": t("everyday sentences"),
        "news": t("news"),
        "Multi30k": t("captions of pictures"),
    }
    there = [words for word, words in fields.items() if word in manifest.data]
    measured = {
        t("everyday sentences") if "Tatoeba" in manifest.data else t("captions"): (
            "test_bleu",
            f"test_bleu_{direction}",
        ),
        t("news and web text"): (f"news_bleu_{direction}",),
    }
    scores = {text: manifest.metrics[key] for text, keys in measured.items() for key in keys if key in manifest.metrics}
    if not there or not scores:
        return ""
    each = [t("{score} on {text}").format(score=f"{score:.0f}", text=text) for text, score in scores.items()]
    return t("Trained on {fields}. BLEU on unseen text: {scores}.").format(
        fields=t(" and ").join(there), scores=t(", ").join(each)
    )


def describe_everyday(translator: LoadedTranslator) -> str:
    """Say how many of the sentences that somebody might type come out wrong; nothing where nobody counted.

    What readers judged counts; else what can be told without understanding, which is less than is wrong.
    """
    direction, manifest = str(translator.direction), translator.manifest
    read, counts = read_verdicts(direction, manifest.revision), manifest.everyday.get(direction, {}).get("all")
    if read is not None:
        weak = t("A weak direction: {share} of {n} test sentences came out wrong ({how}).")
        usual = t("{share} of {n} test sentences came out wrong ({how}).")
        how = t("judged once, by reading") if read.readings == 1 else t("judged several times, by reading; the mean")
        return (weak if read.share > WEAK else usual).format(share=f"{read.share:.0%}", n=read.sentences, how=how)
    if counts is None:
        return ""
    share, n = counts["wrong"] / counts["sentences"], f"{counts['sentences']:.0f}"
    often = t("A weak direction: at least {share} of {n} test sentences come out wrong.")
    seldom = t("At least {share} of {n} test sentences come out wrong.")
    return (often if share > WEAK else seldom).format(share=f"{share:.0%}", n=n)


def describe_ribbons(record: AttentionRecord) -> str:
    """Say how many pairs of ribbons cross; within a language, how much weight a word gives to its first choice."""
    if record.query_role == "produced" and _only_ends(record.query_labels):
        return _said_empty()
    weights = record.weights.mean(0)
    if not weights.size:
        return t("Nothing is left to show: only special tokens were looked at.")
    if record.kind != "cross" or len(first_choices(record)) < 2:
        return t("On average a word gives **{share}** of its weight to the word that it looks at most.").format(
            share=f"{weights.max(-1).mean():.0%}"
        )
    crossings = count_crossings(record)
    if not crossings:
        return t("No two ribbons between words cross: the order stays.")
    if crossings == 1:
        return t("One pair of ribbons crosses: there the order of the words turns round.")
    return t("**{n}** pairs of ribbons cross: there the order of the words turns round.").format(n=crossings)


def count_crossings(record: AttentionRecord) -> int:
    """Count pairs of words whose first choices among words stand the other way round; punctuation is left out."""
    return sum(int(first > second) for (_, first), (_, second) in combinations(first_choices(record), 2))


def first_choices(record: AttentionRecord) -> list[tuple[int, int]]:
    """Return, for each word that asks, its row and the word that gets most; punctuation is left out on both sides."""
    asking, asked = ([is_word(label) for label in row] for row in (record.query_labels, record.key_labels))
    if not any(asked):
        return []
    choices = np.where(asked, record.weights.mean(0), -1.0).argmax(-1).tolist()
    return [(row, choice) for row, choice in enumerate(choices) if asking[row]]


def describe_translation(result: Result) -> str:
    """Say how sure the translator was, and where it hesitated most."""
    written = result.trace.written
    if _only_ends(written.labels):
        return _said_empty()
    shares = word_shares(written, result.trace.steps)
    least = int(np.argmin(shares))
    mean = math.exp(result.translation.best.log_probability / len(shares))
    return t("The least certain word is “{token}”: **{share}**; a usual one has {mean}.").format(
        mean=percent(mean), token=name(written.word_labels[least]), share=percent(shares[least])
    )


def describe_map(record: AttentionRecord) -> str:
    """Say the strongest look of the map, and how spread a row is."""
    said = said_strongest(record)
    if record.strongest is None:
        return said
    whose = t("That is head {number}.").format(number=record.strongest[0]) if record.n_heads > 1 else ""
    spread = t("A row spreads over about {n} of {keys} tokens.").format(
        n=f"{_mean_spread(record.weights):.1f}", keys=record.weights.shape[-1]
    )
    return " ".join(part for part in (said, whose, spread) if part)


def describe_selected(record: AttentionRecord) -> str:
    """Say where the token of the one row looked."""
    weights = record.weights[0, 0]
    if not weights.size or not weights.any():
        return t("Nothing is left to show: only special tokens were looked at.")
    first, *others = np.argsort(-weights, kind="stable")[:2].tolist()
    said = t("Writing “{query}”, it looks most at “{key}” ({weight}).").format(
        query=name(record.query_labels[0]),
        key=name(record.key_labels[first]),
        weight=percent(float(weights[first])),
    )
    if not others:
        return said
    return f"{said} " + t("Next comes “{key}” ({weight}).").format(
        key=name(record.key_labels[others[0]]), weight=percent(float(weights[others[0]]))
    )


def describe_alternatives(here: Step) -> str:
    """Say whether the written token was the likeliest, and what else could have been."""
    best = here.likeliest[0]
    if here.chosen == 0:
        return t("“{token}” was the likeliest token ({share}); “{other}” came second ({other_share}).").format(
            token=name(here.written.label),
            share=percent(here.written.probability),
            other=name(here.likeliest[1].label),
            other_share=percent(here.likeliest[1].probability),
        )
    return t(
        "“{best}” was likelier here ({best_share}) than “{token}” ({share}): the whole scores higher this way."
    ).format(
        best=name(best.label),
        best_share=percent(best.probability),
        token=name(here.written.label),
        share=percent(here.written.probability),
    )


def _only_ends(labels: Sequence[str]) -> bool:
    """Return whether nothing was written but the end, or where that is hidden nothing at all."""
    return all(label == "</s>" for label in labels)


def _said_empty() -> str:
    return t("The translation is empty: only its end was written.")


def _mean_spread(weights: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> float:
    """Return the mean over rows of exp(entropy): over how many keys a row that is spread evenly would lie."""
    logs = np.log(np.where(weights > 0, weights, 1.0))
    return float(np.exp(-(weights * logs).sum(-1)).mean())
