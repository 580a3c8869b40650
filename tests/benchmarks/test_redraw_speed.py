"""From a key press on a slider until every chart it changes is on the screen: our pages against bare Streamlit pages.

A bare page has one slider and the same figures that it changes on ours, of the same computation, and nothing else: no
shell, no menu, no language, no export, no table, no prose, no other figures. Both cache what they compute, have a
server and a browser of their own, and are watched in turns, the slider going to and fro.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.support.browser import ROOT, free_port, painted, settled, start_server, wait_until_healthy

HEAD = """
import gc, sys
sys.path.insert(0, {root!r})
import streamlit as st
import torch

if "frozen" not in st.session_state:
    torch.set_num_threads(1); gc.collect(); gc.freeze(); st.session_state["frozen"] = True
st.title("bare")

@st.cache_resource(show_spinner=False)
def once(key, _compute, _argument):
    return _compute(_argument)

draw = lambda figure, key: st.container(key=key).plotly_chart(figure, key=key + "_chart")
"""
#: Page to (key of the slider, keys of the cards that it changes, the bare page).
PAGES = {
    "queries_keys_values": (
        "qk_salience",
        ("qk_desk",),
        """
from explorer.lessons import queries_keys_values as lesson
from explorer.lessons.queries_keys_values import readings, state
from explorer.lessons.queries_keys_values.figures import desk

salience = st.slider("salience", 0.0, 1.0, 0.3, 0.1, key="qk_salience")
scene = once(salience, lesson.compute, lesson.Params(cues=state.Cues(salience=salience))).scene
draw(desk.desk(scene, names=readings.object_names(str), t=str), "qk_desk")
""",
    ),
    "scoring_functions": (
        "sf_keys",
        ("scoring_functions", "one_function", "measures", "saturation"),
        """
from explorer.lessons import scoring_functions as lesson
from explorer.lessons.scoring_functions import readings
from explorer.lessons.scoring_functions import saturation as saturation_of_lesson
from explorer.lessons.scoring_functions.compute import draws as draws_of_lesson
from explorer.lessons.scoring_functions.figures import bars, panels, saturation

keys = st.slider("keys", 2, 32, 8, key="sf_keys")
params = lesson.Params(n_keys=keys)
result, names, measures = once(keys, lesson.compute, params), readings.names(str), readings.measure_names(str)
named = readings.short_names(str)
draw(panels.scoring(result.records, shown="weights", names=named, t=str), "scoring_functions")
draw(panels.apart(result.record("scaled_dot"), t=str), "one_function")
draw(bars.measures(result.records, "variance", names=names, title="variance"), "measures")
draws = once(f"draws {{keys}}", saturation_of_lesson.saturation, draws_of_lesson(params))
draw(saturation.lengths(draws, names=names, measures=measures, t=str), "saturation")
""",
    ),
    "seq2seq_attention": (
        "sa_step_shown",
        ("sa_scores", "sa_next", "sa_context", "sa_state"),
        """
from explorer.figures import token_bars
from explorer.lessons import seq2seq_attention as lesson
from explorer.lessons.seq2seq_attention.figures import step as figures
from explorer.lessons.seq2seq_attention.ui.step_by_step import context_rows

t = st.slider("step", 1, 9, 1, key="sa_step_shown")
params = lesson.Params(models=("seq2seq-de-en-none", "seq2seq-de-en-fixed", "seq2seq-de-en-additive"))
record = once(0, lesson.compute, params).records["seq2seq-de-en-additive"]
step = record.trace.steps[t - 1]
draw(figures.scores_and_weights(step, record.trace.source.labels, t=str), "sa_scores")
names = [each.label for each in step.likeliest]
shares = [each.probability for each in step.likeliest]
draw(token_bars.next_tokens(names, shares, chosen=step.chosen, t=str), "sa_next")
rows, ruled = context_rows(record, step)
draw(figures.strips(rows, value_title="value", ruled=ruled, t=str), "sa_context")
rows = [("before", step.before), ("after", step.after), ("change", step.after - step.before)]
draw(figures.strips(rows, value_title="value", ruled=(2,), t=str), "sa_state")
""",
    ),
    "multi_head": (
        "mh_seed",
        ("mh_fresh_map",),
        """
