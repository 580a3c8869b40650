"""Numbers of the small pictures on the home page's cards: `python -m explorer.lessons.card_pictures` writes them.

Each picture comes from its lesson's own computation at its defaults. The home page itself needs no model.
"""

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.inference.translator.request import Params as Translation
from explorer.lessons.architectures import compute as architectures
from explorer.lessons.architectures.state import Params as Architectures
from explorer.lessons.efficient_attention import compute as efficient_attention
from explorer.lessons.efficient_attention.state import Params as EfficientAttention
from explorer.lessons.kernel_regression import compute as kernel_regression
from explorer.lessons.kernel_regression.state import Params as KernelRegression, View as KernelView
from explorer.lessons.masked_softmax import compute as masked_softmax
from explorer.lessons.masked_softmax.state import Params as MaskedSoftmax
from explorer.lessons.multi_head import compute as multi_head
from explorer.lessons.multi_head.state import View as HeadsView, overview
from explorer.lessons.open_model import compute as open_model
from explorer.lessons.open_model.state import Params as OpenModel
from explorer.lessons.positional_encoding import compute as positional_encoding
from explorer.lessons.positional_encoding.state import Params as PositionalEncoding
from explorer.lessons.queries_keys_values import compute as queries_keys_values
from explorer.lessons.queries_keys_values.state import Params as QueriesKeysValues
from explorer.lessons.scoring_functions import compute as scoring_functions
from explorer.lessons.scoring_functions.state import Params as ScoringFunctions
from explorer.lessons.seq2seq_attention import compute as seq2seq_attention
from explorer.lessons.seq2seq_attention.state import Params as Seq2seqAttention
from explorer.lessons.text_generation import compute as text_generation
from explorer.lessons.text_generation.look import next_at
from explorer.lessons.text_generation.state import Params as TextGeneration, View as TextView
from explorer.lessons.training_lab import recorded
from explorer.lessons.translator import compute as translator
from explorer.lessons.translator.state import View as TranslatorView, viewed_attention
from explorer.lessons.vision import compute as vision
from explorer.lessons.vision.pictures import FRAMES, crop_square, sample
from explorer.lessons.vision.state import Params as Vision
from explorer.lessons.whole_transformer import Params as WholeTransformer, compute as whole_transformer
from explorer.records.provenance import Provenance
from explorer.training.lab.reference_runs import read_runs

Picture = dict[str, Any]
DIGITS = 3
#: What `explorer.ui.card_picture` draws.
FILE = Path(__file__).parents[1] / "ui/card_pictures.json"


def _queries_keys_values() -> tuple[Picture, Provenance]:
    attention = queries_keys_values(QueriesKeysValues()).scene.attention
    return {"kind": "ribbons", "weights": _short(attention.weights[0, 1:]), "row": 0}, attention.provenance


def _kernel_regression() -> tuple[Picture, Provenance]:
    fit, query = kernel_regression(KernelRegression()).fit, KernelView().query
    known = np.isfinite(fit.prediction)
    curve = np.stack([fit.queries, fit.prediction], -1)[known][::4]
    dots = np.stack([fit.points.x, fit.points.y, fit.weights[fit.row(query)]], -1)
    picture = {"kind": "lines", "curves": [_short(curve)], "dots": _short(dots), "query": query}
    return picture, fit.provenance


def _scoring_functions() -> tuple[Picture, Provenance]:
    result = scoring_functions(ScoringFunctions())
    attention = next(each for each in result.records if each.name == "scaled_dot").attention
    return _maps(attention.weights[0]), attention.provenance


def _masked_softmax() -> tuple[Picture, Provenance]:
    attention = masked_softmax(MaskedSoftmax(causal=True)).records[0]
    return _maps(attention.weights[0], allowed=attention.allowed), attention.provenance


def _seq2seq_attention() -> tuple[Picture, Provenance]:
    records = seq2seq_attention(Seq2seqAttention(models=("seq2seq-de-en-additive",))).records.values()
    attention = next(each.trace.alignment for each in records if each.trace.alignment is not None)
    return _ribbons(attention.weights[0]), attention.provenance


def _multi_head() -> tuple[Picture, Provenance]:
    every = overview(multi_head(Translation()), HeadsView(merge=True), sites=("encoder",))
    maps = [head for attention in every for head in attention.weights]
    return {**_maps(*maps, digits=2), "columns": every[0].n_heads}, every[0].provenance


def _positional_encoding() -> tuple[Picture, Provenance]:
    codes = positional_encoding(PositionalEncoding()).codes
    pairs = (1, 2, 3, 4)
    positions = np.arange(len(codes.code))
    curves = [np.stack([positions, codes.code[:, 2 * pair] - 2.5 * row], -1) for row, pair in enumerate(pairs)]
    return {"kind": "lines", "curves": [_short(curve, 2) for curve in curves]}, codes.provenance


