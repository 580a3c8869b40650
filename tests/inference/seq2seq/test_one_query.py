"""The journey of one query is the step that the model made: terms add up to scores, weighted states to the context."""

from pathlib import Path

import numpy as np
import pytest

from explorer.data.tokenizer import Tokenizer
from explorer.inference.seq2seq.one_query import one_query
from explorer.inference.seq2seq.translate import translate
from explorer.nn.alignment import MECHANISMS
from tests.inference.recurrent import GREEDY, SENTENCES, TEXT, stored, tiny


@pytest.mark.parametrize("query", ["before", "after"])
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_terms_scores_weights_and_output_are_those_of_the_step(tmp_path: Path, mechanism: str, query: str) -> None:
    tokenizer = Tokenizer.train(SENTENCES, 300)
    wired = {"query": query, "context": "input" if query == "before" else "output"}
    loaded = stored(tmp_path / "m", "seq2seq", tokenizer, tiny(tokenizer, mechanism=mechanism, **wired))
    trace = translate(loaded, TEXT, GREEDY).trace
    for position, step in enumerate(trace.steps[:3]):
        record = one_query(loaded, trace, position)
        if mechanism in ("none", "fixed"):
            assert record is None
            continue
        assert record is not None
        assert step.scores is not None
        terms = record.query[0] * record.key
        if record.mixer is not None:
            terms = record.mixer * np.tanh(record.query[0] + record.key)
        root = np.sqrt(record.key.shape[-1]) if record.divided else 1
        np.testing.assert_allclose(terms.sum(-1) / root, step.scores, atol=1e-4)
        np.testing.assert_allclose(record.scores[0], step.scores, atol=1e-5)
        np.testing.assert_allclose(record.attention.weights[0, 0], step.weights, atol=1e-5)
        np.testing.assert_allclose(record.output[0], step.context, atol=1e-5)
