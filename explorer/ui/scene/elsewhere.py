"""Addresses between the app and the book without a server, each of which may link to the other."""

import logging
import os
from urllib.parse import urlsplit

#: Says where the book without a server is.
SITE = "EXPLORER_SITE"


def read_address(text: str) -> str:
    """Return an address without a slash at its end.

    Raises:
        ValueError: it is none of a page.
    """
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        raise ValueError(f"{text!r} is no address such as https://example.org/app")
    return text.rstrip("/")


def site_address(language: str) -> str:
    """Return the address of the book's home page in a language; empty where the server is told of none."""
    told = os.environ.get(SITE, "")
    try:
        return f"{read_address(told)}/{language}/index.html" if told else ""
    except ValueError as wrong:
        logging.getLogger(__name__).warning("%s: %s", SITE, wrong)
        return ""
