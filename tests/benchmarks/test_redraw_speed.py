"""From a key press on a slider to the changed heat map on the screen: our page against a bare Streamlit page.

The bare page has one slider and the same figures that it changes, of the same computation, and nothing else: no shell,
no menu, no language, no export, no table, no prose, no other figures. Both run on servers of their own, in one browser,
interleaved.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import ROOT, OpenPage, free_port, painted, settled, start_server, wait_until_healthy

BARE = """
import gc, sys
sys.path.insert(0, {root!r})
import streamlit as st
import torch
from explorer.figures import bars, panels, saturation
from explorer.lessons import scoring_functions as lesson

if "frozen" not in st.session_state:
    torch.set_num_threads(1); gc.collect(); gc.freeze(); st.session_state["frozen"] = True
st.title("bare")
keys = st.slider("keys", 2, 32, 8, key="sf_keys")
params = lesson.Params(n_keys=keys)
result, names, measures = lesson.compute(params), lesson.names(str), lesson.measure_names(str)
st.plotly_chart(panels.scoring(result.records, shown="weights", names=lesson.short_names(str), t=str), key="a")
st.plotly_chart(panels.one(result.record("scaled_dot"), shown="weights", t=str), key="b")
st.plotly_chart(bars.measures(result.records, "variance", names=names, title="variance"), key="c")
draws = lesson.saturation(lesson.draws(params))
st.plotly_chart(saturation.lengths(draws, names=names, measures=measures, t=str), key="d")
"""
ROUNDS = 12
#: Resolves with the milliseconds until the first chart holds other numbers and they are on the screen.
WATCH = """() => new Promise(done => {
  const chart = () => document.querySelector('[data-testid=stPlotlyChart] .js-plotly-plot');
  const print = () => JSON.stringify((chart()?.calcdata ?? []).map(trace => Array.from(trace[0].z?.[0] ?? [])));
  const before = print(), start = performance.now();
  const look = () => chart()?.querySelector('.main-svg') && print() !== before
    ? requestAnimationFrame(() => done(performance.now() - start)) : setTimeout(look, 2);
  document.addEventListener('keydown', look, { once: true, capture: true });
  setTimeout(() => done(NaN), 20000);
})"""


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[str]:
    script = tmp_path / "bare.py"
    script.write_text(BARE.format(root=str(ROOT)), encoding="utf8")
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
    command += ["--server.headless", "true", "--server.address", "127.0.0.1", "--server.fileWatcherType", "none"]
    server = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    yield wait_until_healthy(server, port)
    server.terminate()
    server.wait(20)


def redraw(page: Page) -> float:
    """Milliseconds from one key press to the changed picture."""
    slider = page.locator(".st-key-sf_keys [role=slider], .st-key-sf_keys input[type=range]").first
    slider.focus()
    page.evaluate(f"() => {{ window.waited = ({WATCH})(); }}")
    page.keyboard.press("ArrowRight")
    waited: float = page.evaluate("() => window.waited")
    settled(page)
    time.sleep(0.2)
    return waited


@pytest.mark.benchmark_run
def test_a_page_redraws_within_one_and_a_half_times_a_bare_one(open_page: OpenPage, bare: str) -> None:
    process, address = start_server()
    try:
        ours, theirs = open_page("/scoring_functions", address=address), open_page("/", address=bare)
        painted(ours), painted(theirs)
        times: dict[str, list[float]] = {"ours": [], "bare": []}
        for _ in range(ROUNDS):
            times["ours"].append(redraw(ours))
            times["bare"].append(redraw(theirs))
    finally:
        process.terminate()
        process.wait(20)
    mine, other = statistics.median(times["ours"]), statistics.median(times["bare"])
    sys.stdout.write(f"\nredraw, ms, median of {ROUNDS}: page {mine:.0f}, bare {other:.0f}, ratio {mine / other:.2f}\n")
    assert mine <= 1.5 * other
