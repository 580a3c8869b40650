"""How long a file that a page has named, or what makes it when it is asked for, can be fetched."""

import time
from weakref import WeakKeyDictionary

from streamlit.runtime.media_file_manager import MediaFileManager

#: After no page names it any more; every moment of a job leaves its files behind for so long.
LASTS_S = 5.0
#: Files and makers that no page names, and since when.
_idle: WeakKeyDictionary[MediaFileManager, dict[str, tuple[object, float]]] = WeakKeyDictionary()


def repair() -> None:
    """Let a file outlive the runs that end while a browser asks for it; call once, before a browser comes.

    Streamlit 1.67 throws a file away once two runs, of anybody, have ended without it, and what makes one after the
    first. While a job goes on, or a class is there, that is a moment: a button whose page a browser draws a little
    later hands out nothing.
    """
    MediaFileManager._get_inactive_file_ids = _idle_files  # type: ignore[assignment, method-assign]
    MediaFileManager._remove_orphaned_deferred_callables = _forget_makers  # type: ignore[assignment, method-assign]


def _idle_files(manager: MediaFileManager) -> set[str]:
    return _long_idle(manager) & manager._file_metadata.keys()


def _forget_makers(manager: MediaFileManager) -> None:
    for name in _long_idle(manager) & manager._deferred_callables.keys():
        manager._drop_deferred_id(name)


def _long_idle(manager: MediaFileManager) -> set[str]:
    now, before, idle = time.monotonic(), _idle.get(manager, {}), dict[str, tuple[object, float]]()
    named = {name for files in manager._files_by_session_and_coord.values() for name in files.values()}
    for name, kept in (*manager._file_metadata.items(), *manager._deferred_callables.items()):
        if name not in named:
            known, since = before.get(name, (kept, now))
            idle[name] = kept, since if known is kept else now  # a file that was asked for again has another entry
    _idle[manager] = idle
    return {name for name, (_, since) in idle.items() if now - since > LASTS_S}
