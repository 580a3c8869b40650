"""The training loop of the translator: one process or many, and the same run after an interruption."""

import copy
import csv
import dataclasses
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from tqdm import tqdm

from explorer.data.pairs import Batch, EpochSource, collate
from explorer.models.seq2seq import Seq2Seq
from explorer.models.translator import Translator
from explorer.training.config import TrainingConfig
from explorer.training.loss import Objective
from explorer.training.process import rank, world
from explorer.training.schedule import Schedule
from explorer.training.state import load_state, save_state

HISTORY = ("step", "epoch", "minutes", "train_loss", "dev_loss", "dev_bleu", "tokens_per_second", "learning_rate")
#: Steps between looks at the clock.
REPLAN_EVERY = 50

#: Measures the averaged model: loss and BLEU on held-out pairs.
Evaluate = Callable[[Any], tuple[float, float]]


class Run:
    """A training run: where it stands, and the moving average of its weights.

    The order of the pairs, their sub-words and the dropout of a step depend on seed, step and process alone, so that
    a resumed run continues bit for bit (on the same number of processes and threads). From the first epoch that begins
    in the decay on, words are cut as the tokenizer cuts them, as they will be when the model is used.

    Args:
        model: is trained in place.
        pairs: gives the batches.
        config: the course.
        folder: of state and history; is made by the first report.
        evaluate: measures the average at every report.
        objective: model and loss; the translator's if not given.
    """

    def __init__(
        self,
        model: Translator | Seq2Seq,
        pairs: EpochSource,
        config: TrainingConfig,
        folder: Path,
        evaluate: Evaluate,
        objective: nn.Module | None = None,
    ) -> None:
        self.model, self.pairs, self.config, self.folder, self.evaluate = model, pairs, config, folder, evaluate
        self.averaged = copy.deepcopy(model).eval().requires_grad_(False)
        self.optimizer = torch.optim.Adam(model.parameters(), lr=0.0, betas=(0.9, 0.98), eps=1e-9, fused=True)
        if objective is None:
            assert isinstance(model, Translator)
            objective = Objective(model, smoothing=config.smoothing, bf16=config.bf16)
        self.objective: nn.Module = DistributedDataParallel(objective) if world() > 1 else objective
        self.step = self.epoch = self.batch = 0
        self.calm = False
        self.minutes_before = 0.0
        self.schedule = self._schedule(config.steps if config.minutes is None else 1 << 40)

    def resume(self) -> None:
        """Continue from the folder's state. A decay that has begun keeps its start; its end may be another one.

        Raises:
            ResumeError: there is no usable state.
        """
        facts = load_state(self.folder, self.model, self.averaged, self.optimizer)
        self.step, self.epoch, self.batch = facts["step"], facts["epoch"], facts["batch"]
        self.minutes_before, self.calm = facts["minutes"], facts.get("calm", False)
        before = Schedule(**facts["schedule"])
        if self.config.minutes is not None:
            self.schedule = before
        elif self.step > before.decay_from:
            self.schedule = dataclasses.replace(self.schedule, decay_from=before.decay_from)

    def train(self) -> None:
        """Train to the end of the schedule."""
        self.model.train()
        self.started, self.first = time.monotonic(), self.step
        self._begin_stretch()
        with tqdm(initial=self.step, unit=" steps", disable=rank() > 0, mininterval=5) as bar:
            for batch, share, n_tokens in self._batches():
                if self.step >= self.schedule.horizon:
                    break
                self._advance(batch, share, n_tokens)
                bar.update()
                if self.step % REPLAN_EVERY == 0:
                    self._replan()
                    self._show(bar)
                if self.step % self.config.report_every == 0 or self.step >= self.schedule.horizon:
                    self._report()

    def _schedule(self, horizon: int) -> Schedule:
        decay_from = round(horizon * (1 - self.config.decay_share))
        return Schedule(
            peak=self.config.learning_rate, warmup=self.config.warmup, horizon=horizon, decay_from=decay_from
        )

    def _batches(self) -> Iterator[tuple[Batch, float, int]]:
        """This process's part of each batch, its weight (0 if the batch is too small to share), all target tokens."""
        device = self.model.embedding.weight.device
        while True:
            source, target = self.pairs.epoch(self.epoch, calm=self.calm)
            order = self.pairs.batches(self.epoch, tokens_per_batch=self.config.tokens_per_batch, calm=self.calm)
            lengths = target[1][1:] - target[1][:-1]
            for rows in order[self.batch :]:
                mine = rows[rank() :: world()]
                batch = collate(source, target, mine if len(mine) else rows[:1], self.pairs)
                yield batch.to(device), float(len(mine) > 0), int((lengths[rows] + 1).sum())
            self.epoch, self.batch = self.epoch + 1, 0
            self.calm = self.step >= self.schedule.decay_from

    def _advance(self, batch: Batch, share: float, n_tokens: int) -> None:
        """One step of Adam, and of the average that follows it."""
        torch.manual_seed((self.config.seed * 1_000_003 + self.step) * 64 + rank())
        for group in self.optimizer.param_groups:
            group["lr"] = self.schedule.rate(self.step)
        loss = self.objective(batch) * share
        self.optimizer.zero_grad()
        (loss * (world() / n_tokens)).backward()  # DDP takes the mean over processes
        self.optimizer.step()
        decay = min(self.config.average_decay, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            torch._foreach_lerp_(list(self.averaged.parameters()), list(self.model.parameters()), 1 - decay)
        self.loss_sum += float(loss.detach())
        self.n_tokens += n_tokens
        self.step += 1
        self.batch += 1

    def _begin_stretch(self) -> None:
        self.loss_sum, self.n_tokens, self.since = 0.0, 0, time.monotonic()

    def _replan(self) -> None:
        """With a limit in minutes: move the horizon to where the speed so far leads, until the decay has begun."""
        if self.config.minutes is None or self.step >= self.schedule.decay_from:
            return
        elapsed = time.monotonic() - self.started
        left = self.config.minutes * 60 - elapsed
        horizon = torch.tensor(self.step + max(1, round(left * (self.step - self.first) / elapsed)))
        if world() > 1:
            horizon = horizon.to(self.model.embedding.weight.device)
            dist.broadcast(horizon, src=0)
        self.schedule = self._schedule(int(horizon))

    def _show(self, bar: "tqdm[Any]") -> None:
        bar.total = self.schedule.horizon
        speed = self.n_tokens / (time.monotonic() - self.since)
        bar.set_postfix(loss=f"{world() * self.loss_sum / self.n_tokens:.3f}", tokens_per_second=f"{speed:.0f}")

    def _report(self) -> None:
        """Measure the average, write a row of history, save the state; the other processes wait."""
        loss_sum = torch.tensor(self.loss_sum, device=self.model.embedding.weight.device)
        if world() > 1:
            dist.all_reduce(loss_sum)
        seconds = time.monotonic() - self.since
        if rank() == 0:
            dev_loss, dev_bleu = self.evaluate(self.averaged)
            minutes = self.minutes_before + (time.monotonic() - self.started) / 60
            speed, rate = self.n_tokens / seconds, self.schedule.rate(self.step - 1)
            train_loss = float(loss_sum) / self.n_tokens
            numbers = f"{minutes:.2f} {train_loss:.4f} {dev_loss:.4f} {dev_bleu:.2f} {speed:.0f} {rate:.2e}"
            self._write_history([str(self.step), str(self.epoch), *numbers.split()])
            save_state(self.folder, self.model, self.averaged, self.optimizer, self._facts(minutes))
        if world() > 1:
            dist.barrier()
        self._begin_stretch()

    def _facts(self, minutes: float) -> dict[str, Any]:
        where = {"step": self.step, "epoch": self.epoch, "batch": self.batch, "calm": self.calm, "minutes": minutes}
        return {
            **where,
            "schedule": dataclasses.asdict(self.schedule),
            "training": dataclasses.asdict(self.config),
        }

    def _write_history(self, row: list[str]) -> None:
        """Append a row; rows beyond it, of a run that was killed after its last saved state, are dropped."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / "history.csv"
        kept = list(csv.reader(path.read_text().splitlines()))[1:] if path.exists() else []
        rows = [HISTORY, *(old for old in kept if int(old[0]) < self.step), row]
        with path.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)
        tqdm.write("  ".join(f"{name} {value}" for name, value in zip(HISTORY, row, strict=True)))
