"""Words of the foot that plays a live picture, for `foot.js`."""

from explorer.ui.language import t


def said() -> dict[str, str]:
    """Return what its buttons are called."""
    return {
        "play": t("Play"),
        "pause": t("Pause"),
        "back": t("Step back"),
        "forward": t("Step on"),
        "speed": t("Speed"),
    }
