"""Page 08 against a bare Streamlit page with the same slider and the same four figures: key press to changed picture."""

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
from explorer.figures import architectures, architectures_measured as measured, architectures_paths
from explorer.lessons import architectures as lesson

if "frozen" not in st.session_state:
    torch.set_num_threads(1); gc.collect(); gc.freeze(); st.session_state["frozen"] = True
st.title("bare")
n = st.select_slider("n", lesson.RANGES["n"], 512, key="ar_n")
params, view, names = lesson.Params(n=n), lesson.View(), lesson.names(str)
curves, equal = lesson.compute(params).curves["n"], lesson.equal_costs(params, "n")
st.plotly_chart(architectures.costs(curves, names=names), key="a")
st.plotly_chart(architectures_paths.paths(lesson.walks(params, view), names=names), key="b")
st.plotly_chart(measured.time(None, curves, crossings={{}}, equal=equal, names=names), key="c")
st.plotly_chart(measured.memory(None, curves, names=names), key="d")
"""
ROUNDS = 12
#: Resolves with the milliseconds until the line at the reader's n has moved in the first chart and is on the screen.
WATCH = """() => new Promise(done => {
  const chart = () => document.querySelector('[data-testid=stPlotlyChart] .js-plotly-plot');
  const place = () => chart()?._fullLayout?.shapes?.[0]?.x0;
  const before = place(), start = performance.now();
  const look = () => chart()?.querySelector('.main-svg') && place() !== undefined && place() !== before
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


def redraw(page: Page, key: str) -> float:
    """Milliseconds from one key press to the moved line."""
    page.locator(".st-key-ar_n [role=slider], .st-key-ar_n input[type=range]").first.focus()
    page.evaluate(f"() => {{ window.waited = ({WATCH})(); }}")
    page.keyboard.press(key)
    waited: float = page.evaluate("() => window.waited")
    settled(page)
    time.sleep(0.2)
    return waited


@pytest.mark.benchmark_run
def test_the_page_redraws_within_one_and_a_half_times_a_bare_one(open_page: OpenPage, bare: str) -> None:
    process, address = start_server()
    try:
        ours, theirs = open_page("/architectures", address=address), open_page("/", address=bare)
        painted(ours), painted(theirs)
        times: dict[str, list[float]] = {"ours": [], "bare": []}
        for turn in range(ROUNDS):
            key = "ArrowLeft" if turn % 2 else "ArrowRight"
            times["ours"].append(redraw(ours, key))
            times["bare"].append(redraw(theirs, key))
    finally:
        process.terminate()
        process.wait(20)
    mine, other = statistics.median(times["ours"]), statistics.median(times["bare"])
    sys.stdout.write(f"\nredraw, ms, median of {ROUNDS}: page {mine:.0f}, bare {other:.0f}, ratio {mine / other:.2f}\n")
    assert mine <= 1.5 * other
