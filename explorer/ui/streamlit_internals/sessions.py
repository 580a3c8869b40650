"""Readers without a browser: sessions that speak with a real server over its websocket."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.Slider_pb2 import Slider
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol


@dataclass(slots=True)
class Session:
    """One reader's connection.

    Attributes:
        sliders: the sliders drawn so far, by id.
        fragments: the fragment that drew each of them, by the slider's id: a browser asks for that one alone.
    """

    socket: ClientConnection
    sliders: dict[str, Slider] = field(default_factory=dict)
    fragments: dict[str, str] = field(default_factory=dict)

    async def rerun(
        self,
        page: str,
        query: str = "",
        *,
        text: tuple[str, str] | None = None,
        slider: tuple[Slider, int] | None = None,
        seen: Callable[[Element], None] | None = None,
    ) -> float:
        """Run a page as a browser would ask for it.

        Args:
            page: the last part of its address.
            query: what stands behind the question mark.
            text: id and new text of a box.
            slider: one of `sliders`, and the number of the notch that it is moved to, from 0.
            seen: called with every element that the server draws.

        Returns:
            Seconds until the run had finished.
        """
        order = BackMsg()
        order.rerun_script.page_name, order.rerun_script.query_string = page, query
        if text is not None:
            state = order.rerun_script.widget_states.widgets.add()
            state.id, state.string_value = text
        if slider is not None:
            state = order.rerun_script.widget_states.widgets.add()
            shape, notch = slider
            state.id = shape.id
            order.rerun_script.fragment_id = self.fragments[shape.id]
            if shape.type == Slider.SELECT_SLIDER:
                state.string_array_value.data.append(shape.options[notch])
            else:
                state.double_array_value.data.append(shape.min + notch * shape.step)
        started = time.monotonic()
        await self.socket.send(order.SerializeToString())
        while True:
            told = ForwardMsg()
            told.ParseFromString(await self.socket.recv(decode=False))
            kind = told.WhichOneof("type")
            if kind == "script_finished":
                return time.monotonic() - started
            if kind == "delta":
                self._note(told.delta.new_element, told.delta.fragment_id, seen)

    def notches(self, shape: Slider) -> int:
        """Return how many places a slider can be moved to."""
        return round((shape.max - shape.min) / shape.step) + 1

    def _note(self, element: Element, fragment: str, seen: Callable[[Element], None] | None) -> None:
        kind = element.WhichOneof("type")
        assert kind != "exception", element.exception.message
        if kind == "slider":
            self.sliders[element.slider.id] = element.slider
            self.fragments[element.slider.id] = fragment
        if seen is not None:
            seen(element)


async def arrive(address: str) -> Session:
    """Connect to a server that answers at an address."""
    url = f"ws{address.removeprefix('http')}/_stcore/stream"
    return Session(await connect(url, subprotocols=[Subprotocol("streamlit")], max_size=None, ping_interval=None))
