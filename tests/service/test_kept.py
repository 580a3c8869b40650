"""Results are kept for whoever asks next: within their bytes, the least recently used go first, no reader fills all."""

import ast
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import plotly.graph_objects as go
import pytest
import torch

from explorer.service import kept as module
from explorer.service.kept import SHARE, Kept, made_once, size_of
from tests.conftest import ROOT

MEGABYTE = 1_000_000


def array(megabytes: float = 1.0) -> np.ndarray:
    return np.zeros(int(megabytes * MEGABYTE), np.uint8)


def fill(room: Kept, *keys: object, megabytes: float = 1.0) -> None:
    for key in keys:
        room.once(key, lambda: array(megabytes))


def there(room: Kept, *keys: object) -> list[object]:
    return [key for key in keys if key in room._entries]


@pytest.mark.parametrize("seed", range(20))
def test_whoever_asks_for_whatever_the_bytes_suffice(seed: int) -> None:
    chance, asks = np.random.default_rng(seed), [""]
    room = Kept(10 * MEGABYTE, lambda: asks[0])
    for _ in range(300):
        asks[0] = str(chance.integers(6))
        fill(room, int(chance.integers(100)), megabytes=float(chance.exponential(0.4)))
        assert room.n_bytes <= room.most_bytes
        assert room.n_bytes == sum(each.size for each in room._entries.values()) == sum(room._filled.values())
        assert max(room._filled.values(), default=0) <= room.most_bytes // SHARE


def test_the_least_recently_used_goes() -> None:
    asks = [""]
    room = Kept(8 * MEGABYTE, lambda: asks[0])
    for number in range(7):
        asks[0] = str(number)
        fill(room, number)
    asks[0] = "another"
    fill(room, 0)
    fill(room, "new")
    assert there(room, 0, 1, 2, "new") == [0, 2, "new"]


def test_who_fills_their_part_loses_their_own() -> None:
    asks = ["one"]
    room = Kept(8 * MEGABYTE, lambda: asks[0])
    fill(room, "theirs")
    asks[0] = "two"
    fill(room, *range(50), megabytes=0.9)
    assert there(room, "theirs", *range(50)) == ["theirs", 48, 49]


def test_what_is_too_large_is_returned_and_not_kept() -> None:
    room = Kept(4 * MEGABYTE)
    fill(room, "small", megabytes=0.5)
    assert len(room.once("large", lambda: array(3))) == 3 * MEGABYTE
    assert there(room, "small", "large") == []  # of one reader; they have filled it
    assert room.n_bytes == 0


def test_all_who_ask_at_once_get_one() -> None:
    room, made = Kept(MEGABYTE), []

    def make() -> object:
        time.sleep(0.05)
        made.append(object())
        return made[-1]

    with ThreadPoolExecutor(8) as pool:
        found = {id(each) for each in pool.map(lambda _: room.once("key", make), range(8))}
    assert len(made) == len(found) == 1
    assert not room._making


def test_an_error_is_not_kept_and_none_is() -> None:
    room, asked = Kept(MEGABYTE), []

    def fail() -> None:
        asked.append(1)
        if len(asked) == 1:
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        room.once("key", fail)
    assert room.once("key", fail) is room.once("key", fail) is None
    assert len(asked) == 2


def test_what_is_made_may_ask_for_more() -> None:
    room = Kept(MEGABYTE)
    assert room.once("outer", lambda: room.once("inner", lambda: 3) + 1) == 4
    assert there(room, "outer", "inner") == ["outer", "inner"]


def test_a_function_keeps_by_its_arguments_and_forgets_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Kept(MEGABYTE)
    monkeypatch.setattr(module, "list_kept", lambda: room)

    @made_once
    def one(number: int, *, more: int = 0) -> object:
        return object()

    @made_once
    def other(number: int) -> object:
        return object()

    assert one(1) is one(1) is not one(2)
    assert one(1, more=1) is one(1, more=1) is not one(1)
    first, others = one(1), other(1)
    one.cache_clear()  # type: ignore[attr-defined]
    assert one(1) is not first
    assert other(1) is others


