"""What live pictures write on the stage: no type too small, no label over another."""

from pathlib import Path

from playwright.sync_api import Page

#: Notes what canvases write while they are drawn: it must be there before they are.
SCRIPT = Path(__file__).with_name("texts.js")
LEAST = 14  # pixels
#: What is not yet as it should be, by scene: who mends it takes it off. “small” is type under the bound, “over” a label
#: over another one; the number is the width at which it is seen.
KNOWN = {
    "queries_keys_values/dictionary": {"small 390": "places and weights of the keys, 11.5 pixels"},
    "seq2seq_attention/step_by_step": {"small 390": "words and weights, 12.5 and 13 pixels"},
    "positional_encoding/beyond": {"small 390": "labels of the curve, 12.5 pixels"},
    "training_lab/watch": {
        "small 1280": "“end” over a narrow column, 12.3 pixels",
        "small 390": "“end” over a narrow column, 13.9 pixels",
    },
    "efficient_attention/flash": dict.fromkeys(
        ("small 1440", "small 1280", "small 390"), "letters along the map, 10 to 13.4 pixels: no wider than its cells"
    ),
}
#: Waits until a live picture has written something; beside a chart a component may listen and write nothing.
DRAWN = "() => textsOnStage().length || document.querySelector('.st-key-stage .js-plotly-plot')"


def find_faults(page: Page) -> dict[str, list[str]]:
    """Return what is written too small, and which labels lie over another, once the picture has the window's size."""
    page.wait_for_timeout(500)
    page.wait_for_function(DRAWN, timeout=30_000)
    texts = page.evaluate("textsOnStage()")
    small = sorted({f"{said[:24]} ({size:.1f})" for said, size, *_ in texts if size < LEAST - 0.05})
    over: list[str] = []
    for place, (said, size, left, top, right, bottom) in enumerate(texts):
        for other, size_too, *box in texts[:place]:
            edge = 0.15 * min(size, size_too)  # letters fill less than the height of their type
            wide, high = min(right, box[2]) - max(left, box[0]), min(bottom, box[3]) - max(top, box[1])
            if wide > edge and high > 2 * edge:
                over.append(f"{other[:20]} | {said[:20]}")
    width = page.viewport_size["width"] if page.viewport_size else 0
    return {f"{kind} {width}": found for kind, found in (("small", small), ("over", over)) if found}
