"""“Where the norm stands”: lines, courses and gradients against the models and files themselves; the page."""

import csv
from dataclasses import replace

import numpy as np
import pytest
import torch

from explorer.checkpoints import store
from explorer.inference.engine.prepared import prepare
from explorer.inference.search.decode import DecodingOptions, decode
from explorer.inference.translator.translate import load
from explorer.lessons.whole_transformer import norms
from explorer.lessons.whole_transformer.figures import norms as figures
from explorer.lessons.whole_transformer.records import GradientRecord
from explorer.models.translator import Translator, TranslatorConfig
from explorer.records import Provenance
from tests.support.pages import OpenPage, said

PAGE = "pages/09_whole_transformer.py"


def tiny(**build: object) -> Translator:
    torch.manual_seed(3)
    config = TranslatorConfig(vocab_size=40, d_model=16, n_heads=2, n_encoder_layers=2, n_decoder_layers=2, d_ff=32)
    return Translator(replace(config, **build)).eval()  # type: ignore[arg-type]


@pytest.mark.parametrize("build", norms.BUILDS.values(), ids=norms.BUILDS)
@torch.inference_mode()
def test_the_line_ends_in_what_the_model_makes_of_it(build: dict[str, object]) -> None:
    model = tiny(**build)
    source, read = torch.tensor([[7, 8, 9, 2]]), torch.tensor([[1, 11, 12]])
    states = norms.states_of(model, source, read)
    allowed = torch.ones_like(source, dtype=torch.bool)
    memory = model.encode(source, allowed)
    torch.testing.assert_close(model.encoder.norm(states["enc.1.net"]), memory)
    torch.testing.assert_close(model.decoder.norm(states["dec.1.net"]), model.hidden(read, memory, allowed))


@pytest.mark.parametrize("build", norms.BUILDS.values(), ids=norms.BUILDS)
@torch.inference_mode()
def test_a_search_writes_what_the_model_finds_likeliest_step_by_step(build: dict[str, object]) -> None:
    model = tiny(**build)
    source, written = torch.tensor([[7, 8, 9, 2]]), [1]
    for _ in range(6):
        logits = model(source, torch.tensor([written]))[0, -1]
        logits[[0, 1]] = -torch.inf
        written.append(int(logits.argmax()))
    expected = written[1 : written.index(2) + 1] if 2 in written else written[1:]
    found = decode(prepare(model), source.tolist(), DecodingOptions(beam=1, max_length=6))[0][0].ids
    assert list(found)[: len(expected)] == expected


def test_the_first_gradients_are_those_of_the_loss() -> None:
    record = norms.gradients(norms.Params(depth=2))[1]
    trained = load(norms.MODELS[record.build])
    assert trained.prepared.config.norm == "post"
    config = replace(trained.prepared.config, n_encoder_layers=2, n_decoder_layers=2)
    assert record.build == "post"
    model = norms.initialise_model(config, trained.manifest.seed)
    source, target = norms.captions(trained)
    with torch.enable_grad():
        log_p = model(source, target[:, :-1]).log_softmax(-1)
        picked = log_p.gather(-1, target[:, 1:, None])[..., 0][target[:, 1:] != config.pad_id]
        parameters = list(model.decoder.layers[0].parameters())
        found = torch.autograd.grad(-picked.mean(), parameters)
    length = sum(float(each.square().sum()) for each in found) ** 0.5
    assert record.size[record.layers.index("dec.0")] == pytest.approx(length, rel=1e-4)


def test_a_gradient_below_the_edge_is_drawn_on_it_and_said_as_it_is() -> None:
    sizes = np.array([1e-7, 0.5], np.float32)
    made = Provenance(computed_by="tests")
    record = GradientRecord(build="bare", layers=("enc.0", "dec.0"), size=sizes, provenance=made)
    (line,) = figures.gradients([record], {"enc.0": "E0", "dec.0": "D0"}).data
    assert line.y == (figures.LEAST, None, 0.5)
    assert [said for _, said in line.customdata] == ["1·10⁻⁷", "", "0.5"]


def test_the_courses_are_the_files_and_the_trainings_were_alike() -> None:
    commands = set()
    for course in norms.courses():
        with (store.BUNDLED / norms.MODELS[course.build] / "history.csv").open() as file:
            rows = list(csv.DictReader(file))
        np.testing.assert_allclose(course.dev_loss, [float(row["dev_loss"]) for row in rows], rtol=1e-6)
        command = course.provenance.detail.rpartition(" --out ")[0]
        commands.add(command.replace(" --norm post", "").replace(" --no-residual", ""))
    assert len(commands) == 1


def test_only_pre_norm_lines_grow() -> None:
    grown = {each.build: each.growth("dec") for each in norms.lines(norms.Params())}
    assert grown["pre"] > 2 > grown["post"]


def test_before_the_guess_only_the_beginning_of_each_stack_is_drawn() -> None:
    records = norms.lines(norms.Params())
    called = {point: point for point in records[0].points}
    for line in figures.lines(records, called, told=False).data:
        begun = [said for (said, _), at in zip(line.customdata, line.y, strict=True) if at is not None and at == at]
        assert len(begun) == 2
        assert {point[:3] for point in begun} == {"enc", "dec"}


def test_the_page_says_what_is_wrong_with_a_sentence(open_page: OpenPage) -> None:
    for text, expected in ((" ", "nothing to translate"), ("Donaudampfschiff " * 11, "cut it into shorter ones")):
        app = open_page(PAGE, scene="norms", wt_norm_shown="line", wt_caption=text)
        assert not app.exception
        assert expected in app.info[0].value
    app = open_page(PAGE, scene="norms", wt_norm_shown="gradient", wt_untrained="999")
    assert not app.exception
    assert "untrained layers" in said(app)