from explorer.figures import head_grid
from explorer.lessons.multi_head import untrained

seed = st.slider("seed", 0, untrained.MOST_SEED, 0, key="mh_seed")
fresh = once(seed, untrained.untrained, untrained.UntrainedParams(seed=seed))
draw(head_grid.montage(fresh.record, t=str), "mh_fresh_map")
""",
    ),
    "positional_encoding": (
        "pe_length",
        ("pe_codes", "pe_counter"),
        """
from explorer.lessons import positional_encoding as lesson
from explorer.lessons.positional_encoding import state
from explorer.lessons.positional_encoding.figures import sinusoidal as figures

length = st.slider("length", state.LEAST_LENGTH, state.MOST_LENGTH, 64, 8, key="pe_length")
params = lesson.Params(length=length)
result = once(length, lesson.compute, params)
draw(figures.codes(result.codes, 4, t=str), "pe_codes")
draw(figures.counter(result.counter, t=str), "pe_counter")
""",
    ),
    "architectures": (
        "ar_n",
        ("ar_costs", "ar_bars"),
        """
from explorer.lessons import architectures as lesson
from explorer.lessons.architectures import readings, state
from explorer.lessons.architectures.figures import costs

n = st.select_slider("n", state.RANGES["n"], 512, key="ar_n")
params, names = lesson.Params(n=n), readings.names(str)
result = once(n, lesson.compute, params)
draw(costs.costs(result.curves["n"], "operations", names=names), "ar_costs")
draw(costs.bars(result.costs, "operations", names=names), "ar_bars")
""",
    ),
    "vision": (
        "vi_query",
        ("vi_large", "vi_heads", "vi_rollout"),
        """
from explorer.lessons import vision as lesson
from explorer.lessons.vision import pictures, shown, state
from explorer.lessons.vision.figures import patches

query = st.slider("query", 0, 64, 0, key="vi_query")
frame = state.Frame(across=35, down=0)
picture = once(frame, lambda frame: pictures.framed(pictures.sample("cat"), "cat", frame), frame)
result = once("cat", lesson.compute, lesson.Params(pixels=picture.seen.tobytes()))
view, seen = lesson.View(layer=5, query=query), result.attention
rows, columns = ([str(each) for each in range(n)] for n in (seen.n_layers, seen.n_heads))
draw(patches.overlay(picture, shown.shown_map(result, view)), "vi_large")
draw(patches.overview(picture, shown.head_maps(result, view), rows=rows, columns=columns), "vi_heads")
draw(patches.overview(picture, seen.map(seen.rollout[:, query])[None], rows=[""], columns=rows), "vi_rollout")
""",
    ),
    "text_generation": (
        "tg_seed",
        ("tg_written", "tg_next"),
        """
from explorer.lessons import text_generation as lesson
from explorer.lessons.text_generation import lines, look, state
from explorer.lessons.text_generation.figures import text as figures

seed = st.slider("seed", 0, state.MOST_SEED, 1, key="tg_seed")
result = once(seed, lesson.compute, lesson.Params(checkpoint=state.models()[0].name, seed=seed))
rows = lines.lines(result.text.labels, result.kind)
draw(figures.text(result.text, rows, result.text.surprisal, t=str), "tg_written")
draw(figures.next_tokens(look.next_at(result, lesson.View(place=len(result.ids) - 1)), t=str), "tg_next")
""",
    ),
    "efficient_attention": (
        "ea_width",
        ("ea_errors", "ea_costs"),  # the maps, drawn before them, keep their first row, which is what is watched
        """
from explorer.lessons import efficient_attention as lesson
from explorer.lessons.efficient_attention import readings
from explorer.lessons.efficient_attention.figures import comparison as figures
from explorer.lessons.efficient_attention.figures import maps

