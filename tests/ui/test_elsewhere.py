"""The home page links to the book without a server where the server is told of it, and to no other address."""

import pytest

from explorer.ui.scene import elsewhere
from tests.support.pages import OpenPage


@pytest.mark.parametrize(("told", "leads"), [("", ""), ("https://a.org/b/", "https://a.org/b/zh/index.html")])
def test_the_address_of_the_book(monkeypatch: pytest.MonkeyPatch, told: str, leads: str) -> None:
    monkeypatch.setenv(elsewhere.SITE, told)
    assert elsewhere.site_address("zh") == leads


def test_what_is_no_address_is_said_in_the_log_and_linked_nowhere(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(elsewhere.SITE, "javascript:alert(1)")
    assert elsewhere.site_address("en") == ""
    assert "EXPLORER_SITE: 'javascript:alert(1)' is no address" in caplog.text


def test_the_home_page_links_there(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(elsewhere.SITE, raising=False)
    assert not open_page("app.py").get("link_button")
    monkeypatch.setenv(elsewhere.SITE, "https://a.org")
    (link,) = open_page("app.py", lang="zh").get("link_button")
    assert link.proto.url == "https://a.org/zh/index.html"
    assert link.proto.label == "不用服务器的课程网页"
