"""A server that is started anew: what a reader had opened is said to be gone, and can be opened again."""

import re
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Page, expect

from explorer.training.lab.export import package
from tests.lab_folders import SMALL, train
from tests.support.browser import OpenPage, free_port, settled, start_server

GONE = "what you had trained or opened here (1) is gone"


def bring(page: Page, file: bytes) -> None:
    """Open a checkpoint on the lab's page."""
    picked = [{"name": "model.zip", "mimeType": "application/zip", "buffer": file}]
    page.locator(".st-key-tl_upload input[type=file]").set_input_files(picked)
    expect(page.get_by_text(re.compile("Opened: .*seed"))).to_be_visible(timeout=60_000)


def test_a_checkpoint_that_went_with_its_server_is_said_to_be_gone_wherever_it_was_used(
    browse: OpenPage, tmp_path: Path
) -> None:
    recipe = replace(SMALL, family="transformer", n_heads=2, d_ff=16, position="rotary")
    train(recipe, tmp_path)
    file, port = package(recipe, tmp_path, 40), free_port()
    server, address = start_server(port=port, EXPLORER_TRANSLATORS="0")
    try:
        page = browse("/training_lab?scene=bring&lang=en", address=address)
        bring(page, file)
        page.goto(f"{address}/translator?lang=en")  # a new session finds what its reader has
        settled(page)
        choice = page.locator(".st-key-tr_model_shown")
        choice.get_by_role("combobox").click()
        expect(page.get_by_role("option", name=re.compile("lab_transformer@"))).to_be_visible(timeout=30_000)
        page.keyboard.press("Escape")
        expect(page.get_by_text(GONE)).to_have_count(0)
        server.kill()
        server.wait(20)
        server, _ = start_server(port=port, EXPLORER_TRANSLATORS="0")
        expect(page.get_by_text(GONE)).to_be_visible(timeout=90_000)
        page.goto(f"{address}/training_lab?scene=bring&lang=en")
        bring(page, file)
        expect(page.get_by_text(GONE)).to_have_count(0)
    finally:
        server.kill()
        server.wait(20)