width = st.slider("width", 1, 64, 16, key="ea_width")
result, names = once(width, lesson.compute, lesson.Params(width=width)), readings.mechanism_names(str)
draw(maps.sheet(((result.record.exact, result.record.weights),), (("", ""),), result.record, t=str), "ea_weights")
draw(figures.errors(result.record, t=str), "ea_errors")
draw(figures.costs(result.costs, looked_at="window", names=names, t=str), "ea_costs")
""",
    ),
}
MOST = 1.5
ROUNDS = 16
#: Resolves with the milliseconds until each of the cards' charts shows something else and that is on the screen.
WATCH = """cards => new Promise(done => {
  const chart = (card) => document.querySelector(`.st-key-${card} .js-plotly-plot`);
  const first = (numbers) => Array.from(numbers?.[0]?.length ? numbers[0] : numbers ?? []).slice(0, 64);
  const head = (numbers) => [numbers?.length ?? 0, first(numbers)];
  const print = (card) => JSON.stringify([
    (chart(card)?._fullData ?? []).map(({ z, x, y, marker }) => [head(z), head(x), head(y), head(marker?.size)]),
    (chart(card)?._fullLayout?.shapes ?? []).map(({ x0, y0 }) => [x0, y0])]);
  const left = new Map(cards.map((card) => [card, print(card)])), start = performance.now();
  const look = () => {
    for (const [card, before] of left)
      if (chart(card)?.querySelector('.main-svg') && print(card) !== before) left.delete(card);
    left.size ? setTimeout(look, 2) : requestAnimationFrame(() => done(performance.now() - start));
  };
  document.addEventListener('keydown', look, { once: true, capture: true });
  setTimeout(() => done(NaN), 20000);
})"""


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """`bare(script)` serves it; the address."""
    servers = []

    def serve(script: str) -> str:
        path = tmp_path / "bare.py"
        path.write_text((HEAD + script).format(root=str(ROOT)), encoding="utf8")
        port = free_port()
        command = [sys.executable, "-m", "streamlit", "run", str(path), "--server.port", str(port)]
        command += ["--server.headless", "true", "--server.address", "127.0.0.1", "--server.fileWatcherType", "none"]
        servers.append(subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        return wait_until_healthy(servers[-1], port)

    yield serve
    for server in servers:
        server.terminate()
        server.wait(20)


def redraw(page: Page, slider: str, cards: tuple[str, ...], key: str) -> float:
    """Milliseconds from one key press to the last changed chart."""
    page.locator(f".st-key-{slider} [role=slider], .st-key-{slider} input[type=range]").first.focus()
    time.sleep(0.1)  # the focus has been drawn
    page.evaluate(f"cards => {{ window.waited = ({WATCH})(cards); }}", cards)
    page.keyboard.press(key)
    waited: float = page.evaluate("() => window.waited")
    settled(page)
    time.sleep(0.2)
    return waited


@pytest.mark.benchmark_run
@pytest.mark.parametrize("stem", PAGES)
def test_a_page_redraws_within_one_and_a_half_times_a_bare_one(
    open_apart: Callable[[str], Page], bare: Callable[[str], str], stem: str
) -> None:
    slider, cards, script = PAGES[stem]
    process, address = start_server()
    try:
        pages = {"ours": open_apart(f"{address}/{stem}"), "bare": open_apart(bare(script))}
        times: dict[str, list[float]] = {who: [] for who in pages}
        for page in pages.values():
            painted(page)
        for turn in range(ROUNDS + 2):  # the first two fill the caches
            key = "ArrowLeft" if turn % 2 else "ArrowRight"
            for who in sorted(pages, reverse=turn % 4 > 1):
                times[who].append(redraw(pages[who], slider, cards, key))
    finally:
        process.terminate()
        process.wait(20)
    mine, other = (statistics.median(times[who][2:]) for who in ("ours", "bare"))
    sys.stdout.write(
        f"\n{stem}: redraw, ms, median of {ROUNDS}: page {mine:.0f}, bare {other:.0f}, {mine / other:.2f}\n"
    )
    assert mine <= MOST * other
