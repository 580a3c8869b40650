"""The process is settled when imports arrive, not on every rerun; and what the app changes in Streamlit's server."""

import gc

import pytest
import torch
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

from explorer.ui import server_setup


def test_settling_freezes_once_and_takes_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    frozen: list[int] = []
    monkeypatch.setattr(gc, "freeze", lambda: frozen.append(1))
    server_setup._settle.cache_clear()
    torch.set_num_threads(2)
    server_setup.configure_server()
    server_setup.configure_server()
    assert len(frozen) == 1
    assert torch.get_num_threads() == 1
    server_setup._settle.cache_clear()


def drawn(text: str, path: list[int], fragment: str) -> ForwardMsg:
    message = ForwardMsg()
    message.metadata.delta_path.extend(path)
    message.delta.fragment_id = fragment
    message.delta.new_element.text.body = text
    return message


def waiting() -> ForwardMsgQueue:
    """A scene's fragment has drawn twice, and in between another fragment within it."""
    queue = ForwardMsgQueue()
    for text, path, fragment in (("a", [0, 0], "scene"), ("b", [0, 0, 0], "watched"), ("c", [0, 1], "scene")):
        queue.enqueue(drawn(text, path, fragment))
    return queue


def said(queue: ForwardMsgQueue) -> list[str]:
    return [each.delta.new_element.text.body for each in queue.flush()]


def test_what_a_fragment_has_drawn_is_sent_in_order_though_it_runs_again() -> None:
    queue = waiting()
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=["scene"])
    queue.enqueue(drawn("anew", [0, 0], "scene"))
    assert said(queue) == ["a", "b", "c", "anew"]


@pytest.mark.parametrize("retain", [False, True])
def test_a_run_of_the_whole_page_throws_away_what_was_drawn(retain: bool) -> None:
    queue = waiting()
    queue.clear(retain_lifecycle_msgs=retain)
    assert said(queue) == []


def test_streamlit_still_needs_it() -> None:
    """Once this fails, `server_setup` can do without."""
    queue = waiting()
    server_setup._clear(queue, retain_lifecycle_msgs=True, fragment_ids_this_run=["scene"])
    assert said(queue) == ["b"]
