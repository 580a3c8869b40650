"""Pictures in a file of their own, opened in a browser."""

from pathlib import Path

import numpy as np
from playwright.sync_api import BrowserContext, expect

from explorer import show

TOKENS = ["The", "animal", "did", "not", "cross", "the", "street", "because", "it", "was", "too", "tired", "."]


def test_beside_few_heads_the_large_one_names_every_row(tmp_path: Path, usual: BrowserContext) -> None:
    scores = np.random.default_rng(0).normal(size=(2, 3, len(TOKENS), len(TOKENS)))
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    page = usual.new_page()
    page.set_viewport_size({"width": 1000, "height": 800})
    page.goto(show.heads(weights, TOKENS).html(tmp_path / "heads.html").as_uri())
    expect(page.locator(".every_head.beside .one g text")).to_have_text(TOKENS)
    page.close()