def _architectures() -> tuple[Picture, Provenance]:
    found = architectures(Architectures()).curves["n"]
    curves = [np.stack([np.log2(found.values), np.log2([cost.operations for cost in row])], -1) for row in found.costs]
    return {"kind": "lines", "curves": [_short(curve) for curve in curves]}, found.provenance


def _whole_transformer() -> tuple[Picture, Provenance]:
    whole = whole_transformer(WholeTransformer()).whole
    last = (f"enc.{whole.n_encoder - 1}.self", f"dec.{whole.n_decoder - 1}.cross")
    return _maps(*(whole[f"{site}.weights"].mean(0) for site in last), digits=2), whole.provenance


def _translator() -> tuple[Picture, Provenance]:
    attention = viewed_attention(translator(Translation()), TranslatorView(merge=True))
    return _ribbons(attention.weights.mean(0)), attention.provenance


def _training_lab() -> tuple[Picture, Provenance]:
    run = read_runs()["reverse"]
    frames = run.films[0].frames
    shown = [frames[0], frames[len(frames) // 2], frames[-1]]
    return _maps(*(frame.weights for frame in shown)), recorded.provenance(run)


def _text_generation() -> tuple[Picture, Provenance]:
    result = text_generation(TextGeneration(length=1))
    found = next_at(result, TextView(position=result.text.n_given))
    return {"kind": "bars", "values": [round(each.model, DIGITS) for each in found.likeliest[:6]]}, found.provenance


def _vision() -> tuple[Picture, Provenance]:
    seen = crop_square(sample("cat"), "cat", FRAMES["cat"]).seen
    attention = vision(Vision(pixels=seen.tobytes())).attention
    looked = attention.weights[-1].mean(0)[0, 1:].reshape(attention.grid, attention.grid)
    return _maps(looked), attention.provenance


def _efficient_attention() -> tuple[Picture, Provenance]:
    record = efficient_attention(EfficientAttention()).record
    part = slice(0, 24)
    return _maps(record.weights[part, part], allowed=record.allowed[part, part]), record.provenance


def _open_model() -> tuple[Picture, Provenance]:
    """Return the share of its weight that each head rests: layers across, heads down."""
    look = open_model(OpenModel()).look
    rests = np.array([[head.rest for head in site] for site in look.rules])
    return _maps(rests.T, digits=1), look.provenance


def _maps(*maps: npt.NDArray[Any], allowed: npt.NDArray[np.bool_] | None = None, digits: int = DIGITS) -> Picture:
    """Return maps of weights; cells that nothing may attend to have none."""
    cells = [_short(each, digits) for each in maps]
    if allowed is not None:
        cells = [np.where(allowed, np.array(each, object), np.array(None, object)).tolist() for each in cells]
    return {"kind": "cells", "maps": cells}


def _ribbons(weights: npt.NDArray[Any]) -> Picture:
    """Return the weights of a translation; the row that looks farthest from its own place is chosen."""
    rows, columns = weights.shape
    away = np.abs(weights.argmax(-1) / columns - np.arange(rows) / rows) * (weights.max(-1) > 0.4)
    return {"kind": "ribbons", "weights": _short(weights), "row": int(away.argmax())}


def _short(numbers: npt.NDArray[Any], digits: int = DIGITS) -> list[Any]:
    rounded: list[Any] = (np.round(numbers.astype(np.float64), digits) + 0.0).tolist()
    return rounded


PICTURES: dict[str, Callable[[], tuple[Picture, Provenance]]] = {
    "queries_keys_values": _queries_keys_values,
    "kernel_regression": _kernel_regression,
    "scoring_functions": _scoring_functions,
    "masked_softmax": _masked_softmax,
    "seq2seq_attention": _seq2seq_attention,
    "multi_head": _multi_head,
    "positional_encoding": _positional_encoding,
    "architectures": _architectures,
    "whole_transformer": _whole_transformer,
    "translator": _translator,
    "training_lab": _training_lab,
    "text_generation": _text_generation,
    "vision": _vision,
    "efficient_attention": _efficient_attention,
    "open_model": _open_model,
}


def compute_picture(stem: str) -> Picture:
    """Return a lesson's picture with its provenance, as the file holds it."""
    picture, provenance = PICTURES[stem]()
    return {**picture, "provenance": asdict(provenance)}


def main() -> None:
    """Write the file: a line for each lesson."""
    argparse.ArgumentParser(prog="python -m explorer.lessons.card_pictures", description=__doc__).parse_args()
    lines = (f"{json.dumps(stem)}: {json.dumps(compute_picture(stem), separators=(',', ':'))}" for stem in PICTURES)
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf8")


if __name__ == "__main__":
    main()
