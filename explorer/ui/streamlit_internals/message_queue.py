"""What waits to be sent to a browser."""

from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

_clear = ForwardMsgQueue.clear


def repair() -> None:
    """Let what a fragment has drawn be sent before it is drawn anew; call once, before a browser comes.

    Streamlit 1.67 throws away what a fragment that runs again has not sent yet, but keeps what other fragments have
    drawn within it or behind it. A browser that hears of a second place before the first shows an empty page: at every
    fourth visit to the training lab by a reader with a training of their own, whose browser answers while the page is
    still being drawn.
    """
    ForwardMsgQueue.clear = _clear_all_or_nothing  # type: ignore[assignment, method-assign]


def _clear_all_or_nothing(
    queue: ForwardMsgQueue, retain_lifecycle_msgs: bool = False, fragment_ids_this_run: list[str] | None = None
) -> None:
    if fragment_ids_this_run is None:
        _clear(queue, retain_lifecycle_msgs)
    else:
        queue._delta_index_map = {}  # what is drawn anew comes after it, not in its place
