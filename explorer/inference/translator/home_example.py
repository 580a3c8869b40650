"""The home page's picture, computed ahead so that the first page needs no model.

`python -m explorer.inference.translator.home_example checkpoints/translator-en-fr` writes `example.json` into
the checkpoint's folder; a test computes it again.
"""

import argparse
from dataclasses import replace
from pathlib import Path

from explorer.inference.search.decode import DecodingOptions
from explorer.inference.translator.translate import load, translate
from explorer.records import AttentionRecord, json_files
from explorer.records.token_views import merge_words

FILE = "example.json"
TEXT = "The little girl is reading a red book under the big tree."
LAYER = -1


def example(checkpoint: str, text: str = TEXT, layer: int = LAYER) -> AttentionRecord:
    """Return cross-attention of a decoder layer, mean over its heads, of whole words, while a text is translated."""
    translator = load(checkpoint)
    layers = translator.prepared.config.n_decoder_layers
    site = f"decoder.layers.{layer % layers}.cross"
    trace = translate(translator, text, DecodingOptions()).trace
    record = merge_words(trace.attention(site), trace.written, trace.source)
    said = f"{site}, mean of {record.n_heads} heads, computed ahead by explorer.inference.translator.home_example"
    detail = f"{said}; {record.provenance.detail}" if record.provenance.detail else said
    return replace(
        record, weights=record.weights.mean(0, keepdims=True), provenance=replace(record.provenance, detail=detail)
    )


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--text", default=TEXT)
    parser.add_argument("--layer", type=int, default=LAYER)
    arguments = parser.parse_args()
    record = example(arguments.checkpoint.name, arguments.text, arguments.layer)
    (arguments.checkpoint / FILE).write_text(json_files.dumps(record), encoding="utf8")


if __name__ == "__main__":
    main()
