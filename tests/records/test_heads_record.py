"""Names of heads and marks of punctuation."""

import numpy as np
import pytest

from explorer.records.ablation import AblationSweepRecord
from explorer.records.heads import AttentionInputs, HeadName, head_names, in_order, punctuation
from explorer.records.provenance import Provenance

HEADS = [HeadName(part=part, layer=layer, head=head) for part in ("encoder", "decoder", "cross") for layer in (0, 11)
         for head in (0, 3)]  # fmt: skip


@pytest.mark.parametrize("head", HEADS, ids=lambda head: head.code)
def test_a_code_is_read_back(head: HeadName) -> None:
    assert head_names(head.code) == (head,)
    assert head_names(f"  {head.code.lower()}, nonsense {head.code} ") == (head,)


def test_sites_are_those_of_the_tape() -> None:
    assert HeadName(part="encoder", layer=2, head=1).site == "encoder.layers.2.self"
    assert HeadName(part="decoder", layer=0, head=1).site == "decoder.layers.0.self"
    assert HeadName(part="cross", layer=1, head=7).site == "decoder.layers.1.cross"


def test_names_come_in_order_and_once() -> None:
    found = head_names("C1.2 D0.0 E3.1 E0.7 c1.2")
    assert [head.code for head in found] == ["E0.7", "E3.1", "D0.0", "C1.2"]
    assert list(found) == sorted(found, key=in_order)


@pytest.mark.parametrize("text", ["", "E", "E0", "E-1.2", "X0.1", "<script>", "E١.٢", "E0,3", "\x00", "9" * 5000])
def test_nonsense_names_no_head(text: str) -> None:
    assert head_names(text) == ()


def test_punctuation_is_nothing_but_punctuation() -> None:
    labels = (".", "▁.", "▁«", "'", "…", "a.", "▁", "", "</s>", "▁I", "3", "€", "。", "¿")
    expected = (True, True, True, True, True, False, False, False, False, False, False, False, True, True)
    assert punctuation(labels) == expected


def test_arrays_are_read_only_copies() -> None:
    mine = np.zeros((2, 3), np.float32)
    record = AttentionInputs(query_input=mine, context=mine, scores=np.zeros((1, 2, 2), np.float32))
    mine[:] = 1
    assert not record.query_input.any()
    with pytest.raises(ValueError, match="read-only"):
        record.scores[0, 0, 0] = 1


def test_a_cell_of_the_importance_map_is_a_head() -> None:
    sites = ("encoder.layers.0.self", "decoder.layers.0.self", "decoder.layers.0.cross")
    change = np.full((3, 2, 4), np.nan, np.float32)
    change[0, 1] = [0.5, -1, 0, 0]
    record = AblationSweepRecord(
        done=1, total=6, sites=sites, token_change=change, flips=np.full((3, 2), np.nan, np.float32),
        provenance=Provenance(computed_by="test"),
    )  # fmt: skip
    assert record.head(2, 1) == HeadName(part="cross", layer=0, head=1)
    assert [record.head(row, 0).site for row in range(3)] == list(sites)
    assert record.change[0, 1] == -0.5
    assert np.isnan(record.change).sum() == 5
