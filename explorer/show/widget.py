"""A live picture as a widget: a cell below knows what the reader has chosen in it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from explorer.figures.live import modules
from explorer.show.picture import Heard, LivePicture


class Widget(LivePicture, anywidget.AnyWidget):
    """A picture whose reader's choices are traits, for Jupyter, VS Code, Colab and marimo.

    Attributes:
        query: which token asks; of a regression, where. None until the reader chooses one.
        head: which head is shown, `(layer, head)` where there are layers; None for the mean of all.
        width: of a regression's kernel.
        forbidden: cells of a mask that the reader has painted, `(query, key)` each.
    """

    _esm = Path(__file__).with_suffix(".js").read_text(encoding="utf8")
    _modules: Any = traitlets.List().tag(sync=True)
    _markup = traitlets.Unicode().tag(sync=True)
    _packed = traitlets.Bytes().tag(sync=True)
    _told = traitlets.Dict().tag(sync=True)
    query = traitlets.Any(None, read_only=True)
    head = traitlets.Any(None, read_only=True)
    width = traitlets.Any(None, read_only=True)
    forbidden = traitlets.Any(None, read_only=True)

    def __init__(
        self, script: Path, data: Mapping[str, Any], title: str, heard: Mapping[str, Heard], **chosen: Any
    ) -> None:
        """Pack it; `chosen` are traits before the reader chooses."""
        LivePicture.__init__(self, script, data, title, heard)
        anywidget.AnyWidget.__init__(
            self,
            _modules=[list(each) for each in modules.texts(script).items()],
            _markup=self.markup,
            _packed=self.data,
        )
        for name, value in chosen.items():
            self.set_trait(name, value)

    @traitlets.observe("_told")
    def _hear(self, change: Any) -> None:
        """Take what the browser tells; what means nothing changes nothing."""
        for name, said in change["new"].items():
            meaning = self.heard[name](said) if name in self.heard else None
            for trait, value in (meaning or {}).items():
                self.set_trait(trait, value)