@pytest.mark.parametrize(
    ("value", "least"),
    [
        (array(), MEGABYTE),
        (array()[:10], MEGABYTE),  # a view keeps what it looks at
        (torch.zeros(MEGABYTE, dtype=torch.uint8), MEGABYTE),
        (torch.zeros(MEGABYTE, dtype=torch.uint8)[:10], MEGABYTE),
        (torch.zeros(MEGABYTE, dtype=torch.uint8).numpy(), MEGABYTE),
        ({"a": [(array(0.5), "x" * 500_000)]}, MEGABYTE),
        (SimpleNamespace(deep=SimpleNamespace(deeper=[array()])), MEGABYTE),
        (go.Figure(go.Scatter(x=array(), y=array())), 2 * MEGABYTE),
        ([float(each) for each in range(100_000)], 100_000 * 32),
    ],
)
def test_a_size_is_about_what_memory_it_takes(value: object, least: int) -> None:
    assert least <= size_of(value) <= 1.1 * least + 150_000


def test_what_two_results_share_counts_once_within_one_and_models_never() -> None:
    same = array()
    assert size_of([same, same, same[1:]]) < 1.1 * MEGABYTE
    whole = torch.zeros(MEGABYTE, dtype=torch.uint8)
    assert size_of([whole[:5], whole[5:]]) < 1.1 * MEGABYTE

    class Model:
        SHARED = True
        weights = array()

    assert size_of([Model(), np.zeros, Model]) < 2000


@pytest.mark.parametrize(("said", "most"), [("", 1_000_000_000), ("64", 64_000_000), ("0.5", 500_000)])
def test_an_owner_says_how_much(said: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(module.VARIABLE, said)
    assert module.list_kept.__wrapped__().most_bytes == most


def test_a_hit_waits_for_nobody_who_computes() -> None:
    room, inside, go_on = Kept(MEGABYTE), threading.Event(), threading.Event()
    room.once("there", object)

    def slow() -> bool:
        inside.set()
        return go_on.wait(30)

    with ThreadPoolExecutor(1) as pool:
        computing = pool.submit(room.once, "slow", slow)
        assert inside.wait(30)
        assert room.once("there", object) is room.find("there")
        assert not computing.done()
        go_on.set()


#: Bounded by number because what they keep follows no reader's input: constants, files, models, sources.
BY_NUMBER = {
    "lessons/architectures/live/sizes.py:counts": "eight quantities",
    "lessons/efficient_attention/records/files.py:loads": "measured files of the project",
    "lessons/positional_encoding/trained_decoders.py:decay": "five decoders",
    "lessons/scoring_functions/rules.py:train_rule": "three rules",
    "lessons/seq2seq_attention/lab.py:_held_out": "the tasks of the lab",
    "lessons/text_generation/state.py:_kind": "a word for each vocabulary",
    "lessons/training_lab/compute.py:_n_parameters": "a number for each shape",
    "ui/card_picture.py:_image": "the cards",
    "ui/language.py:_prose": "the prose",
    "ui/layout.py:_source": "the code",
    "ui/meaning.py:_reader": "the languages of the translators that ship",
    "ui/scene/style.py:sheet": "the sheets",
    "ui/paper/written.py:templates": "folders of templates",
    "ui/scripts.py:preloads": "the lessons",
    "ui/server_setup.py:_lessons": "a number",
    "ui/server_setup.py:_settle": "nothing",
    "lessons/efficient_attention/task.py:_exact": "one",
}


def test_no_lesson_keeps_by_number_what_follows_a_readers_input() -> None:
    found = set()
    for path in sorted((ROOT / "explorer").glob("lessons/**/*.py")) + sorted((ROOT / "explorer").glob("ui/**/*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf8"))):
            if isinstance(node, ast.FunctionDef) and node.args.args:
                decorators = " ".join(map(ast.unparse, node.decorator_list))
                if any(each in decorators for each in ("lru_cache", "functools.cache", "cache_resource", "cache_data")):
                    found.add(f"{path.relative_to(ROOT / 'explorer').as_posix()}:{node.name}")
    assert found == BY_NUMBER.keys()
