"""Interfering does what it says, exactly, whatever the positions, and leaves the shared model alone."""

import copy
from dataclasses import replace

import pytest
import torch

from explorer.data.tokenizer import Tokenizer
from explorer.inference.engine.kv_cache import KVCache
from explorer.inference.engine.prepared import NO_TAG, Prepared, prepare
from explorer.inference.search.decode import DecodingOptions, decode
from explorer.inference.translator.ablation import next_token_logs, remove_heads, score_written
from explorer.inference.translator.intervention import Intervention, intervene, read_again
from explorer.models.translator import Translator, TranslatorConfig
from explorer.nn.intervention import Steering
from explorer.nn.positions import POSITION_KINDS
from explorer.nn.tape import Tape
from explorer.records.heads import HeadName

TARGET = (30, 41, 7, 30, 2)
OPTIONS = DecodingOptions(beam=2, max_length=10)
OFF = (HeadName(part="cross", layer=1, head=2), HeadName(part="encoder", layer=0, head=0))
ROW = (0.0, 0.25, 0.75)


@pytest.fixture(scope="module")
def source(tokenizer: Tokenizer) -> list[int]:
    return [*tokenizer.encode("The cat saw the cat"), tokenizer.eos_id]


def row(n_source: int) -> tuple[float, ...]:
    return (*ROW, *(0.0,) * (n_source - 3))


@pytest.mark.parametrize("beam", [1, 3])
def test_without_interference_all_is_as_usual(prepared: Prepared, source: list[int], beam: int) -> None:
    options = DecodingOptions(beam=beam, max_length=10)
    (usual,), (found,) = (decode(each, [source], options) for each in (prepared, intervene(prepared, Intervention())))
    assert [each.ids for each in found] == [each.ids for each in usual]
    assert found[0].log_probability == pytest.approx(usual[0].log_probability, abs=1e-4)
    logs = score_written(next_token_logs(prepared.model, source, TARGET), TARGET)[0]
    assert torch.equal(read_again(intervene(prepared, Intervention()), source, TARGET).logs, logs)


@pytest.mark.parametrize("steers", [True, False])
@pytest.mark.parametrize("kind", POSITION_KINDS)
def test_what_is_decoded_under_an_interference_is_what_is_read_again(
    tokenizer: Tokenizer, source: list[int], kind: str, steers: bool
) -> None:
    torch.manual_seed(5)
    config = TranslatorConfig(
        vocab_size=tokenizer.vocab_size, d_model=32, n_heads=4, n_encoder_layers=1, n_decoder_layers=2, d_ff=64,
        max_length=48, position=kind,
    )  # fmt: skip
    shared = prepare(Translator(config).eval())
    steering = Steering(
        temperatures={"decoder.layers.0.self": 0.3}, rows={"decoder.layers.1.cross": {2: row(len(source))}}
    )
    change = Intervention(hidden=(1,), off=OFF, steering=steering if steers else Steering())
    engine = intervene(shared, change)
    quick = isinstance(engine.start(torch.tensor([source]), beam=1, max_steps=2), KVCache)
    assert quick == (kind == "sinusoidal" and not steers), "what only hides and switches off decodes with the cache"
    ((best, *_),) = decode(engine, [source], OPTIONS)
    again = read_again(engine, source, best.ids)
    assert again.logs.sum().item() == pytest.approx(best.log_probability, abs=1e-4)


def test_under_an_interference_no_letter_of_a_foreign_script_is_written(prepared: Prepared, source: list[int]) -> None:
    ((free, *_),) = decode(prepared, [source], OPTIONS)
    restricted = replace(prepared, barred={NO_TAG: free.ids[:1]})
    for change in (Intervention(off=OFF), Intervention(steering=Steering(temperatures={"encoder.layers.0.self": 2.0}))):
        ((found, *_),) = decode(intervene(restricted, change), [source], OPTIONS)
        assert not set(found.ids) & set(free.ids[:1])


def test_hidden_tokens_are_looked_at_by_nobody(prepared: Prepared, source: list[int]) -> None:
    engine = intervene(prepared, Intervention(hidden=(0, 3, 99)))
    again = read_again(engine, source, TARGET)
    assert not again.crossed[..., [0, 3]].any()
    seen = torch.ones(1, len(source), dtype=torch.bool)
    seen[0, [0, 3]] = False
    logs = next_token_logs(prepared.model, source, TARGET, source_allowed=seen)
    torch.testing.assert_close(again.logs, score_written(logs, TARGET)[0])
    everything = intervene(prepared, Intervention(hidden=tuple(range(len(source)))))
    assert read_again(everything, source, TARGET).logs.isfinite().all()


def test_heads_off_are_those_of_a_copy(prepared: Prepared, source: list[int]) -> None:
    before = copy.deepcopy(prepared.model.state_dict())
    again = read_again(intervene(prepared, Intervention(off=OFF)), source, TARGET)
    logs = next_token_logs(remove_heads(prepared.model, OFF, "off"), source, TARGET)
    assert torch.equal(again.logs, score_written(logs, TARGET)[0])
    assert all(torch.equal(value, before[name]) for name, value in prepared.model.state_dict().items())


def test_an_overwritten_row_is_that_row_and_the_rows_before_stay(prepared: Prepared, source: list[int]) -> None:
    steering = Steering(rows={"decoder.layers.0.cross": {2: row(len(source))}})
    plain = read_again(intervene(prepared, Intervention()), source, TARGET)
    again = read_again(intervene(prepared, Intervention(steering=steering)), source, TARGET)
    wanted = torch.tensor(row(len(source))).expand(4, -1)
    torch.testing.assert_close(again.crossed[0, :, 2], wanted)
    assert not again.crossed[0, :, 2, 3:].any()
    torch.testing.assert_close(again.crossed[:, :, :2], plain.crossed[:, :, :2])
    torch.testing.assert_close(again.logs[:2], plain.logs[:2])
    assert (again.logs[2:] - plain.logs[2:]).abs().max() > 1e-4


def test_a_temperature_divides_the_scores_of_one_attention(prepared: Prepared, source: list[int]) -> None:
    ids = torch.tensor([source]), torch.tensor([[1, *TARGET[:-1]]])
    plain, warm = Tape(), Tape()
    with torch.inference_mode():
        prepared.model(*ids, tape=plain)
        prepared.model(*ids, tape=warm, steering=Steering(temperatures={"decoder.layers.0.cross": 4.0}))
    wanted = (plain["decoder.layers.0.cross"].scores / 4).softmax(-1)
    torch.testing.assert_close(warm["decoder.layers.0.cross"].weights, wanted)
    for site in ("encoder.layers.1.self", "decoder.layers.0.self"):
        assert torch.equal(warm[site].weights, plain[site].weights)
    for value in (0.0, -1.0, float("nan")):
        with pytest.raises(ValueError, match="above 0"):
            Steering(temperatures={"x": value})
