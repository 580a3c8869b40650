"""Benchmarks may open pages in the browser too."""

from tests.browser.conftest import chromium, contexts, open_page, server

__all__ = ["chromium", "contexts", "open_page", "server"]
