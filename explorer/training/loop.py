"""The training loop of every recipe: one process or many, and the same run after an interruption."""

import copy
import csv
import dataclasses
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from tqdm import tqdm

from explorer.training.config import TrainingConfig
from explorer.training.loss import Diverged
from explorer.training.process import rank, world
from explorer.training.schedule import Schedule
from explorer.training.source import BatchSource, Part
from explorer.training.state import load_state, running_statistics, save_state

#: Steps between looks at the clock.
REPLAN_EVERY = 50

#: Measures the averaged model on held-out data: columns of the history by name, losses with four digits.
Evaluate = Callable[[nn.Module], Mapping[str, float]]


class Run:
    """A training run: where it stands, and the moving average of its weights.

    The order of the data, its variation and the dropout of a step depend on seed, step and process alone, so that
    a resumed run continues bit for bit (on the same number of processes and threads). From the first epoch that begins
    in the decay on, the source is calm: words are cut as the tokenizer cuts them, as when the model is used.

    Args:
        model: is trained in place.
        objective: model and loss: maps a batch to the loss summed over its tokens.
        source: gives the batches.
        config: the course.
        folder: of state and history; is made by the first report.
        evaluate: measures the average at every report.
    """

    def __init__(
        self,
        model: nn.Module,
        objective: nn.Module,
        source: BatchSource,
        config: TrainingConfig,
        folder: Path,
        evaluate: Evaluate,
    ) -> None:
        self.model, self.source, self.config, self.folder, self.evaluate = model, source, config, folder, evaluate
        self.device = next(model.parameters()).device
        self.averaged = copy.deepcopy(model).eval().requires_grad_(False)
        self.optimizer = torch.optim.AdamW(
            model.parameters(), lr=0.0, betas=(0.9, 0.98), eps=1e-9, weight_decay=config.weight_decay, fused=True
        )
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

    def train(self, *, resume: bool = False) -> None:
        """Train to the end of the schedule, from the folder's state if asked to `resume`.

        Raises:
            Diverged: loss or weights are no finite numbers any more; the last state that was saved has finite ones.
            ResumeError: there is no usable state.
        """
        if resume:
            self.resume()
        self.model.train()
        self.started, self.first = time.monotonic(), self.step
        self._begin_stretch()
        with tqdm(initial=self.step, unit=" steps", disable=rank() > 0, mininterval=5) as bar:
            for part in self._parts():
                if self.step >= self.schedule.horizon:
                    break
                self._advance(part)
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

    def _parts(self) -> Iterator[Part]:
        """Yield this process's part of each batch, epoch after epoch."""
        tokens_per_batch = self.config.tokens_per_batch
        while True:
            yield from self.source.parts(
                self.epoch,
                first=self.batch,
                tokens_per_batch=tokens_per_batch,
                calm=self.calm,
                rank=rank(),
                world=world(),
            )
            self.epoch, self.batch = self.epoch + 1, 0
            self.calm = self.step >= self.schedule.decay_from

    def _advance(self, part: Part) -> None:
        """Make one step of Adam, and of the average that follows it."""
        torch.manual_seed(((self.config.seed * 1_000_003 + self.step) * 64 + rank()) % 2**63)
        for group in self.optimizer.param_groups:
            group["lr"] = self.schedule.rate(self.step)
        loss = self.objective(part.batch.to(self.device)) * part.share
        self.optimizer.zero_grad()
        (loss * (world() / part.n_tokens)).backward()  # DDP takes the mean over processes
        self.optimizer.step()
        decay = min(self.config.average_decay, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            torch._foreach_lerp_(list(self.averaged.parameters()), list(self.model.parameters()), 1 - decay)
            for name, running in running_statistics(self.averaged).items():
                running.lerp_(self.model.get_buffer(name), 1 - decay)
        self.loss_sum += float(loss.detach())
        self.n_tokens += part.n_tokens
        self.step += 1
        self.batch += 1

    def _begin_stretch(self) -> None:
        self.loss_sum, self.n_tokens, self.since = 0.0, 0, time.monotonic()

    def _replan(self) -> None:
        """Move the horizon to where the speed so far leads, with a limit in minutes and until the decay has begun."""
        if self.config.minutes is None or self.step >= self.schedule.decay_from:
            return
        elapsed = time.monotonic() - self.started
        left = self.config.minutes * 60 - elapsed
        horizon = torch.tensor(self.step + max(1, round(left * (self.step - self.first) / elapsed)))
        if world() > 1:
            horizon = horizon.to(self.device)
            dist.broadcast(horizon, src=0)
        self.schedule = self._schedule(int(horizon))

    def _show(self, bar: "tqdm[Any]") -> None:
        bar.total = self.schedule.horizon
        speed = self.n_tokens / (time.monotonic() - self.since)
        bar.set_postfix(loss=f"{world() * self.loss_sum / self.n_tokens:.3f}", tokens_per_second=f"{speed:.0f}")

    def _report(self) -> None:
        """Measure the average, write a row of history, save the state; the other processes wait."""
        loss_sum = torch.tensor(self.loss_sum, device=self.device)
        if world() > 1:
            dist.all_reduce(loss_sum)
        if not all(bool(each.isfinite().all()) for each in (loss_sum, *self.averaged.parameters())):
            raise Diverged(f"the training diverged by step {self.step}: try a lower --learning-rate")
        seconds = time.monotonic() - self.since
        if rank() == 0:
            measured = self.evaluate(self.averaged)
            minutes = self.minutes_before + (time.monotonic() - self.started) / 60
            speed, rate = self.n_tokens / seconds, self.schedule.rate(self.step - 1)
            row = {"step": str(self.step), "epoch": str(self.epoch), "minutes": f"{minutes:.2f}"}
            row |= {"train_loss": f"{float(loss_sum) / self.n_tokens:.4f}"}
            row |= {name: f"{number:.{4 if name.endswith('loss') else 2}f}" for name, number in measured.items()}
            self._write_history({**row, "tokens_per_second": f"{speed:.0f}", "learning_rate": f"{rate:.2e}"})
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

    def _write_history(self, row: dict[str, str]) -> None:
        """Append a row; rows beyond it, of a run that was killed after its last saved state, are dropped."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / "history.csv"
        kept = list(csv.reader(path.read_text().splitlines()))[1:] if path.exists() else []
        rows = [list(row), *(old for old in kept if int(old[0]) < self.step), list(row.values())]
        with (part := path.with_suffix(".part")).open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)
        part.replace(path)
        tqdm.write("  ".join(f"{name} {value}" for name, value in row.items()))
