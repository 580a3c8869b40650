"""A document goes to the queue in small pieces; rows that fail are marked and the others go on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.inference.search.decode import Hypothesis
from explorer.inference.search.streaming import Event, SentenceDone
from explorer.inference.translator.translate import LoadedTranslator, load
from explorer.lessons.translator import Params, sentences
from explorer.lessons.translator.documents import AT_THE_DESK, Document, Row, describe_document
from explorer.service.translation.messages import TranslationRequest
from explorer.service.translation.process import BatchFailed, LocalWorker
from explorer.service.translation.queue import TranslationQueue
from tests.checkpoints.conftest import tiny_model, tiny_tokenizer, write


class Copying(LocalWorker):
    """Copies the source; fails where it is told to."""

    sizes: list[int] = []  # noqa: RUF012 - cleared by the fixture
    fails: frozenset[tuple[int, ...]] = frozenset()

    def translate(self, requests: tuple[TranslationRequest, ...]) -> Iterator[Event]:
        self.sizes.append(len(requests))
        if any(each.source in self.fails for each in requests):
            raise BatchFailed("no luck")
        for number, each in enumerate(requests):
            yield SentenceDone(number, (Hypothesis(ids=each.source, log_probability=-1.0, score=-1.0, finished=True),))


@pytest.fixture(scope="module")
def translator(tmp_path_factory: pytest.TempPathFactory) -> LoadedTranslator:
    folder = tmp_path_factory.mktemp("documents") / "tiny"
    write(folder, tiny_model(tiny_tokenizer().vocab_size))
    return load(str(folder))


@pytest.fixture
def queue() -> Iterator[TranslationQueue]:
    Copying.sizes, Copying.fails = [], frozenset()
    made = TranslationQueue(Copying)
    yield made
    made.close()


def params(translator: LoadedTranslator) -> Params:
    return Params(checkpoint=translator.name)


def to_the_end(document: Document) -> None:
    for _ in range(200):
        document.walk_on(0.2)
        if document.done == document.total:
            return
    raise AssertionError("it did not end")


def test_every_row_keeps_its_place_and_sentences_of_a_row_are_joined(
    translator: LoadedTranslator, queue: TranslationQueue
) -> None:
    texts = ["The cat. The dog!", "", "  ", *(f"A dog {number}." for number in range(60)), "\u200b"]
    document = Document(params(translator), texts, queue)
    to_the_end(document)
    assert [row.target for row in document.rows] == [text.strip() for text in (*texts[:-1], "")]
    assert [row.state for row in document.rows[:4]] == ["done", "empty", "empty", "done"]
    assert max(Copying.sizes) <= AT_THE_DESK


def test_a_row_that_fails_is_marked_and_the_others_go_on(translator: LoadedTranslator, queue: TranslationQueue) -> None:
    document = Document(params(translator), ["A cat.", "word " * 400, "A dog."], queue)
    to_the_end(document)
    assert [row.state for row in document.rows] == ["done", "failed", "done"]
    assert "sub-words" in document.rows[1].note()
    assert document.failed == 1


def test_a_row_of_more_clauses_than_may_wait_keeps_no_other_back(
    translator: LoadedTranslator, queue: TranslationQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sentences, "MOST_CLAUSES", 2)
    document = Document(params(translator), ["A cat.", "A cat. " * 3, "A dog."], queue)
    to_the_end(document)
    assert [row.state for row in document.rows] == ["done", "failed", "done"]
    assert "3 clauses, and at most 2" in document.rows[1].note()


def test_what_the_desk_could_not_do_is_tried_again_on_demand(
    translator: LoadedTranslator, queue: TranslationQueue
) -> None:
    document = Document(params(translator), ["A cat.", "A dog."], queue)
    source = (*translator.tokenizer.encode("A cat."), translator.tokenizer.eos_id)
    Copying.fails = frozenset({source})
    to_the_end(document)
    assert [row.state for row in document.rows] == ["failed", "done"]  # though they shared a batch
    assert "could not be translated" in document.rows[0].note()
    Copying.fails = frozenset()
    document.go_on()
    to_the_end(document)
    assert [row.target for row in document.rows] == ["A cat.", "A dog."]


def test_it_stops_goes_on_and_leaves_nothing_behind(translator: LoadedTranslator, queue: TranslationQueue) -> None:
    document = Document(params(translator), [f"A cat {number}." for number in range(50)], queue)
    document.walk_on(1.0)
    document.stop()
    reached = document.done
    assert 0 < reached < 50
    document.walk_on(0.1)
    assert document.done == reached
    assert not queue._waiting
    document.go_on()
    to_the_end(document)
    assert document.rows[49].target == "A cat 49."
    document.stop()
    assert Path(translator.name).is_dir()


def test_a_full_desk_is_waited_for(translator: LoadedTranslator) -> None:
    full = TranslationQueue(Copying, most_waiting=0)
    document = Document(params(translator), ["A cat."], full)
    document.walk_on(0.05)
    assert document.rows[0].state == "waiting"
    full._most_waiting = 5
    to_the_end(document)
    assert document.rows[0].state == "done"
    full.close()
    late = Document(params(translator), ["A bird."], full)
    to_the_end(late)
    assert "shutting down" in late.rows[0].note()


@pytest.mark.parametrize(("n", "said"), [(1, "**1** row, not translated yet."), (2, "**2** rows, none of them")])
def test_a_document_of_one_row_is_no_plural(n: int, said: str) -> None:
    assert describe_document([Row(source="a", state="waiting")] * n).startswith(said)
