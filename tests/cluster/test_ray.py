"""Workers on a real Ray of this machine, two replicas of what is killed: what they say, and what a kill takes."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from explorer.checkpoints.hub import locate
from explorer.inference.lab.snapshots import snapshot
from explorer.inference.search.batching import decode_all
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.translator.request import CHECKPOINT
from explorer.inference.translator.translate import LoadedTranslator, encode_source, load
from explorer.opened.queue import ModelQueue, start_here
from explorer.opened.refused import ModelRefused
from explorer.records.opened.look import ModelLook
from explorer.service.cluster import VARIABLE, Cluster, ClusterProcess, cluster as cluster_here
from explorer.service.lab.elsewhere import LOST, ClusterTraining
from explorer.service.lab.process import LabRun
from explorer.service.translation.messages import TranslationRequest
from explorer.service.translation.process import ClusterWorker
from explorer.service.translation.queue import TranslationQueue
from explorer.service.translation.ticket import Ticket
from tests.conftest import ROOT
from tests.opened import tiny
from tests.service.lab.helpers import LONG, TINY
from tests.support.browser import free_port
from tests.support.waiting import until

pytestmark = pytest.mark.skipif(find_spec("ray") is None, reason="no Ray: pip install 'ray[serve]'")
#: The same for both sides: `decode_all` here says what is right.
OPTIONS = DecodingOptions(beam=2, max_length=40)
SENTENCES = [
    f"{who} {does} {what}."
    for who in ("The old doctor", "My little sister", "Nobody in this village", "Our new neighbour")
    for does in ("has never read", "would like to buy", "often talks about", "has forgotten")
    for what in ("the letter that came yesterday", "a house by the sea")
]


def deadline(seconds: float, what: str) -> Iterator[None]:
    """Go round until the time is over."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        yield
        time.sleep(0.2)
    pytest.fail(f"not in {seconds:.0f} s: {what}")


