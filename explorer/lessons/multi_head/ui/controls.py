"""Widgets that several scenes share, all bound to the link: the sentence, the head, the pair of tokens."""

from collections.abc import Mapping
from functools import partial
from typing import Any, cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer.inference.translator.request import BOX_CHARACTERS, EXAMPLES, said_example
from explorer.inference.translator.translate import InputRefused
from explorer.lessons import multi_head as lesson
from explorer.lessons.multi_head import finding, wording
from explorer.records.heads import PARTS, HeadName, Part
from explorer.records.language import t
from explorer.records.wording import capitalise, parse_int, said_replaced
from explorer.scenes import DEFAULTS
from explorer.scenes.multi_head import EXAMPLE
from explorer.ui import cache, choice, fields, messages
from explorer.ui.scene import rail

_HEAD = ("mh_site", "mh_layer", "mh_head")


def sentence() -> lesson.Result:
    """Ask what is translated; where a text is refused, say why, and take the first example."""
    hint = t("Type a sentence and press Enter")
    text = choice.text(t("An English sentence"), BOX_CHARACTERS, key="mh_text", placeholder=hint)
    try:
        result = compute_sentence(lesson.Params(text=text))
    except InputRefused as refused:
        messages.example_instead(refused)
        return example()
    if said := said_replaced(result.translation.replaced):
        messages.info(capitalise(t("; ").join(said)), ":material/swap_horiz:")
    return result


def compute_sentence(params: lesson.Params) -> lesson.Result:
    """Return what `sentence` computed."""
    return cache.compute(lesson.compute, params)


def own_and_sentence() -> tuple[DeltaGenerator, lesson.Result]:
    """Ask for the sentence in the fold; return the place above it for a scene's own controls as well."""
    own, rest = st.container(), st.container()
    with rest, rail.more():
        result = sentence()
        examples()
    return own, result


def examples() -> None:
    """Offer sentences with something to see in their maps."""
    with st.popover(t("Examples"), icon=":material/lightbulb:", type="tertiary"):
        choice.examples(EXAMPLES["en"], "mh_text", partial(said_example))


def example() -> lesson.Result:
    """Return what a prediction and the exercises are about: the sentence that the scenes begin with."""
    return cache.compute(lesson.compute, lesson.Params(text=EXAMPLE))


def finder(result: lesson.Result) -> lesson.View:
    """Ask for a head by what it does, and return the view with it and its pair of tokens."""
    own = _hidden_head()
    changed = any(str(st.session_state.get(key, DEFAULTS[key])) != DEFAULTS[key] for key in _HEAD)
    if changed and st.session_state.get("mh_find", DEFAULTS["mh_find"]) == DEFAULTS["mh_find"]:
        st.session_state["mh_find"] = "own"  # an older link names the head
    what = choice.select(t("Show a head that …"), finds(result), key="mh_find", then=_forget_own)
    return finding.find(result, what, own)


def pair(result: lesson.Result, view: lesson.View) -> lesson.View:
    """Return the view with the pair of tokens that other scenes, or a click, have chosen."""
    query, key = (choice.hidden_param(name, key=name) for name in ("mh_query", "mh_key"))
    return place_pair(result, view, query, key)


def place_pair(result: lesson.Result, view: lesson.View, query: str, key: str) -> lesson.View:
    """Return the view with a pair of tokens; a swap has its own query unless the reader chose one."""
    if query == finding.AUTO and st.session_state["mh_find"] == "swap":
        query = str(view.query)
    return finding.positions(result, view, query, key)


def asker(result: lesson.Result, view: lesson.View) -> str:
    """Ask which token asks."""
    labels = result.trace.tokens(view.site)[0].labels
    best = wording.token(labels[place_pair(result, view, finding.AUTO, finding.MOST).query])
    names = {finding.AUTO: t("“{word}”, which shows this head best").format(word=best)} | _numbered(labels)
    return choice.select(t("Which token asks?"), names, key="mh_query")


def tokens(result: lesson.Result, view: lesson.View) -> lesson.View:
    """Ask which token asks and which is asked."""
    query = asker(result, view)
    labels = result.trace.tokens(view.site)[1].labels
    said = {finding.MOST: t("“{word}”: the most weight"), finding.LEAST: t("“{word}”: the least weight")}
    ends = {
        end: text.format(word=wording.token(labels[place_pair(result, view, query, end).key]))
        for end, text in said.items()
    }
    names = ends | _numbered(labels)
    key = choice.select(t("Which token is asked?"), names, key="mh_key")
    return place_pair(result, view, query, key)


def _numbered(labels: tuple[str, ...]) -> dict[str, str]:
    return {str(position): f"{position} · {wording.token(label)}" for position, label in enumerate(labels)}


def picker(result: lesson.Result, view: lesson.View, *, head: bool = True) -> None:
    """Ask for the head by its name: attention, layer, and number, unless the stage asks for that."""
    _pick(t("Who looks at whom?"), "site", {part: wording.site_title(part) for part in PARTS}, view, select=True)
    _pick(t("Layer"), "layer", {str(each): str(each) for each in range(result.n_layers(view.site))}, view)
    if head:
        _pick(t("Head"), "head", {str(each): str(each) for each in range(result.n_heads)}, view)


def open_head(head: HeadName) -> None:
    """Look at this head from now on; in a callback."""
    fields.set_values({"mh_find": "own", "mh_site": head.part, "mh_layer": str(head.layer), "mh_head": str(head.head)})


def finds(result: lesson.Result) -> dict[str, str]:
    """Name what a head can be found by; only what some head does on this sentence."""
    names = {
        "previous": t("looks one token back"),
        "same": t("looks at itself"),
        "next": t("looks one token ahead"),
        "diagonal": t("goes along word by word"),
        "swap": t("follows swapped words"),
        "even": t("looks almost evenly"),
        "sharp": t("looks at one token at a time"),
        "first": t("looks at the first token"),
        "punctuation": t("looks at punctuation"),
        "special": t("looks at the end of the sentence"),
        "own": t("… I choose below"),
    }
    there = {"previous", "even", "own", *finding.label_heads(result), *(["swap"] if finding.swaps(result) else [])}
    return {name: said for name, said in names.items() if name in there}


def _hidden_head() -> lesson.View:
    site, layer, head = (choice.hidden_param(key, key=key) for key in _HEAD)
    numbers = [9999 if each is None else each for each in map(parse_int, (layer, head))]
    part = cast("Part", site if site in PARTS else DEFAULTS["mh_site"])
    return lesson.View(site=part, layer=numbers[0], head=numbers[1])


def _forget_own() -> None:
    fields.set_values({key: DEFAULTS[key] for key in _HEAD})


def _pick(label: str, part: str, names: Mapping[str, str], view: lesson.View, *, select: bool = False) -> None:
    """Show one part of the head's name, and let it be changed."""
    key = f"mh_pick_{part}"
    st.session_state[key] = str(getattr(view, part))

    def picked() -> None:
        new = st.session_state[key]
        now: dict[str, Any] = {"part": view.site, "layer": view.layer, "head": view.head}
        if new is not None:
            changed = {"part": new} if part == "site" else {part: int(new)}
            open_head(HeadName(**(now | changed)))

    shown: dict[str, Any] = {"format_func": names.__getitem__, "key": key, "on_change": picked}
    if select:
        st.selectbox(label, list(names), **shown)
    else:
        st.segmented_control(label, list(names), required=True, **shown)
