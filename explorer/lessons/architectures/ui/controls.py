"""What several scenes make of their controls."""

from explorer.lessons import architectures as lesson
from explorer.scenes.architectures import SIZES
from explorer.ui.scene import rail


def sizes() -> tuple[lesson.Params, str]:
    """Ask for the sizes, and for the one that grows."""
    asked = rail.ask(SIZES)
    axis = asked.pop("axis")
    return lesson.Params(**asked), axis