def replicas(name: str) -> set[int]:
    """Process numbers of the replicas of a deployment."""
    found = set()
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if folder.name.isdecimal() and f"ServeReplica:{name}:".encode() in (folder / "cmdline").read_bytes():
                found.add(int(folder.name))
    return found


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """The deployments of `deploy/cluster.yaml`, on two pretended cores of this machine."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    wanted = yaml.safe_load((ROOT / "deploy" / "cluster.yaml").read_text("utf8"))
    wanted["http_options"] = {"host": "127.0.0.1", "port": port}
    for application in wanted["applications"]:
        (deployment,) = application["deployments"]
        del deployment["autoscaling_config"]
        deployment["num_replicas"] = 1 if application["name"] == "models" else 2
        deployment["ray_actor_options"] = {"num_cpus": 0.1}
    file = tmp_path_factory.mktemp("cluster") / "cluster.yaml"
    file.write_text(yaml.safe_dump(wanted))
    log = file.with_suffix(".log")
    told = {**os.environ, "PYTHONPATH": str(ROOT), "RAY_USAGE_STATS_ENABLED": "0", "EXPLORER_DEVICE": "cpu"}
    told.pop(VARIABLE, None)
    command = [Path(sys.executable).with_name("serve"), "run", file]
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=ROOT, env=told, stdout=out, stderr=out, start_new_session=True)
    try:
        for _ in deadline(400, f"a cluster that serves, see {log}"):
            assert process.poll() is None, log.read_text()
            with contextlib.suppress(OSError, ValueError), urllib.request.urlopen(f"{address}/-/routes") as routes:
                if len(json.load(routes)) == 3 and len(replicas("translation")) == len(replicas("lab")) == 2:
                    break
        yield Cluster(address)
    finally:
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(60)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def translator() -> LoadedTranslator:
    return load(locate(CHECKPOINT))


@pytest.fixture
def queue(cluster: Cluster) -> Iterator[TranslationQueue]:
    made = TranslationQueue(lambda: ClusterWorker(cluster), n_workers=3)
    yield made
    made.close()


def requests(translator: LoadedTranslator, texts: list[str]) -> list[TranslationRequest]:
    return [
        TranslationRequest(
            checkpoint=locate(CHECKPOINT),
            revision=translator.manifest.revision,
            source=tuple(encode_source(translator, text)),
            options=OPTIONS,
        )
        for text in texts
    ]


def wait(ticket: Ticket) -> None:
    while not ticket.wait(1.0):
        pass


def test_a_replica_finds_what_decoding_here_finds_and_says_what_it_writes(
    queue: TranslationQueue, translator: LoadedTranslator
) -> None:
    wanted = requests(translator, SENTENCES[:2])
    partly = set()
    with queue.submit(wanted) as ticket:
        while not ticket.wait(1.0):
            partly.add(ticket.so_far()[0])
        answers = ticket.answers()
    here = [decode_all(translator.prepared, [list(each.source)], OPTIONS)[0] for each in wanted]
    assert [answer.hypotheses[0].ids for answer in answers] == [each[0].ids for each in here]
    assert len(partly - {()}) > 1  # the reader saw it grow
    assert all(worker._there._here is None for worker in queue._workers)


def test_a_replica_that_is_killed_under_load_takes_nothing_with_it(
    queue: TranslationQueue, translator: LoadedTranslator
) -> None:
    before = replicas("translation")
    assert len(before) == 2
    wanted = requests(translator, SENTENCES)
    with contextlib.ExitStack() as opened:
        tickets = [opened.enter_context(queue.submit([each], owner=str(n))) for n, each in enumerate(wanted)]
        for _ in deadline(60, "the first translation"):
            if any(ticket.done for ticket in tickets):
                break
        killed = min(before)
        os.kill(killed, signal.SIGKILL)
        assert not all(ticket.done for ticket in tickets)
        for ticket in tickets:
            wait(ticket)
        found = [ticket.answers()[0].hypotheses[0].ids for ticket in tickets]
    for _ in deadline(120, "a new replica"):
        if len(replicas("translation") - {killed}) == 2:
            break
    here = [decode_all(translator.prepared, [list(each.source)], OPTIONS)[0] for each in wanted]
    assert found == [each[0].ids for each in here]


def test_opened_models_are_looked_at_by_a_replica_and_by_the_next_if_it_is_killed(
    cluster: Cluster, tmp_path: Path
) -> None:
    folder = tiny.save(tmp_path / "tiny-llama", "llama", tiny.OWN["llama"])
    queue = ModelQueue(lambda: ClusterProcess(cluster, "models", start_here))
    try:
        look = queue.ask("look", folder=str(folder), text=tiny.TEXT, patience_s=90)
        with pytest.raises(ModelRefused) as refused:
            queue.ask("look", folder=str(folder), text="", patience_s=90)
        assert refused.value.reason != "lost"
        assert isinstance(queue._worker, ClusterProcess)
        assert queue._worker._here is None
        for pid in replicas("models"):
            os.kill(pid, signal.SIGKILL)
        again = queue.ask("look", folder=str(folder), text=tiny.TEXT, patience_s=90)
        assert isinstance(again, ModelLook)
        assert again.rules == look.rules
    finally:
        queue.close()


def there(run: LabRun) -> bool:
    return isinstance(run._process, ClusterTraining) and run._process._held.here is None


def test_two_runs_train_on_two_replicas_and_one_that_is_killed_takes_its_own_alone(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, f"http://{cluster._host}:{cluster._port}")
    cluster_here.cache_clear()
    runs = [LabRun.start(LONG) for _ in range(2)]
    try:
        for run in runs:
            run.pause()
        until(lambda: all(run.progress().phase == "paused" for run in runs), 120)
        steps = [run.progress().step for run in runs]
        for run in runs:
            run.go_on()
        until(lambda: all(run.progress().step > step + 5 for run, step in zip(runs, steps, strict=True)), 60)
        assert all(map(there, runs))
        for run in runs:
            assert snapshot(run.folder, run.progress().snapshots[-1]).prepared
        os.kill(min(replicas("lab")), signal.SIGKILL)
        until(lambda: any(run.ended for run in runs), 60)
        (lost,) = [run for run in runs if run.ended]
        (kept,) = [run for run in runs if not run.ended]
        assert (lost.progress().phase, lost.progress().reason) == ("failed", LOST)
        step = kept.progress().step
        until(lambda: kept.progress().step > step + 5, 60)
        kept.stop()
        until(lambda: kept.ended, 60)
        assert kept.progress().phase == "stopped"
        assert snapshot(kept.folder, kept.progress().step).prepared
        again = LabRun.start(TINY)
        runs.append(again)
        until(lambda: again.ended, 120)
        assert (again.progress().phase, again.progress().step, there(again)) == ("done", TINY.steps, True)
    finally:
        for run in runs:
            run.close()
        cluster_here.cache_clear()
