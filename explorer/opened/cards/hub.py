"""Models of the Hugging Face Hub: known by a commit, weighed before weights are fetched, checked afterwards."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from explorer.checkpoints.manifest import MANIFEST, read_manifest
from explorer.opened.cards import card, configuration, hub_files, our_card, weights_header
from explorer.opened.cards.hub_files import HubFile, fetch_file
from explorer.opened.cards.weights_header import INDEX, WEIGHTS, Counted
from explorer.opened.limits import MEGABYTE, Limits, check, limits
from explorer.opened.refused import ModelRefused
from explorer.records.opened.card import ModelCard

#: `org/name`, and a branch, tag or commit after `@`.
ADDRESS = re.compile(r"(?P<repo>[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95})(@(?P<revision>[\w./-]{1,100}))?")
#: Fetched beside the weights; no other file ever is.
TEXTS = (MANIFEST, "config.json", "tokenizer.json", "tokenizer_config.json", "preprocessor_config.json", "README.md")
#: Sub-words of a Marian translator; fetched where the first is there.
SENTENCE_PIECES = ("source.spm", "target.spm", "vocab.json")
#: Bytes of the largest of these.
MOST_TEXT = 64 * MEGABYTE
_WEB = re.compile("^https://[a-z.]+/")
_COMMIT = re.compile("[0-9a-f]{40}")


@dataclass(frozen=True, slots=True, kw_only=True)
class HubModel:
    """A model at one commit, before its weights are fetched.

    Attributes:
        repo: `org/name`.
        revision: 40 hexadecimal digits.
        files: all that would be fetched.
    """

    repo: str
    revision: str
    files: tuple[HubFile, ...]
    card: ModelCard

    @property
    def size(self) -> int:
        """Return the bytes that would be fetched."""
        return sum(each.size for each in self.files)


def parse(address: str) -> tuple[str, str]:
    """Return repository and revision (`main` if none is named) of `org/name` or `org/name@revision`.

    Raises:
        ModelRefused: it is no such address.
    """
    found = ADDRESS.fullmatch(_WEB.sub("", address.strip()).rstrip("/"))
    if found is None or ".." in address:
        raise ModelRefused("not_found", model=address[:80])
    return found["repo"], found["revision"] or "main"


def resolve(address: str, bounds: Limits | None = None) -> HubModel:
    """Weigh a model, and hold it against the bounds of this server.

    Raises:
        ModelRefused: it cannot or may not be opened; nothing large has been fetched.
    """
    found = weigh(address)
    check(found.card, bounds or limits(), download=found.size)
    return found


def weigh(address: str) -> HubModel:
    """Ask the Hub what is there, read the configuration and the headers of the weights: however large they are.

    Raises:
        ModelRefused: it cannot be opened; nothing large has been fetched.
    """
    repo, revision = parse(address)
    try:
        info = hub_files.api().model_info(repo, revision=revision, files_metadata=True, timeout=hub_files.ANSWER_S)
        commit, gated, now = str(info.sha), bool(info.gated), str(info.id)
        listed = {file.name: file for file in map(hub_files.read_sibling, info.siblings or ())}
    except Exception as error:
        hub_files.explain(error, repo)
    if now != repo:
        raise ModelRefused("renamed", model=repo, now=now[:100])
    if gated:
        raise ModelRefused("gated", model=repo)
    if not _COMMIT.fullmatch(commit):
        raise ModelRefused("unreachable", what="no commit")
    ours = MANIFEST in listed and "config.json" not in listed
    named = (*TEXTS, *SENTENCE_PIECES) if SENTENCE_PIECES[0] in listed else TEXTS
    texts = [listed[name] for name in named if name in listed and (ours or name != MANIFEST)]
    weights = _weights(repo, commit, listed)
    return HubModel(repo=repo, revision=commit, files=(*texts, *weights), card=_card(repo, commit, listed, weights))


def fetch(model: HubModel, told: Callable[[int, int], None] = lambda _done, _all: None) -> Path:
    """Fetch a model's files, or find them in the cache; check each against its hash; return their folder.

    Args:
        told: is called after each file with the bytes that are there and the bytes of all.

    Raises:
        ModelRefused: the Hub did not answer in time, or a file is not what it announced; that file is thrown away.
    """
    folder, done = Path(), 0
    for file in model.files:
        folder = fetch_file(model.repo, model.revision, file)
        done += file.size
        told(done, model.size)
    return folder


def _weights(repo: str, commit: str, listed: dict[str, HubFile]) -> list[HubFile]:
    """Return the files of the weights."""
    if INDEX in listed:
        named = configuration.read_json(_text(repo, commit, listed, INDEX), weights_header.MOST_HEADER)
        names = weights_header.names_of(named)
        missing = [name for name in names if name not in listed]
        if missing:
            raise ModelRefused("broken", what=f"{missing[0][:80]} is missing")
        return [listed[INDEX], *(listed[name] for name in names)]
    if WEIGHTS not in listed:
        pickled = sorted(name for name in listed if Path(name).suffix in weights_header.PICKLED)
        raise ModelRefused("pickle", what=pickled[0]) if pickled else ModelRefused("no_weights")
    return [listed[WEIGHTS]]


def _card(repo: str, commit: str, listed: dict[str, HubFile], weights: Iterable[HubFile]) -> ModelCard:
    """Return the card: of the weights, only the headers are asked for."""
    ours = MANIFEST in listed and "config.json" not in listed
    config = {} if ours else configuration.read_json(_text(repo, commit, listed, "config.json"))
    readme = ""
    if "README.md" in listed and listed["README.md"].size < MEGABYTE:
        readme = _text(repo, commit, listed, "README.md").read_text(encoding="utf8", errors="replace")
    if not ours:
        configuration.family_of(config)  # what has no attention is refused before its headers are asked for
    files = [each for each in weights if each.name != INDEX]
    dtypes = Counter[str]()
    for file in files:
        try:
            found = hub_files.api().parse_safetensors_file_metadata(repo, file.name, revision=commit, token=False)
        except Exception as error:
            hub_files.explain(error, repo)
        dtypes.update(found.parameter_count)
    counted = Counted(sum(dtypes.values()), sum(each.size for each in files), dict(dtypes), commit)
    if ours:
        manifest = read_manifest(_text(repo, commit, listed, MANIFEST).parent)
        return replace(our_card.describe(manifest, repo, counted), revision=commit)
    pickled = tuple(sorted(name for name in listed if Path(name).suffix in weights_header.PICKLED))
    return replace(card.describe(config, name=repo, counted=counted, readme=readme, pickled=pickled), revision=commit)


def _text(repo: str, commit: str, listed: dict[str, HubFile], name: str) -> Path:
    if name not in listed:
        raise ModelRefused("broken", what=f"{name} is missing")
    if listed[name].size > MOST_TEXT:
        raise ModelRefused("number", name=name, value=listed[name].size, least=0, limit=MOST_TEXT)
    try:
        return Path(hub_files.download(repo, commit, name))
    except Exception as error:
        hub_files.explain(error, repo)
