"""Messages of a page: why something is not shown, and what to do. They stand where the picture would.

Lessons call these, and neither `st.info` nor its like: so none is hidden in a fold, and nothing that a reader typed is
Markdown.
"""

from explorer.ui.messages.checkpoints import (
    exactly as exactly,
    left_out as left_out,
    no_checkpoint as no_checkpoint,
    no_checkpoints as no_checkpoints,
    no_file as no_file,
)
from explorer.ui.messages.place import at as at, caption as caption, error as error, info as info, warning as warning
from explorer.ui.messages.plain import Markdown as Markdown, plain as plain
from explorer.ui.messages.refusals import (
    NO_MODEL as NO_MODEL,
    compute as compute,
    example_instead as example_instead,
    explain as explain,
)
from explorer.ui.messages.source_language import wrong_language as wrong_language
