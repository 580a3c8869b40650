"""A server begins with what Streamlit's inner parts are given instead of their own."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests

from explorer.ui import server
from explorer.ui.streamlit_internals import lasting_files, message_queue, timed_reruns

REPAIRED = {
    (ForwardMsgQueue, "clear"): message_queue._clear_all_or_nothing,
    (MediaFileManager, "_get_inactive_file_ids"): lasting_files._idle_files,
    (MediaFileManager, "_remove_orphaned_deferred_callables"): lasting_files._forget_makers,
    (ScriptRequests, "request_rerun"): timed_reruns._request_without_values,
}


def test_a_server_begins_with_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    for owner, name in REPAIRED:
        monkeypatch.setattr(owner, name, getattr(owner, name))  # so that it is put back
    monkeypatch.setattr(server.signal, "signal", lambda *_: None)  # which only a main thread may set

    async def start() -> list[object]:
        async with server.lifespan(None):
            return [getattr(owner, name) for owner, name in REPAIRED]

    with ThreadPoolExecutor(1) as thread:  # Playwright's own loop may run in this one
        assert thread.submit(asyncio.run, start()).result() == list(REPAIRED.values())
