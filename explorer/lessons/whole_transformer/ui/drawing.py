"""The picture that all scenes share: numbers and words packed for the browser, and the same as one offline file."""

import base64
import hashlib
import html
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from explorer.lessons.whole_transformer.state import Result
from explorer.lessons.whole_transformer.ui import names
from explorer.records.wording import token
from explorer.ui import appearance, downloads, language, scripts
from explorer.ui.language import t
from explorer.ui.live import pack
from explorer.ui.scene import link

_SCRIPT = Path(__file__).with_name("whole.js")
_whole = scripts.component(_SCRIPT)
#: What level 3 adds up and tables show to four digits; all else is drawn, and its lengths are said to two.
_EXACT = ("scores", "weights", "q", "k", "mean", "scale", "units")
#: Colours beside those of the roles: English, French, nets, places, negative numbers.
_MORE = {
    False: {"enc": "#3f5f96", "dec": "#9a5530", "net": "#8a5d00", "place": "#646f00", "negative": "#77828f"},
    True: {"enc": "#8fb0ea", "dec": "#e09a72", "net": "#f2b53a", "place": "#c3cf4a", "negative": "#7d8894"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """A first view of the picture.

    Attributes:
        level: 0 the whole, 1 a layer, 2 a head or a net, 3 a score.
        part: name of an attention, such as `dec.1.cross`.
        net: whether the net of its layer is shown.
        head: from 0.
        row: word that asks.
        column: word that is asked.
    """

    level: int = 0
    part: str = "enc.0.self"
    net: bool = False
    head: int = 0
    row: int = 0
    column: int = 0


def draw(result: Result, start: Start, *, key: str, shown: int = -1) -> None:
    """Draw the picture; `shown` is the head whose ribbons the overview draws, -1 for the mean of all."""
    _whole(data=packed(result, start, shown), key=key)


def download(result: Result, start: Start, *, key: str, shown: int = -1) -> None:
    """Offer the picture as one file that zooms without a network."""
    downloads.file(
        t("The picture as one file that zooms offline"),
        lambda: page(packed(result, start, shown, links=False), t("The Transformer, whole")),
        "whole_transformer.html",
        "text/html",
        key=f"{key}_offline",
        icon=":material/download:",
    )


def packed(result: Result, start: Start, shown: int, *, links: bool = True) -> bytes:
    """Return everything that the browser needs."""
    whole, look = result.whole, appearance.current()
    units, vocabulary = whole[f"{whole.nets[0]}.units"].shape[1], whole.logits.shape[1]
    steps = whole.steps
    colours = {name: getattr(look, name) for name in ("paper", "board", "line", "text", "muted", "hatch")}
    colours |= look.roles | _MORE[look.dark] | {"weights": look.weights}
    head: dict[str, Any] = {
        "of": f"{whole.provenance.revision}{whole.source.labels}{whole.written.labels}",
        "language": language.current(),
        "dark": look.dark,
        "source": [token(each, t) for each in whole.source.labels],
        "read": [token(each, t) for each in whole.read.labels],
        "written": [token(each, t) for each in whole.written.labels],
        "probability": [each.written.probability for each in steps],
        "likeliest": [[(token(one.label, t), one.probability) for one in each.likeliest] for each in steps],
        "sizes": {
            "d": whole["enc.x"].shape[1],
            "heads": whole.n_heads,
            "encoder": whole.n_encoder,
            "decoder": whole.n_decoder,
            "units": units,
            "vocabulary": vocabulary,
        },
        "colours": colours,
        "start": {name: getattr(start, name) for name in Start.__slots__},
        "shown": shown,
        "zoom": 1.2 if link.presenting() else 1,
        "offline": not links,
        "links": names.links() if links else {level: [] for level in names.links()},
        "words": names.words(result),
    }
    head["key"] = hashlib.sha256(json.dumps(head, ensure_ascii=False).encode()).hexdigest()
    arrays = {
        name: array.astype(np.float32 if name.rpartition(".")[2] in _EXACT else np.float16)
        for name, array in whole.arrays.items()
    }
    return pack.pack(head, arrays)


def page(data: bytes, title: str) -> str:
    """Return a page that draws packed numbers without a network: same script, same bytes."""
    look, encoded = appearance.current(), base64.b64encode(data).decode()
    tokens = "".join(
        f"--{name}:{getattr(look, name)};" for name in ("paper", "board", "line", "text", "muted", "query", "key")
    )
    return f"""<!doctype html>
<html lang="{language.current()}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>{html.escape(title)}</title>
<style>:root{{{tokens}}}body{{margin:16px auto;max-width:1200px;padding:0 12px;background:var(--paper);
color:var(--text);font-family:"Source Sans",system-ui,sans-serif}}{scripts.style(_SCRIPT)}</style>
<h1 style="font-size:22px">{html.escape(title)}</h1><div class="whole"></div>
<script type="module">{scripts.joined(_SCRIPT)}
mount(document.querySelector(".whole")).take(unpack(Uint8Array.from(atob("{encoded}"), (each) => each.charCodeAt(0))));
</script></html>"""
