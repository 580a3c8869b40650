"""Numbers as tables."""

from collections.abc import Iterable

import pandas as pd

from explorer.lessons import open_model as lesson
from explorer.lessons.open_model import lens_rows, one_word, wording
from explorer.lessons.open_model.carried import EachCarried
from explorer.lessons.open_model.corpora import OverTexts
from explorer.lessons.open_model.costs import BITS, ModelCosts
from explorer.lessons.open_model.one_word import LongText
from explorer.records.language import t
from explorer.records.opened.prediction import HeadEffects, LensRecord, SlopesRecord
from explorer.records.opened.several import ComparedModels


def heads(result: lesson.Result) -> pd.DataFrame:
    """Return a row for each head: where it is, how much rests, and which rule it keeps."""
    names = wording.rules()
    rows = [
        {
            t("part"): wording.part_name(site),
            t("layer"): site.layer,
            t("head"): number,
            t("rests"): round(each.rest, 4),
            t("rule"): names[each.rule].name,
            t("weakly"): t("yes") if each.leans else t("no"),
            t("share of the rest"): round(each.score, 4),
            t("an even spread has"): round(each.chance, 4),
        }
        for site, judged in zip(result.look.sites, result.look.rules, strict=True)
        for number, each in enumerate(judged)
    ]
    return pd.DataFrame(rows)


def looked_at(shown: LongText, number: int | None) -> pd.DataFrame:
    """Return a row for each word that asks: how much rests, and what gets most of what is left."""
    asks, asked = wording.names(shown.queries), wording.names(shown.keys)
    rows = []
    for query, word in enumerate(asks):
        found = one_word.look(shown, number, query)
        most = "" if found.key is None else asked[found.key]
        rows.append(
            {
                t("word"): query,
                t("asks"): word,
                t("rests"): round(found.rests, 4),
                t("looks most at"): most,
                t("share of the rest"): round(found.share, 4),
            }
        )
    return pd.DataFrame(rows)


def pair(found: ComparedModels) -> pd.DataFrame:
    """Return a row for each head: how much of its weight lies elsewhere in the other model."""
    rows = [
        {t("layer"): site.layer, t("head"): head, t("elsewhere"): round(float(found.distance[number, head]), 5)}
        for number, site in enumerate(found.sites)
        for head in range(site.heads)
    ]
    return pd.DataFrame(rows)


def over(read: OverTexts) -> pd.DataFrame:
    """Return a row for each head: how much rests, and on how many sentences it keeps each rule."""
    names = wording.rules()
    rows = [
        {t("layer"): site, t("head"): number, t("rests"): round(head.rest, 4)}
        | {each.name: head.rules.get(rule, 0) for rule, each in names.items()}
        for site, heads in enumerate(read.look.heads)
        for number, head in enumerate(heads)
    ]
    return pd.DataFrame(rows)


def lens(record: LensRecord) -> pd.DataFrame:
    """Return a row for each layer and word: what would be written, and the chance of what is written at the end."""
    names = wording.names(record.tokens)
    rows = [
        {
            t("after layer"): wording.row_name(row),
            t("word read"): name,
            t("would write"): now.label,
            t("its chance"): round(now.probability, 4),
            t("writes at the end"): lens_rows.final(record, position),
            t("chance of that"): round(float(record.share[row, position]), 4),
        }
        for row in range(len(record.share))
        for position, name in enumerate(names)
        for now in record.top(row, position)[:1]
    ]
    return pd.DataFrame(rows)


def effects(record: HeadEffects, estimated: SlopesRecord | None) -> pd.DataFrame:
    """Return a row for each head: the answer's chance without it, and what one backward pass estimates."""
    rows = []
    for number, site in enumerate(record.sites):
        for head, chance in enumerate(site.chance):
            row: dict[str, str | float] = {
                t("layer"): number,
                t("head"): head,
                t("without it"): round(float(chance), 4),
                t("change"): round(float(record.change[number, head]), 4),
            }
            if site.likeliest:
                row[t("would write")] = site.likeliest[head][0].label
            if estimated is not None:
                row[t("estimate, nats")] = round(float(estimated.log_probability[number, head]), 4)
            rows.append(row)
    return pd.DataFrame(rows)


def costs(found: ModelCosts) -> pd.DataFrame:
    """Return a row for each size, in bytes, with the bound of this server where there is one."""
    rows: list[tuple[str, int, int | None]] = [
        (t("to download"), found.download, found.bounds.download),
        (t("memory while open"), found.peak, found.bounds.memory),
    ]
    rows += [(t("weights, {bits} bits").format(bits=bits), found.card.weight_bytes(bits), None) for bits in BITS]
    rows += [
        (t("all maps of {tokens} tokens").format(tokens=length), found.card.map_bytes(length), None)
        for length in found.lengths
    ]
    return pd.DataFrame(rows, columns=[t("what"), t("bytes"), t("at most")])


def here(models: Iterable[ModelCosts]) -> pd.DataFrame:
    """Return a row for each model that needs no Hub."""
    rows = [
        {
            t("model"): each.card.name,
            t("family"): each.card.family,
            t("parameters"): f"{each.card.counted:,}",
            t("maps"): each.card.maps,
            t("memory while open"): wording.megabytes(each.peak),
        }
        for each in models
    ]
    return pd.DataFrame(rows)


def list_carried(found: EachCarried) -> pd.DataFrame:
    """Return a row for each head: both answers' chances with it carried over, and what would be written."""
    rows = [
        {
            t("layer"): number,
            t("head"): head,
            t("chance of “{word}”").format(word=found.answer.label): round(float(site.chance[head]), 5),
            t("chance of “{word}”").format(word=found.carried.label): round(float(site.carried_chance[head]), 5),
            t("would write"): site.likeliest[head][0].label,
        }
        for number, site in enumerate(found.effects.sites)
        for head in range(len(site.chance))
    ]
    return pd.DataFrame(rows)
