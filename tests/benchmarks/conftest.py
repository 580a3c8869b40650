"""Benchmarks may open pages in the browser too."""

from tests.browser.conftest import chromium, open_page, playwright, server, usual

__all__ = ["chromium", "open_page", "playwright", "server", "usual"]
