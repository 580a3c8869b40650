"""The document of Streamlit's page, what its owner has set, and files that were brought."""

import ipaddress
from pathlib import Path

import streamlit as st
from streamlit.elements.widgets import file_uploader
from streamlit.proto.Common_pb2 import FileUploaderState
from streamlit.testing.v1 import AppTest

from explorer.ui.streamlit_internals import document, own_session, settings, uploaded_file

STATIC = Path(st.__file__).parent / "static"


def test_the_document_tells_the_scripts_where_the_root_is() -> None:
    text = document.told_its_root()
    assert text.index("__streamlit") < text.index('type="module"')
    assert text.replace(document._ROOT, "") == (STATIC / "index.html").read_text("utf8")
    scripts = " ".join(path.read_text("utf8") for path in STATIC.rglob("*.js"))
    assert "window.__streamlit" in scripts
    assert "BACKEND_BASE_URL" in scripts


def test_what_the_owner_has_set_is_told_from_a_default() -> None:
    default = st.get_option("browser.serverPort")
    assert not settings.is_set("browser.serverPort")
    st.config.set_option("browser.serverPort", default, "the owner")
    try:
        assert settings.is_set("browser.serverPort")
    finally:
        st.config._set_option("browser.serverPort", default, st.config.ConfigOption.DEFAULT_DEFINITION)


def test_the_machine_has_an_address() -> None:
    assert not ipaddress.ip_address(settings.network_address()).is_unspecified


def page() -> None:
    """A page that says of what kind a file is."""
    import streamlit as st

    from explorer.ui.streamlit_internals import uploaded_file

    file = st.file_uploader("File", key="file")
    st.text((isinstance(file, uploaded_file.UploadedFile), uploaded_file.is_lost(st.session_state.get("file"))))


def test_a_file_that_was_brought_is_one() -> None:
    app = AppTest.from_function(page, default_timeout=60).run()
    assert app.text[0].value == "(False, False)"
    app.file_uploader(key="file").upload("a.txt", b"a", "text/plain").run()
    assert app.text[0].value == "(True, False)"


def test_a_file_that_the_server_has_no_more_is_lost() -> None:
    state = FileUploaderState()
    state.uploaded_file_info.add().file_id = "of another server"
    (file,) = own_session.run(lambda: file_uploader._get_upload_files(state), {})
    assert uploaded_file.is_lost(file)
