"""The recorded pass is the model's own: its logits, its weights, and sums that come out."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from explorer.inference.search.batching import decode_all
from explorer.inference.translator.request import CHECKPOINT, Params, encode_text
from explorer.inference.translator.translate import finish_translation, load
from explorer.inference.translator.whole_pass import observe
from explorer.records.sequence import Trace
from explorer.records.whole_pass import WholePass


@pytest.fixture(scope="module", params=["My sister wants to live in a big white house.", "Yes."])
def trace(request: pytest.FixtureRequest) -> Trace:
    params = Params(text=request.param)
    translator, text, source = encode_text(params)
    found = decode_all(translator.prepared, [source], params.options)[0]
    return finish_translation(translator, text, source, found, params.options).trace


@pytest.fixture(scope="module")
def whole(trace: Trace) -> WholePass:
    return observe(load(CHECKPOINT), trace)


@torch.inference_mode()
def test_logits_are_those_of_the_model(whole: WholePass, trace: Trace) -> None:
    prepared = load(CHECKPOINT).prepared
    read = [prepared.config.bos_id, *trace.written_ids[:-1]]
    expected = prepared.model(torch.tensor([trace.source_ids]), torch.tensor([read]))[0].numpy()
    assert np.abs(whole.logits - expected).max() <= 1e-5


def test_weights_are_those_of_the_trace(whole: WholePass, trace: Trace) -> None:
    names = {"encoder.layers": "enc", "decoder.layers": "dec"}
    assert len(whole.sites) == len(trace.attentions) == 10
    for record in trace.attentions:
        stack, _, rest = record.site.rpartition("layers.")
        mine = whole[f"{names[stack + 'layers']}.{rest}.weights"]
        assert np.abs(mine - record.weights).max() <= 1e-6, record.site


@torch.inference_mode()
def test_parts_taken_from_the_record_alone_give_what_the_record_says(whole: WholePass) -> None:
    model = load(CHECKPOINT).prepared.model
    for stack, layers in (("enc", model.encoder.layers), ("dec", model.decoder.layers)):
        x = whole[f"{stack}.embed"] + whole[f"{stack}.place"]
        for i, layer in enumerate(layers):
            parts = ["self", "cross", "net"] if stack == "dec" else ["self", "net"]
            for part in parts:
                name = f"{stack}.{i}.{part}"
                if part == "net":
                    added = layer.feed_forward.contract(torch.tensor(whole[f"{name}.units"])).numpy()
                else:
                    attention = getattr(layer, f"{part}_attention")
                    added = attention.output(torch.tensor(whole[f"{name}.joined"])).numpy()
                    q, k, v = (heads(whole[f"{name}.{each}"], whole.n_heads) for each in "qkv")
                    scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
                    there = whole[f"{name}.weights"] > 0
                    assert np.abs(scores - whole[f"{name}.scores"])[there].max() < 2e-4
                    joined = (whole[f"{name}.weights"] @ v).transpose(1, 0, 2).reshape(x.shape)
                    assert np.abs(joined - whole[f"{name}.joined"]).max() < 1e-4
                assert np.abs(added - whole[f"{name}.added"]).max() < 1e-3
                norm = getattr(layer, "feed_forward_norm" if part == "net" else f"{part}_norm")
                mean, scale = whole[f"{name}.mean"], whole[f"{name}.scale"]
                plain = torch.tensor((x - mean[:, None]) / scale[:, None]) * norm.weight + norm.bias
                assert np.abs(plain.numpy() - norm(torch.tensor(x)).numpy()).max() < 1e-3
                if part == "net":
                    units = F.relu(layer.feed_forward.expand(norm(torch.tensor(x)))).numpy()
                    assert np.abs(units - whole[f"{name}.units"]).max() < 1e-3
                x = x + whole[f"{name}.added"]
                assert np.abs(x - whole[f"{name}.after"]).max() < 1e-3


def heads(rows: np.ndarray, n_heads: int) -> np.ndarray:
    return rows.reshape(len(rows), n_heads, -1).transpose(1, 0, 2)
