"""The script that Streamlit runs for a component."""

import json
from collections.abc import Sequence

#: Streamlit gives this script an address of its own, from which no relative path leads anywhere. All modules are asked
#: for at once, not each after the one that imports it. What it returns, a promise at first, Streamlit waits for, and
#: calls what that holds when the component goes. Once they are there nothing is waited for: an answer of Python that
#: came later than a press would undo it. What could not be fetched is asked for again by the next call.
_LOADER = """const folder = new URL("%s/", location.href);
let draw, loading;
const load = () => Promise.all(%s.map((path) => import(new URL(path, folder))));
const ready = (all) => (draw = all.at(-1).default);
const failed = (error) => { loading = undefined; throw error; };
export default (component) =>
    draw ? draw(component) : (loading ??= load().then(ready, failed)).then(() => draw(component));"""


def loader(folder: str, modules: Sequence[str]) -> str:
    """Return a script that imports modules and hands the component to the last one's default export.

    Args:
        folder: beside the page.
        modules: paths from the folder, each after what it imports itself.
    """
    return _LOADER % (folder, json.dumps(modules))
