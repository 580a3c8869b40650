"""Tiny models: recurrent ones, and a translator whose random weights are loud enough that no two tokens tie."""

import pytest
import torch

from explorer.data.couplets import CoupletTokenizer
from explorer.data.tokenizer import Tokenizer
from explorer.inference.engine.prepared import Prepared, prepare
from explorer.inference.search.decode import DecodingOptions, decode
from explorer.inference.seq2seq.translate import LoadedSeq2Seq
from explorer.models.translator import Translator, TranslatorConfig
from explorer.nn.alignment import MECHANISMS
from tests.inference import recurrent

#: Lets some searches finish and others run into the limit.
EAGER_TO_END = 0.8
SENTENCES = ["The cat saw the dog.", "Le chat a vu le chien.", "I'm busy.", "Je suis occupé.", "naïve café 日本 😀"]


def tiny_translator(seed: int = 7, vocab_size: int = 320, max_length: int = 48) -> Translator:
    torch.manual_seed(seed)
    config = TranslatorConfig(
        vocab_size=vocab_size, d_model=32, n_heads=4, n_encoder_layers=2, n_decoder_layers=3, d_ff=64,
        max_length=max_length,
    )  # fmt: skip
    model = Translator(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(1.5).add_(torch.randn_like(parameter) * 0.05)
        model.embedding.weight.mul_(2)
        model.decoder.norm.bias.copy_(torch.randn(32) * 0.5)
        model.embedding.weight[config.eos_id] += EAGER_TO_END * model.decoder.norm.bias
    return model


@pytest.fixture(scope="session")
def tokenizer() -> Tokenizer:
    return Tokenizer.train(SENTENCES, 320)


@pytest.fixture(scope="session")
def model(tokenizer: Tokenizer) -> Translator:
    return tiny_translator(vocab_size=tokenizer.vocab_size)


@pytest.fixture(scope="session")
def prepared(model: Translator) -> Prepared:
    return prepare(model)


@pytest.fixture(scope="session")
def source(tokenizer: Tokenizer) -> list[int]:
    return [*tokenizer.encode("The cat saw the cat"), tokenizer.eos_id]


@pytest.fixture(scope="session")
def target(prepared: Prepared, source: list[int]) -> tuple[int, ...]:
    return decode(prepared, [source], DecodingOptions(beam=2, max_length=9))[0][0].ids


#: Wired with Luong's input feeding, with a score that needs no equal lengths; and as the lecture notes do.
FEEDING = {"mechanism": "general", "cell": "lstm", "joining": "summed", "context": "next", "query": "after"}
NOTES = {"mechanism": "concat", "score_bias": True, "cell": "lstm", "joining": "projected", "start": "summed"}
NOTES |= {"d_encoder": 24, "readout": "bare"}


@pytest.fixture(
    scope="session",
    params=[*({"mechanism": each} for each in MECHANISMS), FEEDING, NOTES],
    ids=[*MECHANISMS, "feeding", "notes"],
)
def every(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> LoadedSeq2Seq:
    tokenizer = Tokenizer.train(recurrent.SENTENCES, 300)
    model = recurrent.tiny(tokenizer, **request.param)
    return recurrent.stored(tmp_path_factory.mktemp("every") / "model", "seq2seq", tokenizer, model)


@pytest.fixture(scope="session")
def additive(tmp_path_factory: pytest.TempPathFactory) -> LoadedSeq2Seq:
    tokenizer = Tokenizer.train(recurrent.SENTENCES, 300)
    return recurrent.stored(
        tmp_path_factory.mktemp("one") / "additive", "seq2seq", tokenizer, recurrent.tiny(tokenizer)
    )


@pytest.fixture(scope="session")
def couplets(tmp_path_factory: pytest.TempPathFactory) -> LoadedSeq2Seq:
    tokenizer = CoupletTokenizer.train(recurrent.LINES)
    return recurrent.stored(tmp_path_factory.mktemp("one") / "couplet", "couplet", tokenizer, recurrent.tiny(tokenizer))
