"""What waits to be sent to a browser is sent in order."""

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

from explorer.ui.streamlit_internals import message_queue


@pytest.fixture
def repaired(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ForwardMsgQueue, "clear", ForwardMsgQueue.clear)
    message_queue.repair()


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


@pytest.mark.usefixtures("repaired")
def test_what_a_fragment_has_drawn_is_sent_in_order_though_it_runs_again() -> None:
    queue = waiting()
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=["scene"])
    queue.enqueue(drawn("anew", [0, 0], "scene"))
    assert said(queue) == ["a", "b", "c", "anew"]


@pytest.mark.usefixtures("repaired")
@pytest.mark.parametrize("retain", [False, True])
def test_a_run_of_the_whole_page_throws_away_what_was_drawn(retain: bool) -> None:
    queue = waiting()
    queue.clear(retain_lifecycle_msgs=retain)
    assert said(queue) == []


def test_streamlit_still_needs_it() -> None:
    """Once this fails, `message_queue` can go."""
    queue = waiting()
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=["scene"])
    assert said(queue) == ["b"]
