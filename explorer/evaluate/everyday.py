"""How often a translator is wrong on sentences that somebody might type; kept in its manifest and shown in its card."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

from explorer.checkpoints.manifest import Counts, read_manifest, write_manifest
from explorer.checkpoints.package import CARD
from explorer.data.parallel.everyday import Everyday, Fault, faults, size
from explorer.data.parallel.pairs import Pair
from explorer.evaluate.translations import score

FAULTS: tuple[str, ...] = get_args(Fault)
#: The largest share of translations that may be wrong, of all and of some kinds; how long those of long ones may be.
AIMS, LENGTHS = {"all": 0.15, "numbers": 0.03, "names": 0.1}, (0.9, 1.1)
#: Headings of a card: of these counts, and of what stands after them.
HEADING, NEXT = "## Everyday sentences\n", "## Limits and intended use\n"


def count(sentences: Sequence[Everyday], translations: Sequence[str], language: str) -> dict[str, dict[str, float]]:
    """Count what is wrong with the translations of each kind of sentence, and of all."""
    kinds: dict[str, list[int]] = {}
    for position, sentence in enumerate(sentences):
        kinds.setdefault(sentence.kind, []).append(position)
    return {
        kind: _counted(
            [sentences[position] for position in rows], [translations[position] for position in rows], language
        )
        for kind, rows in {**kinds, "all": range(len(sentences))}.items()
    }


def _counted(sentences: Sequence[Everyday], translations: Sequence[str], language: str) -> dict[str, float]:
    found = [faults(sentence, said, language) for sentence, said in zip(sentences, translations, strict=True)]
    pairs = [Pair(sentence.source, sentence.references) for sentence in sentences]
    written, asked = (
        sum(size(text, language) for text in each) for each in (translations, [pair.targets[0] for pair in pairs])
    )
    return {
        "sentences": len(sentences),
        "wrong": sum(map(bool, found)),
        **{name: sum(name in each for each in found) for name in FAULTS},
        "length_ratio": round(written / max(1, asked), 2),
        "bleu": round(score(translations, pairs, language).bleu, 1),
    }


def table(counts: Counts) -> str:
    """Return a Markdown table of the counts, a row for each kind of sentence."""
    rows = [("kind", "sentences", "wrong", *FAULTS, "length ratio", "BLEU"), ("---",) * (len(FAULTS) + 5)]
    for kind, found in counts.items():
        wrong = f"{found['wrong']:.0f} ({found['wrong'] / found['sentences']:.0%})"
        last = (f"{found['length_ratio']:.2f}", f"{found['bleu']:.1f}")
        rows.append((kind, f"{found['sentences']:.0f}", wrong, *(f"{found[name]:.0f}" for name in FAULTS), *last))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def report_missed_aims(counts: Counts) -> str:
    """Say which aims were missed, and by how much."""
    shares = {kind: counts[kind]["wrong"] / counts[kind]["sentences"] for kind in AIMS if kind in counts}
    more = {kind: share for kind, share in shares.items() if share > AIMS[kind]}
    found = [f"{kind} {share:.1%} wrong (at most {AIMS[kind]:.0%})" for kind, share in more.items()]
    ratio = counts["long"]["length_ratio"] if "long" in counts else 1.0
    if not LENGTHS[0] <= ratio <= LENGTHS[1]:
        found.append(f"length ratio of long sentences {ratio:.2f} ({LENGTHS[0]}–{LENGTHS[1]})")
    return f"Aims missed: {'; '.join(found)}." if found else "Every aim is reached."


def section(name: str, everyday: Mapping[str, Counts]) -> str:
    """Return the section of a card; empty where nothing was counted."""
    if not everyday:
        return ""
    tables = "\n\n".join(
        f"{each}:\n\n{table(counts)}\n\n{report_missed_aims(counts)}" for each, counts in everyday.items()
    )
    return f"""{HEADING}
Sentences that somebody might type (`tests/data/everyday_<direction>.tsv`), never trained on, translated with beam 4 as
the page does it. A translation is wrong if what it must hold is *missing* (a number, a name, a word), if it holds what
is *forbidden*, runs in a *loop*, has less than half or more than twice the *length* of the references, or letters of a
foreign *script*. The length ratio compares all words, in Chinese all characters, with those of the first references.

{tables}

```
python -m explorer.evaluate checkpoints/{name} tests/data --everyday
```

"""


def record(folder: Path, direction: str, counts: Counts) -> None:
    """Write the counts of a direction into a checkpoint's manifest, and all that are there into its card.

    Raises:
        CheckpointError: the manifest cannot be read.
        ValueError: the card has no place for them.
    """
    manifest = read_manifest(folder)
    manifest = replace(manifest, everyday={**manifest.everyday, direction: counts})
    card = (folder / CARD).read_text(encoding="utf-8")
    before, heading, after = card.partition(NEXT)
    if not heading:
        raise ValueError(f"the card of {folder.name} has no heading {NEXT.strip()!r}")
    first, _, old = before.partition(HEADING)
    others = re.search(r"^## .*", old, re.MULTILINE | re.DOTALL)  # sections that stand between
    shown = first + section(folder.name, manifest.everyday) + (others[0] if others else "")
    write_manifest(folder, manifest)
    (folder / CARD).write_text(shown + heading + after, encoding="utf-8")
