"""The queue with real processes: the same translations, and none of them is left behind whatever ends."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.inference.search.batching import decode_all
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.translator.translate import LoadedTranslator, encode_source, load
from explorer.service.translation import worker
from explorer.service.translation.messages import TranslationRequest
from explorer.service.translation.process import LocalWorker
from explorer.service.translation.queue import TranslationQueue
from explorer.service.translation.ticket import QueueRefused
from tests.checkpoints.conftest import tiny_model, tiny_tokenizer, write
from tests.conftest import ROOT

OPTIONS = DecodingOptions(beam=2, max_length=24)
TEXTS = ["The cat saw the dog.", "The dog.", "saw cat the dog"]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> LoadedTranslator:
    folder = tmp_path_factory.mktemp("queue") / "tiny"
    write(folder, tiny_model(tiny_tokenizer().vocab_size))
    return load(str(folder))


@pytest.fixture(scope="module")
def queue() -> Iterator[TranslationQueue]:
    made = TranslationQueue()
    yield made
    made.close()


def requests(translator: LoadedTranslator, texts: list[str] = TEXTS) -> list[TranslationRequest]:
    sources = [tuple(encode_source(translator, text)) for text in texts]
    revision = translator.manifest.revision
    return [
        TranslationRequest(checkpoint=translator.name, revision=revision, source=each, options=OPTIONS)
        for each in sources
    ]


def workers(queue: TranslationQueue) -> list[int]:
    return [worker._process._process.pid for worker in queue._workers]


def gone(pid: int) -> bool:
    for _ in range(200):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("kind", ["process", "local"])
def test_a_worker_finds_what_decoding_here_finds(queue: TranslationQueue, tiny: LoadedTranslator, kind: str) -> None:
    here = [decode_all(tiny.prepared, [list(each.source)], OPTIONS)[0] for each in requests(tiny)]
    used = queue if kind == "process" else TranslationQueue(LocalWorker)
    with used.submit(requests(tiny)) as ticket:
        while not ticket.wait(1.0):
            pass
        answers = ticket.answers()
    assert [[each.ids for each in answer.hypotheses] for answer in answers] == [[e.ids for e in each] for each in here]
    for answer, expected in zip(answers, here, strict=True):
        assert [each.score for each in answer.hypotheses] == pytest.approx([each.score for each in expected], abs=1e-4)
    if kind == "local":
        used.close()


def idle(queue: TranslationQueue, tiny: LoadedTranslator, text: str) -> int:
    """The process of a worker that has answered, and has nothing to do."""
    with queue.submit(requests(tiny, [text])) as ticket:
        while not ticket.wait(1.0):
            pass
    while queue._at:  # until the worker has said that the batch is over
        time.sleep(0.01)
    (pid,) = workers(queue)
    return pid


def answered(queue: TranslationQueue, tiny: LoadedTranslator, text: str) -> bool:
    with queue.submit(requests(tiny, [text])) as ticket:
        while not ticket.wait(1.0):
            pass
        return bool(ticket.answers())


def test_a_worker_that_is_killed_before_anything_came_is_replaced_and_the_answer_comes(
    queue: TranslationQueue, tiny: LoadedTranslator
) -> None:
    before = idle(queue, tiny, "the cat")
    os.kill(before, signal.SIGSTOP)  # so that it is in flight when it is killed
    with queue.submit(requests(tiny, ["the cat saw"])) as ticket:
        while not queue._at:
            time.sleep(0.01)
        os.kill(before, signal.SIGKILL)
        while not ticket.wait(1.0):
            pass
        assert ticket.answers()
    assert workers(queue) != [before]
    assert gone(before)


def test_a_worker_that_died_idle_costs_nobody_an_answer(queue: TranslationQueue, tiny: LoadedTranslator) -> None:
    before = idle(queue, tiny, "saw the cat")
    os.kill(before, signal.SIGKILL)
    assert gone(before)
    assert answered(queue, tiny, "dog saw the cat")
    assert workers(queue) != [before]


def test_a_worker_that_died_idle_leaves_no_trace_though_nobody_asks(
    queue: TranslationQueue, tiny: LoadedTranslator
) -> None:
    before = idle(queue, tiny, "dog dog saw")
    os.kill(before, signal.SIGKILL)
    for _ in range(500):
        if not Path(f"/proc/{before}").exists():
            break
        time.sleep(0.02)
    assert not Path(f"/proc/{before}").exists()
    assert answered(queue, tiny, "dog cat saw")


def test_a_checkpoint_that_is_not_there_is_a_failure_and_the_next_works(
    queue: TranslationQueue, tiny: LoadedTranslator
) -> None:
    wrong = TranslationRequest(checkpoint="nowhere", revision="", source=(5, 2), options=OPTIONS)
    with queue.submit([wrong]) as ticket:
        while not ticket.wait(1.0):
            pass
        with pytest.raises(QueueRefused, match="nowhere") as refused:
            ticket.answers()
    assert refused.value.reason == "failed"
    with queue.submit(requests(tiny, ["dog dog"])) as ticket:
        while not ticket.wait(1.0):
            pass
        assert ticket.answers()


def test_closing_leaves_no_process_thread_or_descriptor(tiny: LoadedTranslator) -> None:
    if not Path("/proc/self/fd").is_dir():
        pytest.skip("descriptors are counted under /proc")
    before = len(list(Path("/proc/self/fd").iterdir()))
    made = TranslationQueue()
    with made.submit(requests(tiny, ["the dog saw"])) as ticket:
        while not ticket.wait(1.0):
            pass
    (pid,) = workers(made)
    made.close()
    assert gone(pid)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_worker_does_not_outlive_a_server_that_is_killed() -> None:
    script = (
        "import time; from explorer.service.translation.process import ProcessWorker;"
        " worker = ProcessWorker(); print(worker._process._process.pid, flush=True); time.sleep(60)"
    )
    server = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    pid = int(server.stdout.readline())
    server.kill()
    server.wait()
    server.stdout.close()
    for _ in range(100):
        if gone(pid):
            break
    assert gone(pid)


def test_a_worker_here_loads_a_model_before_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[str] = []
    monkeypatch.setattr(worker, "load", found.append)
    LocalWorker().ready("some")
    assert found == ["some"]


def test_a_model_that_cannot_be_loaded_ends_no_thread(tiny: LoadedTranslator) -> None:
    used = TranslationQueue(LocalWorker)
    try:
        used.warm("/nowhere", "r")
        with used.submit(requests(tiny)) as ticket:
            while not ticket.wait(1.0):
                pass
            assert len(ticket.answers()) == len(TEXTS)
    finally:
        used.close()
