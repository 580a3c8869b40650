"""The model card of a trained translator, written from what is known about it so that no number is typed by hand."""

from collections.abc import Mapping
from typing import Any

from explorer.checkpoints.manifest import Manifest
from explorer.evaluate import Scores

CARD = """\
---
language: [en, fr]
license: cc-by-2.0
library_name: attention-explorer
pipeline_tag: translation
metrics: [bleu]
---

# {name}

A small Transformer (Vaswani et al. 2017) that translates English into French. It exists to be looked at: it is the
model behind the translator page of Attention Explorer, and small enough that every attention of a translation can be
shown on a laptop.

## Model

{n_parameters:,} parameters, stored in half precision: {n_encoder_layers} encoder and {n_decoder_layers} decoder
layers, d_model {d_model}, {n_heads} heads, feed-forward {d_ff}, pre-norm, sinusoidal positions, one embedding for
source, target and output. Tokens: byte-level BPE shared by both languages, {vocab_size:,} sub-words, no unknown token.

## Data

{data}

Licence: {licence}. The weights are given under the same licence and ask for the same attribution.

## Training

```
{command}
```

Seed {seed}. {steps:,} steps of {tokens_per_batch:,} target tokens ({epochs} epochs) in {minutes:.0f} minutes, bfloat16
autocast. Adam (0.9, 0.98), peak learning rate {learning_rate:g}, {warmup} steps of warm-up, constant, linear decay to 0
over the last {decay_share:.0%}; label smoothing {smoothing}, dropout {dropout}, BPE-dropout until the decay, a few
sources in lower case, without their final mark, or two sentences at once. The weights are an exponential moving average
({average_decay}). `history.csv` has the losses and scores by step, those of `dev` on a part of it and greedy.

Hardware: {hardware}

## Quality

sacreBLEU against all references, beam 4, length penalty 0.6:

| part | sentences | BLEU | chrF |
|---|---|---|---|
{rows}

Signature: `{signature}`. To compute it again:

```
python -m explorer.evaluate checkpoints/{name} <data>/test.tsv.gz --beam 4
```

## Limits and intended use

For teaching and demonstration. The training sentences are short and everyday (six words on average) and many are
templates about the same few names, near-duplicates of which are also in the test part: the score is optimistic and says
nothing about news, technical or literary text. Long sentences, names and numbers are often wrong. English *you* becomes
*tu* or *vous* as the data happened to have it, and the biases of the data are those of the model. Not for any use in
which a wrong translation does harm.
"""


def model_card(
    name: str,
    manifest: Manifest,
    facts: Mapping[str, Any],
    scores: Mapping[str, Scores],
    *,
    n_parameters: int,
    hardware: str = "",
) -> str:
    """Fill in the card.

    Args:
        name: of the checkpoint.
        manifest: of the checkpoint.
        facts: the run's state: step, epoch, minutes, schedule, training.
        scores: by part of the data.
        n_parameters: tied ones counted once.
        hardware: a sentence about the machine; empty where it is not known.
    """
    rows = [f"| {part} | {each.n_lines:,} | {each.bleu:.2f} | {each.chrf:.2f} |" for part, each in scores.items()]
    filled = {
        **facts["training"],
        **manifest.config,
        "decay_share": 1 - facts["schedule"]["decay_from"] / facts["schedule"]["horizon"],
        "steps": facts["step"],
        "epochs": facts["epoch"] + 1,
        "minutes": facts["minutes"],
        "n_parameters": n_parameters,
        "data": manifest.data,
        "licence": manifest.licence,
        "command": manifest.command,
        "seed": manifest.seed,
        "hardware": hardware or "not recorded.",
        "rows": "\n".join(rows) or "| none | | | |",
        "signature": next((each.bleu_signature for each in scores.values()), "none"),
    }
    return CARD.format(name=name, **filled)
