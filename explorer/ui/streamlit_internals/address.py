"""What the browser's address says of widgets, beneath `st.query_params`, which refuses the keys of bound widgets."""

from collections.abc import Container, Mapping
from urllib.parse import parse_qsl, urlencode

from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import get_session_state


def take_to_say(values: Mapping[str, str | None]) -> None:
    """Take the address of this request to say these values (None: the key is not in it); the browser is not told."""
    with get_session_state().query_params() as parameters:
        for key, value in values.items():
            if value is None:
                parameters.discard_param_no_forward_msg(key)
            else:
                parameters.set_with_no_forward_msg(key, value)


def tell(key: str, value: float | str | None) -> None:
    """Have the browser's address say the value of a widget that is not drawn yet; None takes it out."""
    with get_session_state().query_params() as parameters:
        if value is None:
            parameters.remove_param(key)
            return
        said, kind = (value, "string_value") if isinstance(value, str) else ([value], "double_array_value")
        if not parameters.stored_param_matches_corrected_value(key, said, kind):
            parameters.set_corrected_value(key, said, kind)


def forget(keys: Container[str]) -> None:
    """Keep the address of this request from overruling what widgets of these keys were set to.

    Streamlit takes a widget whose range has changed for a new one, and a new one's value from the address.
    """
    context = get_script_run_ctx()
    if context is not None:
        others = [(key, value) for key, value in parse_qsl(context.query_string) if key not in keys]
        with get_session_state().query_params() as parameters:
            parameters.set_initial_query_params(urlencode(others))
