"""Tiny recurrent models, stored and opened again."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from explorer.checkpoints.store import save
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.seq2seq.translate import LoadedSeq2Seq, load, probe
from explorer.models.seq2seq import Seq2Seq
from explorer.models.seq2seq_config import Seq2SeqConfig
from explorer.records.recurrent import RecurrentRecord

NO_METRICS: Mapping[str, float] = {}
GREEDY, BEAM = DecodingOptions(beam=1, max_length=14), DecodingOptions(beam=4, max_length=14)
SENTENCES = ["ein mann mit hut.", "a man with a hat.", "zwei hunde laufen.", "two dogs are running.", "die katze"]
LINES = [
    "两个黄鹂鸣翠柳",
    "一行白鹭上青天",
    "风声，雨声，读书声",
    "家事，国事，天下事",
    "无边落木萧萧下",
    "不尽长江滚滚来",
]
TEXT = "ein mann und zwei hunde."


def tiny(tokenizer: Any, **shape: Any) -> Seq2Seq:
    """Weights so loud that no two tokens tie and a forced look is felt."""
    torch.manual_seed(5)
    sizes = {"d_embedding": 16, "d_hidden": 24, "d_encoder": 12, "d_attention": 20, "max_length": 40}
    model = Seq2Seq(Seq2SeqConfig(vocab_size=tokenizer.vocab_size, **(sizes | shape))).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(2).add_(torch.randn_like(parameter) * 0.05)
        if model.config.readout == "bare":
            model.readout.bias[model.config.eos_id] -= 2  # so that it writes some tokens
    return model


def stored(
    folder: Path, family: str, tokenizer: Any, model: Seq2Seq, metrics: Mapping[str, float] = NO_METRICS
) -> LoadedSeq2Seq:
    folder.parent.mkdir(exist_ok=True)
    tokenizer.save(folder.parent / f"{folder.name}.json")
    save(
        folder, family=family, config=model.config, model=model, tokenizer_file=folder.parent / f"{folder.name}.json",
        data="some", licence="CC0", command="none", seed=5, metrics=metrics,
        probe=lambda kept, reader: probe(kept, reader, SENTENCES[0]),
    )  # fmt: skip
    return load(str(folder))


def row(record: RecurrentRecord, position: int) -> list[float]:
    return [float(position == each) for each in range(len(record.trace.source.labels))]
