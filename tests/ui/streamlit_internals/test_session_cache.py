"""What is kept for one session, no other gets, and it goes with the session."""

from streamlit.runtime.caching import cache_resource_api

from explorer.ui import cache
from explorer.ui.streamlit_internals import own_session, script_run


def keep() -> tuple[str, object, object, object]:
    """The session, what it is given for itself, twice, and what it is given as everybody is."""
    mine = [cache.once(object, "test of sessions", own=True) for _ in range(2)]
    return script_run.session_id(), *mine, cache.once(object, "test of sessions")


def test_what_a_session_keeps_no_other_session_gets() -> None:
    (_, *first, everybodys), (_, *second, same) = (own_session.run(keep, {}) for _ in range(2))
    assert first[0] is first[1] is not second[0] is second[1]
    assert everybodys is same
    cache.list_kept().forget()


def test_what_a_session_keeps_goes_with_it() -> None:
    cache.list_kept().forget()
    session, *_ = own_session.run(keep, {})
    assert [key[1] for key in cache.list_kept()._entries if isinstance(key, tuple)] == [session, ""]
    cache_resource_api.clear_session_cache(session)
    assert [key[1] for key in cache.list_kept()._entries if isinstance(key, tuple)] == [""]
    cache.list_kept().forget()
